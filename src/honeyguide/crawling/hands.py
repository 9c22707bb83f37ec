"""A hand does all that is heavy and needs no memory: fetch, decode, parse, extract.

It takes an order and brings an answer. It does not know the frontier, the store or the topic, so there may be one
or many, here or in other processes.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Literal

import msgspec

from honeyguide.page import feeds
from honeyguide.page.charset import to_utf8
from honeyguide.page.digest import Digest, Link, encode
from honeyguide.page.parse import Parser
from honeyguide.store.store import pack
from honeyguide.web.archive import ArchiveWeb
from honeyguide.web.base import Response, Web
from honeyguide.web.scope import Scope
from honeyguide.web.urls import Base
from honeyguide.web.warc import read_response, response_record

__all__ = ["Answer", "Hand", "Order"]

_ROBOTS_LIMIT = 512_000
_REMEMBERED = 64  # bodies kept for a record that may be ordered next
_HTML_MEDIA = ("text/html", "application/xhtml+xml")


class Order(msgspec.Struct, array_like=True):
    """What the brain wants done."""

    number: int  # of the URL; for robots.txt, of the host
    url: str
    purpose: Literal["page", "robots", "record"] = "page"
    warc: int | None = None  # where the page's bytes are, for a record of an earlier visit
    warc_size: int | None = None
    language: str = ""
    visit: int = 0
    careful: bool = True  # a record by the careful tools; else only the quick text


class Answer(msgspec.Struct, array_like=True):
    """What came of an order."""

    order: Order
    status: int = 0
    error: str = ""
    lasting: bool = False
    whole_host: bool = False
    ours: bool = False  # the fault is ours, not the host's: a page that broke a parser
    fetched: float = 0.0
    seconds: float = 0.0
    media: str = ""
    size: int = 0
    location: str = ""
    retry_after: float = 0.0
    body: bytes = b""  # of robots.txt only
    packed: bytes = b""  # the digest as the store keeps it
    member: bytes = b""  # the answer as a WARC record
    record: bytes = b""
    text: str = ""  # the quick text, where that was ordered
    page: Digest | None = None  # the digest itself, between a hand and a brain of one process


class Hand:
    """Fetches and looks."""

    def __init__(self, web: Web, scope: Scope, *, text: bool, structure: bool, warc: Path | None) -> None:
        self._web = web
        self.note = web.damage if isinstance(web, ArchiveWeb) else ""
        self._scope = scope
        self._parser = Parser(scope, structure=structure)
        self._text = text
        self._warc = warc
        self._bodies: OrderedDict[int, tuple[bytes, str | None, float]] = OrderedDict()

    async def do(self, order: Order) -> Answer:
        """Carry out one order; never raises because of what is on the web."""
        if order.purpose == "record":
            return self._record(order)
        response = await self._web.fetch(order.url)
        answer = Answer(
            order,
            status=response.status,
            error=response.error,
            lasting=response.lasting,
            whole_host=response.whole_host,
            fetched=response.fetched,
            seconds=response.seconds,
            media=response.media,
            size=len(response.body),
        )
        if response.status in (301, 302, 303, 307, 308):
            answer.location = Base(order.url).join(response.header("location").strip()) or ""
        if response.status in (429, 503):
            answer.retry_after = _retry_after(response.header("retry-after"))
        if order.purpose == "robots":
            answer.body = response.body[:_ROBOTS_LIMIT]
            return answer
        if self._warc is not None and response.status and not response.error:
            answer.member = response_record(response)
        if response.status == 200 and response.body:
            self._look(order, response, answer)
        return answer

    async def close(self) -> None:
        """Let go of the web."""
        await self._web.close()

    def _look(self, order: Order, response: Response, answer: Answer) -> None:
        page = self._digest(order.url, response)
        if page.kind == "html":
            self._bodies[order.number] = (response.body, response.charset, response.fetched)
            if len(self._bodies) > _REMEMBERED:
                self._bodies.popitem(last=False)
        answer.page = page
        answer.packed = pack(encode(page))

    def _digest(self, url: str, response: Response) -> Digest:
        media, body = response.media, response.body
        if body.startswith(b"%PDF-") or media == "application/pdf":
            return Digest(url=url, fetched=response.fetched, kind="pdf")
        if media not in _HTML_MEDIA and (kind := feeds.looks_like_feed(media, body[:8_192])):
            return self._feed(url, kind, response)
        if media in _HTML_MEDIA or _looks_like_html(body):
            return self._parser.html(
                body,
                url,
                fetched=response.fetched,
                charset=response.charset,
                robots=response.header("x-robots-tag"),
            )
        return Digest(url=url, fetched=response.fetched, kind="other")

    def _feed(self, url: str, kind: feeds.Kind, response: Response) -> Digest:
        feed = feeds.parse(response.body, url)
        links = [Link(entry.url, entry.title or "", -1, rel=kind) for entry in feed.entries if self._scope(entry.url)]
        links += [Link(address, "", -1, rel="sitemap") for address in feed.sitemaps if self._scope(address)]
        return Digest(url=url, fetched=response.fetched, kind=kind, title=feed.title or "", links=links)

    def _record(self, order: Order) -> Answer:
        begun = time.perf_counter()
        if order.careful:
            from honeyguide.page.extract import extract  # its libraries take half a second to import
        known = self._bodies.pop(order.number, None) or self._stored(order)
        answer = Answer(order)
        if known is None:
            answer.error = "the page's bytes are no longer at hand"
        else:
            body, charset, fetched = known
            answer.text = self._parser.text(body, charset=charset) if self._text and not order.careful else ""
            if order.careful:
                record = extract(to_utf8(body, charset), order.url, language=order.language or None, fetched=fetched)
                answer.record = msgspec.json.encode(record)
        answer.seconds = time.perf_counter() - begun
        return answer

    def _stored(self, order: Order) -> tuple[bytes, str | None, float] | None:
        if self._warc is None or order.warc is None or order.warc_size is None:
            return None
        response = read_response(self._warc, order.warc, order.warc_size)
        return (response.body, response.charset, response.fetched) if response else None


def _looks_like_html(body: bytes) -> bool:
    head = body[:512].lstrip().lower()
    return head.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<?xml")) or b"<html" in head


def _retry_after(value: str) -> float:
    """Seconds a server asks us to stay away, given as a number or a date."""
    value = value.strip()
    if value.isdigit():
        return float(min(int(value), 10**9))
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0
