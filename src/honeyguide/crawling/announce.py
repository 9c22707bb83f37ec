"""Which of the brain's doings are events."""

from __future__ import annotations

from honeyguide.crawling.brain import Brain
from honeyguide.crawling.events import Events, HostChanged, PageVisited, RecordKept, VerdictTurned
from honeyguide.page.record import Record
from honeyguide.store import VisitRow

__all__ = ["announce"]


def announce(brain: Brain, events: Events) -> None:
    """Have a brain's visits, turned verdicts, records and given-up hosts told as events."""

    def visited(visit: VisitRow, url: str) -> None:
        if visit.on_topic:
            brain.last_find = visit.title or url
        if events.wanted(PageVisited):
            told = (visit.outcome, visit.title, visit.relevance, visit.on_topic, visit.reason)
            events.add(PageVisited(url, *told))

    def turned(visit: VisitRow) -> None:
        if events.wanted(VerdictTurned):
            events.add(VerdictTurned(brain.store.url(visit.url).url, visit.relevance, visit.on_topic))

    def kept(visit: int, record: Record) -> None:
        events.add(RecordKept(visit, record.url, record.title))

    def parked(host: str, why: str) -> None:
        events.add(HostChanged(host, why))

    brain.on_visit = visited
    brain.on_turned = turned
    brain.keeping.on_record = kept
    brain.policy.on_park = parked
