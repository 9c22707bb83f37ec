"""Where new articles are named: feeds, sitemaps and sections that are read again and again."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal

from honeyguide.crawling.brain import Brain
from honeyguide.crawling.enrol import feeds_named, list_mark
from honeyguide.crawling.schedule import Schedule
from honeyguide.crawling.traps import SITEMAPS_ONLY
from honeyguide.page.digest import Digest, Link
from honeyguide.store import Watched
from honeyguide.web.urls import key_of, site_of

__all__ = ["Lists"]

_AT_FIRST = 100  # unknown addresses on a list never read before: with more of them it is an archive, not the news
_MOST = 1_000  # new addresses taken from one list at once
_MOST_LISTS = 50  # feeds of one host, and as many sitemaps: there are indexes of sitemaps without end


class Lists:
    """Reads lists, and has what is new on them visited."""

    def __init__(self, brain: Brain, schedule: Schedule) -> None:
        self._brain = brain
        self._schedule = schedule
        self._graph = brain.ranking.graph
        self.began = 0  # URLs known before the first watch: those left unvisited are for a crawl to visit

    def read(self, row: Watched, page: Digest, wall: float) -> None:
        """A feed, a sitemap or a section was read: what it names that it did not name before is new."""
        before = set(array("q", row.mark)) if row.mark else None
        home = site_of(page.url) if row.kind == "section" else ""
        if page.left_out == SITEMAPS_ONLY:
            for link in page.links[:_MOST]:
                self.watch(link.url, "sitemap", wall, parent=row.url)
            self._schedule.checked(row, wall, changed=False)
            return
        for url in feeds_named(page):
            self.watch(url, "feed", wall, parent=row.url)
        fresh = [link for link in page.links if self._is_new(link, before, home)]
        changed = False
        left: Sequence[Link] = ()
        if before is not None or len(fresh) <= _AT_FIRST:
            changed, left = self._take_in(row, fresh[:_MOST], wall), fresh[_MOST:]
        elif fresh:
            self._brain.ranking.add(*_named(fresh), parent=row.url, depth=1)
        row.mark = list_mark(page, before, left)
        if left:  # it is to be read again, be it as it was
            row.etag = row.modified = ""
        self._schedule.checked(row, wall, changed=changed)

    def _is_new(self, link: Link, before: set[int] | None, home: str) -> bool:
        if link.rel == "alternate" or (home and site_of(link.url) != home):
            return False
        if before is not None:
            return key_of(link.url) not in before
        return self._graph.find(link.url) is None

    def _take_in(self, row: Watched, links: list[Link], wall: float) -> bool:
        """Have new addresses visited; says whether the list has changed, as far as it is needed to know of any."""
        where = self._brain.store.url(row.url).url
        found = self._brain.ranking.add(*_named(links), parent=row.url, depth=1)
        # A section shows old stories again. What it names of those that a crawl had known and left is not news.
        oldest = self.began if row.kind == "section" else 0
        named = [number for number in dict.fromkeys(found) if number >= oldest]
        row.named += len(named)
        first = [number for number in named if number not in self._schedule and not self.is_done(number)]
        for number in first:
            self._schedule.put(Watched(number, "new", wall, found=where))
        return bool(named if self._schedule.leads(row) else first)

    def is_done(self, number: int) -> bool:
        """Whether an address was visited, or is not to be; one that led nowhere may lead somewhere by now."""
        store = self._brain.store
        seen = any(visit.outcome not in ("missing", "failed") for visit in store.visits_of(number))
        return seen or store.refusal(number) is not None

    def watch(self, url: str, kind: Literal["feed", "sitemap"], wall: float, *, parent: int | None) -> None:
        if self._brain.scope.refusal(url):
            return
        (number,) = self._brain.ranking.add([url], parent=parent, depth=1)
        if number >= 0 and number not in self._schedule and self._schedule.count(number, kind) < _MOST_LISTS:
            self._schedule.put(Watched(number, kind, wall))


def _named(links: Sequence[Link]) -> tuple[list[str], list[str]]:
    """The addresses of links, and their anchors."""
    return [link.url for link in links], [link.anchor for link in links]
