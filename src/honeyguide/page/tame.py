"""Pages made to cost a parser time or memory beyond all measure, cut off where they begin to."""

from __future__ import annotations

import re

__all__ = ["first_tags", "tame"]

_FORMAT_NAMES = rb"(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])"
_FORMATTING = re.compile(rb"<" + _FORMAT_NAMES, re.IGNORECASE)
_FORMATS = re.compile(rb"<(/?)" + _FORMAT_NAMES, re.IGNORECASE)
_TAGS = re.compile(
    rb"<(/?)(?:div|ul|ol|dl|table|section|article|header|footer|nav|aside|main|blockquote|form|center|span|figure)(?=[\s/>])",
    re.IGNORECASE,
)
_MOST_TAGS = 300_000  # a parser takes some microseconds and half a kilobyte for each
_MOST_OPEN, _MOST_DEEP, _WIDE_TAG = 300, 3_000, 30_000
_WIDE = re.compile(rb"<[A-Za-z][^<>]{30000,}")


def tame(body: bytes) -> tuple[bytes, str]:
    """The page up to where it would cost a parser too much time or memory, and what is left out.

    Tags that stay open are looked through (blocks) or opened again (formatting) at every block that follows, and a
    tag's attributes are compared with one another; no honest page comes near these limits.
    """
    left_out = ""
    if _stretched(body) and (wide := _WIDE.search(body)) and wide.group().count(b"=") > 2_000:
        body, left_out = body[: wide.start()], f"all past byte {wide.start()}, where a tag is too wide"
    tags = body.count(b"<")
    if tags < 1_500:
        return body, left_out
    if tags > _MOST_TAGS:
        body = first_tags(body, _MOST_TAGS)
        left_out = f"all past byte {len(body)}, where it has had {_MOST_TAGS} tags"
    if len(_FORMATTING.findall(body)) > _MOST_OPEN and (place := _too_open(body, _FORMATS, _MOST_OPEN)):
        body, left_out = body[:place], f"all past byte {place}, where more than {_MOST_OPEN} tags of a font are open"
    if tags > 10_000 and (place := _too_open(body, _TAGS, _MOST_DEEP)):
        body, left_out = body[:place], f"all past byte {place}, where tags are nested more than {_MOST_DEEP} deep"
    return body, left_out


def _stretched(body: bytes) -> bool:
    """Whether no tag ends for so long that one may be endlessly wide: a look that costs next to nothing."""
    half = _WIDE_TAG // 2
    return any(body.find(b">", start, start + half) < 0 for start in range(0, len(body) - half, half))


def first_tags(body: bytes, most: int) -> bytes:
    """The page up to so many tags; whole if it has fewer."""
    place = -1
    for _ in range(most):
        place = body.find(b"<", place + 1)
        if place < 0:
            return body
    return body[:place]


def _too_open(body: bytes, tags: re.Pattern[bytes], most: int) -> int:
    depth = 0
    for tag in tags.finditer(body):
        depth += -1 if tag.group(1) else 1
        if depth > most:
            return tag.start()
        depth = max(depth, 0)
    return 0
