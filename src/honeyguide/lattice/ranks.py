"""SemRank: how near the objects of one context come to the concepts of another (Du & Hai 2013).

    ext(c, b)    = ties between the objects of c and those of b / (4 max(|Xc|, |Xb|)), at most 1
    int(c, b)    = the best one-to-one pairing of the smaller intent into the larger, summed and divided
                   by the number of pairs, or by the size of the larger intent; where words are not all worth the same,
                   a pair counts for the lesser of its two, and a size is the worth of all words
    Sim(c, b)    = w ext + (1 - w) int,   w fixed, or ext / (ext + int)
    SemRank(u)   = max over the concepts c that hold u, and over all concepts b of the other context, of Sim(c, b)

The pairing is the costly part, and hardly ever needed. What each word alone would like best bounds it from above: for
all pairs of concepts at once these bounds are a few array operations. Pairs are then looked at from the best bound
downwards, and only while the bound is above what the concept's objects have already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from honeyguide.lattice.context import Concept, Context, bits
from honeyguide.lattice.pairing import best_pairing

__all__ = ["Meeting", "Rank", "Weighing", "semrank"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_CELLS = 1_000_000  # pairs of concepts looked at together
_SAME = 1e-12  # differences below this are of rounding


class Weighing(NamedTuple):
    """How the two similarities are weighed."""

    w: float | None = 0.4  # the share of the extents; None for ext / (ext + int)
    larger: bool = False  # whether a pairing is divided by the size of the larger intent, not by the number of pairs
    least: float = 0.0  # intents of a smaller size count as of this: one word that is shared is no proof

    def together(self, ext: Floats, inner: Floats) -> Floats:
        """The similarity of concepts, from that of their extents and that of their intents."""
        if self.w is not None:
            return self.w * ext + (1.0 - self.w) * inner
        total = ext + inner
        return np.divide(ext * ext + inner * inner, total, out=np.zeros(np.shape(total)), where=total > 0)

    def most(self, ext: Floats, inner: Floats) -> Floats:
        """No less than the similarity can be when that of the intents is at most so much."""
        found = self.together(ext, inner)
        return found if self.w is not None else np.maximum(found, ext)  # it falls and then rises: its ends are highest


class Rank(NamedTuple):
    """What an object is worth, and by which concepts."""

    value: float
    ext: float = 0.0
    int: float = 0.0
    mine: Concept | None = None
    base: Concept | None = None


class Meeting(NamedTuple):
    """Two contexts, and what lies between them."""

    current: Context
    base: Context
    alike: Floats  # of each attribute of the one with each of the other, within 0 and 1
    ties: Floats  # of each object of the one with each of the other: links and clicks, both ways
    worth: tuple[Floats, Floats] | None = None  # of the attributes of each, within 0 and 1; all 1 if it is left out

    def worths(self) -> tuple[Floats, Floats]:
        """What the attributes of the one, and of the other, are worth."""
        if self.worth is None:
            return np.ones(len(self.current.attributes)), np.ones(len(self.base.attributes))
        return self.worth


class _Side:
    """Concepts of one context, with their objects and attributes laid end to end."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        self.concepts = concepts
        self.objects, self.object_ends = _laid(concept.extent for concept in concepts)
        self.attributes, self.attribute_ends = _laid(concept.intent for concept in concepts)
        self.sizes = np.diff(self.object_ends)

    def widths(self, worth: Floats) -> Floats:
        """What the attributes of each concept are worth together."""
        return _reduced(np.add, worth[:, None], self.attributes, self.attribute_ends, 0)[:, 0]


def _looked_at(context: Context, most: int | None) -> list[Concept]:
    return context.concepts() if most is None else context.some_concepts(most)


@lru_cache(maxsize=4)
def _side_of(base: Context, most: int | None) -> _Side:
    """The side of a base, which many are compared with."""
    return _Side(_looked_at(base, most))


def _laid(sets: Iterator[int]) -> tuple[Ints, Ints]:
    members = [list(bits(one)) for one in sets]
    ends = np.zeros(len(members) + 1, np.int64)
    np.cumsum([len(one) for one in members], out=ends[1:])
    return np.array([place for one in members for place in one], np.int64), ends


def _reduced(how: np.ufunc, values: Floats, members: Ints, ends: Ints, axis: int) -> Floats:
    """Rows, or columns, put together set by set; 0 for an empty set."""
    sizes = np.diff(ends)
    shape = (len(sizes), values.shape[1]) if axis == 0 else (values.shape[0], len(sizes))
    out = np.zeros(shape)
    full = np.flatnonzero(sizes)
    if len(full):
        taken = how.reduceat(np.take(values, members, axis=axis), ends[:-1][full], axis=axis)
        if axis == 0:
            out[full] = taken
        else:
            out[:, full] = taken
    return out


