"""How like the topic a page or a few words are: the weighting that several strategies share.

Terms weigh as in Robertson's formula: w = cfw * tf * (k + 1) / (k * ((1 - b) + b * len / avg_len) + tf), with
cfw = log(n / n_i) over the pages met so far.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from statistics import median
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.graph import Column
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief
from honeyguide.text.terms import terms, tokenizer
from honeyguide.web.urls import name_of

Flags = NDArray[np.bool_]

__all__ = ["Likeness", "Look", "Said", "Usual"]

_LATELY = 63  # pages that tell what is usual
_HOPELESS = 0.1  # of that: an order of magnitude less
_UNMET, _APART, _SHARED = 0, 1, 2  # what is known of a URL's name: nothing yet, that it shares no term, or that it does
_VOCABULARY = 300_000  # terms whose frequency is remembered; the rare half goes when it is full


# Half a page is added on either side of log(n / n_i): a word met on every page so far still says a little, one never
# met is not infinitely rare. The logarithms of small counts are looked up, for they are all that is ever asked.
_FEW = 10_000
_LOGS = [math.log(count + 0.5) for count in range(_FEW)]


def _log(count: int) -> float:
    return _LOGS[count] if count < _FEW else math.log(count + 0.5)


class Said(NamedTuple):
    """What a link says: its target, and the cosines of its own words, and of those around it, with the topic."""

    id: int
    own: float
    beside: float


class Look:
    """Compares texts with the topic as things stand at one page."""

    def __init__(
        self,
        query: Mapping[str, int],
        weights: NDArray[np.float64],
        frequency: Mapping[str, int],
        pages: int,
        names: Column[np.uint8] | None = None,
    ) -> None:
        self._all = math.log(pages + 1.0)
        self._frequency = frequency
        self._query = query  # the places of the topic's terms among these weights
        self._weights: list[float] = weights.tolist()
        self._size = math.sqrt(weights @ weights) or 1.0
        self._names = names  # of each URL, whether its name has terms of the topic; if that is remembered
        self._known: dict[tuple[str, ...], float] = {}  # menus repeat their words: each text is scored once

    def page(self, counts: Mapping[str, int], k: float, flat: float) -> tuple[float, list[str]]:
        """Cosine of a page with the topic, and the words that made it."""
        find, query, weights, everything, gain = self._frequency.get, self._query, self._weights, self._all, k + 1
        dot = length = 0.0
        shared: list[tuple[float, str]] = []
        for term, count in counts.items():
            weight = (everything - _log(find(term, 0))) * count * gain / (flat + count)
            length += weight * weight
            if term in query:
                part = weight * weights[query[term]]
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
        query, weights = self._query, self._weights
        value = 0.0
        if not query.keys().isdisjoint(text):  # most texts share nothing with the topic
            everything, find, logs = self._all, self._frequency.get, _LOGS
            dot = length = 0.0
            for term in dict.fromkeys(text):  # not a set: its order, and so the sum, would change with every run
                count = find(term, 0)  # as `_log` does, without a call: it is done very often
                rarity = everything - (logs[count] if count < _FEW else math.log(count + 0.5))
                length += rarity * rarity
                if term in query:
                    dot += rarity * weights[query[term]]
            value = dot / (math.sqrt(length) * self._size)
        self._known[text] = value
        return value

    def telling(self, page: Digest, reach: int, among: Container[int]) -> Iterator[Said]:
        """The links of a page to some URLs that say anything of the topic: in what they say of themselves, or in the
        words around them. All others share no word with it.

        Where the terms of a page meet the topic's is looked up once, for all links; most links stand far from any such
        place, and then nothing has to be put together and compared. Without `reach` the words around are not even read.
        """
        links = page.links
        own = self._named(page)  # of each link, whether it shares a term by itself
        beside = np.zeros(len(links), np.bool_)  # and whether the words around it do
        alone = list(range(len(links)))
        if reach:
            terms, spans = page.spans
            within, beside = self._hits(terms, spans, reach)
            own |= within
            low, start, end, high = spans.tolist()
            alone = [place for place, link in enumerate(links) if link.block < 0]  # as those of a feed
        shown = dict(zip(alone, page.shown([links[place] for place in alone]), strict=True))
        apart = self._query.keys().isdisjoint
        for place, anchor in shown.items():
            own[place] |= not apart(anchor)
        telling = [place for place in np.flatnonzero(own | beside).tolist() if links[place].id in among]
        for place, name in zip(telling, page.named([links[place] for place in telling]), strict=True):
            number = links[place].id
            if place in shown:
                yield Said(number, self.words((*shown[place], *name)), 0.0)
                continue
            begin, over = start[place], end[place]
            itself = self.words((*terms[begin:over], *name)) if own[place] else 0.0
            around = 0.0
            if beside[place]:
                before = terms[max(low[place], begin - reach) : begin]
                around = self.words((*before, *terms[over : min(over + reach, high[place])]))
            if itself or around:
                yield Said(number, itself, around)

    def _hits(self, terms: list[str], spans: NDArray[np.int64], reach: int) -> tuple[Flags, Flags]:
        """Of each link, whether terms of the topic stand in its anchor, and whether any stand within reach of it."""
        query = self._query
        hits = np.array([place for place, term in enumerate(terms) if term in query], dtype=np.int64)
        low, start, end, high = spans
        edges = np.stack([np.maximum(low, start - reach), start, end, np.minimum(high, end + reach)])
        first, begin, over, last = np.searchsorted(hits, edges)
        return over > begin, (begin > first) | (last > over)

    def _named(self, page: Digest) -> Flags:
        """Of each link, whether its URL's name has a term of the topic: looked up once for each URL."""
        numbers, names = page.ids, self._names
        if names is None:
            return np.array([not self._query.keys().isdisjoint(name) for name in page.named(page.links)], np.bool_)
        if (unmet := names.raw[numbers] == _UNMET).any():
            urls = {links.id: links.url for links in map(page.links.__getitem__, np.flatnonzero(unmet).tolist())}
            met = np.fromiter(urls, np.int64, len(urls))
            names.raw[met] = _APART
            held = tokenizer("en").holding(list(map(name_of, urls.values())), self._query)
            names.raw[met[held]] = _SHARED
        shared: Flags = names.raw[numbers] == _SHARED
        return shared


