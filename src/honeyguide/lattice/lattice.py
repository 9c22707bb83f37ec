"""The concepts of a context in their order: what covers what, joins and meets, and a lattice that grows by an object.

(X1, Y1) <= (X2, Y2) where X1 is within X2. An object is added as Norris does (1978): every concept whose attributes the
object has gains it, and what the object shares with the others makes new ones.
"""

from __future__ import annotations

from collections.abc import Iterable

from honeyguide.lattice.context import Concept, Context

__all__ = ["Lattice"]


class Lattice:
    """All concepts of a context, or those of an iceberg, numbered from the top downwards.

    >>> lattice = Lattice(Context.of({"U1": "ab", "U2": "bc"}))
    >>> len(lattice), lattice.lower(0), lattice.join([1, 2]), lattice.meet([1, 2])
    (4, (1, 2), 0, 3)
    """

    def __init__(self, context: Context, support: int = 0) -> None:
        self.context = context
        self.support = support
        self._set(context.concepts(support))

    def _set(self, concepts: list[Concept]) -> None:
        self.concepts = concepts
        self._by_extent = {concept.extent: place for place, concept in enumerate(concepts)}
        self._lower: list[tuple[int, ...] | None] = [None] * len(concepts)
        self._upper: list[tuple[int, ...]] | None = None

    def __len__(self) -> int:
        return len(self.concepts)

    @property
    def top(self) -> Concept:
        """The concept of all objects."""
        return self.concept_of(self.context.all_objects)

    @property
    def bottom(self) -> Concept:
        """The concept of all attributes."""
        context = self.context
        return Concept(context.extent(context.all_attributes), context.all_attributes)

    def concept_of(self, objects: int) -> Concept:
        """The smallest concept that holds some objects."""
        return self.context.concept(objects)

    def find(self, extent: int) -> int | None:
        """The number of the concept with exactly these objects."""
        return self._by_extent.get(extent)

    def join(self, numbers: Iterable[int]) -> int | None:
        """The smallest concept above all of some; None if it is none of the iceberg's."""
        objects = 0
        for number in numbers:
            objects |= self.concepts[number].extent
        return self.find(self.concept_of(objects).extent)

    def meet(self, numbers: Iterable[int]) -> int | None:
        """The largest concept below all of some; None if it is none of the iceberg's."""
        objects = self.context.all_objects
        for number in numbers:
            objects &= self.concepts[number].extent
        return self.find(objects)

    def lower(self, number: int) -> tuple[int, ...]:
        """The concepts right below one."""
        known = self._lower[number]
        if known is None:
            known = self._lower[number] = self._covered(self.concepts[number])
        return known

    def upper(self, number: int) -> tuple[int, ...]:
        """The concepts right above one."""
        if self._upper is None:
            above: list[list[int]] = [[] for _ in self.concepts]
            for place in range(len(self)):
                for below in self.lower(place):
                    above[below].append(place)
            self._upper = [tuple(one) for one in above]
        return self._upper[number]

    @property
    def covers(self) -> list[tuple[int, int]]:
        """All pairs of a concept and one right below it: the lines of the Hasse diagram."""
        return [(place, below) for place in range(len(self)) for below in self.lower(place)]

    def _covered(self, concept: Concept) -> tuple[int, ...]:
        """Each further attribute leads to an extent below; the largest of these are covered."""
        outside = [column for place, column in enumerate(self.context.columns) if not concept.intent >> place & 1]
        below = {concept.extent & column for column in outside}
        largest: list[int] = []
        for extent in sorted(below, key=int.bit_count, reverse=True):
            if all(extent & ~other for other in largest):
                largest.append(extent)
        return tuple(sorted(self._by_extent[extent] for extent in largest if extent in self._by_extent))

    def add(self, name: str, attributes: Iterable[str]) -> None:
        """Add an object; what attributes it brings along are new to all others. Not for icebergs."""
        if self.support:
            raise ValueError("an iceberg forgets what it would need to grow: build it anew")
        old = self.context
        places = {attribute: place for place, attribute in enumerate(old.attributes)}
        row = 0
        for attribute in attributes:
            row |= 1 << places.setdefault(attribute, len(places))
        self.context = Context((*old.objects, name), tuple(places), (*old.rows, row))
        bit, every = 1 << len(old.objects), self.context.all_attributes
        # What nobody has, all attributes together, is there from the outset: new ones make more of it.
        known = [(extent, intent) for extent, intent in self.concepts if extent]
        if every != old.all_attributes or len(known) < len(self.concepts):
            known.append((0, every))
        concepts: dict[int, int] = {}
        made: dict[int, int] = {}  # what the object shares with concepts it does not belong to, with their objects
        for extent, intent in known:
            shared = intent & row
            if shared == intent:
                concepts[intent] = extent | bit
            else:
                concepts[intent] = extent
                made[shared] = made.get(shared, 0) | extent
        for intent, extent in made.items():
            if intent not in concepts:
                concepts[intent] = extent | bit
        self._set(
            sorted(
                (Concept(extent, intent) for intent, extent in concepts.items()),
                key=lambda concept: (-concept.extent.bit_count(), concept.extent),
            )
        )
