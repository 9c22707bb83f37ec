"""What is kept of pages that are visited again: when each is due, how often it changes, and its earlier versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import msgspec

from honeyguide.page.record import Record

__all__ = ["Version", "WatchKind", "WatchStore", "Watched"]

WatchKind = Literal["feed", "sitemap", "section", "article", "new"]


class Watched(msgspec.Struct):
    """A page that is visited again, or, if it is new, for the first time."""

    url: int
    kind: WatchKind
    due: float  # when it is to be visited next, in seconds since 1970
    checked: float = 0.0  # when it was visited last
    shape: float = 0.0  # what is believed of how often it changes
    scale: float = 0.0
    checks: int = 0
    changes: int = 0
    etag: str = ""  # what its server said of its age
    modified: str = ""
    mark: bytes = b""  # of what it said last
    visit: int = 0  # of an article, the visit that brought its newest version
    misses: int = 0  # times in a row it was not there
    named: int = 0  # of a list, new addresses it has named so far
    found: str = ""  # where it was found, if it is new


class Version(NamedTuple):
    """An earlier version of an article: the visit that brought it, until when it stood, and its record."""

    visit: int
    replaced: float
    record: Record


_FIELDS = Watched.__struct_fields__
_PUT = f"INSERT OR REPLACE INTO watched ({', '.join(_FIELDS)}) VALUES ({', '.join('?' * len(_FIELDS))})"  # noqa: S608
_GET = f"SELECT {', '.join(_FIELDS)} FROM watched"  # noqa: S608


class WatchStore:
    """Puts in and takes out what is watched, and versions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put(self, rows: Iterable[Watched]) -> None:
        """Keep pages as they are watched now."""
        self._connection.executemany(_PUT, map(msgspec.structs.astuple, rows))

    def drop(self, url: int) -> None:
        """Watch a page no longer."""
        self._connection.execute("DELETE FROM watched WHERE url = ?", (url,))

    def all(self) -> Iterator[Watched]:
        """All that is watched."""
        for row in self._connection.execute(f"{_GET} ORDER BY url"):
            yield Watched(*row)

    def supersede(self, url: int, visit: int, replaced: float, record: Record) -> None:
        """A record is the newest of its article no longer."""
        self._connection.execute(
            "INSERT OR REPLACE INTO versions VALUES (?, ?, ?, ?)", (visit, url, replaced, msgspec.json.encode(record))
        )

    def is_superseded(self, visit: int) -> bool:
        """Whether a visit's record is an earlier version."""
        return self._connection.execute("SELECT 1 FROM versions WHERE visit = ?", (visit,)).fetchone() is not None

    def versions(self, url: int) -> list[Version]:
        """The earlier versions of an article, oldest first."""
        rows = self._connection.execute(
            "SELECT visit, replaced, record FROM versions WHERE url = ? ORDER BY visit", (url,)
        )
        return [Version(visit, replaced, msgspec.json.decode(body, type=Record)) for visit, replaced, body in rows]

    def changed(self) -> dict[int, int]:
        """The URLs of all articles that have earlier versions, and how many each has."""
        return dict(self._connection.execute("SELECT url, count(*) FROM versions GROUP BY url ORDER BY url"))
