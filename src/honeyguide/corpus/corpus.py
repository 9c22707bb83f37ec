"""A crawl's records, to be read and searched, while the crawl runs or long after."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import msgspec

from honeyguide.corpus.query import read_query
from honeyguide.corpus.snippet import Snippet, make_snippet
from honeyguide.errors import SettingError
from honeyguide.page.record import Record
from honeyguide.store import EVERYTHING, Folder, Selection, Store

__all__ = ["Corpus", "Hit"]

_BATCH = 100


class Hit(NamedTuple):
    """A record that answers a search: how well (higher is better, more than 0), and the passage that shows it."""

    record: Record
    score: float
    snippet: Snippet


class Corpus:
    """The records in a crawl's folder.

        with Corpus("my-crawl") as corpus:
            print(len(corpus), "records")
            for hit in corpus.search('"queen bee" honey -wasp'):
                print(hit.record.title, hit.snippet.text)

    Nothing is ever written, and a crawl that is running is neither held up nor disturbed.
    """

    def __init__(self, folder: str | Path | Folder) -> None:
        self.folder = folder if isinstance(folder, Folder) else Folder(folder)
        self._store = Store.open(self.folder.database, read_only=True)
        self._records = self._store.records

    def close(self) -> None:
        """Let go of the folder."""
        self._store.close()

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return self._records.count()

    def __bool__(self) -> bool:
        return True  # a corpus without records is still a corpus

    def __iter__(self) -> Iterator[Record]:
        """All records in the order they were kept; those a running crawl adds on the way come too."""
        return self.records()

    def records(self, only: Selection = EVERYTHING) -> Iterator[Record]:
        """The records that are meant, in the order they were kept."""
        last = 0
        while batch := self._records.after(last, _BATCH, only):
            yield from (record for _, record in batch)
            last = batch[-1][0]

    def count(self, only: Selection = EVERYTHING) -> int:
        """How many of the records that are meant there are."""
        return self._records.count(only)

    def best(self, top: str | int = "", *, only: Selection = EVERYTHING) -> Iterator[Record]:
        """The results, the surest on topic first: all that are meant, or so many (`20`), or a share (`"10%"`)."""
        meant = msgspec.structs.replace(only, top=str(top)) if top != "" else only
        return (record for _, record in self._records.all(meant, by_relevance=True))

    def search(self, query: str, most: int = 10, *, only: Selection = EVERYTHING) -> list[Hit]:
        """The records that answer a query best, best first.

        All words must occur; `word*` is the beginning of one, "quoted words" must occur side by side; `OR` between two
        asks for one of them, `-word` or `NOT word` excludes, brackets group. Case, accents and English endings do not
        matter, nor whether Chinese is traditional or simplified; it needs no spaces.
        """
        if most < 1:
            raise SettingError(f"most must be 1 or more, not {most}")
        asked = read_query(query)
        phrases = [phrase.match() for phrase in asked.wanted]
        found = self._records.search(asked.match, most, phrases=phrases, only=only)
        return [Hit(record, score, make_snippet(record.text, asked.wanted)) for score, _, record in found]
