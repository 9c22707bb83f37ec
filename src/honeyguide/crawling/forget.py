"""Forgetting pages for good: out of the corpus, the search index, the frontier's memory of them, and the WARC.

In the WARC a forgotten record is overwritten in place by an empty one of exactly its size. So no offset changes, and
a crash half-way is mended by asking again.
"""

from __future__ import annotations

import struct
import uuid
import zlib
from pathlib import Path

from honeyguide.errors import HoneyguideError
from honeyguide.store import Folder, RecordStore, Store
from honeyguide.web.urls import normalise

__all__ = ["find_visits", "forget"]

_REASON = "forgotten at the user's wish"
_LARGEST_EXTRA = 65_535
_STORED = 65_535  # bytes in one uncompressed deflate block


def find_visits(folder: Folder, what: str) -> list[tuple[int, str]]:
    """The URLs meant by a URL or a host name: numbers and addresses of all that is known there."""
    store = Store.open(folder.database, read_only=True)
    try:
        url = normalise(what) if "://" in what else None
        if url is not None:
            row = store.find_url(url)
            found = [(row.id, row.url)] if row else []
        else:
            hosts = [row.id for row in store.hosts() if what.lower() in (row.name, row.name.rpartition(":")[0])]
            found = [(number, address) for number, address, host, _, _ in store.urls() if host in hosts]
    finally:
        store.close()
    if not found:
        raise HoneyguideError(f"this crawl knows no page or host '{what}'")
    return found


def forget(folder: Folder, numbers: list[int], host: str | None = None) -> int:
    """Forget URLs by number, and a whole host if one is named; returns how many pages were wiped."""
    folder.lock()
    store = Store.open(folder.database)
    try:
        store.begin()
        records = RecordStore(store.connection)
        places: list[tuple[int, int]] = []
        wiped = 0
        for number in numbers:
            for visit in store.visits_of(number):
                records.drop(visit.id)
                if visit.warc is not None and visit.warc_size is not None:
                    places.append((visit.warc, visit.warc_size))
                wiped += 1
            store.blank_visits(number)
            store.refuse(number, _REASON)
        if host:
            for row in store.hosts():
                if host.lower() in (row.name, row.name.rpartition(":")[0]):
                    store.park_host(row.id, _REASON)
        _overwrite(folder.warc, places)
        store.commit()
        store.vacuum()
        return wiped
    finally:
        store.close()
        folder.unlock()


def _overwrite(path: Path, places: list[tuple[int, int]]) -> None:
    if not places:
        return
    with path.open("r+b") as file:
        for offset, size in places:
            file.seek(offset)
            file.write(blank_member(size))


def blank_member(size: int) -> bytes:
    """A gzip member of exactly this many bytes, holding a WARC record that says nothing.

    >>> len(blank_member(9_000)), len(blank_member(300_000))
    (9000, 300000)
    """
    overhead = _wrapped(b"", 0)
    filler = max(0, size - overhead - 64)
    while True:
        content = _record(filler)
        spare = size - _wrapped_size(len(content))
        if spare == 0 or spare >= 2:
            break
        filler -= 1 if spare == 1 else -spare
    return _member(content, spare)


def _record(filler: int) -> bytes:
    head = (
        f"WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:uuid:{uuid.UUID(int=0)}>\r\n"
        f"WARC-Date: 1970-01-01T00:00:00Z\r\nContent-Type: text/plain\r\nContent-Length: {filler}\r\n\r\n"
    )
    return head.encode() + b" " * filler + b"\r\n\r\n"


def _wrapped(content: bytes, spare: int) -> int:
    return len(_member(content, spare)) if content or spare else _wrapped_size(len(_record(0)))


def _wrapped_size(length: int) -> int:
    blocks = max(1, -(-length // _STORED))
    return 10 + 5 * blocks + length + 8


def _member(content: bytes, spare: int) -> bytes:
    """The content, uncompressed, in a gzip member with `spare` bytes of padding in its header."""
    flags, padding = 0, b""
    if spare >= 2:
        flags, padding = 4, struct.pack("<H", spare - 2) + b"\0" * (spare - 2)
    packed = b""
    for start in range(0, len(content), _STORED):
        block = content[start : start + _STORED]
        last = start + _STORED >= len(content)
        packed += struct.pack("<BHH", last, len(block), len(block) ^ 0xFFFF) + block
    trailer = struct.pack("<II", zlib.crc32(content), len(content))
    return b"\x1f\x8b\x08" + bytes([flags]) + b"\0\0\0\0\0\xff" + padding + packed + trailer
