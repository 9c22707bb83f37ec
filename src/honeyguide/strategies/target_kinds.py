"""What kind of page a link leads to, told before it is fetched: from the block it stands in, its anchor and its URL.

What is told is learnt on the way. Every page that was fetched says whether it was an article, and so what to think of
links of the same sort (a headline in a list of related articles, to an address with a number in it), and above all of
addresses of the same pattern on the same host.

    p = (articles of the pattern + doubt * q) / (pages of the pattern + doubt)
    q = (articles of the sort + 1) / (pages of the sort + 2)
"""

from __future__ import annotations

import re

import msgspec
import numpy as np

from honeyguide.frontier import Graph
from honeyguide.graph import Column
from honeyguide.page.articles import ARTICLE
from honeyguide.page.cues import SEGMENT_ROLES
from honeyguide.page.digest import Digest, Link
from honeyguide.strategies.base import Floats, Ints

__all__ = ["TargetKinds"]

_DOUBT = 2.0  # pages of a pattern it takes to be believed as much as the sort of link
_HEADLINE = 24  # letters of an anchor that names an article rather than a section; a Han letter counts for three
_ROLES = {role: place + 1 for place, role in enumerate(SEGMENT_ROLES)}
_LISTS = re.compile(
    r"/(?:tags?|categor(?:y|ies)|topics?|sections?|authors?|users?|profiles?|search|archives?|issues?|volumes?|toc|books?|"
    r"products?|shop|cart|login|register|subscribe|about|contact|help|terms|privacy|page)(?:[/._?-]|s?$)|/$|[?&](?:page|p)=",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\d{4}|/[^/]*\d[^/]*$|10\.\d{4}/|(?:[a-z]+-){3}", re.IGNORECASE)
_SORTS = (len(_ROLES) + 1) * 2 * 3


class TargetKinds:
    """Predicts which URLs lead to articles, and learns from those that were fetched."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._sort: Column[np.int16] = graph.column(np.int16)  # the sort of link by which a URL was found first, from 1
        self._pages = np.zeros(_SORTS + 1)
        self._articles = np.zeros(_SORTS + 1)
        self._patterns: dict[int, tuple[int, int]] = {}  # by pattern: pages, and articles among them

    def found(self, page: Digest) -> None:
        """Take note of how the links of a page look; a URL keeps what was seen of it first."""
        for link in page.links:
            if not self._sort.raw[link.id]:
                self._sort.raw[link.id] = self._sort_of(page, link)

    @staticmethod
    def _sort_of(page: Digest, link: Link) -> int:
        anchor = link.anchor if link.anchor.isascii() else link.anchor.encode("utf-8", "replace")
        address = 1 if _LISTS.search(link.url, 8) else 2 if _NUMBERED.search(link.url, 8) else 0
        role = _ROLES.get(page.role(link), 0)
        return 1 + (role * 2 + (len(anchor) >= _HEADLINE)) * 3 + address

    def learn(self, page: Digest) -> None:
        """A page was fetched: it is an article or it is not."""
        if page.article_score < 0:
            return
        is_article = page.article_score >= ARTICLE
        sort = self._sort.raw[page.id]
        self._pages[sort] += 1
        self._articles[sort] += is_article
        pattern = int(self._graph.pattern[page.id])
        pages, articles = self._patterns.get(pattern, (0, 0))
        self._patterns[pattern] = (pages + 1, articles + is_article)

    def chance(self, numbers: Ints) -> Floats:
        """How likely each URL is an article."""
        sorts = self._sort.raw[numbers]
        by_sort = (self._articles[sorts] + 1.0) / (self._pages[sorts] + 2.0)
        known = [self._patterns.get(pattern, (0, 0)) for pattern in self._graph.pattern[numbers].tolist()]
        counts = np.array(known, dtype=np.float64).reshape(-1, 2)
        chance: Floats = (counts[:, 1] + _DOUBT * by_sort) / (counts[:, 0] + _DOUBT)
        return chance

    def save(self) -> bytes:
        """All that was learnt."""
        counts = (self._pages.tolist(), self._articles.tolist(), list(self._patterns.items()))
        return msgspec.msgpack.encode((self._sort.save(), *counts))

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        sort, pages, articles, patterns = msgspec.msgpack.decode(
            state, type=tuple[bytes, list[float], list[float], list[tuple[int, tuple[int, int]]]]
        )
        self._sort.load(sort)
        self._pages, self._articles, self._patterns = np.array(pages), np.array(articles), dict(patterns)
