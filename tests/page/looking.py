"""What the tests of the parser share."""

from __future__ import annotations

from collections.abc import Callable

from honeyguide.page.digest import Digest
from honeyguide.page.parse import Parser

URL = "http://a.test/dir/page"
SENTENCE = "Bees gather nectar from the flowers of the valley and make honey of it, all summer long. "


def look(page: str | bytes, **said: str) -> Digest:
    return Parser().html(page.encode() if isinstance(page, str) else page, URL, **said)  # type: ignore[arg-type]


def urls(page: str | bytes, **said: str) -> list[str]:
    return [link.url.removeprefix("http://a.test") for link in look(page, **said).links]


def looking(body: bytes) -> Callable[[], Digest]:
    """The look as a job, for those who take its time."""
    return lambda: Parser().html(body, URL)
