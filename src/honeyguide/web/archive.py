"""An archive replayed as the web: what a WARC holds is answered, what it lacks is a 404."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from fastwarc.stream_io import FastWARCError
from fastwarc.warc import ArchiveIterator, WarcRecordType

from honeyguide.errors import ArchiveError
from honeyguide.web.base import Response, Since, nobody
from honeyguide.web.urls import normalise
from honeyguide.web.warc import parse_member, torn

__all__ = ["ArchiveWeb", "check_archive", "find_archive"]


def find_archive(place: str | Path) -> Path:
    """The WARC meant by a path: the file itself, or `pages.warc.gz` in an offline web's folder."""
    path = Path(place)
    try:
        if path.is_dir():
            path = path / "pages.warc.gz"
            if not path.is_file():
                raise ArchiveError(f"{place} is no offline web: it holds no pages.warc.gz")
        elif not path.is_file():
            raise ArchiveError(f"{place} does not exist; give a WARC file or the folder of an offline web")
    except OSError as error:  # a name longer than any can be, or a folder into which we may not look
        raise ArchiveError(f"{place} cannot be read: {error.strerror or error}") from None
    return path


def check_archive(place: str | Path) -> Path:
    """The WARC meant by a path, after a look at its beginning: it must hold at least one answer."""
    path = find_archive(place)
    try:
        with path.open("rb") as file:
            for record in ArchiveIterator(file, parse_http=False):
                if record.record_type & (WarcRecordType.response | WarcRecordType.resource):
                    return path
    except (FastWARCError, ValueError, EOFError, OSError) as error:
        raise ArchiveError(f"{path} cannot be read as a WARC: {error}") from None
    raise ArchiveError(f"{path} is not a WARC: it holds no answers of servers")


class ArchiveWeb:
    """A WARC file as a web. The first answer of a URL counts, and the date it was recorded is its fetch time."""

    name = "archive"
    polite = False
    waiting = 0

    def __init__(self, path: str | Path, *, largest: int = 5_000_000) -> None:
        self.path = find_archive(path)
        self._largest = largest
        self.on_waiting: Callable[[], None] = nobody
        self.damage = ""  # where the file could not be read any further
        self._index = self._scan()
        self._file: BinaryIO | None = None

    def _scan(self) -> dict[str, tuple[int, int]]:
        places: dict[str, int] = {}
        ends: list[int] = []
        try:
            with self.path.open("rb") as file:
                for position, url in self._positions(file):
                    ends.append(position)
                    if url and url not in places:
                        places[url] = position
        except (FastWARCError, ValueError, EOFError, OSError) as error:
            self.damage = f"{self.path} is damaged after byte {ends[-1] if ends else 0}: {error}"
        if len(ends) > len(set(ends)):
            raise ArchiveError(f"{self.path} is packed as a whole; pack it record by record ('warcio recompress')")
        if ends and not self.damage:
            with self.path.open("rb") as file:
                file.seek(ends[-1])
                if torn(file.read()):
                    self.damage = f"{self.path} is damaged after byte {ends[-1]}: its last record breaks off"
                    places = {url: position for url, position in places.items() if position != ends[-1]}
        if not places:
            raise ArchiveError(self.damage or f"{self.path} is not a WARC: it holds no answers of servers")
        ends.append(self.path.stat().st_size)
        after = dict(itertools.pairwise(ends))
        return {url: (position, after[position] - position) for url, position in places.items()}

    @staticmethod
    def _positions(file: BinaryIO) -> Iterator[tuple[int, str]]:
        answers = WarcRecordType.response | WarcRecordType.resource
        for record in ArchiveIterator(file, record_types=WarcRecordType.any_type, parse_http=False):
            url = ""
            if record.record_type & answers:
                url = normalise((record.headers.get("WARC-Target-URI") or "").strip("<>")) or ""
            yield record.stream_pos, url

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, url: str) -> bool:
        return url in self._index

    def urls(self) -> Iterator[str]:
        """All URLs the archive answers."""
        return iter(self._index)

    async def fetch(self, url: str, *, cut: int = 0, since: Since | None = None) -> Response:  # noqa: ARG002
        """Replay one answer; with `cut`, the first bytes of its body."""
        return self.answer(url, cut=cut)

    def answer(self, url: str, *, cut: int = 0) -> Response:
        """The same without waiting: a file has no need of it."""
        begun = time.perf_counter()
        place = self._index.get(url)
        if place is None:
            return Response(url, status=404, error="not in the archive")  # no date: it never was
        if self._file is None:
            self._file = self.path.open("rb")
        self._file.seek(place[0])
        response = parse_member(self._file.read(place[1]), self._largest, cut=cut)
        if response is None:
            return Response(url, error="the archive's record cannot be read", lasting=True)
        response.url = url
        response.seconds = time.perf_counter() - begun
        return response

    async def is_there(self, url: str) -> bool:  # noqa: ARG002 - a file is always there
        """Nothing lies between us and a file."""
        return True

    async def close(self) -> None:
        """Close the file."""
        self.let_go()

    def let_go(self) -> None:
        """The same without waiting."""
        if self._file is not None:
            self._file.close()
            self._file = None
