"""The careful record of a page worth keeping: clean text, and what can be said of title, date, authors and source.

Made once, from bytes already fetched. Pages are hostile: the input is cut to a size, a tree too large for the
careful tools is read by a plain one, and whatever a library throws ends in a simpler record that says so.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import cache
from html import unescape
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import unquote

from lxml import html as lxml_html
from resiliparse.parse.lang import detect_fast

from honeyguide.page.article import SENTENCE, main_text, size
from honeyguide.page.charset import to_utf8
from honeyguide.page.dates import pdf_date, published
from honeyguide.page.index_pages import is_index
from honeyguide.page.keywords import keywords
from honeyguide.page.metadata import Evidence, extras, gather, plain
from honeyguide.page.names import split_names, writers
from honeyguide.page.pdf import Pdf, is_pdf, read
from honeyguide.page.record import Record, whole
from honeyguide.page.scholarly import complete
from honeyguide.page.sources import source_name
from honeyguide.page.tame import first_tags
from honeyguide.page.titles import choose_title
from honeyguide.page.walls import wall

__all__ = ["SURE", "extract", "extract_pdf"]

SURE = {
    "scholarly tags": 0.98,
    "json-ld": 0.97,
    "meta tags": 0.97,
    "microdata": 0.95,
    "writing": 0.99,
    "heading": 0.95,
    "title tag": 0.9,
    "dateline": 0.97,
    "time element": 0.9,
    "label": 0.9,
    "byline": 0.8,
    "address": 0.9,
    "script": 0.9,
    "words": 0.9,
    "first look": 0.95,
    "guess": 0.7,
    "lines": 0.3,
    "pdf": 0.9,
    "pdf information": 0.8,
    "first line": 0.6,
    "file name": 0.3,
}
"""How likely a field is right by where it was found: round estimates, the same for every field.

