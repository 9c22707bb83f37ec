"""One pass over a page's tree: its text, cut into blocks, with every link in its place.

Walking a tree node by node from Python is slow. So the tree is marked instead: a control character is put before
and after each link and each block element, and the parser's own code writes the whole text out once. The marks
then say where blocks and links begin and end. A page that holds such characters itself loses them first.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from honeyguide.page.main_text import mark_main
from honeyguide.text.terms import Terms, spaced

__all__ = ["Cut", "ForeignMarks", "Marked", "clean", "cut", "mark"]

LINK, LINK_END, OPEN, CLOSE = "\x01", "\x02", "\x03", "\x04"
_FOREIGN = re.compile(rb"[\x01-\x04]|&#(?:0*[1-4]|[xX]0*[1-4]);?")

_SILENT = ["script", "style", "noscript", "template", "svg", "iframe", "object", "select", "textarea"]
_BLOCKS = (
    "p,li,td,th,h1,h2,h3,h4,h5,h6,dt,dd,div,ul,ol,dl,table,section,article,header,footer,nav,aside,main,"
    "blockquote,pre,figcaption,form,center,address,caption,button"
)
_GROUPS = frozenset(("ul", "ol", "dl", "table", "nav"))
_ENOUGH = 500  # terms of running text by which a page is judged; past them only words near links are read
_NEAR = 160  # characters on either side of a link that are read on a page of which enough is known
_SHORT = 80
_NO_LINKS: list[tuple[int, str, int, int]] = []
_DEEPEST = 64  # deeper nesting is no structure anyone meant
MOST_BLOCKS = 20_000
MOST_LINKS = 5_000


class ForeignMarks(Exception):  # noqa: N818 - a signal between two functions, never an error
    """The page holds characters that were taken for our marks: `clean` it and parse again."""


class Marked(NamedTuple):
    """A page's text with marks, the tag of each marked block, its links, and what was left out."""

    text: str
    tags: list[str]
    links: list[LexborNode]
    left_out: str


class Cut(NamedTuple):
    """A block: where it stands, its raw text, its terms, and per link (number, anchor, start, end)."""

    path: str
    group: int
    raw: str
    terms: list[str]
    links: list[tuple[int, str, int, int]]


def clean(body: bytes) -> bytes:
    """The page without characters that would be taken for our marks."""
    return _FOREIGN.sub(b" ", body)


def mark(tree: LexborHTMLParser) -> Marked:
    """Mark a page's blocks and links and write its text out.

    The tree is changed by this: take what else you need from it first.
    """
    root = tree.body or tree.root
    if root is None:
        return Marked("", [], [], "")
    tree.strip_tags(_SILENT)
    links = root.css("a[href],area[href]")
    blocks = root.css(_BLOCKS)
    left_out = []
    if len(links) > MOST_LINKS:
        left_out.append(f"{len(links) - MOST_LINKS} links past the first {MOST_LINKS}")
        links = links[:MOST_LINKS]
    if len(blocks) > MOST_BLOCKS:
        left_out.append(f"structure past {MOST_BLOCKS} blocks")
        blocks = blocks[:MOST_BLOCKS]
    for line_break in root.css("br"):
        line_break.insert_after("\n")
    for link in links:
        link.insert_before(LINK)
        link.insert_after(LINK_END)
    for block in blocks:
        block.insert_before(OPEN)
        block.insert_after(CLOSE)
    text = root.text()
    # Counting afterwards is far cheaper than searching every page for characters that hardly any page has.
    if not text.count(LINK) == text.count(LINK_END) == len(links):
        raise ForeignMarks
    if not text.count(OPEN) == text.count(CLOSE) == len(blocks):
        raise ForeignMarks
    return Marked(text, [block.tag or "" for block in blocks], links, ", ".join(left_out))


def cut(marked: Marked, tokenize: Terms) -> tuple[list[Cut], list[bool]]:
    """The blocks of a marked page that hold words or links, and which of them are main text."""
    found: list[Cut] = []
    paths, groups, tags = ["body"], [0], marked.tags
    seen = read = 0
    for opened, part in enumerate(marked.text.split(OPEN)):
        if opened:
            tag = tags[opened - 1]
            paths.append(f"{paths[-1]}/{tag}" if len(paths) < _DEEPEST else paths[-1])
            groups.append(opened if tag in _GROUPS else groups[-1])
        for nth, raw in enumerate(part.split(CLOSE)):
            if nth:
                paths.pop()
                groups.pop()
            if not raw or raw.isspace():
                continue
            links = _NO_LINKS
            if LINK in raw or LINK_END in raw:
                terms, links = _linked(raw if read < _ENOUGH else _near_links(raw), seen, tokenize)
                seen += len(links)
            elif read < _ENOUGH or len(raw) < _SHORT:
                terms = tokenize(raw)
            else:
                terms = []
            if len(raw) >= _SHORT:
                read += len(terms)
            found.append(Cut(paths[-1], groups[-1], raw, terms, links))
    return found, mark_main(found)


def _near_links(raw: str) -> str:
    """A block with its long stretches between links cut short, at spaces."""
    if len(raw) < 4 * _NEAR:
        return raw
    parts = raw.split(LINK)
    for place, part in enumerate(parts):
        anchor, mark, rest = part.partition(LINK_END) if place else ("", "", part)
        if len(rest) > 2 * _NEAR:
            head = rest[:_NEAR].rpartition(" ")[0] if place else ""
            tail = rest[-_NEAR:].partition(" ")[2] if place + 1 < len(parts) else ""
            parts[place] = f"{anchor}{mark}{head} {tail}"
    return LINK.join(parts)


def _linked(raw: str, seen: int, tokenize: Terms) -> tuple[list[str], list[tuple[int, str, int, int]]]:
    """The terms of a piece that holds links, and where among them each link stands."""
    links: list[tuple[int, str, int, int]] = []
    head, *parts = spaced(raw).split(LINK)
    terms = tokenize.fold(head.replace(LINK_END, " ").split())
    for part, raw_part in zip(parts, raw.split(LINK)[1:], strict=True):
        anchor, _, rest = part.partition(LINK_END)
        start = len(terms)
        terms += tokenize.fold(anchor.split())
        links.append((seen + len(links), raw_part.partition(LINK_END)[0], start, len(terms)))
        terms += tokenize.fold(rest.split())
    return terms, links
