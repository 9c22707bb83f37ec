"""Feeds and sitemaps as sources of links: RSS, Atom, JSON Feed, XML and plain-text sitemaps, gzipped or not.

    >>> feed = parse(b"<rss><channel><item><link>/tea</link><title>Tea</title></item></channel></rss>",
    ...              "https://example.org/feed")
    >>> feed.kind, feed.entries[0].url, feed.entries[0].title
    ('feed', 'https://example.org/tea', 'Tea')

What is broken is read as far as it goes, and nothing in a body raises. The document type is cut off before the
XML parser sees the rest, so no entity can be declared, expanded or fetched; no tree is built; and bytes, entries
and the length of every text are bounded.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import Literal

from lxml import etree

from honeyguide.page.feed_bytes import inflate, mended, utf8
from honeyguide.web.urls import Base

__all__ = ["Feed", "FeedEntry", "looks_like_feed", "parse"]

MAX_BYTES = 50 * 1024 * 1024
MAX_ENTRIES = 50_000
URL_LENGTH = 4_096
TITLE_LENGTH = 500
TEXT_LENGTH = 8_192
DEPTH = 1_000
ELEMENTS = 1_000_000
TEXTS = 4_000_000
# A JSON document is built whole in memory, many times its size; a longer one is only searched for addresses.
JSON_BYTES = 4 * 1024 * 1024

_FEEDS = frozenset({"rss", "rdf", "feed", "channel"})
_SITEMAPS = frozenset({"urlset", "sitemapindex"})
_ITEMS = frozenset({"item", "entry"})
_PLACES = frozenset({"url", "sitemap"})
_TITLED = frozenset({"channel", "feed"})
_FIELDS = {name: name for name in "loc link guid id title priority".split()}
_FIELDS |= dict.fromkeys("pubDate pubdate published publication_date date issued created".split(), "published")
_FIELDS |= dict.fromkeys("updated modified lastmod".split(), "updated")
# Vocabularies whose titles, links and dates speak of pictures, films and translations, not of the page.
_ASIDE = re.compile(r"mrss|itunes|podcast|sitemap-(?:image|video)|xhtml")
_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"

_ROOT_NAME = re.compile(rb"<(?:[A-Za-z_][\w.-]{0,40}:)?([A-Za-z_][\w.-]{0,40})")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ABSOLUTE = re.compile(r"https?://\S+", re.IGNORECASE)
_JSON_FEED = re.compile(rb'"version"\s*:\s*"https?:\\?/\\?/(?:www\.)?jsonfeed\.org')
_JSON_LINK = re.compile(rb'"(?:url|external_url)"\s*:\s*"(https?:[^"\s]{1,4096})"')
_URL_LINE = re.compile(rb"^[ \t]*(https?://[^\r\n]{1,4096})", re.IGNORECASE | re.MULTILINE)
_PARTIAL_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2]))?")
_ZONE_GAP = re.compile(r"\s+(?=[+-]\d\d:?\d\d$|Z$)")

Kind = Literal["feed", "sitemap"]


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One address a feed or sitemap gives, with what it says of it; dates are ISO 8601.

    `published` is only what the source calls the day of publication; a sitemap's lastmod is `updated`.
    """

    url: str
    title: str = ""
    published: str | None = None
    priority: float | None = None
    updated: str | None = None


@dataclass(slots=True)
class Feed:
    """What was read; `truncated` when a limit or a broken body left something out for certain."""

    kind: Literal["feed", "sitemap", "unknown"] = "unknown"
    title: str = ""
    entries: list[FeedEntry] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    truncated: bool = False


def looks_like_feed(content_type: str, head: bytes) -> Kind | None:
    """Tell a feed or sitemap from other pages by its first bytes, and where those are silent by its type.

    >>> looks_like_feed("text/html", b'<?xml version="1.0"?><rss version="2.0">')
    'feed'
    """
    head, _ = inflate(head[:65_536], 65_536)
    kind = _sniff(utf8(head))
    if kind:
        return kind
    media = content_type.partition(";")[0].strip().lower()
    start = head.lstrip()[:1]
    if media in ("application/rss+xml", "application/atom+xml") and start == b"<":
        return None if _root(head)[0] in ("html", "body") else "feed"
    return "feed" if media == "application/feed+json" and start == b"{" else None


