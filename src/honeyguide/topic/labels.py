"""What people say of the pages found: how precise a crawl is, and what it learns from being corrected.

A page labelled right joins the examples; one labelled wrong joins the background as several pages, and is never
excused for looking like the topic. With enough labels of both kinds they also place the threshold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["ENOUGH", "ENOUGH_OF_EACH", "WRONG_COUNTS", "best_threshold", "precision"]

ENOUGH = 8  # labels, before they may move the threshold
ENOUGH_OF_EACH = 3
WRONG_COUNTS = 3.0  # pages of background that one page labelled wrong is worth

_Z = 1.959963984540054
_BOUNDS = (0.05, 0.95)


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


def best_threshold(judged: Sequence[tuple[float, bool]]) -> float | None:
    """The threshold with the best F1 over labelled pages and their probabilities; None for too few labels.

    The probabilities must come from a judge that did not learn the page in question. Of several equally good
    thresholds the one nearest to a half is taken, set midway between the pages it parts.

    >>> pages = [(0.9, True), (0.8, True), (0.7, True), (0.6, True), (0.55, False), (0.5, False), (0.2, False)]
    >>> best_threshold([*pages, (0.1, False)])
    0.575
    """
    rights = sum(right for _, right in judged)
    if len(judged) < ENOUGH or min(rights, len(judged) - rights) < ENOUGH_OF_EACH:
        return None
    ordered = sorted(judged, key=lambda pair: (-pair[0], pair[1]))
    best: tuple[float, float, float] | None = None
    caught = 0
    for place, (probability, right) in enumerate(ordered):
        caught += right
        below = ordered[place + 1][0] if place + 1 < len(ordered) else 0.0
        if below == probability:
            continue
        cut = min(max(round((probability + below) / 2, 6), _BOUNDS[0]), _BOUNDS[1])
        score = 2 * caught / (place + 1 + rights)
        choice = (score, -abs(cut - 0.5), cut)
        best = choice if best is None or choice > best else best
    return best[2] if best else None
