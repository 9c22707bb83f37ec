"""A page by its blocks, with their text: for the record of a scholarly page, and for people who want to see them."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from honeyguide.page import blocks as cutting
from honeyguide.page.charset import to_utf8
from honeyguide.page.cuts import cut
from honeyguide.page.digest import Part
from honeyguide.page.segments import segment
from honeyguide.page.snapshot import Boxes
from honeyguide.page.tame import tame
from honeyguide.text.terms import tokenizer

__all__ = ["Piece", "Structure", "structure"]


class Piece(NamedTuple):
    """A stretch of text, its block, its tag, and the text again in runs, each with whether it is a link.

    And, of a page that a browser laid out, its place (left, top, right, bottom; None if it is not to be seen) and the
    size of its letters, in pixels.
    """

    text: str
    part: int
    tag: str
    runs: tuple[tuple[str, bool], ...]
    area: tuple[int, int, int, int] | None = None
    font: float = 0.0

    @property
    def links(self) -> int:
        """How many links it holds."""
        return sum(linked for _, linked in self.runs)


class Structure(NamedTuple):
    """The blocks of a page, outer ones first, and its texts in their order; its size in pixels if it was laid out."""

    parts: list[Part]
    pieces: list[Piece]
    size: tuple[int, int] | None = None

    def areas(self) -> list[tuple[int, int, int, int] | None]:
        """Of each block its place on a page that was laid out (left, top, right, bottom), with all it holds."""
        found: list[tuple[int, int, int, int] | None] = [None] * len(self.parts)
        for piece in self.pieces:
            part, area = piece.part, piece.area
            while part >= 0 and area is not None:
                old = found[part] or area
                found[part] = (min(old[0], area[0]), min(old[1], area[1]), max(old[2], area[2]), max(old[3], area[3]))
                part = self.parts[part].parent
        return found

    def texts(self, role: str) -> list[str]:
        """What stands in blocks of a role, stretch by stretch."""
        return [piece.text for piece in self.pieces if piece.part >= 0 and self.parts[piece.part].role == role]


def structure(body: bytes, *, charset: str | None = None, boxes: Boxes | None = None) -> Structure:
    """Cut a page into blocks and keep their text; a page no parser can read has none.

    With `boxes` (`honeyguide.page.boxes`) it is cut by how a browser lays it out as well.

    >>> page = structure(b"<title>Bees</title><h1>Bees</h1><div class=abstract><p>Bees dance.</div>")
    >>> page.texts("abstract")
    ['Bees dance.']
    """
    utf8, _ = tame(to_utf8(body, charset))
    for attempt in (utf8, cutting.clean(utf8)):
        with suppress(cutting.ForeignMarks, SelectolaxError):
            return _cut(LexborHTMLParser(attempt), boxes)
    return Structure([], [])


def _cut(tree: LexborHTMLParser, boxes: Boxes | None) -> Structure:
    heading = tree.css_first("title")
    title = " ".join(heading.text().split()) if heading is not None else ""
    marked = cutting.mark(tree)
    hrefs = [link.attributes.get("href") or "" for link in marked.links]
    found, main, elements = cut(marked, tokenizer("en"))
    parts, places, *_ = segment(found, main, elements, title, hrefs, boxes)
    pieces = [
        Piece(cutting.plain(one.raw), place, elements.tags[one.element], tuple(cutting.runs(one.raw)))
        for one, place in zip(found, places, strict=True)
    ]
    if boxes is None:
        return Structure(parts, pieces)
    looks = [boxes.boxes[one.element] for one in found]
    placed = [piece._replace(area=box.own, font=box.font) for piece, box in zip(pieces, looks, strict=True)]
    return Structure(parts, placed, (boxes.width, boxes.height))
