"""Click logs as files: who searched for what, and which pages they opened.

Three kinds are read, plain or gzipped. Lines of JSON, one session each: user, time, query, clicks [url, in order], and
group where it is known. CSV with a header, one click or one session a row. Access logs of web servers, where the query
is that of the search engine in the referrer. A line that cannot be understood is counted and passed over; a file of
which nothing can be used is told in one sentence.
"""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import parse_qs, urljoin, urlsplit

import msgspec

from honeyguide.errors import TopicError

__all__ = ["Session", "Tally", "sessions"]

_LONGEST = 1 << 20  # bytes of a line; no session is longer, but a line that has no end must not fill the memory
_MOST_CLICKS = 1_000  # of one session

# The names that columns go by, those of known public logs among them.
_COLUMNS = {
    "user": ("user", "user_id", "userid", "anonid", "uid", "session", "session_id"),
    "group": ("group", "interest_group"),
    "query": ("query", "q", "keyword", "keywords", "search", "search_term"),
    "clicks": ("url", "clicks", "click", "clickurl", "click_url", "clicked_url", "clicked"),
}
_ACCESS = re.compile(
    r'(?:(?P<host>[\w.-]+)(?::\d+)? )?(?P<user>\S+) \S+ \S+ \[[^\]]*\] "(?P<method>[A-Z]+) (?P<path>\S+)[^"]*" '
    r'(?P<status>\d{3}) \S+(?: "(?P<referrer>[^"]*)" "(?P<agent>[^"]*)")?'
)
_ASKED = ("q", "query", "p", "wd", "word", "text", "search", "s", "keyword", "keywords")  # where engines put a query
_PARTS = re.compile(r"\.(?:css|js|png|jpe?g|gif|svg|ico|webp|woff2?|ttf|map|mp[34])$", re.IGNORECASE)


class Session(NamedTuple):
    """What one person searched for, and the pages opened for it in order."""

    user: str  # empty if nobody knows
    group: str
    query: str
    clicks: list[str]


class Tally(msgspec.Struct):
    """How the reading of a log went."""

    lines: int = 0
    sessions: int = 0
    bad: Counter[str] = msgspec.field(default_factory=Counter)  # lines passed over, by what is wrong with them
    broken: str = ""  # why the file ends before its end


class _SessionLine(msgspec.Struct):
    query: str | None = None
    clicks: list[str] = []
    user: str | int | None = None
    group: str | int | None = None


def sessions(path: Path, tally: Tally, base: str = "") -> Iterator[Session]:
    """The sessions of a log, one at a time. `base` is where an access log's paths belong, if it names no host."""
    lines = _lines(path, tally)
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        told = f"it breaks off: {tally.broken}" if tally.broken else "it is empty"
        raise TopicError(f"click log {path} cannot be used: {told}")
    if first.lstrip().startswith("{"):
        found = _from_json(first, lines, tally)
    elif _ACCESS.match(first):
        found = _from_access(first, lines, tally, base)
    else:
        found = _from_table(path, first, lines, tally)
    for session in found:
        tally.sessions += 1
        yield session


