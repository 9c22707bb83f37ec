"""What people say of the pages found: how precise a crawl is, and what it learns from being corrected.

A page labelled right joins the examples; one labelled wrong joins the background as several pages, and is never
excused for looking like the topic. All of them together say how far the judge's probabilities are off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["WRONG_COUNTS", "fitted", "precision"]

WRONG_COUNTS = 3.0  # pages of background that one page labelled wrong is worth

_Z = 1.959963984540054
_SLOPES, _SHIFTS = 0.3**2, 1.0**2  # how far off slope and shift usually are, squared
_LEAST_SLOPE = 0.1  # however contrary the labels, a likelier page stays likelier
_ROUNDS, _STEP = 30, 0.5


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


def fitted(odds: Sequence[float], rights: Sequence[bool]) -> tuple[float, float]:
    """The slope and shift of log-odds that suit labelled pages best, near 1 and 0 until labels say otherwise.

    The log-odds must come from a judge that did not learn the page in question. The most probable pair is found by
    Newton's method, from a belief in slopes about 1 (give or take 0.3) and shifts about 0 (give or take 1).

    >>> fitted([], [])
    (1.0, 0.0)
    >>> slope, shift = fitted([-1.0, -0.5, -1.5, -3.0], [True, True, True, False])
    >>> shift > 1.0
    True
    """
    slope, shift = 1.0, 0.0
    for _ in range(_ROUNDS if odds else 0):
        there = [1.0 / (1.0 + math.exp(-(slope * one + shift))) for one in odds]
        off = [chance - right for chance, right in zip(there, rights, strict=True)]
        sure = [chance * (1.0 - chance) for chance in there]
        down = sum(one * by for one, by in zip(odds, off, strict=True)) + (slope - 1.0) / _SLOPES
        across = sum(off) + shift / _SHIFTS
        steep = sum(one * one * by for one, by in zip(odds, sure, strict=True)) + 1.0 / _SLOPES
        mixed = sum(one * by for one, by in zip(odds, sure, strict=True))
        flat = sum(sure) + 1.0 / _SHIFTS
        whole = steep * flat - mixed * mixed
        # Where pages are far off, the first step would go much too far, and the next one as far back.
        slope -= min(max((flat * down - mixed * across) / whole, -_STEP), _STEP)
        shift -= min(max((steep * across - mixed * down) / whole, -_STEP), _STEP)
    return max(slope, _LEAST_SLOPE), shift
