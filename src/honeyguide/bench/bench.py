"""The race: every strategy, every topic, the same budget, the same pages; truth in this process only."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import threading
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import msgspec

from honeyguide.bench.answer_cache import AnswerCache, Listener, nobody, stock
from honeyguide.bench.offline import OfflineWeb, RaceTopic, load
from honeyguide.bench.race import CEILINGS, ORACLE, Entry, Errand, Heat, HeatRun, Start
from honeyguide.bench.score import Result, Row, curve, result, summarise
from honeyguide.crawling.processes import start_child
from honeyguide.crawling.task import cuts_all
from honeyguide.errors import BenchError, SettingError
from honeyguide.strategies import known, make

__all__ = ["Bench", "Outcome", "Race"]


class Race(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be raced, and by which rules."""

    web: str
    strategies: tuple[Entry, ...] = ()  # none named: all
    start: Start = "near"
    block: str = ""
    budget: float = 2.0  # fetches, as a multiple of the number of relevant pages
    seed: int = 0
    topics: str = ""  # another topics file
    only: tuple[str, ...] = ()  # topics to race on, by id
    workers: int = 0  # 0: one for each core


class Outcome(msgspec.Struct, kw_only=True):
    """A finished race, as it is written."""

    web: str
    start: Start
    block: str
    budget: float
    seed: int
    results: list[Result]
    summary: list[Row]


class Scored(NamedTuple):
    """A run and what it was worth."""

    result: Result
    curve: list[int]
    truth: int


class _Course(NamedTuple):
    """A topic made ready: what may be found, and in how many fetches."""

    topic: RaceTopic
    truth: frozenset[str]
    budget: int


class _Run(NamedTuple):
    """Who runs where, over which cached pages; and the same cut into their blocks, for one that chooses."""

    entry: Entry
    course: _Course
    cached: str
    cut: str = ""


