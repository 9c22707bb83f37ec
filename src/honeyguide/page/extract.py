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

from honeyguide.page.charset import to_utf8
from honeyguide.page.dates import published, read_date
from honeyguide.page.keywords import keywords
from honeyguide.page.metadata import Evidence, extras, gather, key, plain, source_name
from honeyguide.page.names import writers
from honeyguide.page.record import Record, whole
from honeyguide.page.scholarly import complete
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
_SENTENCE = 100  # an unlinked run this long is a sentence, not a label
_BLOCKS = frozenset(("ul", "ol", "div", "section", "aside", "table", "nav", "dl", "footer"))
_SILENT = frozenset(("script", "style", "noscript", "template", "svg", "iframe"))
_MORE = re.compile(
    r"[-–•\W]*(?:热门推荐|相关推荐|推荐新闻|推荐阅读|为您推荐|猜你喜欢|相关阅读|相关新闻|延伸阅读|热点新闻|精彩推荐|更多新闻|最新文章|"
    r"you may also like|related (?:stories|articles|content|posts|news|links)|more (?:from|on this|stories|news)|"
    r"read next|recommended|most read|most popular|trending|see also)",
    re.IGNORECASE,
)
_FURNITURE = re.compile(
    r"[-–•*\[(【（\s]*(?:(?:read|see) (?:more|also)\b|related ?:|also on \w|don.?t miss|sign up (?:for|to|here)|"
    r"subscribe (?:to|now|here)|click here|get the latest|like this story|share (?:this|on|it)|"
    r"follow (?:us|@|him on|her on)|advertisement$|tags?(?::|$)|topics?:|copyright\b|©|all rights reserved|"
    r"comments$|(?:责任编辑|责编|编辑|来源|稿源|作者|校对)\s*[：:|]|本文来源|分享到|扫描|扫一扫|点击进入|"
    r"网友评论仅供|违法和不良信息|举报|版权|免责声明)",
    re.IGNORECASE,
)
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
    record.text = "" if tree is None else _guarded(record, lambda: _main_text(tree, elements, record, body), "")
    if not record.text and (text := _guarded(record, lambda: _plain_text(body), "")):
        record.text, record.careful = text, False
    record.text = record.text[:_MOST_TEXT]
    record.language = language or _guarded(record, lambda: _language(record, found), "")
    record.published = _guarded(
        record, lambda: published(found, tree, url, fetched=fetched, language=record.language), None
    )
    record.keywords = _guarded(record, lambda: keywords(record.text, record.language, title=record.title), [])
    _guarded(record, lambda: complete(record, found, body), None)
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
    return "\n".join([line for line in lines if _size(line) >= _SENTENCE // 2] or filter(None, lines))


def _main_text(tree: Any, elements: list[Any], record: Record, body: bytes) -> str:
    """The article without its furniture."""
    _drop_link_lists(tree, elements)
    text = _trafilatura(tree, fast=True)
    if len(text) < _PROSE:
        # The fast way found next to nothing: let its rescuers (readability, justext) have a try.
        text = max(text, _trafilatura(tree, fast=False), key=len)
    return _tidy(_rescued(tree, _widened(tree, text), body), record)


def _rescued(tree: Any, text: str, body: bytes) -> str:
    """The text that a slower search of the untouched page finds, where the fast one was led astray.

    That is so where the page holds far more than was found, and the slower search finds far more of it, in another
    place or where there was next to nothing. If both begin in the same place the shorter is trusted: what the longer
    one adds are other stories, more often than not.
    """
    lines = (_size(" ".join(paragraph.text_content().split())) for paragraph in tree.iter("p"))
    if sum(size for size in lines if size >= _SENTENCE) <= 1.5 * _size(text):
        return text
    slower = _trafilatura(_parse(body, Record(url="")), fast=False)
    if _size(slower) <= 2 * _size(text):
        return text
    first = next((line for line in text.split("\n") if _size(line) >= _TELLING), "")
    astray = len(text) < 2 * _PROSE or " ".join(first.split()) not in " ".join(slower.split())
    return slower if astray else text


def _widened(tree: Any, text: str) -> str:
    """The whole story where a layout cuts it into several containers and the extraction found only one.

    Trusted only if the page has a single article element, that holds what was found and much more like it.
    """
    articles = tree.xpath("//article")
    if len(articles) != 1:
        return text
    lines = [" ".join(paragraph.text_content().split()) for paragraph in articles[0].iter("p")]
    lines = [line for line in lines if _size(line) >= _SENTENCE]
    known = [line for line in (" ".join(line.split()) for line in text.split("\n")) if _size(line) >= _SENTENCE]
    if known and len(text) < 0.7 * sum(map(len, lines)) and set(known) <= set(lines):
        return "\n".join(lines)
    return text


def _trafilatura(tree: Any, *, fast: bool) -> str:
    import trafilatura  # here, since it is slow to import and most commands never need it
    from trafilatura.utils import line_processing, trim

    try:
        return trafilatura.extract(tree, fast=fast, include_comments=False) or ""
    finally:
        # It remembers the last thousand texts it has trimmed, however long: gigabytes, if pages are made for that.
        line_processing.cache_clear()
        trim.cache_clear()


def _drop_link_lists(tree: Any, elements: list[Any]) -> None:
    """Take out the blocks that are mostly links (menus, rankings, related stories) before the text is sought.

    Doing this first makes the extraction a third faster and, above all in Chinese news, much cleaner. A block with
    a heading of the page or one real sentence outside its links stays.
    """
    sizes: dict[Any, tuple[int, int, int, int]] = {}  # letters, letters in links, links, longest unlinked run
    for element in reversed(elements):  # children come before their parents this way round
        if element.tag in _SILENT:
            sizes[element] = (0, 0, 0, 0)
            continue
        run = letters = _size(element.text)
        linked = links = 0
        for child in element:
            size = sizes.get(child)
            if size is not None:
                letters, linked, links, run = (
                    letters + size[0],
                    linked + size[1],
                    links + size[2],
                    max(run, size[3]),
                )
            tail = _size(child.tail)
            letters, run = letters + tail, max(run, tail)
        if element.tag == "a":
            linked, links, run = letters, links + 1, 0
        elif element.tag == "h1" and letters:
            run = letters + _SENTENCE
        sizes[element] = (letters, linked, links, run)
    whole = sizes[tree][0]
    stack = [tree]
    while stack:
        for child in list(stack.pop()):
            letters, linked, links, run = sizes.get(child, (0, 0, 0, 0))
            if links < 3:
                continue
            if child.tag in _BLOCKS and linked * 2 >= letters and run < _SENTENCE and letters * 2 < whole:
                child.clear(keep_tail=True)  # to cut it out would glue tails together, over and over
            else:
                stack.append(child)


def _size(text: str | None) -> int:
    """How much a run of text says: bytes, since a Chinese character says three letters' worth."""
    text = text.strip() if text else ""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _tidy(text: str, record: Record) -> str:
    """Drop the lines that are not the article: its own title, bylines, calls to read more, what comes after."""
    lines = [line.strip() for line in text.split("\n")]
    lines = [line for line in lines if line]
    heads = {key(record.title), key(record.url)} - {""}  # not the description: it may be the lead itself
    while lines and (key(lines[0]) in heads or _FURNITURE.match(lines[0]) or _is_dateline(lines[0])):
        del lines[0]
    last = max((place for place, line in enumerate(lines) if len(line) >= _SENTENCE), default=-1)
    kept: list[str] = []
    for place, line in enumerate(lines):
        if place > last and len(line) <= 40 and _MORE.match(line):
            break  # only short lines follow: a list of other stories
        if not _FURNITURE.match(line) or len(line) > 250:
            kept.append(line)
    return "\n".join(kept or lines)


def _is_dateline(line: str) -> bool:
    return len(line) <= 80 and read_date(line) is not None
