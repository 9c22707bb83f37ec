"""Cost of frontier and store per page as the crawl grows, with memory: python benchmarks/frontier.py [--most 1e6]

Fills a real frontier and a real database on disk to 10^4, 10^5, 10^6 (10^7 with --most 1e7) known URLs the way a crawl
does, and at each size measures what one more page costs: the next URL is taken, its links are offered (a quarter of
them new), the visit is stored with a digest of ordinary size, one transaction per batch. CPU time of this process;
memory is the resident set less what it was before the first URL.
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

from honeyguide.crawling.brain import Brain
from honeyguide.crawling.settings import Settings
from honeyguide.store import Store, VisitRow
from honeyguide.strategies import Ranked, make
from honeyguide.topic import Topic
from honeyguide.web import Rules, Scope

LINKS = 45  # of an ordinary page
NEW = 11  # of them not known yet
BATCH = 64
PAGES = 600  # measured at each size
HOSTS = 500
DIGEST = os.urandom(6_000)


def resident() -> int:
    """Bytes of memory this process holds."""
    with Path("/proc/self/statm").open(encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Crawler:
    """A crawl without a web: pages are made up, everything behind them is real."""

    def __init__(self, folder: Path) -> None:
        topic = Topic(name="load", keywords={"load": 1.0}, starts=("http://h0.test/",))
        store = Store.create(folder / "crawl.db")
        settings = Settings(strategy="breadth-first", pages=10**9, delay=0.0)
        scope = Scope(Rules())
        self.brain = Brain(topic, settings, store, None, make("breadth-first"), scope, polite=False)
        self.dice = random.Random(1)
        self.known = 0
        self.pages = 0
        self.brain.store.begin()
        self.links(None)

    def url(self, number: int) -> str:
        """The URL of a number: of ordinary length, on one of many hosts."""
        return f"http://host{number % HOSTS}.example.test/section/{number % 97}/article-{number:08d}.html"

    def links(self, parent: int | None) -> None:
        """Offer a page's links with ranks and reasons."""
        dice = self.dice
        fresh = [self.url(self.known + offset) for offset in range(NEW)]
        old = [self.url(dice.randrange(self.known)) for _ in range(LINKS - NEW)] if self.known else []
        self.known += NEW
        ranked = [
            Ranked(url, dice.random(), "page is 0.42 like the topic (hive, honey); link text 0.31")
            for url in fresh + old
        ]
        self.brain.offer(ranked, parent=parent, depth=1)

    def page(self) -> None:
        """One page: taken, visited, stored, its links offered."""
        brain = self.brain
        number = brain.frontier.next(0.0)
        assert number is not None
        brain.store.url(number)
        brain.frontier.answered(number, 0.0)
        visit = VisitRow(url=number, role="page", fetched=1.7e9, status=200, outcome="page", title="A page")
        brain.store.add_visit(visit, DIGEST)
        self.links(number)
        self.pages += 1
        if self.pages % BATCH == 0:
            brain.store.commit()
            brain.store.begin()

    def grow(self, size: int) -> None:
        """Find URLs, without visiting many, until so many are known."""
        while self.known < size:
            self.links(None)
            self.pages += 1
            if self.pages % BATCH == 0:
                self.brain.store.commit()
                self.brain.store.begin()


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
            known = len(crawler.brain.frontier)
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
        crawler.brain.store.close()
    return rows


def main() -> int:
    """Measure, print, and check against the promise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=float, default=1e6, help="known URLs at the end (default 1e6)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    chosen = parser.parse_args()
    rows = measure(int(chosen.most))
    growth = rows[-1]["ms_per_page"] / rows[0]["ms_per_page"]
    print(f"cost per page at {rows[-1]['known']:,} URLs is {growth:.2f} times that at {rows[0]['known']:,}")
    if chosen.json:
        chosen.json.write_text(
            json.dumps({"rows": rows, "growth": round(growth, 3)}, indent=2) + "\n", encoding="utf-8"
        )
    return 0 if growth <= 2.0 and rows[-1]["bytes_per_url"] <= 600 else 1


if __name__ == "__main__":
    sys.exit(main())
