"""Where the concepts of a lattice stand in its Hasse diagram: in layers, with few lines that cross.

A concept's layer is the longest way down to it from the top. Within a layer concepts are ordered by the mean place of
those they are linked to, downwards and upwards a few times (Sugiyama, Tagawa & Toda 1981).
"""

from __future__ import annotations

from collections.abc import Sequence

from honeyguide.lattice.lattice import Lattice

__all__ = ["layers", "way_up"]

_ROUNDS = 6


def layers(lattice: Lattice) -> list[list[int]]:
    """The numbers of the concepts, layer by layer from the top, each from left to right.

    >>> from honeyguide.lattice.context import Context
    >>> layers(Lattice(Context.of({"U1": "ab", "U2": "bc"})))
    [[0], [1, 2], [3]]
    """
    if not len(lattice):
        return []
    depth = [0] * len(lattice)
    for number in range(len(lattice)):  # larger extents come first: what is above is done before
        for below in lattice.lower(number):
            depth[below] = max(depth[below], depth[number] + 1)
    rows: list[list[int]] = [[] for _ in range(max(depth) + 1)]
    for number, at in enumerate(depth):
        rows[at].append(number)
    place = _places(rows)
    for turn in range(_ROUNDS):
        down = turn % 2 == 0
        for row in rows if down else reversed(rows):
            near = lattice.upper if down else lattice.lower
            middle = {number: _middle([place[one] for one in near(number)], place[number]) for number in row}
            row.sort(key=middle.__getitem__)
            _spread(row, place)
    return rows


def _places(rows: Sequence[list[int]]) -> dict[int, float]:
    place: dict[int, float] = {}
    for row in rows:
        _spread(row, place)
    return place


def _spread(row: list[int], place: dict[int, float]) -> None:
    for at, number in enumerate(row):
        place[number] = (at + 0.5) / len(row)


def _middle(places: list[float], now: float) -> float:
    return sum(places) / len(places) if places else now


def way_up(lattice: Lattice, number: int) -> list[int]:
    """A shortest way from a concept to the top, both included."""
    before: dict[int, int] = {number: number}
    front = [number]
    while front and 0 not in before:
        above = [(one, other) for one in front for other in lattice.upper(one)]
        front = []
        for one, other in above:
            if other not in before:
                before[other] = one
                front.append(other)
    way, at = [], 0 if 0 in before else number
    while at != number:
        way.append(at)
        at = before[at]
    return [number, *reversed(way)]
