"""What of a crawl is worth watching: where new articles are named, and the articles themselves."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from honeyguide.crawling.brain import AGAIN, Brain
from honeyguide.crawling.schedule import Schedule
from honeyguide.page.digest import Digest, Link, decode
from honeyguide.page.record import Record
from honeyguide.store import VisitRow, Watched
from honeyguide.store.watching import WatchKind
from honeyguide.web.urls import key_of

__all__ = ["BEGAN", "WATCHED", "enrol", "feeds_named", "is_list", "list_mark", "note"]

BEGAN = "watch_began"  # how many URLs were known when the crawl was first watched
WATCHED = "watch_visits"  # how many visits were made while watching
_SINCE = "watch_enrolled"  # the visit up to which the crawl was looked through
_LEADS = 2  # articles on topic that a page must have led to before it is watched as a section
_MOST_SECTIONS = 200
_LIST = 10  # links
_MOST_NAMED = 20_000  # addresses remembered of one list


def list_mark(page: Digest, before: set[int] | None = None, left: Iterable[Link] = ()) -> bytes:
    """What a list names, and has named before, as numbers of addresses, but for those left for next time; never empty.

    What leaves a list and comes back is not new. Of a list that has named very much, what it names now must do.
    """
    now = {key_of(link.url) for link in page.links} - {key_of(link.url) for link in left}
    known = now | (before or set())
    return array("q", sorted(known if len(known) <= max(_MOST_NAMED, 2 * len(now)) else now) or [-1]).tobytes()


def is_list(record: Record, page: Digest) -> bool:
    """Whether what was kept of a page is no article, but a list of others: it has no versions."""
    return record.kind == "index" or (record.kind == "page" and len(page.links) >= _LIST)


def enrol(brain: Brain, schedule: Schedule, wall: float) -> int:
    """Watch what the crawl has found since it was last looked through; returns how much that is."""
    store = brain.store
    since: int = store.meta(_SINCE, 0)
    before = len(schedule.rows)
    if store.meta(BEGAN) is None:
        store.set_meta(**{BEGAN: len(brain.ranking.graph)})
    starts = {row.id for url in brain.topic.starting_points if (row := store.find_url(url)) is not None}
    sections = _sections(brain) | starts
    for visit in store.visits("page", "feed"):
        if visit.id > since and visit.role != AGAIN and visit.url not in schedule:
            _enrol_visit(brain, schedule, visit, wall, sections)
    for named in store.named():
        for target in np.frombuffer(named.targets, dtype=np.int32).tolist() if named.after >= since else ():
            if target >= 0 and target not in schedule and not store.visits_of(target):
                schedule.put(Watched(target, "sitemap", wall))
    note(brain)
    return len(schedule.rows) - before


def note(brain: Brain, *, watching: bool = False) -> None:
    """All visits so far are seen to; those that were made while watching are counted apart."""
    store, last = brain.store, brain.store.last_visit()
    if watching and (fresh := last - store.meta(_SINCE, 0)):
        store.set_meta(**{WATCHED: store.meta(WATCHED, 0) + fresh})
    store.set_meta(**{_SINCE: last})


def _sections(brain: Brain) -> set[int]:
    """Pages that led to articles on topic, the best of them."""
    store = brain.store
    led: Counter[int] = Counter()
    for visit in store.visits("page", on_topic=True):
        parent = store.url(visit.url).parent
        if parent is not None:
            led[parent] += 1
    return {number for number, count in led.most_common(_MOST_SECTIONS) if count >= _LEADS}


def _enrol_visit(brain: Brain, schedule: Schedule, visit: VisitRow, wall: float, sections: set[int]) -> None:
    blob = brain.store.digest(visit.id)
    page = decode(blob) if blob is not None else None
    if page is None:
        return
    if visit.outcome == "feed":
        kind: WatchKind = "sitemap" if page.kind == "sitemap" else "feed"
    elif (record := brain.store.records.get(visit.id)) is not None:
        kind = "section" if is_list(record, page) else "article"
    elif visit.url in sections and not page.article:
        kind = "section"
    elif visit.on_topic and visit.duplicate is None and not visit.unkept:
        kind = "article"  # its record is still to be made: the crawl was killed before
    else:
        return
    mark = b"" if kind == "article" else list_mark(page)  # the print of an article is not known yet
    row = Watched(visit.url, kind, 0.0, checked=visit.fetched, mark=mark, visit=visit.id)
    schedule.postpone(row, visit.fetched)
    for url in feeds_named(page) if kind == "section" else ():
        number = brain.ranking.graph.find(url)
        if number is not None and number not in schedule and not brain.store.visits_of(number):
            schedule.put(Watched(number, "feed", wall))


def feeds_named(page: Digest) -> Iterator[str]:
    """The feeds that a page says are its own."""
    return (link.url for link in page.links if link.rel == "alternate")
