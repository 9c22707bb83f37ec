"""PageRank order: BFCrawler (Du & Hai, J. Systems and Software 2013) and the universal crawler that takes the page of
highest PageRank next (Cho, Garcia-Molina & Page, "Efficient crawling through URL ordering", WWW 1998).

PR(A) = (1 - d) + d * sum of PR(T) / C(T) over the pages T that link to A, over all known URLs. A URL that was not
fetched yet passes nothing on; see `honeyguide.graph.pagerank` for why that changes no order. Between two
computations a page just fetched hands d * PR / C on to each of its links at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import msgspec
import numpy as np

from honeyguide.graph import Column, pagerank
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.strategies.crawled import Crawled, times

__all__ = ["PageRank"]

_DEEPEST = 65_535


class _State(msgspec.Struct):
    crawled: bytes
    ranks: bytes
    levels: bytes
    level: int


class PageRank(Strategy):
    """Goes where most links lead, weighed by the rank of the pages they stand on, whatever they are about.

    Which of the two orders is the default comes from a sweep over the forty visible topics of the schools web (near and
    far starts, twice the number of relevant pages): on levels it stays nearer to the starts, and so to the topic.

    Parameters
    ----------
    damping
        The d of the formula: the share of its rank a page passes on.
    levels
        Whether pages nearer to the starts always go first, and PageRank orders those equally far (BFCrawler); without,
        PageRank alone decides.
    growth
        PageRank is computed anew when the known links have grown by this share.
    least
        A queued URL is moved only when its PageRank has changed by more than this share.
    """

    name: ClassVar[str] = "pagerank"
    revise_every: ClassVar[int] = 1

    def __init__(self, damping: float = 0.85, levels: bool = True, growth: float = 0.1, least: float = 0.02) -> None:
        self.damping = damping
        self.levels = levels
        self.growth = growth
        self.least = least

    def start(self, brief: Brief, seed: int) -> None:
        """Begin with an empty graph; where the crawl starts is level 0."""
        self._crawled = Crawled()
        self._ranks: Column[np.float64] = Column(np.float64)
        self._levels: Column[np.uint16] = Column(np.uint16)
        self._level = 0  # of the page shown last: for pages nobody linked to, such as a redirect's target
        self._crawled.names.numbers([*brief.topic.starts, *brief.topic.examples])
        self._levels.grow(len(self._crawled.names))

    def page(self, page: Digest) -> Iterable[Ranked]:
        """Each link gets its share of the page's rank on top of what it has."""
        before = len(self._crawled.names)
        node, urls, targets = self._crawled.visit(page)
        if node < before:
            self._level = int(self._levels.values[node])
        self._levels.grow(len(self._crawled.names), fill=min(self._level + 1, _DEEPEST))
        if node >= before:
            self._levels.values[node] = self._level
        self._ranks.grow(len(self._crawled.names), fill=1.0 - self.damping)
        if not urls:
            return []
        ranks, levels = self._ranks.values, self._levels.values
        ranks[targets] += self.damping * ranks[node] / len(urls)
        levels[targets] = np.minimum(levels[targets], self._level + 1)
        self._crawled.tell(targets, ranks[targets])
        counts = self._crawled.links.in_degree[targets].tolist()
        rows = zip(urls, ranks[targets].tolist(), levels[targets].tolist(), counts, strict=True)
        return [self._rank(*row) for row in rows]

    def _rank(self, url: str, rank: float, level: int, count: int) -> Ranked:
        about = f"PageRank {rank:.2f}, linked from {times(count)}"
        if not self.levels:
            return Ranked(url, rank, about)
        return Ranked(url, rank / (1.0 + rank) - level, f"level {level}, {about}")

    def revise(self) -> Iterable[Ranked]:
        """Compute PageRank anew when the graph has grown enough, and move what changed."""
        links = self._crawled.links
        if not links.due(self.growth):
            return []
        links.settle()
        self._ranks.replace(pagerank(links, self.damping, start=self._ranks.values))
        ranks = self._ranks.values
        changed = self._crawled.changes(ranks, self.least)
        urls = [self._crawled.names[node] for node in changed.tolist()]
        counts = links.in_degree[changed].tolist()
        rows = zip(urls, ranks[changed].tolist(), self._levels.values[changed].tolist(), counts, strict=True)
        return [self._rank(*row) for row in rows]

    def save(self) -> bytes:
        """The graph, and each node's rank and level."""
        state = _State(self._crawled.save(), self._ranks.save(), self._levels.save(), self._level)
        return msgspec.msgpack.encode(state)

    def load(self, state: bytes) -> None:
        """Go on with a saved graph."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self._crawled.load(saved.crawled)
        self._ranks.load(saved.ranks)
        self._levels.load(saved.levels)
        self._level = saved.level
