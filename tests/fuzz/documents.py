"""Fuzz targets: pages, their records, charsets, feeds and sitemaps, and whole answers of servers."""

from __future__ import annotations

import asyncio
import gzip
import json
import math
import re
from collections.abc import Coroutine
from typing import Any

import msgspec
from hypothesis import strategies as st

from honeyguide.crawling.hands import Answer, Hand, Order
from honeyguide.page import feeds
from honeyguide.page.blocks import MOST_LINKS
from honeyguide.page.charset import to_utf8
from honeyguide.page.digest import UNREAD, Digest, decode, encode
from honeyguide.page.extract import extract
from honeyguide.page.parse import Parser
from honeyguide.web.base import Response
from honeyguide.web.scope import Scope, ScopeRules
from honeyguide.web.urls import normalise
from honeyguide.web.warc import parse_member
from tests.fuzz.kit import Target, as_text, pieces, scratch, take

__all__ = ["TARGETS"]

URL = "http://site.test/dir/page"
_SCOPE = Scope(ScopeRules(deny=("/private",)))
_MARKS = re.compile("[\x01-\x04]")
_CHARSETS = (
    None, "utf-8", "gb2312", "iso-8859-1", "utf-16", "utf-16le", "shift_jis", "iso-2022-jp", "big5", "windows-1251",
    "x-user-defined", "utf-7", "replacement", "nonsense", "hz-gb-2312", "",
)  # fmt: skip

