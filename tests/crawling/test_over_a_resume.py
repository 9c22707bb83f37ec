"""What a host has said of itself, or shown, holds over a resume: seen from the server's side."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from proofs.again_hosts import Said, served

from honeyguide.crawling import Crawl, Settings, Summary
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic
from tests.crawling.conftest import run

TOPIC = Topic(name="bees", keywords={"honey": 1.0}, starts=tuple(f"http://a.test/{number}" for number in range(20)))


class Asked(NamedTuple):
    """A request as the server saw it: what was asked for, and when, by its own clock."""

    path: str
    at: float


class Server:
    """One host whose answers a test may change at any time."""

    def __init__(self) -> None:
        self.log: list[Asked] = []
        self.robots: Said = (404, {}, b"")
        self.page: Said = (200, {"Content-Type": "text/html"}, b"<p>honey and bees and more of it")
        self.on_page: Callable[[], object] = lambda: None
        self.on_robots: Callable[[], object] = lambda: None
        self.port = 0

    def answer(self, path: str) -> Said:
        self.log.append(Asked(path, time.monotonic()))
        if path == "/robots.txt":
            self.on_robots()
            return self.robots
        self.on_page()
        return self.page

    @property
    def pages(self) -> list[Asked]:
        return [asked for asked in self.log if asked.path != "/robots.txt"]


@pytest.fixture
def server() -> Iterator[Server]:
    one = Server()
    with served(one.answer) as one.port:
        yield one


def crawl(server: Server, folder: Path, *, resume: bool = False, watch: Any = None, **settings: Any) -> Summary:
    names = {"a.test": ("127.0.0.1", server.port)}
    chosen = Settings(**{"delay": 0.0, "careful": False, "retries": 9, **settings})
    one = Crawl(Folder(folder), TOPIC, chosen, names=names, opened=(f"127.0.0.1:{server.port}",))
    if watch is not None:
        watch(one)
    if resume:
        one.open()
    else:
        one.create()
    return run(one)


def test_how_long_a_robots_txt_may_be_believed(server: Server, tmp_path: Path) -> None:
    server.robots = (200, {"Cache-Control": "max-age=60"}, b"User-agent: *\nAllow: /")
    crawl(server, tmp_path / "crawl", pages=3)
    assert len(server.pages) == 3
    store = Store.open(tmp_path / "crawl" / "crawl.db")
    store._connection.execute("UPDATE hosts SET robots_fetched = robots_fetched - 61")  # a minute later
    store.close()
    server.robots = (200, {"Cache-Control": "max-age=60"}, b"User-agent: *\nDisallow: /")
    server.log.clear()
    crawl(server, tmp_path / "crawl", resume=True, pages=10)
    assert [asked.path for asked in server.log] == ["/robots.txt"]


def test_one_that_is_fresh_is_not_asked_for_again(server: Server, tmp_path: Path) -> None:
    server.robots = (200, {"Cache-Control": "max-age=3600"}, b"User-agent: *\nAllow: /")
    crawl(server, tmp_path / "crawl", pages=3)
    server.log.clear()
    crawl(server, tmp_path / "crawl", resume=True, pages=5)
    assert {asked.path for asked in server.log} <= {*(f"/{number}" for number in range(20))}
    assert len(server.pages) == 2


def test_a_robots_txt_that_is_refused_may_ask_for_time(server: Server, tmp_path: Path) -> None:
    server.robots = (403, {"Retry-After": "2"}, b"")
    crawl(server, tmp_path / "crawl", pages=1)
    robots, page = server.log
    assert (robots.path, page.path) == ("/robots.txt", page.path)
    assert page.at - robots.at >= 2.0


def test_and_for_more_than_a_crawl_will_wait(server: Server, tmp_path: Path) -> None:
    server.robots = (403, {"Retry-After": "7200"}, b"")
    summary = crawl(server, tmp_path / "crawl", pages=1)
    assert server.pages == []
    assert any("stay away for 7200 seconds" in failure for failure in summary.failures)


def test_a_redirect_may_ask_for_time_too(server: Server, tmp_path: Path) -> None:
    server.page = (302, {"Location": "/elsewhere", "Retry-After": "1"}, b"")
    crawl(server, tmp_path / "crawl", pages=2)
    first, second = server.pages
    assert second.at - first.at >= 1.0


def test_a_clock_that_was_put_back_makes_no_wait_longer_than_was_asked_for(server: Server, tmp_path: Path) -> None:
    server.page = (503, {"Retry-After": "30"}, b"")

    def stop_at_the_first(one: Crawl) -> None:
        server.on_page = one.stop

    crawl(server, tmp_path / "crawl", watch=stop_at_the_first, pages=10)
    store = Store.open(tmp_path / "crawl" / "crawl.db")
    store.begin()
    store.set_meta(
        left_alone={name: (until + 86_400, asked) for name, (until, asked) in store.meta("left_alone").items()}
    )
    store.commit()
    store.close()
    names = {"a.test": ("127.0.0.1", server.port)}
    one = Crawl(Folder(tmp_path / "crawl"), TOPIC, Settings(delay=0.0), names=names)
    before = time.monotonic()
    one.open()
    (host,) = one.brain.frontier.hosts
    assert before + 20 < host.due <= time.monotonic() + 30
    one.close()


def test_failures_in_a_row_are_counted_over_runs(server: Server, tmp_path: Path) -> None:
    server.page = (503, {}, b"")

    def stop_at_the_first(one: Crawl) -> None:
        server.on_page = one.stop

    crawl(server, tmp_path / "crawl", watch=stop_at_the_first, pages=10, patience=3)
    assert len(server.pages) == 1
    server.on_page = lambda: None
    summary = crawl(server, tmp_path / "crawl", resume=True, pages=10, patience=3)
    assert len(server.pages) == 3
    assert any("failed 3 times in a row" in failure for failure in summary.failures)


# -- answers that are under way when a crawl is stopped ---------------------------------------------------------------


def _stopped_while_robots_txt_is_under_way(server: Server, folder: Path) -> None:
    def stop_and_think(one: Crawl) -> None:
        def listen() -> None:
            one.stop()
            time.sleep(1.5)  # by then the crawl, which looks up once a second, has seen that it is to end

        server.on_robots = listen

    summary = crawl(server, folder, watch=stop_and_think, pages=1)
    server.on_robots = lambda: None
    assert (summary.stop_reason, server.pages) == ("stopped by the user", [])


def test_a_robots_txt_that_is_under_way_at_the_end_is_heard_and_not_asked_for_again(
    server: Server, tmp_path: Path
) -> None:
    _stopped_while_robots_txt_is_under_way(server, tmp_path / "crawl")
    crawl(server, tmp_path / "crawl", resume=True, pages=1)
    assert [asked.path == "/robots.txt" for asked in server.log] == [True, False]


def test_and_the_time_it_asks_for_is_kept(server: Server, tmp_path: Path) -> None:
    server.robots = (503, {"Retry-After": "2"}, b"")
    _stopped_while_robots_txt_is_under_way(server, tmp_path / "crawl")
    server.robots = (404, {}, b"")
    crawl(server, tmp_path / "crawl", resume=True, pages=1)
    first, second, _page = server.log
    assert (first.path, second.path) == ("/robots.txt", "/robots.txt")
    assert second.at - first.at >= 3.5  # it thought for a second and a half before it asked for two


def test_a_sitemap_that_waits_is_held_against_a_new_scope(server: Server, tmp_path: Path) -> None:
    server.robots = (200, {}, b"Sitemap: http://a.test/sitemap.xml")
    crawl(server, tmp_path / "crawl", pages=2, strategy="breadth-first")
    crawl(server, tmp_path / "crawl", resume=True, pages=30, strategy="breadth-first", deny=("sitemap",))
    asked = {one.path for one in server.pages}
    assert len(asked) > 2
    assert "/sitemap.xml" not in asked
