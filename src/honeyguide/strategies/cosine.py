"""Cosine best-first (CosTFCrawler in Du & Hai, J. Systems and Software 2013).

A link is worth what the page it stands on, and the words in and around its anchor, have in common with the topic.
Terms weigh as in Robertson's formula: w = cfw * tf * (k + 1) / (k * ((1 - b) + b * len / avg_len) + tf), with
cfw = log(n / n_i). The paper prints "k + 1" outside the product; the form meant is used.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import ClassVar

import msgspec

from honeyguide.page.digest import Digest, Link
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.text.terms import terms
from honeyguide.web.urls import name_words

__all__ = ["Cosine"]

_VOCABULARY = 300_000  # terms whose frequency is remembered; the rare half goes when it is full


@lru_cache(maxsize=65_536)
def _name(url: str) -> tuple[str, ...]:
    """The terms a URL's last segment spells; the same links are met again and again."""
    return tuple(terms(name_words(url)))


# Half a page is added on either side of log(n / n_i): a word met on every page so far still says a little, one never
# met is not infinitely rare. The logarithms of small counts are looked up, for they are all that is ever asked.
_LOGS = [math.log(count + 0.5) for count in range(10_000)]


def _log(count: int) -> float:
    return _LOGS[count] if count < len(_LOGS) else math.log(count + 0.5)


class _Look:
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
        frequency, weights, everything, gain = self._frequency, self._weights, self._all, k + 1
        dot = length = 0.0
        shared: list[tuple[float, str]] = []
        for term, count in counts.items():
            weight = (everything - _log(frequency[term])) * count * gain / (flat + count)
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
            for term in set(text):
                rarity = everything - _log(find(term, 0))
                length += rarity * rarity
                if term in weights:
                    dot += rarity * weights[term]
            value = dot / (math.sqrt(length) * self._size)
        self._known[text] = value
        return value


def _texts(page: Digest, link: Link, reach: int) -> tuple[list[str], list[str]]:
    """The terms of a link's anchor, and those around it."""
    if link.block < 0:  # in a feed there is no block whose terms were counted
        return terms(link.anchor, page.language or "en"), []
    found, start, end = page.blocks[link.block].terms, link.start, link.end
    return found[start:end], found[max(0, start - reach) : start] + found[end : end + reach]


class _State(msgspec.Struct):
    pages: int
    words: int
    frequency: dict[str, int]


class Cosine(Strategy):
    """Follows links from pages, and under anchors, that share words with the topic.

    The paper prints no values but k's and b's usual range; the others come from a sweep over the forty visible topics
    of the schools web (near and far starts, twice the number of relevant pages): the parent page alone finds far less.

    Parameters
    ----------
    k, b
        Robertson's saturation and length normalisation.
    anchor
        Share of the anchor and its URL's name in a link's priority; the paper has the parent page alone (0).
    around
        Share of the words around the anchor.
    reach
        How many terms on either side count as around.
    words
        How many of the examples' best terms join the topic's own words.
    """

    name: ClassVar[str] = "cosine"

    def __init__(
        self,
        k: float = 1.2,
        b: float = 0.75,
        anchor: float = 0.5,
        around: float = 0.3,
        reach: int = 6,
        words: int = 80,
    ) -> None:
        self.k = k
        self.b = b
        self.anchor = anchor
        self.around = around
        self.reach = reach
        self.words = words

    def start(self, brief: Brief, seed: int) -> None:
        """The query: the topic's keywords, and the terms its examples share."""
        self._pages = 0
        self._length = 0
        self._frequency: Counter[str] = Counter()
        self._query = _query(brief, self.words)

    def page(self, page: Digest) -> Iterable[Ranked]:
        """Rank by the parent's similarity and what the link says of itself."""
        self._learn(page)
        look = _Look(self._query, self._frequency, self._pages)
        mean = self._length / self._pages or 1.0
        parent, shared = look.page(page.terms, self.k, self.k * ((1 - self.b) + self.b * page.words / mean))
        own = max(0.0, 1.0 - self.anchor - self.around) * parent
        about = f"page is {parent:.2f} like the topic" + (f" ({', '.join(shared)})" if shared else "")
        return [self._rank(page, link, own, about, look) for link in page.links]

    def _rank(self, page: Digest, link: Link, own: float, about: str, look: _Look) -> Ranked:
        near, around = _texts(page, link, self.reach)
        anchor = look.words((*near, *_name(link.url)))
        beside = look.words(tuple(around)) if around else 0.0
        if anchor:
            about = f"{about}; link text {anchor:.2f}"
        if beside:
            about = f"{about}; words around it {beside:.2f}"
        return Ranked(link.url, own + self.anchor * anchor + self.around * beside, about)

    def _learn(self, page: Digest) -> None:
        self._pages += 1
        self._length += page.words
        self._frequency.update(list(page.terms))
        if len(self._frequency) > _VOCABULARY:
            self._frequency = Counter({term: count for term, count in self._frequency.items() if count > 1})

    def save(self) -> bytes:
        """The collection's statistics."""
        return msgspec.msgpack.encode(_State(self._pages, self._length, self._frequency))

    def load(self, state: bytes) -> None:
        """Go on counting."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self._pages, self._length, self._frequency = saved.pages, saved.words, Counter(saved.frequency)


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