`benchmarks/extraction.py` measures dates by where they were found, `benchmarks/fields.py` what is told of news pages.
"""

LONGEST = 2_000_000
"""Bytes of a page that are read for its record; what lies beyond is left out."""

_MOST_ELEMENTS = 25_000  # trafilatura takes about 45 us an element: a larger tree goes the plain way
_MOST_TAGS = 8 * _MOST_ELEMENTS  # what comes after would be parsed for nothing
_MOST_TEXT = 1_000_000
_PROSE = 250  # characters: less is hardly an article
_TELLING = 60  # characters of text from which its language can be told
# Each of these takes what it has begun to read, closed or not: that keeps them linear on junk.
_RAW = re.compile(
    r"<(script|style|template|svg|noscript|textarea|title)\b.*?(?:</\1[^>]{0,100}>?|\Z)|<!--.*?(?:-->|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_BREAK = re.compile(
    r"</?(?:p|div|br|li|ul|ol|h[1-6]|td|tr|table|section|article|blockquote|pre|dd|dt|hr)\b[^>]{0,4000}>?",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[a-z!/?][^>]{0,4000}>?", re.IGNORECASE)
# libxml2 takes a root that closes itself, as misunderstood XHTML has it, for the whole page.
_CLOSED_ROOT = re.compile(rb"(<html\b[^<>]*)/(?=>)", re.IGNORECASE)
_ROOT = 4_096  # bytes within which the root begins
_FRONT = re.compile(r"https?://[^/?#]*/?(?:[?#].*)?", re.IGNORECASE)
_HAN = re.compile(r"[\u4e00-\u9fff\u3040-\u30ff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
T = TypeVar("T")


def extract(
    html: str | bytes, url: str, *, language: str | None = None, fetched: float = 0.0, longest: int = LONGEST
) -> Record:
    """Make the careful record of one page or PDF; never raises for what it contains.

    >>> page = "<title>Bees - Hive</title><h1>Bees</h1><p>By Ann Lee</p><p>Bees dance to tell of honey.</p>"
    >>> record = extract(page, "https://hive.example/bees")
    >>> record.title, record.sources["title"]
    ('Bees', 'heading')
    """
    body = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if is_pdf(body):
        return extract_pdf(read(body), url, language=language, fetched=fetched)
    record = Record(url=url, fetched=fetched)
    body = body if isinstance(html, str) else to_utf8(body)
    if len(body) > longest:
        _leave_out(record, f"all past byte {longest}")
    body = body[:longest].replace(b"\0", b" ")
    if body.count(b"<") > _MOST_TAGS:
        body = first_tags(body, _MOST_TAGS)
        _leave_out(record, f"all past byte {len(body)}, where it has had {_MOST_TAGS} tags")
    _hush()
    tree = _guarded(record, lambda: _parse(body, record), None)
    # Held to the end: lxml makes its Python elements anew at every walk unless somebody keeps them.
    elements = [] if tree is None else list(islice(tree.iter("*"), _MOST_ELEMENTS + 1))
    found = Evidence() if tree is None else _guarded(record, lambda: gather(tree), Evidence())
    if len(elements) > _MOST_ELEMENTS or not record.careful:
        tree, record.careful = None, False  # too large, too deep or too strange: only what it claims is used
    _name(record, found)
    index = tree is not None and _guarded(record, lambda: is_index(tree), False)
    _fill_text(record, tree, elements, body)
    _tell_language(record, found, language)
    if not index:  # the dates of an index are those of the stories it leads to
        _date(record, found, tree)
    record.keywords = _guarded(record, lambda: keywords(record.text, record.language, title=record.title), [])
    _guarded(record, lambda: complete(record, found, body), None)
    # Where a site begins there is no article, whatever that page claims.
    article = not _FRONT.fullmatch(url) and (found.is_article or (record.published and len(record.text) >= _PROSE))
    record.kind = "index" if index else "article" if article else "page"
    if why := wall(record.title or found.title, record.text, size(record.text)):
        record.kind, record.extra["wall"] = "wall", why
    return whole(record)


def extract_pdf(pdf: Pdf, url: str, *, language: str | None = None, fetched: float = 0.0) -> Record:
    """The record of a PDF that was read; of one that could not be, what its address tells."""
    record = Record(url=url, fetched=fetched, kind="pdf", careful=not pdf.error)
    title, where = pdf.title()
    name = unquote(re.split(r"[?#]", url)[0].rpartition("/")[2])
    record.title = _known(record, "title", (title, where) if title else (name, "file name"))
    record.source = _known(record, "source", source_name(Evidence(), url))
    record.text = pdf.text()[:_MOST_TEXT]
    if pdf.left_out:
        _leave_out(record, pdf.left_out)
    if record.text:
        _known(record, "text", (record.text, "pdf"))
    record.authors = _known(record, "authors", (split_names([pdf.info.get("Author", "")]), "pdf information"))
    record.published = _known(record, "published", pdf_date(pdf.info, pdf.pages[0].text if pdf.pages else "", fetched))
    _tell_language(record, Evidence(), language)
    record.keywords = _guarded(record, lambda: keywords(record.text, record.language, title=record.title), [])
    return whole(record)


def _known(record: Record, field: str, found: tuple[T, str]) -> T:
    """A field's value; where it was found and how sure that is goes into the record."""
    value, where = found
    if value:
        record.sources[field], record.sure[field] = where, SURE[where]
    return value


def _guarded(record: Record, make: Callable[[], T], otherwise: T) -> T:
    """What `make` makes; if a library fails on a hostile page, the plainer value, and the record says so."""
    try:
        return make()
    except Exception:
        record.careful = False
        return otherwise


@cache
def _hush() -> None:
    """Silence the libraries' logs: they report the faults of pages, which are no faults of the crawl."""
    for name in ("trafilatura", "htmldate", "readability", "justext", "courlan", "charset_normalizer"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _parse(body: bytes, record: Record) -> Any:
    """The page as a tree, or None if there is nothing; the parser stops at a depth of 256, and the record says so.

    That limit bounds every recursion that follows. Its log is per parser, so each page has its own.
    """
    if not body.strip():
        return None
    body = _CLOSED_ROOT.sub(rb"\1", body[:_ROOT], count=1) + body[_ROOT:]
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, collect_ids=False)
    tree = lxml_html.document_fromstring(body, parser=parser)
    if any(fault.type_name == "ERR_RESOURCE_LIMIT" for fault in parser.error_log.filter_from_fatals()):
        record.careful = False
    return tree


