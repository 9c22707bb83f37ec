"""What the store hands out: a URL, a host and a visit, each as it is kept."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

__all__ = ["HostRow", "UrlRow", "VisitRow"]


class UrlRow(NamedTuple):
    """A URL as it was found."""

    id: int
    url: str
    host: int
    depth: int
    hops: int
    parent: int | None
    anchor: str


class HostRow(NamedTuple):
    """A host's standing."""

    id: int
    name: str
    robots: bytes | None
    robots_status: int | None
    robots_fetched: float | None
    parked: str


class VisitRow(msgspec.Struct):
    """One answered order, as it is kept."""

    url: int
    role: str  # "page", or "example" for a page fetched only to learn from
    fetched: float
    status: int
    outcome: str  # "page", "pdf", "feed", "redirect", "missing", "failed", "unwanted"
    detail: str = ""
    media: str = ""
    size: int = 0
    seconds: float = 0.0
    warc: int | None = None
    warc_size: int | None = None
    title: str = ""
    language: str = ""
    words: int = 0
    links: int = 0
    fingerprint: int = 0
    duplicate: int | None = None
    relevance: float = 0.0
    on_topic: bool = False
    verdict: str = ""
    first_relevance: float = 0.0  # as judged at the time: what the strategy was told, for its replay
    first_on_topic: bool = False
    priority: float = 0.0
    reason: str = ""  # of pages on topic; for all others `last_rank` knows it
    id: int = 0
