"""Append a batch, load, checkpoint: what the brain needs of its memory on disk."""

from __future__ import annotations

import json
import sqlite3
import time
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from backports import zstd

from honeyguide.store.rows import HostRow, UrlRow, VisitRow
from honeyguide.store.schema import create, open_database

__all__ = ["Store"]

_REMEMBERED = 2_000  # URLs
_LEVEL = 1  # the digests are written once and read seldom


_COLUMNS = [field for field in VisitRow.__struct_fields__ if field != "id"]
_INSERT_VISIT = f"INSERT INTO visits ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608
_SELECT_VISIT = f"SELECT {', '.join(_COLUMNS)}, id FROM visits"  # noqa: S608
_SIGN = 1 << 63  # SQLite's integers are signed, fingerprints are not


class Store:
    """One crawl's database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._open = False
        self._lately: dict[int, UrlRow] = {}  # asked for of late: pages, and those they came from
        connection.execute("PRAGMA wal_autocheckpoint = 4000")

    @classmethod
    def create(cls, path: Path) -> Store:
        """A new store."""
        return cls(create(path))

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> Store:
        """The store of an existing crawl."""
        return cls(open_database(path, read_only=read_only))

    def close(self) -> None:
        """Commit and let go."""
        self.commit()
        self.connection.close()

    def abandon(self) -> None:
        """Let go, and let the open batch be as if it had never been begun."""
        self._open = False
        self.connection.close()  # rolls back what is not committed

    # -- a batch is a transaction ---------------------------------------------------------------------------

    def begin(self) -> None:
        """Open a batch, unless one is open."""
        if not self._open:
            self.connection.execute("BEGIN IMMEDIATE")
            self._open = True

    def commit(self) -> None:
        """Make the batch durable."""
        if self._open:
            self.connection.execute("COMMIT")
            self._open = False

    # -- meta and states ------------------------------------------------------------------------------------

    def set_meta(self, **values: Any) -> None:
        """Remember small facts."""
        self.connection.executemany(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            [(key, json.dumps(value)) for key, value in values.items()],
        )

    def meta(self, key: str, default: Any = None) -> Any:
        """A small fact."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else default

    def drop_meta(self, key: str) -> None:
        """Forget a small fact."""
        self.connection.execute("DELETE FROM meta WHERE key = ?", (key,))

    def save_state(self, name: str, visits: int, state: bytes) -> None:
        """Keep the state of the strategy or the judge as it was after so many visits."""
        self.connection.execute(
            "INSERT OR REPLACE INTO states VALUES (?, ?, ?)", (name, visits, zstd.compress(state, 3))
        )

    def load_state(self, name: str) -> tuple[int, bytes] | None:
        """The state last saved, and after how many visits."""
        row = self.connection.execute("SELECT visits, state FROM states WHERE name = ?", (name,)).fetchone()
        return (row[0], zstd.decompress(row[1])) if row else None

    # -- hosts ----------------------------------------------------------------------------------------------

    def add_host(self, host: int, name: str) -> None:
        """A host met for the first time."""
        self.connection.execute("INSERT INTO hosts (id, name) VALUES (?, ?)", (host, name))

    def set_robots(self, host: int, body: bytes, status: int, fetched: float) -> None:
        """What a host's robots.txt says."""
        self.connection.execute(
            "UPDATE hosts SET robots = ?, robots_status = ?, robots_fetched = ? WHERE id = ?",
            (body, status, fetched, host),
        )

    def park_host(self, host: int, reason: str) -> None:
        """Stop going to a host, and say why."""
        self.connection.execute("UPDATE hosts SET parked = ? WHERE id = ?", (reason, host))

    def hosts(self) -> list[HostRow]:
        """All hosts in the order they were met."""
        rows = self.connection.execute(
            "SELECT id, name, robots, robots_status, robots_fetched, parked FROM hosts ORDER BY id"
        )
        return [HostRow(*row) for row in rows]

    # -- urls and their ranks -------------------------------------------------------------------------------

    def add_urls(self, rows: Sequence[tuple[int, str, int, int, int, int | None, str]]) -> None:
        """URLs found: (id, url, host, depth, hops, parent, anchor)."""
        self.connection.executemany("INSERT INTO urls VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def add_ranks(self, urls: array[int], priorities: array[float], reasons: list[str]) -> int:
        """Priorities given or raised, with their reasons; returns the number of the log row."""
        cursor = self.connection.execute(
            "INSERT INTO ranks (urls, priorities, reasons) VALUES (?, ?, ?)",
            (
                urls.tobytes(),
                priorities.tobytes(),
                pack("\n".join([reason.replace("\n", " ") for reason in reasons]).encode()),
            ),
        )
        return cursor.lastrowid or 0

    def ranks(self) -> Iterator[tuple[int, bytes, bytes]]:
        """The whole log of ranks, oldest first: row number, urls, priorities."""
        yield from self.connection.execute("SELECT id, urls, priorities FROM ranks ORDER BY id")

    def reason(self, row: int, url: int) -> str:
        """Why a URL got its rank in a log row."""
        found = self.connection.execute("SELECT urls, reasons FROM ranks WHERE id = ?", (row,)).fetchone()
        return _reason(found[0], found[1], url) if found else ""

    def last_rank(self, url: int) -> tuple[float, str] | None:
        """The latest priority of a URL and its reason, by reading the log backwards."""
        for urls, priorities, reasons in self.connection.execute(
            "SELECT urls, priorities, reasons FROM ranks ORDER BY id DESC"
        ):
            known = array("q", urls)
            if url in known:
                return array("d", priorities)[_last(known, url)], _reason(urls, reasons, url)
        return None

    def url(self, number: int) -> UrlRow:
        """A URL by its number; it never changes, so of those asked for of late there is no need to ask again."""
        if number in self._lately:
            return self._lately[number]
        row = self.connection.execute("SELECT * FROM urls WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise LookupError(f"no URL has the number {number}")
        if len(self._lately) >= _REMEMBERED:
            self._lately.clear()
        found = self._lately[number] = UrlRow(*row)
        return found

    def find_url(self, url: str) -> UrlRow | None:
        """A URL by its text: a scan, for people's questions; the crawl itself knows numbers."""
        row = self.connection.execute("SELECT * FROM urls WHERE url = ?", (url,)).fetchone()
        return UrlRow(*row) if row else None

    def urls(self) -> Iterator[tuple[int, str, int, int, int]]:
        """All known URLs in the order of finding: id, url, host, depth, hops."""
        yield from self.connection.execute("SELECT id, url, host, depth, hops FROM urls ORDER BY id")

    def refuse(self, url: int, reason: str) -> None:
        """A known URL that will not be visited, and why."""
        self.connection.execute("INSERT OR REPLACE INTO refusals VALUES (?, ?)", (url, reason))

    def refusal(self, url: int) -> str | None:
        """Why a URL was refused; None if it was not."""
        row = self.connection.execute("SELECT reason FROM refusals WHERE url = ?", (url,)).fetchone()
        return row[0] if row else None

    def done_urls(self) -> Iterator[int]:
        """Numbers of all URLs that need no visit any more."""
        for (number,) in self.connection.execute("SELECT url FROM visits UNION SELECT url FROM refusals"):
            yield number

    def taken(self) -> dict[int, int]:
        """How many visits each host has had, by its number."""
        return dict(
            self.connection.execute(
                "SELECT urls.host, count(*) FROM visits JOIN urls ON urls.id = visits.url GROUP BY 1"
            )
        )

    def wipe(self) -> None:
        """Forget all that was found, for a crawl that had not begun; but not what hosts asked of us."""
        self._lately.clear()
        for table in ("urls", "ranks", "refusals", "visits", "digests", "states"):
            self.connection.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
        self.connection.execute("UPDATE hosts SET parked = ''")

    # -- visits ---------------------------------------------------------------------------------------------

    def add_visit(self, visit: VisitRow, digest: bytes | None) -> int:
        """One answered order; returns its number."""
        values = list(msgspec.structs.astuple(visit)[:-1])
        values[_FINGERPRINT] = _signed(visit.fingerprint)
        cursor = self.connection.execute(_INSERT_VISIT, values)
        number = cursor.lastrowid or 0
        if digest is not None:
            self.connection.execute("INSERT INTO digests VALUES (?, ?)", (number, digest))
        return number

    def last_visit(self) -> int:
        """The number of the latest visit."""
        return int(self.connection.execute("SELECT coalesce(max(id), 0) FROM visits").fetchone()[0])

    def visit(self, number: int) -> VisitRow:
        """A visit by its number."""
        row = self.connection.execute(f"{_SELECT_VISIT} WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise LookupError(f"no visit has the number {number}")
        return _visit(row)

    def visits(self, *outcomes: str, on_topic: bool = False, originals: bool = False) -> Iterator[VisitRow]:
        """Visits in the order they were made: of these outcomes, if any are named, on topic, no near-duplicates."""
        tests = [f"outcome IN ({', '.join('?' * len(outcomes))})"] if outcomes else []
        tests += ["on_topic"] if on_topic else []
        tests += ["duplicate IS NULL"] if originals else []
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        for row in self.connection.execute(f"{_SELECT_VISIT}{where} ORDER BY id", outcomes):
            yield _visit(row)

    def visits_of(self, url: int) -> list[VisitRow]:
        """All visits of one URL, oldest first."""
        return [_visit(row) for row in self.connection.execute(f"{_SELECT_VISIT} WHERE url = ? ORDER BY id", (url,))]

    def blank_visits(self, url: int) -> None:
        """Wipe what was kept of a URL's visits; that there were visits stays."""
        for (visit,) in self.connection.execute("SELECT id FROM visits WHERE url = ?", (url,)).fetchall():
            self.connection.execute("DELETE FROM digests WHERE visit = ?", (visit,))
        self.connection.execute(
            "UPDATE visits SET title = '', verdict = '', detail = 'forgotten', outcome = 'forgotten', on_topic = 0, "
            "relevance = 0, fingerprint = 0, warc = NULL, warc_size = NULL WHERE url = ?",
            (url,),
        )

    def cut_archive(self, size: int) -> tuple[int, int]:
        """The WARC ends here: later answers are gone. Returns how many they were, and how far what is left is good."""
        lost = self.connection.execute(
            "UPDATE visits SET warc = NULL, warc_size = NULL WHERE warc + warc_size > ?", (size,)
        ).rowcount
        good = self.connection.execute("SELECT coalesce(max(warc + warc_size), 0) FROM visits").fetchone()[0]
        return lost, good

    def vacuum(self) -> None:
        """Give freed space back, so that what was deleted is not left lying in the file."""
        self.connection.execute("VACUUM")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def set_verdicts(self, rows: Iterable[tuple[float, bool, str, int]]) -> None:
        """Judge visits again: (relevance, on_topic, verdict, visit)."""
        judged = list(rows)
        self.connection.executemany("UPDATE visits SET relevance = ?, on_topic = ?, verdict = ? WHERE id = ?", judged)
        # A record must not say otherwise than the verdict on its page, whichever of the two came first.
        self.connection.executemany(
            "UPDATE records SET relevance = ? WHERE visit = ?", [(round(row[0], 4), row[3]) for row in judged]
        )

    def digests(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """Packed digests of visits in order, from behind the visit given."""
        for number, blob in self.connection.execute(
            "SELECT visit, digest FROM digests WHERE visit > ? ORDER BY visit", (after,)
        ):
            yield number, unpack(blob)

    def page_count(self) -> int:
        """How many visits brought a page that can be judged."""
        return int(self.connection.execute("SELECT count(*) FROM visits WHERE outcome = 'page'").fetchone()[0])

    def on_topic(self) -> set[int]:
        """The visits whose page is judged on topic at present."""
        return {number for (number,) in self.connection.execute("SELECT id FROM visits WHERE on_topic")}

    def digest(self, visit: int) -> bytes | None:
        """The packed digest of one visit."""
        row = self.connection.execute("SELECT digest FROM digests WHERE visit = ?", (visit,)).fetchone()
        return unpack(row[0]) if row else None

    def counts(self) -> dict[str, int]:
        """How many of everything: by outcome, and the totals."""
        query = self.connection.execute
        found = {f"{outcome}": count for outcome, count in query("SELECT outcome, count(*) FROM visits GROUP BY 1")}
        found["visits"] = query("SELECT count(*) FROM visits").fetchone()[0]
        found["on_topic"] = query("SELECT count(*) FROM visits WHERE on_topic").fetchone()[0]
        found["duplicates"] = query("SELECT count(*) FROM visits WHERE duplicate IS NOT NULL").fetchone()[0]
        found["records"] = query("SELECT count(*) FROM records").fetchone()[0]
        found["urls"] = query("SELECT coalesce(max(id) + 1, 0) FROM urls").fetchone()[0]
        found["hosts"] = query("SELECT count(*) FROM hosts").fetchone()[0]
        return found

    def refusal_counts(self) -> dict[str, int]:
        """How many known URLs were refused, by reason."""
        return dict(
            self.connection.execute("SELECT reason, count(*) FROM refusals GROUP BY 1 ORDER BY 2 DESC LIMIT 100")
        )

    # -- labels ---------------------------------------------------------------------------------------------

    def label(self, url: str, on_topic: bool | None) -> None:
        """What the user says of a page; None takes it back."""
        if on_topic is None:
            self.connection.execute("DELETE FROM labels WHERE url = ?", (url,))
        else:
            self.connection.execute("INSERT OR REPLACE INTO labels VALUES (?, ?, ?)", (url, on_topic, time.time()))

    def labels(self) -> dict[str, bool]:
        """All labels."""
        return {
            url: bool(said) for url, said in self.connection.execute("SELECT url, on_topic FROM labels ORDER BY url")
        }


_FINGERPRINT = _COLUMNS.index("fingerprint")


# Kept: to make a compressor costs more than to pack a page with it.
_packer = zstd.ZstdCompressor(level=_LEVEL)


def pack(digest: bytes) -> bytes:
    """A digest's bytes, small."""
    return _packer.compress(digest, _packer.FLUSH_FRAME)


def unpack(blob: bytes) -> bytes:
    """The digest's bytes again."""
    return zstd.decompress(blob)


def _signed(number: int) -> int:
    return number - 2 * _SIGN if number >= _SIGN else number


def _visit(row: tuple[Any, ...]) -> VisitRow:
    visit = VisitRow(*row)
    visit.fingerprint %= 2 * _SIGN
    visit.on_topic, visit.first_on_topic = bool(visit.on_topic), bool(visit.first_on_topic)
    return visit


def _reason(urls: bytes, reasons: bytes, url: int) -> str:
    known = array("q", urls)
    if url not in known:
        return ""
    told: str = zstd.decompress(reasons).decode().split("\n")[_last(known, url)]
    return told


def _last(known: array[int], url: int) -> int:
    # A URL ranked twice in a batch has the later rank.
    return len(known) - 1 - known[::-1].index(url)