def _lines(path: Path, tally: Tally) -> Iterator[str]:
    """The lines of a file, as far as it can be read."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            file: IO[bytes] = gzip.GzipFile(fileobj=raw) if packed else raw  # type: ignore[assignment]
            yield from _read(file, tally)
    except OSError as error:
        if not tally.lines and not isinstance(error, gzip.BadGzipFile):
            raise TopicError(f"click log {path} cannot be read: {(error.strerror or str(error)).lower()}") from None
        tally.broken = str(error)
    except (EOFError, zlib.error) as error:
        tally.broken = str(error)


def _read(file: IO[bytes], tally: Tally) -> Iterator[str]:
    rest = False
    while line := file.readline(_LONGEST):
        whole = line.endswith(b"\n") or len(line) < _LONGEST
        if not rest:
            tally.lines += 1
            if whole:
                yield line.decode("utf-8-sig" if tally.lines == 1 else "utf-8", "replace")
            else:
                tally.bad["longer than a session can be"] += 1
        rest = not whole


def _from_json(first: str, lines: Iterator[str], tally: Tally) -> Iterator[Session]:
    decode = msgspec.json.Decoder(_SessionLine).decode
    for line in _with(first, lines):
        if not line.strip():
            continue
        try:
            told = decode(line)
        except (msgspec.DecodeError, UnicodeError):
            tally.bad["no JSON of a session"] += 1
            continue
        if not told.query or not told.clicks:
            tally.bad["without a query" if not told.query else "without a click"] += 1
            continue
        yield Session(_name(told.user), _name(told.group), told.query, told.clicks[:_MOST_CLICKS])


def _name(told: str | int | None) -> str:
    return "" if told is None else str(told)


def _with(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _from_table(path: Path, first: str, lines: Iterator[str], tally: Tally) -> Iterator[Session]:
    """One click or one session a row; clicks of one person for one query that follow each other are one session."""
    sign = max("\t;,", key=first.count)
    header = [name.strip().strip('"').lower() for name in first.strip().split(sign)]
    places = {
        kind: next((place for place, name in enumerate(header) if name in names), -1)
        for kind, names in _COLUMNS.items()
    }
    for kind, name in (("query", "query"), ("clicks", "url")):
        if places[kind] < 0:
            listed = ", ".join(name[:30] for name in header[:10])
            raise TopicError(
                f"click log {path} has no column '{name}'; its first line should name the columns, and is: {listed}"
            )
    last: Session | None = None
    for row in _rows(lines, sign, tally):
        if len(row) <= max(places.values()):
            tally.bad["with too few columns"] += 1
            continue
        cells = {kind: row[place].strip() if place >= 0 else "" for kind, place in places.items()}
        clicks = cells["clicks"].split()
        if not cells["query"] or not clicks:
            tally.bad["without a query" if clicks else "without a click"] += 1
            continue
        if last is not None and last[:3] == (cells["user"], cells["group"], cells["query"]) and cells["user"]:
            last.clicks.extend(clicks[: max(0, _MOST_CLICKS - len(last.clicks))])
            continue
        if last is not None:
            yield last
        last = Session(cells["user"], cells["group"], cells["query"], clicks[:_MOST_CLICKS])
    if last is not None:
        yield last


def _rows(lines: Iterator[str], sign: str, tally: Tally) -> Iterator[list[str]]:
    for line in lines:
        try:
            row = next(csv.reader([line], delimiter=sign), [])
        except csv.Error:
            tally.bad["no row of a table"] += 1
            continue
        if row:
            yield row


def _from_access(first: str, lines: Iterator[str], tally: Tally, base: str) -> Iterator[Session]:
    """A request that came from a search engine is a click for its query; one that came from a page, a step onwards."""
    for line in _with(first, lines):
        if not line.strip():
            continue
        match = _ACCESS.match(line)
        if match is None:
            tally.bad["no line of an access log"] += 1
            continue
        session = _request(match.groupdict(), base)
        if session is None:
            tally.bad["no page that was opened from a search or a page"] += 1
        else:
            yield session


def _request(told: Mapping[str, str | None], base: str) -> Session | None:
    path, referrer = told["path"] or "", told["referrer"] or ""
    if told["method"] != "GET" or told["status"] not in ("200", "304") or _PARTS.search(path.partition("?")[0]):
        return None
    home = f"http://{told['host']}/" if told["host"] else base
    try:
        url, source = urljoin(home, path), urlsplit(referrer)
        asked = parse_qs(source.query, max_num_fields=50)
    except ValueError:
        return None
    if not source.netloc or not url.startswith("http"):
        return None
    user = f"{told['user']} {told['agent'] or ''}"
    if source.netloc == urlsplit(url).netloc:
        return Session(user, "", "", [referrer, url])
    query = next((asked[name][0] for name in _ASKED if name in asked), "")
    return Session(user, "", query, [url]) if query else None
