"""What the head of a page says of it: its title, its language, what robots may do, where it claims to be, feeds."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from honeyguide.page.articles import Claims
from honeyguide.text.terms import is_language

__all__ = ["Head"]

_HEAD = 'title,meta,link[rel],base[href],script[type="application/ld+json"]'
_TELLING = frozenset(  # names of meta tags that are read; most pages have many more
    "robots honeyguide description og:description og:type article:published_time citation_publication_date dc.date "
    "citation_title citation_author citation_doi citation_journal_title citation_isbn citation_book_title prism.doi "
    "prism.publicationname".split()
)
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

    def __init__(self, tree: LexborHTMLParser, *, stray: bool) -> None:
        self.base = self.canonical = self.description = self.published = self.robots = ""
        self.feeds: list[tuple[str, str]] = []
        self.article = False
        self.claims = Claims()
        root = tree.root
        declared = ((root.attributes.get("lang") if root else None) or "")[:2].lower()
        self.language = declared if _CODE.fullmatch(declared) and is_language(declared) else ""
        self.title = ""
        # Looked for in the head, which takes a fraction of the time; in the whole page only if it has more of it.
        place = tree if stray or tree.head is None else tree.head
        for node in place.css(_HEAD):
            self._read(node)

    def _read(self, node: LexborNode) -> None:
        tag, said = node.tag, node.attributes
        if tag == "meta":
            name = (said.get("name") or said.get("property") or "").lower()
            if name in _TELLING:
                self._told(name, said.get("content") or "")
        elif tag == "link":
            rel = (said.get("rel") or "").lower().split()
            href = said.get("href") or ""
            if "canonical" in rel:
                self.canonical = self.canonical or href
            elif "alternate" in rel and (said.get("type") or "").lower() in _FEED_TYPES:
                self.feeds.append((href, said.get("title") or ""))
        elif tag == "title":
            self.title = self.title or " ".join(node.text().split())[:500]
        elif tag == "script":
            text = node.text()[:100_000]
            self.article = self.article or _ARTICLE_TYPES.search(text) is not None
            self.claims.linked_data(text)
        elif tag == "base":
            self.base = self.base or said.get("href") or ""

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
