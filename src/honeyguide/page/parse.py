"""The first look at a page: everything needed to judge it and to rank its links, and no more."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from urllib.parse import urlsplit

from resiliparse.extract.html2text import extract_plain_text
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, SelectolaxError

from honeyguide.native import has_native
from honeyguide.page import blocks as cutting
from honeyguide.page.articles import LONG_TEXT, Shape, article_score
from honeyguide.page.charset import to_utf8
from honeyguide.page.cuts import Cut, cut, read
from honeyguide.page.digest import UNREAD, Block, Digest, Link
from honeyguide.page.directives import directives, robots_tags
from honeyguide.page.head import Head
from honeyguide.page.language import language_of
from honeyguide.page.order import order_of, without
from honeyguide.page.segments import segment
from honeyguide.page.snapshot import Boxes
from honeyguide.page.tags import Skimmed, skim_page
from honeyguide.page.tame import tame
from honeyguide.text.about import about, pack
from honeyguide.text.encoder import encoder
from honeyguide.text.fingerprint import fingerprints
from honeyguide.text.terms import Terms, tokenizer
from honeyguide.web.base import Response
from honeyguide.web.scope import Scope
from honeyguide.web.urls import LONGEST, ORIGINS, Base

if has_native:
    from honeyguide import _native

__all__ = ["Parser", "read_meaning", "robots_words"]

# Without what a browser does to a tree that is changed (it mirrors the chosen option of a list, which is not read):
# then links are marked in half the time.
_PLAIN = LexborDocumentOptions.WO_EVENTS.value
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]+")
_SAMPLE, _BEGINNING = 200, 2_400  # letters of prose that tell a language; else those it begins with
_LONG_ANCHOR = 200
_TOO_LONG = f"links longer than {LONGEST} characters"
_MOST_FEEDS = 100
_SENTENCE = 12  # terms
_LONG_BY_LETTERS = 6_000  # of sentences, which hold about twice the terms that make a long text
_LINKS = 10  # fewer make no list
_FEW = 30  # a page with fewer terms is a hub or a stub: what little it says is all there is to judge it by


class Parser:
    """Turns bytes into digests.

    `keep` says of a normal URL whether the crawl would ever go there (its scope); other links are left out.
    Without `structure` a page is skimmed: links with the words around them and the terms of its prose, but no
    blocks, headings or lists; at half the cost, and enough for a strategy that does not ask for more. The words around
    its links are left unread until somebody asks for them, unless `read` says otherwise. With `encode` a sentence
    encoder reads what a page is about, too.
    """

    def __init__(
        self,
        keep: Callable[[str], bool] | None = None,
        *,
        structure: bool = True,
        read: bool = False,
        encode: bool = False,
    ) -> None:
        self._keep = keep
        self._structure = structure
        self._read = read
        self._encode = encode

    def html(
        self,
        body: bytes,
        url: str,
        *,
        fetched: float = 0.0,
        charset: str | None = None,
        robots: Sequence[str] = (),
        meaning: bool = True,
        boxes: Boxes | None = None,
    ) -> Digest:
        """The digest of an HTML page; `robots` is what its X-Robots-Tag headers say, each by itself.

        Without `meaning` what it is about is left unread: `read_meaning` does it later, if it may decide anything.
        With `boxes` (`honeyguide.page.boxes`) its blocks are found by how a browser lays it out as well.

        >>> page = Parser().html(b"<title>Bees</title><p>Bees <a href='/hive'>live in hives</a>.", "http://a.test/")
        >>> page.title, page.links[0].url, page.anchor_terms(page.links[0])
        ('Bees', 'http://a.test/hive', ['live', 'hive'])
        """
        utf8 = to_utf8(body, charset)
        if not self._structure:
            return self._digest(utf8, url, fetched, robots, meaning)
        utf8, left_out = tame(utf8)
        page = None
        try:
            with suppress(cutting.ForeignMarks):
                page = self._digest(utf8, url, fetched, robots, meaning, boxes)
            if page is None:  # asked out here, where the first tree is gone: two at once would be twice the memory
                page = self._digest(cutting.clean(utf8), url, fetched, robots, meaning, boxes)
        except SelectolaxError:  # nothing a parser can make a tree of
            return Digest(url=url, fetched=fetched, kind="other", left_out="everything: not HTML")
        page.left_out = ", ".join(filter(None, (left_out, page.left_out)))
        return page

    def cut(self, page: Digest, body: bytes, *, charset: str | None = None) -> None:
        """Cut a page that was skimmed into its blocks; what it was judged by, as its terms, stays as it is."""
        tamed, left_out = tame(to_utf8(body, charset))
        with suppress(cutting.ForeignMarks):
            self._recut(page, tamed, left_out)
            return
        self._recut(page, cutting.clean(tamed), left_out)

    def _recut(self, page: Digest, utf8: bytes, left_out: str) -> None:
        base = _base(page.url, Head(skim_page(utf8).head))
        marked = cutting.mark(LexborHTMLParser(utf8, options=_PLAIN))
        feeds = [link for link in page.links if link.block < 0]
        page.blocks, page.links, page.left_out = [], [], marked.left_out
        self._blocks(page, marked, base, tokenizer(page.language))
        page.links += feeds
        page.left_out = ", ".join(filter(None, (left_out, page.left_out)))

    def text(self, body: bytes, *, charset: str | None = None, whole: bool = False) -> str:
        """The quick main text of a page: good enough to search in, not to publish; that is the careful record's.

        Put together only for pages worth keeping; a digest carries what it takes to judge and rank. With `whole` it is
        all that the page shows.
        """
        return self.bounded_text(body, charset=charset, whole=whole)[0]

    def bounded_text(self, body: bytes, *, charset: str | None = None, whole: bool = False) -> tuple[str, str]:
        """The same, and what of an overgrown page is left out of it."""
        utf8, left_out = tame(to_utf8(body, charset))
        # Its rules cost a third of what our own cutting into blocks does, and find more.
        page = utf8.decode("utf-8", "replace")
        found = extract_plain_text(
            page, main_content=not whole, alt_texts=False, list_bullets=False, skip_elements=["svg"]
        )
        return "\n".join(filter(None, map(str.strip, _CONTROLS.sub(" ", found).split("\n")))), left_out

    def _digest(
        self,
        utf8: bytes,
        url: str,
        fetched: float,
        robots: Sequence[str],
        meaning: bool,
        boxes: Boxes | None = None,
    ) -> Digest:
        skimmed = skim_page(utf8)
        head = Head(skimmed.head)
        prose = cutting.prose(skimmed.text)
        text = cutting.bare(prose)
        base = _base(url, head)
        said = directives(head.robots, *robots)
        digest = Digest(
            url=url,
            fetched=fetched,
            kind="html",
            title=head.title,
            language=language_of(text if len(text) >= _SAMPLE else skimmed.text[:_BEGINNING], head.language),
            description=head.description,
            canonical=base.join(head.canonical) or "" if head.canonical else "",
            published=head.published,
            article=head.article and not _is_list(url, skimmed),
            noindex=not said.isdisjoint(("noindex", "none")),
            nofollow=not said.isdisjoint(("nofollow", "none")),
            noarchive="noarchive" in said,
        )
        if self._structure:
            marked = cutting.mark(LexborHTMLParser(utf8, options=_PLAIN))
            digest.left_out = marked.left_out
            shape = self._fill(digest, marked, prose, base, boxes)
        else:
            digest.left_out = cutting.past_most(skimmed.links)
            shape = self._skim(digest, skimmed, prose, base)
        if digest.language == "en":  # the language that has vectors
            digest.glanced, digest.unread = True, f"{digest.title[:_LONG_ANCHOR]} {digest.description} {text}"
            if meaning:
                read_meaning(digest, digest.unread, encode=self._encode)
        digest.article_score, digest.article_why = article_score(url, head.claims, digest.published, shape)
        if not digest.nofollow:
            self._feeds(digest, head, base)
        return digest

    def _fill(
        self, digest: Digest, marked: cutting.Marked, prose: str, base: Base, boxes: Boxes | None = None
    ) -> Shape:
        tokenize = tokenizer(digest.language)
        found, shown, linked = self._blocks(digest, marked, base, tokenize, boxes)
        # Judged by the same words as a page that is skimmed: what it is about is not for the strategy to decide.
        own, text_alone = tokenize.outside(prose)
        if self._read:
            _read_blocks(digest)
        elif len(own) < _FEW:
            digest.read(range(len(found)))
        words = own if len(own) >= _FEW else [term for block in digest.blocks for term in block.terms]
        self._count(digest, words, text_alone, tokenize)
        return Shape(_words(found, shown, tokenize), linked, {part.role for part in digest.parts})

    def _blocks(
        self, digest: Digest, marked: cutting.Marked, base: Base, tokenize: Terms, boxes: Boxes | None = None
    ) -> tuple[list[Cut], Sequence[bool], float]:
        """Fill in blocks, parts and links; give the cuts they are made of, which of them hold the text, and what share
        of it is linked."""
        found, main, elements = cut(marked, tokenize)
        said = [] if digest.nofollow else [node.attributes for node in marked.links]
        # The selector also finds xlink:href, which goes by its full name here.
        hrefs = [tag.get("href") or "" for tag in said]
        leads = self._leads(digest, hrefs, base)
        digest.parts, parts, linked, shown = segment(found, main, elements, digest.title, hrefs, boxes)
        language, follow, heading = tokenize.language, not digest.nofollow, -1
        for place, (one, is_main, part) in enumerate(zip(found, shown, parts, strict=True)):
            path = one.path
            digest.blocks.append(Block(path, one.group or -place, heading, is_main, [], one.text, part, language))
            if path[-2] == "h" and path[-1].isdigit():
                heading = place
            if one.links and follow:
                _add_links(digest, said, leads, one.links, place)
        return found, shown, linked

    def _skim(self, digest: Digest, page: Skimmed, prose: str, base: Base) -> Shape:
        """As `_fill`, for a page of which no text is kept: links with the words around them, but no blocks."""
        tokenize = tokenizer(digest.language)
        near, anchors = cutting.skim(page.text)
        own, text_alone = tokenize.outside(prose)
        begins: Sequence[int] = range(len(anchors))
        ends: Sequence[int] = [UNREAD] * len(anchors)
        block = Block("body", 0, -1, False, [], near, language=tokenize.language)
        words = own
        if self._read or len(own) < _FEW:
            words, begins, ends = read(near, tokenize)
            block = Block("body", 0, -1, False, words)
        digest.blocks.append(block)
        if not digest.nofollow:
            leads = self._leads(digest, page.hrefs, base)
            found = zip(page.hrefs, page.rels, page.titles, anchors, begins, ends, strict=True)
            digest.links += [
                Link(url, shown[:_LONG_ANCHOR], 0, start, end, rel and rel.lower())
                for href, rel, title, anchor, start, end in found
                if (url := leads[href]) is not None and not (rel and _is_disowned(rel))
                for shown in (" ".join(anchor.split()) or title,)
            ]
        self._count(digest, own if len(own) >= _FEW else words, text_alone, tokenize)
        return Shape(len(own), 0.0, skimmed=True)

    def _count(self, digest: Digest, own: list[str], text: list[str], tokenize: Terms) -> None:
        """Its terms, and what it is known again by: running text alone, for copies stand among other small texts."""
        digest.words = len(own)
        # A sentence or two make a page the same page, whatever few links stand below: a page not found is one of these.
        shown = text if len(text) >= max(_SENTENCE, len(own) // 2) else own
        digest.fingerprint, digest.sketch = fingerprints(shown)
        title = tokenize(digest.title)
        digest.terms = dict(Counter(own + title))
        digest.order = order_of(own, title, digest.terms)

    def _leads(self, digest: Digest, hrefs: list[str], base: Base) -> dict[str, str | None]:
        """Where each of the links of a page leads, if a crawl may go there.

        Worked out once for each place, for pages link to the same again and again. To remember it for other pages of
        the site was tried, and costs as much as it saves.
        """
        if digest.nofollow:
            return {}
        leads = self._addresses(base, dict.fromkeys(hrefs), digest.url)
        _note_too_long(digest, base, leads)
        return leads

    def _addresses(self, base: Base, hrefs: dict[str, None], page: str) -> dict[str, str | None]:
        if not has_native:
            return {href: self._address(base, href, page) for href in hrefs}
        # Most links are plain paths, which need no more than to be put behind what comes before them.
        return _native.leads(
            hrefs,
            base.origin,
            base.folder,
            page,
            ORIGINS,
            isinstance(self._keep, Scope) and self._keep.free,
            self._keep,
            lambda href: self._address(base, href, page),
        )

    def _address(self, base: Base, href: str, page: str) -> str | None:
        url = base.join(href)
        return None if url is None or url == page or not (self._keep is None or self._keep(url)) else url

    def _feeds(self, digest: Digest, head: Head, base: Base) -> None:
        _note_too_long(digest, base, [href for href, _ in head.feeds[:_MOST_FEEDS]])
        for href, title in head.feeds[:_MOST_FEEDS]:
            url = self._address(base, href, digest.url)
            if url is not None:
                digest.links.append(Link(url, title[:_LONG_ANCHOR], -1, rel="alternate"))


def _base(url: str, head: Head) -> Base:
    """What the links of a page are told from: its address, unless its head says otherwise."""
    base = Base(url)
    return Base(moved) if head.base and (moved := base.join(head.base)) else base


def read_meaning(page: Digest, text: str, *, encode: bool = False) -> None:
    """Read what a page is about from its text; words in it that the rest is not about are no evidence."""
    meaning, put_there, lead = about(text, lead=encode)
    page.meaning, page.glanced, page.unread = pack(meaning), False, ""
    if encode and page.meaning:
        page.meaning += pack(encoder().encode([lead])[0])
    if put_there:
        left = dict(Counter(page.terms) - Counter(tokenizer("en")(" ".join(put_there))))
        page.terms, page.order = left, without(page.order, page.terms, left)


def _read_blocks(page: Digest) -> None:
    """Read all blocks of a page, for a brain that has enough to do: what is sent to it holds their terms."""
    page.read(range(len(page.blocks)))
    for link in page.links:
        _, link.start, link.end = page.near(link)
    for block in page.blocks:
        is_heading = block.path[-2] == "h" and block.path[-1].isdigit()
        block.words, block.language = block.terms, ""
        block.text = cutting.plain(block.text)[:_LONG_ANCHOR] if is_heading else ""


def _words(cuts: Sequence[Cut], main: Sequence[bool], tokenize: Terms) -> int:
    """How many terms the sentences of a page have; of what is long by its letters alone none is read to count them."""
    text = " ".join([one.text for one, is_main in zip(cuts, main, strict=True) if is_main])
    if len(text) >= _LONG_BY_LETTERS:
        letters = len(text) - 2 * text.count("  ") - text.count("\n") - text.count("\t")  # markup may be full of spaces
        if letters >= _LONG_BY_LETTERS:
            return LONG_TEXT
    return len(tokenize(text))


def _is_list(url: str, page: Skimmed) -> bool:
    """Whether a page is but a list of others, as a site's front page is: whatever its head claims, it is no article."""
    if urlsplit(url).path in ("", "/"):
        return True
    return page.links >= _LINKS and not cutting.runs_on(page.text, _SAMPLE)


