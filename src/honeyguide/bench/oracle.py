"""Two ceilings of a race, which know labels. Neither is a strategy anyone can choose.

The oracle knows every label and every link of the web. `LabelsKnown` is told the label of each URL it has met and
nothing of what lies behind: what a crawler would reach whose judgement of links never failed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

from honeyguide.bench.answer_cache import AnswerCache
from honeyguide.crawling.hands import Order
from honeyguide.graph import Column
from honeyguide.page.digest import Digest
from honeyguide.strategies import Brief, Pairs, Ranks, Strategy
from honeyguide.wording import counted

__all__ = ["ArchiveGraph", "LabelsKnown", "Oracle"]

Numbers = npt.NDArray[np.int32]
_NEVER = 1_000  # a distance no path has: nothing is to be found that way


class ArchiveGraph:
    """Where every page of an archive leads: links, and the target of a redirect."""

    def __init__(self, cached: AnswerCache) -> None:
        self.urls = sorted(cached)
        self.rank = {url: number for number, url in enumerate(self.urls)}
        self.moved: dict[int, str] = {}
        sources, targets = array("i"), array("i")
        for number, url in enumerate(self.urls):
            answer = cached.answer(Order(0, url))
            found = [link.url for link in answer.page.links] if answer.page else []
            if answer.location:
                self.moved[number] = answer.location
            reached = {self.rank[one] for one in [*found, answer.location] if one in self.rank}
            sources.extend([number] * len(reached))
            targets.extend(reached)
        order = np.argsort(np.frombuffer(targets, dtype=np.int32), kind="stable")
        self._sources = np.frombuffer(sources, dtype=np.int32)[order]
        self._targets = np.frombuffer(targets, dtype=np.int32)[order]
        self._begins = np.searchsorted(self._targets, np.arange(len(self.urls) + 1))

    def parents(self, page: int) -> Numbers:
        """The pages that link to a page, each once."""
        return self._sources[self._begins[page] : self._begins[page + 1]]

    def goal_links(self, goals: Iterable[int]) -> Numbers:
        """How many goals each page links to."""
        wanted = np.zeros(len(self.urls), dtype=bool)
        wanted[list(goals)] = True
        return np.bincount(self._sources[wanted[self._targets]], minlength=len(self.urls)).astype(np.int32)

    def distances(self, goals: Iterable[int]) -> Numbers:
        """How many links lie between each page and the nearest goal."""
        found = np.full(len(self.urls), _NEVER, dtype=np.int32)
        found[list(goals)] = 0
        for steps in range(_NEVER):
            reached = self._sources[found[self._targets] == steps]
            reached = reached[found[reached] == _NEVER]
            if not len(reached):
                break
            found[reached] = steps + 1
        return found


class Oracle(Strategy):
    """Takes the URL with the smallest true link distance to a relevant page not yet fetched; ties by URL.

    Distances only grow while relevant pages are fetched. So a queued URL keeps the distance last known, which can only
    be too small, and is looked at again when it comes to the top: at once for distances of 0 and 1, which is nearly
    always enough, by measuring the whole graph anew for others.
    """

    revise_every = 1
    starts_first = False

    def __init__(self, graph: ArchiveGraph, truth: frozenset[str], fetched: list[str]) -> None:
        self._archive = graph
        self._goals = {graph.rank[url] for url in truth}
        self._fetched = fetched  # filled by the race
        self._counted = 0
        self._done: set[int] = set()
        self._ahead = graph.goal_links(self._goals)
        self._distance = graph.distances(self._goals)
        self._measured = len(self._goals)
        self._queue: list[tuple[int, int]] = []
        self._known: dict[int, int] = {}  # the distance by which a URL is queued

    @property
    def settings(self) -> dict[str, object]:
        """It has none."""
        return {}

    def start(self, brief: Brief, seed: int) -> None:  # noqa: ARG002 - leaves nothing to chance
        """What the crawl calls each page of the archive is found out as they are met."""
        self._crawl = brief.graph
        self._starts = brief.topic.starting_points
        self._ids: dict[int, int] = {}  # the crawl's number of each page of the archive

    def _take(self, urls: Iterable[tuple[int, str]]) -> list[tuple[int, float]]:
        found = []
        for number, url in urls:
            place = self._archive.rank.get(url)
            if place is None:
                found.append((number, float(-_NEVER * len(self._archive.urls))))  # leads nowhere
            elif place not in self._known:
                self._ids[place] = number
                self._queue_by(place, int(self._distance[place]))
                found.append(self._ranked(place))
        return found

    def _queue_by(self, place: int, steps: int) -> None:
        self._known[place] = steps
        heappush(self._queue, (steps, place))

    def _ranked(self, place: int) -> tuple[int, float]:
        # One number for two orders: distance first, then the place of the URL in the alphabet.
        return self._ids[place], -float(self._known[place] * len(self._archive.urls) + place)

    def page(self, page: Digest) -> Pairs:
        """Links in the order of their true distance, as far as it is known."""
        return self._take((link.id, link.url) for link in page.links)

    def revise(self) -> Pairs:
        """Correct the distances at the top of the queue, until the one at the top is true."""
        changed: dict[int, None] = {}
        if not self._counted:  # the starts are links like any other
            met = [(number, url) for url in self._starts if (number := self._crawl.find(url)) is not None]
            self._take(met)
            changed = dict.fromkeys(self._known)
        self._count()
        while self._queue:
            steps, place = self._queue[0]
            if place not in self._done:
                true = self._true(place, steps)
                if true == steps:
                    break
                self._queue_by(place, true)
                changed[place] = None
            heappop(self._queue)
        return [self._ranked(place) for place in changed if place not in self._done]

    def reason(self, number: int) -> str:
        """How far it is from what is sought."""
        place = self._archive.rank.get(self._crawl.url(number))
        steps = _NEVER if place is None else self._known.get(place, _NEVER)
        return "leads to no relevant page" if steps == _NEVER else f"{counted(steps, 'link')} before a relevant page"

    def _count(self) -> None:
        """Take note of what was fetched since the last time."""
        for url in self._fetched[self._counted :]:
            number = self._archive.rank.get(url)
            if number is None:
                continue
            self._done.add(number)
            if number in self._goals:
                self._goals.discard(number)
                self._ahead[self._archive.parents(number)] -= 1
            if number in self._archive.moved and (target := self._crawl.find(self._archive.moved[number])) is not None:
                self._take([(target, self._archive.moved[number])])
        self._counted = len(self._fetched)

    def _true(self, number: int, steps: int) -> int:
        """A page's distance, exact if it is what it was thought to be or if it is below 2, else at least so much."""
        if number in self._goals:
            return 0
        if self._ahead[number]:
            return 1
        if steps >= 2 and self._measured != len(self._goals):
            self._distance = self._archive.distances(self._goals)
            self._measured = len(self._goals)
        return max(2, int(self._distance[number]))


class LabelsKnown(Strategy):
    """Takes relevant URLs first, as soon as they are met; others by the share of relevant pages among their parents."""

    best = False
    starts_first = False

    def __init__(self, truth: frozenset[str]) -> None:
        self._truth = truth

    @property
    def settings(self) -> dict[str, object]:
        """It has none."""
        return {}

    def start(self, brief: Brief, seed: int) -> None:  # noqa: ARG002 - leaves nothing to chance
        """No page has been met."""
        self._graph = brief.graph
        self._good: Column[np.int32] = brief.graph.column(np.int32)  # relevant pages that link to each URL

    def page(self, page: Digest) -> Ranks:
        """Relevant links go before all others."""
        self._good.raw[page.targets] += page.url in self._truth
        good = self._good.raw[page.targets]
        # One more parent counts in: else all that one good page links to would be as good as can be.
        share = good / (self._graph.in_degree[page.targets] + 1.0)
        urls = {link.id: link.url for link in page.links}
        relevant = np.array([urls[number] in self._truth for number in page.targets.tolist()], dtype=np.float64)
        return Ranks(page.targets, share + relevant)

    def reason(self, number: int) -> str:
        """Whether it is relevant."""
        return "relevant" if self._graph.url(number) in self._truth else "off topic"
