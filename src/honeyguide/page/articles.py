"""Is a page an article, by what it says of itself and how it is built? A score with its reasons.

Li, Chen and Xu tell articles from other pages by their blocks: what is no article lacks an abstract and keywords, so
these weigh most. Pages of today say much of themselves besides, in the tags that indexes read (citation tags, PRISM,
Dublin Core, JSON-LD, Open Graph), and a news article is known by a text of some length more than by an abstract. So all
of it is weighed in log-odds, and a page that is mostly links, or calls itself something else, has that held against it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import urlsplit

__all__ = ["ARTICLE", "LONG_TEXT", "Claims", "Shape", "article_score"]

ARTICLE = 0.5  # the score from which a page is taken for an article

_PRIOR = -1.0
_CLAIMS = {"scholarly": (2.5, "tags of a scholarly article"), "article": (1.5, "says it is an article")}
_DATED = (0.75, "bears a date")
_OTHER = -2.5
_BLOCKS = {
    "title": 0.5,
    "authors": 0.75,
    "affiliations": 0.25,
    "abstract": 1.5,
    "keywords": 1.0,
    "references": 0.5,
}
LONG_TEXT = 300
"""Terms of a page's own text that make a real article; more than these need not be counted."""

_SHORT = 80  # those that make a short one
_STUB = 25
_MOSTLY, _LARGELY = 0.6, 0.4  # the share of linked letters in what is not noise
_FRONT = re.compile(r"/?(?:index\.\w+|default\.\w+|home/?)?", re.IGNORECASE)
_OTHER_TYPES = re.compile(
    r'"@type"\s*:\s*"(Book|Product|ItemList|CollectionPage|ProfilePage|SearchResultsPage|FAQPage|Event|Recipe|'
    r'JobPosting|Course|Movie|Person|PublicationIssue|Periodical)"'
)
_ARTICLE_TYPES = re.compile(r'"@type"\s*:\s*(?:\[[^\]]{0,200})?"(?:\w*Article|NewsArticle|BlogPosting|Report)"')
_OTHER_OG = frozenset("book product profile place restaurant event".split())


class Claims:
    """What a page's head says it is."""

    __slots__ = ("made", "other")

    def __init__(self) -> None:
        self.made: set[str] = set()
        self.other = ""

    def meta(self, name: str, content: str) -> None:
        """A meta tag was read.

        >>> claims = Claims(); claims.meta("og:type", "book"); claims.other
        'says it is of type book'
        """
        if name == "og:type":
            kind = content.strip().lower()
            if kind.startswith("article"):
                self.made.add("article")
            elif kind.split(".")[0] in _OTHER_OG:
                self.other = f"says it is of type {kind}"
        elif name in ("citation_isbn", "citation_book_title"):
            self.other = "has the tags of a book"
        elif name.startswith(("citation_", "prism.")):
            self.made.add("scholarly")

    def linked_data(self, text: str) -> None:
        """A JSON-LD script was read."""
        if _ARTICLE_TYPES.search(text):
            self.made.add("article")
        elif found := _OTHER_TYPES.search(text):
            self.other = self.other or f"says it is of type {found.group(1)}"


class Shape(NamedTuple):
    """How a page is built, as far as it was looked at."""

    words: int  # terms of its own text, as far as they are counted
    linked: float  # the share of what is not noise that is linked
    roles: Collection[str] = ()  # of its blocks
    skimmed: bool = False  # it was not cut into blocks, and much of its text may have been passed over


def article_score(url: str, claims: Claims, published: str, shape: Shape) -> tuple[float, str]:
    """How likely a page is an article, from 0 to 1, and what speaks for and against it.

    >>> paper = Claims(); paper.meta("citation_doi", "10.1/2")
    >>> article_score("http://a.test/p/1", paper, "", Shape(400, 0.1, ("title", "abstract", "body")))
    (0.998, 'tags of a scholarly article, 300 or more terms of text, blocks: title, abstract')
    >>> article_score("http://a.test/", Claims(), "", Shape(40, 0.9))
    (0.002, 'against it: mostly links, a short text, a front page')
    """
    total, told, against = _PRIOR, [], []
    for claim in sorted(claims.made):
        total += _CLAIMS[claim][0]
        told.append(_CLAIMS[claim][1])
    if published:
        total += _DATED[0]
        told.append(_DATED[1])
    if shape.words >= _SHORT:
        total += 2.5 if shape.words >= LONG_TEXT else 1.5
        told.append(f"{min(shape.words, LONG_TEXT)}{' or more' * (shape.words >= LONG_TEXT)} terms of text")
    if blocks := [role for role in _BLOCKS if role in shape.roles]:
        total += sum(_BLOCKS[role] for role in blocks)
        told.append(f"blocks: {', '.join(blocks)}")
    if claims.other and "article" not in claims.made:
        total += _OTHER
        against.append(claims.other)
    if shape.linked > _LARGELY:
        total -= 2.0 if shape.linked > _MOSTLY else 1.0
        against.append("mostly links" if shape.linked > _MOSTLY else "largely links")
    if shape.words < _SHORT and not (claims.made and (shape.skimmed or "abstract" in shape.roles)):
        total -= 2.5 if shape.words < _STUB else 1.5
        against.append("hardly any text" if shape.words < _STUB else "a short text")
    parts = urlsplit(url)
    if _FRONT.fullmatch(parts.path) and not parts.query:
        total -= 1.5
        against.append("a front page")
    score = 1.0 / (1.0 + math.exp(-total))
    said = ", ".join(told)
    if against:
        said = f"{said}; against it: {', '.join(against)}" if said else f"against it: {', '.join(against)}"
    return round(score, 3), said
