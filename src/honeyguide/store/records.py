"""The records of a crawl and their full-text index."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from honeyguide.page.record import Record, whole
from honeyguide.store.selection import BEST_FIRST, EVERYTHING, Selection, teach
from honeyguide.store.tokens import index_text

__all__ = ["RecordStore"]

_FIELDS = (
    "url", "title", "published", "source", "authors", "language", "text", "keywords", "relevance", "parent",
    "fetched", "kind", "description", "careful", "extra", "sources", "sure",
)  # fmt: skip
_PACKED = ("authors", "keywords", "extra", "sources", "sure")
_INSERT = f"INSERT OR REPLACE INTO records (visit, {', '.join(_FIELDS)}) VALUES ({', '.join('?' * (len(_FIELDS) + 1))})"  # noqa: S608
_COUNT = "SELECT count(*) FROM search WHERE search MATCH ?"
_FTS5_LEAST = 1e-6  # what FTS5 takes for the rarity of a word that stands in half of all records
_SELECT = f"SELECT visit, {', '.join('records.' + field for field in _FIELDS)} FROM records"  # noqa: S608


class RecordStore:
    """Puts records in, takes them out, finds them by their words."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        teach(connection)

    def put(self, visit: int, record: Record) -> None:
        """Keep a record, in place of an earlier one of the same visit."""
        record = whole(record)
        values = [
            json.dumps(value, ensure_ascii=False) if field in _PACKED else value
            for field in _FIELDS
            for value in (getattr(record, field),)
        ]
        self._connection.execute("DELETE FROM search WHERE rowid = ?", (visit,))
        self._connection.execute(_INSERT, [visit, *values])
        self._connection.execute(
            "INSERT INTO search (rowid, title, text) VALUES (?, ?, ?)",
            (visit, index_text(record.title), index_text(record.text)),
        )

    def drop(self, visit: int) -> int:
        """Forget a record; returns how many there were."""
        self._connection.execute("DELETE FROM search WHERE rowid = ?", (visit,))
        return self._connection.execute("DELETE FROM records WHERE visit = ?", (visit,)).rowcount

    def all(self, only: Selection = EVERYTHING, *, by_relevance: bool = False) -> Iterator[tuple[int, Record]]:
        """All records that are meant, in the order they were kept, or best first."""
        where, values = only.where()
        if by_relevance:
            # Numbers are sorted, and not the texts: those of a large crawl do not fit into memory.
            numbers = self._connection.execute(f"SELECT visit FROM records WHERE {where} ORDER BY {BEST_FIRST}", values)  # noqa: S608
            found = ((visit, self.get(visit)) for (visit,) in numbers.fetchall())
            yield from ((visit, record) for visit, record in found if record is not None)
            return
        for row in self._connection.execute(f"{_SELECT} WHERE {where} ORDER BY visit", values):
            yield row[0], _record(row)

    def get(self, visit: int) -> Record | None:
        """The record of one visit."""
        row = self._connection.execute(f"{_SELECT} WHERE visit = ?", (visit,)).fetchone()
        return _record(row) if row else None

    def visits(self) -> set[int]:
        """Which visits have a record."""
        return {visit for (visit,) in self._connection.execute("SELECT visit FROM records")}

    def count(self, only: Selection = EVERYTHING) -> int:
        """How many of the records that are meant there are."""
        where, values = only.where()
        return int(self._connection.execute(f"SELECT count(*) FROM records WHERE {where}", values).fetchone()[0])  # noqa: S608

    def undated(self, only: Selection) -> int:
        """How many records are left out for want of a date alone."""
        where, values = msgspec.structs.replace(only, since="", until="").where()
        query = f"SELECT count(*) FROM records WHERE coalesce(published, '') = '' AND {where}"  # noqa: S608
        return int(self._connection.execute(query, values).fetchone()[0])

    def after(self, visit: int, most: int, only: Selection = EVERYTHING) -> list[tuple[int, Record]]:
        """The next records behind a visit: a reader that takes these holds up no writer between two calls."""
        where, values = only.where()
        rows = self._connection.execute(
            f"{_SELECT} WHERE visit > ? AND {where} ORDER BY visit LIMIT ?", (visit, *values, most)
        )
        return [(row[0], _record(row)) for row in rows]

    def best(self, most: int) -> list[tuple[int, Record]]:
        """The records judged most surely on topic, best first."""
        rows = self._connection.execute(
            # The order is taken from the short rows of the visits: reading every text to sort them would be slow.
            "SELECT visits.id FROM visits JOIN records ON records.visit = visits.id "
            "ORDER BY visits.relevance DESC, visits.id LIMIT ?",
            (most,),
        ).fetchall()
        found = ((visit, self.get(visit)) for (visit,) in rows)
        return [(visit, record) for visit, record in found if record is not None]

    def search(
        self, query: str, most: int, *, phrases: Sequence[str] = (), only: Selection = EVERYTHING
    ) -> list[tuple[float, int, Record]]:
        """The best matches of a full-text query in FTS5's own language: score (higher is better), visit, record.

        The words of the query must be tokens as `honeyguide.store.tokens` makes them. `phrases` are those of its words
        and phrases that make a record a good answer, if it has more than one. The score is BM25, a title counting four
        times. FTS5's own counts a word that stands in half of all records, as a topic's own words do, for nothing; so
        each phrase's score is taken by itself and given the weight that never falls to nothing.
        """
        total = self.count()
        parts, values = [], []
        for phrase in phrases or (query,):
            found = int(self._connection.execute(_COUNT, (phrase,)).fetchone()[0])
            if found:
                parts.append(
                    "SELECT rowid AS visit, ? * -bm25(search, 4.0, 1.0) AS score FROM search WHERE search MATCH ?"
                )
                values += [_weight(total, found), phrase]
        if not parts:
            return []
        where, chosen = only.where()
        rows = self._connection.execute(
            # Materialized, for what is merged into a larger query loses its scores.
            f"WITH scores AS MATERIALIZED ({' UNION ALL '.join(parts)}) "  # noqa: S608 - nothing of it is the user's
            "SELECT visit, sum(score) FROM scores WHERE visit IN (SELECT rowid FROM search WHERE search MATCH ?) "
            f"AND visit IN (SELECT visit FROM records WHERE {where}) "
            "GROUP BY visit ORDER BY 2 DESC, 1 LIMIT ?",
            (*values, query, *chosen, most),
        ).fetchall()
        best = ((score, visit, self.get(visit)) for visit, score in rows)
        return [(score, visit, record) for score, visit, record in best if record is not None]


def _weight(total: int, found: int) -> float:
    """What a word's score must be multiplied with, to weigh it by how rare it is and yet above nothing."""
    rare = math.log((total - found + 0.5) / (found + 0.5)) if total >= found else 0.0
    return math.log(1 + (max(0, total - found) + 0.5) / (found + 0.5)) / (rare if rare > 0 else _FTS5_LEAST)


def _record(row: tuple[Any, ...]) -> Record:
    values = dict(zip(_FIELDS, row[1:], strict=False))
    for field in _PACKED:
        values[field] = json.loads(values[field])
    values["careful"] = bool(values["careful"])
    return Record(**values)
