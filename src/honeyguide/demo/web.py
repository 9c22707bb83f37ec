"""The demo web as data: pages, topics, and what a server has to know about them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urldefrag, urljoin

from honeyguide.demo.articles import Article

__all__ = ["DemoPage", "DemoTopic", "DemoWeb", "links_in"]

_HREF = re.compile(r'(?:href="|<loc>|<link>|Sitemap: )([^"<\n]+)')


def links_in(url: str, text: str) -> tuple[str, ...]:
    """The http addresses a page, feed or sitemap of the demo web points to, in order, none twice.

    >>> links_in("http://a.test/x/", '<a href="../y?a=1&amp;b=2#z">')
    ('http://a.test/y?a=1&b=2',)
    """
    found = (urldefrag(urljoin(url, unescape(href))).url for href in _HREF.findall(text))
    return tuple(dict.fromkeys(link for link in found if link.startswith("http://") and link != url))


@dataclass(frozen=True, slots=True)
class DemoPage:
    """One address and its answer.

    `topic` is what the page is about, whatever else is wrong with it (a copy has the topic of the original);
    `kind` says what it is for; `text` is the body before it was encoded; `before` are the answers given first,
    one each, before the real one.
    """

    url: str
    status: int
    headers: dict[str, str]
    body: bytes
    topic: str | None = None
    kind: str = "article"
    text: str = ""
    article: Article | None = None
    before: tuple[tuple[int, dict[str, str]], ...] = ()

    @property
    def host(self) -> str:
        """The name of the host."""
        return self.url.split("/", 3)[2]

    @property
    def is_html(self) -> bool:
        """Whether a reader would see a page here."""
        return self.status == 200 and self.headers.get("Content-Type", "").startswith("text/html")

    @property
    def links(self) -> tuple[str, ...]:
        """Where this page leads; for a redirect its target."""
        if location := self.headers.get("Location"):
            return (urljoin(self.url, location),)
        return links_in(self.url, self.text)


@dataclass(frozen=True, slots=True)
class DemoTopic:
    """A topic one can send a crawler after; `relevant` is the truth, for scoring only.

    `relevant` holds articles that may be fetched and are met for the first time: copies, print versions and
    what robots.txt keeps closed are not in it, even where they are on topic.
    """

    id: str
    name: str
    languages: tuple[str, ...]
    keywords: dict[str, float]
    examples: tuple[str, ...]
    starts: tuple[str, ...]
    far_starts: tuple[str, ...]
    relevant: frozenset[str] = field(repr=False)
    kind: str = "any"  # of pages, as a race is told


@dataclass(frozen=True, slots=True)
class DemoWeb:
    """The whole demo web. `dead` are the addresses that are linked but answer 404; `bridge` the two pages that
    must be crossed to reach the coast."""

    pages: dict[str, DemoPage] = field(repr=False)
    hosts: tuple[str, ...]
    topics: tuple[DemoTopic, ...]
    dead: frozenset[str]
    bridge: tuple[str, str]
