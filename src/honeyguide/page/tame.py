"""Pages made to cost a parser time or memory beyond all measure, cut off where they begin to."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from honeyguide.native import has_native

if has_native:
    from honeyguide import _native

__all__ = ["first_tags", "tame"]

_FORMATS = re.compile(rb"<(/?)(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE)
_TAGS = re.compile(
    rb"<(/?)(?:div|ul|ol|dl|table|section|article|header|footer|nav|aside|main|blockquote|form|center|span|figure)(?=[\s/>])",
    re.IGNORECASE,
)
_FIRST, _SECOND = np.zeros((2, 256), np.bool_)  # what a formatting tag may begin with, and what may come next
_FIRST[list(b"bcefinstuBCEFINSTU")] = True
_SECOND[list(b" \t\n\v\f\r/>iomtIOMT")] = True
_FEW_TAGS = 1_500  # with which no harm can be done
_MOST_TAGS = 300_000  # a parser takes some microseconds and half a kilobyte for each
_MOST_OPEN, _MOST_DEEP, _WIDE_TAG = 300, 3_000, 30_000
_HALF = _WIDE_TAG // 2


def tame(body: bytes) -> tuple[bytes, str]:
    """The page up to where it would cost a parser too much time or memory, and what is left out.

    Tags that stay open are looked through (blocks) or opened again (formatting) at every block that follows, and a
    tag's attributes are compared with one another; no honest page comes near these limits.
    """
    left_out = ""
    tags, fonts, stretched = _native.count_tags(body, _HALF) if has_native else _count_tags(body)
    if tags < _FEW_TAGS and not stretched:
        return body, left_out
    if stretched and (place := _too_wide(body, _places(body))) >= 0:
        body, left_out = body[:place], f"all past byte {place}, where a tag is too wide"
    if tags < _FEW_TAGS:
        return body, left_out
    if tags > _MOST_TAGS:
        body = first_tags(body, _MOST_TAGS)
        left_out = f"all past byte {len(body)}, where it has had {_MOST_TAGS} tags"
    if fonts > _MOST_OPEN and (place := _too_open(body, _FORMATS, _MOST_OPEN)):
        body, left_out = body[:place], f"all past byte {place}, where more than {_MOST_OPEN} tags of a font are open"
    if tags > 10_000 and (place := _too_open(body, _TAGS, _MOST_DEEP)):
        body, left_out = body[:place], f"all past byte {place}, where tags are nested more than {_MOST_DEEP} deep"
    return body, left_out


def _places(body: bytes) -> NDArray[np.intp]:
    return np.flatnonzero(np.frombuffer(body, np.uint8)[:-2] == ord("<"))


def _count_tags(body: bytes) -> tuple[int, int, bool]:
    """How many tags a page has, how many of them may be of a font, and whether none ends for so long that one may be
    endlessly wide.

    With numpy, in a fraction of the time of a regular expression, or of `bytes.count`: this is done for every page.
    """
    signs, places = np.frombuffer(body, np.uint8), _places(body)
    fonts = np.count_nonzero(_FIRST[signs[places + 1]] & _SECOND[signs[places + 2]])
    stretched = any(body.find(b">", start, start + _HALF) < 0 for start in range(0, len(body) - _HALF, _HALF))
    return len(places), int(fonts), stretched


def _too_wide(body: bytes, places: NDArray[np.intp]) -> int:
    """Where a tag begins that is wide beyond all measure and full of attributes; -1 if none does."""
    ends = np.append(places[1:], len(body))
    for at in np.flatnonzero(ends - places > _WIDE_TAG).tolist():
        start, end = int(places[at]), int(ends[at])
        closed = body.find(b">", start, end)
        end = closed if closed >= 0 else end
        if end - start > _WIDE_TAG and body[start + 1 : start + 2].isalpha() and body.count(b"=", start, end) > 2_000:
            return start
    return -1


def first_tags(body: bytes, most: int) -> bytes:
    """The page up to so many tags; whole if it has fewer."""
    place = -1
    for _ in range(most):
        place = body.find(b"<", place + 1)
        if place < 0:
            return body
    return body[:place]


def _too_open(body: bytes, tags: re.Pattern[bytes], most: int) -> int:
    # First all at once: how far each count of open tags stands above the least before it.
    steps = np.fromiter((-1 if closing else 1 for closing in tags.findall(body)), np.int32)
    depths = np.cumsum(steps)
    if not depths.size or (depths - np.minimum(np.minimum.accumulate(depths), 0)).max() <= most:
        return 0
    depth = 0
    for tag in tags.finditer(body):
        depth += -1 if tag.group(1) else 1
        if depth > most:
            return tag.start()
        depth = max(depth, 0)
    return 0
