"""A crawl resumed with other settings: each is honoured, and each is on record."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from honeyguide import api
from honeyguide.api import demo_topic
from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.verdicts import OWN
from honeyguide.demo import DemoServer, LogLine, build, write_web
from honeyguide.errors import SettingError
from honeyguide.store import Folder, Store, VisitRow
from honeyguide.topic import Topic
from tests.crawling.conftest import Crawler, run, visited
from tests.crawling.test_politeness import SLACK, by_host
from tests.crawling.webs import strategy

FIRST = 40


@pytest.fixture
def resumed(
    crawl: Crawler, server: DemoServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[LogLine]]:
    """Crawl a few pages, resume with changes by way of the interface for Python; returns what was then asked for."""
    monkeypatch.setattr(api, "_server", lambda _settings: server)

    def go(*, first: dict[str, Any] | None = None, **changes: Any) -> list[LogLine]:
        crawl(pages=FIRST, **(first or {}))
        before = len(server.log)
        with monkeypatch.context() as patch:
            patch.setattr(server, "stop", lambda: None)
            api.resume(tmp_path / "crawl", **{"pages": 2 * FIRST, **changes}).finish()
        return server.log[before:]

    return go


def on_record(folder: Path) -> dict[str, tuple[Any, Any]]:
    """The changes of settings, as the manifest tells them."""
    changes = json.loads((folder / "manifest.json").read_text())["changes"]
    assert all(change["after"] == FIRST and change["when"] > 1e9 for change in changes)
    return {change["name"]: (change["from"], change["to"]) for change in changes}


def visits(folder: Path) -> list[VisitRow]:
    store = Store.open(folder / "crawl.db", read_only=True)
    try:
        return list(store.visits())
    finally:
        store.close()


def test_another_delay(resumed: Callable[..., list[LogLine]], tmp_path: Path) -> None:
    log = resumed(delay=0.15)
    for host, lines in by_host(log).items():
        for before, after in pairwise(lines):
            assert after.time_start - before.time_end >= 0.15 - SLACK, host
    assert on_record(tmp_path / "crawl") == {"delay": (0.02, 0.15), "pages": (FIRST, 2 * FIRST)}


def test_another_contact(resumed: Callable[..., list[LogLine]], tmp_path: Path) -> None:
    log = resumed(contact="new@example.org")
    assert log
    assert all("new@example.org" in line.user_agent for line in log)
    assert on_record(tmp_path / "crawl")["contact"] == ("", "new@example.org")


def test_another_threshold(resumed: Callable[..., list[LogLine]], tmp_path: Path) -> None:
    resumed(threshold=0.999)
    pages = [visit for visit in visits(tmp_path / "crawl") if visit.outcome == "page"]
    assert any(visit.first_on_topic for visit in pages[:FIRST])  # by the old one
    assert not [visit.relevance for visit in pages if visit.on_topic and visit.relevance < 0.999]
    assert on_record(tmp_path / "crawl")["threshold"] == (None, 0.999)
    assert json.loads((tmp_path / "crawl" / "manifest.json").read_text())["judge"]["threshold"] == 0.999


def test_pages_that_an_older_judge_judged_are_judged_again(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=FIRST)
    before = {visit.id: visit.relevance for visit in visits(tmp_path / "crawl") if visit.outcome == "page"}
    with closing(sqlite3.connect(tmp_path / "crawl" / "crawl.db")) as base, base:
        base.execute("UPDATE visits SET judge = 'honeyguide', relevance = 0.99, on_topic = 1 WHERE outcome = 'page'")
    crawl(pages=FIRST, resume=True)
    after = [visit for visit in visits(tmp_path / "crawl") if visit.outcome == "page"]
    assert {visit.judge for visit in after} == {OWN}
    assert {visit.id: visit.relevance for visit in after} == before


@pytest.mark.parametrize("scope", [{"deny": [r"//news\.demo\.test/"]}, {"allow": [r"//(science|hub)\.demo\.test/"]}])
def test_another_scope_holds_for_what_waits_already(
    resumed: Callable[..., list[LogLine]], tmp_path: Path, scope: dict[str, list[str]]
) -> None:
    log = resumed(**scope)
    starts = demo_topic().starting_points  # they are asked for whatever the scope, and some may be late
    first = {*starts, *(f"{url[: url.index('/', 8)]}/robots.txt" for url in starts)}
    hosts = {line.host for line in log if f"http://{line.host}{line.path}" not in first}
    assert hosts
    assert "news.demo.test" not in hosts
    assert "deny" in scope or hosts <= {"science.demo.test", "hub.demo.test"}
    ((name, patterns),) = scope.items()
    assert on_record(tmp_path / "crawl")[name] == ([], patterns)


def test_other_retries(resumed: Callable[..., list[LogLine]], tmp_path: Path) -> None:
    log = resumed(
        first={"strategy": "breadth-first", "deny": (r"trap\.demo\.test",)},
        retries=0,
        pages=2_000,
        delay=0.0,
        choosy=0.0,
    )
    failed = [(line.host, line.path) for line in log if line.status == 503]
    assert failed  # pages of the demo web that fail at first
    asked = [(line.host, line.path) for line in log]
    assert [asked.count(one) for one in failed] == [1] * len(failed)
    assert on_record(tmp_path / "crawl")["retries"] == (2, 0)


def test_another_strategy_learns_from_what_was_visited(tmp_path: Path) -> None:
    write_web(tmp_path / "web", build())
    settings = Settings(web=str(tmp_path / "web"), pages=FIRST, careful=False, strategy="breadth-first")
    first = Crawl(Folder(tmp_path / "crawl"), demo_topic(), settings)
    first.create()
    run(first)
    second = api.resume(tmp_path / "crawl", pages=2 * FIRST, strategy="cosine")
    ranking = second._crawl.brain.ranking
    shown = ranking.shown
    second.finish()
    pages = visited(tmp_path / "crawl")
    assert len(pages) == len(set(pages)) == 2 * FIRST
    rows = visits(tmp_path / "crawl")
    assert shown == first.brain.ranking.shown > 10
    old, new = ({row.reason for row in part} for part in (rows[:FIRST], rows[FIRST:]))
    assert not old & {reason for reason in new if "example" not in reason and "start" not in reason}
    assert on_record(tmp_path / "crawl")["strategy"] == ("breadth-first", "cosine")
    manifest = json.loads((tmp_path / "crawl" / "manifest.json").read_text())
    assert manifest["strategy"]["name"] == "cosine"


def test_what_makes_a_crawl_that_crawl_cannot_be_changed(tmp_path: Path) -> None:
    write_web(tmp_path / "web", build())
    one = Crawl(Folder(tmp_path / "crawl"), demo_topic(), Settings(web=str(tmp_path / "web"), pages=10, careful=False))
    one.create()
    run(one)
    for change in ({"web": "live"}, {"seed": 3}, {"warc": False}):
        with pytest.raises(SettingError, match="cannot be changed when a crawl is resumed"):
            api.resume(tmp_path / "crawl", **change)
    with pytest.raises(SettingError, match="unknown setting 'pace'"):
        api.resume(tmp_path / "crawl", pace=3)
    api.resume(tmp_path / "crawl", pages=12).finish()  # and nobody holds the folder


def test_hosts_that_were_given_up_are_tried_again_if_told_so(
    crawl: Crawler, server: DemoServer, tmp_path: Path
) -> None:
    def drop(one: Crawl) -> None:
        for host in ("news.demo.test:80", "science.demo.test:80"):
            one.brain.policy.park(one.brain.ranking.host(f"http://{host}/"), "gone")

    crawl(pages=30, setup=drop)
    assert not {"news.demo.test", "science.demo.test"} & {line.host for line in server.log}
    crawl(pages=45, resume=True)
    assert not {"news.demo.test", "science.demo.test"} & {line.host for line in server.log}
    crawl(pages=80, resume=True, retry=True)
    assert {"news.demo.test", "science.demo.test"} & {line.host for line in server.log}


COUNTING = """
version = {version}
keeps = ("met",)
loaded = False
def start(self, brief, seed):
    self.met = 0
