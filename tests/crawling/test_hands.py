"""A hand keeps the bytes of pages for the records that may be ordered next."""

from __future__ import annotations

import asyncio

from honeyguide.crawling import Settings
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.pool import Task
from honeyguide.demo import DemoServer
from honeyguide.web import Rules


def _records(server: DemoServer, **settings: int | bool) -> list[Answer]:
    """What comes of records ordered only after a hundred pages were fetched, as with as many connections."""
    host, (address, port) = next(iter(server.resolve.items()))
    chosen = Settings(open=(f"{address}:{port}",), careful=False, **settings)  # type: ignore[arg-type]
    hand = Task(settings=chosen, rules=Rules(), names=dict(server.resolve)).hand()
    url = f"http://{host}/"

    async def go() -> list[Answer]:
        for number in range(100):
            await hand.do(Order(number, url))
        records = [await hand.do(Order(number, url, "record", careful=False)) for number in range(100)]
        await hand.close()
        return records

    return asyncio.run(go())


def test_as_many_pages_are_kept_as_may_be_under_way(server: DemoServer) -> None:
    assert [answer.error for answer in _records(server, connections=50)] == [""] * 100


def test_nothing_is_kept_where_no_record_will_be_made(server: DemoServer) -> None:
    assert all("no longer at hand" in answer.error for answer in _records(server, connections=50, text=False))
