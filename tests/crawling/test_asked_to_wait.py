"""What servers say in headers: how long to stay away, how long a robots.txt holds, what robots may do with a page."""

from __future__ import annotations

import asyncio
import time
from email.utils import formatdate

import pytest

from honeyguide.crawling.hands import Answer, Hand, Order
from honeyguide.web.base import Response
from honeyguide.web.scope import Scope, ScopeRules


class Saying:
    """A web of one answer."""

    name = "said"
    polite = True

    def __init__(self, status: int, body: bytes, media: str, headers: list[tuple[str, str]]) -> None:
        self._said = (status, [("Content-Type", media), *headers], body)
        self.cut = -1
        self.fetched = time.time()

    async def fetch(self, url: str, *, cut: int = 0) -> Response:
        self.cut = cut
        status, headers, body = self._said
        return Response(url, status, headers, body, fetched=self.fetched)

    async def close(self) -> None:
        pass


def _answer(
    *headers: tuple[str, str],
    status: int = 200,
    body: bytes = b"",
    media: str = "text/html",
    purpose: str = "page",
    ago: float = 0.0,
) -> Answer:
    web = Saying(status, body, media, list(headers))
    web.fetched -= ago
    hand = Hand(web, Scope(ScopeRules()), text=False, structure=False, warc=None)
    answer = asyncio.run(hand.do(Order(0, "http://a.test/x", purpose)))  # type: ignore[arg-type]
    assert (web.cut > 500 * 1024) == (purpose == "robots")
    return answer


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        (" 7 ", 7),
        ("1.5", 1.5),
        ("9" * 9, 10**9 - 1),
        ("9" * 30, 1e9),
        ("9" * 999, 1e9),
        ("30 seconds", 30),
    ]
    + [(wrong, 0) for wrong in ("", "soon", "-5", "\u00b2", "\u0661", "Fri, 99 Foo 2026 00:00:00 GMT")],
)
def test_seconds_to_stay_away(said: str, seconds: float) -> None:
    for status in (429, 503):
        assert _answer(("Retry-After", said), status=status).retry_after == seconds


@pytest.mark.parametrize(
    "said",
    ["Fri, 01 Jan 2100 00:01:30 GMT", "Friday, 01-Jan-00 00:01:30 GMT", "Fri Jan  1 00:01:30 2100"],
)
def test_a_date_to_stay_away_until_is_by_the_servers_clock(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = "Sat, 01 Jan 2000 00:00:00 GMT" if "-00" in said else "Fri, 01 Jan 2100 00:00:00 GMT"
    for zone in ("UTC", "Asia/Tokyo"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert _answer(("Retry-After", said), ("Date", now), status=503).retry_after == 90
    monkeypatch.undo()
    time.tzset()


def test_without_a_date_of_the_server_ours_is_taken() -> None:
    answer = _answer(("Retry-After", formatdate(time.time() + 5_000, usegmt=True)), status=429)
    assert 4_000 < answer.retry_after <= 5_000
    assert _answer(("Retry-After", formatdate(time.time() - 50, usegmt=True)), status=429).retry_after == 0
    assert _answer(("Retry-After", "50")).retry_after == 0  # nothing is wrong


def test_what_is_waited_for_counts_from_the_end_of_the_answer_however_late_it_is_looked_at() -> None:
    until = int(time.time()) + 100
    answer = _answer(("Retry-After", formatdate(until, usegmt=True)), status=429, ago=50.0)
    assert answer.fetched + answer.seconds + answer.retry_after == pytest.approx(until, abs=1e-3)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("max-age=60", 60),
        ("public, Max-Age=60, must-revalidate", 60),
        ('max-age="5"', 5),
        *((other, 0) for other in ("no-cache", "", "s-maxage=60", "max-age=-1", "max-age=x")),
    ],
)
def test_how_long_a_robots_txt_holds(said: str, seconds: float) -> None:
    assert _answer(("Cache-Control", said), purpose="robots").fresh == seconds


@pytest.mark.parametrize(
    ("tags", "noindex", "nofollow"),
    [
        (["noindex"], True, False),
        (["otherbot: noindex", "nofollow"], False, True),
        (["otherbot: none"], False, False),
        (["otherbot: index", "honeyguide: none"], True, True),
        (["otherbot: noindex, honeyguide: nofollow"], False, True),
        (["unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, noindex"], True, False),
        (["max-image-preview: none"], False, False),
        (["HoneyGuide: NoIndex"], True, False),
        (["noindex nofollow"], True, True),
    ],
)
def test_every_x_robots_tag_counts_and_a_name_holds_for_its_own_only(
    tags: list[str], noindex: bool, nofollow: bool
) -> None:
    page = _answer(*(("X-Robots-Tag", tag) for tag in tags), body=b"<p>hello <a href='/y'>there</a>").page
    assert page is not None
    assert (page.noindex, page.nofollow) == (noindex, nofollow)
    assert bool(page.links) != nofollow


def test_a_sitemap_that_says_nofollow_is_not_followed() -> None:
    body = b"<urlset><url><loc>http://a.test/y</loc></url></urlset>"
    for tag, links in (("noindex", 1), ("nofollow", 0), ("honeyguide: none", 0), ("otherbot: none", 1)):
        page = _answer(("X-Robots-Tag", tag), body=body, media="application/xml").page
        assert page is not None
        assert (page.kind, len(page.links)) == ("sitemap", links)
