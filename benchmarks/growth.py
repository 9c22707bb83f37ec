"""What each strategy costs as a crawl grows.

    python benchmarks/growth.py [--pages 100000] [--strategies a,b:KEY=VALUE] [--json FILE]

A made-up web ten times the size of the crawl: each page has some 150 terms and links to twenty others, half of them
popular ones, with words in and around each anchor. Every strategy is shown the same pages in a process of its own, by
the rules of a crawl (`revise` is called as often as it asks for), and the CPU time of its calls is taken for each
tenth. It must stay flat: the last tenth at most twice the second.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from honeyguide.frontier import GraphWriter
from honeyguide.page.digest import Block, Digest, Link
from honeyguide.strategies import Brief, Pairs, Ranks, Strategy, known, make
from honeyguide.topic import Topic

__all__ = ["grow", "held"]

LINKS = 20
TERMS = 150
AROUND = 6  # terms between two anchors
VOCABULARY = 30_000
# Those that learn; others 1 ms.
LEARN = ("bloch", "context-graph", "future", "guide", "hits", "hmm", "immediate", "news", "relevancy-graph", "semrank")
MOST_MS = dict.fromkeys(LEARN, 10.0)
FLAT = 2.0
HOSTS = 977


def url(number: int) -> str:
    """The address of a made-up page, of a usual length."""
    return f"http://host{number % HOSTS}.test/a/rather/usual/path/{number}.html"


def pages(count: int) -> Iterator[Digest]:
    """So many pages of a web ten times that size; about one in five speaks of the topic."""
    chance = np.random.default_rng(1)
    words = np.array([f"word{number}" for number in range(VOCABULARY)], dtype=object)
    topic = np.array(["hive", "honey", "nectar", "swarm"], dtype=object)
    for number in range(count):
        popular = (10 * count * chance.random(LINKS // 2) ** 3).astype(int)
        other = chance.integers(0, 10 * count, LINKS - LINKS // 2)
        said = words[(VOCABULARY * chance.random(TERMS) ** 3).astype(int)].tolist()
        relevance = float(chance.random() ** 4)
        if relevance > 0.4:
            said[:20] = topic[chance.integers(0, 4, 20)].tolist()
        near = words[(VOCABULARY * chance.random(LINKS * (AROUND + 2)) ** 3).astype(int)].tolist()
        links = [
            Link(url(target), "", 0, place * (AROUND + 2), place * (AROUND + 2) + 2)
            for place, target in enumerate((*popular.tolist(), *other.tolist()))
        ]
        counted: dict[str, int] = {}
        for word in said:
            counted[word] = counted.get(word, 0) + 1
        yield Digest(
            url=url(number),
            fetched=0.0,
            kind="html",
            words=TERMS,
            terms=counted,
            blocks=[Block("body", 0, -1, False, near)],
            links=links,
            relevance=relevance,
            on_topic=relevance > 0.5,
        )


class Crawl:
    """A crawl without frontier and store: the graph is filled, and the strategy shown every page."""

    def __init__(self, strategy: Strategy) -> None:
        self.writer = GraphWriter(str)
        self.strategy = strategy
        self.shown = 0
        topic = Topic(name="made up", keywords={"hive": 1.0, "honey": 1.0})
        strategy.start(Brief(topic, [], self.writer.graph), 0)

    def meet(self, page: Digest) -> None:
        """A page was fetched: it and its links get their numbers, and stand in the graph."""
        page.id = self._number(page.url, 0, -1)
        depth = int(self.writer.graph.depth[page.id]) + 1
        for link in page.links:
            link.id = self._number(link.url, depth, page.id)
        self.writer.answered(page.id, "page", relevance=page.relevance, on_topic=page.on_topic)
        targets, blocks = [link.id for link in page.links], [link.block for link in page.links]
        page.__dict__["targets"] = self.writer.link(page.id, targets, blocks)

    def _number(self, found: str, depth: int, parent: int) -> int:
        return self.writer.add(found, int(found[11 : found.index(".")]), depth=depth, parent=parent)

    def show(self, page: Digest) -> int:
        """Show the strategy a page that was met; returns how many URLs it ranked anew beside those of the page."""
        self.shown += 1
        _count(self.strategy.page(page))
        every = self.strategy.revise_every
        return _count(self.strategy.revise()) if every and self.shown % every == 0 else 0


def _count(ranks: Ranks | Pairs) -> int:
    return len(ranks.ids) if isinstance(ranks, Ranks) else len(list(ranks))


def measure() -> int:
    """A piece of work that is always the same: what a page costs in these is the same on every machine, or nearly."""
    seen: dict[str, int] = {}
    for number in range(400):
        word = f"word{number % 97}"
        seen[word] = seen.get(word, 0) + number
    return len(seen)


def grow(name: str, count: int) -> dict[str, Any]:
    """Show a strategy so many pages, and take the time of each tenth, in milliseconds and in `measure`s beside it."""
    crawl = Crawl(_made(name))
    marks = [count * tenth // 10 for tenth in range(1, 11)]
    spent = before = longest = beside = beside_before = 0.0
    moved = reached = 0
    tenths: list[float] = []
    measures: list[float] = []
    for number, page in enumerate(pages(count), 1):
        crawl.meet(page)
        begun = time.process_time()
        moved += crawl.show(page)
        took = time.process_time() - begun
        spent, longest = spent + took, max(longest, took)
        begun = time.process_time()
        measure()
        beside += time.process_time() - begun
        if number in marks:
            measures.append((spent - before) / (beside - beside_before))
            tenths.append(round(1e3 * (spent - before) / (number - reached), 4))
            before, beside_before, reached = spent, beside, number
    return {
        "strategy": name,
        "pages": count,
        "ms": round(1e3 * spent / count, 4),
        "tenths": tenths,
        "longest": round(1e3 * longest, 1),
        "moved": round(moved / count, 1),
        "measures": [round(one, 2) for one in measures],
    }


def _made(name: str) -> Strategy:
    """A strategy by its name, which may be followed by settings: `guide:encoder=true`."""
    name, *settings = name.split(":")
    return make(name, dict(one.split("=", 1) for one in settings))


def held(name: str, count: int) -> float:
    """Bytes a strategy holds for each URL that becomes known in the second half of so many pages, its share of the
    graph left out. What is loaded once, and tables that are full by then, are no URL's."""
    taken, urls = _taken(_made(name), count)
    return (taken - _graph(count)) / urls


