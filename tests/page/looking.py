"""What the tests of the parser share."""

from __future__ import annotations

import time

from honeyguide.page.digest import Digest
from honeyguide.page.parse import Parser

URL = "http://a.test/dir/page"
SENTENCE = "Bees gather nectar from the flowers of the valley and make honey of it, all summer long. "


def look(page: str | bytes, **said: str) -> Digest:
    return Parser().html(page.encode() if isinstance(page, str) else page, URL, **said)  # type: ignore[arg-type]


def urls(page: str | bytes, **said: str) -> list[str]:
    return [link.url.removeprefix("http://a.test") for link in look(page, **said).links]


def timed(body: bytes) -> tuple[float, Digest]:
    start = time.process_time()
    page = Parser().html(body, URL)
    return time.process_time() - start, page
