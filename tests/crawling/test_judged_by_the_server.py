"""Politeness in small: the proof's own server, crawls and judge, with fewer hosts and shorter waits."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from proofs.polite import crawl, crowd_rate, failing, judged, parked, town, unasked, wrongly_kept
from proofs.polite_judge import Asked, Log, faults, growing

from honeyguide.crawling import Crawl, Progress
from honeyguide.crawling.pool import ProcessHands

QUICK = {"delay": 0.1, "connections": 10, "patience": 3, "total_timeout": 5.0, "read_timeout": 3.0}


def test_a_whole_town_has_nothing_to_complain_of(tmp_path: Path) -> None:
    with town(tmp_path, ordinary=3, pages=4, patience=1) as one:
        crawl(one, tmp_path / "crawl", **QUICK)
    log, bad = judged(one, delay=0.1, connections=10)
    assert bad == []
    assert len(log.hosts()) > 50
    assert unasked(one, log) == []
    met, steady = failing(one, log, 0.1)
    assert (met > 8, steady) == (True, [])
    assert parked(one, tmp_path / "crawl") == []
    assert wrongly_kept(tmp_path / "crawl") == []


def test_three_workers_are_as_polite_as_one_even_when_one_of_them_dies(tmp_path: Path) -> None:
    killed: list[int] = []
    over = threading.Event()

    def strike(run: Crawl) -> None:
        while not over.wait(0.01) and not killed:
            hands = run._hands
            for worker in list(hands._workers) if isinstance(hands, ProcessHands) else ():
                # With a request under way, which must not be made again before its time.
                silent = any("silent" in order.url for order in list(worker.orders.values()))
                if silent and "silent" in one.log.read_text(encoding="utf-8"):
                    killed.append(worker.process.pid)
                    os.kill(worker.process.pid, signal.SIGKILL)
                    break

    def murder(run: Crawl) -> None:
        threading.Thread(target=strike, args=(run,)).start()

    with town(
        tmp_path, pattern="plain|busy-4|hops|away|own|rules|fail-r|t-silent", ordinary=6, pages=6, patience=1
    ) as one:
        try:
            crawl(one, tmp_path / "crawl", workers=3, setup=murder, **QUICK)
        finally:
            over.set()
    assert killed
    log, bad = judged(one, delay=0.1, connections=10)
    # What a worker had been answered and not passed on is lost with it, and asked for again.
    assert [fault for fault in bad if not fault.endswith("robots.txt asked for 2 times")] == []
    assert unasked(one, log) == []
    assert log.most_open > 1


def test_who_wants_to_be_left_alone_is_left_alone_over_a_resume(tmp_path: Path) -> None:
    def stop_soon(run: Crawl) -> None:
        run.events.tell(lambda _: run.stop() if '"until"' in one.log.read_text(encoding="utf-8") else None, Progress)

    with town(tmp_path, pattern="busy-[4r]|plain", ordinary=2, pages=9, patience=3) as one:
        assert crawl(one, tmp_path / "crawl", setup=stop_soon, **QUICK).stop_reason == "stopped by the user"
        crawl(one, tmp_path / "crawl", resume=True, **QUICK)
    log, bad = judged(one, delay=0.1, connections=10)
    assert bad == []
    assert sum(ask.until > 0 for ask in log.asked) >= 3
    assert unasked(one, log) == []


def test_a_robots_txt_is_read_again_when_it_has_aged_and_what_it_then_says_holds(tmp_path: Path) -> None:
    with town(tmp_path, pattern="brief", ordinary=0, pages=0, patience=1, brief=45) as one:
        crawl(one, tmp_path / "crawl", **{**QUICK, "delay": 0.05})
    log, bad = judged(one, delay=0.05)
    assert bad == []
    again = [ask.status for ask in log.asked if ask.path == "/robots.txt"]
    assert len(again) > 1  # twice, or more often where the crawl takes long
    assert set(again) == {200}
    assert any(ask.path.startswith("/soon") for ask in log.asked)  # before it was forbidden


def test_hosts_that_keep_us_waiting_do_not_hold_up_the_others(tmp_path: Path) -> None:
    alone, pages = crowd_rate(tmp_path / "alone", bad=False, quiet=6, pages=14, delay=0.25)
    beside, same = crowd_rate(tmp_path / "beside", bad=True, quiet=6, pages=14, delay=0.25)
    assert pages == same == 84
    assert beside > 0.4 * alone  # a host that keeps silent for five seconds would leave a tenth of it


# -- the judge ----------------------------------------------------------------------------------------------------


def asked(path: str, start: float, end: float, **more: object) -> Asked:
    own = path == "/robots.txt"
    facts: dict[str, object] = {"status": 200, "robots": own, **more}
    return Asked("a.test", path, "honeyguide/1", 1, start, start, end, **facts)  # type: ignore[arg-type]


ROBOTS = asked("/robots.txt", 0.0, 0.1)
RUDE = {
    "too soon": ([ROBOTS, asked("/a", 0.5, 0.6)], "0.4000 seconds after"),
    "sooner than its own delay": ([asked("/robots.txt", 0, 0.1, delay=9.0), asked("/a", 5, 6)], "not 9"),
    "at once": ([ROBOTS, asked("/a", 2, 5), asked("/b", 3, 4)], "two at once"),
    "before it may": ([ROBOTS, asked("/a", 2, 3, status=503, until=9.0), asked("/b", 8, 9)], "before it may be asked"),
    "no robots.txt": ([asked("/a", 2, 3), asked("/robots.txt", 5, 6)], "/a before robots.txt"),
    "robots.txt twice": ([ROBOTS, asked("/robots.txt", 5, 6)], "asked for 2 times"),
    "forbidden": ([ROBOTS, asked("/never/1", 5, 6)], "is forbidden"),
    "forbidden by now": ([asked("/robots.txt", 0, 1, closes="/x"), asked("/x/1", 5, 6)], "is forbidden"),
    "nameless": ([ROBOTS, Asked("a.test", "/a", "curl", 1, 5, 5, 6, 200)], "asked for by curl"),
}  # fmt: skip


@pytest.mark.parametrize("name", RUDE)
def test_the_judge_sees(name: str) -> None:
    requests, words = RUDE[name]
    assert any(words in fault for fault in faults(Log(requests), delay=1.0, connections=4))


def test_the_judge_counts_connections_and_passes_what_is_polite() -> None:
    fine = [ROBOTS, asked("/a", 2, 3, status=503, until=5.0), asked("/a", 5.5, 6), asked("/b", 8, 9)]
    assert faults(Log(fine, most_open=4), delay=1.0, connections=4) == []
    assert faults(Log(fine, most_open=5), delay=1.0, connections=4) == ["5 connections open at once"]
    assert growing([asked("/a", at, at, status=500) for at in (0, 2, 6, 14)], 1.0)
    assert not growing([asked("/a", at, at, status=500) for at in (0, 2, 4, 6)], 1.0)
