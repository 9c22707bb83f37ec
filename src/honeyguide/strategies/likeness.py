"""How like the topic a page or a few words are: the weighting that several strategies share.

Terms weigh as in Robertson's formula: w = cfw * tf * (k + 1) / (k * ((1 - b) + b * len / avg_len) + tf), with
cfw = log(n / n_i) over the pages met so far.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from honeyguide.page.digest import Digest, Link
from honeyguide.strategies.base import Brief
from honeyguide.text.terms import terms
from honeyguide.web.urls import name_words

__all__ = ["Likeness", "Look", "around_terms", "link_terms", "name_terms"]

_VOCABULARY = 300_000  # terms whose frequency is remembered; the rare half goes when it is full


@lru_cache(maxsize=65_536)
def name_terms(url: str) -> tuple[str, ...]:
    """The terms a URL's last segment spells; the same links are met again and again."""
    return tuple(terms(name_words(url)))


def link_terms(page: Digest, link: Link) -> tuple[str, ...]:
    """What a link says of itself: the terms of its anchor and of its URL's name."""
    if link.block < 0:  # in a feed there is no block whose terms were counted
        return (*terms(link.anchor, page.language or "en"), *name_terms(link.url))
    return (*page.blocks[link.block].terms[link.start : link.end], *name_terms(link.url))


def around_terms(page: Digest, link: Link, reach: int) -> tuple[str, ...]:
    """The terms on either side of a link's anchor."""
    return tuple(page.around(link, reach))


# Half a page is added on either side of log(n / n_i): a word met on every page so far still says a little, one never
# met is not infinitely rare. The logarithms of small counts are looked up, for they are all that is ever asked.
_LOGS = [math.log(count + 0.5) for count in range(10_000)]


def _log(count: int) -> float:
    return _LOGS[count] if count < len(_LOGS) else math.log(count + 0.5)


class Look:
    """Compares texts with the topic as things stand at one page."""

    def __init__(self, query: Mapping[str, float], frequency: Mapping[str, int], pages: int) -> None:
        self._all = math.log(pages + 1.0)
        self._frequency = frequency
        self._weights = {term: value * self._rarity(term) for term, value in query.items()}
        self._size = math.sqrt(sum(value * value for value in self._weights.values())) or 1.0
        self._known: dict[tuple[str, ...], float] = {}  # menus repeat their words: each text is scored once

    def _rarity(self, term: str) -> float:
        return self._all - _log(self._frequency.get(term, 0))

    def page(self, counts: Mapping[str, int], k: float, flat: float) -> tuple[float, list[str]]:
        """Cosine of a page with the topic, and the words that made it."""
        find, weights, everything, gain = self._frequency.get, self._weights, self._all, k + 1
        dot = length = 0.0
        shared: list[tuple[float, str]] = []
        for term, count in counts.items():
            weight = (everything - _log(find(term, 0))) * count * gain / (flat + count)
            length += weight * weight
            if term in weights:
                part = weight * weights[term]
                dot += part
                shared.append((part, term))
        if not dot:
            return 0.0, []
        shared.sort(reverse=True)
        return dot / (math.sqrt(length) * self._size), [term for _, term in shared[:4]]

    def words(self, text: tuple[str, ...]) -> float:
        """Cosine of a few words with the topic."""
        known = self._known.get(text)
        if known is not None:
            return known
        weights = self._weights
        value = 0.0
        if not weights.keys().isdisjoint(text):  # most texts share nothing with the topic
            everything, find = self._all, self._frequency.get
            dot = length = 0.0
            for term in dict.fromkeys(text):  # not a set: its order, and so the sum, would change with every run
                rarity = everything - _log(find(term, 0))
                length += rarity * rarity
                if term in weights:
                    dot += rarity * weights[term]
            value = dot / (math.sqrt(length) * self._size)
        self._known[text] = value
        return value


class _State(msgspec.Struct):
    pages: int
    words: int
    frequency: dict[str, int]


class Likeness:
    """The topic as weighted terms, and how rare each term is on the pages met so far.

    Parameters
    ----------
    brief
        The topic and its examples.
    words
        How many of the examples' best terms join the topic's own words.
    k, b
        Robertson's saturation and length normalisation.
    """

    def __init__(self, brief: Brief, words: int = 80, k: float = 1.2, b: float = 0.75) -> None:
        self.query = _query(brief, words)
        self.k = k
        self.b = b
        self.pages = 0
        self._length = 0
        self._frequency: Counter[str] = Counter()

    def learn(self, page: Digest) -> None:
        """A page was met: count its terms."""
        self.pages += 1
        self._length += page.words
        self._frequency.update(list(page.terms))
        if len(self._frequency) > _VOCABULARY:
            self._frequency = Counter({term: count for term, count in self._frequency.items() if count > 1})

    def look(self) -> Look:
        """A way to compare with the topic, by what is known now."""
        return Look(self.query, self._frequency, self.pages)

    def page(self, page: Digest, look: Look) -> tuple[float, list[str]]:
        """How like the topic a page is, from 0 to 1, and the words that made it."""
        mean = self._length / self.pages if self._length else 1.0
        return look.page(page.terms, self.k, self.k * ((1 - self.b) + self.b * page.words / mean))

    def save(self) -> bytes:
        """The collection's statistics."""
        return msgspec.msgpack.encode(_State(self.pages, self._length, self._frequency))

    def load(self, state: bytes) -> None:
        """Go on counting."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self.pages, self._length, self._frequency = saved.pages, saved.words, Counter(saved.frequency)


def _query(brief: Brief, most: int) -> dict[str, float]:
    """The topic as weighted terms: its keywords, and what its examples say again and again."""
    query: dict[str, float] = {}
    languages = brief.topic.languages or ("en", "zh")
    heaviest = max(brief.topic.keywords.values(), default=1.0)
    for keyword, weight in brief.topic.keywords.items():
        for language in languages:
            for term in terms(keyword, language):
                query[term] = max(query.get(term, 0.0), weight / heaviest)
    shared: Counter[str] = Counter()
    for example in brief.examples:
        total = sum(example.terms.values()) or 1
        for term, count in example.terms.items():
            shared[term] += math.sqrt(count / total)  # type: ignore[assignment]
    best = shared.most_common(most)
    top = best[0][1] if best else 1.0
    for term, value in best:
        query[term] = max(query.get(term, 0.0), value / top)
    return query
