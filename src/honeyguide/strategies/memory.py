"""What a crawl has met so far, for strategies that learn from it: the linked pages, and a sample of their texts.

All of it is bounded. A URL is a number, and so is a term, which is hashed so that no vocabulary grows with the crawl;
of texts the weightiest terms of a few thousand pages are kept, an even draw of all that were met.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash

from honeyguide.errors import SettingError
from honeyguide.graph import Column, Links, Names
from honeyguide.page.digest import Digest, Link
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.strategies.likeness import Likeness, Look

__all__ = ["Bag", "Floats", "Ints", "LinkWords", "Memory", "Met", "Pace", "Sample", "Texts", "within"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SLOTS = 1 << 20  # numbers a term may have
_LINKS = 1_000  # links of one page that are remembered
_KEPT = 128  # terms of one page that are remembered
_MOST = 2_000  # texts remembered of targets, and as many of other pages
_UNMET, _OTHER, _TARGET = -1, 0, 1
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


class Met(NamedTuple):
    """A page just fetched: its number, those of the URLs it links to, and its terms."""

    number: int
    links: Ints
    bag: Bag


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


class _State(msgspec.Struct):
    likeness: bytes
    names: bytes
    links: bytes
    target: bytes
    sample: bytes
    last: int


class Memory:
    """The pages met so far, their links and their texts, and when it is time to learn from them anew.

    The topic's examples are targets from the outset, and so is each page judged to be on topic. Without examples the
    topic's own words stand in for one.

    Parameters
    ----------
    brief
        The topic and its examples.
    seed
        Where chance begins, for the sample of texts.
    every
        How few new pages are worth learning anew from; later it takes a tenth of the crawl.
    linked
        Whether links are remembered too, and so the URLs of pages that are not met yet.
    """

    def __init__(self, brief: Brief, seed: int, every: int, linked: bool = True) -> None:
        self.likeness = Likeness(brief)
        self.sample = Sample(seed)
        self.links = Links()
        self._names = Names()
        self._target: Column[np.int8] = Column(np.int8)  # _UNMET, _OTHER or _TARGET
        self._linked = linked
        self._pace = Pace(every)
        for example in brief.examples:
            self._take(example.url, [], Bag.of(example.terms), True)
        if not brief.examples:
            self._take("", [], Bag.of(dict.fromkeys(self.likeness.query, 1)), True)

    def __len__(self) -> int:
        return len(self._names)

    def meet(self, page: Digest) -> Met:
        """A page was fetched: remember it."""
        self.likeness.learn(page)
        bag = Bag.of(page.terms)
        urls = list(dict.fromkeys(link.url for link in page.links))[:_LINKS] if self._linked else []
        numbers = self._take(page.url, urls, bag, page.on_topic)
        return Met(int(numbers[0]), numbers[1:], bag)

    def _take(self, url: str, urls: list[str], bag: Bag, target: bool) -> Ints:
        numbers = self._names.numbers([url, *urls])
        number = int(numbers[0])
        self._target.grow(len(self._names), fill=_UNMET)
        self.links.reach(len(self._names))
        known = self._target.values
        if known[number] == _UNMET:  # a page met again is not counted again
            self.sample.add(number, bag, target)
            known[number] = _OTHER
        if target:
            known[number] = _TARGET
        if urls:
            self.links.set(number, numbers[1:])
        return numbers

    @property
    def met(self) -> npt.NDArray[np.bool_]:
        """Of each known URL, whether its page was met."""
        met: npt.NDArray[np.bool_] = self._target.values != _UNMET
        return met

    @property
    def target(self) -> npt.NDArray[np.bool_]:
        """Of each known URL, whether it is a target."""
        target: npt.NDArray[np.bool_] = self._target.values == _TARGET
        return target

    def is_target(self, number: int) -> bool:
        """Whether this page is a target."""
        return bool(self._target.values[number] == _TARGET)

    def distances(self, most: int) -> Ints:
        """For each known URL the length of its shortest known path to a target; `most` + 1 for more and for none."""
        return self.links.distances(self.target, most)

    @property
    def due(self) -> bool:
        """Whether it is time to learn anew; asked once for every page."""
        due = self._pace.due(self.sample.pages)
        if due:
            self.links.settle()
        return due

    def save(self) -> bytes:
        """All of it, as bytes."""
        state = _State(
            self.likeness.save(),
            self._names.save(),
            self.links.save(),
            self._target.save(),
            self.sample.save(),
            self._pace.last,
        )
        return msgspec.msgpack.encode(state)

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self.likeness.load(saved.likeness)
        self._names.load(saved.names)
        self.links.load(saved.links)
        self._target.load(saved.target)
        self.sample.load(saved.sample)
        self._pace.last = saved.last


class LinkWords:
    """What the words of a link, and those around it, have in common with the topic, from 0 to 1.

    Parameters
    ----------
    look
        A way to compare with the topic.
    around
        Share of the words around the anchor, the rest being that of the anchor and the URL's name.
    reach
        How many terms on either side count as around.
    """

    def __init__(self, look: Look, around: float, reach: int) -> None:
        self._look = look
        self._around = around
        self._reach = reach

    def of(self, page: Digest) -> Iterator[tuple[Link, float]]:
        """A page's links, with the likeness of each."""
        for link, own, beside in self._look.links(page, self._reach if self._around else 0):
            yield link, (1.0 - self._around) * own + self._around * beside

    def ranked(
        self, page: Digest, about: str, fits: float, share: float, low: float = 0.0, span: float = 1.0
    ) -> list[Ranked]:
        """A page's links from `low` on, over a `span`: by how well the page fits, and a `share` of their own words."""
        found = []
        for link, own in self.of(page) if share else zip(page.links, repeat(0.0)):
            value = low + span * ((1.0 - share) * fits + share * own)
            found.append(Ranked(link.url, value, f"{about}; link text {own:.2f}" if own else about))
        return found
