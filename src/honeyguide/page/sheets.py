"""Where the style sheets of a page come from that a browser lays out: nowhere, its own folder, or the web."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote, urlsplit

from honeyguide.web.base import Response, Web
from honeyguide.web.robots import BODY_LIMIT, Rules, parse
from honeyguide.web.urls import Base

__all__ = ["NO_SHEETS", "SAVED", "FolderSheets", "NoSheets", "Sheets", "WebSheets"]

SAVED = "http://page.invalid/"  # the address of a page that was read from a file: that of no site
_MOST_HOPS = 5


class Sheets(Protocol):
    """A source of style sheets."""

    async def sheet(self, url: str, most: int) -> tuple[bytes, str]:
        """A style sheet, `most` bytes of it, or why there is none."""


class NoSheets:
    """No style sheets: the page is laid out by what stands in it."""

    async def sheet(self, url: str, most: int) -> tuple[bytes, str]:  # noqa: ARG002 - as the others
        """None."""
        return b"", "none were asked for"


NO_SHEETS = NoSheets()


class FolderSheets:
    """Style sheets saved beside a page, in its folder or below, where its address is taken to be `SAVED`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    async def sheet(self, url: str, most: int) -> tuple[bytes, str]:
        """The file, if it lies in the folder and is named as a style sheet."""
        if not url.startswith(SAVED):
            return b"", "not beside the page"
        try:
            path = (self._folder / unquote(urlsplit(url).path).lstrip("/")).resolve()
            if not path.is_relative_to(self._folder) or path.suffix.lower() != ".css" or not path.is_file():
                return b"", "not beside the page"
            with path.open("rb") as file:
                return file.read(most), ""
        except (OSError, ValueError):  # a link in a circle, a name no system allows
            return b"", "not beside the page"


class WebSheets:
    """Style sheets from the web: past the address guard, by the rules of robots.txt, one after another.

    A site rests between two of them, for so many seconds or for as many as its robots.txt asks.
    """

    def __init__(self, web: Web, agent: str = "honeyguide", delay: float = 1.0) -> None:
        self._web, self._agent, self._delay = web, agent, delay
        self._rules: dict[str, Rules] = {}
        self._answered: dict[str, float] = {}  # by site: when it was asked last

    async def sheet(self, url: str, most: int) -> tuple[bytes, str]:
        """The style sheet, wherever it moved to."""
        for _ in range(_MOST_HOPS):
            if urlsplit(url).scheme not in ("http", "https"):
                return b"", "not on the web"
            rules = await self._asked(url)
            if not rules.allows(url):
                return b"", rules.reason(url)
            response = await self._ask(url, most)
            target = Base(url).join(response.header("location")) if 300 <= response.status < 400 else None
            if target is None:
                return (response.body, "") if response.status == 200 else (b"", _why(response))
            url = target
        return b"", "moved too often"

    async def _asked(self, url: str) -> Rules:
        """What the robots.txt of a URL's site says."""
        site = _site(url)
        if site not in self._rules:
            response = await self._robots(f"{site}/robots.txt", BODY_LIMIT)
            if response.status == 200:
                self._rules[site] = parse(response.body, self._agent)
            elif 300 <= response.status < 500 and response.status != 429:
                self._rules[site] = Rules.everything(agent=self._agent)
            else:
                self._rules[site] = Rules.nothing(_why(response), self._agent)
        return self._rules[site]

    async def _robots(self, url: str, most: int) -> Response:
        """A robots.txt, wherever it moved to."""
        for _ in range(_MOST_HOPS):
            response = await self._ask(url, most)
            target = Base(url).join(response.header("location")) if 300 <= response.status < 400 else None
            if target is None:
                break
            url = target
        return response

    async def _ask(self, url: str, most: int) -> Response:
        """An answer, when its site has rested."""
        site, clock = _site(url), asyncio.get_running_loop().time
        if site in self._answered:
            wish = self._rules[site].delay if site in self._rules else None
            await asyncio.sleep(self._answered[site] + max(self._delay, wish or 0.0) - clock())
        try:
            return await self._web.fetch(url, cut=most)
        finally:
            self._answered[site] = clock()


def _site(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _why(response: Response) -> str:
    return response.error or f"status {response.status}"
