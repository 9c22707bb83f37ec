"""Becoming again what a crawl was when it was stopped or killed: the last checkpoint, and a replay of what followed."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator
from itertools import islice

import numpy as np

from honeyguide.crawling.brain import AGAIN, Brain
from honeyguide.crawling.forget import finish_forgetting
from honeyguide.crawling.ranking import Ranking
from honeyguide.crawling.verdicts import relevance_of
from honeyguide.frontier import EXAMPLE
from honeyguide.page.digest import Digest, Link, decode
from honeyguide.store import Folder, Named, Store, UrlRow, VisitRow
from honeyguide.strategies import blamed
from honeyguide.topic import Topic
from honeyguide.wording import counted

__all__ = ["mend", "restore", "restore_order"]

_BATCH = 10_000  # URLs filled in at once


def mend(folder: Folder, store: Store) -> list[str]:
    """Put right what a run that was cut short left undone, or the disk has lost since; says what was lost."""
    finish_forgetting(folder, store)
    store.begin()
    good: int = store.meta("warc", 0)
    there = folder.warc.stat().st_size if folder.warc.exists() else 0
    if there >= good:
        return []
    pages, still = store.cut_archive(there)
    lost = (
        f"{folder.warc} had lost its last {good - there} bytes, and with them the answers of {counted(pages, 'page')}"
    )
    store.set_meta(warc=still, mended=[*store.meta("mended", []), lost])
    return [lost]


def restore(brain: Brain) -> bool:
    """Fill a new brain from its store; False if the crawl had not learnt its topic yet and begins anew."""
    if not brain.store.meta("learnt", False):
        brain.store.wipe()
        # The pace a host asked for holds. Its robots.txt is read again, for the sitemaps it names were forgotten.
        _restore_hosts(brain, math.inf)
        return False
    _restore_hosts(brain, time.time())
    brain.traps.crowded.update(brain.store.meta("crowded", {}))
    examples = restore_order(brain.ranking, brain.store, brain.topic)
    for number in range(len(brain.ranking.graph)):
        brain.traps.full(int(brain.ranking.graph.host[number]))
    for host, taken in brain.store.taken().items():
        brain.frontier.hosts[host].taken = taken
    brain.frontier.rest(time.monotonic())
    brain.verdicts.restore(brain.store, examples)
    _restore_counts(brain)
    _want_records(brain)
    return True


def restore_order(ranking: Ranking, store: Store, topic: Topic) -> set[int]:
    """Graph, frontier and strategy as they were; returns which URLs are examples."""
    replay = _Replay(ranking, store)
    examples = replay.begin(topic)
    with blamed(ranking.name, "at taking up what it had learnt"):
        replay.run()
    return examples


class _Replay:
    """Shows a strategy again what became of URLs after the last checkpoint, in the order it happened.

    URLs become known in that order, too: a strategy that looks at the whole graph sees what it saw then.
    """

    def __init__(self, ranking: Ranking, store: Store) -> None:
        self._ranking = ranking
        self._store = store
        self._rows: Iterator[UrlRow] = store.urls()
        self._visits = [visit for visit in store.visits() if visit.role != AGAIN]

    def begin(self, topic: Topic) -> set[int]:
        """Start the strategy as it was started, and go to the checkpoint; returns which URLs are examples."""
        ranking, store = self._ranking, self._store
        for host in store.hosts():
            ranking.frontier.host(host.name)
        ranking.heed(topic)
        saved = store.checkpoint()
        if saved is not None and saved.strategy != ranking.identity:
            saved = None  # another strategy: it is shown the whole crawl
        first: int = store.meta("began", 0)  # URLs that were known when the crawl itself began
        self._after = saved.visit if saved is not None else 0
        self._know(saved.known if saved is not None else first)
        examples = self._examples(topic)
        given = [page for visit in self._visits if visit.url in examples if (page := self._page(visit)) is not None]
        if saved is None:
            self._order_of_old(first, examples)
        else:
            self._fill(saved.visit)
        ranking.begin(topic, given, teach=saved is None)
        if saved is None:
            ranking.starts(topic.starting_points)
        else:
            ranking.strategy.load(saved.state)
            ranking.frontier.load(saved.order)
            ranking.shown = saved.shown
            ranking.frontier.settle(
                [visit.url for visit in self._visits if visit.id <= saved.visit]
                + [url for after, url in store.refused() if after <= saved.visit]
            )
        return examples

    def _order_of_old(self, first: int, examples: set[int]) -> None:
        """For a strategy that is shown the whole crawl: its examples and starts stand as they did at the beginning."""
        ranking = self._ranking
        known = [number for number in sorted(examples) if number < first]
        ranking.frontier.offer(known, np.zeros(len(known)), kind=EXAMPLE)

    def _know(self, count: int) -> None:
        """Let the graph know so many URLs."""
        graph = self._ranking.graph
        while len(graph) < count:
            rows = list(islice(self._rows, min(_BATCH, count - len(graph))))
            if not rows:
                return
            self._ranking.fill(rows)

    def _examples(self, topic: Topic) -> set[int]:
        """The numbers of the topic's examples, and of where they were redirected to."""
        found = {row.id for url in topic.examples if (row := self._store.find_url(url)) is not None}
        for visit in self._visits:
            if visit.url in found and visit.target is not None:
                found.add(visit.target)
        return found

    def _page(self, visit: VisitRow) -> Digest | None:
        blob = self._store.digest(visit.id) if visit.outcome == "page" else None
        return decode(blob) if blob is not None else None

    def _fill(self, until: int) -> None:
        """What became of URLs up to a visit, and the links of its pages."""
        writer, store = self._ranking.writer, self._store
        pages = {visit.id: visit.url for visit in self._visits if visit.id <= until}
        for visit in self._visits:
            if visit.id <= until:
                self._answered(visit)
        for number, targets, blocks in store.links(0, until):
            known = targets >= 0
            writer.link(pages[number], targets[known], blocks[known])
        for after, url in store.refused():
            if after <= until:
                writer.answered(url, "refused")
        for named in store.named():
            if named.after <= until:
                targets = np.frombuffer(named.targets, dtype=np.int32)
                writer.answered(named.url, "feed")
                writer.link(named.url, targets[targets >= 0], np.zeros(np.count_nonzero(targets >= 0), np.int16))

    def _answered(self, visit: VisitRow) -> None:
        writer = self._ranking.writer
        relevance = relevance_of(visit.relevance, visit.judge)
        writer.answered(visit.url, visit.outcome, relevance=relevance, on_topic=visit.on_topic)
        if visit.target is not None:
            writer.moved(visit.url, visit.target)

    def run(self) -> None:
        """Show what came after the checkpoint."""
        ranking, store = self._ranking, self._store
        visits = [visit for visit in self._visits if visit.id > self._after]
        refused = deque((after, url) for after, url in store.refused() if after > self._after or not self._after)
        named = deque(store.named(self._after))
        self._between(self._after, refused, named)
        for visit in visits:
            self._show(visit)
            self._between(visit.id, refused, named)
        self._know(store.counts()["urls"])
        differ = [visit for visit in visits if visit.relevance != visit.first_relevance]
        ranking.turned([(visit.url, relevance_of(visit.relevance, visit.judge), visit.on_topic) for visit in differ])

    def _between(self, number: int, refused: deque[tuple[int, int]], named: deque[Named]) -> None:
        """What happened between a visit and the next: both are in their order, and apart they change nothing."""
        ranking = self._ranking
        while named and named[0].after <= number:
            one = named.popleft()
            targets = np.frombuffer(one.targets, dtype=np.int32)
            self._know(max(one.url, int(targets.max(initial=0))) + 1)
            page = Digest(url=self._store.url(one.url).url, fetched=0.0, kind="sitemap")
            urls = [self._store.url(int(target)).url if target >= 0 else "" for target in targets]
            page.links = [Link(url, "", -1, rel="sitemap") for url in urls]
            ranking.announce(page, one.url, targets)
        while refused and refused[0][0] <= number:
            url = refused.popleft()[1]
            self._know(url + 1)
            ranking.frontier.settle([url])
            ranking.missed(url, "refused")

    def _show(self, visit: VisitRow) -> None:
        ranking, store = self._ranking, self._store
        self._know(visit.url + 1)
        ranking.frontier.settle([visit.url])
        if visit.outcome not in ("page", "feed", "pdf"):
            if visit.target is not None:
                self._know(visit.target + 1)
                ranking.moved(visit.url, visit.target)
            ranking.missed(visit.url, visit.outcome)
            return
        relevance = relevance_of(visit.first_relevance, visit.judge)
        ranking.writer.answered(visit.url, visit.outcome, relevance=relevance, on_topic=visit.first_on_topic)
        blob = store.digest(visit.id)
        links = next(store.links(visit.id - 1, visit.id), None)
        if blob is None or links is None:
            return
        page = decode(blob)
        page.relevance, page.on_topic = relevance, visit.first_on_topic
        self._know(int(links[1].max(initial=-1)) + 1)
        ranking.attach(page, visit.url, links[1])
        ranking.rank(page)


def _restore_hosts(brain: Brain, wall: float) -> None:
    """The hosts, with their pace and, while it is fresh by the wall clock, their robots.txt."""
    rows = brain.store.hosts()
    for row in rows:
        brain.frontier.host(row.name)
    for row in rows:
        brain.policy.restore(row, wall)


def _restore_counts(brain: Brain) -> None:
    counts = brain.store.counts()
    brain.visits, brain.on_topic, brain.keeping.kept = counts["visits"], counts["on_topic"], counts["records"]
    for visit in brain.store.visits("page", originals=True):
        brain.near.add(visit.sketch, visit.id)
    for visit in brain.store.visits():
        if visit.role != AGAIN:
            brain.met(visit)
    for host in brain.frontier.hosts:
        if host.parked:
            brain.traps.failed(host.number)


def _want_records(brain: Brain) -> None:
    """Order the records that were wanted but not made."""
    made = brain.store.records.visits()
    for visit in brain.store.visits("page", on_topic=True):
        if visit.id not in made and (blob := brain.store.digest(visit.id)) is not None:
            brain.keeping.keep(visit, decode(blob))
