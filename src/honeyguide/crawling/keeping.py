"""The records of a crawl: which pages get one, who is asked to make it, and what becomes of it when verdicts turn."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence

import msgspec

from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.settings import Settings
from honeyguide.page.digest import Digest, decode
from honeyguide.page.record import Record
from honeyguide.page.walls import wall
from honeyguide.store import Store, VisitRow
from honeyguide.web.urls import host_of

__all__ = ["COPY", "NOINDEX", "SUPERSEDED", "Keeping", "quick_record", "record_of"]

COPY, NOINDEX = "a copy of a page that was kept", "it asks not to be kept (noindex)"
SUPERSEDED = "it has changed since, and its newer version is kept"
_ASIDE, _SHORT = 256, 100_000  # records of pages dropped that are remembered, and characters of the longest
_MANY = 16  # records that wait to be made; with more, no further page is asked for, while bodies are still at hand


class Keeping:
    """Has the records of pages on topic made, and keeps them."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self._store = store
        # Verdicts turn back: one record in five was made twice.
        self._aside: OrderedDict[int, Record] = OrderedDict()
        self._quick: dict[int, Record] = {}  # quick records of visits whose careful one is being made
        self.wanted: deque[Order] = deque()  # records to be made; some may have been dropped since
        self.kept = 0
        self.on_record: Callable[[int, Record], None] = _nobody  # told of each record that is kept, and of which visit

    @property
    def behind(self) -> bool:
        """Whether so many records wait that pages had better wait, too: both must not pile up in memory."""
        return len(self.wanted) > _MANY

    def next_order(self) -> Order | None:
        """The next record to be made."""
        while self.wanted:
            order = self.wanted.popleft()
            if order.visit in self._quick:
                return order
        return None

    def keep(self, visit: VisitRow, page: Digest) -> None:
        """A page is on topic: have its record made, unless it is a copy or asks not to be kept."""
        if not self.settings.keep:
            return
        blocked = wall(page.title, page.description, 5 * page.words)  # about five letters a word
        why = NOINDEX if page.noindex else COPY if self._is_copy(visit) else blocked
        if not why and self._store.watching.is_superseded(visit.id):
            why = SUPERSEDED
        self._leave_out(visit, why)
        if why:
            return
        if (record := self._aside.pop(visit.id, None)) is not None:
            self._put(visit, record)
            return
        self._quick[visit.id] = quick_record(page, visit.media)
        place = (visit.warc, visit.warc_size)
        careful = self.settings.careful
        self.wanted.append(Order(visit.url, page.url, "record", *place, page.language, visit.id, careful))

    def _is_copy(self, visit: VisitRow) -> bool:
        """Whether a page is a copy of one that is kept; a copy of what was itself left out is all there is of it."""
        if visit.duplicate is None:
            return False
        first = self._store.visit(visit.duplicate)
        return (first.on_topic and first.unkept in ("", SUPERSEDED)) or self._store.has_kept_copy(
            first.id, besides=visit.id
        )

    def turned(self, visits: Sequence[VisitRow]) -> None:
        """Verdicts of these turned: of each page and its copies one has the record, if one is on topic and may."""
        for first in sorted({visit.id if visit.duplicate is None else visit.duplicate for visit in visits}):
            for copy in self._store.copies_of(first):
                if not copy.on_topic or copy.unkept not in ("", COPY) or (copy.unkept == COPY) == self._is_copy(copy):
                    continue
                if copy.unkept == "":
                    self._leave_out(copy, COPY)
                    self.drop(copy.id)
                elif (blob := self._store.digest(copy.id)) is not None:
                    self.keep(copy, decode(blob))

    def _leave_out(self, visit: VisitRow, why: str) -> None:
        """Note why a page on topic has no record; nothing for one that has."""
        if why != visit.unkept:
            visit.unkept = why
            self._store.set_unkept(visit.id, why)

    def drop(self, visit: int) -> None:
        """A page is on topic no longer."""
        self._quick.pop(visit, None)
        record = self._store.records.get(visit)
        if record is not None and len(record.text) <= _SHORT:
            self._aside[visit] = record
            if len(self._aside) > _ASIDE:
                self._aside.popitem(last=False)
        self.kept -= self._store.records.drop(visit)

    def made(self, answer: Answer) -> None:
        """A record was made; if the careful one could not be, the quick one must do."""
        number = answer.order.visit
        quick = self._quick.pop(number, None)
        visit = self._store.visit(number)
        if quick is None or not visit.on_topic:
            return
        record = record_of(answer, quick)
        if record.kind == "wall":
            self._leave_out(visit, record.extra["wall"])
            self.drop(number)
            return
        self._put(visit, record)

    def _put(self, visit: VisitRow, record: Record) -> None:
        parent = self._store.url(visit.url).parent
        record.parent = self._store.url(parent).url if parent is not None else None
        record.relevance, record.fetched = round(visit.relevance, 4), visit.fetched
        self._store.records.put(visit.id, record)
        self.kept += 1
        self.on_record(visit.id, record)


def record_of(answer: Answer, quick: Record) -> Record:
    """The careful record that was made, or else the quick one, with the quick text where there is no other."""
    record = msgspec.json.decode(answer.record, type=Record) if answer.record else quick
    if not record.text:
        record.text = answer.text
        if answer.left_out:
            record.extra["left_out"] = answer.left_out
    return record


def _nobody(_visit: int, _record: Record) -> None:
    """Nobody is listening."""


def quick_record(page: Digest, media: str) -> Record:
    """What the first look at a page says of it: its record, where a careful one cannot be made."""
    quick = Record(
        url=page.url,
        title=page.title,
        published=page.published or None,
        source=host_of(page.url).rpartition(":")[0],
        language=page.language,
        description=page.description,
        kind="pdf" if media == "application/pdf" else "article" if page.article else "page",
        careful=False,
    )
    given = (name for name in ("title", "published", "source", "language", "description") if getattr(quick, name))
    quick.sources = dict.fromkeys(given, "first look")
    return quick
