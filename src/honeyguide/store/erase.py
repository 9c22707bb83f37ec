"""Erasing what was learnt from pages, out of every table that has a trace of it.

That an address is known and was visited stays, so that it is not visited again; so does what other pages say, be it of
an erased one. Rows that are deleted lie in the file until it is written anew, and words in the full-text index until
that is: `scrub` sees to both.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from honeyguide.errors import CrawlFolderError

__all__ = ["copies", "erase", "erase_host", "scrub"]

_ERASING = (
    "DELETE FROM search WHERE rowid IN erased_visits",
    "DELETE FROM records WHERE visit IN erased_visits",
    "DELETE FROM versions WHERE visit IN erased_visits",
    "DELETE FROM watched WHERE url IN erased",
    "DELETE FROM digests WHERE visit IN erased_visits",
    "DELETE FROM links WHERE visit IN erased_visits",
    "DELETE FROM named WHERE url IN erased",
    "DELETE FROM labels WHERE url IN (SELECT url FROM urls WHERE id IN erased)",
    # What a strategy says of a link may quote the page it stands on, and its anchor does.
    "UPDATE visits SET reason = '' WHERE url IN (SELECT id FROM urls WHERE parent IN erased)",
    "UPDATE urls SET anchor = '' WHERE id IN erased OR parent IN erased",
    "UPDATE visits SET outcome = 'forgotten', detail = 'forgotten', title = '', language = '', words = 0, links = 0, "
    "fingerprint = 0, sketch = x'', duplicate = NULL, relevance = 0, on_topic = 0, verdict = '', first_relevance = 0, "
    "first_on_topic = 0, reason = '', unkept = '', warc = NULL, warc_size = NULL WHERE url IN erased",
    "DELETE FROM states",  # what the strategy had learnt, from these pages too; it is shown all the others again
)


def erase(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Erase all that was learnt from URLs, by their numbers."""
    _mark(connection, numbers)
    for statement in _ERASING:
        connection.execute(statement)


def erase_host(connection: sqlite3.Connection, host: int) -> None:
    """Erase what a host's robots.txt says."""
    connection.execute(
        "UPDATE hosts SET robots = NULL, robots_status = NULL, robots_fetched = NULL WHERE id = ?", (host,)
    )


def copies(connection: sqlite3.Connection, numbers: Iterable[int]) -> list[str]:
    """Other URLs that brought all but the same page as one of these."""
    rows = connection.execute(
        "WITH meant AS MATERIALIZED (SELECT value AS url FROM json_each(?)), "
        "pages AS MATERIALIZED (SELECT coalesce(duplicate, id) AS original FROM visits "
        "WHERE url IN (SELECT url FROM meant) AND outcome = 'page') "
        "SELECT DISTINCT urls.url FROM visits JOIN urls ON urls.id = visits.url WHERE outcome = 'page' "
        "AND visits.url NOT IN (SELECT url FROM meant) "
        "AND coalesce(duplicate, visits.id) IN (SELECT original FROM pages)",
        (json.dumps(list(numbers)),),
    )
    return [url for (url,) in rows]


def scrub(connection: sqlite3.Connection) -> None:
    """Write index and file anew, so that nothing that was deleted is left lying in them."""
    connection.execute("INSERT INTO search (search) VALUES ('rebuild')")
    connection.execute("VACUUM")
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy is not None and busy[0]:
        raise CrawlFolderError(
            "the crawl is being read by another process, so its file cannot be written anew; say it again"
        )


def _mark(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Say which URLs are meant, and which visits."""
    for table in ("erased", "erased_visits"):
        connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS {table} (id INTEGER PRIMARY KEY)")
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
    connection.executemany("INSERT OR IGNORE INTO erased VALUES (?)", ((number,) for number in numbers))
    connection.execute("INSERT INTO erased_visits SELECT id FROM visits WHERE url IN erased")
