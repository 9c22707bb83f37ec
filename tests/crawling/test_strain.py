"""Workers that die, are stopped or hang, pipes that are full, and time that is up: no host and no page pays for it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from proofs.strain_server import Healthy

from honeyguide.crawling import Crawl, Settings, processes
from honeyguide.crawling.crawl import run
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.pool import ProcessHands, Task
from honeyguide.store import Folder, Store
from honeyguide.web import ScopeRules
from tests.crawling.conftest import visited
from tests.crawling.strain import QUICK, beside, make, parked, until

# -- workers ------------------------------------------------------------------------------------------------------


def test_workers_that_are_killed_again_and_again_cost_no_host_a_page(tmp_path: Path) -> None:
    with Healthy(20, 10, slow=0.02) as server:
        one = make(server, tmp_path / "crawl", workers=2, patience=1)
        deaths: list[int] = []

        def murder() -> None:
            for number in range(8):
                until(lambda: sum(server.asked.values()) > 20 * number)  # noqa: B023
                hands = one._hands
                assert isinstance(hands, ProcessHands)
                until(lambda: hands._workers)  # noqa: B023
                deaths.append(hands._workers[0].process.pid)
                os.kill(deaths[-1], signal.SIGKILL)
                until(lambda: deaths[-1] not in [one.process.pid for one in hands._workers])  # noqa: B023

        with beside(murder):
            summary = run(one)
    assert summary.stop_reason == "nothing left to visit"
    assert len(deaths) == 8
    assert parked(tmp_path / "crawl") == {}
    assert sorted(visited(tmp_path / "crawl")) == sorted(server.urls)


def test_a_page_that_kills_workers_is_given_up_and_those_beside_it_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The child's own parser dies over a page that says so.
    place = tmp_path / "deadly"
    place.mkdir()
    (place / "deadly_worker.py").write_text(
        "import os, signal, socket, sys\n"
        "from honeyguide.crawling import worker\n"
        "from honeyguide.crawling.hands import Hand\n"
        "look = Hand._look\n"
        "async def deadly(hand, order, response, answer):\n"
        "    if b'deadly' in response.body:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    await look(hand, order, response, answer)\n"
        "Hand._look = deadly\n"
        "worker.main(socket.socket(fileno=int(sys.argv[1])))\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(place), prepend=os.pathsep)
    start = processes.start_child
    monkeypatch.setattr(processes, "start_child", lambda module: start("deadly_worker"))
    with Healthy(12, 6, odd={"kill": b"<p>a deadly page"}) as server:
        one = make(server, tmp_path / "crawl", "http://healthy-0.test/kill", workers=2)
        summary = run(one)
    assert summary.stop_reason == "nothing left to visit"
    assert parked(tmp_path / "crawl") == {}
    assert set(visited(tmp_path / "crawl")) == {*server.urls, "http://healthy-0.test/kill"}
    store = Store.open(Folder(tmp_path / "crawl").database, read_only=True)
    failed = [(store.url(visit.url).url, visit.detail) for visit in store.visits() if visit.outcome == "failed"]
    store.close()
    told = "4 worker processes died over it, the last 2 with nothing else to do"
    assert failed == [("http://healthy-0.test/kill", told)]


def test_workers_that_die_at_birth_end_the_crawl_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = processes.start_child
    monkeypatch.setattr(processes, "start_child", lambda module: start("honeyguide.no_such_module"))
    with Healthy(2, 2) as server:
        summary = run(make(server, tmp_path / "crawl", workers=2))
    assert summary.stop_reason == "broken off: worker processes die as soon as they start, with code 1"
    assert parked(tmp_path / "crawl") == {}


def _hands(server: Healthy, workers: int = 1, **options: Any) -> ProcessHands:
    settings = Settings(open=("127.0.0.1",), workers=2)
    return ProcessHands(Task(settings=settings, rules=ScopeRules(), names=server.names()), workers, 8, **options)


def test_a_worker_that_was_stopped_is_replaced_and_its_orders_come_back_as_our_fault() -> None:
    async def ask(hands: ProcessHands, order: Order) -> list[Answer]:
        """Ask until there is an answer, as the brain does."""
        found: list[Answer] = []
        while not found or (found[-1].ours and not found[-1].lasting):
            hands.give(order)
            while not (came := await hands.take(1.0)):
                pass
            found += came
        return found

    async def go(server: Healthy) -> list[Answer]:
        hands = _hands(server, tick=0.2)
        await ask(hands, Order(0, server.urls[0]))
        first = hands._workers[0]
        os.kill(first.process.pid, signal.SIGSTOP)
        found = await ask(hands, Order(1, server.urls[1]))
        assert first not in hands._workers
        assert first.process.poll() is not None
        await hands.close()
        return found

    with Healthy(1, 2) as server:
        found = asyncio.run(go(server))
    assert (found[0].status, found[0].ours, found[0].lasting) == (0, True, False)
    assert found[-1].status == 200


def test_answers_larger_than_any_pipe_and_orders_beyond_counting_never_meet_in_a_deadlock() -> None:
    """Each side writes more than a socket holds before the other reads a byte."""

    async def go(server: Healthy) -> set[int]:
        hands = _hands(server, workers=2)
        url = server.urls[0] + "?" + "x" * 1_500
        for number in range(800):
            hands.give(Order(number, url))
        time.sleep(2.0)  # the brain is busy: it reads nothing while answers pile up
        for number in range(800, 1_600):
            hands.give(Order(number, url))
        found: set[int] = set()
        while len(found) < 1_600:
            found |= {answer.order.number for answer in await hands.take(1.0)}
        await hands.close()
        return found

    with Healthy(1, 1, size=100_000) as server:
        assert asyncio.run(go(server)) == set(range(1_600))


# -- time -----------------------------------------------------------------------------------------------------------


def _time_is_up_soon(one: Crawl) -> None:
    one.settings = msgspec.structs.replace(one.settings, seconds=one.seconds + 0.5)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_end_of_time_is_the_end_however_slow_the_answers(tmp_path: Path, workers: int) -> None:
    with Healthy(4, 3, slow=1_000.0) as server:
        one = make(server, tmp_path / "crawl", workers=workers, read_timeout=900.0, total_timeout=900.0)

        def watch() -> None:
            until(lambda: server.asked[server.hosts[0], "/"])
            _time_is_up_soon(one)

        with beside(watch):
            summary = run(one)  # ends long before the first answer
    assert summary.stop_reason.startswith("the time of")
    assert (summary.pages, parked(tmp_path / "crawl")) == (0, {})


def test_a_worker_that_hangs_does_not_hold_up_the_end_of_time_and_its_pages_are_had_on_resume(tmp_path: Path) -> None:
    with Healthy(8, 4, slow=0.05) as server:
        one = make(server, tmp_path / "crawl", workers=2)

        def stop_them() -> None:
            until(lambda: sum(server.asked.values()) > 12)
            assert isinstance(one._hands, ProcessHands)
            for worker in one._hands._workers:
                os.kill(worker.process.pid, signal.SIGSTOP)
            _time_is_up_soon(one)

        with beside(stop_them):
            assert run(one).stop_reason.startswith("the time of")
        settings = Settings(**{**QUICK, "workers": 2})
        again = Crawl(one.folder, one.topic, settings, names=server.names(), opened=(f"127.0.0.1:{server.port}",))
        again.open()
        assert run(again).stop_reason == "nothing left to visit"
    assert sorted(visited(tmp_path / "crawl")) == sorted(server.urls)
