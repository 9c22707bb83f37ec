"""Politeness as the server saw it."""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate, pairwise
from pathlib import Path

from honeyguide.crawling import Crawl, Progress
from honeyguide.demo import DemoServer, LogLine
from honeyguide.store import Store
from tests.crawling.conftest import CRAWL_DELAY, Crawler

SLACK = 0.004  # the server's clock stops a moment after the client has read the last byte


def by_host(log: list[LogLine]) -> dict[str, list[LogLine]]:
    hosts: dict[str, list[LogLine]] = defaultdict(list)
    for line in sorted(log, key=lambda line: line.time_start):
        hosts[line.host].append(line)
    return hosts


def test_no_host_is_asked_again_before_its_delay_is_over(crawl: Crawler, server: DemoServer) -> None:
    crawl(pages=150, delay=0.1)
    hosts = by_host(server.log)
    assert len(hosts) > 5
    for host, lines in hosts.items():
        for before, after in pairwise(lines):
            assert after.time_start - before.time_end >= 0.1 - SLACK, (host, before, after)


def test_a_longer_crawl_delay_of_the_host_is_kept(crawl: Crawler, server: DemoServer) -> None:
    def stop_soon(one: Crawl) -> None:
        one.events.tell(lambda _: one.stop() if len(by_host(server.log)["mirror.demo.test"]) > 4 else None, Progress)

    crawl(pages=2_000, delay=0.0, strategy="breadth-first", deny=(r"trap\.demo\.test",), setup=stop_soon)
    lines = by_host(server.log)["mirror.demo.test"]
    assert len(lines) > 2
    for before, after in pairwise(lines[1:]):
        assert after.time_start - before.time_end >= CRAWL_DELAY - SLACK


def test_robots_txt_comes_first_and_once_and_is_obeyed(crawl: Crawler, server: DemoServer, tmp_path: Path) -> None:
    crawl(pages=2_000, delay=0.0, strategy="breadth-first", deny=(r"trap\.demo\.test",))
    for host, lines in by_host(server.log).items():
        assert lines[0].path == "/robots.txt", host
        assert sum(line.path == "/robots.txt" for line in lines) == 1, host
    store = Store.open(tmp_path / "crawl" / "crawl.db", read_only=True)
    refused = {store.url(number).url for _, number in store.refused()}
    store.close()
    assert refused
    asked = {f"http://{line.host}{line.path}" for line in server.log}
    assert not refused & asked


def test_one_request_at_a_time_to_a_host(crawl: Crawler, server: DemoServer) -> None:
    crawl(pages=200, delay=0.0, connections=64)
    for host, lines in by_host(server.log).items():
        for before, after in pairwise(lines):
            assert after.time_start >= before.time_end - SLACK, (host, before, after)


def test_an_honest_name_and_a_contact_are_sent(crawl: Crawler, server: DemoServer) -> None:
    crawl(pages=8, contact="me@example.org")
    assert {line.user_agent.partition("/")[0] for line in server.log} == {"honeyguide"}
    assert all("me@example.org" in line.user_agent for line in server.log)


def test_a_busy_host_is_left_alone_for_as_long_as_it_asks(crawl: Crawler, server: DemoServer) -> None:
    crawl(pages=2_000, delay=0.0, strategy="breadth-first", deny=(r"trap\.demo\.test",))
    hosts = by_host(server.log)
    asked = False
    for lines in hosts.values():
        for before, after in pairwise(lines):
            if before.status == 503:
                asked = True
                assert after.time_start - before.time_end >= 1.0 - SLACK
    assert asked


def test_a_server_of_ones_own_may_be_asked_for_several_pages_at_once(crawl: Crawler, server: DemoServer) -> None:
    crawl(pages=300, delay=0.0, at_once=3, connections=64, strategy="breadth-first", deny=(r"trap\.demo\.test",))
    most: dict[str, int] = {}
    for host, lines in by_host(server.log).items():
        assert lines[0].path == "/robots.txt"
        assert all(line.time_start >= lines[0].time_end - SLACK for line in lines[1:]), host  # it is read alone
        begun = [(line.time_start, 0, 1) for line in lines]
        over = [(max(line.time_start, line.time_end - SLACK), 1, -1) for line in lines]
        most[host] = max(accumulate(step for _, _, step in sorted(begun + over)))
    assert 1 < max(most.values()) <= 3  # on a busy machine the server may answer sooner than a third is asked
    assert most["mirror.demo.test"] == 1  # it asks for a Crawl-delay
