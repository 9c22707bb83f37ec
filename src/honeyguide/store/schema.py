"""The tables of a crawl, and opening them.

    urls      every URL ever found, once, in the order of finding; never changed
    visits    one row per answered order; a URL may be visited again
    links     per visit, where its page's links lead, as an array of URL numbers
    digests   what the hand said of a visited page, for replay and for judging again
    named     what a robots.txt named, and after which visit
    refusals  known URLs that will not be visited, why, and after which visit that was found out
    hosts     each host's robots.txt, pace and standing
    records   the clean articles; `search` is their full-text index
    labels    what the user said of a page
    watched   pages that are visited again: how often they change, when their next visit is due, what they said last
    versions  records of articles that have changed since, newest first by the visit
    states    checkpoints: the order of the frontier and what the strategy had learnt, after so many visits
    meta      settings, counters, how far the WARC is good

The order of the frontier changes for every link of every page, and is never logged: it follows from the last
checkpoint and the visits since, which are shown to the strategy again. Rows are only ever added. That is what keeps a
page's cost the same at ten thousand and at ten million URLs, however often a strategy changes its mind.
"""

from __future__ import annotations

from pathlib import Path

from honeyguide.errors import CrawlFolderError
from honeyguide.store.connection import Connection, connect, connect_to_read

__all__ = ["VERSION", "create", "open_database"]

VERSION = 4
_APPLICATION = 0x486F4E65  # "HoNe": tells our databases from others

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    robots BLOB, robots_status INTEGER, robots_fetched REAL, robots_life REAL,
    parked TEXT NOT NULL DEFAULT '', failures INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE urls (
    id INTEGER PRIMARY KEY, url TEXT NOT NULL, key INTEGER NOT NULL, host INTEGER NOT NULL,
    depth INTEGER NOT NULL, hops INTEGER NOT NULL, parent INTEGER, anchor TEXT NOT NULL
) STRICT;
CREATE INDEX urls_by_key ON urls (key);
CREATE TABLE links (visit INTEGER PRIMARY KEY, targets BLOB NOT NULL, blocks BLOB) STRICT;
CREATE TABLE named (id INTEGER PRIMARY KEY, after INTEGER NOT NULL, url INTEGER NOT NULL, targets BLOB NOT NULL) STRICT;
CREATE TABLE visits (
    id INTEGER PRIMARY KEY, url INTEGER NOT NULL, role TEXT NOT NULL, fetched REAL NOT NULL,
    status INTEGER NOT NULL, outcome TEXT NOT NULL, detail TEXT NOT NULL,
    media TEXT NOT NULL, size INTEGER NOT NULL, seconds REAL NOT NULL, warc INTEGER, warc_size INTEGER,
    title TEXT NOT NULL, language TEXT NOT NULL, words INTEGER NOT NULL, links INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL, sketch BLOB NOT NULL, duplicate INTEGER,
    relevance REAL NOT NULL, on_topic INTEGER NOT NULL, verdict TEXT NOT NULL, judge TEXT NOT NULL,
    first_relevance REAL NOT NULL, first_on_topic INTEGER NOT NULL,
    priority REAL NOT NULL, reason TEXT NOT NULL, target INTEGER, unkept TEXT NOT NULL
) STRICT;
CREATE INDEX visits_by_url ON visits (url);
CREATE INDEX visits_by_original ON visits (duplicate) WHERE duplicate IS NOT NULL;
CREATE TABLE digests (visit INTEGER PRIMARY KEY, digest BLOB NOT NULL) STRICT;
CREATE TABLE refusals (
    id INTEGER PRIMARY KEY, url INTEGER NOT NULL UNIQUE, reason TEXT NOT NULL, after INTEGER NOT NULL
) STRICT;
CREATE TABLE records (
    visit INTEGER PRIMARY KEY, url TEXT NOT NULL, title TEXT NOT NULL, published TEXT, source TEXT NOT NULL,
    authors TEXT NOT NULL, language TEXT NOT NULL, text TEXT NOT NULL, keywords TEXT NOT NULL,
    relevance REAL NOT NULL, parent TEXT, fetched REAL NOT NULL,
    kind TEXT NOT NULL, description TEXT NOT NULL, careful INTEGER NOT NULL, extra TEXT NOT NULL,
    sources TEXT NOT NULL, sure TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE search USING fts5(title, text, tokenize = "unicode61 remove_diacritics 2");
CREATE TABLE labels (url TEXT PRIMARY KEY, on_topic INTEGER NOT NULL, labelled REAL NOT NULL) STRICT;
CREATE TABLE watched (
    url INTEGER PRIMARY KEY, kind TEXT NOT NULL, due REAL NOT NULL, checked REAL NOT NULL, shape REAL NOT NULL,
    scale REAL NOT NULL, checks INTEGER NOT NULL, changes INTEGER NOT NULL, etag TEXT NOT NULL, modified TEXT NOT NULL,
    mark BLOB NOT NULL, visit INTEGER NOT NULL, misses INTEGER NOT NULL, named INTEGER NOT NULL,
    found TEXT NOT NULL
) STRICT;
CREATE TABLE versions (
    visit INTEGER PRIMARY KEY, url INTEGER NOT NULL, replaced REAL NOT NULL, record BLOB NOT NULL
) STRICT;
CREATE INDEX versions_by_url ON versions (url);
CREATE TABLE states (name TEXT PRIMARY KEY, state BLOB NOT NULL) STRICT;
"""


def create(path: Path) -> Connection:
    """A new, empty crawl database."""
    connection = _set_up(connect(path))
    connection.executescript(
        "PRAGMA journal_mode = WAL; BEGIN;"
        f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {VERSION};{_TABLES} COMMIT;"
    )
    return connection


def open_database(path: Path, *, read_only: bool = False) -> Connection:
    """The database of an existing crawl; refuses what is none, or of another version."""
    try:
        there = path.is_file()
    except OSError as error:  # a folder into which we may not look
        raise CrawlFolderError(f"{path} cannot be read: {error.strerror or error}") from None
    if not there:
        raise CrawlFolderError(f"{path.parent} is not a crawl: it holds no {path.name}")
    connection = _set_up(connect_to_read(path) if read_only else connect(path))
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != _APPLICATION:
        connection.close()
        raise CrawlFolderError(f"{path} is a database, but not of a Honeyguide crawl")
    if version != VERSION:
        connection.close()
        raise CrawlFolderError(
            f"{path} was written by another version of Honeyguide (format {version}, this one reads {VERSION}); "
            "use the version named in the folder's manifest.json"
        )
    return connection


def _set_up(connection: Connection) -> Connection:
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -32000")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection
