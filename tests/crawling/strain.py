"""Crawls of many healthy hosts, while something is wrong on our own side."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from proofs.strain_server import Healthy

from honeyguide.crawling import Crawl, Settings
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic

QUICK: dict[str, Any] = {
    "delay": 0.0, "pages": 100_000, "careful": False, "strategy": "breadth-first", "choosy": 0.0,
}  # fmt: skip


def make(server: Healthy, folder: Path, *more: str, **settings: Any) -> Crawl:
    """A crawl of all the server's hosts, made ready."""
    topic = Topic(name="honey", keywords={"honey": 1.0, "bees": 1.0}, starts=(*server.starts, *more))
    opened = (f"127.0.0.1:{server.port}",)
    one = Crawl(Folder(folder), topic, Settings(**{**QUICK, **settings}), names=server.names(), opened=opened)
    one.create()
    return one


def parked(folder: Path) -> dict[str, str]:
    """The hosts a crawl has given up, and why."""
    store = Store.open(Folder(folder).database, read_only=True)
    try:
        return {row.name: row.parked for row in store.hosts() if row.parked}
    finally:
        store.close()


@contextmanager
def beside(job: Callable[[], None]) -> Iterator[None]:
    """Have something done in a thread while the crawl goes on."""
    thread = threading.Thread(target=job)
    thread.start()
    yield
    thread.join()


def until(condition: Callable[[], object]) -> None:
    """Wait for something to be so."""
    while not condition():
        time.sleep(0.01)
