"""Hubs and authorities: HITS (Kleinberg, "Authoritative sources in a hyperlinked environment", J. of the ACM 46,
1999) on the crawled graph, weighted by relevance as in the focused crawler (Chakrabarti, van den Berg & Dom,
Computer Networks 31, 1999).

A page linked from good hubs goes first. In the focused form a(v) is the sum of R(u) h(u) over the pages u that link
to v, and h(u) the sum of R(v) a(v) over the pages v that u links to, where R is a page's relevance as judged. The
relevance of a page not fetched yet is expected to be the mean of those that link to it. Between two computations
a page just fetched gets its hub score from the authorities it links to, and hands it on to its links at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.graph import Column, Kin, Names, hits
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.strategies.crawled import Crawled, times
from honeyguide.web.urls import host_of

__all__ = ["Hits"]

_UNJUDGED = 0.5  # relevance of a feed or a document that no page led to
_MOVED = 1_000  # best URLs that are moved at least
_SHOWN = 120  # of a hub's URL in a reason


class _State(msgspec.Struct):
    crawled: bytes
    hosts: bytes
    columns: list[bytes]
    scales: tuple[float, float]


class Hits(Strategy):
    """Goes where good hubs lead: pages that link to much that is central to the topic.

    The papers print no crawl order by authority, so `mean` and `few` come from a sweep over the forty visible topics
    of the schools web (near and far starts, twice the number of relevant pages): plain sums run after popular pages.

    Parameters
    ----------
    weighted
        Whether pages count by their relevance (Chakrabarti et al.); without, all alike (Kleinberg).
    mean
        Whether a link's authority is divided by the number of pages that link there; without, it is their sum (both
        papers).
    few
        How many more worthless pages are reckoned to link there when it is divided: what one hub says counts for less
        than what several agree on.
    own_host
        What a link within a host counts for. Both papers leave such links out (0), which leaves nothing to go by in
        the crawl of one site; the sweep, on a web of one host, cannot tell.
    rounds
        How many rounds a computation takes at most; Kleinberg found 20 to be enough.
    growth
        The scores are computed anew when the known links have grown by this share.
    least
        A queued URL is moved only when its priority has changed by more than this share.
    """

    name: ClassVar[str] = "hits"
    revise_every: ClassVar[int] = 1

    def __init__(
        self,
        weighted: bool = True,
        mean: bool = True,
        few: float = 2.0,
        own_host: float = 1.0,
        rounds: int = 20,
        growth: float = 0.1,
        least: float = 0.02,
    ) -> None:
        self.weighted = weighted
        self.mean = mean
        self.few = few
        self.own_host = own_host
        self.rounds = rounds
        self.growth = growth
        self.least = least

    def start(self, brief: Brief, seed: int) -> None:
        """Begin with an empty graph."""
        self._crawled = Crawled()
        self._hosts = Names()
        self._host: Column[np.int32] = Column(np.int32)  # the number of each node's host
        self._relevance: Column[np.float32] = Column(np.float32)  # of pages that were fetched
        self._parents: Column[np.float64] = Column(np.float64)  # the relevance of those that link to a node, summed
        self._hubs: Column[np.float64] = Column(np.float64)
        self._authorities: Column[np.float64] = Column(np.float64)
        self._best: Column[np.int32] = Column(np.int32)  # the best hub among those that link to a node
        self._scales = (0.0, 1.0)  # of hubs and authorities; hubs have none before the first computation

    def page(self, page: Digest) -> Iterable[Ranked]:
        """Estimate how good a hub the page is, and let its links share in that."""
        node, urls, targets = self._crawled.visit(page)
        self._grow()
        worth = self._worth(page, node)
        self._relevance.values[node] = worth
        if not urls:
            return []
        self._parents.values[targets] += worth
        hub = self._pass_on(node, targets, worth)
        best, hubs = self._best.values, self._hubs.values
        best[targets] = np.where(hubs[best[targets]] > hub, best[targets], node)
        values = self._values(targets)
        self._crawled.tell(targets, values)
        return self._ranked(urls, targets, values)

    def _grow(self) -> None:
        names = self._crawled.names
        for column in (self._relevance, self._parents, self._hubs, self._authorities, self._best):
            column.grow(len(names))
        if self.own_host != 1.0:
            self._host.extend(self._hosts.numbers([host_of(names[new]) for new in range(len(self._host), len(names))]))

    def _worth(self, page: Digest, node: int) -> float:
        """What a page counts for. Only web pages are judged; a feed is worth what led to it."""
        if not self.weighted:
            return 1.0
        if page.kind == "html":
            return page.relevance
        count = int(self._crawled.links.in_degree[node])
        return float(self._parents.values[node]) / count if count else _UNJUDGED

    def _pass_on(self, node: int, targets: NDArray[np.int64], worth: float) -> float:
        """One step of the computation, for one page alone; returns its hub score."""
        authorities = self._authorities.values
        share: NDArray[np.float64] | float = 1.0
        if self.own_host != 1.0:
            host = self._host.values
            share = np.where(host[targets] == host[node], self.own_host, 1.0)
        of_hubs, of_authorities = self._scales
        hub = float((share * authorities[targets] * self._expected(targets)).sum()) / of_hubs if of_hubs else 1.0
        self._hubs.values[node] = hub
        authorities[targets] += share * worth * hub / of_authorities
        return hub

    def _expected(self, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        """The relevance of pages: as judged, or the mean of those that link to one not fetched yet."""
        links = self._crawled.links
        mean = self._parents.values[nodes] / np.maximum(links.in_degree[nodes], 1)
        return np.where(links.told(nodes), self._relevance.values[nodes], np.minimum(mean, 1.0))

    def _values(self, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
        authorities = self._authorities.values[nodes]
        return authorities / (self._crawled.links.in_degree[nodes] + self.few) if self.mean else authorities

    def _ranked(self, urls: list[str], nodes: NDArray[np.int64], values: NDArray[np.float64]) -> list[Ranked]:
        names, hubs, best = self._crawled.names, self._hubs.values, self._best.values[nodes].tolist()
        about = {hub: f"best hub, {hubs[hub]:.2f}: {names[hub][:_SHOWN]}" for hub in set(best)}
        counts = self._crawled.links.in_degree[nodes].tolist()
        return [
            Ranked(url, value, f"linked from {times(count)} ({about[hub]})")
            for url, value, count, hub in zip(urls, values.tolist(), counts, best, strict=True)
        ]

    def revise(self) -> Iterable[Ranked]:
        """Compute all scores anew when the graph has grown enough, and move what changed."""
        links = self._crawled.links
        if not links.due(self.growth):
            return []
        links.settle()
        everything = links.all
        self._parents.replace(links.push(self._relevance.values.astype(np.float64)))
        scores = hits(
            links,
            weights=self._expected(everything) if self.weighted else None,
            kin=Kin(self._host.values, self.own_host) if self.own_host != 1.0 else None,
            start=self._hubs.values,
            most=self.rounds,
        )
        self._hubs.replace(scores.hubs)
        self._authorities.replace(scores.authorities)
        self._scales = (scores.hub_scale, scores.authority_scale)
        values = self._values(everything)
        changed = self._crawled.changes(values, self.least, most=max(_MOVED, int(links.told(everything).sum())))
        urls = [self._crawled.names[node] for node in changed.tolist()]
        return self._ranked(urls, changed, values[changed])

    @property
    def _columns(self) -> tuple[Column[Any], ...]:
        return (self._host, self._relevance, self._parents, self._hubs, self._authorities, self._best)

    def save(self) -> bytes:
        """The graph, and what is known of each node."""
        columns = [column.save() for column in self._columns]
        return msgspec.msgpack.encode(_State(self._crawled.save(), self._hosts.save(), columns, self._scales))

    def load(self, state: bytes) -> None:
        """Go on with a saved graph."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self._crawled.load(saved.crawled)
        self._hosts.load(saved.hosts)
        for column, kept in zip(self._columns, saved.columns, strict=True):
            column.load(kept)
        self._scales = saved.scales
