"""Links that were followed, kept to learn from: the words in and around each, and where it led.

What a link was worth changes as the graph behind it becomes known, so the words are kept and learnt anew. All of it is
bounded: of links to relevant pages and of others an even draw is kept, each standing for as many as it was drawn from.
What was taught before the crawl, by examples and by earlier crawls, stays, with a value of its own.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.strategies.base import Floats, Ints

__all__ = ["TERMS", "Lessons", "bags"]

TERMS = 64  # kept of one link
_MOST = 2_048  # links kept of each group
_GOOD = 0.5  # the relevance from which a page is one of the good
_OTHER, _FINE, _TAUGHT = range(3)

Bags = npt.NDArray[np.uint16]


def bags(terms: Ints, counts: Ints) -> Bags:
    """Rows of terms, so many each, as far as there is room; 0 fills up.

    >>> bags(np.array([5, 6, 7]), np.array([1, 0, 2]))[:, :3].tolist()
    [[5, 0, 0], [0, 0, 0], [6, 7, 0]]
    """
    rows = np.repeat(np.arange(len(counts)), counts)
    columns = np.arange(len(terms)) - np.repeat(np.cumsum(counts) - counts, counts)
    fits = columns < TERMS
    made = np.zeros((len(counts), TERMS), np.uint16)
    made[rows[fits], columns[fits]] = terms[fits]
    return made


class Lessons:
    """Keeps links that were followed, in three groups: to other pages, to relevant ones, and what was taught before."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._bags: Bags = np.zeros((3 * _MOST, TERMS), np.uint16)
        self._page = np.full(3 * _MOST, -1, np.int64)
        self._value = np.zeros(3 * _MOST)
        self._weight = np.zeros(3 * _MOST)
        self._seen = np.zeros(3, np.int64)

    def add(self, numbers: Ints, texts: Bags, relevance: Floats) -> None:
        """Links to these URLs, which were fetched, with the words in and around each."""
        fine = relevance >= _GOOD
        for group, members in ((_OTHER, ~fine), (_FINE, fine)):
            places, drawn = self._draw(group, int(members.sum()))
            self._bags[places] = texts[members][drawn]
            self._page[places] = numbers[members][drawn]
            self._weight[places] = 1.0

    def teach(self, texts: Bags, values: Floats, weight: float = 1.0) -> None:
        """Links that led to so much, as is known before the crawl."""
        places, drawn = self._draw(_TAUGHT, len(texts))
        self._bags[places] = texts[drawn]
        self._value[places] = values[drawn]
        self._weight[places] = weight

    def _draw(self, group: int, count: int) -> tuple[Ints, Ints]:
        """Where the next ones of a group go, and which of them do; the draw follows from the count itself."""
        first = int(self._seen[group])
        self._seen[group] += count
        place = np.arange(first, first + count)
        late = np.flatnonzero(place >= _MOST)
        for one in late.tolist():
            chance = np.random.default_rng([self._seed, group, first + one])
            place[one] = chance.integers(0, first + one + 1)
        drawn = np.flatnonzero(place < _MOST)
        return group * _MOST + place[drawn], drawn

    def all(self, values: Floats) -> tuple[Bags, Floats, Floats]:
        """The words of each link, what it led to by the values of URLs, and how many it stands for."""
        kept = np.flatnonzero(self._weight)
        pages = self._page[kept]
        worth = self._value[kept]
        met = pages >= 0
        worth[met] = values[pages[met]]
        share = np.maximum(1.0, self._seen / _MOST)
        share[_TAUGHT] = 1.0
        return self._bags[kept], worth, self._weight[kept] * share[kept // _MOST]

    def save(self) -> bytes:
        """All links, of the groups as far as they are filled."""
        kept = np.flatnonzero(self._weight)
        fields = [self._bags[kept], self._page[kept], self._value[kept], self._weight[kept]]
        return msgspec.msgpack.encode((kept.tobytes(), [one.tobytes() for one in fields], self._seen.tobytes()))

    def load(self, state: bytes) -> None:
        """Go on from saved links."""
        kept, fields, seen = msgspec.msgpack.decode(state, type=tuple[bytes, list[bytes], bytes])
        places = np.frombuffer(kept, np.int64)
        self._weight[:] = 0.0
        self._bags[places] = np.frombuffer(fields[0], np.uint16).reshape(-1, TERMS)
        for field, packed in zip((self._page, self._value, self._weight), fields[1:], strict=True):
            field[places] = np.frombuffer(packed, field.dtype)
        self._seen = np.frombuffer(seen, np.int64).copy()
