"""What the head of a page says of it: its title, its language, what robots may do, where it claims to be, feeds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from honeyguide.page.articles import Claims
from honeyguide.text.terms import is_language

__all__ = ["Head"]

_DATES = ("article:published_time", "citation_publication_date", "dc.date")
_BOOKS = ("citation_isbn", "citation_book_title")
_FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json")
_ARTICLE_TYPES = re.compile(r'"@type"\s*:\s*"(?:\w*Article|NewsArticle|BlogPosting|Report)"')
_CODE = re.compile(r"[a-z]{2}")


class Head:
    """What a page's head says of it."""

    __slots__ = (
        "article",
        "base",
        "canonical",
        "claims",
        "description",
        "feeds",
        "language",
        "published",
        "robots",
        "title",
    )

    def __init__(self, tags: Sequence[tuple[str, ...]]) -> None:
        """From the tags that `tags.skim_page` found to say something of the page."""
        self.base = self.canonical = self.description = self.published = self.robots = ""
        self.feeds: list[tuple[str, str]] = []
        self.article = False
        self.claims = Claims()
        self.language = self.title = ""
        for tag in tags:
            self._read(*tag)

    def _read(self, tag: str, first: str, *more: str) -> None:
        if tag == "meta":
            self._told(first, *more)
        elif tag == "link":
            href, kind, title = more
            rel = first.lower().split()
            if "canonical" in rel:
                self.canonical = self.canonical or href
            elif "alternate" in rel and kind.lower() in _FEED_TYPES:
                self.feeds.append((href, title))
        elif tag == "title":
            self.title = self.title or " ".join(first.split())[:500]
        elif tag == "script":
            text = first[:100_000]
            self.article = self.article or _ARTICLE_TYPES.search(text) is not None
            self.claims.linked_data(text)
        elif tag == "base":
            self.base = self.base or first
        elif not self.language and _CODE.fullmatch(declared := first[:2].lower()) and is_language(declared):
            self.language = declared

    def _told(self, name: str, content: str) -> None:
        self.claims.meta(name, content)
        if name in ("robots", "honeyguide"):
            self.robots += "," + content.lower()
        elif name in ("description", "og:description"):
            self.description = self.description or content[:1_000]
        elif name == "og:type":
            self.article = self.article or content.lower().startswith("article")
        elif name in _BOOKS:
            return
        else:
            if name in _DATES:
                self.published = self.published or content[:40]
            self.article = True