HTML = tuple(
    word if isinstance(word, bytes) else word.encode()
    for word in (
        "<html lang=en>", "<head>", "</head>", "<body>", "</body>", "<title>", "Bees and honey", "</title>", "<p>",
        "</p>", "<div>", "</div>", "<ul>", "<li>", "</ul>", "<table>", "<tr>", "<td>", "</table>", "<h1>", "</h2>",
        "<b>", "</b>", "<font>", "<i>", "</i>", "<span>", "<a href=/one>", "<a href='../two#x'>", '<a href="three">',
        "<a href=//user:pw@other.test/private>", "<a href=javascript:x>", "<a rel=nofollow href=/no>", "<a href=''>",
        "<a href='/a\tb\n'>", "<a href='" + "x" * 50 + "'>", "</a>", "<area href=/area>", "<img alt='a picture'>",
        "<br>", "<base href='http://base.test/x/'>", "<base href='::'>", "<meta charset=gb2312>",
        "<meta name=robots content=nofollow>", "<meta name=robots content='noindex,none'>",
        "<meta property=og:title content=Honey>", "<meta property='article:published_time' content='2014-07-17'>",
        "<meta name=author content='Ann Lee'>", "<meta name=description content='all of it'>",
        "<link rel=canonical href=/c>", "<link rel=alternate type=application/rss+xml href=/feed>",
        '<script type="application/ld+json">{"@type":"NewsArticle","headline":"H\\ud800"}</script>',
        '<script type="application/ld+json">[[{"author":{"name":["A",{}]}}]]</script>', "<script>", "</script>",
        "<style>", "<svg>", "<math>", "<template>", "<select>", "<textarea>", "<plaintext>", "<frameset>", "<!--",
        "-->", "<![CDATA[", "]]>", "<!DOCTYPE html>", "<?xml version='1.0' encoding='utf-16'?>", "&#1;", "&#x3;",
        "&amp", "&#xD800;", "&#0;", "\x01", "\x02", "\x03", "\x04", "\x00", "\r\n", "<", ">", "'", '"', "/", "=",
        "The bees of the hive make honey all summer long, and they sleep in the winter. ", "蜜蜂采蜜，酿成蜂蜜。",
        "By Ann Lee, 17 July 2014 ", "Published: 2014-07-17T10:00:00Z ", "\u202e", "<a href=/wide>".encode("utf-16"),
        b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xc3", b"\xe2\x82", b"\x1b$B", b"~{", b"%PDF-1.4",
    )
)  # fmt: skip


def _sound(page: Digest) -> None:
    """Whatever a page held, the digest of it is whole: indexes within bounds, links within scope, no marks of ours."""
    assert decode(encode(page)) == page
    assert len(page.links) <= MOST_LINKS + 100
    assert len(page.title) <= 500
    assert len(page.description) <= 1_000
    assert 0 <= page.fingerprint < 1 << 64
    assert not (page.nofollow and page.links)
    for block in page.blocks:
        assert -1 <= block.heading < len(page.blocks)
        assert not _MARKS.search(block.text) or all(link.end == UNREAD for link in page.links if link.block >= 0)
        assert not any(map(_MARKS.search, block.terms))
    for link in page.links:
        assert normalise(link.url) == link.url
        assert _SCOPE(link.url)
        assert len(link.anchor) <= 200
        assert not _MARKS.search(link.anchor)
        if link.block < 0:
            continue
        terms, start, end = page.near(link)
        assert 0 <= start <= end <= len(terms)
        assert not any(map(_MARKS.search, terms))
        page.anchor_terms(link), page.around(link), page.heading(link)


def _charset(sign: bytes) -> str | None:
    return _CHARSETS[sign[0] % len(_CHARSETS)] if sign else None


def check_html(data: bytes) -> None:
    """Any bytes make a digest, in both manners of reading."""
    charset, body = _charset(data[:1]), data[1:]
    for structure in (True, False):
        page = Parser(_SCOPE, structure=structure).html(body, URL, charset=charset, robots=("otherbot: none",))
        _sound(page)
        assert sum(page.terms.values()) <= 2 * len(body) + 1_000


def check_text(data: bytes) -> None:
    """Any bytes have a quick text, if only an empty one."""
    found = Parser().text(data[1:], charset=_charset(data[:1]))
    assert not _MARKS.search(found)
    assert len(found) <= 2 * len(data) + 1_000
    found.encode()


def check_record(data: bytes) -> None:
    """Any bytes make a record that can be handed on and stored."""
    record = extract(data, URL, fetched=1.7e9)
    assert len(record.text) <= 1_000_000
    assert msgspec.json.decode(msgspec.json.encode(record), type=type(record)) == record


def check_charset(data: bytes) -> None:
    """Any bytes under any label become UTF-8, of a bounded size."""
    label, body = take(data, 2)
    for name in (_charset(label[:1]), as_text(label)):
        found = to_utf8(body, name)
        found.decode()
        assert len(found) <= 4 * len(body) + 16


FEED = tuple(
    word.encode()
    for word in (
        "<?xml version='1.0' encoding='utf-8'?>", "<!DOCTYPE rss [", "<!ENTITY a 'aaaa'>", "<!ENTITY b '&a;&a;'>", "]>",
        "&b;", "<rss>", "</rss>", "<channel>", "<item>", "</item>", "<link>", "</link>", "/tea", "http://a.test/x",
        "<title>", "Tea", "</title>", "<guid>", "</guid>", "<pubDate>", "Thu, 17 Jul 2014 10:00:00 +0000", "</pubDate>",
        "<feed xmlns='http://www.w3.org/2005/Atom'>", "<entry>", "</entry>", "<link href='/atom'/>", "<id>", "</id>",
        "<urlset>", "<url>", "<loc>", "</loc>", "</url>", "<sitemapindex>", "<sitemap>", "</sitemap>", "<lastmod>",
        "2014-07-17", "9999-99-99", "<priority>", "0.5", "nan", "</priority>", "xml:base='/other/'", "<![CDATA[", "]]>",
        '{"version": "https://jsonfeed.org/version/1.1", "items": [', '{"url": "/j", "title": "\\ud800"}', ",", "]}",
        "[[[[", "http://a.test/1\n", "https://b.test/2\r\n", "&", "&amp;", "<", "\x00", "<!--", "-->", "<rdf:RDF>",
        "<updated>", "Mon, 32 Foo 20140 99:99:99 +9999", "</updated>",
    )
)  # fmt: skip


def check_feed(data: bytes) -> None:
    """Any bytes are read as far as they go: absolute addresses, each once, within all limits."""
    for body in (data, gzip.compress(data, 1), gzip.compress(data, 1)[: len(data) // 2]):
        feeds.looks_like_feed("application/rss+xml", body)
        feed = feeds.parse(body, URL, max_entries=100)
        found = [entry.url for entry in feed.entries] + feed.sitemaps
        assert len(found) == len(set(found)) <= 100
        for entry in feed.entries:
            assert len(entry.title) <= feeds.TITLE_LENGTH
            assert entry.priority is None or 0.0 <= entry.priority <= 1.0
        for url in found:
            assert normalise(url) == url
        " ".join([feed.title, *(entry.title for entry in feed.entries)]).encode()


class _OneAnswer:
    """A web that gives one answer, whatever it is asked."""

    name = "fuzz"
    polite = False

    def __init__(self, response: Response) -> None:
        self._response = response

    async def fetch(self, url: str, *, cut: int = 0) -> Response:
        return self._response

    async def close(self) -> None:
        pass


_HEADERS = tuple(
    word.encode()
    for word in (
        "Content-Type: text/html", "Content-Type: application/rss+xml; charset=", "Content-Type: text/plain",
        "Content-Type: application/pdf", "Location: /next", "Location: http://127.0.0.1/", "Location: javascript:x",
        "Retry-After: 120", "Retry-After: Fri, 01 Jan 2027 00:02:00 GMT", "Retry-After: 99999999999999999999",
        "Retry-After: nan", "Date: Fri, 01 Jan 0001 00:00:00 +9999", "X-Robots-Tag: none", "Set-Cookie: a=b",
        "X-Robots-Tag: otherbot: none", "Content-Encoding: gzip", "Transfer-Encoding: chunked", "é: ü",
    )
)  # fmt: skip
_STATUSES = (200, 200, 200, 301, 302, 307, 404, 410, 429, 500, 503, 999, 100, 0)


def _run(coroutine: Coroutine[Any, Any, Answer]) -> Answer:
    return asyncio.run(coroutine)


def check_answer(data: bytes) -> None:
    """Any answer of a server becomes one of a hand, goes through a pipe, and is found again in the WARC as it was."""
    head, body = data.split(b"\n\n", 1) if b"\n\n" in data else (data, b"<html><a href=/x>x</a>")
    lines = [line.decode("latin-1").partition(":") for line in head[1:].split(b"\n") if line]
    headers = [(name, value.strip()) for name, _, value in lines]
    status = _STATUSES[head[0] % len(_STATUSES)] if head else 200
    response = Response(URL, status=status, headers=headers, body=body, fetched=1.7e9)
    hand = Hand(_OneAnswer(response), _SCOPE, text=True, structure=False, warc=scratch() / "none.warc.gz")
    answer = _run(hand.do(Order(1, URL)))
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(answer), type=Answer)
    assert again == answer
    assert math.isfinite(answer.retry_after)
    assert answer.retry_after >= 0
    assert not answer.location or normalise(answer.location) == answer.location
    if answer.page is not None:
        _sound(answer.page)
    if answer.member:
        stored = parse_member(answer.member, 10_000_000)
        assert stored is not None
        assert (stored.status, stored.body, stored.error) == (status, body, "")
    record = _run(hand.do(Order(1, URL, "record")))
    assert record.error or record.record


def _answers() -> st.SearchStrategy[bytes]:
    header = st.sampled_from(_HEADERS) | st.binary(max_size=20).map(lambda junk: junk.replace(b"\n", b""))
    return st.tuples(
        st.binary(min_size=1, max_size=1).filter(lambda sign: sign != b"\n"),
        st.lists(header, max_size=6).map(b"\n".join),
        pieces(HTML, most=15) | pieces(FEED, most=15),
    ).map(lambda parts: parts[0] + parts[1] + b"\n\n" + parts[2])


_NAMES = "@type @graph headline name author publisher datePublished dateModified articleBody inLanguage url x".split()
_LEAVES = (
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=12)
    | st.sampled_from(["NewsArticle", "2014-07-17T10:00:00Z", "99999-99-99", "H\ud800", "\udfff", "Ann Lee", "http://a.test/"])
)  # fmt: skip
_CLAIMS = st.recursive(
    _LEAVES,
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.sampled_from(_NAMES), some, max_size=5),
    max_leaves=12,
).map(lambda found: b'<script type="application/ld+json">' + json.dumps(found).encode() + b"</script>")
_FLAT = pieces(HTML, repeats=300)
_WHOLE = st.tuples(st.lists(_CLAIMS, max_size=2).map(b"".join), pieces(HTML, most=8), pieces(HTML, most=25)).map(
    lambda parts: b"<!DOCTYPE html><html><head>%s%s</head><body>%s" % parts
)
_PAGES = st.tuples(st.binary(min_size=1, max_size=1), _FLAT | _WHOLE).map(b"".join)

TARGETS = [
    Target("pages", check_html, _PAGES, HTML),
    Target("texts", check_text, _PAGES, HTML),
    Target("records", check_record, _WHOLE | pieces(HTML), HTML),
    Target("charsets", check_charset, st.tuples(st.binary(max_size=12), pieces(HTML, most=8)).map(b"\n".join), HTML),
    Target("feeds", check_feed, pieces(FEED, repeats=50), FEED),
    Target("answers", check_answer, _answers(), _HEADERS + HTML),
]
