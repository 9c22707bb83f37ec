"""What a strategy costs as the crawl grows: CPU time a page and memory a known URL, on a made-up web.

    python -m tests.strategies.growing hits 100000

Each page links to twenty others, half of them popular ones. Prints a JSON object: milliseconds a page at each mark,
counted from the mark before, the longest a page took, and URLs moved by `revise` a page.
"""

from __future__ import annotations

import json
import sys
import time
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np

from honeyguide.page.digest import Digest, Link
from honeyguide.strategies import Brief, Strategy, make
from honeyguide.topic import Topic

__all__ = ["grow", "held"]

LINKS = 20


def url(number: int) -> str:
    """The address of a made-up page, of a usual length."""
    return f"http://host{number % 977}.test/a/rather/usual/path/{number}.html"


def pages(count: int) -> Iterator[Digest]:
    """So many pages of a web ten times that size."""
    chance = np.random.default_rng(1)
    for number in range(count):
        popular = (10 * count * chance.random(LINKS // 2) ** 3).astype(int)
        other = chance.integers(0, 10 * count, LINKS - LINKS // 2)
        links = [Link(url(target), "", -1) for target in (*popular.tolist(), *other.tolist())]
        relevance = float(chance.random() ** 4)
        yield Digest(url=url(number), fetched=0.0, kind="html", links=links, relevance=relevance)


def begin(name: str) -> Strategy:
    """A strategy before its first page."""
    strategy = make(name)
    strategy.start(Brief(Topic(name="made up"), []), 0)
    return strategy


def grow(name: str, count: int) -> dict[str, Any]:
    """Show a strategy so many pages, and take the time."""
    strategy = begin(name)
    marks = [count // 10, count // 5, count // 2, count]
    spent = before = longest = 0.0
    moved = reached = 0
    found: dict[int, float] = {}
    for number, page in enumerate(pages(count), 1):
        begun = time.process_time()
        list(strategy.page(page))
        moved += len(list(strategy.revise()))
        took = time.process_time() - begun
        spent, longest = spent + took, max(longest, took)
        if number in marks:
            found[number] = round(1e3 * (spent - before) / (number - reached), 4)
            before, reached = spent, number
    return {"strategy": name, "ms": found, "longest": round(1e3 * longest, 1), "moved": round(moved / count, 1)}


def held(name: str, count: int) -> float:
    """Bytes a strategy holds for each known URL after so many pages."""
    shown = list(pages(count))
    known = {page.url for page in shown} | {link.url for page in shown for link in page.links}
    strategy = begin(name)
    tracemalloc.start()
    try:
        for page in shown:
            list(strategy.page(page))
            list(strategy.revise())
        return tracemalloc.get_traced_memory()[0] / len(known)
    finally:
        tracemalloc.stop()


if __name__ == "__main__":
    print(json.dumps(grow(sys.argv[1], int(sys.argv[2]))))