def page(self, page):
    self.met += 1
    return [(link.id, 1.0) for link in page.links]
def load(self, state):
    self.loaded = True
    super().load(state)
"""


@pytest.mark.parametrize("version", [1, 2])
def test_a_state_of_another_version_is_not_loaded_but_learnt_again(tmp_path: Path, version: int) -> None:
    write_web(tmp_path / "web", build())
    name = strategy(tmp_path / "counting.py", COUNTING.format(version=1))
    settings = Settings(web=str(tmp_path / "web"), pages=FIRST, careful=False, strategy=name)
    first = Crawl(Folder(tmp_path / "crawl"), demo_topic(), settings)
    first.create()
    run(first)
    strategy(tmp_path / "counting.py", COUNTING.format(version=version))
    second = Crawl(Folder(tmp_path / "crawl"), demo_topic(), settings)
    second.open()
    second.close()
    own: Any = second.brain.ranking.strategy
    assert own.loaded is (version == 1)
    assert own.met == second.brain.ranking.shown == first.brain.ranking.shown > 10


def test_a_topic_without_starts_is_as_it_was_on_resume(tmp_path: Path) -> None:
    write_web(tmp_path / "web", build())
    topic = Topic(name="bees", keywords={"honey bee": 1.0}, examples=demo_topic().examples)
    for pages in (20, 40):
        one = Crawl(Folder(tmp_path / "crawl"), topic, Settings(web=str(tmp_path / "web"), pages=pages, careful=False))
        one.create() if pages == 20 else one.open()
        assert run(one).pages == pages
    assert len(set(visited(tmp_path / "crawl"))) == 40
