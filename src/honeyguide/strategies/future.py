"""Future value: the second of the two values that "bloch" mixes, on its own, after Rennie & McCallum ("Using
reinforcement learning to spider the Web efficiently", ICML 1999).

A link is worth the relevant pages that links like it have led to, at once or later, later ones discounted. It is learnt
from the crawl itself, from the topic's examples, and from earlier crawls that are named (`prospects` has the method).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ints, Ranks, Strategy, setting
from honeyguide.strategies.prospects import Prospects
from honeyguide.strategies.texts import within

__all__ = ["Future"]

_BEST = 1_024  # queued URLs ranked first, which are ranked anew each time


class Future(Strategy):
    """Follows links in whose words, and around them, is what led to the topic before, at once or later.

    The paper prints no values but that gamma is usually 0.5; the others come from the half of the schools topics that
    settings are chosen on.
    """

    name: ClassVar[str] = "future"
    version: ClassVar[int] = 3  # words that were met seldom count for less
    best: ClassVar[bool] = False
    revise_every: ClassVar[int] = 1
    learns_from: ClassVar[bool] = True
    keeps: ClassVar[tuple[str, ...]] = ("_prospects",)
    gamma: float = setting(0.5, "What a page one link further is worth.")
    bins: int = setting(4, "Into how many parts Q values are cut.")
    evidence: float = setting(3.0, "How many of its words a link counts for at the most.")
    smoothing: float = setting(150.0, "How many words each part borrows from links at large.")
    reach: int = setting(8, "How many terms on either side of a link belong to it.")
    highest: bool = setting(True, "Whether one goes on to the best page known, not to the mean of those known.")
    once: bool = setting(False, "Whether a page is worth the more of its own and of what lies behind it, not both.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, gamma=(0.01, 0.99), bins=(2, 16), evidence=(0, 1e9), smoothing=(1e-6, 1e9), reach=(0, 1_000))

    def start(self, brief: Brief, seed: int) -> None:
        """Learn what can be learnt before the crawl."""
        self._graph = brief.graph
        self._prospects = Prospects(brief, seed, **self.settings)

    def page(self, page: Digest) -> Ranks:
        """Learn from the page, and rank its links by their words."""
        self._prospects.answered(page.id, "feed" if page.kind in ("feed", "sitemap") else "page")
        self._prospects.meet(page)
        return self._ranks(self._graph.waiting(page.targets))

    def missed(self, number: int, outcome: str) -> None:
        """A link that led nowhere is a lesson, too."""
        self._prospects.answered(number, outcome)

    def revise(self) -> Ranks:
        """Rank the best anew by what was learnt since; all of them when the crawl has grown by a tenth."""
        prospects = self._prospects
        if not prospects.stale:
            return Ranks(np.zeros(0, np.int64), np.zeros(0))
        whole = prospects.due
        if whole:
            prospects.recount()
        else:
            prospects.look()
        ids = prospects.rows.best(len(self._graph) if whole else _BEST)
        prospects.predict(ids)
        ranks = self._ranks(ids)
        prospects.rows.thin()
        return ranks

    def _ranks(self, numbers: Ints) -> Ranks:
        values = self._prospects.values(numbers)
        self._prospects.rows.rank(numbers, values)
        return Ranks(numbers, values)

    def reason(self, number: int) -> str:
        """What links in such words have led to."""
        value = float(self._prospects.values(np.array([number]))[0])
        return f"worth {value:.2f} in the long run: {self._prospects.told(number)}"
