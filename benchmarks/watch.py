"""How soon new articles are found, and for how many requests: python benchmarks/watch.py [--hours 24]

The demo web lives through a day: three sites publish at intervals of their own, articles change and vanish. A crawl of
300 pages knows it when the day begins; then it is watched, over real HTTP, by a driven clock: first at the pace that is
learnt page by page, then at fixed intervals. All figures are counted from the server's log: when an article that was
published was first asked for, and how many requests there were, whatever they were for.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from honeyguide.corpus import Corpus
from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.clock import DrivenClock
from honeyguide.crawling.findings import WatchSummary
from honeyguide.crawling.revisions import GONE
from honeyguide.crawling.watch import Watch
from honeyguide.demo import DemoServer, LivingWeb, LogLine
from honeyguide.demo.living import INTERVALS
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic

FIXED = (900.0, 1_800.0, 3_600.0, 7_200.0)
SITES = {"news": "http://news.demo.test/", "xinwen": "http://xinwen.demo.test/", "blog": "http://blog.demo.test/"}
TOPIC = Topic(
    name="The demo news",
    languages=("en",),
    keywords={"bees": 1.0, "honey": 1.0, "beekeeping": 1.0},
    examples=("http://blog.demo.test/2023/09/12402/", "http://blog.demo.test/2022/11/11543/"),
    starts=tuple(SITES.values()),
)


class Day(NamedTuple):
    """A watched day, as the server saw it."""

    name: str
    summary: WatchSummary
    requests: int
    delays: dict[str, list[float]]  # per site, in its own intervals, of articles that were found
    edited: tuple[int, int]  # articles of the corpus that changed or vanished, and how many of these it knew of
    missed: int  # articles published at least two intervals before the end that were never asked for
    kinds: Counter[int]  # requests by the status of their answers

    @property
    def found(self) -> int:
        return sum(map(len, self.delays.values()))

    @property
    def late(self) -> int:
        """Articles found later than two of their site's intervals."""
        return sum(delay > 2 for own in self.delays.values() for delay in own) + self.missed

    @property
    def per_new(self) -> float:
        return self.requests / max(self.found, 1)


def watch_a_day(every: float, hours: float, pages: int = 300) -> Day:
    """Crawl the demo web as it is when the day begins, then watch it."""
    clock = DrivenClock()
    living = LivingWeb(clock.wall, clock.begin)
    with tempfile.TemporaryDirectory() as place, DemoServer(living=living, speed=100.0) as server:
        opened = (f"{server.address[0]}:{server.address[1]}",)
        folder = Folder(Path(place) / "crawl")
        settings = Settings(web="demo", strategy="breadth-first", pages=pages, delay=0.0)
        crawl = Crawl(folder, TOPIC, settings, names=dict(server.resolve), opened=opened)
        crawl.create()
        asyncio.run(crawl.run())
        before = len(server.log)
        with Corpus(folder.path) as corpus:
            held = {record.url for record in corpus}
        polite = Settings(web="demo", strategy="breadth-first", pages=pages, delay=1.0)
        crawl = Crawl(folder, TOPIC, polite, names=dict(server.resolve), opened=opened)
        crawl.open()
        watch = Watch(crawl, clock=clock, every=every, seconds=hours * 3_600)
        summary = asyncio.run(watch.run())
        name = f"every {every / 60:.0f} min" if every else "learnt"
        return _seen(name, living, server.log[before:], summary, hours, _edited(folder, living, held, hours))


def _edited(folder: Folder, living: LivingWeb, held: set[str], hours: float) -> tuple[int, int]:
    """How many articles of the corpus changed or vanished, and of how many it says so at the end of the day."""
    meant = {e.url: e.what for e in living.events if e.what != "new" and e.url in held and e.at < hours * 3_600}
    store = Store.open(folder.database, read_only=True)
    changed = {store.url(number).url for number in store.watching.changed()}
    gone = {record.url for _, record in store.records.all() if GONE in record.extra}
    store.close()
    wrong = (changed | gone) - meant.keys()
    assert not wrong, f"versions of articles that did not change: {sorted(wrong)}"
    return len(meant), len(meant.keys() & (changed | gone))


def _seen(
    name: str, living: LivingWeb, log: list[LogLine], summary: WatchSummary, hours: float, edited: tuple[int, int]
) -> Day:
    first: dict[str, float] = {}
    for line in log:
        if line.status == 200:
            first.setdefault(f"http://{line.host}{line.path}", line.time_start - living.begin)
    delays: dict[str, list[float]] = {site: [] for site in INTERVALS}
    missed = 0
    for event in living.events:
        if event.what != "new":
            continue
        interval = INTERVALS[event.host]
        if event.url in first:
            delays[event.host].append((first[event.url] - event.at) / interval)
        elif event.at + 2 * interval <= hours * 3_600:
            missed += 1
    kinds = Counter(line.status for line in log)
    return Day(name, summary, len(log), delays, edited, missed, kinds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--fixed", type=float, nargs="*", default=FIXED, help="seconds; the learnt pace comes first")
    chosen = parser.parse_args()
    print("late: articles found later than two of their site's own intervals; delays are in those intervals")
    print("pace           requests  304  new found  per new  late  edits seen  worst delay (median)")
    for every in (0.0, *chosen.fixed):
        day = watch_a_day(every, chosen.hours)
        worst = "  ".join(
            f"{site} {max(own):.2f} ({statistics.median(own):.2f})" for site, own in day.delays.items() if own
        )
        figures = f"{day.requests:8} {day.kinds[304]:4} {day.found:10} {day.per_new:8.1f} {day.late:5}"
        print(f"{day.name:14} {figures}  {day.edited[1]:4} of {day.edited[0]:2}  {worst}", flush=True)


if __name__ == "__main__":
    main()
