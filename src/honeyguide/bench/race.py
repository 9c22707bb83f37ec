"""One run of a race: a strategy, a topic, a budget; the engine is that of every crawl."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.bench.answer_cache import AnswerCache
from honeyguide.bench.offline import RaceTopic
from honeyguide.bench.oracle import ArchiveGraph, LabelsKnown, Oracle
from honeyguide.crawling import Crawl, Replay, Settings
from honeyguide.crawling.hands import Answer, Order
from honeyguide.page.digest import Digest
from honeyguide.store import Folder
from honeyguide.strategies import Brief, Pairs, Ranks, Strategy, make
from honeyguide.topic import Judging, Topic

__all__ = ["CEILINGS", "LABELS_KNOWN", "ORACLE", "Entry", "Errand", "Heat", "HeatRun", "Start", "run"]

Start = Literal["near", "far"]

ORACLE = "oracle"
LABELS_KNOWN = "labels-known"
CEILINGS = (ORACLE, LABELS_KNOWN)  # they are told the truth, so that everyone sees what is left


class Entry(msgspec.Struct, frozen=True):
    """A strategy as it enters the race."""

    strategy: str  # a name, or file.py:Class
    settings: dict[str, str] = {}

    @property
    def name(self) -> str:
        """What the tables call it."""
        told = ", ".join(f"{key}={value}" for key, value in self.settings.items())
        return f"{self.strategy} ({told})" if told else self.strategy


class Heat(msgspec.Struct, frozen=True, kw_only=True):
    """One run to be made. Only that of a ceiling carries the truth."""

    number: int
    entry: Entry
    topic: RaceTopic
    start: Start
    budget: int
    cached: str
    cut: str = ""  # the same pages cut into their blocks, for a strategy that chooses which of them it wants so
    block: tuple[str, ...] = ()
    seed: int = 0
    clicks: str = ""  # the web's click log
    truth: tuple[str, ...] = ()


class HeatRun(msgspec.Struct, kw_only=True):
    """What came of a heat: the URLs in the order they were fetched, the CPU time inside the strategy's calls, and what
    the strategy went by."""

    number: int
    fetched: list[str] = []
    seconds: float = 0.0
    history: dict[str, list[tuple[int, float]]] = {}
    error: str = ""


class Errand(msgspec.Struct):
    """What a runner is told first."""

    oracle: bool
    sealed: list[tuple[int, int]] = []  # device and inode of the files that hold truth


class _Replayed:
    """Hands that take every answer from the cached, one order at a time."""

    capacity = 1
    note = pause = failed = ""

    def __init__(self, cached: AnswerCache, cut: AnswerCache | None) -> None:
        self._cached = cached
        self._cut = cut
        self._answers: list[Answer] = []
        self.fetched: list[str] = []

    def give(self, order: Order) -> None:
        """Look an answer up."""
        if order.purpose == "page":  # robots.txt is free
            self.fetched.append(order.url)
        answer = self._cached.answer(order)
        if self._cut is not None and answer.page is not None and answer.page.kind == "html":
            answer.cut = self._cut.cut
        self._answers.append(answer)

    async def take(self, patience: float) -> list[Answer]:  # noqa: ARG002 - nothing to wait for
        """Every answer is there at once."""
        answers, self._answers = self._answers, []
        return answers

    async def close(self) -> None:
        """Nothing is under way."""


class _Clocked(Strategy):
    """A strategy with a stop-watch: CPU time inside its calls, nothing else."""

    def __init__(self, inner: Strategy) -> None:
        self._inner = inner
        self.seconds = 0.0
        # What the crawl reads off a strategy's class is read off this one.
        told = ("version", "structure", "revise_every", "starts_first", "best")
        self.__dict__.update({name: getattr(inner, name) for name in told})

    @property
    def settings(self) -> dict[str, object]:
        return self._inner.settings

    def start(self, brief: Brief, seed: int) -> None:
        begun = time.thread_time()
        self._inner.start(brief, seed)
        self.seconds += time.thread_time() - begun

    def worth_cutting(self, page: Digest) -> bool:
        begun = time.thread_time()
        worth = self._inner.worth_cutting(page)
        self.seconds += time.thread_time() - begun
        return worth

    def page(self, page: Digest) -> Ranks | Pairs:
        begun = time.thread_time()
        ranks = _whole(self._inner.page(page))
        self.seconds += time.thread_time() - begun
        return ranks

    def missed(self, number: int, outcome: str) -> None:
        begun = time.thread_time()
        self._inner.missed(number, outcome)
        self.seconds += time.thread_time() - begun

    def turned(self, numbers: NDArray[np.int64]) -> None:
        begun = time.thread_time()
        self._inner.turned(numbers)
        self.seconds += time.thread_time() - begun

    def revise(self) -> Ranks | Pairs:
        begun = time.thread_time()
        ranks = _whole(self._inner.revise())
        self.seconds += time.thread_time() - begun
        return ranks

    def reason(self, number: int) -> str:
        begun = time.thread_time()
        told = self._inner.reason(number)
        self.seconds += time.thread_time() - begun
        return told

    def judge(self, topic: Topic) -> Judging | None:
        return self._inner.judge(topic)

    def save(self) -> bytes:
        return b""  # a race is never resumed


def _whole(ranks: Ranks | Pairs) -> Ranks | Pairs:
    """Ranks that are made one by one are made while the watch runs."""
    return ranks if isinstance(ranks, Ranks) else list(ranks)


def run(heat: Heat, cached: AnswerCache, cut: AnswerCache | None = None, graph: ArchiveGraph | None = None) -> HeatRun:
    """Run one heat to the end of its budget."""
    hands = _Replayed(cached, cut)
    strategy: Strategy
    if graph is None:
        strategy = make(heat.entry.strategy, heat.entry.settings)
    elif heat.entry.strategy == ORACLE:
        strategy = Oracle(graph, frozenset(heat.truth), hands.fetched)
    else:
        strategy = LabelsKnown(frozenset(heat.truth))
    clocked = _Clocked(strategy)
    given = list(_given(heat.topic.examples, cached)) if heat.start == "far" else []
    settings = Settings(
        strategy=heat.entry.strategy,
        seed=heat.seed,
        web="archive",
        pages=heat.budget,
        deny=heat.block,
        choosy=0.0,
        warc=False,
        text=False,
        keep=False,
    )
    with tempfile.TemporaryDirectory(prefix="honeyguide-race-") as place:
        crawl = Crawl(Folder(Path(place) / "run"), _topic(heat), settings, replay=Replay(clocked, hands, given))
        crawl.create()
        asyncio.run(crawl.run())
    fetched = hands.fetched[: heat.budget]
    return HeatRun(number=heat.number, fetched=fetched, seconds=clocked.seconds, history=strategy.history())


def _topic(heat: Heat) -> Topic:
    topic = heat.topic
    near = heat.start == "near"
    return Topic(
        name=topic.name,
        kind=topic.kind,
        languages=topic.languages,
        keywords=topic.keywords,
        examples=topic.examples if near else (),
        starts=() if near else topic.far_starts,
        clicks=heat.clicks,
    )


def _given(examples: Iterable[str], cached: AnswerCache) -> Iterable[Digest]:
    """Examples as text: what they say, but not where they lead, for that would be pages nobody paid for."""
    for url in examples:
        page = cached.page(url)
        if page is not None and page.kind == "html":
            yield msgspec.structs.replace(page, links=[])
