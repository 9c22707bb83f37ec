"""Forgetting pages for good: out of the database, the WARC and the report, so that no file of the crawl tells of them.

In the WARC a forgotten record is overwritten in place by an empty one of exactly its size. So no offset changes. What
is to be overwritten is written down first, in the transaction that forgets; a process killed half-way leaves that note
behind, and whoever opens the crawl next goes on where it stopped.
"""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

from honeyguide.crawling.host_policy import FORGOTTEN
from honeyguide.crawling.mailbox import forget_letters
from honeyguide.errors import HoneyguideError
from honeyguide.store import Folder, Store
from honeyguide.web.urls import normalise

__all__ = ["find_copies", "find_visits", "finish_forgetting", "forget", "left_behind"]

_NOTE = "forgetting"  # the places in the WARC that are still to be overwritten
_GZIP_WITH_COMMENT = b"\x1f\x8b\x08\x10\0\0\0\0\0\xff"
_BLANK = (
    b"WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
    b"WARC-Date: 1970-01-01T00:00:00Z\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
)


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
            found = [(row.id, row.url) for row in store.urls() if row.host in hosts]
    finally:
        store.close()
    if not found:
        raise HoneyguideError(f"this crawl knows no page or host '{what}'")
    return found


def find_copies(folder: Folder, numbers: list[int]) -> list[str]:
    """Other addresses of the crawl that brought all but the same as these: forgetting does not touch them."""
    store = Store.open(folder.database, read_only=True)
    try:
        return store.copies(numbers)
    finally:
        store.close()


def left_behind(folder: Folder) -> list[Path]:
    """Files in the folder that the crawl does not know, such as exports: what they hold is not forgotten."""
    return sorted(entry for entry in folder.path.iterdir() if entry.name not in folder.own_names)


def forget(folder: Folder, numbers: list[int], host: str | None = None) -> int:
    """Forget URLs by number, and a whole host if one is named; returns how many pages were wiped."""
    folder.lock()
    store = Store.open(folder.database)
    try:
        finish_forgetting(folder, store)
        store.begin()
        places: list[tuple[int, int]] = []
        wiped = 0
        for number in numbers:
            for visit in store.visits_of(number):
                if visit.warc is not None and visit.warc_size is not None:
                    blank_member(visit.warc_size)  # raises, if it cannot be done, before anything is
                    places.append((visit.warc, visit.warc_size))
                wiped += 1
        forget_letters(folder, {store.url(number).url for number in numbers})
        store.erase(numbers)
        for number in numbers:
            store.refuse(number, FORGOTTEN)
        if host:
            for row in store.hosts():
                if host.lower() in (row.name, row.name.rpartition(":")[0]):
                    store.park_host(row.id, FORGOTTEN)
                    store.erase_host(row.id)
        store.set_meta(**{_NOTE: places})
        store.commit()
        finish_forgetting(folder, store)
        return wiped
    finally:
        store.abandon()
        folder.unlock()


def finish_forgetting(folder: Folder, store: Store) -> None:
    """Wipe from the files what was forgotten, if that is not done yet: archive, database, report."""
    places = store.meta(_NOTE)
    if places is None:
        return
    _overwrite(folder.warc, places)
    store.scrub()
    if folder.report.exists():
        from honeyguide.crawling.report import write_report  # it takes long to import, and is needed seldom

        write_report(folder)
    store.begin()
    store.drop_meta(_NOTE)
    store.commit()


def _overwrite(path: Path, places: list[tuple[int, int]]) -> None:
    if not places or not path.exists():
        return
    try:
        with path.open("r+b") as file:
            for offset, size in places:
                if offset + size <= path.stat().st_size:
                    file.seek(offset)
                    file.write(blank_member(size))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise HoneyguideError(f"{path} cannot be written: {error.strerror or error}; say it again") from None


def blank_member(size: int) -> bytes:
    """A gzip member of exactly this many bytes, holding a WARC record that says nothing.

    The rest is a comment in the member's header, which every reader of gzip skips and which may be of any length.

    >>> len(blank_member(313)), len(blank_member(300_000))
    (313, 300000)
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(_BLANK) + packer.flush()
    comment = size - len(_GZIP_WITH_COMMENT) - len(packed) - 9  # the comment's closing zero, check sum and length
    if comment < 0:
        raise HoneyguideError(f"a record of {size} bytes in the WARC is too small to be overwritten in place")
    check = struct.pack("<II", zlib.crc32(_BLANK), len(_BLANK))
    return _GZIP_WITH_COMMENT + b" " * comment + b"\0" + packed + check
