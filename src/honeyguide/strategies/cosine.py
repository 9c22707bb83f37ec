"""Cosine best-first (CosTFCrawler in Du & Hai, J. Systems and Software 2013).

A link is worth what the page it stands on, and the words in and around its anchor, have in common with the topic.
Terms weigh as in Robertson's formula: w = cfw * tf * (k + 1) / (k * ((1 - b) + b * len / avg_len) + tf), with
cfw = log(n / n_i). The paper prints "k + 1" outside the product; the form meant is used.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import ClassVar

import msgspec

from honeyguide.page.digest import Digest, Link
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.text.terms import terms
from honeyguide.web.urls import name_words

__all__ = ["Cosine"]

_VOCABULARY = 300_000  # terms whose frequency is remembered; the rare half goes when it is full


class _State(msgspec.Struct):
    pages: int
    words: int
    frequency: dict[str, int]


class Cosine(Strategy):
    """Follows links from pages, and under anchors, that share words with the topic.

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
        anchor: float = 0.35,
        around: float = 0.15,
        reach: int = 10,
        words: int = 150,
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
        weights = {term: value * self._rarity(term) for term, value in self._query.items()}
        size = math.sqrt(sum(value * value for value in weights.values())) or 1.0
        parent, shared = self._similarity(page.terms, page.words, weights, size)
        said: dict[tuple[str, ...], float] = {}  # menus repeat anchors: score each text once
        own = max(0.0, 1.0 - self.anchor - self.around) * parent
        about = f"page is {parent:.2f} like the topic" + (f" ({', '.join(shared)})" if shared else "")
        return [self._rank(page, link, own, about, weights, size, said) for link in page.links]

    def _rank(
        self,
        page: Digest,
        link: Link,
        own: float,
        about: str,
        weights: Mapping[str, float],
        size: float,
        said: dict[tuple[str, ...], float],
    ) -> Ranked:
        near = page.anchor_terms(link) or terms(link.anchor, page.language) if link.anchor else []
        name = terms(name_words(link.url), page.language)
        anchor = self._short(tuple(near + name), weights, size, said)
        around = self._short(tuple(page.around(link, self.reach)), weights, size, said)
        priority = own + self.anchor * anchor + self.around * around
        reason = about
        if anchor:
            reason += f"; link text {anchor:.2f}"
        if around:
            reason += f"; words around it {around:.2f}"
        return Ranked(link.url, priority, reason)

    def _short(
        self, text: tuple[str, ...], weights: Mapping[str, float], size: float, said: dict[tuple[str, ...], float]
    ) -> float:
        """Cosine of a few words with the topic."""
        if not text:
            return 0.0
        known = said.get(text)
        if known is None:
            dot = length = 0.0
            for term in set(text):
                rarity = self._rarity(term)
                length += rarity * rarity
                dot += rarity * weights.get(term, 0.0)
            known = said[text] = dot / (math.sqrt(length) * size) if dot else 0.0
        return known

    def _similarity(
        self, counts: Mapping[str, int], words: int, weights: Mapping[str, float], size: float
    ) -> tuple[float, list[str]]:
        """Cosine of a page with the topic, and the words that made it."""
        mean = self._length / self._pages or 1.0
        flat = self.k * ((1 - self.b) + self.b * words / mean)
        gain = self.k + 1
        dot = length = 0.0
        shared: list[tuple[float, str]] = []
        for term, count in counts.items():
            weight = self._rarity(term) * count * gain / (flat + count)
            length += weight * weight
            if term in weights:
                part = weight * weights[term]
                dot += part
                shared.append((part, term))
        if not dot:
            return 0.0, []
        shared.sort(reverse=True)
        return dot / (math.sqrt(length) * size), [term for _, term in shared[:4]]

    def _rarity(self, term: str) -> float:
        # Half a page is added on either side: a word met on every page so far still says a little, one never met
        # is not infinitely rare.
        return math.log((self._pages + 1.0) / (self._frequency.get(term, 0) + 0.5))

    def _learn(self, page: Digest) -> None:
        self._pages += 1
        self._length += page.words
        frequency = self._frequency
        for term in page.terms:
            frequency[term] = frequency.get(term, 0) + 1
        if len(frequency) > _VOCABULARY:
            self._frequency = Counter({term: count for term, count in frequency.items() if count > 1})

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
