"""What a page costs in the crawl's brain, apart from the hands that fetch and parse it.

    python benchmarks/brain.py [--pages 4000] [--rounds 3] [--web schools] [--topic ID] [--strategy NAME] [--json FILE]

A crawl as in `cost.py` (a list of pages as starts, everything but the careful record), but for the network: answers
come from memory, one after another, to a hand that reads as each of several worker processes would. At the seam
between brain and hands the CPU clock is read, so one run tells both sides apart. The first quarter of the pages is not
counted, so start-up and learning the topic fall out.

Which part of a side took how much is told by looking, every other millisecond of CPU time, which module of Honeyguide
is at work; what it calls outside Honeyguide is its own. Nothing but the seam is known of either side, so this holds
whatever becomes of their insides. Each round is a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any
from unittest.mock import patch

from cost import find_webs, spread
from serve import choose, read_archive, read_topic

from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.pool import Task
from honeyguide.crawling.worker import collect_seldom
from honeyguide.native import has_native
from honeyguide.store import Folder
from honeyguide.topic import Topic
from honeyguide.web import Response

AT_ONCE = 8  # as in cost.py
EVERY = 0.002  # seconds of CPU time between two looks
SIDES = ("brain", "hands")
SMALL = 0.01  # parts that take less than this share of the whole are not shown


class MemoryWeb:
    """Pages at no cost; all else is not there."""

    name = "live"
    polite = True

    def __init__(self, pages: dict[str, tuple[str, bytes]]) -> None:
        self._pages = pages

    async def fetch(self, url: str, *, cut: int = 0) -> Response:
        """The page, as if a server had sent it."""
        if url not in self._pages:
            return Response(url, status=404, headers=[("Content-Type", "text/plain")], fetched=time.time())
        kind, body = self._pages[url]
        headers = [("Content-Type", kind), ("Content-Length", str(len(body)))]
        return Response(url, status=200, headers=headers, body=body[: cut or None], fetched=time.time())

    async def close(self) -> None:
        """Nothing to let go of."""


class Meter:
    """CPU seconds on either side of the seam, once it runs, and where they were seen to go."""

    def __init__(self) -> None:
        self.running = False
        self.side = "brain"
        self.spent = dict.fromkeys(SIDES, 0.0)
        self.seen: dict[str, Counter[str]] = {side: Counter() for side in SIDES}
        self._since = 0.0

    def turn(self, side: str) -> None:
        """From now on this side is at work."""
        now = time.process_time()
        if self.running:
            self.spent[self.side] += now - self._since
        self.side, self._since = side, now

    def look(self, _: int, frame: FrameType | None) -> None:
        """Note which module of Honeyguide is at work: the innermost on the stack."""
        if not self.running:
            return
        while frame is not None:
            name: str = frame.f_globals.get("__name__", "")
            if name.startswith("honeyguide."):
                self.seen[self.side][name.removeprefix("honeyguide.")] += 1
                return
            frame = frame.f_back
        self.seen[self.side]["(none of ours)"] += 1

    def parts(self, side: str, pages: int) -> dict[str, float]:
        """CPU ms a page of each part of a side, the greatest first."""
        looks = self.seen[side].total() or 1
        return {name: 1e3 * self.spent[side] * seen / looks / pages for name, seen in self.seen[side].most_common()}


class MeteredHands:
    """One hand that does a thing at a time while the brain waits, so that the clock tells them apart."""

    capacity = AT_ONCE
    note = failed = pause = ""

    def __init__(self, task: Task, meter: Meter, unmetered: int) -> None:
        self._hand = task.hand()
        self._meter = meter
        self._left = unmetered
        self._orders: deque[Order] = deque()

    def give(self, order: Order) -> None:
        """Put an order on the pile."""
        self._orders.append(order)

    async def take(self, patience: float) -> list[Answer]:
        """Carry out the oldest order; sleep when there is none."""
        if not self._orders:
            await asyncio.sleep(patience)
            return []
        order = self._orders.popleft()
        self._meter.turn("hands")
        answer = await self._hand.do(order)
        self._meter.turn("brain")
        if order.purpose == "page":
            self._left -= 1
            self._meter.running = self._meter.running or self._left < 0
        return [answer]

    async def close(self) -> None:
        """The crawl is over, and so is the measuring."""
        self._meter.turn("brain")
        self._meter.running = False
        await self._hand.close()


def measure(web: Path, count: int, topic_id: str | None, strategy: str) -> dict[str, Any]:
    """One crawl: CPU ms a page of each side, and of its parts."""
    about = read_topic(web, topic_id)
    pages = {url: (kind, body) for url, kind, body in read_archive(web)}
    urls = choose(list(pages), about["examples"], count)
    pages = {url: pages[url] for url in urls}
    quarter, meter = len(urls) // 4, Meter()
    collect_seldom()  # as the command does
    examples = tuple(url for url in about["examples"] if url in pages)
    topic = Topic(name=about["name"], keywords=about["keywords"], examples=examples, starts=tuple(urls))
    settings = Settings(
        strategy=strategy,
        pages=len(urls),
        careful=False,
        delay=0.0,
        at_once=AT_ONCE,
        connections=AT_ONCE,
        workers=2,  # there is one hand, but it reads pages as those of many do, so that the brain need not
    )
    signal.signal(signal.SIGPROF, meter.look)
    with (
        tempfile.TemporaryDirectory() as scratch,
        patch.object(Task, "web", lambda _: MemoryWeb(pages)),
        patch("honeyguide.crawling.crawl.make_hands", lambda task: MeteredHands(task, meter, quarter)),
    ):
        crawl = Crawl(Folder(Path(scratch) / "crawl"), topic, settings)
        crawl.create()
        signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
        try:
            summary = asyncio.run(crawl.run())
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    metered = summary.pages - quarter
    return {
        "web": web.name,
        "pages": metered,
        "on_topic": summary.on_topic,
        "mean_bytes": sum(len(body) for _, body in pages.values()) / len(pages),
        "ms": {side: 1e3 * meter.spent[side] / metered for side in SIDES},
        "parts": {side: meter.parts(side, metered) for side in SIDES},
    }


def told(runs: list[dict[str, Any]]) -> str:
    """Rounds on one web as a table, parts by their medians."""
    first = runs[0]
    lines = [
        f"{first['web']}: {first['pages']} pages, {first['mean_bytes']:,.0f} bytes each; CPU ms a page, no network; "
        + ("with compiled loops" if has_native else "Python alone")
    ]
    whole = sum(median(run["ms"][side] for run in runs) for side in SIDES)
    for side in SIDES:
        cost = spread(run["ms"][side] for run in runs)
        lines.append("{:<24}{median:8.3f}   ({min:.3f}-{max:.3f})".format(side, **cost))
        names = {name for run in runs for name in run["parts"][side]}
        parts = {name: median(run["parts"][side].get(name, 0.0) for run in runs) for name in names}
        for name, ms in sorted(parts.items(), key=lambda part: -part[1]):
            if ms >= SMALL * whole:
                lines.append(f"  {name:<22}{ms:8.3f}")
    return "\n".join(lines)


def main() -> None:
    """Measure each web in rounds, webs taking turns, and tell."""
    parser = argparse.ArgumentParser(description="What a page costs in the brain, and what in the hands.")
    parser.add_argument("--pages", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--web", action="append", default=[], metavar="NAME", help="as for cost.py")
    parser.add_argument("--topic", help="id of a topic of that web (its first)")
    parser.add_argument("--strategy", default="hopfield", help="how links are ranked (%(default)s)")
    parser.add_argument("--json", type=Path, help="write all figures here as well")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rounds < 1 or given.pages < 4:
        parser.error("--rounds must be at least 1, --pages at least 4")
    if given.one:
        print(json.dumps(measure(Path(given.web[0]), given.pages, given.topic, given.strategy)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        webs = find_webs(given.web, Path(scratch))
        runs: dict[Path, list[dict[str, Any]]] = {web: [] for web in webs}
        for _ in range(given.rounds):
            for web in webs:
                command = [sys.executable, __file__, "--one", "--web", str(web), "--pages", str(given.pages)]
                command += ["--strategy", given.strategy, *(["--topic", given.topic] if given.topic else [])]
                said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
                runs[web].append(json.loads(said))
    print("\n\n".join(told(found) for found in runs.values()))
    if given.json:
        given.json.write_text(json.dumps([*runs.values()], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