def _note_too_long(digest: Digest, base: Base, hrefs: Collection[str]) -> None:
    if max(map(len, hrefs), default=0) <= LONGEST:  # as on all pages but a few
        return
    too_long = any(len(href) > LONGEST and base.join(href) is None for href in hrefs)
    if too_long and not digest.left_out.endswith(_TOO_LONG):
        digest.left_out = ", ".join(filter(None, (digest.left_out, _TOO_LONG)))


def _add_links(
    digest: Digest,
    said: list[dict[str, str | None]],
    leads: dict[str, str | None],
    found: Iterable[tuple[int, str, int, int]],
    place: int,
) -> None:
    """The links of one block, those a crawl would never follow left out."""
    links = digest.links
    for number, anchor, start, end in found:
        tag = said[number]
        url = leads[tag.get("href") or ""]
        if url is None:
            continue
        rel = tag.get("rel") or ""
        if rel:
            if _is_disowned(rel):
                continue
            rel = rel.lower()
        shown = " ".join(anchor.split()) or tag.get("title") or tag.get("alt") or ""
        links.append(Link(url, shown[:_LONG_ANCHOR], place, start, end, rel))


def _is_disowned(rel: str) -> bool:
    """Whether a page does not speak for what it links to."""
    rel = rel.lower()
    return "nofollow" in rel or "ugc" in rel or "sponsored" in rel


def robots_words(response: Response) -> set[str]:
    """All that an answer says to robots, in its headers and in the head of its page."""
    said = Head(skim_page(to_utf8(response.body, response.charset)).head).robots
    return directives(said, *robots_tags(response))
