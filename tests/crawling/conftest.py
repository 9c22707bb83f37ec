"""Real crawls of the demo web, over real HTTP, with the server's own log as witness."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from honeyguide.api import demo_topic
from honeyguide.crawling import Crawl, Settings, Summary
from honeyguide.demo import DemoServer, DemoTopic, DemoWeb, build
from honeyguide.demo import demo_topic as choose_topic
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic

CRAWL_DELAY = 0.1  # what the mirror asks for here; a second, as in the demo web, would prove no more


@pytest.fixture(scope="session")
def demo_web() -> DemoWeb:
    """The demo web with a host that asks for a shorter rest, which nearly every crawl would wait for to the end."""
    web = build()
    url = "http://mirror.demo.test/robots.txt"
    asks = web.pages[url].body.replace(b"Crawl-delay: 1\n", f"Crawl-delay: {CRAWL_DELAY}\n".encode())
    assert asks != web.pages[url].body
    return replace(web, pages={**web.pages, url: replace(web.pages[url], body=asks)})


@pytest.fixture
def server(demo_web: DemoWeb) -> Iterator[DemoServer]:
    with DemoServer(demo_web, speed=5.0) as running:
        yield running


@pytest.fixture(scope="session")
def truth() -> DemoTopic:
    return choose_topic(build())


Crawler = Callable[..., Summary]


def run(crawl: Crawl) -> Summary:
    """Run a crawl to its end."""
    return asyncio.run(crawl.run())


@pytest.fixture
def crawl(server: DemoServer, tmp_path: Path) -> Crawler:
    """Crawl the demo web into a folder, or resume a crawl there."""

    def go(
        name: str = "crawl",
        *,
        topic: Topic | None = None,
        resume: bool = False,
        retry: bool = False,
        setup: Any = None,
        **settings: Any,
    ) -> Summary:
        chosen = Settings(**{"web": "demo", "delay": 0.02, "pages": 80, "careful": False, **settings})
        opened = (f"{server.address[0]}:{server.address[1]}",)
        one = Crawl(Folder(tmp_path / name), topic or demo_topic(), chosen, names=dict(server.resolve), opened=opened)
        if resume:
            one.open(retry=retry)
        else:
            one.create()
        if setup is not None:
            setup(one)
        return run(one)

    return go


def visited(folder: Path) -> list[str]:
    """The URLs a crawl visited, in order."""
    store = Store.open(Folder(folder).database, read_only=True)
    try:
        return [store.url(visit.url).url for visit in store.visits()]
    finally:
        store.close()
