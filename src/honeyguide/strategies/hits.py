"""Hubs and authorities: HITS (Kleinberg, "Authoritative sources in a hyperlinked environment", J. of the ACM 46,
1999) on the crawled graph, weighted by relevance as in the focused crawler (Chakrabarti, van den Berg & Dom,
Computer Networks 31, 1999).

A page linked from good hubs goes first. In the focused form a(v) is the sum of R(u) h(u) over the pages u that link
to v, and h(u) the sum of R(v) a(v) over the pages v that u links to, where R is a page's relevance as judged. The
relevance of a page not fetched yet is expected to be the mean of those that link to it. Between two computations
a page just fetched gets its hub score from the authorities it links to, and hands it on to its links at once.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.graph import Column, Kin, hits
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints, Ranks, Strategy, setting
from honeyguide.strategies.given import pages
from honeyguide.strategies.texts import within

__all__ = ["Hits"]

_UNJUDGED = 0.5  # relevance of a feed or a document that no page led to
_SHOWN = 120  # of a hub's URL in a reason


class Hits(Strategy):
    """Goes where good hubs lead: pages that link to much that is central to the topic.

    The papers print no crawl order by authority, so `mean` and `few` come from a sweep over the forty visible topics
    of the schools web (near and far starts, twice the number of relevant pages): plain sums run after popular pages.
    """

    name: ClassVar[str] = "hits"
    best: ClassVar[bool] = False
    revise_every: ClassVar[int] = 1
    keeps: ClassVar[tuple[str, ...]] = (
        "_relevance", "_parents", "_hubs", "_authorities", "_best", "_scales", "_settled",
    )  # fmt: skip
    weighted: bool = setting(
        True, "Whether pages count by their relevance (Chakrabarti et al.); without, all alike (Kleinberg)."
    )
    mean: bool = setting(
        True,
        "Whether a link's authority is divided by the number of pages that link there; without, it is their sum (both "
        "papers).",
    )
    few: float = setting(
        2.0,
        "How many more worthless pages are reckoned to link there when it is divided: what one hub says counts for "
        "less than what several agree on.",
    )
    own_host: float = setting(
        1.0,
        "What a link within a host counts for. Both papers leave such links out (0), which leaves nothing to go by in "
        "the crawl of one site; the sweep, on a web of one host, cannot tell.",
    )
    rounds: int = setting(20, "How many rounds a computation takes at most; Kleinberg found 20 to be enough.")
    growth: float = setting(0.1, "The scores are computed anew when the known links have grown by this share.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, few=(1e-6, 1e9), own_host=(0, 1e9), rounds=(0, 10_000), growth=(0, 1e9))

    def start(self, brief: Brief, seed: int) -> None:
        """Begin with an empty graph."""
        graph = self._graph = brief.graph
        self._relevance: Column[np.float32] = graph.column(np.float32)  # what each page counted for when it came
        self._parents: Column[np.float64] = graph.column(np.float64)  # what those that link to a URL count for, summed
        self._hubs: Column[np.float64] = graph.column(np.float64)
        self._authorities: Column[np.float64] = graph.column(np.float64)
        self._best: Column[np.int32] = graph.column(np.int32)  # the best hub among those that link to a URL
        self._scales = (0.0, 1.0)  # of hubs and authorities; hubs have none before the first computation
        self._settled = 0  # links there were when the scores were last computed

    def page(self, page: Digest) -> Ranks:
        """Estimate how good a hub the page is, and let its links share in that."""
        numbers = page.targets
        worth = self._worth(page)
        self._relevance.raw[page.id] = worth
        if not len(numbers):
            return Ranks(numbers, np.zeros(0))
        self._parents.raw[numbers] += worth
        hub = self._pass_on(page.id, numbers, worth)
        best, hubs = self._best.raw, self._hubs.raw
        best[numbers] = np.where(hubs[best[numbers]] > hub, best[numbers], page.id)
        return Ranks(numbers, self._values(numbers))

    def _worth(self, page: Digest) -> float:
        """What a page counts for. Only web pages are judged; a feed is worth what led to it."""
        if not self.weighted:
            return 1.0
        if page.kind == "html":
            return page.relevance
        count = int(self._graph.in_degree[page.id])
        return float(self._parents.raw[page.id]) / count if count else _UNJUDGED

    def _pass_on(self, page: int, numbers: Ints, worth: float) -> float:
        """One step of the computation, for one page alone; returns its hub score."""
        authorities = self._authorities.raw
        share: Floats | float = 1.0
        if self.own_host != 1.0:
            host = self._graph.host
            share = np.where(host[numbers] == host[page], self.own_host, 1.0)
        of_hubs, of_authorities = self._scales
        hub = float((share * authorities[numbers] * self._expected(numbers)).sum()) / of_hubs if of_hubs else 1.0
        self._hubs.raw[page] = hub
        authorities[numbers] += share * worth * hub / of_authorities
        return hub

    def _expected(self, numbers: Ints) -> Floats:
        """The relevance of pages: as judged, or the mean of those that link to one not fetched yet."""
        links = self._graph.links
        mean = self._parents.raw[numbers] / np.maximum(links.in_degree[numbers], 1)
        return np.where(links.told(numbers), self._relevance.raw[numbers], np.minimum(mean, 1.0))

    def _values(self, numbers: Ints) -> Floats:
        authorities = self._authorities.raw[numbers]
        return authorities / (self._graph.in_degree[numbers] + self.few) if self.mean else authorities

    def revise(self) -> Ranks:
        """Compute all scores anew when the graph has grown enough, and rank the whole queue by them."""
        links = self._graph.links
        waiting = np.flatnonzero(~self._graph.visited)
        if len(links) <= self._settled * (1.0 + self.growth):
            return Ranks(waiting[:0], np.zeros(0))
        self._settled = len(links)
        self._parents.replace(links.push(self._relevance.values.astype(np.float64)))
        scores = hits(
            links,
            weights=self._expected(links.all) if self.weighted else None,
            kin=Kin(self._graph.host, self.own_host) if self.own_host != 1.0 else None,
            start=self._hubs.values,
            most=self.rounds,
        )
        self._hubs.replace(scores.hubs)
        self._authorities.replace(scores.authorities)
        self._scales = (scores.hub_scale, scores.authority_scale)
        return Ranks(waiting, self._values(waiting))

    def reason(self, number: int) -> str:
        """How many link there, and the best hub among them."""
        hub = int(self._best.raw[number])
        about = f"best hub, {self._hubs.raw[hub]:.2f}: {self._graph.url(hub)[:_SHOWN]}"
        return f"linked from {pages(int(self._graph.in_degree[number]))} ({about})"
