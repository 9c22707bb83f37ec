"""A hand keeps the bytes of pages for the records that may be ordered next."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from honeyguide.crawling import Settings
from honeyguide.crawling.hands import Answer, Hand, Order
from honeyguide.crawling.pool import Task
from honeyguide.crawling.traps import SITEMAPS_ONLY
from honeyguide.demo import DemoServer
from honeyguide.web import Scope, ScopeRules
from honeyguide.web.base import Response


def _records(server: DemoServer, **settings: int | bool) -> list[Answer]:
    """What comes of records ordered only after a hundred pages were fetched, as with as many connections."""
    host, (address, port) = next(iter(server.resolve.items()))
    chosen = Settings(open=(f"{address}:{port}",), careful=False, **settings)  # type: ignore[arg-type]
    hand = Task(settings=chosen, rules=ScopeRules(), names=dict(server.resolve)).hand()
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


TEXT = b"Bees make honey in the hive all summer long, and keep it for the winter, when there is nothing to find."


class _OnePage:
    """A web that answers everything in the same way."""

    name, polite = "one page", False

    def __init__(self, body: bytes, *tags: str) -> None:
        self.headers = [("Content-Type", "text/html"), *(("X-Robots-Tag", tag) for tag in tags)]
        self.body = body

    async def fetch(self, url: str, *, cut: int = 0) -> Response:
        return Response(url, status=200, headers=self.headers, body=self.body, fetched=1.0)

    async def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("web", "stored"),
    [
        (_OnePage(b"<title>Bees</title><p>" + TEXT), True),
        (_OnePage(b"<meta name=robots content=noarchive><title>Bees</title><p>" + TEXT), False),
        (_OnePage(b"<title>Bees</title><p>" + TEXT, "max-snippet: 9", "noarchive"), False),
        (_OnePage(b"<title>Bees</title><p>" + TEXT, "otherbot: noarchive"), True),
        (_OnePage(b"%PDF-1.7", "noarchive"), False),
    ],
)
def test_of_a_page_that_wants_no_copies_none_is_stored_but_it_is_read(web: _OnePage, stored: bool) -> None:
    hand = Hand(web, Scope(ScopeRules()), text=True, structure=False, warc=Path("pages.warc.gz"))

    async def go() -> tuple[Answer, Answer]:
        page = await hand.do(Order(0, "http://a.test/"))
        return page, await hand.do(Order(0, "http://a.test/", "record", careful=False))

    page, record = asyncio.run(go())
    assert bool(page.member) is stored
    if not web.body.startswith(b"%PDF"):
        assert page.page is not None
        assert page.page.title == "Bees"
        assert record.text == TEXT.decode()


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ("<sitemapindex><sitemap><loc>http://a.test/1.xml</loc></sitemap></sitemapindex>", SITEMAPS_ONLY),
        ("<urlset><url><loc>http://a.test/1</loc></url></urlset>", ""),
    ],
)
def test_a_sitemap_of_sitemaps_is_told_from_one_of_pages(inside: str, told: str) -> None:
    hand = Hand(_Saying(inside.encode()), Scope(ScopeRules()), text=False, structure=False, warc=None)
    page = asyncio.run(hand.do(Order(0, "http://a.test/map.xml"))).page
    assert page is not None
    assert (page.kind, len(page.links), page.left_out) == ("sitemap", 1, told)


class _Saying:
    """A web of one sitemap."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def fetch(self, url: str, *, cut: int = 0) -> Response:
        return Response(url, 200, [("Content-Type", "application/xml")], self._body, fetched=1.0)
