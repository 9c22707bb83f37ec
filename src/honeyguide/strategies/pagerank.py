"""PageRank order: BFCrawler (Du & Hai, J. Systems and Software 2013) and the universal crawler that takes the page of
highest PageRank next (Cho, Garcia-Molina & Page, "Efficient crawling through URL ordering", WWW 1998).

PR(A) = (1 - d) + d * sum of PR(T) / C(T) over the pages T that link to A, over all known URLs. A URL that was not
fetched yet passes nothing on; see `honeyguide.graph.pagerank` for why that changes no order. Between two
computations a page just fetched hands d * PR / C on to each of its links at once.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.graph import Column, pagerank
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints, Ranks, Strategy, setting
from honeyguide.strategies.given import pages
from honeyguide.strategies.texts import within

__all__ = ["PageRank"]

_DEEPEST = 65_535


class PageRank(Strategy):
    """Goes where most links lead, weighed by the rank of the pages they stand on, whatever they are about.

    Which of the two orders is the default comes from a sweep over the forty visible topics of the schools web (near and
    far starts, twice the number of relevant pages): on levels it stays nearer to the starts, and so to the topic.
    """

    name: ClassVar[str] = "pagerank"
    best: ClassVar[bool] = False
    revise_every: ClassVar[int] = 1
    keeps: ClassVar[tuple[str, ...]] = ("_ranks", "_levels", "_settled")
    damping: float = setting(0.85, "The d of the formula: the share of its rank a page passes on.")
    levels: bool = setting(
        True,
        "Whether pages nearer to the starts always go first, and PageRank orders those equally far (BFCrawler); "
        "without, PageRank alone decides.",
    )
    growth: float = setting(0.1, "PageRank is computed anew when the known links have grown by this share.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, damping=(0, 1), growth=(0, 1e9))

    def start(self, brief: Brief, seed: int) -> None:
        """Begin with an empty graph; where the crawl starts is level 0."""
        self._graph = brief.graph
        self._ranks: Column[np.float64] = brief.graph.column(np.float64, 1.0 - self.damping)
        self._levels: Column[np.uint16] = brief.graph.column(np.uint16, _DEEPEST)  # that of what nobody linked to yet
        self._settled = 0  # links there were when PageRank was last computed

    def _level(self, number: int) -> int:
        level = int(self._levels.raw[number])
        return 0 if level == _DEEPEST or self._graph.parent[number] < 0 else level  # a start stays one

    def page(self, page: Digest) -> Ranks:
        """Each link gets its share of the page's rank on top of what it has."""
        numbers, ranks, levels = page.targets, self._ranks.raw, self._levels.raw
        if len(numbers):
            ranks[numbers] += self.damping * ranks[page.id] / len(numbers)
            levels[numbers] = np.minimum(levels[numbers], self._level(page.id) + 1)
        return Ranks(numbers, self._priority(numbers))

    def missed(self, number: int, outcome: str) -> None:
        """Where a redirect leads is on the level of its source."""
        target = self._graph.moved_to(number)
        if target is not None:
            self._levels.raw[target] = min(self._levels.raw[target], self._levels.raw[number])

    def _priority(self, numbers: Ints) -> Floats:
        ranks = self._ranks.raw[numbers]
        return ranks / (1.0 + ranks) - self._levels.raw[numbers] if self.levels else ranks

    def revise(self) -> Ranks:
        """Compute PageRank anew when the graph has grown enough, and rank the whole queue by it."""
        links = self._graph.links
        numbers = np.flatnonzero(~self._graph.visited)
        if len(links) <= self._settled * (1.0 + self.growth):
            return Ranks(numbers[:0], np.zeros(0))
        self._settled = len(links)
        self._ranks.replace(pagerank(links, self.damping, start=self._ranks.values))
        return Ranks(numbers, self._priority(numbers))

    def reason(self, number: int) -> str:
        """Its PageRank, and its level where that goes first."""
        about = f"PageRank {self._ranks.raw[number]:.2f}, linked from {pages(int(self._graph.in_degree[number]))}"
        return f"level {self._level(number)}, {about}" if self.levels else about
