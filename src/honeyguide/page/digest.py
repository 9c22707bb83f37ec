"""What a hand tells the brain of a page: everything a strategy may ask, and nothing heavy.

A page is cut into *blocks* (a paragraph, a list item, a heading, a table cell). Each block knows its terms in
order, the heading above it and the list or table it belongs to; each link knows its block and where in it the
anchor stands. So the words around a link, its siblings and its heading are slices, made only when asked for; even
the terms of a block are read only when asked for. Of a page that was skimmed, the text near its links is one block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.page.blocks import plain
from honeyguide.page.cuts import UNREAD, Read, read, read_all
from honeyguide.text.terms import terms_of_many, tokenizer
from honeyguide.web.urls import name_of

__all__ = ["UNREAD", "Block", "Digest", "Link", "Part", "decode", "encode"]

_LONGEST_HEADING = 200
Kind = Literal["html", "feed", "sitemap", "pdf", "text", "other"]


class Link(msgspec.Struct, array_like=True, gc=False):
    """A link as it stands on a page."""

    url: str
    anchor: str
    block: int  # index into the page's blocks; -1 when the link stands in none (a feed, a sitemap, the head)
    start: int = 0  # the anchor's terms are block.terms[start:end]; of a block that was not read `Digest.near` tells
    end: int = 0
    rel: str = ""
    id: int = -1  # filled in by the brain: the number by which the crawl knows the URL


class Part(msgspec.Struct, array_like=True, gc=False):
    """A visual block of a page: what it is in, what it is, and by which evidence.

    Its role is one of title, authors, affiliations, abstract, keywords, body, references, navigation (to the previous,
    the next, other pages of the same), related and noise; empty for one that holds others of several roles.
    """

    parent: int  # index into the page's parts; -1 for the page itself
    role: str
    why: str


class Block(msgspec.Struct, array_like=True, dict=True):
    """A stretch of text that reads as one."""

    path: str  # the tags it stands in, outermost first: "div/ul/li"
    group: int  # blocks of one list or table share this number
    heading: int  # index of the heading block above, -1 for none
    main: bool  # part of the page's own text, not of its furniture
    words: list[str]  # its terms, if it has been read
    text: str = ""  # as written, with marks around its links; kept of headings, and of blocks that are read on demand
    part: int = -1  # index into the page's parts: the visual block it stands in; -1 on a skimmed page
    language: str = ""  # by whose rules it is to be read; empty when it has been

    @property
    def terms(self) -> list[str]:
        """Its terms, in order."""
        return self.read[0] if self.language else self.words

    @cached_property
    def read(self) -> Read:
        """Its terms, and where among them the anchor of each link begins, and where it ends."""
        return read(self.text, tokenizer(self.language or "en"))

    @property
    def tag(self) -> str:
        """The innermost tag of the block."""
        return self.path.rpartition("/")[2]


class Digest(msgspec.Struct, dict=True):
    """A fetched and parsed page, ready to be judged and to have its links ranked."""

    url: str
    fetched: float
    kind: Kind
    title: str = ""
    language: str = ""
    description: str = ""
    canonical: str = ""
    published: str = ""
    article: bool = False  # the page's own markup says it is an article, or it reads like one
    article_score: float = -1.0  # how likely it is an article by what it says and how it is built; -1 if nobody looked
    article_why: str = ""
    noindex: bool = False
    nofollow: bool = False
    noarchive: bool = False
    words: int = 0
    fingerprint: int = 0
    sketch: bytes = b""  # by which copies are told
    # The direction of its title and text (text.about), and behind it that of a sentence encoder, where one reads pages;
    # none where its language has no vectors.
    meaning: bytes = b""
    glanced: bool = False  # whether what it is about was left unread
    unread: str = ""  # the text that would tell, on its way to whoever decides that; it is never kept
    terms: dict[str, int] = {}
    order: bytes = b""  # in which they are said (page.order)
    blocks: list[Block] = []
    parts: list[Part] = []  # the tree of visual blocks, outer ones first; none of a skimmed page
    links: list[Link] = []
    left_out: str = ""  # what was too much of an overgrown page
    relevance: float = 0.0  # filled in by the brain: the judge's probability
    on_topic: bool = False
    id: int = -1  # filled in by the brain, and those of the links too: the number by which the crawl knows the URL

    @cached_property
    def targets(self) -> NDArray[np.int64]:
        """The numbers of the URLs it links to, each once, in the order of the page."""
        return np.array(list(dict.fromkeys(link.id for link in self.links if link.id != self.id)), dtype=np.int64)

    @cached_property
    def place(self) -> dict[int, int]:
        """Where each of the targets stands among them."""
        return {number: place for place, number in enumerate(self.targets.tolist())}

    def take_blocks(self, cut: Digest) -> None:
        """Be cut into blocks, as the same page is that was not only skimmed; what it was judged by stays as it is."""
        self.blocks, self.parts, self.links, self.left_out = cut.blocks, cut.parts, cut.links, cut.left_out

    def near(self, link: Link) -> tuple[list[str], int, int]:
        """The terms of a link's block, and between which of them its anchor stands."""
        if link.block < 0:
            return [], 0, 0
        block = self.blocks[link.block]
        if link.end != UNREAD:
            return block.terms, link.start, link.end
        block.language = block.language or self.language or "en"  # one stored before blocks knew it has none
        terms, begins, ends = block.read
        return terms, begins[link.start], ends[link.start]

    def read(self, places: Iterable[int]) -> None:
        """Read some blocks in one go, in half the time it takes one by one; nothing that anybody can see changes."""
        unread = [block for place in places if "read" not in (block := self.blocks[place]).__dict__ and block.language]
        if unread:
            texts = [block.text for block in unread]
            for block, found in zip(unread, read_all(texts, tokenizer(unread[0].language)), strict=True):
                block.__dict__["read"] = found

    @cached_property
    def ids(self) -> NDArray[np.int64]:
        """The number of each link's URL."""
        return np.array([link.id for link in self.links], dtype=np.int64)

    @cached_property
    def spans(self) -> tuple[list[str], NDArray[np.int64]]:
        """The terms of all blocks, one after another, and for each link four places among them: where its block begins,
        where its anchor begins and ends, and where its block ends; all 0 for a link that stands in no block."""
        links = self.links
        block = np.array([link.block for link in links], dtype=np.int64)
        start = np.array([link.start for link in links], dtype=np.int64)
        end = np.array([link.end for link in links], dtype=np.int64)
        self.read(range(len(self.blocks)))
        terms = self.blocks[0].terms if len(self.blocks) == 1 else [term for one in self.blocks for term in one.terms]
        offsets = np.cumsum([0, *(len(one.terms) for one in self.blocks)])
        if len(self.blocks) == 1 and (unread := end == UNREAD).any():  # a skimmed page: all at once
            _, begins, ends = self.blocks[0].read
            numbers = start[unread]
            start[unread], end[unread] = np.array(begins)[numbers], np.array(ends)[numbers]
        else:
            for place in np.flatnonzero(end == UNREAD).tolist():
                _, start[place], end[place] = self.near(links[place])
        low = offsets[block]
        spans = np.stack([low, low + start, low + end, offsets[block + 1]])
        spans[:, block < 0] = 0
        return terms, spans

    def anchor_terms(self, link: Link) -> list[str]:
        """The terms of a link's anchor."""
        terms, start, end = self.near(link)
        return terms[start:end]

    def shown(self, links: Sequence[Link]) -> list[tuple[str, ...]]:
        """The terms of each link's anchor as it is shown: all links at once, which takes far less than one by one.

        Other than `anchor_terms` this asks for nothing to be read, and has the words of an image or a title as well.
        """
        return terms_of_many([link.anchor for link in links], self.language or "en")

    def named(self, links: Sequence[Link]) -> list[tuple[str, ...]]:
        """The terms each link's URL spells in its last segment, all links at once."""
        known = _NAMED
        if len(known) > _MOST_NAMED:
            known.clear()
        unmet = [url for url in dict.fromkeys(link.url for link in links) if url not in known]
        if unmet:
            known.update(zip(unmet, tokenizer("en").together([name_of(url) for url in unmet]), strict=True))
        return [known[link.url] for link in links]

    def around(self, link: Link, reach: int = 10) -> list[str]:
        """The terms before and after a link's anchor in its block, `reach` on either side."""
        terms, start, end = self.near(link)
        return terms[max(0, start - reach) : start] + terms[end : end + reach]

    def heading(self, link: Link) -> str:
        """The heading a link stands under."""
        place = self.blocks[link.block].heading if link.block >= 0 else -1
        if place < 0:
            return ""
        above = self.blocks[place]
        return plain(above.text)[:_LONGEST_HEADING] if above.language else above.text

    def part(self, link: Link) -> Part | None:
        """The visual block a link stands in; None on a skimmed page, and for links that stand in no text."""
        place = self.blocks[link.block].part if link.block >= 0 else -1
        return self.parts[place] if place >= 0 else None

    def role(self, link: Link) -> str:
        """The role of the visual block a link stands in: noise, related, body and so on; empty where none is known."""
        part = self.part(link)
        return part.role if part is not None else ""

    def siblings(self, link: Link) -> list[Link]:
        """The other links of the same list or table."""
        if link.block < 0:
            return []
        group = self.blocks[link.block].group
        return [
            other
            for other in self.links
            if other is not link and other.block >= 0 and self.blocks[other.block].group == group
        ]


_NAMED: dict[str, tuple[str, ...]] = {}  # what URLs spell: the same links are met again and again
_MOST_NAMED = 65_536


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Digest)


def encode(digest: Digest) -> bytes:
    """A digest as bytes, for the way from a hand to the brain and for the store."""
    return _encoder.encode(digest)


def decode(blob: bytes) -> Digest:
    """The digest these bytes came from."""
    return _decoder.decode(blob)
