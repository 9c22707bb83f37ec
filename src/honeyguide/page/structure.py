"""A page by its blocks, with their text: for the record of a scholarly page, and for people who want to see them."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from honeyguide.page import blocks as cutting
from honeyguide.page.charset import to_utf8
from honeyguide.page.digest import Part
from honeyguide.page.segments import segment
from honeyguide.page.tame import tame
from honeyguide.text.terms import tokenizer

__all__ = ["Piece", "Structure", "structure"]


class Piece(NamedTuple):
    """A stretch of text, its block, its tag, and the text again in runs, each with whether it is a link."""

    text: str
    part: int
    tag: str
    runs: tuple[tuple[str, bool], ...]

    @property
    def links(self) -> int:
        """How many links it holds."""
        return sum(linked for _, linked in self.runs)


class Structure(NamedTuple):
    """The blocks of a page, outer ones first, and its texts in their order."""

    parts: list[Part]
    pieces: list[Piece]

    def texts(self, role: str) -> list[str]:
        """What stands in blocks of a role, stretch by stretch."""
        return [piece.text for piece in self.pieces if piece.part >= 0 and self.parts[piece.part].role == role]


def structure(body: bytes, *, charset: str | None = None) -> Structure:
    """Cut a page into blocks and keep their text; a page no parser can read has none.

    >>> page = structure(b"<title>Bees</title><h1>Bees</h1><div class=abstract><p>Bees dance.</div>")
    >>> page.texts("abstract")
    ['Bees dance.']
    """
    utf8, _ = tame(to_utf8(body, charset))
    for attempt in (utf8, cutting.clean(utf8)):
        with suppress(cutting.ForeignMarks, SelectolaxError):
            return _cut(LexborHTMLParser(attempt))
    return Structure([], [])


def _cut(tree: LexborHTMLParser) -> Structure:
    heading = tree.css_first("title")
    title = " ".join(heading.text().split()) if heading is not None else ""
    marked = cutting.mark(tree)
    hrefs = [link.attributes.get("href") or "" for link in marked.links]
    found, main, elements = cutting.cut(marked, tokenizer("en"))
    parts, places, _ = segment(found, main, elements, title, hrefs)
    pieces = [
        Piece(cutting.plain(cut.raw), place, elements.tags[cut.element], tuple(cutting.runs(cut.raw)))
        for cut, place in zip(found, places, strict=True)
    ]
    return Structure(parts, pieces)
