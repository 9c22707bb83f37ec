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
from honeyguide.page.dates import published
from honeyguide.page.keywords import keywords
from honeyguide.page.metadata import Evidence, extras, gather, plain, source_name
from honeyguide.page.names import writers
from honeyguide.page.record import Record, whole
from honeyguide.page.tame import first_tags
from honeyguide.page.titles import choose_title

__all__ = ["extract"]

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
_HAN = re.compile(r"[\u4e00-\u9fff\u3040-\u30ff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
T = TypeVar("T")


def extract(
    html: str | bytes, url: str, *, language: str | None = None, fetched: float = 0.0, longest: int = LONGEST
) -> Record:
    """Make the careful record of one page; never raises for what the page contains.

    >>> page = "<title>Bees - Hive</title><h1>Bees</h1><p>By Ann Lee</p><p>Bees dance to tell of honey.</p>"
    >>> extract(page, "https://hive.example/bees").title
    'Bees'
    """
    record = Record(url=url, fetched=fetched)
    body = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if body[:1024].lstrip().startswith(b"%PDF-"):
        return _pdf(record)
    body = (body if isinstance(html, str) else to_utf8(body))[:longest].replace(b"\0", b" ")
    if body.count(b"<") > _MOST_TAGS:
        body = first_tags(body, _MOST_TAGS)
    _hush()
    tree = _guarded(record, lambda: _parse(body, record), None)
    # Held to the end: lxml makes its Python elements anew at every walk unless somebody keeps them.
    elements = [] if tree is None else list(islice(tree.iter("*"), _MOST_ELEMENTS + 1))
    found = Evidence() if tree is None else _guarded(record, lambda: gather(tree), Evidence())
    if len(elements) > _MOST_ELEMENTS or not record.careful:
        tree, record.careful = None, False  # too large, too deep or too strange: only what it claims is used
    _name(record, found)
    record.text = "" if tree is None else _guarded(record, lambda: main_text(tree, elements, record, body), "")
    if not record.text and (text := _guarded(record, lambda: _plain_text(body), "")):
        record.text, record.careful = text, False
    record.text = record.text[:_MOST_TEXT]
    record.language = language or _guarded(record, lambda: _language(record, found), "")
    record.published = _guarded(
        record, lambda: published(found, tree, url, fetched=fetched, language=record.language), None
    )
    record.keywords = _guarded(record, lambda: keywords(record.text, record.language, title=record.title), [])
    record.kind = "article" if found.is_article or (record.published and len(record.text) >= _PROSE) else "page"
    return whole(record)


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
    parser = lxml_html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, collect_ids=False)
    tree = lxml_html.document_fromstring(body, parser=parser)
    if any(fault.type_name == "ERR_RESOURCE_LIMIT" for fault in parser.error_log.filter_from_fatals()):
        record.careful = False
    return tree


def _pdf(record: Record) -> Record:
    """A PDF is kept and listed, not read."""
    record.kind, record.careful = "pdf", False
    record.title = unquote(re.split(r"[?#]", record.url)[0].rpartition("/")[2])
    record.source = source_name(Evidence(), record.url)
    return record


def _name(record: Record, found: Evidence) -> None:
    """Fill in what the page says of itself."""
    record.source = _guarded(record, lambda: source_name(found, record.url), "")
    record.title = _guarded(record, lambda: choose_title(found, record.source), found.title)
    record.authors = _guarded(record, lambda: writers(found, record.source), [])
    claims = (
        plain(found.article.get("description")),
        found.first("og:description", "description", "dc.description"),
    )
    record.description = max(claims, key=len)[:2_000]
    record.extra = _guarded(record, lambda: extras(found, record.url), {})


def _language(record: Record, found: Evidence) -> str:
    """ISO 639-1: by script, else by what the page claims if the words allow it, else by the words."""
    claim = found.language or found.first("og:locale", "content-language", "dc.language", "citation_language")
    claim = re.split(r"[-_,; ]", claim.strip().lower())[0]
    claim = claim if len(claim) == 2 and claim.isalpha() else ""
    sample = f"{record.title}\n{record.text}"[:5_000]
    if len(_HAN.findall(sample)) * 5 > len(sample):
        return "ja" if len(_KANA.findall(sample)) * 10 > len(sample) else "zh"
    likely = detect_fast(sample, n_results=4) if len(sample) >= _TELLING else []
    if claim and (not likely or claim in (name for name, _ in likely)):
        return claim
    return str(likely[0][0]) if likely and likely[0][0] != "unknown" else claim


# --- the text ------------------------------------------------------------------------------------------------


def _plain_text(body: bytes) -> str:
    """The longer lines of a page, its tags struck out.

    No tree is built, so no depth of nesting can hurt (resiliparse takes two seconds for 10,000 nested elements,
    and its time grows with the square of the depth).
    """
    page = _RAW.sub(" ", body.decode("utf-8", "replace"))
    page = unescape(_TAG.sub(" ", _BREAK.sub("\n", page)))
    lines = [" ".join(line.split()) for line in page.split("\n")]
    return "\n".join([line for line in lines if size(line) >= SENTENCE // 2] or filter(None, lines))
