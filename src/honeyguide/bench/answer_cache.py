"""The pages of an archive, parsed once: every run of a race takes them from here.

A cached is one file: the answers that the crawl's own hands gave, one after the other, and an index at the end. It is
made anew when the archive, the blocked URLs or the code that reads pages changes.
"""

from __future__ import annotations

import asyncio
import hashlib
import mmap
import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

import honeyguide.page
import honeyguide.text
import honeyguide.web
from honeyguide.atomic import whole_or_nothing
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.pool import Task, make_hands
from honeyguide.crawling.settings import Settings
from honeyguide.errors import BenchError
from honeyguide.page.digest import Digest, decode
from honeyguide.store.packing import unpack
from honeyguide.web import ArchiveWeb, ScopeRules

__all__ = ["AnswerCache", "Listener", "cache_folder", "nobody", "stock"]

_TAIL = struct.Struct("<Q")  # at the very end: where the index begins
_UNDER_WAY = 64
_KEPT = 8  # caches left in the cache; older ones go

Listener = Callable[[int, int], None]  # told how many pages of how many are parsed


def nobody(_done: int, _total: int) -> None:
    """Nobody is listening."""


_encode = msgspec.msgpack.Encoder().encode
_decode_answer = msgspec.msgpack.Decoder(Answer).decode
_decode_index = msgspec.msgpack.Decoder(dict[str, tuple[int, int]]).decode


def cache_folder() -> Path:
    """Where caches are kept: the user's cache, or where HONEYGUIDE_CACHE says."""
    told = os.environ.get("HONEYGUIDE_CACHE")
    if told:
        return Path(told)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "honeyguide"


class AnswerCache:
    """All answers of an archive, ready to be given again."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        (begin,) = _TAIL.unpack(self._bytes[-_TAIL.size :])
        self._index = _decode_index(self._bytes[begin : -_TAIL.size])

    def __contains__(self, url: str) -> bool:
        return url in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def answer(self, order: Order) -> Answer:
        """What the archive answers to an order, the page ready to be shown."""
        place = self._index.get(order.url)
        if place is None:
            return Answer(order, status=404, error="not in the archive")
        answer = _decode_answer(self._bytes[place[0] : place[0] + place[1]])
        answer.order = order
        if answer.packed:
            answer.page = decode(unpack(answer.packed))
        return answer

    def page(self, url: str) -> Digest | None:
        """The page at a URL, if it is one."""
        return self.answer(Order(0, url)).page

    def cut(self, page: Digest) -> None:
        """Cut a page into its blocks, as these answers have it."""
        whole = self.page(page.url)
        assert whole is not None  # all caches of an archive hold the same pages
        page.take_blocks(whole)

    def close(self) -> None:
        """Let go of the file."""
        self._bytes.close()


def stock(
    archive: Path,
    block: tuple[str, ...],
    *,
    structure: bool,
    workers: int = 1,
    on_progress: Listener = nobody,
) -> Path:
    """The cached of an archive, from the cache or filled now; returns its file."""
    folder = cache_folder()
    path = folder / f"{_name(archive, block, structure)}.cached"
    if path.is_file():
        path.touch()
        return path
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BenchError(
            f"parsed pages cannot be kept in {folder}: {error.strerror or error}; set HONEYGUIDE_CACHE to a folder"
        ) from None
    try:
        with whole_or_nothing(path) as fresh, fresh.open("wb") as file:
            _fill(file, archive, block, structure, workers, on_progress)
    except OSError as error:
        raise BenchError(f"parsed pages cannot be written to {folder}: {error.strerror or error}") from None
    _tidy(folder)
    return path


def _fill(
    file: Any,
    archive: Path,
    block: tuple[str, ...],
    structure: bool,
    workers: int,
    on_progress: Listener,
) -> None:
    urls = sorted(ArchiveWeb(archive).urls())
    settings = Settings(web=str(archive), workers=workers, warc=False, text=False, careful=False)
    task = Task(settings=settings, rules=ScopeRules(deny=block), structure=structure, archive=str(archive))
    index: dict[str, tuple[int, int]] = {}
    place = 0

    async def read() -> None:
        nonlocal place
        hands = make_hands(task)
        try:
            given = 0
            while len(index) < len(urls):
                while given < len(urls) and given - len(index) < _UNDER_WAY:
                    hands.give(Order(given, urls[given]))
                    given += 1
                for answer in await hands.take(1.0):
                    answer.page = None
                    url, answer.order = answer.order.url, Order(0, "")
                    written = file.write(_encode(answer))
                    index[url] = (place, written)
                    place += written
                on_progress(len(index), len(urls))
        finally:
            await hands.close()

    asyncio.run(read())
    file.write(_encode(index))
    file.write(_TAIL.pack(place))


def _name(archive: Path, block: tuple[str, ...], structure: bool) -> str:
    """A name that changes with all a cached depends on: the archive, what is blocked, and the code that reads pages."""
    stat = archive.stat()
    digest = hashlib.blake2b(digest_size=12)
    digest.update(repr((str(archive.resolve()), stat.st_size, stat.st_mtime_ns, block, structure)).encode())
    for room in (honeyguide.page, honeyguide.web, honeyguide.text):
        for file in sorted(Path(room.__path__[0]).glob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _tidy(folder: Path) -> None:
    caches = sorted(folder.glob("*.cached"), key=lambda path: path.stat().st_mtime)
    for path in caches[:-_KEPT]:
        path.unlink(missing_ok=True)
