"""How often a page changes, by what its visits have shown, and when to look again.

Changes are taken to come by chance at a steady rate (Cho & Garcia-Molina, "Estimating frequency of change", ACM TOIT
2003). A visit does not count them: it shows whether there was one since the last. What is believed of the rate is a
gamma distribution. Nothing changed over a time t: its scale grows by t, exactly. Something changed: of the exact belief
that follows, the gamma distribution with the same mean and variance is kept. So two numbers remember all visits, at
whatever times they were, and a page never visited has a belief, too.
"""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["ChangeRate"]

_MEMORY = 12.0  # the changes that a belief is made of at the most: a site may change its habits
_LEAST = 1.0  # seconds


class ChangeRate(NamedTuple):
    """A belief: `shape` changes in `scale` seconds.

    >>> rate = ChangeRate(1.0, 3_600.0)
    >>> rate.interval, rate.seen(changed=False, after=3_600.0).interval
    (3600.0, 7200.0)
    >>> rate.seen(changed=True, after=3_600.0).interval < 3_600.0
    True
    """

    shape: float
    scale: float

    @property
    def interval(self) -> float:
        """The time in which one change is to be expected."""
        return self.scale / self.shape

    def seen(self, *, changed: bool, after: float) -> ChangeRate:
        """The belief after a visit, so many seconds after the last."""
        after = max(after, _LEAST)
        if not changed:
            return ChangeRate(self.shape, self.scale + after)
        first, second = self._moments(after)
        variance = second - first * first
        shape, scale = first * first / variance, first / variance
        part = min(1.0, _MEMORY / shape)
        return ChangeRate(shape * part, scale * part)

    def _moments(self, after: float) -> tuple[float, float]:
        """The means of the rate and of its square, given a change within a time: of l^(a-1) e^(-bl) (1 - e^(-lt))."""
        a, b = self.shape, self.scale
        left = math.log1p(after / b)
        none = -math.expm1(-a * left)
        first = a / b * -math.expm1(-(a + 1) * left) / none
        second = a * (a + 1) / (b * b) * -math.expm1(-(a + 2) * left) / none
        return first, second

    def within(self, longest: float) -> ChangeRate:
        """The belief, but for a page that changes no more seldom than this: one that wakes up is noticed soon."""
        return self if self.interval <= longest else ChangeRate(self.shape, self.shape * longest)
