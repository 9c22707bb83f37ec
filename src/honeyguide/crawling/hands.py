"""A hand does all that is heavy and needs no memory: fetch, decode, parse, extract.

It takes an order and brings an answer. It does not know the frontier, the store or the topic, so there may be one
or many, here or in other processes.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec
import xxhash

from honeyguide.crawling.traps import SITEMAPS_ONLY
from honeyguide.page import feeds
from honeyguide.page.charset import to_utf8
from honeyguide.page.digest import Digest, Link, encode
from honeyguide.page.directives import directives, robots_tags
from honeyguide.page.parse import Parser
from honeyguide.page.pdf import as_html, is_pdf, read_soon
from honeyguide.store.packing import pack
from honeyguide.web.archive import ArchiveWeb
from honeyguide.web.base import Response, Since, Web
from honeyguide.web.robots import BODY_LIMIT
from honeyguide.web.scope import Scope
from honeyguide.web.urls import Base
from honeyguide.web.warc import read_response, response_record

__all__ = ["Answer", "Hand", "Order"]

_ROBOTS_LIMIT = BODY_LIMIT + 1  # one more than is read: so the reader sees that there was more
_LONGEST_HEADER = 300
_HELD = 32_000_000  # bytes of bodies kept for records that may be ordered next
_NO_TEXT = bytes(one for one in range(32) if one not in b"\t\n\x0c\r\x1b")
_HTML_MEDIA = ("text/html", "application/xhtml+xml")
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?([0-9]{1,9})", re.IGNORECASE)


class Order(msgspec.Struct, array_like=True):
    """What the brain wants done."""

    number: int  # of the URL; for robots.txt, of the host
    url: str
    purpose: Literal["page", "robots", "record", "probe"] = "page"  # a probe: can the host be reached at all?
    warc: int | None = None  # where the page's bytes are, for a record of an earlier visit
    warc_size: int | None = None
    language: str = ""
    visit: int = 0
    careful: bool = True  # a record by the careful tools; else only the quick text
    etag: str = ""  # what is asked for only if it is newer, by what its server said of it last
    modified: str = ""
    watched: bool = False  # whether a print of the body is wanted, by which a change is told
    meaning: bool = True  # whether what the page is about is read at once; else its text comes along


class Answer(msgspec.Struct, array_like=True):
    """What came of an order."""

    order: Order
    status: int = 0
    error: str = ""
    lasting: bool = False
    whole_host: bool = False
    ours: bool = False  # the fault is ours, not the host's: given again unless it lasts, as a page that breaks a parser
    fetched: float = 0.0
    seconds: float = 0.0
    media: str = ""
    size: int = 0
    location: str = ""
    retry_after: float = 0.0
    body: bytes = b""  # of robots.txt only
    packed: bytes = b""  # the digest as the store keeps it; nothing of one that was left unread in the brain's process
    member: bytes = b""  # the answer as a WARC record
    record: bytes = b""
    text: str = ""  # the quick text, where that was ordered
    left_out: str = ""  # and what of the page is not in it
    page: Digest | None = None  # the digest itself, between a hand and a brain of one process
    fresh: float = 0.0  # seconds the server says its answer holds; of robots.txt only
    doubtful: bool = False  # the fault may be the host's or our network's; hands say `ours` if they know it is
    etag: str = ""  # what the server says of its answer's age, for the next time it is asked
    modified: str = ""
    print: bytes = b""  # of the body, where it is watched
    unread: str = ""  # the text that tells what the page is about, where that was left unread
    cut: Callable[[Digest], None] | None = None  # cuts it into blocks, if it is not yet; of one process, as `page`


class Hand:
    """Fetches and looks."""

    def __init__(
        self,
        web: Web,
        scope: Scope,
        *,
        text: bool,
        structure: bool,
        warc: Path | None,
        read: bool = False,
        cut_all: bool = True,
        encode: bool = False,
        bodies: int = 64,
    ) -> None:
        self._web = web
        self.note = web.damage if isinstance(web, ArchiveWeb) else ""
        self._scope = scope
        self._parser = Parser(scope, structure=structure and cut_all, read=read, encode=encode)
        self._cutter = Parser(scope) if structure and not cut_all else None
        self._travels = read  # what it finds, to a brain in another process
        self._text = text
        self._most = bodies  # kept for records that may be ordered next
        self._warc = warc
        self._bodies: OrderedDict[int, tuple[bytes, str | None, float]] = OrderedDict()
        self._held = 0
        self._reading = asyncio.Lock()  # one PDF at a time: each takes a process

    async def do(self, order: Order) -> Answer:
        """Carry out one order; never raises because of what is on the web."""
        if order.purpose == "record":
            return await self._record(order)
        if order.purpose == "probe":
            return Answer(order, status=int(await self.is_there(order.url)))
        cut = _ROBOTS_LIMIT if order.purpose == "robots" else 0
        if order.etag or order.modified:
            response = await self._web.fetch(order.url, since=Since(order.etag, order.modified))
        else:
            response = await self._web.fetch(order.url, cut=cut)
        answer = Answer(
            order,
            status=response.status,
            error=response.error,
            lasting=response.lasting,
            whole_host=response.whole_host,
            ours=response.ours,
            doubtful=response.doubtful,
            fetched=response.fetched,
            seconds=response.seconds,
            media=response.media,
            size=len(response.body),
            etag=_one_line(response.header("etag")),
            modified=_one_line(response.header("last-modified")),
        )
        if response.status in (301, 302, 303, 307, 308):
            answer.location = Base(order.url).join(response.header("location").strip()) or ""
        if response.status >= 300:  # with a redirect it says when to follow it (RFC 9110, 10.2.3)
            answer.retry_after = _retry_after(
                response.header("retry-after"), response.header("date"), response.fetched + response.seconds
            )
        if order.purpose == "robots":
            answer.body = response.body
            age = _MAX_AGE.search(response.header("cache-control"))
            answer.fresh = float(age.group(1)) if age else 0.0
            return answer
        if order.watched:
            answer.print = xxhash.xxh3_128_digest(response.body)
        if response.status == 200 and response.body:
            await self._look(order, response, answer)
        if self._warc is not None and _is_answer(response) and not _no_copies(response, answer.page):
            answer.member = response_record(response)
        return answer

    async def do_safely(self, order: Order) -> Answer:
        """Carry out one order, whatever a page does to a parser: it must not break the crawl."""
        try:
            return await self.do(order)
        except Exception as error:
            told = f"{type(error).__name__}: {error}"[:200]
            return Answer(order, error=told, lasting=True, ours=True, fetched=time.time())

    async def is_there(self, url: str) -> bool:
        """Whether a URL's host can be reached at all."""
        return await self._web.is_there(url)

    @property
    def waiting(self) -> int:
        """Orders that hold no connection yet, for their host's name is being looked up."""
        return self._web.waiting

    @property
    def on_waiting(self) -> Callable[[], None]:
        """Who is told when that number changes."""
        return self._web.on_waiting

    @on_waiting.setter
    def on_waiting(self, listener: Callable[[], None]) -> None:
        self._web.on_waiting = listener

    async def close(self) -> None:
        """Let go of the web."""
        await self._web.close()

    async def _look(self, order: Order, response: Response, answer: Answer) -> None:
        if is_pdf(response.body) or response.media == "application/pdf":
            page = await self._pdf(order.url, response)
        else:
            page = self.digest(order.url, response, meaning=order.meaning)
            answer.unread, page.unread = page.unread, ""
            if self._cutter is not None and page.kind == "html":
                answer.cut = partial(self._cutter.cut, body=response.body, charset=response.charset)
        if page.kind == "html" and self._most:
            self._remember(order.number, response)
        elif page.kind == "other":
            answer.error = page.left_out  # why there is nothing to be read in it
        answer.page = page
        # What is yet to be read closely is packed by the brain, which would have to do it anew; unless it is to travel.
        if self._travels or not (answer.unread or answer.cut):
            answer.packed = pack(encode(page))

    def _remember(self, number: int, response: Response) -> None:
        self._bodies[number] = (response.body, response.charset, response.fetched)
        self._held += len(response.body)
        while len(self._bodies) > 1 and (len(self._bodies) > self._most or self._held > _HELD):
            _, (body, _, _) = self._bodies.popitem(last=False)
            self._held -= len(body)

    def digest(self, url: str, response: Response, *, meaning: bool = True) -> Digest:
        """What an answer says, whatever kind of thing it is."""
        media, body = response.media, response.body
        if media not in _HTML_MEDIA and (kind := feeds.looks_like_feed(media, body[:8_192])):
            return self._feed(url, kind, response)
        if _is_binary(body, response.charset):
            return Digest(url=url, fetched=response.fetched, kind="other", left_out="binary, whatever it is called")
        if media in _HTML_MEDIA or _looks_like_html(body):
            return self._parser.html(
                body,
                url,
                fetched=response.fetched,
                charset=response.charset,
                robots=robots_tags(response),
                meaning=meaning,
            )
        return Digest(url=url, fetched=response.fetched, kind="other")

    async def _pdf(self, url: str, response: Response) -> Digest:
        """A PDF as the page of text it is; one that cannot be read is only listed, with the reason."""
        async with self._reading:
            pdf = await read_soon(response.body)
        if pdf.error or not pdf.text():
            return Digest(url=url, fetched=response.fetched, kind="pdf", left_out=pdf.error or "it holds no text")
        page = self._parser.html(
            as_html(pdf), url, fetched=response.fetched, charset="utf-8", robots=robots_tags(response)
        )
        page.left_out = ", ".join(filter(None, (pdf.left_out, page.left_out)))
        return page

    def _feed(self, url: str, kind: feeds.Kind, response: Response) -> Digest:
        if not directives(*robots_tags(response)).isdisjoint(("nofollow", "none")):
            return Digest(url=url, fetched=response.fetched, kind=kind, nofollow=True)
        feed = feeds.parse(response.body, url)
        links = [Link(entry.url, entry.title or "", -1, rel=kind) for entry in feed.entries if self._scope(entry.url)]
        links += [Link(address, "", -1, rel="sitemap") for address in feed.sitemaps if self._scope(address)]
        only = SITEMAPS_ONLY if links and not feed.entries else ""
        cut = f"what came after its first {len(links)} addresses" if feed.truncated else only
        return Digest(url=url, fetched=response.fetched, kind=kind, title=feed.title or "", links=links, left_out=cut)

    async def _record(self, order: Order) -> Answer:
        begun = time.perf_counter()
        if order.careful:
            from honeyguide.page.extract import extract, extract_pdf  # its libraries take half a second to import
        known = self._bodies.pop(order.number, None)
        if known is not None:
            self._held -= len(known[0])
        else:
            known = self._stored(order)
        answer = Answer(order)
        if known is None:
            answer.error = "the page's bytes are no longer at hand"
        else:
            body, charset, fetched = known
            pdf = None
            if is_pdf(body):
                async with self._reading:
                    pdf = await read_soon(body)
            if order.careful:
                given = order.language or None
                if pdf is not None:
                    record = extract_pdf(pdf, order.url, language=given, fetched=fetched)
                else:
                    record = extract(to_utf8(body, charset), order.url, language=given, fetched=fetched)
                answer.record = msgspec.json.encode(record)
            elif self._text:
                found = self._parser.bounded_text(body, charset=charset) if pdf is None else (pdf.text(), "")
                answer.text, answer.left_out = found
        answer.seconds = time.perf_counter() - begun
        return answer

    def _stored(self, order: Order) -> tuple[bytes, str | None, float] | None:
        if self._warc is None or order.warc is None or order.warc_size is None:
            return None
        response = read_response(self._warc, order.warc, order.warc_size)
        return (response.body, response.charset, response.fetched) if response else None


