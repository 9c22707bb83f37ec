"""The texts a crawl has met, for strategies that learn from them: how rare each term is, and a sample of pages.

All of it is bounded. A term is a number, hashed so that no vocabulary grows with the crawl; of texts the weightiest
terms of a few thousand pages are kept, an even draw of all that were met.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash

from honeyguide.errors import SettingError
from honeyguide.frontier import OUTCOMES
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints, Strategy
from honeyguide.strategies.likeness import Likeness, Look

__all__ = ["FEED", "NOT_MET", "Bag", "Library", "Pace", "Sample", "Texts", "link_words", "within"]

_SLOTS = 1 << 20  # numbers a term may have
_KEPT = 128  # terms of one page that are remembered
_MOST = 2_000  # texts remembered of targets, and as many of other pages
NOT_MET = -1  # the number of a text that is no page of the crawl
PAGE, FEED = OUTCOMES.index("page"), OUTCOMES.index("feed")
_COUNT = 65_535  # more often than this a term does not count


def within(strategy: Strategy, **bounds: tuple[float, float]) -> None:
    """See that settings make sense before a crawl is spent on them: each lies within its bounds."""
    for name, (least, most) in bounds.items():
        value = strategy.settings[name]
        if not least <= value <= most:
            raise SettingError(
                f"setting '{name}' of strategy '{strategy.name}' must lie between {least:g} and {most:g}, not {value:g}"
            )


@lru_cache(maxsize=1 << 17)
def _slot(term: str) -> int:
    return xxhash.xxh3_64_intdigest(term.encode("utf-8", "surrogatepass")) & (_SLOTS - 1)


class Bag(NamedTuple):
    """The terms of a page as numbers, with how often each stands there."""

    ids: Ints
    counts: Floats

    @classmethod
    def of(cls, terms: Mapping[str, int]) -> Bag:
        """All terms of a page."""
        return cls(
            np.fromiter(map(_slot, terms), np.int64, len(terms)),
            np.fromiter(terms.values(), np.float64, len(terms)),
        )


class Pace:
    """Says when it is time to learn anew: when what is known has grown by a tenth, at first after every few pages.

    >>> pace = Pace(every=2)
    >>> [size for size in range(1, 14) if pace.due(size)], [size for size in range(50, 80) if pace.due(size)]
    ([1, 3, 5, 7, 9, 11, 13], [50, 55, 61, 68, 75])
    """

    def __init__(self, every: int) -> None:
        self._every = every
        self.last = 0

    def due(self, size: int) -> bool:
        """Whether to learn anew at this size; if so, the count starts again from here."""
        if self.last and size < self.last + max(self._every, self.last / 10):
            return False
        self.last = size
        return True


class Texts(NamedTuple):
    """Kept texts laid end to end: a number and a length for each page, a row, an id and a count for each term."""

    pages: Ints
    words: Floats
    rows: Ints
    ids: Ints
    counts: Floats


class _Row(msgspec.Struct, array_like=True):
    page: int
    words: int
    ids: bytes
    counts: bytes


class Sample:
    """How rare terms are, and the texts of some pages met: an even draw of targets, and one of the others."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.pages = 0
        self._frequency = np.zeros(_SLOTS, np.int32)
        self._rows: tuple[list[_Row], list[_Row]] = ([], [])
        self._seen = [0, 0]

    def add(self, number: int, bag: Bag, target: bool) -> None:
        """Count a page's terms, and maybe keep them."""
        self.pages += 1
        self._frequency[bag.ids] += 1
        if not len(bag.ids):
            return
        self._seen[target] += 1
        rows = self._rows[target]
        place = len(rows)
        if place >= _MOST:  # the draw comes from the count itself, so that a resumed crawl draws alike
            place = xxhash.xxh3_64_intdigest(b"%d:%d" % (target, self._seen[target]), self._seed) % self._seen[target]
        if place < _MOST:
            rows[place : place + 1] = [self._row(number, bag)]

    def _row(self, number: int, bag: Bag) -> _Row:
        ids, counts = bag
        if len(ids) > _KEPT:
            best = np.argpartition(-counts * self.rarity(ids), _KEPT)[:_KEPT]
            ids, counts = ids[best], counts[best]
        short = np.minimum(counts, _COUNT).astype(np.uint16)
        return _Row(number, int(bag.counts.sum()), ids.astype(np.uint32).tobytes(), short.tobytes())

    def rarity(self, ids: Ints) -> Floats:
        """log(n / n_i) of terms, half a page added on either side so that it is always a number above zero."""
        known: Floats = np.log((self.pages + 1.0) / (self._frequency[ids] + 0.5))
        return known

    def texts(self) -> Texts:
        """The kept texts."""
        rows = [*self._rows[0], *self._rows[1]]
        lengths = [len(row.counts) // 2 for row in rows]
        return Texts(
            np.array([row.page for row in rows], np.int64),
            np.array([row.words for row in rows], np.float64),
            np.repeat(np.arange(len(rows)), lengths),
            np.frombuffer(b"".join(row.ids for row in rows) or b"", np.uint32).astype(np.int64),
            np.frombuffer(b"".join(row.counts for row in rows) or b"", np.uint16).astype(np.float64),
        )

    def save(self) -> bytes:
        """All of it, as bytes; of the frequencies only those that are not zero."""
        used = np.flatnonzero(self._frequency)
        frequency = (used.astype(np.uint32).tobytes(), self._frequency[used].tobytes())
        return msgspec.msgpack.encode((self.pages, self._seen, frequency, self._rows))

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        kind = tuple[int, list[int], tuple[bytes, bytes], tuple[list[_Row], list[_Row]]]
        self.pages, self._seen, (used, counts), self._rows = msgspec.msgpack.decode(state, type=kind)
        self._frequency = np.zeros(_SLOTS, np.int32)
        self._frequency[np.frombuffer(used, np.uint32)] = np.frombuffer(counts, np.int32)


class Library:
    """The texts of the pages met so far, which of them are targets, and when it is time to learn from them anew.

    The topic's examples are targets from the outset, and so is each page judged to be on topic. Without examples the
    topic's own words stand in for one.

    Parameters
    ----------
    brief
        The topic, its examples, and the graph of the crawl.
    seed
        Where chance begins, for the sample of texts.
    every
        How few new pages are worth learning anew from; later it takes a tenth of the crawl.
    """

    def __init__(self, brief: Brief, seed: int, every: int) -> None:
        self.graph = brief.graph
        self.likeness = Likeness(brief)
        self.sample = Sample(seed)
        self._pace = Pace(every)
        self._examples = [example.id for example in brief.examples if example.id >= 0]
        for example in brief.examples:
            self.sample.add(example.id, Bag.of(example.terms), True)
        if not brief.examples:
            self.sample.add(NOT_MET, Bag.of(dict.fromkeys(self.likeness.query, 1)), True)

    def meet(self, page: Digest) -> Bag:
        """A page was fetched: remember its words."""
        self.likeness.learn(page)
        bag = Bag.of(page.terms)
        if page.id not in self._examples:  # a page met again is not counted again
            self.sample.add(page.id, bag, page.on_topic)
        return bag

    @property
    def met(self) -> npt.NDArray[np.bool_]:
        """Of each known URL, whether its page was met."""
        met: npt.NDArray[np.bool_] = (self.graph.outcome == PAGE) | (self.graph.outcome == FEED)
        met[self._examples] = True
        return met

    @property
    def target(self) -> npt.NDArray[np.bool_]:
        """Of each known URL, whether it is a target; the one more at the end stands for examples without a number."""
        target = np.append(self.graph.on_topic, True)
        target[self._examples] = True
        return target

    def distances(self, most: int) -> Ints:
        """For each known URL the length of its shortest known path to a target; `most` + 1 for more and for none.

        Once more, one more at the end stands for examples without a number.
        """
        return np.append(self.graph.links.distances(self.target[:-1], most), 0)

    @property
    def due(self) -> bool:
        """Whether it is time to learn anew; asked once for every page."""
        return self._pace.due(self.sample.pages)

    def save(self) -> bytes:
        """All of it, as bytes."""
        return msgspec.msgpack.encode((self.likeness.save(), self.sample.save(), self._pace.last))

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        likeness, sample, self._pace.last = msgspec.msgpack.decode(state, type=tuple[bytes, bytes, int])
        self.likeness.load(likeness)
        self.sample.load(sample)


def link_words(look: Look, page: Digest, around: float, reach: int) -> Floats:
    """What each target's links say of the topic, from 0 to 1: their own words, and a share of those around them."""
    found = np.zeros(len(page.targets))
    for number, own, beside in look.telling(page, reach if around else 0, page.place):
        place = page.place[number]
        found[place] = max(found[place], (1.0 - around) * own + around * beside)
    return found
