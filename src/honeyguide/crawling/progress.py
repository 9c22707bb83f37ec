"""How far a crawl is, and how it ended."""

from __future__ import annotations

import msgspec

__all__ = ["Progress", "Summary"]


class Progress(msgspec.Struct, kw_only=True, tag="progress"):
    """How far a crawl is."""

    phase: str
    pages: int
    budget: int
    on_topic: int
    records: int
    queued: int
    known: int
    hosts: int
    under_way: int
    seconds: float
    url: str = ""  # visited last
    found: str = ""  # the title of the page on topic found last
    limit: float = 0.0  # seconds the crawl may take; 0: as many as it needs

    @property
    def harvest(self) -> float:
        """On-topic pages over pages fetched."""
        return self.on_topic / self.pages if self.pages else 0.0

    @property
    def rate(self) -> float:
        """Pages a second."""
        return self.pages / self.seconds if self.seconds else 0.0

    @property
    def left(self) -> float | None:
        """Seconds until a budget is spent, of pages at the pace so far or of time; None while nobody can tell."""
        ways = [(self.budget - self.pages) / self.rate] if self.rate else []
        ways += [self.limit - self.seconds] if self.limit else []
        return max(0.0, min(ways)) if ways else None


class Summary(Progress, kw_only=True, tag="summary"):
    """How a crawl ended."""

    stop_reason: str
    folder: str
    failures: list[str] = []
    advice: str = ""  # what the judge would need to know the topic better
    right: float = 0.0  # pages judged on topic that are, by the judge's own reckoning, copies left out
    missed: float = 0.0  # and pages judged off topic that are on it
    doubtful: list[str] = []  # the pages of which a label would teach most
    mended: list[str] = []  # what was found damaged in the folder
    unkept: dict[str, int] = {}  # pages on topic that have no record, by the reason
    arrived: int = 0  # answers that brought something to read: pages, feeds, PDFs
    dead_end: str = ""  # why a crawl with nothing left to visit got nowhere
    troubles: dict[str, int] = {}  # why other visits brought nothing, or were not made: the reasons met most often

    @property
    def reached_nothing(self) -> bool:
        """Whether nothing arrived at all, though nobody broke the crawl off before."""
        return not self.arrived and not self.stop_reason.startswith("stopped by")
