"""SQLite as the store uses it: what is wrong with the file, or the disk below it, is told in one sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from honeyguide.errors import CrawlFolderError

__all__ = ["Connection", "connect"]

_TROUBLES = {
    sqlite3.SQLITE_FULL: "{path} cannot grow, the disk is full: nothing stored so far is lost; "
    "make room, then continue with 'honeyguide resume {folder}'",
    sqlite3.SQLITE_IOERR: "{path} cannot be read or written ({error}): nothing stored so far is lost; "
    "see to the disk, then continue with 'honeyguide resume {folder}'",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged ({error}); take it from a backup, or begin the crawl anew",
    sqlite3.SQLITE_NOTADB: "{path} cannot be read as a database: {error}",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened: {error}",
    sqlite3.SQLITE_BUSY: "{path} is in use by another program ({error}); wait for it or stop it first",
    sqlite3.SQLITE_READONLY: "{path} cannot be written: {error}",
}


def connect(path: Path) -> Connection:
    """The database at a place; it is made if there is none."""
    try:
        found: Connection = sqlite3.connect(
            path,
            isolation_level=None,
            timeout=10,
            factory=Connection,
            check_same_thread=False,  # one thread at a time
        )
    except sqlite3.Error as error:
        raise _told(error, path) from None
    found.path = path
    return found


def _told(error: sqlite3.Error, path: Path, *, reading: bool = False) -> Exception:
    """Trouble with the file in our own words; a mistake in our SQL, or of whoever wrote it, stays what it is."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code not in _TROUBLES or (reading and code == sqlite3.SQLITE_READONLY):
        return error
    return CrawlFolderError(_TROUBLES[code].format(path=path, folder=path.parent, error=error))


class _Cursor(sqlite3.Cursor):
    """Rows of which each may lie on a damaged page of the file."""

    connection: Connection

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except sqlite3.Error as error:
            raise self.connection.told(error) from None

    def fetchone(self) -> Any:
        """The next row."""
        try:
            return super().fetchone()
        except sqlite3.Error as error:
            raise self.connection.told(error) from None

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        try:
            return super().fetchall()
        except sqlite3.Error as error:
            raise self.connection.told(error) from None


class Connection(sqlite3.Connection):
    """A connection that knows its file."""

    path = Path()
    reading = False  # whether nothing is ever to be written

    def told(self, error: sqlite3.Error) -> Exception:
        """An error as users are to hear of it."""
        return _told(error, self.path, reading=self.reading)

    def execute(self, statement: str, values: Any = (), /) -> sqlite3.Cursor:
        """Run one statement."""
        try:
            return super().cursor(_Cursor).execute(statement, values)
        except sqlite3.Error as error:
            raise self.told(error) from None

    def executemany(self, statement: str, rows: Iterable[Any], /) -> sqlite3.Cursor:
        """Run one statement for each row of values."""
        try:
            return super().cursor(_Cursor).executemany(statement, rows)
        except sqlite3.Error as error:
            raise self.told(error) from None

    def executescript(self, statements: str, /) -> sqlite3.Cursor:
        """Run several statements."""
        try:
            return super().cursor(_Cursor).executescript(statements)
        except sqlite3.Error as error:
            raise self.told(error) from None
