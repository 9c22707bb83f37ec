"""Immediate value: the first of the two values that "bloch" mixes, on its own.

A link is worth what is known of the page it leads to: its anchor, the words around it and in its address, the pages
that link there, and its PageRank in the graph so far (`closeness` has the formula).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranks, Strategy, setting
from honeyguide.strategies.closeness import Closeness
from honeyguide.strategies.texts import within

__all__ = ["Immediate"]


class Immediate(Strategy):
    """Follows links that look like the topic at once, and a little where most links lead.

    The paper prints no values; these come from the half of the schools topics that settings are chosen on.
    """

    name: ClassVar[str] = "immediate"
    version: ClassVar[int] = 2  # what links say counts by its mean
    best: ClassVar[bool] = False
    revise_every: ClassVar[int] = 1
    keeps: ClassVar[tuple[str, ...]] = ("_closeness",)
    rank: float = setting(0.1, "Share of PageRank: the w of the formula.")
    parent: float = setting(0.3, "Share of the pages that link there, against what their links say.")
    doubt: float = setting(1.0, "How many worthless parents are counted into their mean: one alone is no proof.")
    around: float = setting(0.4, "Share of the words around a link, against its own.")
    reach: int = setting(6, "How many terms on either side are around it.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, rank=(0, 1), parent=(0, 1), around=(0, 1))

    def start(self, brief: Brief, seed: int) -> None:
        """The topic's words, and nothing met."""
        self._graph = brief.graph
        self._closeness = Closeness(
            brief, rank=self.rank, parent=self.parent, doubt=self.doubt, around=self.around, reach=self.reach
        )

    def page(self, page: Digest) -> Ranks:
        """Rank by what is known of each link now."""
        self._closeness.meet(page)
        waiting = self._graph.waiting(page.targets)
        return Ranks(waiting, self._closeness.values(waiting))

    def missed(self, number: int, outcome: str) -> None:
        """Where a URL moved to is worth what it was."""
        if (target := self._graph.moved_to(number)) is not None:
            self._closeness.moved(number, target)

    def revise(self) -> Ranks:
        """Compute PageRank anew when the graph has grown by a tenth, and rank the whole queue by it."""
        if not self._closeness.due:
            return Ranks(np.zeros(0, np.int64), np.zeros(0))
        self._closeness.recount()
        waiting = np.flatnonzero(~self._graph.visited)
        return Ranks(waiting, self._closeness.values(waiting))

    def reason(self, number: int) -> str:
        """What is known of it."""
        value = float(self._closeness.values(np.array([number]))[0])
        return f"worth {value:.2f} at once: {self._closeness.told(number)}"
