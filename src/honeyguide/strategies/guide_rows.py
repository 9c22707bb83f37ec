"""Rows for queued URLs: what is too large to be kept of every URL that is known.

A row holds what a URL's name means, as small integers, and the terms around the links to it. Rows lie side by side, so
that all are compared with the topic at once; when there are too many, those of the URLs ranked last are let go.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.frontier import Graph
from honeyguide.graph import Column
from honeyguide.text.vectors import SIZE

__all__ = ["Rows"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

TERMS = 128  # terms kept of what stands around the links to a URL
NEVER, GONE = -1, -2  # a URL that had no row yet; one whose row was let go


class Rows:
    """Names and surroundings of queued URLs, at most `most` of them."""

    def __init__(self, graph: Graph, most: int, signals: int) -> None:
        self._most = most
        self.place: Column[np.int32] = graph.column(np.int32, NEVER)  # of each URL: its row
        self.count = 0
        self.ids = np.zeros(64, np.int64)
        self.names = np.zeros((64, SIZE), np.int8)
        self.terms = np.zeros((64, TERMS), np.uint16)
        self.held = np.zeros(64, np.uint8)
        self.scores = np.zeros(64, np.float32)
        self.signals = np.zeros((64, signals), np.float32)

    def add(self, number: int, name: npt.NDArray[np.float32]) -> int:
        """A row for a URL that has none."""
        row = self.count
        if row == len(self.ids):
            for field in _FIELDS:
                old = getattr(self, field)
                setattr(self, field, np.concatenate([old, np.zeros_like(old)]))
        self.count += 1
        self.ids[row] = number
        self.names[row] = np.rint(name * 127)
        self.terms[row] = 0
        self.held[row] = 0
        self.scores[row] = np.inf  # not scored yet: not to be let go
        self.signals[row] = 0.0
        self.place.raw[number] = row
        return row

    def write(self, row: int, terms: list[int]) -> None:
        """Terms around one more link to a URL, as far as there is room."""
        held = int(self.held[row])
        fits = terms[: TERMS - held]
        if fits:
            self.terms[row, held : held + len(fits)] = fits
            self.held[row] = held + len(fits)

    def drop(self, number: int) -> None:
        """A URL is queued no longer."""
        row = int(self.place.raw[number])
        if row < 0:
            return
        last = self.count = self.count - 1
        if row != last:  # the last row moves to the gap
            for field in _FIELDS:
                values = getattr(self, field)
                values[row] = values[last]
            self.place.raw[self.ids[row]] = row
        self.place.raw[number] = GONE

    def best(self, most: int) -> Ints:
        """The URLs ranked first, at most so many, in the order of their rows."""
        if self.count <= most:
            return self.ids[: self.count].copy()
        rows = np.argsort(-self.scores[: self.count], kind="stable")[:most]
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
        for field in _FIELDS:
            values = getattr(self, field)
            values[:keep] = values[kept]
        self.count = keep
        self.place.raw[gone] = GONE
        self.place.raw[self.ids[:keep]] = np.arange(keep)
        return gone, signals

    def save(self) -> bytes:
        """All rows."""
        rows = [getattr(self, field)[: self.count].tobytes() for field in _FIELDS]
        return msgspec.msgpack.encode((self.place.save(), self.count, rows))

    def load(self, state: bytes) -> None:
        """Go on from saved rows."""
        place, self.count, rows = msgspec.msgpack.decode(state, type=tuple[bytes, int, list[bytes]])
        self.place.load(place)
        for field, packed in zip(_FIELDS, rows, strict=True):
            old = getattr(self, field)
            made = np.zeros((max(64, self.count), *old.shape[1:]), old.dtype)
            made[: self.count] = np.frombuffer(packed, old.dtype).reshape(self.count, *old.shape[1:])
            setattr(self, field, made)


_FIELDS = ("ids", "names", "terms", "held", "scores", "signals")
