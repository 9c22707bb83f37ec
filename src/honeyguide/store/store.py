"""Append a batch, load, checkpoint: what the brain needs of its memory on disk."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from backports import zstd
from numpy.typing import NDArray

from honeyguide.store.erase import copies, erase, erase_host, scrub
from honeyguide.store.packing import LEVEL, unpack
from honeyguide.store.records import RecordStore
from honeyguide.store.rows import Checkpoint, HostRow, Named, UrlRow, VisitRow
from honeyguide.store.schema import create, open_database
from honeyguide.store.summary import CrawlFigures
from honeyguide.store.watching import WatchStore
from honeyguide.web.urls import key_of

__all__ = ["Store"]

_REMEMBERED = 2_000  # URLs


_COLUMNS = [field for field in VisitRow.__struct_fields__ if field != "id"]
_INSERT_VISIT = f"INSERT INTO visits ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608
_SELECT_VISIT = f"SELECT {', '.join(_COLUMNS)}, id FROM visits"  # noqa: S608
_SELECT_URL = "SELECT id, url, key, host, depth, hops, parent, anchor FROM urls"
_INSERT_URL = "INSERT INTO urls VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_SIGN = 1 << 63  # SQLite's integers are signed, fingerprints are not


class Store:
    """One crawl's database."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.records = RecordStore(connection)
        self.summary = CrawlFigures(connection)
        self.watching = WatchStore(connection)
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
        self._connection.close()

    def abandon(self) -> None:
        """Let go, and let the open batch be as if it had never been begun."""
        self._open = False
        self._connection.close()  # rolls back what is not committed

    # -- a batch is a transaction ---------------------------------------------------------------------------

    def begin(self) -> None:
        """Open a batch, unless one is open."""
        if not self._open:
            self._connection.execute("BEGIN IMMEDIATE")
            self._open = True

    def commit(self) -> None:
        """Make the batch durable."""
        if self._open:
            self._connection.execute("COMMIT")
            self._open = False

    # -- meta and states ------------------------------------------------------------------------------------

    def set_meta(self, **values: Any) -> None:
        """Remember small facts."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            [(key, json.dumps(value)) for key, value in values.items()],
        )

    def meta(self, key: str, default: Any = None) -> Any:
        """A small fact."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else default

    def drop_meta(self, key: str) -> None:
        """Forget a small fact."""
        self._connection.execute("DELETE FROM meta WHERE key = ?", (key,))

    def save_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Keep a checkpoint in place of the one before."""
        packed = zstd.compress(msgspec.msgpack.encode(checkpoint), LEVEL)
        self._connection.execute("INSERT OR REPLACE INTO states VALUES ('checkpoint', ?)", (packed,))

    def checkpoint(self) -> Checkpoint | None:
        """The last checkpoint, if there is one."""
        row = self._connection.execute("SELECT state FROM states WHERE name = 'checkpoint'").fetchone()
        return msgspec.msgpack.decode(zstd.decompress(row[0]), type=Checkpoint) if row else None

    def drop_checkpoint(self) -> None:
        """Have the whole crawl shown to the strategy again when it goes on."""
        self._connection.execute("DELETE FROM states WHERE name = 'checkpoint'")

    # -- hosts ----------------------------------------------------------------------------------------------

    def add_host(self, host: int, name: str) -> None:
        """A host met for the first time."""
        self._connection.execute("INSERT INTO hosts (id, name) VALUES (?, ?)", (host, name))

    def set_robots(self, host: int, body: bytes, status: int, fetched: float, life: float) -> None:
        """What a host's robots.txt says, and for how many seconds that may be believed."""
        self._connection.execute(
            "UPDATE hosts SET robots = ?, robots_status = ?, robots_fetched = ?, robots_life = ? WHERE id = ?",
            (body, status, fetched, life, host),
        )

    def set_failures(self, host: int, count: int) -> None:
        """How often in a row a host has failed."""
        self._connection.execute("UPDATE hosts SET failures = ? WHERE id = ?", (count, host))

    def park_host(self, host: int, reason: str) -> None:
        """Stop going to a host, and say why."""
        self._connection.execute("UPDATE hosts SET parked = ? WHERE id = ?", (reason, host))

    def hosts(self) -> list[HostRow]:
        """All hosts in the order they were met."""
        rows = self._connection.execute(
            "SELECT id, name, robots, robots_status, robots_fetched, robots_life, parked, failures"
            " FROM hosts ORDER BY id"
        )
        return [HostRow(*row) for row in rows]

    # -- urls and links -------------------------------------------------------------------------------------

    def add_urls(self, rows: Iterable[tuple[int, str, int, int, int, int, int | None, str]]) -> None:
        """URLs found for the first time, as `UrlRow` has them."""
        self._connection.executemany(_INSERT_URL, rows)

    def add_links(self, visit: int, targets: NDArray[np.int32], blocks: NDArray[np.int16] | None = None) -> None:
        """Where the links of a visited page lead, in their order (-1 for those left out), and the block of each."""
        packed = blocks.tobytes() if blocks is not None else None
        self._connection.execute("INSERT INTO links VALUES (?, ?, ?)", (visit, targets.tobytes(), packed))

    def links(self, after: int, until: int) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.int16]]]:
        """The links of visited pages, in the order of the visits: where they lead, and their blocks."""
        for visit, targets, blocks in self._connection.execute(
            "SELECT visit, targets, blocks FROM links WHERE visit > ? AND visit <= ? ORDER BY visit", (after, until)
        ):
            found = np.frombuffer(targets, dtype=np.int32)
            yield visit, found, np.zeros(len(found), np.int16) if blocks is None else np.frombuffer(blocks, np.int16)

    def add_named(self, after: int, url: int, targets: NDArray[np.int32]) -> None:
        """What a robots.txt named."""
        self._connection.execute(
            "INSERT INTO named (after, url, targets) VALUES (?, ?, ?)", (after, url, targets.tobytes())
        )

    def named(self, after: int = 0) -> list[Named]:
        """What robots.txt files named, from behind a visit on, in that order; of the very beginning, too, with 0."""
        rows = self._connection.execute(
            "SELECT after, url, targets FROM named WHERE after > ? OR ? = 0 ORDER BY id", (after, after)
        )
        return [Named(*row) for row in rows]

    def url(self, number: int) -> UrlRow:
        """A URL by its number; it never changes, so of those asked for of late there is no need to ask again."""
        if number in self._lately:
            return self._lately[number]
        row = self._connection.execute(f"{_SELECT_URL} WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise LookupError(f"no URL has the number {number}")
        if len(self._lately) >= _REMEMBERED:
            self._lately.clear()
        found = self._lately[number] = UrlRow(*row)
        return found

    def find_url(self, url: str) -> UrlRow | None:
        """A URL by its text, looked up by its key."""
        for row in self._connection.execute(f"{_SELECT_URL} WHERE key = ?", (key_of(url),)):
            if row[1] == url:
                return UrlRow(*row)
        return None

    def urls(self) -> Iterator[UrlRow]:
        """All known URLs in the order of finding."""
        for row in self._connection.execute(f"{_SELECT_URL} ORDER BY id"):
            yield UrlRow(*row)

    def refuse(self, url: int, reason: str, after: int = 0) -> None:
        """A known URL that will not be visited, why, and after which visit that was found out."""
        self._connection.execute(
            "INSERT OR REPLACE INTO refusals (url, reason, after) VALUES (?, ?, ?)", (url, reason, after)
        )

    def refusal(self, url: int) -> str | None:
        """Why a URL was refused; None if it was not."""
        row = self._connection.execute("SELECT reason FROM refusals WHERE url = ?", (url,)).fetchone()
        return row[0] if row else None

    def refused(self) -> Iterator[tuple[int, int]]:
        """The refused URLs, each with the visit after which that was found out, in that order."""
        yield from self._connection.execute("SELECT after, url FROM refusals ORDER BY after, id")

    def done_urls(self) -> Iterator[int]:
        """Numbers of all URLs that need no visit any more."""
        for (number,) in self._connection.execute("SELECT url FROM visits UNION SELECT url FROM refusals"):
            yield number

    def taken(self) -> dict[int, int]:
        """How many visits each host has had, by its number."""
        return dict(
            self._connection.execute(
                "SELECT urls.host, count(*) FROM visits JOIN urls ON urls.id = visits.url GROUP BY 1"
            )
        )

    def wipe(self) -> None:
        """Forget all that was found, for a crawl that had not begun; but not what hosts asked of us."""
        self._lately.clear()
        for table in ("urls", "links", "named", "refusals", "visits", "digests", "states"):
            self._connection.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
        self._connection.execute("UPDATE hosts SET parked = ''")

    # -- visits ---------------------------------------------------------------------------------------------

    def add_visit(self, visit: VisitRow, digest: bytes | None) -> int:
        """One answered order; returns its number."""
        values = list(msgspec.structs.astuple(visit)[:-1])
        values[_FINGERPRINT] = _signed(visit.fingerprint)
        cursor = self._connection.execute(_INSERT_VISIT, values)
        number = cursor.lastrowid or 0
        if digest is not None:
            self._connection.execute("INSERT INTO digests VALUES (?, ?)", (number, digest))
        return number

    def last_visit(self) -> int:
        """The number of the latest visit."""
        return int(self._connection.execute("SELECT coalesce(max(id), 0) FROM visits").fetchone()[0])

    def visit(self, number: int) -> VisitRow:
        """A visit by its number."""
        row = self._connection.execute(f"{_SELECT_VISIT} WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise LookupError(f"no visit has the number {number}")
        return _visit(row)

    def visits(self, *outcomes: str, on_topic: bool = False, originals: bool = False) -> Iterator[VisitRow]:
        """Visits in the order they were made: of these outcomes, if any are named, on topic, no near-duplicates."""
        tests = [f"outcome IN ({', '.join('?' * len(outcomes))})"] if outcomes else []
        tests += ["on_topic"] if on_topic else []
        tests += ["duplicate IS NULL"] if originals else []
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        for row in self._connection.execute(f"{_SELECT_VISIT}{where} ORDER BY id", outcomes):
            yield _visit(row)

    def visits_of(self, url: int) -> list[VisitRow]:
        """All visits of one URL, oldest first."""
        return [_visit(row) for row in self._connection.execute(f"{_SELECT_VISIT} WHERE url = ? ORDER BY id", (url,))]

    def copies_of(self, original: int) -> list[VisitRow]:
        """The visits that brought the same as an earlier one."""
        return [_visit(row) for row in self._connection.execute(f"{_SELECT_VISIT} WHERE duplicate = ?", (original,))]

    def has_kept_copy(self, original: int, *, besides: int) -> bool:
        """Whether a copy of a visited page, other than the one named, is on topic and kept."""
        query = "SELECT 1 FROM visits WHERE duplicate = ? AND id != ? AND on_topic AND unkept = '' LIMIT 1"
        return self._connection.execute(query, (original, besides)).fetchone() is not None

    def erase(self, urls: Sequence[int]) -> None:
        """Wipe all that was learnt from URLs; that they are known and were visited stays."""
        self._lately.clear()
        erase(self._connection, urls)

    def erase_host(self, host: int) -> None:
        """Wipe what a host's robots.txt says."""
        erase_host(self._connection, host)

    def copies(self, urls: Sequence[int]) -> list[str]:
        """Other URLs that brought the same as one of these."""
        return copies(self._connection, urls)

    def cut_archive(self, size: int) -> tuple[int, int]:
        """The WARC ends here: later answers are gone. Returns how many they were, and how far what is left is good."""
        lost = self._connection.execute(
            "UPDATE visits SET warc = NULL, warc_size = NULL WHERE warc + warc_size > ?", (size,)
        ).rowcount
        good = self._connection.execute("SELECT coalesce(max(warc + warc_size), 0) FROM visits").fetchone()[0]
        return lost, good

    def scrub(self) -> None:
        """Let nothing that was erased lie about in the file."""
        scrub(self._connection)

    def set_unkept(self, visit: int, why: str) -> None:
        """Why a page on topic has no record; empty if it is to have one."""
        self._connection.execute("UPDATE visits SET unkept = ? WHERE id = ?", (why, visit))

    def set_verdicts(self, rows: Iterable[tuple[float, bool, str, int]], judge: str) -> None:
        """Judge visits again: (relevance, on_topic, verdict, visit)."""
        judged = list(rows)
        self._connection.executemany(
            "UPDATE visits SET relevance = ?, on_topic = ?, verdict = ?, judge = ? WHERE id = ?",
            [(*row[:3], judge, row[3]) for row in judged],
        )
        # A record must not say otherwise than the verdict on its page, whichever of the two came first.
        self._connection.executemany(
            "UPDATE records SET relevance = ? WHERE visit = ?", [(round(row[0], 4), row[3]) for row in judged]
        )

    def digests(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """Packed digests of visits in order, from behind the visit given."""
        for number, blob in self._connection.execute(
            "SELECT visit, digest FROM digests WHERE visit > ? ORDER BY visit", (after,)
        ):
            yield number, unpack(blob)

    def page_count(self) -> int:
        """How many visits brought a page that can be judged."""
        return int(self._connection.execute("SELECT count(*) FROM visits WHERE outcome = 'page'").fetchone()[0])

    def verdicts(self) -> dict[int, tuple[int, float, bool]]:
        """Of every visit its URL, and the present verdict: relevance, and whether it is on topic."""
        rows = self._connection.execute("SELECT id, url, relevance, on_topic FROM visits")
        return {visit: (url, relevance, bool(on_topic)) for visit, url, relevance, on_topic in rows}

    def set_digest(self, visit: int, digest: bytes) -> None:
        """More is known of a visited page than was."""
        self._connection.execute("UPDATE digests SET digest = ? WHERE visit = ?", (digest, visit))

    def digest(self, visit: int) -> bytes | None:
        """The packed digest of one visit."""
        row = self._connection.execute("SELECT digest FROM digests WHERE visit = ?", (visit,)).fetchone()
        return unpack(row[0]) if row else None

    def counts(self) -> dict[str, int]:
        """How many of everything: by outcome, and the totals."""
        query = self._connection.execute
        found = {f"{outcome}": count for outcome, count in query("SELECT outcome, count(*) FROM visits GROUP BY 1")}
        found["visits"] = query("SELECT count(*) FROM visits").fetchone()[0]
        found["on_topic"] = query("SELECT count(*) FROM visits WHERE on_topic").fetchone()[0]
        found["duplicates"] = query("SELECT count(*) FROM visits WHERE duplicate IS NOT NULL").fetchone()[0]
        found["records"] = query("SELECT count(*) FROM records").fetchone()[0]
        found["urls"] = query("SELECT coalesce(max(id) + 1, 0) FROM urls").fetchone()[0]
        found["hosts"] = query("SELECT count(*) FROM hosts").fetchone()[0]
        return found

    def unkept(self) -> dict[str, int]:
        """How many pages on topic have no record, by the reason."""
        return dict(
            self._connection.execute(
                "SELECT unkept, count(*) FROM visits WHERE on_topic AND unkept != '' GROUP BY 1 ORDER BY 2 DESC"
            )
        )

    def refusal_counts(self) -> dict[str, int]:
        """How many known URLs were refused, by reason."""
        return dict(
            self._connection.execute("SELECT reason, count(*) FROM refusals GROUP BY 1 ORDER BY 2 DESC LIMIT 100")
        )

    # -- labels ---------------------------------------------------------------------------------------------

    def label(self, url: str, on_topic: bool | None) -> None:
        """What the user says of a page; None takes it back."""
        if on_topic is None:
            self._connection.execute("DELETE FROM labels WHERE url = ?", (url,))
        else:
            self._connection.execute("INSERT OR REPLACE INTO labels VALUES (?, ?, ?)", (url, on_topic, time.time()))

    def labels(self) -> dict[str, bool]:
        """All labels."""
        return {
            url: bool(said) for url, said in self._connection.execute("SELECT url, on_topic FROM labels ORDER BY url")
        }


_FINGERPRINT = _COLUMNS.index("fingerprint")


def _signed(number: int) -> int:
    return number - 2 * _SIGN if number >= _SIGN else number


def _visit(row: tuple[Any, ...]) -> VisitRow:
    visit = VisitRow(*row)
    visit.fingerprint %= 2 * _SIGN
    visit.on_topic, visit.first_on_topic = bool(visit.on_topic), bool(visit.first_on_topic)
    return visit