class _Statistics(msgspec.Struct):
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
        self._places = {term: place for place, term in enumerate(self.query)}
        self._values = np.array(list(self.query.values()))
        self._names: Column[np.uint8] = brief.graph.column(np.uint8)
        self._count()

    def learn(self, page: Digest) -> None:
        """A page was met: count its terms."""
        self.pages += 1
        self._length += page.words
        self._frequency.update(list(page.terms))
        for term in self._places.keys() & page.terms.keys():
            self._logs[self._places[term]] = _log(self._frequency[term])
        if len(self._frequency) > _VOCABULARY:
            self._frequency = Counter({term: count for term, count in self._frequency.items() if count > 1})
            self._count()

    def _count(self) -> None:
        """The logarithms of how often the topic's terms were met; kept up to date, for every page asks for them all."""
        self._logs = np.array([_log(self._frequency[term]) for term in self.query])

    def look(self) -> Look:
        """A way to compare with the topic, by what is known now."""
        weights = self._values * (math.log(self.pages + 1.0) - self._logs)
        return Look(self._places, weights, self._frequency, self.pages, self._names)

    @property
    def frequency(self) -> Mapping[str, int]:
        """On how many of the pages met each term stands; 0 for one that was not met."""
        return self._frequency

    def look_for(self, places: Mapping[str, int], values: NDArray[np.float64]) -> Look:
        """A way to compare with other weighted terms than the topic's."""
        logs = np.array([_log(self._frequency[term]) for term in places])
        return Look(places, values * (math.log(self.pages + 1.0) - logs), self._frequency, self.pages)

    def page(self, page: Digest, look: Look) -> tuple[float, list[str]]:
        """How like the topic a page is, from 0 to 1, and the words that made it."""
        mean = self._length / self.pages if self._length else 1.0
        return look.page(page.terms, self.k, self.k * ((1 - self.b) + self.b * page.words / mean))

    def save(self) -> bytes:
        """The collection's statistics."""
        return msgspec.msgpack.encode(_Statistics(self.pages, self._length, self._frequency))

    def load(self, state: bytes) -> None:
        """Go on counting."""
        saved = msgspec.msgpack.decode(state, type=_Statistics)
        self.pages, self._length, self._frequency = saved.pages, saved.words, Counter(saved.frequency)
        self._count()


class Usual:
    """What is usual among the pages met of late: the median of some number of theirs.

    >>> usual = Usual()
    >>> [usual.hopeless(value) for value in (0.5, 0.04, 0.9, 0.2, 0.01)]
    [False, False, False, False, True]
    """

    def __init__(self) -> None:
        self._lately: list[float] = []

    def hopeless(self, value: float) -> bool:
        """Whether this one, which is counted in, is far less than what is usual."""
        lately = self._lately
        lately.append(value)
        if len(lately) > 2 * _LATELY:
            del lately[:_LATELY]
        return value < _HOPELESS * median(lately[-_LATELY:])

    def save(self) -> bytes:
        """The numbers of late."""
        return msgspec.msgpack.encode(self._lately)

    def load(self, state: bytes) -> None:
        """Go on from them."""
        self._lately = msgspec.msgpack.decode(state, type=list[float])


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