def _is_answer(response: Response) -> bool:
    """Whether there is something to archive; that nothing is newer (304) is not."""
    return bool(response.status) and not response.error and response.status != 304


def _one_line(header: str) -> str:
    """A header that can be sent back; a long one is no use to anybody."""
    return header if len(header) <= _LONGEST_HEADER and header.isascii() and header.isprintable() else ""


def _is_binary(body: bytes, charset: str | None) -> bool:
    """Whether a body is no text at all: too many bytes at its beginning that no text holds, unless it is UTF-16."""
    head = body[:1_500]
    if len(head) - len(head.translate(None, _NO_TEXT)) <= len(head) // 50:
        return False
    wide = (charset or "").lower().startswith("utf-16") or head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return not wide and not head.startswith((b"<\0", b"\0<"))


def _looks_like_html(body: bytes) -> bool:
    head = body[:512].lstrip().lower()
    return head.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<?xml")) or b"<html" in head


def _no_copies(response: Response, page: Digest | None) -> bool:
    """Whether a page asks that no copy of it be kept; what it says may still be noted down in a record."""
    return (page is not None and page.noarchive) or "noarchive" in directives(*robots_tags(response))


def _retry_after(value: str, date: str, ended: float) -> float:
    """Seconds a server asks us to stay away after its answer, given as a number or as a date by the server's own clock.

    Where it does not say what its clock shows, the moment the answer ended must do: later ones are not what is counted
    from.

    >>> _retry_after("120", "", 0.0), _retry_after("Thu, 01 Jan 1970 00:02:00 GMT", "", 90.0)
    (120.0, 30.0)
    >>> _retry_after("Fri, 01 Jan 2027 00:02:00 GMT", "Fri, 01 Jan 2027 00:00:00 GMT", 90.0)
    120.0
    """
    seconds = _SECONDS.match(value.strip())
    if seconds:
        return min(float(seconds.group()), 1e9)
    until = _moment(value)
    return max(0.0, until - (_moment(date) or ended)) if until else 0.0


def _moment(date: str) -> float:
    """An HTTP date in seconds since 1970; 0 when it is none."""
    try:
        moment = parsedate_to_datetime(date.strip())
        # The oldest of the three forms an HTTP date may have names no zone: all are in UTC.
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return 0.0
