"""Writing and reading WARC records, each in a gzip member of its own."""

from __future__ import annotations

import io
import os
import uuid
import zlib
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

from fastwarc.stream_io import FastWARCError
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from isal import igzip

from honeyguide.errors import CrawlFolderError
from honeyguide.web.base import Response
from honeyguide.wording import command

__all__ = ["Warc", "info_record", "read_response", "response_record"]

# Bodies are stored as they were understood: already decoded, so these headers no longer hold for them.
_PIECE = 1_000_000
_TRANSPORT = frozenset(("content-encoding", "transfer-encoding", "content-length"))


def _header(name: str, value: str) -> str:
    name, clean = (text.replace("\r", " ").replace("\n", " ") for text in (name, value))
    if name.lower() in _TRANSPORT:
        return f"X-Archive-Orig-{name}: {clean}\r\n"
    return f"{name}: {clean}\r\n"


def _member(kind: str, headers: list[tuple[str, str]], *blocks: bytes) -> bytes:
    lines = [f"WARC-Type: {kind}", f"WARC-Record-ID: <urn:uuid:{uuid.uuid4()}>"]
    lines += [f"{name}: {value}" for name, value in headers]
    lines.append(f"Content-Length: {sum(map(len, blocks))}")
    head = ("WARC/1.1\r\n" + "\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")
    # igzip's fastest level packs nearly as tight as zlib's in a fifth of its time. The next packs 6 % tighter, but asks
    # the system for a large buffer of its own each time.
    return igzip.compress(b"".join((head, *blocks, b"\r\n\r\n")), 0)


def _date(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def response_record(response: Response) -> bytes:
    """One answer as a gzip member that can be appended to any WARC."""
    try:
        phrase = HTTPStatus(response.status).phrase
    except ValueError:
        phrase = "Unknown"
    http = f"HTTP/1.1 {response.status} {phrase}\r\n" + "".join(_header(*pair) for pair in response.headers)
    http += f"Content-Length: {len(response.body)}\r\n\r\n"
    headers = [
        ("WARC-Target-URI", response.url),
        ("WARC-Date", _date(response.fetched)),
        ("Content-Type", "application/http; msgtype=response"),
    ]
    return _member("response", headers, http.encode("latin-1", "replace"), response.body)


def info_record(about: dict[str, str], moment: float) -> bytes:
    """The first record of a WARC: who made it and how."""
    block = "".join(f"{name}: {' '.join(value.split())}\r\n" for name, value in about.items()).encode()
    return _member("warcinfo", [("WARC-Date", _date(moment)), ("Content-Type", "application/warc-fields")], block)


class Warc:
    """A WARC that is only ever appended to; the store remembers how far it is good."""

    def __init__(self, path: Path, good: int) -> None:
        self._path = path
        try:
            # Unbuffered: a write that fails must not come back when the file is closed.
            self._file = path.open("r+b" if path.exists() else "w+b", buffering=0)
            good = min(good, path.stat().st_size)  # a file that lost its tail is not filled up with nothing
            self._file.truncate(good)  # what came after the last commit never happened
            self._file.seek(good)
        except OSError as error:
            raise self._unwritable(error) from None
        self.size = good

    def append(self, member: bytes) -> int:
        """Add a record, before the store says it is there; returns where it begins."""
        begins = self.size
        left = memoryview(member)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise self._unwritable(error) from None
        self.size += len(member)
        return begins

    def read(self, begins: int, size: int) -> Response | None:
        """The answer that a record holds, if it can still be read."""
        return read_response(self._path, begins, size)

    def sync(self) -> None:
        """See that everything is on the disk itself: what the machine loses with its power is the tail."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._unwritable(error) from None

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _unwritable(self, error: OSError) -> CrawlFolderError:
        return CrawlFolderError(
            f"{self._path} cannot be written: {error.strerror or error}; nothing stored so far is lost: "
            f"make room, then continue with: {command('resume', self._path.parent)}"
        )


def read_response(path: Path, offset: int, size: int, largest: int = 50_000_000) -> Response | None:
    """The answer stored at a place in a WARC; None when there is none to be read."""
    with path.open("rb") as file:
        file.seek(offset)
        return parse_member(file.read(size), largest)


def parse_member(member: bytes, largest: int, *, cut: int = 0) -> Response | None:
    """The response in the bytes of one WARC record, packed or not."""
    try:
        for record in ArchiveIterator(io.BytesIO(member), parse_http=True, auto_decode="all"):
            return to_response(record, largest, cut=cut)
    except (FastWARCError, ValueError, EOFError, OSError):
        return None
    return None


def torn(member: bytes) -> bool:
    """Whether a record breaks off before its end; what reads it would take half a page for a whole one."""
    try:
        if member.startswith(b"\x1f\x8b"):
            unpack = zlib.decompressobj(31)
            while member and not unpack.eof:
                unpack.decompress(member, _PIECE)
                if not unpack.unconsumed_tail and not unpack.eof:
                    return True
                member = unpack.unconsumed_tail
            return False
        for record in ArchiveIterator(io.BytesIO(member), parse_http=False):
            return len(record.reader.read()) < record.content_length
    except (FastWARCError, ValueError, EOFError, OSError, zlib.error):
        return True
    return False


def to_response(record: WarcRecord, largest: int, *, cut: int = 0) -> Response | None:
    """A WARC record as the answer it holds; with `cut`, of its body the first so many bytes."""
    if record.record_type not in (WarcRecordType.response, WarcRecordType.resource):
        return None
    response = Response((record.headers.get("WARC-Target-URI") or "").strip("<>"))
    moment = record.record_date
    response.fetched = moment.timestamp() if moment else 0.0
    if record.is_http and record.http_headers is not None:
        response.status = record.http_headers.status_code or 0
        response.headers = [(str(name), str(value)) for name, value in record.http_headers]
    else:
        response.status = 200
        response.headers = [("Content-Type", record.headers.get("Content-Type") or "")]
    response.body = record.reader.read(cut or largest + 1)
    if cut and len(response.body) == cut:
        return response
    if len(response.body) > largest:
        response.body, response.error, response.lasting = b"", f"larger than {largest} bytes", True
    elif not response.header("content-encoding") and not response.header("transfer-encoding"):
        stated = response.header("content-length")
        if stated.isdecimal() and len(response.body) < int(stated):
            response.body, response.error, response.lasting = b"", "the record breaks off", True
    if not response.status and not response.error:
        response.error, response.lasting = "the record holds no answer of a server", True
    return response
