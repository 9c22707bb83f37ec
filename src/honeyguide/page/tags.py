"""What a page shows, where it leads and what it says of itself, read from its tags in one go, without a tree.

To skim a page nobody needs to know which element stands in which: links and the text around them come one after
another. Tags, comments, scripts and character references are read as HTML has them; what a browser does to mend a page
whose elements are nested wrongly is not done (of 7,821 pages of three webs 168 show other words for it, and 5 other
links; most are of the nineties).
A tree costs five times as much, and most pages are never looked at again; one that is worth being cut into blocks gets
its tree then (`blocks`).
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5
from typing import NamedTuple

from honeyguide.native import has_native
from honeyguide.page.blocks import LINK, LINK_END, MOST_LINKS

if has_native:
    from honeyguide import _native

__all__ = ["TELLING", "Skimmed", "skim_page"]

TELLING = frozenset(  # names of meta tags that are read; most pages have many more
    "robots honeyguide description og:description og:type article:published_time citation_publication_date dc.date "
    "citation_title citation_author citation_doi citation_journal_title citation_isbn citation_book_title prism.doi "
    "prism.publicationname".split()
)

_BLANK = r"\t\n\f\r "
_BETWEEN, _NAME, _IS = rf"[{_BLANK}/]++", rf"[^{_BLANK}/>][^{_BLANK}/>=]*+", rf"[{_BLANK}]*+=[{_BLANK}]*+"
_VALUE = rf"\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^{_BLANK}\"'>][^{_BLANK}>]*+|(?=>)"
_ATTRIBUTE = re.compile(rf"({_BETWEEN}|({_NAME})(?:{_IS}({_VALUE}))?+)")
_SAID = rf"(?:{_BETWEEN}|{_NAME}(?:{_IS}(?:{_VALUE}))?+)*+"
_COMMENT = r"!--(?:-?>|.*?--!?>|.*)"
_TAG = re.compile(  # or a comment; nothing in it is ever tried twice
    rf"<(?:{_COMMENT}|(?P<closing>/?)(?P<name>[a-zA-Z][^{_BLANK}/>]*+)(?P<said>{_SAID})(?P<end>>?)|[!?/][^>]*+>?)",
    re.DOTALL,
)
_SCRIPT = re.compile(rf"<!--|-->|<(/?)script(?=[{_BLANK}/>])", re.IGNORECASE | re.ASCII)
_REFERENCE = re.compile(r"&(#(?:[0-9]+|[xX][0-9a-fA-F]+);?|[a-zA-Z0-9]{2,32}+(?:;|(?![a-zA-Z0-9=])))")
_NUMBER = re.compile(r"&#(?:0*([0-9]+)|[xX]0*([0-9a-fA-F]+))")
_BLANKS = re.compile(rf"[{_BLANK}\v]+")
_FOREIGN = re.compile(r"[\x00-\x04]")  # what would be taken for our marks

_WANTED = {
    "a": ("href", "rel", "title", "alt"),
    "area": ("href", "rel", "title", "alt"),
    "html": ("lang",),
    "meta": ("name", "property", "content"),
    "link": ("rel", "href", "type", "title"),
    "base": ("href",),
    "script": ("type",),
}
_RAW = {  # they hold text, but no tags
    name: re.compile(rf"</{name}(?=[{_BLANK}/>])", re.IGNORECASE | re.ASCII)
    for name in "title style iframe textarea noframes noembed xmp plaintext".split()
}
_SILENT = frozenset("noscript template object select svg".split())
_CELLS = frozenset("table caption tbody tfoot thead tr td th".split())
_ENDS = {  # what cannot stand in a drawing or in a list to choose from, and ends it
    "svg": _CELLS.union(
        "meta b big body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li menu nobr ol p pre s "
        "small span strong sub sup u ul".split()
    ),
    "select": _CELLS.union(("input", "textarea")),
}

# Tags that mean nothing but that words are apart, and all text up to one that means more: passed over in one go.
_MEANT = "|".join((*_WANTED, *_RAW, *_SILENT))
_APART = rf"<(?:{_COMMENT}|/?(?!(?:{_MEANT})[{_BLANK}/>])[a-z][^{_BLANK}/>]*+{_SAID}>|(?:[!?]|/(?![a-z]))[^>]*+>?)"
_APARTS = re.compile(_APART, re.DOTALL | re.IGNORECASE | re.ASCII)
_STRETCH = re.compile(rf"(?:[^<]++|{_APART}|<(?![a-z!?/]))*+", re.DOTALL | re.IGNORECASE | re.ASCII)


class Skimmed(NamedTuple):
    """A page as far as its tags tell."""

    text: str  # with marks around its links; each run of blanks is one space
    hrefs: list[str]  # of its links, of which no more than `MOST_LINKS` are marked
    rels: list[str]
    titles: list[str]  # of a link, or what is said of its image
    head: list[tuple[str, ...]]  # html, meta, link, base, title, script: what each of these tags says
    links: int  # how many it has


def skim_page(utf8: bytes) -> Skimmed:
    """What a page shows, its links, and what it says of itself.

    >>> page = skim_page(b"<title>Bees</title><p>They <a href='/hive'>live &amp; die</a><script>'<a href=x>'</script>.")
    >>> page.text.split(), page.hrefs, page.head
    (['They', '\\x01', 'live', '&', 'die', '\\x02', '.'], ['/hive'], [('title', 'Bees')])
    """
    if has_native:
        return Skimmed(*_native.skim_page(utf8, html5, TELLING, MOST_LINKS))
    return _skim_page(utf8)


def _skim_page(utf8: bytes) -> Skimmed:
    return _Skimmer(utf8.decode("utf-8", "replace")).skim()


class _Skimmer:
    def __init__(self, page: str) -> None:
        self._page = page
        self._parts: list[str] = []
        self._found = Skimmed("", [], [], [], [], 0)
        self._links = 0
        self._open = False  # whether we are within a link
        self._silent, self._depth = "", 0  # the element nothing of which is shown, and how deep in it we are

    def skim(self) -> Skimmed:
        page, at = self._page, self._show(0)
        while tag := _TAG.search(page, at):
            self._parts.append(" ")
            name, at = _low(tag["name"] or ""), tag.end()
            if name and not tag["end"]:  # it never ends
                break
            if name:
                at = self._end(name, at) if tag["closing"] else self._start(name, tag["said"], at)
            if not self._silent:
                at = self._show(at)
        self._end_link()
        text = _BLANKS.sub(" ", "".join(self._parts)).lstrip(" ")
        for mark in (LINK, LINK_END):
            text = text.replace(mark, f" {mark} ")
        return self._found._replace(text=text, links=self._links)

    def _show(self, at: int) -> int:
        """Show the text from here up to the next tag that means more than a space; give where that is."""
        stretch = _STRETCH.match(self._page, at)
        assert stretch is not None  # if only one of no length
        self._parts.append(_shown(_APARTS.sub(" ", stretch.group())))
        return stretch.end()

    def _end_link(self) -> None:
        if self._open:
            self._parts.append(f" {LINK_END} ")
        self._open = False

    def _end(self, name: str, at: int) -> int:
        if self._silent:
            self._depth -= name == self._silent
            self._silent = self._silent if self._depth else ""
        elif name == "a":
            self._end_link()
        return at

    def _start(self, name: str, attributes: str, at: int) -> int:
        said, closed = _said(attributes, _WANTED.get(name, ()))
        if self._silent and self._stays_silent(name, closed):
            return at if self._silent == "svg" else self._raw(name, said, at)
        if name in ("a", "area"):
            self._link(name, said)
        elif name in ("html", "base") and said[0] is not None:
            self._found.head.append((name, said[0]))
        elif name == "meta" and (called := (said[0] or said[1] or "").lower()) in TELLING:
            self._found.head.append((name, called, said[2] or ""))
        elif name == "link":
            rel = (said[0] or "").lower()
            if "canonical" in rel or ("alternate" in rel and said[2] is not None):
                self._found.head.append((name, *(one or "" for one in said)))
        elif name in _SILENT and not (closed and name == "svg"):
            self._silent, self._depth = name, 1
        return self._raw(name, said, at)

    def _stays_silent(self, name: str, closed: bool) -> bool:
        """What a tag does within an element nothing of which is shown; says whether it is silent, too."""
        if self._silent == name == "select":  # a second one ends the first, and is none itself
            self._silent = ""
            return True
        if name in _ENDS.get(self._silent, ()):
            self._silent = ""
            return False
        self._depth += name == self._silent and not (closed and name == "svg")
        return True

    def _link(self, name: str, said: list[str | None]) -> None:
        self._end_link()
        if said[0] is None:
            return
        self._links += 1
        if self._links > MOST_LINKS:
            return
        self._parts.append(f" {LINK} ")
        self._found.hrefs.append(said[0])
        self._found.rels.append(said[1] or "")
        self._found.titles.append(said[2] or said[3] or "")
        self._open = True
        if name == "area":
            self._end_link()

    def _raw(self, name: str, said: list[str | None], at: int) -> int:
        """Pass over the text of an element that holds no tags, if this is one, and keep it if it tells."""
        if name == "script":
            until = _script_end(self._page, at)
            if not self._silent and (said[0] or "").lower() == "application/ld+json":
                self._found.head.append((name, self._page[at:until]))
            return until
        if name not in _RAW:
            return at
        end = _RAW[name].search(self._page, at)
        until = end.start() if end else len(self._page)
        if name == "title" and not self._silent:
            self._found.head.append((name, _BLANKS.sub(" ", _shown(self._page[at:until])).lstrip(" ")))
        return until


def _low(name: str) -> str:
    return name.lower() if name.isascii() else name  # no letter of another alphabet is taken for one of ours


def _shown(text: str) -> str:
    return _unescape(_FOREIGN.sub(" ", text))


def _unescape(text: str) -> str:
    """As `html.unescape`, which will not read a number of thousands of digits."""
    if "&#" in text:
        text = _NUMBER.sub(lambda found: f"&#{found[1][:8]}" if found[1] else f"&#x{found[2][:8]}", text)
    return unescape(text)


def _said(attributes: str, wanted: tuple[str, ...]) -> tuple[list[str | None], bool]:
    """The values of the attributes that are wanted, and whether the tag closes itself."""
    found: dict[str, str] = {}
    last = ""
    for whole, name, value in _ATTRIBUTE.findall(attributes) if wanted or attributes[-1:] == "/" else ():
        last = whole
        if name and (low := name.lower()) in wanted and low not in found:
            found[low] = _REFERENCE.sub(_referred, value[1:-1] if value[:1] in ("'", '"') else value)
    return [found.get(name) for name in wanted], last[-1:] == "/" and not last.strip("\t\n\f\r /")


def _referred(found: re.Match[str]) -> str:
    """What a reference in an attribute stands for: a name must be whole there, or an address would lose its &copy=."""
    name = found.group(1)
    return _unescape(found.group()) if name[0] == "#" or name in html5 else found.group()


def _script_end(page: str, at: int) -> int:
    """Where a script ends; one that is written into a comment within it does not end it."""
    depth = 0  # 1 within a comment, 2 within a script in it
    while found := _SCRIPT.search(page, at):
        at, sign = found.end(), found.group()
        if sign == "-->":
            depth = 0
        elif sign == "<!--":
            if not depth:
                depth, at = 1, at - 2  # its own dashes may end it
        elif not found.group(1):
            depth = 2 if depth else 0
        elif depth < 2:
            return found.start()
        else:
            depth = 1
    return len(page)
