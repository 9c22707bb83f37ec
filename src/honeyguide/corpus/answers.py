"""The servers' answers a crawl has stored, as they may be copied to others: whole, and with their pages' leave.

A page that says `noindex` or `noarchive` is not handed on. What the page itself says is read, in its head and in its
headers, so this holds for every crawl, however old. A stored answer that the disk has garbled is not handed on either,
and counted: half a page must never pass for a whole one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from honeyguide.corpus.source import Source, Written
from honeyguide.errors import ExportError
from honeyguide.page.parse import robots_words
from honeyguide.store.summary import ArchivedPage
from honeyguide.web.base import Response
from honeyguide.web.warc import parse_member, torn

__all__ = ["Answers"]

_NAMED = 5  # damaged answers named one by one
_LARGEST = 1 << 31
_UNWILLING = frozenset(("noindex", "noarchive", "none"))


class Answers:
    """The on-topic pages with the gzip members that hold their answers; iterate over it, then ask what was left out."""

    def __init__(self, source: Source) -> None:
        self._folder = source.folder
        self._only = source.only
        self._progress = source.progress
        self._summary = source.store.summary
        self._notes = source.notes()
        self.archived, self._on_topic = self._summary.archived_count(source.only)
        self.count = 0
        self._damaged: list[ArchivedPage] = []
        self._unwilling = 0
        self.left_out: set[int] = set()
        if not self._folder.warc.is_file() or (self._on_topic and not self.archived):
            raise ExportError(
                f"{self._folder.path} has no stored answers to export: the crawl was run with --no-warc, or its pages "
                "ask for no copies; its records can still be exported to jsonl, csv, xlsx or parquet"
            )

    def __iter__(self) -> Iterator[tuple[ArchivedPage, bytes]]:
        try:
            warc = self._folder.warc.open("rb")
        except OSError as error:
            raise self._unreadable(error) from None
        with warc:
            for done, page in enumerate(self._summary.archived(self._only), 1):
                member = self._member(warc, page)
                if member:
                    self.count += 1
                    yield page, member
                else:
                    self.left_out.add(page.visit)
                self._progress(done, max(done, self.archived))
        if self._damaged and not self.count and not self._unwilling:
            raise ExportError(f"{self._folder.warc} is damaged: none of its {len(self._damaged):,} answers can be read")

    def pages(self) -> Iterator[ArchivedPage]:
        """The same pages once more, without their answers."""
        return (page for page in self._summary.archived(self._only) if page.visit not in self.left_out)

    def written(self) -> Written:
        """What to say when all are copied."""
        notes = list(self._notes)
        missing = self._on_topic - self.archived
        if missing:
            notes.append(
                f"{missing:,} on-topic pages are left out: they have no stored answer, as when they ask for no copies"
            )
        if self._unwilling:
            notes.append(f"{self._unwilling:,} on-topic pages are left out: they say noindex or noarchive")
        if self._damaged:
            named = "; ".join(f"{page.url} (byte {page.offset:,})" for page in self._damaged[:_NAMED])
            more = f"; and {len(self._damaged) - _NAMED:,} more" if len(self._damaged) > _NAMED else ""
            notes.append(
                f"{len(self._damaged):,} stored answers are damaged in {self._folder.warc} and left out: {named}{more}"
            )
        return Written(self.count, tuple(notes), len(self._damaged))

    def _member(self, warc: IO[bytes], page: ArchivedPage) -> bytes:
        """The gzip member of one page's answer; nothing if it cannot or may not be handed on."""
        try:
            warc.seek(page.offset)
            member = warc.read(page.size)
        except OSError as error:
            raise self._unreadable(error) from None
        answer = _whole(member, page)
        if answer is None:
            self._damaged.append(page)
            return b""
        if not _UNWILLING.isdisjoint(robots_words(answer)):
            self._unwilling += 1
            return b""
        return member

    def _unreadable(self, error: OSError) -> ExportError:
        return ExportError(f"{self._folder.warc} cannot be read: {error.strerror or error}")


def _whole(member: bytes, page: ArchivedPage) -> Response | None:
    """The answer in a member, if it is all there and the page's own."""
    if len(member) != page.size or not member.startswith(b"\x1f\x8b") or torn(member):
        return None
    answer = parse_member(member, _LARGEST)
    return answer if answer is not None and not answer.error and answer.url == page.url else None