def parse(body: bytes, base_url: str, *, max_bytes: int = MAX_BYTES, max_entries: int = MAX_ENTRIES) -> Feed:
    """Read a feed or sitemap as far as it can be read; addresses come out absolute, each once."""
    data, cut = inflate(body, max_bytes)
    data = utf8(data)
    feed = Feed(truncated=cut)
    links = _Links(feed, base_url, max_entries)
    kind = _sniff(data)
    try:
        if kind and data.lstrip()[:1] == b"{":
            _read_json(data, feed, links)
        elif kind and _root(data)[0]:
            _read_xml(data, links)
        elif kind:
            feed.kind = kind
            _read_lines(data, links)
    except _Enough:
        feed.truncated = True
    return feed


class _Enough(Exception):  # noqa: N818 - not an error: a limit was reached
    """A limit was reached; what is read so far stands."""


class _Links:
    """Collects addresses: absolute, http or https, each once, up to the limit."""

    def __init__(self, feed: Feed, base_url: str, limit: int) -> None:
        self.feed = feed
        self.base_url = base_url
        self._left = limit
        self._seen: set[str] = set()

    def entry(
        self, url: str, base: str, title: str = "", published: str = "", priority: str = "", updated: str = ""
    ) -> None:
        absolute = self._take(url, base)
        if absolute:
            entry = FeedEntry(absolute, _title(title), _date(published), _priority(priority), _date(updated))
            self.feed.entries.append(entry)

    def sitemap(self, url: str, base: str) -> None:
        absolute = self._take(url, base)
        if absolute:
            self.feed.sitemaps.append(absolute)

    def _take(self, url: str, base: str) -> str | None:
        absolute = _join(base, url)
        if not absolute or absolute in self._seen:
            return None
        if self._left <= 0:
            raise _Enough
        self._left -= 1
        self._seen.add(absolute)
        return absolute


class _Target:
    """Listens to the XML parser and keeps the few texts that matter of the item at hand."""

    def __init__(self, links: _Links) -> None:
        self._links = links
        self._elements = self._texts = 0
        self._path: list[str] = []
        self._bases = [(0, links.base_url)]
        self._item: dict[str, str] | None = None
        self._item_depth = 0
        self._text: list[str] | None = None
        self._text_depth = 0
        self._room = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        space, _, name = tag.rpartition("}")
        self._elements += 1
        if len(self._path) >= DEPTH or self._elements > ELEMENTS:
            raise _Enough
        if not self._path:
            self._links.feed.kind = "sitemap" if name in _SITEMAPS else "feed"
        self._path.append(name)
        if attributes and _XML_BASE in attributes:
            base = _join(self._bases[-1][1], attributes[_XML_BASE])
            self._bases.append((len(self._path), base or self._bases[-1][1]))
        if name in (_PLACES if self._links.feed.kind == "sitemap" else _ITEMS):
            # An item inside an item: the end of the first one was lost in broken markup.
            self._finish()
            self._begin()
        elif self._item is not None:
            self._within(space, name, attributes)
        elif name == "title" and len(self._path) > 1 and self._path[-2] in _TITLED:
            self._listen()

    def _begin(self) -> None:
        self._item = {"base": self._bases[-1][1]}
        self._item_depth = len(self._path)
        if self._path[-1] == "sitemap":
            self._listen()

    def _within(self, space: str, name: str, attributes: Mapping[str, str]) -> None:
        if len(self._path) == self._item_depth + 1:
            if name == "link" and "href" in attributes and not _ASIDE.search(space):
                self._atom_link(attributes)
            elif name in _FIELDS and not _ASIDE.search(space):
                self._listen()
        elif "news" in space and name in ("title", "publication_date"):
            self._listen()

    def _atom_link(self, attributes: Mapping[str, str]) -> None:
        assert self._item is not None
        if attributes.get("rel", "alternate") == "alternate":
            readable = attributes.get("type", "text/html") in ("text/html", "application/xhtml+xml")
            href = _join(self._bases[-1][1], attributes["href"]) or ""
            self._item.setdefault("page" if readable else "other", href)

    def _listen(self) -> None:
        self._text, self._text_depth, self._room = [], len(self._path), TEXT_LENGTH

    def data(self, text: str) -> None:
        self._texts += 1
        if self._texts > TEXTS:
            raise _Enough
        if self._text is not None and self._room > 0:
            self._text.append(text[: self._room])
            self._room -= len(text)

    def end(self, _tag: str) -> None:
        if self._text is not None and len(self._path) == self._text_depth:
            text, self._text = "".join(self._text).strip(), None
            if self._item is not None:
                name = self._path[-1]
                self._item.setdefault("loc" if name == "sitemap" else _FIELDS.get(name, name), text)
            elif not self._links.feed.title:
                self._links.feed.title = _title(text)
        if self._item is not None and len(self._path) == self._item_depth:
            self._finish()
        if self._bases[-1][0] == len(self._path):
            self._bases.pop()
        self._path.pop()

    def close(self) -> None:
        self._finish()

    def _finish(self) -> None:
        item, self._item, self._text = self._item, None, None
        if item is None:
            return
        # In order of trust; an id or guid counts only if it is an address by itself.
        urls = [item.pop(key, "") for key in ("loc", "page", "link", "other")]
        urls += [text for text in (item.pop("guid", ""), item.pop("id", "")) if _ABSOLUTE.match(text)]
        url = next(filter(None, urls), "")
        base = item.pop("base")
        if self._path[self._item_depth - 1] == "sitemap":
            self._links.sitemap(url, base)
        else:
            self._links.entry(url, base, **item)


