"""The best one-to-one pairing of two small sets: the assignment problem, by the Hungarian method (Kuhn 1955, with the
potentials of Jonker & Volgenant 1987).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["best_pairing"]


def best_pairing(worth: Sequence[Sequence[float]]) -> tuple[float, list[int]]:
    """The greatest sum over pairs of each row with a column of its own, and the column of each row.

    There must be at least as many columns as rows, and nothing may be worth less than 0.

    >>> best_pairing([[0.9, 0.8], [0.9, 0.1]])
    (1.7000000000000002, [1, 0])
    """
    if not worth:
        return 0.0, []
    wanted = [max(range(len(row)), key=row.__getitem__) for row in worth]
    if len(set(wanted)) == len(wanted):  # each has what it likes best
        return math.fsum(row[column] for row, column in zip(worth, wanted, strict=True)), wanted
    # A row with nothing to gain takes what is left. Of the others, only as many of its best columns can matter as there
    # are of them: they cannot take more away.
    keen = [row for row in range(len(worth)) if any(worth[row])]
    likes: set[int] = set()
    for row in keen:
        likes.update(sorted(range(len(worth[row])), key=worth[row].__getitem__)[-len(keen) :])
    columns = sorted(likes)
    places = _assigned([[-worth[row][column] for column in columns] for row in keen]) if keen else []
    taken = dict(zip(keen, (columns[place] for place in places), strict=True))
    left = iter(sorted(set(range(len(worth[0]))) - set(taken.values())))
    chosen = [taken[row] if row in taken else next(left) for row in range(len(worth))]
    return math.fsum(row[column] for row, column in zip(worth, chosen, strict=True)), chosen


def _assigned(cost: list[list[float]]) -> list[int]:
    """The column of each row in the cheapest assignment; rows come in one by one, each by its shortest way."""
    width = len(cost[0])
    over, under = [0.0] * (len(cost) + 1), [0.0] * (width + 1)  # potentials of rows and columns
    owner = [-1] * (width + 1)  # the row that has each column; the last is where a new row begins
    for row in range(len(cost)):
        owner[width] = row
        at = width
        least, before, seen = [math.inf] * width, [width] * width, [False] * (width + 1)
        while owner[at] >= 0:
            seen[at] = True
            here, step, onward = owner[at], math.inf, -1
            for column in range(width):
                if not seen[column]:
                    spare = cost[here][column] - over[here] - under[column]
                    if spare < least[column]:
                        least[column], before[column] = spare, at
                    if least[column] < step:
                        step, onward = least[column], column
            for column in range(width + 1):
                if seen[column]:
                    over[owner[column]] += step
                    under[column] -= step
                elif column < width:
                    least[column] -= step
            at = onward
        while at != width:
            owner[at] = owner[before[at]]
            at = before[at]
    found = [0] * len(cost)
    for column, row in enumerate(owner[:width]):
        if row >= 0:
            found[row] = column
    return found
