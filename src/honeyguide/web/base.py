"""The seam: where pages come from. Everything above it is the same code for the live web and for an archive."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple, Protocol

import msgspec

__all__ = ["Response", "Since", "Web", "nobody", "wanted"]

_WANTED = (
    "text/", "application/xhtml", "application/xml", "application/rss", "application/atom", "application/rdf",
    "application/feed", "application/json", "application/pdf", "application/gzip", "application/x-gzip",
    "application/octet-stream",
)  # fmt: skip
_UNWANTED = ("text/css", "text/javascript", "text/csv", "text/calendar")


class Response(msgspec.Struct, dict=True):
    """What a server answered, or why it did not."""

    url: str
    status: int = 0  # 0: no answer at all
    headers: list[tuple[str, str]] = []
    body: bytes = b""
    error: str = ""  # one sentence; with status 0 why there was no answer, else why the body is missing or cut
    lasting: bool = False  # trying again is of no use
    whole_host: bool = False  # and so it is for every other URL of this host
    fetched: float = 0.0  # seconds since 1970
    seconds: float = 0.0
    ours: bool = False  # this machine lacked the means for it: no fault of the host
    doubtful: bool = False  # no way to the host, which may be its fault or that of our own network

    def header(self, name: str) -> str:
        """A header's value by its lower-case name; empty when absent."""
        return self._first.get(name, "")

    @cached_property
    def _first(self) -> dict[str, str]:
        """Headers by their lower-case names, of several of one name the first; they are asked for again and again."""
        return {name.lower(): value for name, value in reversed(self.headers)}

    @property
    def media(self) -> str:
        """The media type, lower-case, without parameters."""
        return self.header("content-type").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The charset the server claims."""
        for part in self.header("content-type").split(";")[1:]:
            name, _, value = part.partition("=")
            if name.strip().lower() == "charset" and value:
                return value.strip().strip("\"'")
        return None


class Since(NamedTuple):
    """What a server said of its answer's age: by it, it is asked whether there is a newer one (RFC 9110, 13)."""

    etag: str = ""
    modified: str = ""


class Web(Protocol):
    """A source of pages."""

    name: str
    polite: bool  # whether its hosts need a pace: true of servers, not of files
    waiting: int  # requests that hold no connection yet, for their host's name is being looked up
    on_waiting: Callable[[], None]  # told when that number changes

    async def fetch(self, url: str, *, cut: int = 0, since: Since | None = None) -> Response:
        """Ask for one URL; never raises because of what the server does.

        With `since`, a server that has nothing newer may say so (304) in place of sending it again.

        With `cut`, the body is taken whatever its media type, and of a long one the first so many bytes.
        """

    async def is_there(self, url: str) -> bool:
        """Whether a URL's host can be reached at all: its name is looked up and a connection made, nothing is asked."""

    async def close(self) -> None:
        """Let go of connections and files."""


def nobody() -> None:
    """Nobody is listening."""


def wanted(media: str) -> bool:
    """Whether a body of this media type can be of any use.

    >>> wanted("text/html"), wanted("image/png"), wanted("")
    (True, False, True)
    """
    return not media or (media.startswith(_WANTED) and media not in _UNWANTED)
