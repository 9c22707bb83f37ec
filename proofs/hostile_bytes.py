"""The attacks on the wire and in the body: drips, floods, bombs, false lengths, pages made to choke a parser."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Iterable
from functools import cache

import brotli
from backports import zstd
from proofs.hostile_server import Attack, Request, html, ok, page, said, words

__all__ = ["BYTES"]

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
_BIG = 1_000_000_000
_FRONT = "A quiet page about the village and the river, with nothing to say of its own but a few links to follow."


def _links(*paths: str) -> list[str]:
    return [f"/{path}" for path in paths]


def _hosts(name: str, cases: Iterable[str]) -> tuple[str, ...]:
    """A host for each case: one that fails must not keep the crawl from the next."""
    return tuple(f"{case}.{name}.test" for case in cases)


async def _front(request: Request, writer: asyncio.StreamWriter, cases: Iterable[str]) -> str:
    """Which case is asked for; the front page of an attack leads to all of them."""
    case, _, rest = request.host.partition(".")
    if rest != "test":
        return case
    await html(writer, case, _FRONT, [f"http://{host}/" for host in _hosts(case, cases)])
    return ""


async def _for_ever(writer: asyncio.StreamWriter, more: bytes, pause: float = 0.0) -> None:
    while True:
        await ok(writer, more)
        await asyncio.sleep(pause)


_DRIPS = ("head", "body", "silence")


async def _drip(request: Request, writer: asyncio.StreamWriter) -> None:
    case = await _front(request, writer, _DRIPS)
    if case == "head":
        await _for_ever(writer, b"H", 0.1)
    elif case == "body":
        await ok(writer, _HEAD + b"\r\n<p>")
        await _for_ever(writer, b"x", 0.1)
    elif case:
        await asyncio.sleep(60)


_ENDLESS = {
    "long": (_HEAD + b"X: ", b"v" * 65_536),
    "many": (_HEAD, b"X: y\r\n" * 9_000),
    "status": (b"HTTP/1.1 200 ", b"O" * 65_536),
    "fold": (_HEAD + b"X: y\r\n", b" folded\r\n" * 9_000),
}


async def _headers(request: Request, writer: asyncio.StreamWriter) -> None:
    if case := await _front(request, writer, _ENDLESS):
        begin, more = _ENDLESS[case]
        await ok(writer, begin)
        await _for_ever(writer, more)


_LENGTHS = {
    "short": _HEAD + b"Content-Length: 100000\r\n\r\n<p>only this",
    "long": _HEAD + b"Content-Length: 5\r\n\r\n<p>al and much more than that",
    "negative": _HEAD + b"Content-Length: -5\r\n\r\n<p>x",
    "twice": _HEAD + b"Content-Length: 1\r\nContent-Length: 9\r\n\r\n<p>x",
    "both": _HEAD + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>xx\r\n0\r\n\r\n",
    "letters": _HEAD + b"Content-Length: many\r\n\r\n<p>x",
    "huge": _HEAD + b"Content-Length: 99999999999999999999999\r\n\r\n<p>x",
    "chunk": _HEAD + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n<p>x",
    "chunkless": _HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n<p>x\r\n0\r\n\r\n",
    "coding": _HEAD + b"Transfer-Encoding: gzip\r\n\r\n<p>x",
}


async def _lengths(request: Request, writer: asyncio.StreamWriter) -> None:
    if case := await _front(request, writer, _LENGTHS):
        await ok(writer, _LENGTHS[case])


@cache
def _bomb(name: str) -> bytes:
    """A small body that unpacks to hundreds of megabytes."""
    piece = b"0" * 1_000_000 * 120
    if name == "gzip":
        return gzip.compress(piece)
    if name == "deflate":
        return zlib.compress(piece)
    if name == "br":
        return bytes(brotli.compress(piece, quality=3))
    if name == "zstd":
        return zstd.compress(piece)
    if name == "members":
        return gzip.compress(b"") * 50_000
    return gzip.compress(gzip.compress(piece))


_CODINGS = {name: name for name in ("gzip", "deflate", "br", "zstd")}
_CODINGS |= {"members": "gzip", "nested": "gzip, gzip", "unknown": "lzma", "false": "br", "stacked": "br, zstd, gzip"}


async def _bombs(request: Request, writer: asyncio.StreamWriter) -> None:
    name = await _front(request, writer, _CODINGS)
    if not name:
        return
    body = b"<p>not packed at all" if name in ("unknown", "false") else _bomb(name)
    await ok(writer, said(body, more=f"Content-Encoding: {_CODINGS[name]}\r\n"))


async def _gigabyte(request: Request, writer: asyncio.StreamWriter) -> None:
    if request.path == "/":
        await html(writer, "Gigabyte", _FRONT, _links("stated", "silent", "chunked", "robots"))
        return
    piece = b"<p>honey and bees " * 4_000
    if request.path == "/chunked":
        await ok(writer, _HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
        piece = b"%x\r\n%s\r\n" % (len(piece), piece)
    elif request.path == "/stated":
        await ok(writer, _HEAD + b"Content-Length: %d\r\n\r\n" % _BIG)
    else:
        await ok(writer, _HEAD + b"\r\n")
    for _ in range(_BIG // len(piece)):
        await ok(writer, piece)


async def _binary(request: Request, writer: asyncio.StreamWriter) -> None:
    if request.path == "/":
        await html(writer, "Binary", _FRONT, _links("png", "noise", "elf", "zip", "nuls", "pdf"))
        return
    noise = zlib.compress(words("noise", 60_000).encode())
    body = {
        "/png": b"\x89PNG\r\n\x1a\n" + noise,
        "/elf": b"\x7fELF\x02\x01\x01" + b"\0" * 100 + noise,
        "/zip": b"PK\x03\x04" + noise,
        "/nuls": b"\0" * 2_000_000,
        "/pdf": b"%PDF-1.7 " + noise,
    }.get(request.path, noise)
    await ok(writer, said(body))


_CHARSETS = ("utf-7", "utf-99", "utf-16", "x" * 900, "iso-2022-jp", "gb18030", "\u00ff\u00fe", "idna", "unicode_escape")


async def _charsets(request: Request, writer: asyncio.StreamWriter) -> None:
    if request.path == "/":
        await html(writer, "Charsets", _FRONT, [f"/{number}" for number in range(len(_CHARSETS))])
        return
    name = _CHARSETS[int(request.path.strip("/"))]
    body = (
        b'<meta charset="big5"><p>' + bytes(range(256)) * 20 + b"\xff\xfe\xed\xa0\x80 <a href=/>back</a> \x1b$B honey"
    )
    answer = said(body, media="text/html; charset=MARK")
    await ok(writer, answer.replace(b"MARK", name.encode("latin-1")))


async def _links_page(request: Request, writer: asyncio.StreamWriter) -> None:
    body = b"".join([b"<a href=/%x>b</a>" % number for number in range(220_000)])
    await ok(writer, said(body if request.path == "/" else b"<p>" + words(request.path).encode()))


_DEEP = 10_000
_TREES = {
    "div": b"<div>" * _DEEP + b"honey",
    "custom": b"<x-y>" * _DEEP * 4 + b"honey",
    "anchor": b"<table><tr><td>" * _DEEP + b"honey",
    "list": b"<ul><li>" * _DEEP + b"honey",
    "bold": b"<b><p>" * _DEEP + b"honey",
    "font": b"".join(b"<font color=%d>" % n for n in range(_DEEP)) + b"<p>honey" * 500,
    "svg": b"<svg>" + b"<g>" * _DEEP * 4 + b"honey",
    "form": b"<form><input>" * _DEEP + b"<select><option>" * _DEEP,
    "quote": b"<p>" + b"<q><i><a href=/q>" * _DEEP + b"honey",
    "template": b"<template>" * _DEEP + b"honey",
    "frameset": b"<frameset>" * _DEEP + b"<noframes>" * _DEEP,
    "comment": b"<!--" * 900_000,
    "script": b"<script><!--<script>" * 200_000,
    "markers": b"<p>\x01\x02\x03\x04" * 200_000,
    "attributes": b"<p " + b" ".join(b"a%d=%d" % (n, n) for n in range(200_000)) + b">honey",
    "attribute": b'<a href="/' + b"x" * 4_000_000 + b'" title="' + b"y" * 500_000 + b'">honey</a>',
    "tag": b"<" + b"x" * 4_500_000,
    "text": b"<p>" + b"honey bees " * 420_000,
    "word": b"<p>" + b"honey" * 900_000,
    "entities": b"<p>" + b"&amp;&lt;&#x1F41D;&nosuch;" * 170_000,
    "titles": b"<title>" + b"honey " * 700_000 + b"</title>" + b"<title>x</title>" * 10_000,
    "metas": b"<meta name=description content=honey>" * 120_000,
    "scripts": b'<script type="application/ld+json">' + b'{"a":' * 400_000 + b"</script><p>honey",
    "spaces": b"<p>" + b" \n\t" * 1_500_000 + b"honey",
    "combining": ("<p>" + "a" + "\u0301" * 1_500_000).encode(),
    "han": ("<p>" + "蜜" * 1_500_000).encode(),
}


async def _trees(request: Request, writer: asyncio.StreamWriter) -> None:
    name = request.path.strip("/")
    if name in _TREES:
        # Each looks like a page on the topic, so that the careful tools have to read it too.
        front = page(f"Honey bees {name}", words(f"tree {name}", 150, 0.6))
        await ok(writer, said(front + _TREES[name]))
    else:
        await html(writer, "Trees", _FRONT, _links(*_TREES))


async def _empty(request: Request, writer: asyncio.StreamWriter) -> None:
    if request.path == "/":
        await html(writer, "Empty", _FRONT, [f"/{number}" for number in range(100)])
    else:
        await ok(writer, said(b""))


_JUNK = {
    "zero": b"<html><p>no headers at all</html>",
    "old": b"HTTP/0.9 200\r\n\r\n<p>x",
    "words": b"hello there\r\n\r\n",
    "ssh": b"SSH-2.0-OpenSSH_9.6\r\n",
    "smtp": b"220 mail ESMTP\r\n",
    "nothing": b"",
    "nuls": b"\0" * 1_000,
    "s0": b"HTTP/1.1 0 No\r\n\r\n",
    "s99": b"HTTP/1.1 99 Low\r\nContent-Length: 0\r\n\r\n",
    "s999": b"HTTP/1.1 999 Odd\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx",
    "s600": b"HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n",
    "sbig": b"HTTP/1.1 99999 Odd\r\n\r\n",
    "sminus": b"HTTP/1.1 -200 Odd\r\n\r\n",
    "sword": b"HTTP/1.1 OK 200\r\n\r\n",
    "switch": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    "s204": b"HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\nhoney",
    "alt": said(
        page("Alt", words("alt")), more='Alt-Svc: h2="127.0.0.1:9"; ma=86400\r\nRefresh: 0;url=http://127.0.0.1/\r\n'
    ),
}


async def _junk(request: Request, writer: asyncio.StreamWriter) -> None:
    if case := await _front(request, writer, _JUNK):
        await ok(writer, _JUNK[case])


_CHUNKED = _HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
_FLOODS = {
    "hundred": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 2_000),
    "early": (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" * 1_000),
    "trailers": (_CHUNKED + b"5\r\nhoney\r\n0\r\n", b"X: y\r\n" * 9_000),
    "extension": (_CHUNKED + b"5;", b"e=x;" * 16_000),
    "chunks": (_CHUNKED, b"1\r\nx\r\n" * 9_000),
}


async def _floods(request: Request, writer: asyncio.StreamWriter) -> None:
    if case := await _front(request, writer, _FLOODS):
        begin, more = _FLOODS[case]
        await ok(writer, begin)
        await _for_ever(writer, more)


_ENTITIES = '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(12)
)
_LOC = "<url><loc>http://xml.test/page/%s</loc></url>"
_XML = {
    "laughs.xml": _ENTITIES + "]><urlset><url><loc>http://xml.test/&m;</loc></url>" + _LOC % "laughs" + "</urlset>",
    "square.xml": f'<!DOCTYPE r [<!ENTITY a "{"a" * 100_000}">]><rss><channel><item><title>{"&a;" * 100_000}'
    "</title><link>/page/square</link></item></channel></rss>",
    "outside.xml": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y SYSTEM "http://127.0.0.1:INSIDE/">]>'
    "<urlset><url><loc>http://xml.test/&x;&y;</loc></url>" + _LOC % "outside" + "</urlset>",
    "deep.xml": "<urlset>" + "<url>" * 300_000,
    "many.xml": "<urlset>" + "".join(_LOC % f"m{n:x}" for n in range(70_000)) + "</urlset>",
    "attributes.xml": "<rss " + " ".join(f'a{n}="x"' for n in range(150_000)) + "><channel/></rss>",
    "feed.json": '{"version":"https://jsonfeed.org/version/1","items":' + "[" * 200_000,
}


async def _xml(request: Request, writer: asyncio.StreamWriter) -> None:
    name = request.path.strip("/")
    if name == "bomb.xml.gz":
        body = gzip.compress(b"<urlset>" + b"<url><loc>http://xml.test/page/z</loc></url>" * 3_000_000, 9)
        await ok(writer, said(body, media="application/gzip"))
    elif name in _XML:
        body = _XML[name].replace("INSIDE", request.headers["inside"]).encode()
        await ok(writer, said(body, media="application/xml"))
    elif name.startswith("page"):
        await html(writer, name, words(name))
    else:
        await html(writer, "XML", _FRONT, _links("bomb.xml.gz", *_XML))


async def _sitemaps(request: Request, writer: asyncio.StreamWriter) -> None:
    if request.path == "/":
        await html(writer, "Sitemaps", _FRONT, _links("sitemap/1.xml"))
        return
    at = int("".join(sign for sign in request.path if sign.isdigit())[-9:] or 1)
    inside = "".join(
        f"<sitemap><loc>http://sitemaps.test/sitemap/{at * 3 + step}.xml</loc></sitemap>" for step in (0, 1, 2, 3)
    )
    await ok(writer, said(f"<sitemapindex>{inside}</sitemapindex>".encode(), media="application/xml"))


async def _robots(request: Request, writer: asyncio.StreamWriter) -> None:
    if request.path != "/robots.txt":
        await html(
            writer, "Front", words(request.host), ["/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"]
        )
    elif request.host == "robotsbig.test":
        await ok(writer, b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nUser-agent: *\n")
        await _for_ever(writer, b"Disallow: /x*x*x*x*x$\n" * 3_000)
    elif request.host == "robotsstar.test":
        rules = b"User-agent: *\n" + b"Disallow: /" + b"*a" * 200 + b"*b\n"
        await ok(writer, said(rules * 500, media="text/plain"))
    elif request.host == "robotsdrip.test":
        await ok(writer, b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        await _for_ever(writer, b"#", 0.1)
    else:
        names = "".join(f"Sitemap: http://robots.test/s/{number}.xml\n" for number in range(20_000))
        await ok(writer, said(names.encode(), media="text/plain"))


_FRONTS = ("robots.test", "robotsbig.test", "robotsstar.test", "robotsdrip.test")

BYTES = [
    Attack(
        "drip",
        "headers and bodies a byte at a time, or never",
        _drip,
        "no full answer in time",
        16,
        names=_hosts("drip", _DRIPS),
    ),
    Attack(
        "headers", "headers that never end", _headers, "not a valid HTTP answer", 20, names=_hosts("headers", _ENDLESS)
    ),
    Attack("lengths", "false lengths", _lengths, "broke off", 40, names=_hosts("lengths", _LENGTHS)),
    Attack(
        "bombs",
        "compression bombs, nested and unknown encodings",
        _bombs,
        "larger than",
        20,
        names=_hosts("bombs", _CODINGS),
        prepare=lambda: [_bomb(name) for name in _CODINGS],
    ),
    Attack("gigabyte", "bodies of a gigabyte", _gigabyte, "larger than", 8),
    Attack("binary", "binary served as HTML", _binary, "unwanted binary, whatever it is called", 8),
    Attack("charsets", "false and broken charsets", _charsets, "", 12),
    Attack("links", "a page of hundreds of thousands of links", _links_page, "links past the first", 120, pages=140),
    Attack("trees", "pages made to choke a parser", _trees, "nested|too wide|left out", 30),
    Attack("empty", "answers without a body", _empty, "unwanted empty", 60),
    Attack(
        "junk",
        "what is no HTTP, and status codes out of range",
        _junk,
        "not a valid HTTP answer",
        50,
        names=_hosts("junk", _JUNK),
    ),
    Attack(
        "floods",
        "1xx, trailers and chunk extensions without end",
        _floods,
        "no full answer|not a valid",
        20,
        names=_hosts("floods", _FLOODS),
    ),
    Attack("xml", "XML and JSON bombs in sitemaps and feeds", _xml, "what came after its first", 120, pages=140),
    Attack("sitemaps", "sitemaps of sitemaps without end", _sitemaps, "brought nothing new", 60),
    Attack(
        "robots",
        "robots.txt without end, slow, or costly to match",
        _robots,
        "robots.txt cannot be had",
        40,
        starts=tuple(f"http://{host}/" for host in _FRONTS),
        names=_FRONTS[1:],
    ),
    Attack(
        "plain",
        "TLS to a plain port",
        _empty,
        "certificate|TLS|not a valid|cannot connect",
        6,
        starts=("https://plain.test/",),
    ),
]
