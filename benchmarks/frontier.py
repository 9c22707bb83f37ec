"""Cost of frontier, graph and store per page as the crawl grows: python benchmarks/frontier.py [--most 1e6]

Fills a real graph, frontier and database on disk to 10^4, 10^5, 10^6 (10^7 with --most 1e7) known URLs the way a crawl
does, and at each size measures what one more page costs: the next URL is taken, its links are numbered and ranked (a
quarter of them new), the visit is stored with a digest of ordinary size, one transaction per batch. CPU time of this
process; memory is the resident set less what it was before the first URL.

Then a queue of 100,000 URLs on 1, 1,000 and 10,000 hosts is ranked anew, all of it at once, and the best URL taken; and
a frontier of 100,000 URLs is saved and loaded.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from honeyguide.crawling.ranking import Ranking
from honeyguide.crawling.settings import Settings
from honeyguide.frontier import Frontier, GraphWriter
from honeyguide.page.digest import Digest, Link
from honeyguide.store import Store, VisitRow
from honeyguide.strategies import Brief, Ranks, Strategy
from honeyguide.topic import Topic

LINKS = 45  # of an ordinary page
NEW = 11  # of them not known yet
BATCH = 64
PAGES = 600  # measured at each size
HOSTS = 500
DIGEST = os.urandom(6_000)
QUEUE = 100_000  # ranked anew at once
MOST_MS = 20.0  # of CPU that this may take
MOST_BYTES = 600  # of a known URL
FLAT = 2.0


def resident() -> int:
    """Bytes of memory this process holds."""
    with Path("/proc/self/statm").open(encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Dice(Strategy):
    """Ranks at random, so that all that is measured is the crawl's own work."""

    best = False

    def start(self, brief: Brief, seed: int) -> None:  # noqa: ARG002 - the topic is of no matter
        """Begin with these dice."""
        self._dice = np.random.default_rng(seed)

    def page(self, page: Digest) -> Ranks:
        """Anything."""
        return Ranks(page.targets, self._dice.random(len(page.targets)))


