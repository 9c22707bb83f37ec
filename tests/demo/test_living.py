"""The living demo web: a day of news, the same in every run, shown by the hour."""

from __future__ import annotations

import asyncio
from collections import Counter

import aiohttp
import pytest

from honeyguide.crawling.clock import DrivenClock
from honeyguide.demo import DemoPage, DemoServer, LivingWeb
from honeyguide.demo.living import INTERVALS

DAY = 86_400.0


class Living(LivingWeb):
    """A web whose hour a test sets."""

    def __init__(self) -> None:
        self.hour = 0.0
        super().__init__(clock=lambda: self.hour)

    def at(self, hour: float, url: str) -> DemoPage:
        self.hour = hour
        page = self.find(url)
        assert page is not None
        return page


@pytest.fixture(scope="module")
def web() -> Living:
    return Living()


def test_the_day_is_the_same_in_every_run_and_all_kinds_of_things_happen(web: Living) -> None:
    assert web.events == LivingWeb(clock=lambda: 0.0).events
    assert all(0 < event.at < DAY for event in web.events)
    kinds = Counter(event.what for event in web.events)
    assert (kinds["new"], kinds["changed"], kinds["gone"]) == (96, 16, 10)
    for site, interval in INTERVALS.items():
        phases = {event.at % interval for event in web.events if event.host == site and event.what == "new"}
        assert max(phases) - min(phases) < 1e-6, "a site publishes at its own interval"


def test_what_is_new_is_named_where_its_site_names_things_and_nowhere_before(web: Living) -> None:
    event = next(one for one in web.events if one.what == "new" and one.host == "news")
    for url in ("http://news.demo.test/feed.xml", "http://news.demo.test/sitemap.xml"):
        assert event.url not in web.at(event.at - 1, url).text
        assert event.url in web.at(event.at, url).text
    web.hour = event.at - 1
    sections = [f"http://news.demo.test/{path}" for path in ("", "s/1/", "s/2/", "s/3/")]
    assert all(event.url not in web.at(event.at - 1, url).links for url in sections)
    assert any(event.url in web.at(event.at, url).links for url in sections)


def test_articles_change_and_vanish_at_their_hour(web: Living) -> None:
    for event in web.events:
        sooner, later = web.at(event.at - 1, event.url), web.at(event.at, event.url)
        if event.what == "changed":
            assert len(later.text) > len(sooner.text)
        else:
            assert (sooner.status, later.status) == ((200, 404) if event.what == "gone" else (404, 200))


async def _statuses(server: DemoServer, url: str, times: int) -> list[int]:
    """What a page answers, asked so often: if there is something newer than the last time."""
    found, tag = [], ""
    async with aiohttp.ClientSession() as session:
        for _ in range(times):
            headers = {"Host": url.split("/")[2], "If-None-Match": tag}
            address = f"http://127.0.0.1:{server.address[1]}/{url.split('/', 3)[3]}"
            async with session.get(address, headers=headers) as answer:
                found.append(answer.status)
                tag = answer.headers.get("ETag", "")
    return found


def test_the_server_shows_the_hour_of_its_clock_and_writes_it_into_its_log() -> None:
    clock = DrivenClock(1_000_000.0)
    living = LivingWeb(clock.wall, clock.begin)
    event = next(one for one in living.events if one.what == "new")

    async def ask() -> None:
        async with DemoServer(living=living) as server:
            assert await _statuses(server, event.url, 1) == [404]
            await clock.wait(event.at)
            assert await _statuses(server, event.url, 2) == [200, 304]
            assert [line.time_start for line in server.log] == [1_000_000.0] + 2 * [1_000_000.0 + event.at]

    asyncio.run(ask())
