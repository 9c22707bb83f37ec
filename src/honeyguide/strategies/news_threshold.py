"""How the bar for a page moves with what comes over it (Algorithm 1 of the news model; see `news`).

After every interval, n pages of it were extracted, r of them surely on topic, and N in all, where S were expected in
each; the plan is S times the intervals so far:

    n > S, N over plan, r < mu * n : threshold * beta      plenty, and too little of it on topic
    n > S, N over plan             : threshold * alpha     plenty: be stricter
    n < S, N under plan            : threshold * gamma     starving: be more open

As printed the second line stands first, and hides the one that is meant to come before it.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from honeyguide.wording import counted

__all__ = ["ExtractionTally", "Knobs"]


class Knobs(NamedTuple):
    """By what the bar moves, and when."""

    alpha: float
    mu: float
    beta: float
    gamma: float
    expected: float  # pages to be extracted in an interval
    every: int  # answers that make an interval
    first: int  # answers before the first begins


class ExtractionTally(msgspec.Struct):
    """What came of an interval, and of all so far.

    >>> tally = ExtractionTally()
    >>> for sure in (True, False, False, False):
    ...     tally.extract(sure=sure)
    >>> tally.close(Knobs(1.1, 0.5, 1.5, 0.7, expected=2.0, every=8, first=0))
    (1.5, '4 pages extracted where 2 were expected, and only 1 of them surely on topic')
    """

    answers: int = 0  # in all
    since: int = 0  # of them since the last interval ended
    extracted: int = 0  # in this interval
    sure: int = 0
    total: int = 0  # extracted in all
    plan: float = 0.0

    def extract(self, *, sure: bool) -> None:
        """A page came over the bar."""
        self.extracted += 1
        self.sure += sure
        self.total += 1

    def answered(self, knobs: Knobs) -> bool:
        """An order was answered, by a page or not; says whether an interval ends here.

        Intervals grow with the crawl, a twentieth of it at the most: what adapting costs a page stays the same.
        """
        self.answers += 1
        if self.answers <= knobs.first:
            return False
        self.since += 1
        return self.since >= max(knobs.every, self.answers // 20)

    def close(self, knobs: Knobs) -> tuple[float, str]:
        """End an interval: what the threshold is to be multiplied by, and why."""
        wanted = knobs.expected * (self.since or knobs.every) / knobs.every
        self.plan += wanted
        n, r, over = self.extracted, self.sure, self.total > self.plan
        factor, told = 1.0, ""
        pages = f"{counted(n, 'page')} extracted where {wanted:.3g} were expected"
        if n > wanted and over:
            factor, told = knobs.alpha, pages
            if r < knobs.mu * n:
                factor, told = knobs.beta, f"{pages}, and only {r} of them surely on topic"
        elif n < wanted and self.total < self.plan:
            factor, told = knobs.gamma, pages
        self.since = self.extracted = self.sure = 0
        return factor, told
