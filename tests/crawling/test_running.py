"""A crawl under way: what it tells to those who listen, and how it takes what is said to it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from honeyguide.api import Run, demo_topic
from honeyguide.crawling import Progress, Settings, status
from honeyguide.crawling.events import Event, HostChanged, Listener, PageVisited, RecordKept, VerdictTurned
from honeyguide.demo import DemoServer
from honeyguide.errors import HoneyguideError, SettingError
from honeyguide.page.record import Record
from honeyguide.store import Folder, Store, VisitRow

PATIENCE = 60.0  # seconds; reached only when something hangs
BATCH = 64  # answers a transaction may hold, and as many more that come in at once

Start = Callable[..., Run]


@pytest.fixture
def start(server: DemoServer, tmp_path: Path) -> Iterator[Start]:
    """Begin a crawl of the demo web, in its own thread, that would go on for long."""
    runs: list[Run] = []

    def go(**settings: Any) -> Run:
        chosen = Settings(**{"web": "demo", "delay": 0.02, "pages": 1_500, "careful": False, **settings})
        run = Run(Folder(tmp_path / "crawl"), demo_topic(), chosen, fresh=True, server=server)
        runs.append(run)
        return run

    yield go
    for run in runs:
        run.close()


def wait_for(events: Listener, good: Callable[[Any], bool]) -> tuple[Any, list[Event]]:
    """The first event of a kind, and those before it."""
    before: list[Event] = []
    while (event := events.take(PATIENCE)) is not None:
        if good(event):
            return event, before
        before.append(event)
    pytest.fail("the crawl told nothing of the kind")


def stored(folder: Path, url: str) -> tuple[VisitRow, Record | None]:
    """A page as it is on disk."""
    store = Store.open(folder / "crawl.db", read_only=True)
    try:
        row = store.find_url(url)
        assert row is not None
        visit = store.visits_of(row.id)[-1]
        return visit, store.records.get(visit.id)
    finally:
        store.close()


# -- listening ----------------------------------------------------------------------------------------------------


def test_a_listener_that_is_stuck_on_its_first_event_holds_up_nobody(start: Start) -> None:
    run = start(pages=120)
    events, quick = run.listen(RecordKept), run.listen(RecordKept)
    over, taken = threading.Event(), list[Event]()

    def slow() -> None:
        for event in events:
            taken.append(event)
            over.wait(PATIENCE)

    thread = threading.Thread(target=slow)
    thread.start()
    summary = run.finish()
    assert len(taken) == 1
    assert (summary.pages, summary.records > 20) == (120, True)
    over.set()
    thread.join(PATIENCE)
    assert taken == list(quick)  # late, but all of it
    assert len(taken) >= summary.records


def test_whoever_takes_a_record_a_day_does_not_slow_the_crawl_either(start: Start) -> None:
    run = start(pages=120)
    first = next(run)
    while run.summary is None:
        time.sleep(0.05)
    others = list(run)
    assert run.summary.pages == 120
    assert first.url not in {record.url for record in others}
    assert len(others) + 1 >= run.summary.records - 1  # but for one that the judge took back meanwhile


def test_what_is_told_is_on_disk(start: Start, tmp_path: Path) -> None:
    run = start(pages=60)
    events = run.listen(PageVisited, RecordKept)
    run.go()
    told = 0
    for event in events:
        assert isinstance(event, PageVisited | RecordKept)
        visit, _ = stored(tmp_path / "crawl", event.url)
        if isinstance(event, PageVisited):
            told += 1
            assert (visit.outcome, visit.title, visit.reason) == (event.outcome, event.title, event.reason)
            assert event.reason
    assert told == 60


def test_of_waiting_reports_of_progress_only_the_last_is_kept() -> None:
    def progress(pages: int) -> Progress:
        none = {"on_topic": 0, "records": 0, "queued": 0, "known": 0, "hosts": 0, "under_way": 0}
        return Progress(phase="", pages=pages, budget=9, seconds=1.0, **none)

    listener = Listener()
    for pages in range(5):
        listener.put([progress(pages)])
    listener.put([HostChanged("a.test:80", "gone")])
    listener.put([progress(9)])
    listener.close()
    assert [getattr(event, "pages", "host") for event in listener] == [4, "host", 9]


# -- labels -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", [True, False])
def test_a_label_given_to_a_running_crawl_is_obeyed_within_a_batch(start: Start, tmp_path: Path, said: bool) -> None:
    run = start()
    pages, records = run.listen(PageVisited), run.listen(RecordKept)
    run.go()
    if said:
        url = wait_for(pages, lambda page: page.outcome == "page" and not page.on_topic and page.title)[0].url
    else:
        url = wait_for(records, lambda _: True)[0].url
    after = run.listen(PageVisited, VerdictTurned)
    run.control.label({url: said}).result(PATIENCE)
    turned, before = wait_for(after, lambda event: isinstance(event, VerdictTurned) and event.url == url)
    assert (turned.on_topic, turned.relevance) == (said, float(said))
    assert sum(isinstance(event, PageVisited) for event in before) <= 2 * BATCH
    if said:
        wait_for(records, lambda record: record.url == url)
    run.close()
    visit, record = stored(tmp_path / "crawl", url)
    assert (visit.on_topic, visit.relevance, record is not None) == (said, float(said), said)
    assert f"labelled {'right' if said else 'wrong'} by a person" in visit.verdict
    assert status(Folder(tmp_path / "crawl"))["labels"] == 1


def test_a_page_that_was_not_visited_cannot_be_labelled_and_the_crawl_goes_on(start: Start) -> None:
    run = start(pages=40)
    run.go()
    with pytest.raises(HoneyguideError, match="was not visited"):
        run.control.label({"http://nowhere.test/": True}).result(PATIENCE)
    assert run.finish().pages == 40


# -- pausing ------------------------------------------------------------------------------------------------------


def test_a_paused_crawl_asks_nobody_for_anything_until_it_goes_on(start: Start, server: DemoServer) -> None:
    run = start(pages=200, delay=0.0)
    pages, progress = run.listen(PageVisited), run.listen(Progress)
    run.go()
    wait_for(pages, lambda _: True)
    run.control.pause().result(PATIENCE)
    wait_for(progress, lambda now: now.phase == "paused" and now.under_way == 0)
    asked = len(server.log)
    time.sleep(1.0)  # without a delay, hundreds of requests
    assert len(server.log) == asked
    assert run.summary is None
    run.control.go_on().result(PATIENCE)
    summary = run.finish()
    assert summary.stop_reason == "the budget of 200 pages is spent"
    assert len(server.log) > asked


def test_a_paused_crawl_can_be_stopped(start: Start) -> None:
    run = start()
    run.go()
    run.control.pause().result(PATIENCE)
    run.stop("enough")
    assert run.finish().stop_reason == "enough"


# -- hosts --------------------------------------------------------------------------------------------------------


def test_a_dropped_host_is_left_alone_and_may_be_taken_up_again(start: Start, server: DemoServer) -> None:
    run = start(delay=0.0, strategy="breadth-first")
    pages, progress, hosts = run.listen(PageVisited), run.listen(Progress), run.listen(HostChanged)
    run.go()

    def pause() -> None:
        run.control.pause().result(PATIENCE)
        wait_for(progress, lambda now: now.phase == "paused" and now.under_way == 0)

    def visits(number: int) -> None:
        for _ in range(number):
            wait_for(pages, lambda _: True)

    visits(60)
    pause()
    name = "news.demo.test"
    assert run.control.drop_host(name).result(PATIENCE) > 0
    asked = sum(line.host == name for line in server.log)
    run.control.go_on().result(PATIENCE)
    told, _ = wait_for(hosts, lambda host: host.host.startswith(name))
    assert told.parked == "dropped by the user"
    visits(100)
    pause()
    assert sum(line.host == name for line in server.log) == asked > 0
    assert run.control.retry_host(name).result(PATIENCE) > 0
    run.control.go_on().result(PATIENCE)
    assert wait_for(hosts, lambda host: host.host.startswith(name))[0].parked == ""
    wait_for(pages, lambda page: f"//{name}/" in page.url)
    assert sum(line.host == name for line in server.log) > asked
    with pytest.raises(HoneyguideError, match=r"knows no host 'nowhere\.test'"):
        run.control.drop_host("nowhere.test").result(PATIENCE)


def test_a_host_dropped_while_running_stays_dropped_over_a_resume(start: Start, tmp_path: Path) -> None:
    run = start(delay=0.0)
    pages = run.listen(PageVisited)
    run.go()
    wait_for(pages, lambda page: "//news.demo.test/" in page.url)
    run.control.drop_host("news.demo.test").result(PATIENCE)
    run.close()
    parked = status(Folder(tmp_path / "crawl"))["parked_hosts"]
    assert parked["news.demo.test:80"] == "dropped by the user"


# -- settings -----------------------------------------------------------------------------------------------------


def test_the_budget_of_a_running_crawl_can_be_changed_and_that_is_on_record(start: Start, tmp_path: Path) -> None:
    run = start(pages=60)
    pages = run.listen(PageVisited)
    run.go()
    wait_for(pages, lambda _: True)
    run.control.pause().result(PATIENCE)
    assert run.control.change(pages=110, delay=0.01).result(PATIENCE).pages == 110
    run.control.go_on().result(PATIENCE)
    summary = run.finish()
    assert (summary.pages, summary.stop_reason) == (110, "the budget of 110 pages is spent")
    manifest = json.loads((tmp_path / "crawl" / "manifest.json").read_text())
    assert manifest["settings"]["pages"] == status(Folder(tmp_path / "crawl"))["budget"] == 110
    changes = {change["name"]: (change["from"], change["to"]) for change in manifest["changes"]}
    assert changes == {"pages": (60, 110), "delay": (0.02, 0.01)}
    assert all(0 < change["after"] <= 110 for change in manifest["changes"])


def test_a_smaller_budget_than_is_spent_ends_the_crawl(start: Start) -> None:
    run = start()
    pages = run.listen(PageVisited)
    run.go()
    for _ in range(20):
        wait_for(pages, lambda _: True)
    run.control.change(pages=5).result(PATIENCE)
    assert run.finish().stop_reason.startswith("the budget of 5 pages was spent before")


def test_what_makes_no_sense_is_refused_and_the_crawl_goes_on(start: Start) -> None:
    run = start(pages=60)
    run.go()
    with pytest.raises(HoneyguideError, match="'strategy' cannot be changed while a crawl runs"):
        run.control.change(strategy="cosine").result(PATIENCE)
    with pytest.raises(SettingError, match="pages must be more than 0"):
        run.control.change(pages=0).result(PATIENCE)
    assert run.finish().pages == 60


def test_to_a_crawl_that_is_over_nothing_can_be_said(start: Start) -> None:
    run = start(pages=10)
    run.finish()
    with pytest.raises(HoneyguideError, match="the crawl is over; resume it"):
        run.control.pause().result(PATIENCE)