@cache
def _graph(count: int) -> int:
    """Bytes that the graph alone grows by."""
    return _taken(Strategy(), count)[0]


def _taken(strategy: Strategy, count: int) -> tuple[int, int]:
    """Bytes of memory that a crawl grows by in its second half, and URLs; a bare `Strategy` is shown nothing."""
    shown = list(pages(count))
    marks: list[tuple[int, int]] = []
    tracemalloc.start()
    try:
        crawl = Crawl(strategy)
        for number, page in enumerate(shown, 1):
            crawl.meet(page)
            if strategy.name:
                crawl.show(page)
            page.__dict__.clear()
            if number in (count // 2, count):
                gc.collect()  # what nobody holds any more is not held
                marks.append((tracemalloc.get_traced_memory()[0], len(crawl.writer.graph)))
    finally:
        tracemalloc.stop()
    (half, some), (whole, all_of_them) = marks
    return whole - half, all_of_them - some


def main() -> int:
    """Measure every strategy, each in a process of its own, and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--strategies", default="")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        print(json.dumps(grow(chosen.one, chosen.pages)))
        return 0
    found = []
    failed = 0
    for name in chosen.strategies.split(",") if chosen.strategies else known():
        command = [sys.executable, __file__, "--one", name, "--pages", str(chosen.pages)]
        told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        found.append(told)
        bad = told["ms"] > MOST_MS.get(name.partition(":")[0], 1.0) or told["tenths"][-1] > FLAT * told["tenths"][1]
        failed += bad
        print(
            f"{name:<16} {told['ms']:7.3f} ms a page; first, second, last tenth "
            f"{told['tenths'][0]:.3f}, {told['tenths'][1]:.3f}, {told['tenths'][-1]:.3f}; "
            f"longest {told['longest']:.0f} ms{'  TOO MUCH' * bad}",
            flush=True,
        )
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
