"""What people say of the pages found: how precise a crawl is, and what it learns from being corrected.

A page labelled right joins the examples; one labelled wrong joins the background as several pages, and is never
excused for looking like the topic. What they say of other pages beside is in `corrections`.
"""

from __future__ import annotations

import math

__all__ = ["WRONG_COUNTS", "precision"]

WRONG_COUNTS = 3.0  # pages of background that one page labelled wrong is worth

_Z = 1.959963984540054


def precision(right: int, wrong: int) -> tuple[float, float, float]:
    """The share of right ones, and the interval it lies in nineteen times of twenty (Wilson 1927).

    >>> [round(part, 3) for part in precision(8, 2)]
    [0.8, 0.49, 0.943]
    >>> precision(0, 0)
    (0.0, 0.0, 1.0)
    """
    if right < 0 or wrong < 0:
        raise ValueError("counts of labels cannot be below zero")
    seen = right + wrong
    if seen == 0:
        return 0.0, 0.0, 1.0
    point = right / seen
    square = _Z * _Z
    middle = (point + square / (2 * seen)) / (1 + square / seen)
    reach = _Z / (1 + square / seen) * math.sqrt(point * (1 - point) / seen + square / (4 * seen * seen))
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return point, min(low, point), max(high, point)