class _Bounds(NamedTuple):
    """Of some concepts with all of the base: their extents' similarity, and bounds of the rest."""

    ext: Floats
    sizes: Floats  # what a pairing is divided by
    most: Floats


class _Ranking:
    """The concepts of both sides, and the best found so far."""

    def __init__(self, meeting: Meeting, weighing: Weighing, most: int | None, wanted: int) -> None:
        self._meeting = meeting
        self._wanted = wanted
        self._weighing = weighing
        self._mine = _looked_at(meeting.current, most)
        self._base = _side_of(meeting.base, most)
        self._worth, base_worth = meeting.worths()
        self._base_widths = self._base.widths(base_worth)
        # A pair is worth as much as the one of its words that is worth less: so none counts for more than it is.
        self._alike = meeting.alike * np.minimum.outer(self._worth, base_worth)
        self.ranks = [Rank(0.0)] * len(meeting.current.objects)

    def run(self) -> None:
        """Look at all concepts of the current context, some at a time, the largest first."""
        if not self._base.concepts:
            return
        step = max(1, _CELLS // len(self._base.concepts))
        for begin in range(0, len(self._mine), step):
            some = _Side([one for one in self._mine[begin : begin + step] if one.extent & self._wanted])
            if some.concepts:
                self._look(some)

    def _bounds(self, some: _Side) -> _Bounds:
        meeting, base = self._meeting, self._base
        ties = _reduced(np.add, meeting.ties, some.objects, some.object_ends, 0)
        ties = _reduced(np.add, ties, base.objects, base.object_ends, 1)
        ext = np.minimum(1.0, ties / (4.0 * np.maximum(1, np.maximum.outer(some.sizes, base.sizes))))
        best_of_base = _reduced(np.maximum, self._alike, base.attributes, base.attribute_ends, 1)
        total = _reduced(np.add, best_of_base, some.attributes, some.attribute_ends, 0)
        best_of_mine = _reduced(np.maximum, self._alike, some.attributes, some.attribute_ends, 0)
        total = np.minimum(total, _reduced(np.add, best_of_mine, base.attributes, base.attribute_ends, 1))
        mine, widest = some.widths(self._worth), np.maximum if self._weighing.larger else np.minimum
        sizes = np.maximum(self._weighing.least, widest.outer(mine, self._base_widths))
        total = np.minimum(total, np.minimum.outer(mine, self._base_widths))
        inner = np.divide(total, sizes, out=np.zeros(total.shape), where=total > 0)
        return _Bounds(ext, sizes, self._weighing.most(ext, inner))

    def _look(self, some: _Side) -> None:
        bounds = self._bounds(some)
        highest = bounds.most.max(axis=1)
        for place in np.argsort(-highest, kind="stable").tolist():
            concept = some.concepts[place]
            members = list(bits(concept.extent & self._wanted))
            floor = min(self.ranks[member].value for member in members)
            if highest[place] > floor + _SAME:
                found = self._best(concept, bounds, place, floor)
                if found is not None:
                    for member in members:
                        if found.value > self.ranks[member].value:
                            self.ranks[member] = found

    def _best(self, concept: Concept, bounds: _Bounds, place: int, floor: float) -> Rank | None:
        """The best that one concept reaches with any of the base, if it is above a floor."""
        best = None
        most = bounds.most[place].copy()
        while most[other := int(most.argmax())] > floor + _SAME:
            base = self._base.concepts[other]
            ext, total = float(bounds.ext[place, other]), self._paired(concept.intent, base.intent)
            inner = total / float(bounds.sizes[place, other]) if total else 0.0
            value = float(self._weighing.together(np.float64(ext), np.float64(inner)))  # type: ignore[arg-type]
            if value > floor:
                best, floor = Rank(value, ext, inner, concept, base), value
            most[other] = -1.0
        return best

    def _paired(self, mine: int, base: int) -> float:
        """What the best pairing of two intents is worth."""
        rows, columns = list(bits(mine)), list(bits(base))
        if not rows or not columns:
            return 0.0
        worth = self._alike[np.ix_(rows, columns)]
        total: float = best_pairing((worth.T if len(rows) > len(columns) else worth).tolist())[0]
        return total


def semrank(
    meeting: Meeting, weighing: Weighing | None = None, most: int | None = None, wanted: int | None = None
) -> list[Rank]:
    """The rank of every object of the current context, or of those wanted, against all concepts of the base.

    With `most`, a side that has more concepts than that is looked at by its largest ones, and by those of its objects.

    >>> base, current = Context.of({"U1": ["bee", "hive"]}), Context.of({"U2": ["bee", "wax"], "U3": ["road"]})
    >>> alike = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    >>> [rank.value for rank in semrank(Meeting(current, base, alike, np.array([[2.0], [0.0]])))]
    [0.5, 0.1]
    """
    everyone = meeting.current.all_objects if wanted is None else wanted
    ranking = _Ranking(meeting, weighing or Weighing(), most, everyone)
    ranking.run()
    return ranking.ranks
