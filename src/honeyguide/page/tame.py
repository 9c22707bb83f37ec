"""Pages made to cost a parser time or memory by the square of their size, cut off where they begin to."""

from __future__ import annotations

import re

__all__ = ["tame"]

_FORMAT_NAMES = rb"(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])"
_FORMATTING = re.compile(rb"<" + _FORMAT_NAMES, re.IGNORECASE)
_FORMATS = re.compile(rb"<(/?)" + _FORMAT_NAMES, re.IGNORECASE)
_TAGS = re.compile(
    rb"<(/?)(?:div|ul|ol|dl|table|section|article|header|footer|nav|aside|main|blockquote|form|center|span|figure)(?=[\s/>])",
    re.IGNORECASE,
)
_MOST_OPEN, _MOST_DEEP, _WIDE_TAG = 300, 3_000, 30_000
_WIDE = re.compile(rb"<[A-Za-z][^<>]{30000,}")


def tame(body: bytes) -> bytes:
    """The page up to where it would cost a parser time or memory by the square of its size.

    Tags that stay open are looked through (blocks) or opened again (formatting) at every block that follows, and a
    tag's attributes are compared with one another; no honest page comes near these limits.
    """
    if _stretched(body) and (wide := _WIDE.search(body)) and wide.group().count(b"=") > 2_000:
        body = body[: wide.start()]
    tags = body.count(b"<")
    if tags < 1_500:
        return body
    if len(_FORMATTING.findall(body)) > _MOST_OPEN and (place := _too_open(body, _FORMATS, _MOST_OPEN)):
        body = body[:place]
    if tags > 10_000 and (place := _too_open(body, _TAGS, _MOST_DEEP)):
        body = body[:place]
    return body


def _stretched(body: bytes) -> bool:
    """Whether no tag ends for so long that one may be endlessly wide: a look that costs next to nothing."""
    half = _WIDE_TAG // 2
    return any(body.find(b">", start, start + half) < 0 for start in range(0, len(body) - half, half))


def _too_open(body: bytes, tags: re.Pattern[bytes], most: int) -> int:
    depth = 0
    for tag in tags.finditer(body):
        depth += -1 if tag.group(1) else 1
        if depth > most:
            return tag.start()
        depth = max(depth, 0)
    return 0
