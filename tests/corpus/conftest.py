"""A crawl folder made by hand, through the real store and the real WARC."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from honeyguide.page.record import Record
from honeyguide.store import Folder, Store, UrlRow, VisitRow
from honeyguide.web.base import Response
from honeyguide.web.urls import key_of
from honeyguide.web.warc import Warc, response_record

NOON = 1_700_000_000.0


class HandmadeCrawl:
    """A crawl to which a test adds pages one by one."""

    def __init__(self, path: Path, *, warc: bool = True) -> None:
        self.folder = Folder(path)
        self.folder.prepare()
        self.store = Store.create(self.folder.database)
        self.records = self.store.records
        self.warc = Warc(self.folder.warc, 0) if warc else None
        self.urls = 0
        self.store.add_host(0, "bees.example")

    def add(
        self,
        record: Record,
        *,
        on_topic: bool = True,
        body: bytes = b"<p>honey</p>",
        headers: Sequence[tuple[str, str]] = (),
    ) -> int:
        """A fetched page; with a record if it is on topic."""
        self.urls += 1
        fetched = record.fetched = record.fetched or NOON + self.urls
        visit = VisitRow(self.urls, "page", fetched, 200, "page", media="text/html", title=record.title)
        visit.on_topic, visit.relevance = on_topic, record.relevance
        if self.warc is not None:
            said = [("Content-Type", "text/html"), *headers]
            member = response_record(Response(record.url, status=200, headers=said, body=body, fetched=fetched))
            visit.warc, visit.warc_size = self.warc.append(member), len(member)
        self.store.begin()
        self.store.add_urls([UrlRow(self.urls, record.url, key_of(record.url), 0, 1, 0, None, "")])
        number = self.store.add_visit(visit, None)
        if on_topic:
            self.records.put(number, record)
        self.store.commit()
        return number

    def close(self) -> None:
        self.store.close()
        if self.warc is not None:
            self.warc.close()


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[HandmadeCrawl]:
    made = HandmadeCrawl(tmp_path / "crawl")
    yield made
    made.close()


@pytest.fixture
def crawl_without_warc(tmp_path: Path) -> Iterator[HandmadeCrawl]:
    made = HandmadeCrawl(tmp_path / "crawl", warc=False)
    yield made
    made.close()
