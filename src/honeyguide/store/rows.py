"""What the store hands out: a URL, a host and a visit, each as it is kept."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

__all__ = ["Checkpoint", "HostRow", "Named", "UrlRow", "VisitRow"]


class UrlRow(NamedTuple):
    """A URL as it was found."""

    id: int
    url: str
    key: int  # 63 bits that name the URL
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
    robots_life: float | None  # seconds for which it may be believed
    parked: str
    failures: int  # in a row


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
    sketch: bytes = b""  # by which copies of its page are told
    duplicate: int | None = None
    relevance: float = 0.0
    on_topic: bool = False
    verdict: str = ""
    judge: str = ""  # which judge decided
    first_relevance: float = 0.0  # as judged at the time; what the strategy was told follows from it, for its replay
    first_on_topic: bool = False
    priority: float = 0.0
    reason: str = ""  # why it was visited, as told when the order was given
    target: int | None = None  # the URL a redirect led to
    unkept: str = ""  # why a page on topic has no record
    id: int = 0


class Named(NamedTuple):
    """What a robots.txt named: after which visit, by which URL, and the numbers of what it named."""

    after: int
    url: int
    targets: bytes


class Checkpoint(msgspec.Struct, kw_only=True):
    """The order of the frontier, and what the strategy had learnt, at one moment of a crawl."""

    visit: int  # the last one it takes in
    known: int  # URLs there were
    shown: int  # pages the strategy was shown
    strategy: str  # its name, version and settings: no other one can go on from here
    order: tuple[bytes, bytes]  # the frontier's priorities and classes
    state: bytes  # what the strategy had learnt
