"""The on-topic pages as web archives: a WARC, or a WACZ that a browser can replay.

The answers are copied from the crawl's own WARC byte by byte, each in its gzip member; `honeyguide.corpus.answers`
says which. A WACZ (version 1.1.1 of its specification) is a ZIP file that holds such a WARC, an index of it by
address, the list of pages, and digests.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
import io
import json
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from fastwarc.stream_io import FastWARCError
from fastwarc.warc import ArchiveIterator

from honeyguide.corpus.answers import Answers
from honeyguide.corpus.source import Source, Written
from honeyguide.store import Folder
from honeyguide.store.summary import ArchivedPage
from honeyguide.web.warc import info_record

__all__ = ["surt", "write_wacz", "write_warc"]

_LINES = 20_000  # index lines sorted at a time
_CHUNK = 1 << 16


def write_warc(source: Source, path: Path) -> Written:
    """A WARC of the on-topic pages' answers alone."""
    answers = Answers(source)
    with path.open("wb") as file:
        file.write(_about(source.folder))
        for _, member in answers:
            file.write(member)
    return answers.written()


def write_wacz(source: Source, path: Path) -> Written:
    """A WACZ of the on-topic pages: the WARC stored as it is, its index, the list of pages, and the digests."""
    with ExitStack() as open_things:
        # Pages and index must tell of the same moment.
        open_things.enter_context(source.store.summary.snapshot())
        answers = Answers(source)
        package = _Package(open_things.enter_context(zipfile.ZipFile(path, "w", allowZip64=True)))
        lines = open_things.enter_context(_Sorted())
        with package.entry("archive/data.warc.gz", zipfile.ZIP_STORED) as write:
            offset = write(_about(source.folder))
            for page, member in answers:
                lines.add(_index_line(page, member, offset))
                offset += write(member)
        with package.entry("indexes/index.cdx") as write:
            for line in lines.merged():
                write(line.encode("utf-8", "replace"))
        with package.entry("pages/pages.jsonl") as write:
            write(_json_line({"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}))
            for page in answers.pages():
                write(_json_line(_page_line(page)))
        package.seal(_title(source.folder))
    return answers.written()


def _about(folder: Folder) -> bytes:
    """The first record of the WARC: what made it, from which crawl."""
    about = {
        "software": f"Honeyguide/{version('honeyguide')}",
        "format": "WARC File Format 1.1",
        "description": f"pages on topic, of the crawl: {_title(folder)}",
    }
    return info_record(about, time.time())


def _title(folder: Folder) -> str:
    topic = folder.read_manifest().get("topic")
    name = topic.get("name") if isinstance(topic, dict) else topic
    return " ".join(str(name or folder.path.resolve().name).split())[:200]


# --- the parts of a WACZ -------------------------------------------------------------------------------------


class _Package:
    """A ZIP file that counts and digests what goes in, for its own manifest."""

    def __init__(self, file: zipfile.ZipFile) -> None:
        self._file = file
        self._resources: list[dict[str, Any]] = []

    @contextmanager
    def entry(self, path: str, method: int = zipfile.ZIP_DEFLATED) -> Iterator[Callable[[bytes], int]]:
        """One file of the package: gives the function that writes to it and returns how much it wrote."""
        digest, size = hashlib.sha256(), 0
        info = zipfile.ZipInfo(path, time.gmtime()[:6])
        info.compress_type = method
        info.external_attr = 0o644 << 16
        with self._file.open(info, "w", force_zip64=True) as out:

            def write(data: bytes) -> int:
                nonlocal size
                digest.update(data)
                size += len(data)
                return out.write(data)

            yield write
        name = path.rpartition("/")[2]
        self._resources.append({"name": name, "path": path, "hash": f"sha256:{digest.hexdigest()}", "bytes": size})

    def seal(self, title: str) -> None:
        """Write the manifest of all that is inside, and the manifest's own digest."""
        manifest = {
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "title": title,
            "description": "Pages on one topic, gathered by Honeyguide.",
            "created": _iso(time.time()),
            "software": f"Honeyguide {version('honeyguide')}",
            "resources": list(self._resources),
        }
        with self.entry("datapackage.json") as write:
            write(json.dumps(manifest, ensure_ascii=False, indent=2).encode())
        sealed = {"path": "datapackage.json", "hash": self._resources[-1]["hash"]}
        with self.entry("datapackage-digest.json") as write:
            write(json.dumps(sealed).encode())


class _Sorted:
    """Any number of lines in order, with only some of them in memory."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._runs: list[IO[str]] = []

    def __enter__(self) -> _Sorted:
        return self

    def __exit__(self, *_: object) -> None:
        for run in self._runs:
            run.close()

    def add(self, line: str) -> None:
        """One more line, with its line end."""
        self._lines.append(line)
        if len(self._lines) >= _LINES:
            run = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace", newline="\n")  # noqa: SIM115
            self._runs.append(run)
            run.writelines(sorted(self._lines))
            run.seek(0)
            self._lines = []

    def merged(self) -> Iterator[str]:
        """All lines in order."""
        return heapq.merge(sorted(self._lines), *self._runs)


def _index_line(page: ArchivedPage, member: bytes, offset: int) -> str:
    """The line of the CDXJ index that leads from an address and a moment to a place in the WARC."""
    entry = {
        "url": page.url,
        "mime": page.media or "unk",
        "status": str(page.status),
        "length": str(len(member)),
        "offset": str(offset),
        "filename": "data.warc.gz",
    }
    digest = _payload_digest(member)
    if digest:
        entry["digest"] = digest
    return f"{surt(page.url)} {_iso(page.fetched, '%Y%m%d%H%M%S')} {json.dumps(entry)}\n"


def _payload_digest(member: bytes) -> str:
    """SHA-1 of what the server sent, as archives write it; nothing if the record cannot be read."""
    digest = hashlib.sha1(usedforsecurity=False)
    try:
        for record in ArchiveIterator(io.BytesIO(member), parse_http=True):
            while chunk := record.reader.read(_CHUNK):
                digest.update(chunk)
            return "sha1:" + base64.b32encode(digest.digest()).decode()
    except (FastWARCError, ValueError, EOFError, OSError):
        pass
    return ""


def _page_line(page: ArchivedPage) -> dict[str, Any]:
    return {
        "id": str(page.visit),
        "url": page.url,
        "ts": _iso(page.fetched),
        "title": page.title or page.url,
        "size": page.size,
    }


def _json_line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _iso(moment: float, form: str = "%Y-%m-%dT%H:%M:%SZ") -> str:
    try:
        return datetime.fromtimestamp(moment, UTC).strftime(form)
    except (OverflowError, OSError, ValueError):
        return datetime.fromtimestamp(0, UTC).strftime(form)


def surt(url: str) -> str:
    """An address as archive indexes sort it: the host from the end, so that a site's pages lie together.

    >>> surt("https://www.Example.org:8080/a?b=2&a=1#top")
    'org,example:8080)/a?a=1&b=2'
    """
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return url.lower().replace(" ", "%20")
    if not host.replace(".", "").isdigit() and ":" not in host:  # the numbers of an IP address stay in their order
        host = ",".join(reversed(host.split(".")))
    if port and port != {"http": 80, "https": 443}.get(parts.scheme):
        host = f"{host}:{port}"
    query = "?" + "&".join(sorted(parts.query.split("&"))) if parts.query else ""
    return f"{host}){parts.path or '/'}{query}".lower().replace(" ", "%20")