class Bench:
    """A race made ready; iterate over `run` for its results as they come."""

    def __init__(self, race: Race) -> None:
        if race.budget <= 0:
            raise SettingError(f"budget must be more than 0, not {race.budget:g}")
        self.race = race
        self._block = (race.block,) if race.block else ()
        try:
            self._blocked = re.compile(race.block) if race.block else None
        except re.error as error:
            raise SettingError(f"the block pattern '{race.block}' is no regular expression: {error}") from None
        ours = [name for name, kind in known().items() if kind.__module__.startswith("honeyguide.")]
        self.entries = race.strategies or tuple(Entry(name) for name in ours)
        for entry in self.entries:
            if entry.strategy not in CEILINGS:
                make(entry.strategy, entry.settings)  # what is wrong with a name or setting is told before the race
        self._web: OfflineWeb = load(race.web, race.topics or None, race.only)
        self.workers = race.workers or os.cpu_count() or 1
        self.curves: dict[tuple[str, str], list[int]] = {}
        self.truths: dict[str, int] = {}
        self.histories: dict[tuple[str, str], dict[str, list[tuple[int, float]]]] = {}  # what strategies went by

    @property
    def topics(self) -> list[RaceTopic]:
        """The topics of the race."""
        return self._web.topics

    def run(self, on_parsed: Listener = nobody) -> Iterator[Result]:
        """Race; results come as runs end, the oracle's first, for all others are told as shares of its."""
        caches = {kind: self._stock(kind, on_parsed) for kind in self._kinds()}
        courses = list(self._courses(AnswerCache(Path(caches[False]))))
        for name in CEILINGS:
            yield from self._heats([_Run(Entry(name), course, caches[False]) for course in courses], oracle=True)
        heats = []
        for entry in self.entries:
            if entry.strategy not in CEILINGS:
                structure = make(entry.strategy, entry.settings).structure
                for course in courses:
                    at_once = structure and cuts_all(course.topic.kind)
                    heats.append(_Run(entry, course, caches[at_once], caches[True] if structure != at_once else ""))
        yield from self._heats(heats, oracle=False)

    def outcome(self, results: Sequence[Result]) -> Outcome:
        """The whole race, in the order the strategies were named."""
        race = self.race
        order = {entry.name: place for place, entry in enumerate([*self.entries, *map(Entry, CEILINGS)])}
        places = {topic.id: place for place, topic in enumerate(self.topics)}
        named = [
            one for one in results if one.strategy in {entry.name for entry in self.entries} or not race.strategies
        ]
        named.sort(key=lambda one: (order[one.strategy], places[one.topic]))
        return Outcome(
            web=race.web,
            start=race.start,
            block=race.block,
            budget=race.budget,
            seed=race.seed,
            results=named,
            summary=summarise(named),
        )

    def _kinds(self) -> set[bool]:
        """Whether skimmed pages are needed, and whether pages with their structure are."""
        entries = [entry for entry in self.entries if entry.strategy not in CEILINGS]
        return {False} | {make(entry.strategy, entry.settings).structure for entry in entries}

    def _stock(self, structure: bool, on_parsed: Listener) -> str:
        return str(
            stock(
                self._web.archive,
                self._block,
                structure=structure,
                workers=self.workers,
                on_progress=on_parsed,
            )
        )

    def _courses(self, cached: AnswerCache) -> Iterator[_Course]:
        race = self.race
        for topic in self.topics:
            open_to = {
                name: tuple(url for url in getattr(topic, name) if not self._is_blocked(url))
                for name in ("examples", "far_starts")
            }
            topic = msgspec.structs.replace(topic, far_starts=open_to["far_starts"])
            if race.start == "near":
                topic = msgspec.structs.replace(topic, examples=open_to["examples"])
            truth = frozenset(
                url for url in self._web.truths[topic.id] if url in cached and not self._is_blocked(url)
            ) - frozenset(topic.examples if race.start == "far" else ())
            where = f"topic '{topic.id}' of {self._web.topics_file}"
            if not truth:
                raise BenchError(f"{where} has no relevant page in the archive that could be found from {race.start}")
            if not (topic.examples if race.start == "near" else topic.far_starts):
                needed = "examples" if race.start == "near" else "far_starts"
                raise BenchError(f"{where} has no {needed} to start from")
            self.truths[topic.id] = len(truth)
            yield _Course(topic, truth, max(1, round(race.budget * len(truth))))
        cached.close()

    def _is_blocked(self, url: str) -> bool:
        return self._blocked is not None and self._blocked.search(url) is not None

    def _heats(self, wanted: list[_Run], *, oracle: bool) -> Iterator[Result]:
        race = self.race
        heats = [
            Heat(
                number=number,
                entry=one.entry,
                topic=one.course.topic,
                start=race.start,
                budget=one.course.budget,
                cached=one.cached,
                cut=one.cut,
                block=self._block,
                seed=race.seed,
                clicks=self._web.clicks,
                truth=tuple(one.course.truth) if oracle else (),
            )
            for number, one in enumerate(wanted)
        ]
        stat = self._web.topics_file.stat()
        errand = Errand(oracle=oracle, sealed=[(stat.st_dev, stat.st_ino)])
        for run in run_all(heats, errand, self.workers):
            one = wanted[run.number]
            if run.error:
                raise BenchError(f"the race of '{one.entry.name}' broke off: {run.error}")
            yield self._score(one.entry, one.course, run)

    def _score(self, entry: Entry, course: _Course, run: HeatRun) -> Result:
        topic = course.topic.id
        self.histories[entry.name, topic] = run.history
        found = self.curves[entry.name, topic] = curve(run.fetched, course.truth, course.budget)
        return result(
            entry.name,
            topic,
            found,
            truth=len(course.truth),
            pages=len(run.fetched),
            seconds=run.seconds,
            oracle=self.curves[ORACLE, topic],
        )


def run_all(heats: Sequence[Heat], errand: Errand, workers: int) -> Iterator[HeatRun]:
    """Run heats in processes of their own, as many at once as there are workers; runs come as they end."""
    todo: queue.SimpleQueue[Heat] = queue.SimpleQueue()
    done: queue.SimpleQueue[HeatRun] = queue.SimpleQueue()
    for heat in heats:
        todo.put(heat)
    started = [start_child("honeyguide.bench.runner") for _ in range(min(workers, len(heats)))]
    children = [(process, Connection(end.detach())) for process, end in started]

    def serve(pipe: Connection[bytes, bytes]) -> None:
        heat: Heat | None = None
        try:
            pipe.send_bytes(msgspec.msgpack.encode(errand))
            while True:
                heat = todo.get_nowait()
                pipe.send_bytes(msgspec.msgpack.encode(heat))
                done.put(msgspec.msgpack.decode(pipe.recv_bytes(), type=HeatRun))
        except queue.Empty:
            with contextlib.suppress(OSError):
                pipe.send_bytes(b"")
        except (EOFError, OSError):
            where = f"on topic '{heat.topic.id}'" if heat else "before its first run"
            done.put(HeatRun(number=heat.number if heat else 0, error=f"its process died, {where}"))

    threads = [threading.Thread(target=serve, args=(pipe,), daemon=True) for _, pipe in children]
    for thread in threads:
        thread.start()
    try:
        for _ in heats:
            yield done.get()
    finally:
        for process, _ in children:
            process.kill()
            process.wait()
        for thread in threads:  # before its pipe is closed: a late word must not go to whoever gets the number next
            thread.join()
        for _, pipe in children:
            pipe.close()