def _name(record: Record, found: Evidence) -> None:
    """Fill in what the page says of itself."""
    record.source = _known(record, "source", _guarded(record, lambda: source_name(found, record.url), ("", "")))
    claim = _guarded(record, lambda: choose_title(found, record.source), (found.title, "title tag"))
    record.title = _known(record, "title", claim)
    nobody: tuple[list[str], str] = ([], "")
    record.authors = _known(record, "authors", _guarded(record, lambda: writers(found, record.source), nobody))
    claims = (
        (plain(found.article.get("description")), "json-ld"),
        (found.first("og:description", "description", "dc.description"), "meta tags"),
    )
    record.description = _known(record, "description", max(claims, key=lambda claim: len(claim[0])))[:2_000]
    none: dict[str, str] = {}
    record.extra |= _guarded(record, lambda: extras(found, record.url), none)


def _date(record: Record, found: Evidence, tree: Any) -> None:
    never: tuple[str | None, str] = (None, "")
    date = _guarded(
        record,
        lambda: published(found, tree, record.url, fetched=record.fetched, language=record.language),
        never,
    )
    record.published = _known(record, "published", date)


def _tell_language(record: Record, found: Evidence, given: str | None) -> None:
    told = (given, "first look") if given else _guarded(record, lambda: _language(record, found), ("", ""))
    record.language = _known(record, "language", told)


def _language(record: Record, found: Evidence) -> tuple[str, str]:
    """ISO 639-1: by script, else by what the page claims if the words allow it, else by the words."""
    claim = found.language or found.first("og:locale", "content-language", "dc.language", "citation_language")
    claim = re.split(r"[-_,; ]", claim.strip().lower())[0]
    claim = claim if len(claim) == 2 and claim.isalpha() else ""
    sample = f"{record.title}\n{record.text}"[:5_000]
    if len(_HAN.findall(sample)) * 5 > len(sample):
        return "ja" if len(_KANA.findall(sample)) * 10 > len(sample) else "zh", "writing"
    likely = detect_fast(sample, n_results=4) if len(sample) >= _TELLING else []
    if claim and (not likely or claim in (name for name, _ in likely)):
        return claim, "meta tags"
    return (str(likely[0][0]), "words") if likely and likely[0][0] != "unknown" else (claim, "meta tags")


# --- the text ------------------------------------------------------------------------------------------------


def _fill_text(record: Record, tree: Any, elements: list[Any], body: bytes) -> None:
    """The article; how sure it is is how far two ways of seeking it agree."""
    text, sure = (
        ("", 0.0) if tree is None else _guarded(record, lambda: main_text(tree, elements, record, body), ("", 0.0))
    )
    where = "body"
    if not text and (text := _guarded(record, lambda: _plain_text(body), "")):
        where, sure, record.careful = "lines", SURE["lines"], False
    record.text = text[:_MOST_TEXT]
    if len(text) > _MOST_TEXT:
        _leave_out(record, f"text past {_MOST_TEXT} characters")
    if text:
        record.sources["text"], record.sure["text"] = where, sure


def _leave_out(record: Record, what: str) -> None:
    """Say in the record what of an overgrown page is not in it."""
    record.extra["left_out"] = ", ".join(filter(None, (record.extra.get("left_out", ""), what)))


def _plain_text(body: bytes) -> str:
    """The longer lines of a page, its tags struck out.

    No tree is built, so no depth of nesting can hurt (resiliparse takes two seconds for 10,000 nested elements,
    and its time grows with the square of the depth).
    """
    page = _RAW.sub(" ", body.decode("utf-8", "replace"))
    page = unescape(_TAG.sub(" ", _BREAK.sub("\n", page)))
    lines = [" ".join(line.split()) for line in page.split("\n")]
    return "\n".join([line for line in lines if size(line) >= SENTENCE // 2] or filter(None, lines))