def _read_xml(data: bytes, links: _Links) -> None:
    target = _Target(links)
    parser = etree.XMLParser(
        target=target, encoding="utf-8", recover=True, resolve_entities=False, load_dtd=False, no_network=True
    )
    try:
        for piece in mended(data[_root(data)[1] :]):
            parser.feed(piece)
        parser.close()
    except etree.XMLSyntaxError:
        target.close()


def _read_lines(data: bytes, links: _Links) -> None:
    for line in _URL_LINE.finditer(data):
        links.entry(line.group(1).decode("utf-8", "replace"), links.base_url)


def _read_json(data: bytes, feed: Feed, links: _Links) -> None:
    try:
        document = json.loads(data) if len(data) <= JSON_BYTES else None
    except (ValueError, RecursionError):
        document = None
    feed.kind = "feed"
    if not isinstance(document, dict):
        feed.truncated = True
        for link in _JSON_LINK.finditer(data):
            links.entry(link.group(1).replace(b"\\/", b"/").decode("utf-8", "replace"), links.base_url)
        return
    feed.title = _title(_string(document, "title"))
    items = document.get("items")
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict):
            _json_item(item, links)


def _json_item(item: dict[str, object], links: _Links) -> None:
    named = _string(item, "id")
    url = _string(item, "url") or _string(item, "external_url") or (named if _ABSOLUTE.match(named) else "")
    dates = {"published": _string(item, "date_published"), "updated": _string(item, "date_modified")}
    links.entry(url, links.base_url, title=_string(item, "title"), **dates)


def _string(item: Mapping[str, object], key: str) -> str:
    value = item.get(key)
    # Half a surrogate pair is legal JSON, but no text that could be stored.
    return value[:TEXT_LENGTH].encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _root(data: bytes) -> tuple[str, int]:
    """Name and place of the first element, past comments, instructions and the document type."""
    at = data.find(b"<")
    while at >= 0:
        if data.startswith(b"<!--", at):
            at = data.find(b"-->", at)
        elif data[at + 1 : at + 2] in (b"?", b"!"):
            at = data.find(b">", at)
        else:
            match = _ROOT_NAME.match(data, at)
            if match:
                return match.group(1).decode("utf-8", "replace").lower(), at
            at += 1
        at = data.find(b"<", at) if at >= 0 else -1
    return "", -1


def _sniff(data: bytes) -> Kind | None:
    name, at = _root(data)
    if name in _FEEDS:
        # RDF holds many things; only with RSS items is it a feed.
        return "feed" if name != "rdf" or b"rss" in data[at : at + 4_096].lower() else None
    if name in _SITEMAPS:
        return "sitemap"
    start = data.lstrip()[:4_096]
    if start[:1] == b"{":
        return "feed" if _JSON_FEED.search(data) else None
    lines = start.decode("utf-8", "replace").split("\n")[:5]
    filled = [line.strip() for line in lines if line.strip()]
    return "sitemap" if filled and all(map(_ABSOLUTE.fullmatch, filled)) else None


@lru_cache(maxsize=16)
def _base(address: str) -> Base:
    return Base(address)


def _join(base: str, url: str) -> str | None:
    url = url.strip()
    if not url or len(url) > URL_LENGTH:
        return None
    return _base(base).join(url)


def _title(text: str) -> str:
    return " ".join(html.unescape(_TAG.sub(" ", text[: 4 * TITLE_LENGTH])).split())[:TITLE_LENGTH]


def _priority(text: str) -> float | None:
    try:
        number = float(text[:20])
    except ValueError:
        return None
    return number if 0.0 <= number <= 1.0 else None


def _date(text: str) -> str | None:
    """A date as ISO 8601, whether it came as W3C date, ISO 8601 or in the manner of e-mail; else None."""
    text = text.strip()
    if not text or len(text) > 64:
        return None
    if _PARTIAL_DATE.fullmatch(text):
        return text
    try:
        moment = datetime.fromisoformat(_ZONE_GAP.sub("", text))
        return text if len(text) == 10 else moment.isoformat()
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(text).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
