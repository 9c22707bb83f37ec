"""A growing directed graph of integer nodes, in compact arrays.

Nodes come with their links all at once (a row), so a link takes four bytes: rows lie one after another, each known
by its source and its end. Sums over links are made a stretch of rows at a time, so that what they need in passing
does not grow with the graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.column import Column

__all__ = ["Kin", "Links", "Numbers"]

Numbers = NDArray[np.float64]

_STRETCH = 1 << 19  # links summed at once
_GONE = -1


class Kin(NamedTuple):
    """Groups of nodes, and what a link within a group counts for."""

    groups: NDArray[np.int32]
    weight: float

    def weigh(self, values: Numbers, sources: NDArray[np.int32], targets: NDArray[np.int32]) -> Numbers:
        """The values of links, those within a group weighed."""
        within = self.groups[sources] == self.groups[targets]
        return values * np.where(within, self.weight, 1.0)


class Links:
    """Which node links to which.

    >>> links = Links()
    >>> links.set(0, [1, 2]); links.set(2, [0])
    >>> links.nodes, links.out_degree.tolist(), links.in_degree.tolist()
    (3, [2, 0, 1], [1, 1, 1])
    >>> links.push(np.array([1.0, 10.0, 100.0])).tolist(), links.pull(np.array([1.0, 10.0, 100.0])).tolist()
    ([100.0, 1.0, 1.0], [110.0, 0.0, 1.0])
    """

    def __init__(self) -> None:
        self._sources: Column[np.int32] = Column(np.int32)
        self._ends: Column[np.int64] = Column(np.int64)
        self._targets: Column[np.int32] = Column(np.int32)
        self._marks: Column[np.int32] = Column(np.int32)  # a number for each link, of whatever meaning
        self._row: Column[np.int32] = Column(np.int32)  # of each node; -1 while its links are not known
        self._in: Column[np.int32] = Column(np.int32)
        self._gone = 0  # links that were replaced and still take room

    @property
    def nodes(self) -> int:
        """How many nodes there are; they are numbered from 0."""
        return len(self._row)

    @property
    def all(self) -> NDArray[np.int64]:
        """Every node."""
        return np.arange(self.nodes)

    def __len__(self) -> int:
        return len(self._targets) - self._gone

    @property
    def in_degree(self) -> NDArray[np.int32]:
        """From how many nodes each is linked."""
        return self._in.values

    @property
    def out_degree(self) -> NDArray[np.int64]:
        """To how many nodes each links."""
        counts = np.zeros(self.nodes, dtype=np.int64)
        for sources, lengths, _ in self._stretches():
            counts[sources] = lengths
        return counts

    def reach(self, nodes: int) -> None:
        """Let there be at least so many nodes."""
        self._row.grow(nodes, fill=_GONE)
        self._in.grow(nodes)

    def told(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Of some nodes, whether their own links are known."""
        told: NDArray[np.bool_] = self._row.values[nodes] != _GONE
        return told

    def set(self, source: int, targets: NDArray[np.int64] | list[int], marks: NDArray[np.int32] | None = None) -> None:
        """Tell all the links of a node; what was told of it before is replaced. Targets must differ."""
        added = np.asarray(targets, dtype=np.int32)
        self.reach(max(source, int(added.max(initial=0))) + 1)
        self._drop(source)
        self._row.values[source] = len(self._sources)
        self._sources.extend([source])
        self._targets.extend(added)
        self._marks.extend(np.zeros(len(added)) if marks is None else marks)
        self._ends.extend([len(self._targets)])
        self._in.values[added] += 1
        if self._gone > len(self._targets) // 2:
            self._tidy()

    def out(self, source: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Where a node's links lead, and the mark of each; nothing while they are not known.

        >>> links = Links()
        >>> links.set(1, [4, 2], np.array([7, 8]))
        >>> [part.tolist() for part in links.out(1)], [part.tolist() for part in links.out(0)]
        ([[4, 2], [7, 8]], [[], []])
        """
        row = int(self._row.values[source]) if source < self.nodes else _GONE
        if row == _GONE:
            return self._targets.values[:0], self._marks.values[:0]
        ends = self._ends.values
        span = slice(int(ends[row - 1]) if row else 0, int(ends[row]))
        return self._targets.values[span], self._marks.values[span]

    def sources_of(self, target: int) -> NDArray[np.int32]:
        """The nodes that link to a node: looked for among all links, so for people's questions, not for every page."""
        rows: NDArray[np.int64] = np.searchsorted(
            self._ends.values, np.flatnonzero(self._targets.values == target), side="right"
        )
        found: NDArray[np.int32] = self._sources.values[rows]
        kept: NDArray[np.int32] = found[found != _GONE]
        return kept

    def _drop(self, source: int) -> None:
        row = int(self._row.values[source])
        if row == _GONE:
            return
        ends = self._ends.values
        old = self._targets.values[ends[row - 1] if row else 0 : ends[row]]
        self._in.values[old] -= 1
        self._sources.values[row] = _GONE
        self._gone += len(old)

    def _tidy(self) -> None:
        lengths = np.diff(self._ends.values, prepend=0)
        kept = self._sources.values != _GONE
        links = np.repeat(kept, lengths)
        self._targets.replace(self._targets.values[links])
        self._marks.replace(self._marks.values[links])
        self._sources.replace(self._sources.values[kept])
        self._ends.replace(np.cumsum(lengths[kept]))
        self._row.values[self._sources.values] = np.arange(len(self._sources))
        self._gone = 0

    def _stretches(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]]:
        """Rows, a stretch at a time: their sources, how many links each has, the targets."""
        ends, sources, targets = self._ends.values, self._sources.values, self._targets.values
        row = place = 0
        while row < len(ends):
            last = max(row + 1, int(np.searchsorted(ends, place + _STRETCH, side="right")))
            lengths = np.diff(ends[row:last], prepend=place)
            told = (sources[row:last] != _GONE) & (lengths > 0)
            here = targets[place : int(ends[last - 1])]
            if not told.all():
                here = here[np.repeat(told, lengths)]
            yield sources[row:last][told], lengths[told], here
            row, place = last, int(ends[last - 1])

    def push(self, values: Numbers, kin: Kin | None = None) -> Numbers:
        """For each node, the sum of the values of those that link to it."""
        total = np.zeros(self.nodes)
        for sources, lengths, targets in self._stretches():
            given = np.repeat(values[sources], lengths)
            if kin is not None:
                given = kin.weigh(given, np.repeat(sources, lengths), targets)
            total += np.bincount(targets, weights=given, minlength=self.nodes)
        return total

    def pull(self, values: Numbers, kin: Kin | None = None) -> Numbers:
        """For each node, the sum of the values of those it links to."""
        total = np.zeros(self.nodes)
        for sources, lengths, targets in self._stretches():
            given = values[targets]
            if kin is not None:
                given = kin.weigh(given, np.repeat(sources, lengths), targets)
            if len(sources):
                total[sources] = np.add.reduceat(given, np.cumsum(lengths) - lengths)
        return total

    def highest(self, values: Numbers) -> Numbers:
        """For each node, the highest of the values of those it links to; 0 for one that has no links.

        >>> links = Links()
        >>> links.set(0, [1, 2])
        >>> links.highest(np.array([1.0, 10.0, 100.0])).tolist()
        [100.0, 0.0, 0.0]
        """
        best = np.zeros(self.nodes)
        for sources, lengths, targets in self._stretches():
            if len(sources):
                best[sources] = np.maximum.reduceat(values[targets], np.cumsum(lengths) - lengths)
        return best

    def distances(self, goals: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
        """For each node the length of its shortest path to a goal; `most` + 1 for more and for none.

        >>> links = Links()
        >>> links.set(0, [1]); links.set(1, [2]); links.set(3, [3])
        >>> links.distances(np.array([False, False, True, False]), most=5).tolist()
        [2, 1, 0, 6]
        """
        found = np.where(goals, 0, most + 1)
        for step in range(most):
            fresh = (self.pull((found == step).astype(np.float64)) > 0) & (found > step + 1)
            if not fresh.any():
                break
            found[fresh] = step + 1
        return found
