"""The demo web as an offline web: a folder that any archive reader, and the race, can use."""

from __future__ import annotations

import io
import json
import uuid
from collections import deque
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

from honeyguide.demo.specials import trap_page
from honeyguide.demo.web import DemoPage, DemoTopic, DemoWeb
from honeyguide.errors import ArchiveError

__all__ = ["write_web"]

RECORDED = "2025-01-01T00:00:00Z"  # fixed, so that two writings are alike
TRAP_PAGES = 30  # an archive cannot be endless; this much of the trap shows what it is


def write_web(folder: Path, web: DemoWeb) -> None:
    """Write `pages.warc.gz` and `topics.jsonl` into a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "pages.warc.gz").open("wb") as file:
            for page in [*web.pages.values(), *_trap(web)]:
                file.write(_member(page))
        lines = (json.dumps(_topic(topic), ensure_ascii=False) + "\n" for topic in web.topics)
        (folder / "topics.jsonl").write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise ArchiveError(f"the demo web cannot be written to {folder}: {error.strerror or error}") from error


def _member(page: DemoPage) -> bytes:
    """A response record in a gzip member of its own, so that a reader can begin at any page."""
    record = WarcRecord()
    name = f"uuid:{uuid.uuid5(uuid.NAMESPACE_URL, page.url)}".encode()
    record.init_headers(record_type=WarcRecordType.response, record_urn=name)
    record.headers["WARC-Target-URI"] = page.url
    record.headers["WARC-Date"] = RECORDED
    record.headers["Content-Type"] = "application/http; msgtype=response"
    head = f"HTTP/1.1 {page.status} {HTTPStatus(page.status).phrase}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in page.headers.items())
    head += f"Content-Length: {len(page.body)}\r\n\r\n"
    record.set_bytes_content(head.encode("latin-1") + page.body)
    packed = io.BytesIO()
    writer = GzipWriter(packed)
    record.write(writer)
    writer.finish()
    return packed.getvalue()


def _trap(web: DemoWeb) -> Iterator[DemoPage]:
    """The first pages of the trap, as a crawler would meet them."""
    queue = deque(["/"])
    seen = {"/"}
    left = TRAP_PAGES
    while left:
        page = trap_page(queue.popleft())
        if page is None:  # a link out of the maze, to a page of the common kind
            continue
        if page.url not in web.pages:
            left -= 1
            yield page
        paths = [link.removeprefix(f"http://{page.host}") for link in page.links]
        queue.extend(path for path in paths if path not in seen)
        seen.update(paths)


def _topic(topic: DemoTopic) -> dict[str, object]:
    return {
        "id": topic.id,
        "name": topic.name,
        "kind": topic.kind,
        "languages": topic.languages,
        "keywords": topic.keywords,
        "examples": topic.examples,
        "starts": topic.starts,
        "far_starts": topic.far_starts,
        "relevant": sorted(topic.relevant),
    }
