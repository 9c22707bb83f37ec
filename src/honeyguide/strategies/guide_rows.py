"""Rows for queued URLs: what is too large to be kept of every URL that is known.

A row holds what a URL's name means, as small integers, and the terms around the links to it. Rows lie side by side, so
that all are compared with the topic at once; when there are too many, those of the URLs ranked last are let go. With a
sentence encoder a row has room for what this makes of the name, too.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.frontier import Graph
from honeyguide.graph import Column
from honeyguide.native import has_native
from honeyguide.strategies.base import Floats, Ints
from honeyguide.text.vectors import SIZE

if has_native:
    from honeyguide import _native

__all__ = ["Rows"]

TERMS = 128  # terms kept of what stands around the links to a URL
NEVER, GONE = -1, -2  # a URL that had no row yet; one whose row was let go
UNREAD = -2  # said in place of the number of anchors of a URL whose name was not read yet


class Rows:
    """Names and surroundings of queued URLs, at most `most` of them; what a name means takes `size` integers, and what
    an encoder makes of it `encoded`."""

    def __init__(self, graph: Graph, most: int, signals: int, size: int = SIZE, encoded: int = 0) -> None:
        self._most = most
        room = most + most // 8  # at once, for what is not used of it takes no memory, and to move all rows takes long
        self.place: Column[np.int32] = graph.column(np.int32, NEVER)  # of each URL: its row
        self.count = 0
        self.ids = np.zeros(room, np.int64)
        self.names = np.zeros((room, size), np.int8)
        self.encoded = np.zeros((room, encoded), np.int8)
        self.read = np.zeros(room, np.bool_)  # whether the encoder has read the name
        self.anchors = np.zeros(room, np.int8)  # that stand for a name, where the address has none
        self.terms = np.zeros((room, TERMS), np.uint16)
        self.held = np.zeros(room, np.uint8)
        self.squares = np.zeros(room, np.float32)  # the squared length of those terms as a vector
        self.scores = np.zeros(room, np.float32)
        self.signals = np.zeros((room, signals), np.float32)
        self._fields = (*_FIELDS, *(("encoded", "read") if encoded else ()))

    def add(self, numbers: Ints) -> None:
        """Rows for URLs that have none."""
        first, end = self.count, self.count + len(numbers)
        self._room(end)
        self.count = end
        self.ids[first:end] = numbers  # what a name means is written when it is read, and not looked at before
        self.anchors[first:end] = UNREAD
        self.terms[first:end] = 0
        self.held[first:end] = 0
        self.squares[first:end] = 0.0
        self.scores[first:end] = np.inf  # not scored yet: not to be let go
        self.signals[first:end] = 0.0
        if "read" in self._fields:
            self.read[first:end] = False
        self.place.raw[numbers] = np.arange(first, end)

    def name(self, numbers: Ints, names: npt.NDArray[np.float32], anchors: npt.NDArray[np.int8]) -> None:
        """What URLs that have rows are called, and how many anchors each has in place of a name."""
        rows = self.place.raw[numbers]
        self.names[rows] = np.rint(names * 127)
        self.anchors[rows] = anchors

    def _room(self, count: int) -> None:
        while count > len(self.ids):
            for field in self._fields:
                old = getattr(self, field)
                setattr(self, field, np.concatenate([old, np.zeros_like(old)]))

    def write(self, rows: Ints, terms: Ints, counts: Ints, squares: npt.NDArray[np.float32]) -> None:
        """Terms around one more link to each URL, so many each, as far as there is room; a row may come twice, and -1
        stands for none.

        `squares` are the squares of what the terms weigh. They are summed as they come, and not again when weights
        have changed: that would be half of the work of comparing.
        """
        if has_native:
            _native.write_words(rows, terms, counts, TERMS, self.terms, self.held, self.squares, squares)
        else:
            self.write_in_python(rows, terms, counts, squares)

    def write_in_python(self, rows: Ints, terms: Ints, counts: Ints, squares: npt.NDArray[np.float32]) -> None:
        """The same, where it was not compiled."""
        has = rows >= 0
        if not has.all():
            some = np.repeat(has, counts)
            rows, counts, terms, squares = rows[has], counts[has], terms[some], squares[some]
        order = np.argsort(rows, kind="stable")
        sorted_rows, sorted_counts = rows[order], counts[order]
        before = np.cumsum(sorted_counts) - sorted_counts
        # Where a row comes again, its terms go after those of the time before.
        since = before[np.searchsorted(sorted_rows, sorted_rows)]
        begins = np.empty_like(before)
        begins[order] = self.held[sorted_rows] + before - since
        ends = begins + counts
        into = np.repeat(rows, counts)
        columns = np.arange(len(terms)) + np.repeat(ends - np.cumsum(counts), counts)
        if ends.max(initial=0) > TERMS:
            fits = columns < TERMS
            into, columns, terms, squares = into[fits], columns[fits], terms[fits], squares[fits]
        self.terms[into, columns] = terms
        np.add.at(self.squares, into, squares)
        self.held[rows] = np.minimum(ends, TERMS)  # where a row comes again, the last time counts

    def drop(self, number: int) -> None:
        """A URL is queued no longer."""
        row = int(self.place.raw[number])
        if row < 0:
            return
        last = self.count = self.count - 1
        if row != last:  # the last row moves to the gap
            for field in self._fields:
                values = getattr(self, field)
                values[row] = values[last]
            self.place.raw[self.ids[row]] = row
        self.place.raw[number] = GONE

    def rank(self, numbers: Ints, scores: Floats) -> None:
        """What URLs are ranked by, as far as they have rows."""
        rows = self.place.raw[numbers]
        has = rows >= 0
        self.scores[rows[has]] = scores[has]

    def best(self, most: int) -> Ints:
        """The URLs ranked first, at most so many, in the order of their rows."""
        if self.count <= most:
            return self.ids[: self.count].copy()
        rows = np.argpartition(self.scores[: self.count], self.count - most)[-most:]
        rows.sort()
        return self.ids[rows]

    def thin(self) -> tuple[Ints, npt.NDArray[np.float32]]:
        """Let rows go if there are too many: an eighth, those ranked last; returns the URLs and their signals."""
        if self.count <= self._most:
            return self.ids[:0], self.signals[:0]
        keep = self._most - self._most // 8
        order = np.argsort(-self.scores[: self.count], kind="stable")
        gone, signals = self.ids[order[keep:]], self.signals[order[keep:]]
        kept = np.sort(order[:keep])
        for field in self._fields:
            values = getattr(self, field)
            values[:keep] = values[kept]
        self.count = keep
        self.place.raw[gone] = GONE
        self.place.raw[self.ids[:keep]] = np.arange(keep)
        return gone, signals

    def save(self) -> bytes:
        """All rows: of names those that were read, of terms those that are held, for most of both is empty."""
        read, held = self._filled()
        rows = [getattr(self, field)[: self.count].tobytes() for field in self._fields if field not in _LARGE]
        large = (self.names[: self.count][read].tobytes(), self.terms[: self.count][held].tobytes())
        return msgspec.msgpack.encode((self.place.save(), self.count, rows, *large))

    def load(self, state: bytes) -> None:
        """Go on from saved rows."""
        place, self.count, rows, names, terms = msgspec.msgpack.decode(state, type=_State)
        self.place.load(place)
        self._room(self.count)
        for field, packed in zip((one for one in self._fields if one not in _LARGE), rows, strict=True):
            values = getattr(self, field)
            values[: self.count] = np.frombuffer(packed, values.dtype).reshape(self.count, *values.shape[1:])
        read, held = self._filled()
        self.names[: self.count][read] = np.frombuffer(names, np.int8).reshape(int(read.sum()), self.names.shape[1])
        self.terms[: self.count] = 0
        self.terms[: self.count][held] = np.frombuffer(terms, np.uint16)

    def _filled(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Of which rows the name was read, and which places for terms are taken."""
        held: npt.NDArray[np.bool_] = np.arange(TERMS) < self.held[: self.count, None]
        return self.anchors[: self.count] != UNREAD, held


_State = tuple[bytes, int, list[bytes], bytes, bytes]
_FIELDS = ("ids", "names", "anchors", "terms", "held", "squares", "scores", "signals")
_LARGE = ("names", "terms")
