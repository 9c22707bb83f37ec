"""One pass over a page's tree: its text, with marks for every block and link.

Walking a tree node by node from Python is slow. So the tree is marked instead: a control character is put before
and after each link and each block element, and the parser's own code writes the whole text out once. The marks
then say where blocks and links begin and end, and `cuts` cuts the text by them. A page that holds such characters
itself loses them first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from honeyguide.native import has_native
from honeyguide.wording import counted

if has_native:
    from honeyguide import _native

__all__ = [
    "ForeignMarks",
    "Marked",
    "bare",
    "block_nodes",
    "clean",
    "mark",
    "past_most",
    "plain",
    "prose",
    "runs",
    "runs_on",
    "skim",
    "unmarked",
]

LINK, LINK_END, OPEN, CLOSE = "\x01", "\x02", "\x03", "\x04"
_SPACED_LINK, _SPACED_END = f" {LINK} ", f" {LINK_END} "
_FOREIGN = re.compile(rb"[\x01-\x04]|&#(?:0*[1-4](?![0-9])|[xX]0*[1-4](?![0-9A-Fa-f]));?")

_SILENT = ["script", "style", "noscript", "template", "svg", "iframe", "object", "select", "textarea"]
_LINKS = "a[href],area[href]"
_BLOCKS = frozenset(
    "p li td th h1 h2 h3 h4 h5 h6 dt dd div ul ol dl table section article header footer nav aside main blockquote pre "
    "figcaption form center address caption button".split()
)
_RUN, _SKIMMED, _NEARBY = 150, 4_000, 40  # characters, for pages that are skimmed
_BESIDE = 30  # characters of text beside a link that is part of a sentence
MOST_BLOCKS = 20_000
MOST_LINKS = 5_000


class ForeignMarks(Exception):  # noqa: N818 - a signal between two functions, never an error
    """The page holds characters that were taken for our marks: `clean` it and parse again."""


class Marked(NamedTuple):
    """A page's text with marks, the tag of each marked block, its links, what was left out, and the marked blocks."""

    text: str
    tags: list[str]
    links: list[LexborNode]
    left_out: str
    blocks: list[LexborNode] = []  # noqa: RUF012 - never changed


def plain(raw: str) -> str:
    """Raw block text as a reader sees it: the marks, and the spaces they brought, are gone."""
    if LINK in raw or LINK_END in raw:
        raw = raw.replace(_SPACED_LINK, "").replace(_SPACED_END, "")
    return " ".join(raw.split())


def runs(raw: str) -> Iterator[tuple[str, bool]]:
    """The text of a block in runs, each with whether it is a link."""
    for nth, part in enumerate(raw.split(LINK)):
        anchor, mark, rest = part.partition(LINK_END)
        if not nth and not mark:
            anchor, rest = "", part
        for text, linked in ((anchor, True), (rest, False)):
            if text and not text.isspace():
                yield " ".join(text.split()), linked


def unmarked(text: str) -> str:
    """A marked text as one line: blocks are words apart."""
    return plain(text.replace(OPEN, " ").replace(CLOSE, " ") if OPEN in text else text)


def clean(body: bytes) -> bytes:
    """The page without characters that would be taken for our marks."""
    return _FOREIGN.sub(b" ", body)


def past_most(links: int) -> str:
    """What is left out of a page with so many links."""
    return f"{counted(links - MOST_LINKS, 'link')} past the first {MOST_LINKS}" if links > MOST_LINKS else ""


def mark(tree: LexborHTMLParser) -> Marked:
    """Mark a page's blocks and links and write its text out.

    The tree is changed by this: take what else you need from it first.
    """
    root = tree.body or tree.root
    if root is None:
        return Marked("", [], [], "")
    tree.strip_tags(_SILENT)  # all of them: to find out by a selector which there are takes twice as long
    links = root.css(_LINKS)
    images, blocks, tags, breaks = _collect(root)
    left_out = [past_most(len(links))] if len(links) > MOST_LINKS else []
    links = links[:MOST_LINKS]
    if len(blocks) > MOST_BLOCKS:
        left_out.append(f"structure past {MOST_BLOCKS} blocks")
        blocks = blocks[:MOST_BLOCKS]
    for image in images:
        image.insert_after(f" {image.attributes['alt'] or ''} ")
    for link in links:
        link.insert_before(_SPACED_LINK)
        link.insert_after(_SPACED_END)
    for line_break in breaks:
        line_break.insert_after("\n")
    for block in blocks:
        block.insert_before(OPEN)
        block.insert_after(CLOSE)
    text = root.text()
    # Counting afterwards is far cheaper than searching every page for characters that hardly any page has.
    if not text.count(LINK) == text.count(LINK_END) == len(links):
        raise ForeignMarks
    if not text.count(OPEN) == text.count(CLOSE) == len(blocks):
        raise ForeignMarks
    return Marked(text, tags[:MOST_BLOCKS], links, ", ".join(left_out), blocks)


