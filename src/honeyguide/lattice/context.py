"""A formal context, objects that have attributes, and all its formal concepts.

Sets are bitsets: bit i of a number stands for the i-th object, or attribute. The extents of a context are all the
intersections of its columns, and nothing else; so they are gathered column by column, each meeting all extents found so
far. That is one pass of plain set operations, which Python does in C.

Ganter & Wille, "Formal Concept Analysis", Springer 1999, chapters 1 and 2.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

__all__ = ["Concept", "Context", "accelerated", "bits"]

_WORTH_COMPILING = 20_000  # crosses; less is done before compiled code is loaded


def bits(number: int) -> Iterator[int]:
    """The places of the bits that are set, lowest first.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def accelerated() -> bool:
    """Whether numba is installed, and large contexts are worked out by compiled code."""
    return importlib.util.find_spec("numba") is not None


class Concept(NamedTuple):
    """A set of objects and a set of attributes that determine each other, as bitsets."""

    extent: int
    intent: int


class Context:
    """Objects, attributes, and which has which.

    >>> context = Context.of({"U1": ["internet", "spider"], "U2": ["spider", "ontology"]})
    >>> [context.named(concept) for concept in context.concepts()]
    [(('U1', 'U2'), ('spider',)), (('U1',), ('internet', 'spider')), (('U2',), ('spider', 'ontology')), ((), \
('internet', 'spider', 'ontology'))]
    """

    def __init__(self, objects: Sequence[str], attributes: Sequence[str], rows: Sequence[int]) -> None:
        if len(rows) != len(objects):
            raise ValueError(f"{len(objects)} objects need as many rows, not {len(rows)}")
        every = (1 << len(attributes)) - 1
        if any(row < 0 or row & ~every for row in rows):
            raise ValueError(f"a row holds an attribute beyond the {len(attributes)} there are")
        self.objects = tuple(objects)
        self.attributes = tuple(attributes)
        self.rows = tuple(rows)
        self._known: dict[tuple[int, bool], list[Concept]] = {}

    @classmethod
    def of(cls, having: Mapping[str, Iterable[str]]) -> Context:
        """A context from objects and the attributes of each; attributes stand in the order they are met."""
        places: dict[str, int] = {}
        rows = []
        for attributes in having.values():
            row = 0
            for attribute in attributes:
                row |= 1 << places.setdefault(attribute, len(places))
            rows.append(row)
        return cls(tuple(having), tuple(places), rows)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """Of each attribute, the objects that have it."""
        columns = [0] * len(self.attributes)
        for place, row in enumerate(self.rows):
            bit = 1 << place
            for attribute in bits(row):
                columns[attribute] |= bit
        return tuple(columns)

    @property
    def all_objects(self) -> int:
        """Every object."""
        return (1 << len(self.objects)) - 1

    @property
    def all_attributes(self) -> int:
        """Every attribute."""
        return (1 << len(self.attributes)) - 1

    def intent(self, objects: int) -> int:
        """The attributes that all of some objects have."""
        shared = self.all_attributes
        for place in bits(objects):
            shared &= self.rows[place]
            if not shared:
                break
        return shared

    def extent(self, attributes: int) -> int:
        """The objects that have all of some attributes."""
        having = self.all_objects
        for place in bits(attributes):
            having &= self.columns[place]
        return having

    def concept(self, objects: int) -> Concept:
        """The smallest concept that holds some objects."""
        intent = self.intent(objects)
        return Concept(self.extent(intent), intent)

    def concepts(self, support: int = 0, *, compiled: bool | None = None) -> list[Concept]:
        """All concepts with at least so many objects, the largest first; with a support it is called an iceberg.

        `compiled` says whether by numba's code; left out, large contexts are where numba is installed. The result is
        the same.
        """
        if compiled is None:
            compiled = sum(row.bit_count() for row in self.rows) >= _WORTH_COMPILING and accelerated()
        known = self._known.get((support, compiled))
        if known is None:
            known = self._known[support, compiled] = self._all(support, compiled)
        return known

    def _all(self, support: int, compiled: bool) -> list[Concept]:
        if compiled:
            from honeyguide.lattice.compiled import all_concepts  # numba is not there for everyone

            found = [Concept(*pair) for pair in all_concepts(self.rows, self.columns, support)]
        else:
            found = [Concept(extent, self._intent_of(extent)) for extent in self._extents(support) or ()]
        return sorted(found, key=lambda concept: (-concept.extent.bit_count(), concept.extent))

    def some_concepts(self, most: int) -> list[Concept]:
        """All concepts, if there are no more than so many; else the iceberg of the least support that has no more, and
        the concept of each object. A few pages full of the same words have more concepts than there is time for.
        """
        known = self._known.get((-most, False))
        if known is None:
            known = self._known[-most, False] = self._some(most)
        return known

    def _some(self, most: int) -> list[Concept]:
        support, extents = 0, self._extents(0, most)
        while extents is None:
            support += 1
            extents = self._extents(support, most)
        if support:
            extents |= {self.concept(1 << place).extent for place in range(len(self.objects))}
        found = [Concept(extent, self._intent_of(extent)) for extent in extents]
        return sorted(found, key=lambda concept: (-concept.extent.bit_count(), concept.extent))

    def _extents(self, support: int, most: int | None = None) -> set[int] | None:
        """The extents of at least so many objects; None if there are more of them than wanted."""
        if len(self.objects) < support:
            return set()
        found = {self.all_objects}
        # The rarest first: what they share is little, so that all meet few for long.
        for column in sorted(set(self.columns), key=int.bit_count):
            met = {extent & column for extent in found}
            if support:
                met = {extent for extent in met if extent.bit_count() >= support}
            found |= met
            if most is not None and len(found) > most:
                return None
        return found

    def _intent_of(self, extent: int) -> int:
        """The intent of an extent, by its objects or by all attributes, whichever are fewer."""
        if 2 * extent.bit_count() <= len(self.attributes):
            return self.intent(extent)
        shared = 0
        for place, column in enumerate(self.columns):
            if not extent & ~column:
                shared |= 1 << place
        return shared

    def named(self, concept: Concept) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """A concept in the names of its objects and attributes."""
        return (
            tuple(self.objects[place] for place in bits(concept.extent)),
            tuple(self.attributes[place] for place in bits(concept.intent)),
        )
