"""What pages and answers say to robots."""

from __future__ import annotations

import re

from honeyguide.web.base import Response

__all__ = ["directives", "robots_tags"]

_VALUED = re.compile(r"max-|unavailable_after")  # words to robots that come with a value
_BETWEEN = re.compile(r"[\s;]+")
_CRAWLER = re.compile(r"\*|[a-z][a-z0-9_-]*")


def directives(*said: str) -> set[str]:
    """The words to robots that hold for us, of a page's head and of each header that carries some.

    A crawler's name before a colon makes the rest of its header that crawler's alone.

    >>> sorted(directives("noindex", "otherbot: noarchive, nofollow", "honeyguide: nosnippet", "max-snippet: 9"))
    ['noindex', 'nosnippet']
    """
    found = set()
    for header in said:
        ours = True
        for part in header.lower().split(","):
            name, colon, value = part.strip().partition(":")
            name = name.strip()
            if colon and _VALUED.match(name):
                continue
            if colon and _CRAWLER.fullmatch(name):
                ours = name in ("honeyguide", "*")
                part = value
            if ours:
                found.update(_BETWEEN.split(part))
    return found - {""}


def robots_tags(response: Response) -> list[str]:
    """What an answer's X-Robots-Tag headers say, each by itself."""
    return [value for name, value in response.headers if name.lower() == "x-robots-tag"]