def _collect(root: LexborNode) -> tuple[list[LexborNode], list[LexborNode], list[str], list[LexborNode]]:
    """Images that name links, blocks with their tags, line breaks: in one walk, for each selector costs one."""
    images: list[LexborNode] = []
    blocks: list[LexborNode] = []
    tags: list[str] = []
    breaks: list[LexborNode] = []
    known: dict[int, str] = {}  # of this page: its numbers are found in half the time its names take
    for node in root.traverse():
        tag = known.get(node.tag_id)
        if tag is None:
            tag = known[node.tag_id] = node.tag or ""
        if tag in _BLOCKS:
            blocks.append(node)
            tags.append(tag)
        elif tag == "br":
            breaks.append(node)
        elif tag == "img" and _within_link(node) and node.attributes.get("alt"):
            images.append(node)
    return images, blocks, tags, breaks


def block_nodes(root: LexborNode) -> list[LexborNode]:
    """The block elements of a tree from which all that is silent was taken, in the order in which `cut` counts them."""
    return [node for node in root.traverse() if (node.tag or "") in _BLOCKS][:MOST_BLOCKS]


def _within_link(node: LexborNode) -> bool:
    parent = node.parent
    for _ in range(3):
        if parent is None or parent.tag == "a":
            break
        parent = parent.parent
    return parent is not None and parent.tag == "a"


def runs_on(text: str, least: int) -> bool:
    """Whether so much stands between the links of a marked text for longer than a menu would have it.

    >>> runs_on("Bees " * 40, 200), runs_on(f"Bees {LINK} are {LINK_END}" * 40, 200)
    (True, False)
    """
    size = begin = 0
    while begin >= 0 and size < least:
        end = text.find(LINK, begin)
        last = text.rfind(LINK_END, begin, end if end >= 0 else len(text))
        run = (end if end >= 0 else len(text)) - (begin if last < 0 else last + 1)
        if run >= _RUN:
            size += min(run, _SKIMMED) + bool(size)
        begin = end + 1 if end >= 0 else -1
    return size >= least


def prose(text: str) -> str:
    """What a marked text says, up to what is enough: all but its menus, whose links have hardly a word between them.

    What is no running text, links and what is short between them, has a link's marks (`bare` takes them away).

    Unlike running text it keeps the links within sentences, and with them the first sentence of an encyclopedia's page,
    where every other word is one. Of a menu it keeps the link that stands beside the text.
    """
    return _native.prose(text) if has_native else _prose(text)


def _prose(text: str) -> str:
    found: list[str] = []
    size = before = 0
    if OPEN in text:
        text = text.replace(OPEN, " ").replace(CLOSE, " ")
    for part in text.split(LINK):
        anchor, _, run = part.rpartition(LINK_END)
        last, run = before, run.strip()
        before = len(run)
        if anchor and (last >= _BESIDE or before >= _BESIDE):
            found.append(f"{LINK} {anchor} {LINK_END}")
            size += len(anchor)
        if before >= _BESIDE:
            found.append(run[:_SKIMMED] if before >= _RUN else f"{LINK} {run} {LINK_END}")
            size += before
            if size >= _SKIMMED:
                break
    return " ".join(" ".join(found).split())[:_SKIMMED]


def bare(text: str) -> str:
    """A text without the marks of links."""
    return text.replace(LINK, "").replace(LINK_END, "")


def skim(text: str) -> tuple[str, list[str]]:
    """Of a page marked without structure the text near its links, marks and all, and their anchors.

    Its words are left unread: of most pages nobody will ask for them.
    """
    return _native.skim(text) if has_native else _skim(text)


def _skim(text: str) -> tuple[str, list[str]]:
    first, *parts = text.split(LINK)
    anchors: list[str] = []
    for place, part in enumerate(parts):
        anchor, mark, rest = part.partition(LINK_END)
        anchors.append(anchor)
        if len(rest) > 2 * _NEARBY:  # long stretches between links are cut short, at spaces
            head, tail = rest[:_NEARBY].rpartition(" ")[0], rest[-_NEARBY:].partition(" ")[2]
            parts[place] = f"{anchor}{mark}{head} {tail if place + 1 < len(parts) else ''}"
    if len(first) > 2 * _NEARBY:
        first = f" {first[-_NEARBY:].partition(' ')[2] if parts else ''}"
    return LINK.join((first, *parts)), anchors
