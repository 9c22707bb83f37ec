"""What an export is made from, and what is said of it when it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from honeyguide.page.record import Record, divided
from honeyguide.store import EVERYTHING, Folder, Selection, Store
from honeyguide.wording import counted

__all__ = ["Progress", "Source", "Written"]

Progress = Callable[[int, int], None]


def _silent(done: int, total: int) -> None:
    """Nobody is listening."""


@dataclass(frozen=True)
class Written:
    """What an export holds: how many records or pages, what to know of it, how many were lost to damage."""

    count: int
    notes: tuple[str, ...] = ()
    damaged: int = 0


@dataclass(frozen=True)
class Source:
    """A crawl, which of its records are meant, whether with their words, and who is told how far the export is."""

    folder: Folder
    store: Store
    only: Selection = EVERYTHING
    words: bool = False
    progress: Progress = _silent

    def records(self) -> Iterator[Record]:
        """The records meant, in the order they were kept; of the top ones, the best first."""
        records = self.store.records
        total = records.count(self.only)
        for done, (_, record) in enumerate(records.all(self.only, by_relevance=bool(self.only.top)), 1):
            yield divided(record) if self.words else record
            self.progress(done, max(done, total))

    def notes(self) -> list[str]:
        """What the choice of records leaves out that its user may not think of."""
        if not self.only.since and not self.only.until:
            return []
        undated = self.store.records.undated(self.only)
        return (
            [f"{counted(undated, 'record')} without a date {'is' if undated == 1 else 'are'} left out"]
            if undated
            else []
        )
