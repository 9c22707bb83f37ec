"""A crawl's records, to be read and searched, while the crawl runs or long after."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from honeyguide.corpus.query import read_query
from honeyguide.corpus.snippet import Snippet, make_snippet
from honeyguide.page.record import Record
from honeyguide.store import Folder, Store

__all__ = ["Corpus", "Hit"]

_BATCH = 100


class Hit(NamedTuple):
    """A record that answers a search: how well (higher is better, 0 the least), and the passage that shows it."""

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
        last = 0
        while batch := self._records.after(last, _BATCH):
            yield from (record for _, record in batch)
            last = batch[-1][0]

    def search(self, query: str, most: int = 10) -> list[Hit]:
        """The records that answer a query best, best first.

        All plain words must occur; "quoted words" must occur side by side; -excluded words must not. Case, accents
        and English endings do not matter. Chinese needs no spaces.
        """
        asked = read_query(query)
        found = self._records.search(asked.match(), max(0, most))
        return [Hit(record, score, make_snippet(record.text, asked.wanted)) for score, _, record in found]
