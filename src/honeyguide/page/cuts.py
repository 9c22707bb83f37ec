"""A marked page cut into blocks, and the words of a block with the links among them.

To read all words of a page takes longer than to cut it, and of most blocks nobody asks for them. So a cut holds its
text with the marks of its links; `read` finds the words, and where among them each anchor stands, when somebody does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from selectolax.lexbor import LexborNode

from honeyguide.page.blocks import CLOSE, LINK, LINK_END, OPEN, Marked
from honeyguide.page.main_text import mark_main
from honeyguide.text.terms import Terms

__all__ = ["UNREAD", "Cut", "Elements", "Read", "cut", "read", "read_all"]

UNREAD = -1  # the end of a link whose block has not been read; its start is its number in the block

_AFTER_MARKS = "\x05"
_PAIR = LINK + LINK_END
_OPENED = CLOSE + OPEN
_GROUPS = frozenset(("ul", "ol", "dl", "table", "nav"))
_NAMES = ("class", "id", "itemprop", "role")  # attributes in which authors of pages name their parts
_LONGEST_NAME = 200
_READ = 400_000  # characters of a page with its marks that are read for their terms; past them links have no words
_LINK_MARKS = re.compile(f"[{LINK}{LINK_END}]")
_WORDS = re.compile(f"[^{LINK}{LINK_END}{OPEN}{CLOSE}]+")
_NO_LINKS: list[tuple[int, str, int, int]] = []
_DEEPEST = 64  # deeper nesting is no structure anyone meant

Read = tuple[list[str], list[int], list[int]]  # terms, and of each link where its anchor begins among them, and ends


class Cut(msgspec.Struct, gc=False):  # hundreds a page: a named tuple takes three times as long to make
    """A block: where it stands, its raw text, its links, its element, and its text as it is read.

    Of each link: its number on the page, its anchor, its place among the links in the text that is read, and UNREAD.
    That text is the raw one, but where a link has begun before it. Elements are counted from 1 in the order they open;
    0 is the page.
    """

    path: str
    group: int
    raw: str
    links: list[tuple[int, str, int, int]]
    element: int = 0
    text: str = ""


class Elements(NamedTuple):
    """The block elements of a page, the page itself first; each stands after the one it is in.

    Of each, its tag, the node it was, and what it is in.
    """

    tags: list[str]
    nodes: Sequence[LexborNode]
    parents: list[int]

    def last(self, place: int) -> int:
        """The last of those within an element; itself if there are none."""
        following = place + 1
        while following < len(self.parents) and self.parents[following] >= place:
            following += 1
        return following - 1

    def name(self, place: int) -> str:
        """What its tag says of an element for people who style it: class, id and the like."""
        said = self.nodes[place - 1].attributes if place else None
        if not said:
            return ""
        if len(said) == 1:  # most have one, a class
            (name,) = said
            return (said[name] or "")[:_LONGEST_NAME] if name in _NAMES else ""
        return " ".join([said[name] or "" for name in _NAMES if name in said])[:_LONGEST_NAME]


def cut(marked: Marked, tokenize: Terms) -> tuple[list[Cut], list[bool], Elements]:
    """The blocks of a marked page that hold words or links, which of them are main text, and all its elements."""
    found: list[Cut] = []
    tags, groups, parents = ["body", *marked.tags], [0], [0]
    paths = {0: "body"}  # of elements that hold text themselves, and of those they are in
    opened = at = seen = 0
    open_link = -1  # a link around whole blocks: its anchor is in the first that has words
    is_long, left = len(marked.text) > _READ, _READ + 1  # characters that may still be read
    # One split for both marks: a piece begins where a block opens, and then with that mark, or where one ends. The
    # first, which does neither, is taken for the end of a block within the page.
    for raw in marked.text.replace(OPEN, _OPENED).split(CLOSE):
        if raw[:1] == OPEN:
            raw = raw[1:]
            opened += 1
            groups.append(opened if tags[opened] in _GROUPS else groups[at])
            parents.append(at)
            at = opened
        else:
            at = parents[at]
        if is_long:
            left -= len(raw) + 1
        if not raw or raw.isspace():
            continue
        text = raw if left >= 0 else _shortened(raw, left)
        links = _NO_LINKS
        if open_link >= 0 or LINK in raw or LINK_END in raw:
            first, seen = seen, seen + raw.count(LINK)
            pairs = _pairs(raw, first) if open_link < 0 else None
            if pairs is None:
                links, open_link, text, has_words = _entangled(raw, text, first, open_link, tokenize)
                if not has_words:
                    continue
            else:
                links = pairs
        found.append(Cut(paths.get(at) or _path(at, tags, parents, paths), groups[at], raw, links, at, text))
    parents[0] = -1
    return found, mark_main(found), Elements(tags, marked.blocks, parents)


def _path(element: int, tags: list[str], parents: list[int], paths: dict[int, str]) -> str:
    """The tags that an element stands in, with its own; those of what is around it are found as well."""
    missing = []
    while element not in paths:
        missing.append(element)
        element = parents[element]
    path = paths[element]
    depth = path.count("/") + 1
    for one in reversed(missing):
        if depth < _DEEPEST:
            path = f"{path}/{tags[one]}"
            depth += 1
        paths[one] = path
    return path


def _shortened(raw: str, left: int) -> str:
    """What is read of a text that goes so far beyond what is read of a page: of the rest, the marks alone."""
    return raw[:left] + _WORDS.sub(" ", raw[left:]) if -left < len(raw) else _WORDS.sub(" ", raw)


def _pairs(raw: str, seen: int) -> list[tuple[int, str, int, int]] | None:
    """The links of a text in which, as nearly always, each ends before the next begins; None of any other."""
    _, *parts = raw.split(LINK)
    if raw.count(LINK_END) != len(parts):
        return None
    links: list[tuple[int, str, int, int]] = []
    for place, part in enumerate(parts):
        anchor, end, _ = part.partition(LINK_END)
        if not end:
            return None
        links.append((seen + place, anchor.strip(), place, UNREAD))
    return links


def _entangled(
    raw: str, text: str, seen: int, open_link: int, tokenize: Terms
) -> tuple[list[tuple[int, str, int, int]], int, str, bool]:
    """The links of a text that begin before it, go beyond it or hold others; which of them is left open; and the text
    as it is read, with whether it has words.

    A link that goes beyond it has its anchor here if it has words here.
    """
    links: list[tuple[int, str, int, int]] = []
    carried = open_link >= 0
    anchors = [part.partition(LINK_END)[0].strip() for part in raw.split(LINK)]
    nth = 0
    for mark in _LINK_MARKS.findall(raw):
        if open_link >= 0:  # ended, or, in broken markup, with another within it
            links.append((open_link, anchors[nth], nth - 1 + carried, UNREAD))
            open_link = -1
        if mark == LINK:
            open_link = seen + nth
            nth += 1
    if open_link >= 0 and tokenize(text.rpartition(LINK)[2]):
        links.append((open_link, anchors[nth], nth - 1 + carried, UNREAD))
        open_link = -1
    if carried:
        text = f" {LINK} {text}"
    return links, open_link, text, bool(links) or _LINK_MARKS.search(raw) is None or bool(tokenize(text))


def read(text: str, tokenize: Terms) -> Read:
    """The terms of a text with links, and where among them the anchor of each begins, and where it ends."""
    # The marks stand between spaces, so they come through the tokenizer as words of their own: one call for the whole.
    return _located(tokenize.marked(text), text) if tokenize.native is None else read_all([text], tokenize)[0]


def read_all(texts: Sequence[str], tokenize: Terms) -> list[Read]:
    """The same of many texts, read in one go: one by one took twice as long."""
    if tokenize.native is not None:
        return [
            (terms, begins, ends) if begins is not None and ends is not None else _untangled(terms, text.count(LINK))
            for text, (terms, begins, ends) in zip(texts, tokenize.native.located(texts), strict=True)
        ]
    marked = tokenize.marked(f" {OPEN} ".join(texts))
    found: list[Read] = []
    start = 0
    for text in texts[:-1]:
        end = marked.index(OPEN, start)
        found.append(_located(marked[start:end], text))
        start = end + 1
    if texts:
        found.append(_located(marked[start:], texts[-1]))
    return found


def _located(marked: list[str], text: str) -> Read:
    if LINK not in text and LINK_END not in text:
        return marked, [], []
    marks = [place for place, term in enumerate(marked) if term < _AFTER_MARKS]
    if "".join([marked[place] for place in marks]) == _PAIR * (len(marks) // 2):
        # As on nearly all pages every link ends before the next begins: then so many marks stand before each.
        places = [place - before for before, place in enumerate(marks)]
        return [term for term in marked if term >= _AFTER_MARKS], places[::2], places[1::2]
    return _untangled(marked, text.count(LINK))


def _untangled(marked: list[str], count: int) -> Read:
    """As `_located`, where a link holds another or does not end: it ends where another begins, or with the text."""
    terms: list[str] = []
    begins, ends = [0] * count, [0] * count
    number, is_open = -1, False
    for term in marked:
        if term >= _AFTER_MARKS:
            terms.append(term)
            continue
        if is_open:
            ends[number] = len(terms)
        if is_open := term == LINK:
            number += 1
            begins[number] = len(terms)
            ends[number] = len(terms)
    if is_open and begins[number] < len(terms):
        ends[number] = len(terms)
    elif is_open:  # it says nothing here
        begins[number] = ends[number] = 0
    return terms, begins, ends
