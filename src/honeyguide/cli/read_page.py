"""One page for one person, from a file or from the web."""

from __future__ import annotations

import asyncio
from pathlib import Path

from honeyguide.crawling import Settings
from honeyguide.errors import ExtractError, HoneyguideError
from honeyguide.web import LiveWeb
from honeyguide.web.guard import Guard
from honeyguide.web.urls import Base, normalise

__all__ = ["address", "fetch_page", "read_page"]


def address(url: str) -> str:
    """A URL in its normal form."""
    clean = normalise(url)
    if clean is None:
        raise HoneyguideError(f"'{url}' is not the address of a web page")
    return clean


def read_page(what: str, opened: tuple[str, ...]) -> tuple[bytes, str]:
    """The bytes of a page, and its address."""
    if "://" in what:
        url = address(what)
        return asyncio.run(fetch_page(url, opened))[0], url
    path = Path(what)
    try:
        return path.read_bytes(), path.resolve().as_uri()
    except OSError as error:
        raise ExtractError(f"{what} cannot be read: {error.strerror or error}") from None


async def fetch_page(url: str, opened: tuple[str, ...]) -> tuple[bytes, str]:
    """The bytes of a page, and where it was found in the end.

    Robots.txt is for robots, but the address guard holds, and redirects are followed.
    """
    web = LiveWeb(agent=Settings().agent, guard=Guard(opened))
    try:
        for _ in range(10):
            response = await web.fetch(url)
            target = response.header("location")
            if not (300 <= response.status < 400 and target):
                break
            url = Base(url).join(target) or url
    finally:
        await web.close()
    if response.error or response.status != 200:
        raise ExtractError(f"{url} gives no page: {response.error or f'status {response.status}'}")
    return response.body, url
