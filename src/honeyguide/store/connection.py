"""SQLite as the store uses it: what is wrong with the file, or the disk below it, is told in one sentence."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from honeyguide.errors import CrawlFolderError
from honeyguide.store.folder import in_use
from honeyguide.wording import command

__all__ = ["Connection", "connect", "connect_to_read"]

_TROUBLES = {
    sqlite3.SQLITE_FULL: "{path} cannot grow, the disk is full: nothing stored so far is lost; "
    "make room, then continue with '{resume}'",
    sqlite3.SQLITE_IOERR: "{path} cannot be read or written ({error}): nothing stored so far is lost; "
    "see to the disk, then continue with '{resume}'",
    sqlite3.SQLITE_CORRUPT: "{path} is damaged ({error}); take it from a backup, or begin the crawl anew",
    sqlite3.SQLITE_NOTADB: "{path} cannot be read as a database: {error}",
    sqlite3.SQLITE_CANTOPEN: "{path} cannot be opened: {error}",
    sqlite3.SQLITE_BUSY: "{path} is in use by another program ({error}); wait for it or stop it first",
    sqlite3.SQLITE_READONLY: "{path} cannot be written: {error}",
}


def connect(path: Path) -> Connection:
    """The database at a place; it is made if there is none."""
    return _open(path, path, uri=False)


def connect_to_read(path: Path) -> Connection:
    """An existing database, to be read only; where nothing can be written, nothing is.

    Beside a database with a write-ahead log SQLite keeps two files of its own, also to read it. Where it may not make
    them (a read-only disk, somebody else's folder) there are three cases. They are there: a crawl is running or was
    killed, and they can be read as they are. They are not, so nobody is writing: the file stands still, and SQLite is
    told so. Only the log is there: what it holds cannot be read in place.
    """
    if _may_write(path.parent) and _may_write(path):
        found = connect(path)
    elif _beside(path, "-shm").exists() or in_use(path.parent):
        found = _open(path, f"{path.absolute().as_uri()}?mode=ro&readonly_shm=1", uri=True)
    elif _size(_beside(path, "-wal")):
        raise CrawlFolderError(
            f"{path} cannot be read where it is: the crawl was killed, and its last pages are in {path.name}-wal; "
            "copy the folder to where it can be written"
        )
    else:
        found = _open(path, f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    found.reading = True
    found.execute("PRAGMA query_only = ON")
    return found


def _open(path: Path, address: str | Path, *, uri: bool) -> Connection:
    try:
        found: Connection = sqlite3.connect(
            address,
            isolation_level=None,
            timeout=10,
            factory=Connection,
            uri=uri,
            check_same_thread=False,  # one thread at a time
        )
    except sqlite3.Error as error:
        raise _told(error, path) from None
    found.path = path
    return found


def _may_write(path: Path) -> bool:
    # By the user we act as, who need not be the one who started us.
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _told(error: sqlite3.Error, path: Path, *, reading: bool = False) -> Exception:
    """Trouble with the file in our own words; a mistake in our SQL, or of whoever wrote it, stays what it is."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code not in _TROUBLES or (reading and code == sqlite3.SQLITE_READONLY):
        return error
    return CrawlFolderError(_TROUBLES[code].format(path=path, resume=command("resume", path.parent), error=error))


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
