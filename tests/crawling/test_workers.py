"""Hands as processes: the same crawl, on more cores."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

from honeyguide.api import demo_topic
from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.events import PageVisited
from honeyguide.crawling.pool import ProcessHands
from honeyguide.demo import build, write_web
from honeyguide.store import Folder
from tests.crawling.conftest import Crawler, run, visited


def test_two_workers_visit_what_one_visits(tmp_path: Path) -> None:
    write_web(tmp_path / "web", build())
    found = []
    for workers in (1, 2):
        # Without its trap, of which an archive too is left before the end: how soon depends on the order.
        chosen = {"web": str(tmp_path / "web"), "deny": (r"//trap\.demo\.test",)}
        settings = Settings(**chosen, pages=10**6, workers=workers)
        one = Crawl(Folder(tmp_path / str(workers)), demo_topic(), settings)
        one.create()
        assert run(one).stop_reason == "nothing left to visit"
        found.append(set(visited(tmp_path / str(workers))))
    assert found[0] == found[1]


def test_workers_fetch_over_http_and_make_careful_records(crawl: Crawler) -> None:
    summary = crawl(pages=40, workers=2, careful=True)
    assert summary.pages == 40
    assert summary.records > 3


def test_a_worker_that_dies_is_replaced_and_its_work_done_again(crawl: Crawler, tmp_path: Path) -> None:
    killed: list[int] = []

    def murder(one: Crawl) -> None:
        visits = one.events.listen(PageVisited)

        def strike() -> None:
            for count, _ in enumerate(visits):
                hands = one._hands
                if count > 5 and isinstance(hands, ProcessHands):
                    killed.append(hands._workers[0].process.pid)
                    os.kill(killed[0], signal.SIGKILL)
                    return

        threading.Thread(target=strike).start()

    summary = crawl(pages=80, delay=0.05, workers=2, setup=murder)
    assert killed
    assert summary.pages == 80
    pages = visited(tmp_path / "crawl")
    assert len(pages) == len(set(pages)) == 80
