"""Answers to a user's questions about a crawl: how is it, why this link, why on topic, why did it stop."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from honeyguide.crawling.enrol import WATCHED
from honeyguide.crawling.ranking import Ranking
from honeyguide.crawling.reading import as_written, page_wording
from honeyguide.crawling.resume import restore_order
from honeyguide.crawling.settings import Settings
from honeyguide.crawling.verdicts import is_own, verdict_parts
from honeyguide.errors import HoneyguideError
from honeyguide.store import Folder, Store, VisitRow
from honeyguide.strategies import make
from honeyguide.topic import Topic
from honeyguide.web import Scope
from honeyguide.web.urls import host_of, normalise

__all__ = ["Visit", "Why", "load_settings", "load_topic", "status", "why"]

_LONGEST_CHAIN = 50


class Visit(msgspec.Struct, kw_only=True):
    """What came of one visit, for people."""

    fetched: float
    outcome: str
    status: int
    detail: str
    title: str
    on_topic: bool
    probability: float
    words: list[tuple[str, float]]  # that decided, as the page writes them, with their parts in log-odds
    rest: float | None  # the part of all else, so that the sum is the verdict; None where the judge does not add up
    judge: str  # who judged
    note: str
    unkept: str  # why it has no record, though it is on topic
    sources: dict[str, str]  # where the fields of its record were found
    sure: dict[str, float]  # and how likely each of them is right
    duplicate_of: str | None


class Why(msgspec.Struct, kw_only=True):
    """Everything recorded about one URL."""

    url: str
    state: str
    found_on: list[str] = []  # the way from a start to here, nearest page first
    anchor: str = ""
    depth: int = 0
    priority: float | None = None
    reason: str = ""
    refused: str = ""
    host: str = ""
    host_parked: str = ""
    threshold: float = 0.5  # the probability a page must reach
    label: bool | None = None  # what a person said of it
    visits: list[Visit] = []


def load_settings(store: Store) -> Settings:
    """The settings a crawl was begun with."""
    return msgspec.convert(store.meta("settings", {}), Settings)


def load_topic(folder: Folder) -> Topic:
    """The topic a crawl was begun with."""
    return Topic.load(folder.topic)


def status(folder: Folder) -> dict[str, Any]:
    """How a crawl stands, also while it runs."""
    store = Store.open(folder.database, read_only=True)
    try:
        counts = store.counts()
        settings = load_settings(store)
        pages = counts["visits"]
        done = sum(1 for _ in store.done_urls())
        crowded = {
            f"{site} has more addresses than a crawl of this size could choose from": count
            for site, count in store.meta("crowded", {}).items()
        }
        return {
            "folder": str(folder.path),
            "topic": load_topic(folder).name,
            "strategy": settings.strategy,
            "web": settings.web,
            "pages": pages,
            "budget": settings.pages,
            "by_watching": store.meta(WATCHED, 0),
            "on_topic": counts["on_topic"],
            "harvest": round(counts["on_topic"] / pages, 4) if pages else 0.0,
            "records": counts["records"],
            "known": counts["urls"],
            "queued": counts["urls"] - done,
            "hosts": counts["hosts"],
            "seconds": round(store.meta("seconds", 0.0), 1),
            "stop_reason": store.meta("stop_reason", ""),
            "outcomes": {
                name: counts[name]
                for name in ("page", "redirect", "missing", "failed", "unwanted", "feed", "pdf")
                if name in counts
            },
            "duplicates": counts["duplicates"],
            "unkept": store.unkept(),
            "refusals": store.refusal_counts() | crowded,
            "parked_hosts": {row.name: row.parked for row in store.hosts() if row.parked},
            "pdfs": [store.url(visit.url).url for visit in store.visits("pdf")],
            "labels": len(store.labels()),
        }
    finally:
        store.close()


def why(folder: Folder, address: str) -> Why:
    """All the reasons recorded about a URL."""
    url = normalise(address)
    if url is None:
        raise HoneyguideError(f"'{address}' is not the address of a web page")
    store = Store.open(folder.database, read_only=True)
    try:
        return _why(folder, store, url)
    finally:
        store.close()


def _why(folder: Folder, store: Store, url: str) -> Why:
    settings, topic = load_settings(store), load_topic(folder)
    judge = store.meta("judge", {}) or {}
    found = Why(url=url, state="", host=host_of(url), threshold=judge.get("threshold", settings.threshold or 0.5))
    found.host_parked = next((row.parked for row in store.hosts() if row.name == found.host), "")
    row = store.find_url(url)
    if row is None:
        found.refused = Scope(settings.rules(topic)).refusal(url)
        found.state = "refused" if found.refused else "unknown: no page visited so far links to it"
        return found
    found.anchor, found.depth = row.anchor, row.depth
    parent = row.parent
    while parent is not None and len(found.found_on) < _LONGEST_CHAIN:
        above = store.url(parent)
        found.found_on.append(above.url)
        parent = above.parent
    visits = store.visits_of(row.id)
    found.visits = [_visit(folder, store, visit) for visit in visits]
    found.label = store.labels().get(url)
    if visits:
        found.priority, found.reason = visits[-1].priority, visits[-1].reason
    found.refused = store.refusal(row.id) or ""
    if found.visits:
        found.state = "visited"
    elif found.refused:
        found.state = "refused"
    else:
        found.state = "left: its host was parked" if found.host_parked else "queued"
        found.priority, found.reason = _standing(store, topic, settings, row.id)
    return found


def _standing(store: Store, topic: Topic, settings: Settings, number: int) -> tuple[float | None, str]:
    """The rank of a URL that waits, and why it has it: asked of the strategy, as it was when the crawl ended."""
    ranking = Ranking(settings, store, make(settings.strategy, settings.strategy_settings), polite=False, watch=False)
    restore_order(ranking, store, topic)
    priority = ranking.frontier.priority(number)
    if math.isnan(priority):
        return None, "its strategy has not ranked it"
    return priority, ranking.reason(number)


def _visit(folder: Folder, store: Store, visit: VisitRow) -> Visit:
    words, note = verdict_parts(visit.verdict)
    copy = store.url(store.visit(visit.duplicate).url).url if visit.duplicate else None
    rest = None
    if is_own(visit.judge) and 0.0 < visit.relevance < 1.0:  # what nobody doubts has no odds: a person's word, no words
        rest = math.log(visit.relevance / (1.0 - visit.relevance)) - sum(part for _, part in words)
    record = store.records.get(visit.id)
    text = page_wording(folder, store, visit) if words else ""
    return Visit(
        fetched=visit.fetched,
        outcome=visit.outcome,
        status=visit.status,
        detail=visit.detail,
        title=visit.title,
        on_topic=visit.on_topic,
        probability=visit.relevance,
        words=as_written(words, text, visit.language),
        rest=rest,
        judge=visit.judge,
        note=note,
        unkept=visit.unkept,
        sources=record.sources if record is not None else {},
        sure=record.sure if record is not None else {},
        duplicate_of=copy,
    )