class Crawler:
    """A crawl without a web: pages are made up, everything behind them is real."""

    def __init__(self, folder: Path) -> None:
        self.store = Store.create(folder / "crawl.db")
        settings = Settings(strategy="dice", pages=10**9, delay=0.0)
        self.ranking = Ranking(settings, self.store, Dice(), polite=False, watch=False)
        self.dice = random.Random(1)
        self.known = self.pages = 0
        self.store.begin()
        self.ranking.begin(Topic(name="load", keywords={"load": 1.0}), [])
        self.ranking.starts([self.url(0)])
        self.known = 1

    def url(self, number: int) -> str:
        """The URL of a number: of ordinary length, on one of many hosts."""
        return f"http://host{number % HOSTS}.example.test/section/{number % 97}/article-{number:08d}.html"

    def page(self) -> None:
        """One page: taken, visited, stored, its links ranked."""
        number = self.ranking.frontier.next(0.0)
        assert number is not None
        url = self.store.url(number).url
        self.ranking.frontier.answered(number, 0.0)
        self.visit(number, url)

    def visit(self, number: int, url: str) -> None:
        """Store a page, and rank its links."""
        fresh = [self.url(self.known + offset) for offset in range(NEW)]
        old = [self.url(self.dice.randrange(self.known)) for _ in range(LINKS - NEW)]
        self.known += NEW
        page = Digest(url=url, fetched=1.7e9, kind="html")
        page.links = [Link(target, "a link", place // 5) for place, target in enumerate(fresh + old)]
        visit = VisitRow(url=number, role="page", fetched=1.7e9, status=200, outcome="page", title="A page")
        visit.id = self.store.add_visit(visit, DIGEST)
        self.ranking.writer.answered(number, "page", relevance=0.5)
        self.ranking.met(page, number, visit.id)
        self.ranking.rank(page)
        self.pages += 1
        if self.pages % BATCH == 0:
            self.store.commit()
            self.store.begin()

    def grow(self, size: int) -> None:
        """Visit pages until so many URLs are known."""
        while self.known < size:
            self.page()


def measure(most: int) -> list[dict[str, float]]:
    """The table: a row for each power of ten."""
    rows: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        before = resident()
        crawler = Crawler(Path(folder))
        size = 10_000
        while size <= most:
            crawler.grow(size - PAGES * NEW // 2)
            costs = []
            for _ in range(PAGES // 100):
                begun = time.process_time()
                for _ in range(100):
                    crawler.page()
                costs.append((time.process_time() - begun) / 100 * 1e3)
            known = len(crawler.ranking.graph)
            row = {
                "known": known,
                "ms_per_page": round(statistics.median(costs), 4),
                "bytes_per_url": round((resident() - before) / known, 1),
            }
            rows.append(row)
            print(
                f"{known:>12,} URLs  {row['ms_per_page']:.3f} ms a page  {row['bytes_per_url']:.0f} bytes a URL",
                flush=True,
            )
            size *= 10
        crawler.store.close()
    return rows


def queue(hosts: int, size: int = QUEUE) -> Frontier:
    """A frontier with so many queued URLs on so many hosts."""
    writer = GraphWriter(lambda number: f"http://made.test/{number}")
    frontier = Frontier(writer.graph, delay=1.0)
    owners = [frontier.host(f"h{number % hosts}.test:80") for number in range(size)]
    none = [0] * size
    writer.add_all(range(size), owners, [""] * size, depth=none, hops=none, parent=none)
    values = np.random.default_rng(1).random(size)
    for first in range(0, size, LINKS):
        frontier.offer(np.arange(first, min(first + LINKS, size)), values[first : first + LINKS])
    return frontier


def rank_anew(hosts: int) -> dict[str, float]:
    """Milliseconds of CPU to rank a whole queue anew and take the best URL, and to load it as after a resume."""
    frontier = queue(hosts)
    numbers, chance = np.arange(QUEUE), np.random.default_rng(2)
    costs = []
    for _ in range(9):
        values = chance.random(QUEUE)
        begun = time.process_time()
        frontier.revise(numbers, values)
        taken = frontier.next(0.0)
        costs.append(1e3 * (time.process_time() - begun))
        assert taken == values.argmax()
        frontier.put_back(taken)
    again = Frontier(frontier.graph, delay=1.0)
    for host in frontier.hosts:
        again.host(host.name)
    begun = time.process_time()
    again.load(frontier.save())
    loading = 1e3 * (time.process_time() - begun)
    row = {"hosts": hosts, "ms_to_rank": round(statistics.median(costs), 2), "ms_to_load": round(loading, 1)}
    print(
        f"{QUEUE:>12,} URLs on {hosts:,} hosts: {row['ms_to_rank']:.1f} ms to rank all anew, "
        f"{row['ms_to_load']:.0f} ms to load",
        flush=True,
    )
    return row


def main() -> int:
    """Measure, print, and check against the promise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=float, default=1e6, help="known URLs at the end (default 1e6)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    chosen = parser.parse_args()
    rows = measure(int(chosen.most))
    growth = rows[-1]["ms_per_page"] / rows[0]["ms_per_page"]
    print(f"cost per page at {rows[-1]['known']:,} URLs is {growth:.2f} times that at {rows[0]['known']:,}")
    ranked = [rank_anew(hosts) for hosts in (1, 1_000, 10_000)]
    if chosen.json:
        told = {"rows": rows, "growth": round(growth, 3), "ranked": ranked}
        chosen.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    slow = any(row["ms_to_rank"] > MOST_MS for row in ranked)
    return 1 if growth > FLAT or rows[-1]["bytes_per_url"] > MOST_BYTES or slow else 0


if __name__ == "__main__":
    sys.exit(main())
