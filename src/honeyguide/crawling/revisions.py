"""Articles that change: a new version of the record when text or title has, none for other furniture around them.

The newest version stands in the corpus; earlier ones are kept beside it, each with the visit that brought it.
"""

from __future__ import annotations

from datetime import UTC, datetime

from honeyguide.crawling.brain import Brain
from honeyguide.crawling.enrol import is_list
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.keeping import SUPERSEDED, quick_record, record_of
from honeyguide.crawling.schedule import Schedule
from honeyguide.page.digest import Digest
from honeyguide.page.record import Record
from honeyguide.store import VisitRow, Watched

__all__ = ["GONE", "Revisions"]

GONE = "gone"
"""Where a record says since when its page is not there any more."""


class Revisions:
    """Keeps the versions of articles."""

    def __init__(self, brain: Brain, schedule: Schedule) -> None:
        self._brain = brain
        self._schedule = schedule
        self._seen: dict[int, tuple[Answer, Digest]] = {}  # pages whose record is being made

    def begin(self, visit: VisitRow, answer: Answer, wall: float) -> None:
        """Watch an article that was just kept."""
        row = Watched(visit.url, "article", wall, checked=wall, mark=answer.print, visit=visit.id)
        row.etag, row.modified = answer.etag, answer.modified
        self._schedule.postpone(row, wall)

    def is_list(self, row: Watched, page: Digest) -> bool:
        """Whether the record that was made of an article says that it is but a list of others."""
        record = self._brain.store.records.get(row.visit)
        return record is not None and is_list(record, page)

    def looked(self, row: Watched, answer: Answer, page: Digest, wall: float) -> Order | None:
        """An article was looked at: nothing new, or the order for a record that shows whether it is."""
        if not self._brain.store.visit(row.visit).on_topic:  # the judge thinks otherwise of it by now
            self._schedule.drop(row.url)
            return None
        if answer.print == row.mark:
            self._schedule.checked(row, wall, changed=False)
            return None
        self._seen[row.url] = (answer, page)
        careful = self._brain.settings.careful
        return Order(row.url, answer.order.url, "record", language=page.language, careful=careful)

    def lost(self, url: int) -> None:
        """The record of an article will not be made: it is looked at again."""
        if self._seen.pop(url, None) is not None and (row := self._schedule.rows.get(url)) is not None:
            self._schedule.again(row)

    def made(self, answer: Answer, wall: float) -> Watched | None:
        """The record of an article whose page has changed was made; returns it if it is a new version."""
        row = self._schedule.rows.get(answer.order.number)
        seen = self._seen.pop(answer.order.number, None)
        if row is None or seen is None:
            return None
        fetched, page = seen
        record = record_of(answer, quick_record(page, fetched.media))
        row.mark = fetched.print
        changed = self._is_version(row, record) and self._keep(row, fetched, page, record, wall)
        self._schedule.checked(row, wall, changed=changed)
        return row if changed else None

    def _is_version(self, row: Watched, record: Record) -> bool:
        before = self._brain.store.records.get(row.visit)
        if record.kind == "wall" or before is None:
            return False
        return (record.title, record.text.split()) != (before.title, before.text.split())

    def _keep(self, row: Watched, answer: Answer, page: Digest, record: Record, wall: float) -> bool:
        store = self._brain.store
        before = store.records.get(row.visit)
        if before is None or page.noindex or not self._brain.verdicts(page).on_topic:
            return False  # what it said when it was on topic stays
        visit = self._brain.revised(answer, page)
        store.watching.supersede(row.url, row.visit, wall, before)
        store.records.drop(row.visit)
        store.set_unkept(row.visit, SUPERSEDED)
        record.parent, record.relevance, record.fetched = before.parent, round(visit.relevance, 4), visit.fetched
        store.records.put(visit.id, record)
        row.visit = visit.id
        return True

    def gone(self, row: Watched, since: float | None) -> bool:
        """Note in its record that a page is gone, or that it is back; False if that was known."""
        record = self._brain.store.records.get(row.visit)
        if record is None or (since is None) == (GONE not in record.extra):
            return False
        record.extra.pop(GONE, None)
        if since is not None:
            record.extra[GONE] = datetime.fromtimestamp(since, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self._brain.store.records.put(row.visit, record)
        return True
