"""How like the topic a page or a few words are: the weighting that several strategies share.

Terms weigh as in Robertson's formula: w = cfw * tf * (k + 1) / (k * ((1 - b) + b * len / avg_len) + tf), with
cfw = log(n / n_i) over the pages met so far.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Mapping
from statistics import median
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.graph import Column
from honeyguide.native import has_native
from honeyguide.page.digest import UNREAD, Digest, Link
from honeyguide.strategies.base import Brief
from honeyguide.text.terms import terms, tokenizer
from honeyguide.web.urls import name_of

if has_native:
    from honeyguide import _native

# A link by its place, its own words if they or its name tell, and the words around it if they do.
_Words = tuple[int, tuple[str, ...] | None, tuple[str, ...]]

__all__ = ["Likeness", "Look", "Said", "Usual"]

_LATELY = 63  # pages that tell what is usual
_HOPELESS = 0.1  # of that: an order of magnitude less
_APART, _SHARED = 1, 2  # what is known of a URL's name: that it shares no term with the topic, or that it does
_PLENTY, _EVERY = 1_000, 4  # pages counted, from which on every fourth is counted: it tells as well how rare a term is
_VOCABULARY = 300_000  # terms whose frequency is remembered; the rare half goes when it is full


# Half a page is added on either side of log(n / n_i): a word met on every page so far still says a little, one never
# met is not infinitely rare. The logarithms of small counts are looked up, for they are all that is ever asked.
_FEW = 10_000
_LOGS = [math.log(count + 0.5) for count in range(_FEW)]


def _log(count: int) -> float:
    return _LOGS[count] if count < _FEW else math.log(count + 0.5)


def places_of(terms: list[str], among: dict[str, int]) -> list[int]:
    """Where terms stand that are among some."""
    return _native.places_of(terms, among) if has_native else [at for at, term in enumerate(terms) if term in among]


class Said(NamedTuple):
    """What a link says: its target, and the cosines of its own words, and of those around it, with the topic."""

    id: int
    own: float
    beside: float


class Look:
    """Compares texts with the topic as things stand at one page."""

    def __init__(
        self,
        query: dict[str, int],
        weights: NDArray[np.float64],
        frequency: dict[str, int],
        pages: int,
        names: Column[np.uint8] | None = None,
    ) -> None:
        self._all = math.log(pages + 1.0)
        self._frequency = frequency
        self._query = query  # the places of the topic's terms among these weights
        self._weights: list[float] = weights.tolist()
        self._size = math.sqrt(weights @ weights) or 1.0
        self._names = names  # of each URL, whether its name has terms of the topic; 0 while nobody has asked
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
        value = (
            _native.cosine(text, self._query, self._weights, self._frequency, _LOGS, self._all, self._size)
            if has_native
            else self._cosine(text)
        )
        self._known[text] = value
        return value

    def _cosine(self, text: tuple[str, ...]) -> float:
        query, weights = self._query, self._weights
        if query.keys().isdisjoint(text):  # most texts share nothing with the topic
            return 0.0
        everything, find, logs = self._all, self._frequency.get, _LOGS
        dot = length = 0.0
        for term in dict.fromkeys(text):  # not a set: its order, and so the sum, would change with every run
            count = find(term, 0)  # as `_log` does, without a call: it is done very often
            rarity = everything - (logs[count] if count < _FEW else math.log(count + 0.5))
            length += rarity * rarity
            if term in query:
                dot += rarity * weights[query[term]]
        return dot / (math.sqrt(length) * self._size)

    def telling(self, page: Digest, reach: int, among: Container[int]) -> list[Said]:
        """The links of a page to some URLs that say anything of the topic: in what they say of themselves, or in the
        words around them. All others share no word with it.

        Where a block's terms meet the topic's is looked up once; most links stand far from any such place, and then
        nothing has to be put together and compared. Without `reach` the words around are not even read.
        """
        links = [link for link in page.links if link.id in among]
        shared = self._named(page, links)
        said = self._around(page, links, shared, reach) if reach else self._alone(page, links, shared)
        # Only of links whose own words tell the names are put together, and of all at once.
        names = iter(page.named([links[place] for place, own, _ in said if own is not None]))
        words = self.words
        return [
            Said(
                links[place].id,
                words((*own, *next(names))) if own is not None else 0.0,
                words(beside) if beside else 0.0,
            )
            for place, own, beside in said
        ]

    def _alone(self, page: Digest, links: list[Link], shared: list[bool]) -> list[_Words]:
        """Links that tell by what they say of themselves: the words of each are those of its anchor."""
        apart = self._query.keys().isdisjoint
        anchors = page.shown(links)
        return [
            (place, anchor, ())
            for place, (anchor, named) in enumerate(zip(anchors, shared, strict=True))
            if named or not apart(anchor)
        ]

    def _around(self, page: Digest, links: list[Link], shared: list[bool], reach: int) -> list[_Words]:
        """Those that tell by the words around them, too; there are none around those of a feed."""
        if has_native and (said := self._skimmed(page, links, shared, reach)) is not None:
            return said
        query, near = self._query, page.near
        page.read({link.block for link in links if link.block >= 0})
        blocks: dict[int, tuple[list[str], list[int], list[int], list[int]]] = {}
        found: list[_Words] = []
        for place, (link, named) in enumerate(zip(links, shared, strict=True)):
            block = link.block
            if block < 0:
                found += [(place, own, ()) for _, own, _ in self._alone(page, [link], [named])]
                continue
            known = blocks.get(block)
            if known is None:  # its terms, where anchors begin and end, and where terms of the topic stand
                terms, _, _ = near(link)
                _, begins, ends = page.blocks[block].read if link.end == UNREAD else (terms, [], [])
                hits = places_of(terms, query)
                blocks[block] = known = terms, begins, ends, hits
            terms, begins, ends, hits = known
            if not hits and not named:  # as on most blocks of most pages
                continue
            start, end = link.start, link.end
            if end == UNREAD:  # as `near` has it, without a call: it is done for every link
                start, end = begins[start], ends[start]
            first, last = bisect_left(hits, start), bisect_left(hits, end)
            own = tuple(terms[start:end]) if named or last > first else None
            # The nearest hits before and after the anchor tell whether any are within reach.
            if (first and hits[first - 1] >= start - reach) or (last < len(hits) and hits[last] < end + reach):
                found.append((place, own, (*terms[max(0, start - reach) : start], *terms[end : end + reach])))
            elif own is not None:
                found.append((place, own, ()))
        return found

    def _skimmed(self, page: Digest, links: list[Link], shared: list[bool], reach: int) -> list[_Words] | None:
        """The same of a page that was skimmed and not read, as nearly all are: in one go, and its words are not kept.
        None of any other."""
        if len(page.blocks) != 1 or not (text := page.blocks[0]).language or "read" in text.__dict__:
            return None
        native = tokenizer(text.language).native
        numbers = [link.start for link in links if link.block >= 0]
        apart = len(numbers)  # those of feeds come last
        if native is None or any(link.block >= 0 for link in links[apart:]):
            return None
        if any(link.end != UNREAD for link in links[:apart]):
            return None
        found = native.around(text.text, self._query, numbers, shared[:apart], reach)
        if found is not None and apart < len(links):
            feeds = self._alone(page, links[apart:], shared[apart:])
            found += [(apart + place, own, beside) for place, own, beside in feeds]
        return found

    def _named(self, page: Digest, links: list[Link]) -> list[bool]:
        """Of each link, whether its URL's name has a term of the topic: found out once for each URL, if all the crawl
        is about the same words."""
        known = self._names
        if known is None:
            return [not self._query.keys().isdisjoint(name) for name in page.named(links)]
        numbers = [link.id for link in links]
        told = known.raw[numbers]
        if not told.all():
            new = {link.id: link.url for link, one in zip(links, told.tolist(), strict=True) if not one}
            met = np.fromiter(new, np.int64, len(new))
            known.raw[met] = _APART
            known.raw[met[tokenizer("en").holding(list(map(name_of, new.values())), self._query)]] = _SHARED
            told = known.raw[numbers]
        shared: list[bool] = (told == _SHARED).tolist()
        return shared


class _Statistics(msgspec.Struct):
    pages: int
    words: int
    frequency: dict[str, int]
    passed: int = 0


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
        self.pages = 0  # that were counted
        self._passed = 0  # since the last of them
        self._length = 0
        self._frequency: Counter[str] = Counter()
        self._places = {term: place for place, term in enumerate(self.query)}
        self._values = np.array(list(self.query.values()))
        self._names: Column[np.uint8] = brief.graph.column(np.uint8)
        self._count()

    def learn(self, page: Digest) -> None:
        """A page was met: count its terms, unless so many were counted that one in some is enough."""
        if self.pages >= _PLENTY and self._passed < _EVERY - 1:
            self._passed += 1
            return
        self._passed = 0
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

    def look_for(self, places: dict[str, int], values: NDArray[np.float64]) -> Look:
        """A way to compare with other weighted terms than the topic's."""
        logs = np.array([_log(self._frequency[term]) for term in places])
        return Look(places, values * (math.log(self.pages + 1.0) - logs), self._frequency, self.pages)

    def page(self, page: Digest, look: Look) -> tuple[float, list[str]]:
        """How like the topic a page is, from 0 to 1, and the words that made it."""
        mean = self._length / self.pages if self._length else 1.0
        return look.page(page.terms, self.k, self.k * ((1 - self.b) + self.b * page.words / mean))

    def save(self) -> bytes:
        """The collection's statistics."""
        return msgspec.msgpack.encode(_Statistics(self.pages, self._length, self._frequency, self._passed))

    def load(self, state: bytes) -> None:
        """Go on counting."""
        saved = msgspec.msgpack.decode(state, type=_Statistics)
        self.pages, self._length, self._frequency = saved.pages, saved.words, Counter(saved.frequency)
        self._passed = saved.passed
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
