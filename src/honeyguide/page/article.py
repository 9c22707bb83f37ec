"""The text of an article, without the furniture of its page.

trafilatura seeks it, on a page whose link lists were taken out before. resiliparse, which goes by other rules, is asked
for a second opinion: where the two do not agree, trafilatura seeks again and more strictly, and the text that agrees
better is taken, unless it leaves out most of what the page says. `benchmarks/extraction_rules.py` shows what each
step brings.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray
from resiliparse.extract.html2text import extract_plain_text

from honeyguide.page.dates import is_all_of, read_date
from honeyguide.page.metadata import key
from honeyguide.page.record import Record
from honeyguide.page.tame import tame

__all__ = ["SENTENCE", "main_text", "size"]

SENTENCE = 100  # an unlinked run this long is a sentence, not a label
_AGREED = 0.9  # from here on two texts are the same, but for a line or two
_COMPARED = 30_000  # characters of a text that are compared with another's
_BLOCKS = frozenset(("ul", "ol", "div", "section", "aside", "table", "nav", "dl", "footer"))
_SILENT = frozenset(("script", "style", "noscript", "template", "svg", "iframe"))
_MORE = re.compile(
    r"[-–•\W]*(?:热门推荐|相关推荐|推荐阅读|相关阅读|相关新闻|延伸\W{0,3}(?:阅读|推荐)|you may also like)",
    re.IGNORECASE,
)
_FURNITURE = re.compile(
    r"[-–•*\[(【（\s]*(?:(?:read|see) (?:more|also)\b|related ?:|subscribe (?:to|now|here)|click here|advertisement$|"
    r"tags?(?::|$)|copyright\b|comments$|分享到|扫一扫|举报|网友评论仅供)",
    re.IGNORECASE,
)
# What stands around a Chinese article: who wrote, took and edited it, its old title, the size of its letters.
_HAN_LABEL = re.compile(
    r"[-\[(【（〔\s]*(?:(?:责任编辑|责编|编辑|编译|来源|本文来源|文章来源|稿源|作者|记者|采写|撰文|执笔|文字|摄影|校对|审核|监制|(?:本文)?原标题|原题为"
    r"|字号|字体|发布时间|发布日期|最后更新|位置)\s*[：:|/《]|字号|【?[大中小]】?(?:\s*[|/]?\s*【?[大中小]】?){1,2}\s*$"
    r"|【?(?:打印|关闭|收藏|分享|纠错|原创|×|知道了))"
)
_HAN_BYLINE = re.compile(
    r"[^，。！？]{0,20}(?:记者|编辑|校对|摄影|供稿|采写)(?:[\s/：:|]+[\u4e00-\u9fff·]{2,8})+\s*[)）]?$"
)
_HAN_NOTICE = re.compile(
    r"二维码|未经.{0,4}(?:授权|允许)|不得转载|转[载发]请注明|仅代表.{0,12}观点|版权所有|免责声明|关键词 ?>>"
)
_DATELINE = 80  # characters
_FACTOR = np.uint64(0x9E37_79B9_7F4A_7C15)  # odd and large: runs that differ get numbers that do
_Runs = tuple[NDArray[np.uint64], NDArray[np.intp]]


def main_text(tree: Any, elements: list[Any], record: Record, body: bytes) -> tuple[str, float]:
    """The article without its furniture, and how far two ways of seeking it agree: from 0 to 1.

    `tree` is what `body` was parsed into; it is changed.
    """
    _drop_link_lists(tree, elements)
    text, agreement = _agreed(tree, body)
    return _led(tree, _tidy(_widened(tree, text), record)), round(agreement, 2)


def size(text: str | None) -> int:
    """How much a run of text says: bytes, since a Chinese character says three letters' worth."""
    text = text.strip() if text else ""
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _agreed(tree: Any, body: bytes) -> tuple[str, float]:
    """What trafilatura finds, or what it finds when it is strict, if that is nearer to what resiliparse does."""
    text = _trafilatura(tree)
    page = tame(body)[0].decode("utf-8", "replace")
    other = _runs(extract_plain_text(page, main_content=True, alt_texts=False, list_bullets=False))
    agreement = _agreement(_runs(text), other)
    if agreement >= _AGREED:
        return text, agreement
    strict = _trafilatura(tree, favor_precision=True)
    paragraphs = sum(length for length in map(size, _paragraphs(tree)) if length >= SENTENCE)
    most_is_there = 2 * size(strict) >= min(size(text), paragraphs)
    better = _agreement(_runs(strict), other)
    return (strict, better) if most_is_there and better > agreement else (text, agreement)


def _runs(text: str) -> _Runs:
    """The runs of eight characters of a text, its spaces left out: each as a number, and how often it is there.

    Numbers, since counting strings took as long as trafilatura does.
    """
    bare = "".join(text[:_COMPARED].split())
    codes = np.frombuffer(bare.ljust(8, "\0").encode("utf-32-le", "replace"), np.uint32).astype(np.uint64)
    numbers = np.zeros(len(codes) - 7, np.uint64)
    for place in range(8):
        numbers = numbers * _FACTOR + codes[place : place + len(numbers)]
    return np.unique(numbers, return_counts=True)


def _agreement(one: _Runs, other: _Runs) -> float:
    """The part of two texts that is the same: F1 of their runs of eight characters."""
    _, mine, theirs = np.intersect1d(one[0], other[0], assume_unique=True, return_indices=True)
    return float(2 * np.minimum(one[1][mine], other[1][theirs]).sum() / (one[1].sum() + other[1].sum()))


def _paragraphs(tree: Any) -> list[str]:
    return [" ".join(paragraph.text_content().split()) for paragraph in tree.iter("p")]


def _trafilatura(tree: Any, *, favor_precision: bool = False) -> str:
    import trafilatura  # here, since it is slow to import and most commands never need it
    from trafilatura.utils import line_processing, trim

    try:
        return trafilatura.extract(tree, include_comments=False, favor_precision=favor_precision) or ""
    finally:
        # It remembers the last thousand texts it has trimmed, however long: gigabytes, if pages are made for that.
        line_processing.cache_clear()
        trim.cache_clear()


def _widened(tree: Any, text: str) -> str:
    """The whole story where a layout cuts it into several containers and the search found only one of them.

    They bear the same name: those that do belong together if all that was found stands in them, and is not most of it.
    """
    found = (" ".join(line.split()) for line in text.split("\n"))
    known = {line for line in found if size(line) >= SENTENCE}
    named: dict[tuple[str, str], list[tuple[Any, str]]] = {}
    for paragraph in tree.iter("p"):
        parent = paragraph.getparent()
        if name := parent.get("class"):
            line = " ".join(paragraph.text_content().split())
            named.setdefault((parent.tag, name), []).append((parent, line))
    for there in named.values():
        lines = [line for _, line in there if line]
        if (
            known
            and known <= set(lines)
            and len(text) < 0.7 * sum(map(len, lines))
            and len({id(parent) for parent, _ in there}) > 1
        ):
            return "\n".join(lines)
    return text


def _led(tree: Any, text: str) -> str:
    """The text, and in front of it the paragraphs that stand right before its first, should the search pass them by."""
    first, there = text.partition("\n")[0], key(text[:_COMPARED])
    lines: list[str] = []
    for paragraph in tree.iter("p") if size(first) >= SENTENCE else ():
        if key(paragraph.text_content()) == key(first):
            above = (" ".join(one.text_content().split()) for one in paragraph.itersiblings("p", preceding=True))
            lines = [line for line in above if size(line) >= SENTENCE and key(line) not in there]
            break
    return "\n".join([*reversed(lines), text])


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
        run = letters = size(element.text)
        linked = links = 0
        for child in element:
            below = sizes.get(child)
            if below is not None:
                letters, linked, links, run = (
                    letters + below[0],
                    linked + below[1],
                    links + below[2],
                    max(run, below[3]),
                )
            tail = size(child.tail)
            letters, run = letters + tail, max(run, tail)
        if element.tag == "a":
            linked, links, run = letters, links + 1, 0
        elif element.tag == "h1" and letters:
            run = letters + SENTENCE
        sizes[element] = (letters, linked, links, run)
    whole = sizes[tree][0]
    stack = [tree]
    while stack:
        for child in list(stack.pop()):
            letters, linked, links, run = sizes.get(child, (0, 0, 0, 0))
            if links < 3:
                continue
            if child.tag in _BLOCKS and linked * 2 >= letters and run < SENTENCE and letters * 2 < whole:
                child.clear(keep_tail=True)  # to cut it out would glue tails together, over and over
            else:
                stack.append(child)


def _tidy(text: str, record: Record) -> str:
    """Drop the lines that are not the article: its own title, bylines, calls to read more, what comes after."""
    lines = [line for line in map(_cell, text.split("\n")) if line]
    heads = {key(record.title), key(record.url)} - {""}  # not the description: it may be the lead itself
    first = next((place for place, line in enumerate(lines) if size(line) >= SENTENCE), 0)
    above = (place for place, line in enumerate(lines[:first]) if key(line) in heads or _is_dateline(line))
    lines = lines[max(above, default=-1) + 1 :]  # what stands above the title or the date is no part of the story
    while lines and (key(lines[0]) in heads or _is_furniture(lines[0])):
        del lines[0]
    last = max((place for place, line in enumerate(lines) if len(line) >= SENTENCE), default=-1)
    kept: list[str] = []
    for place, line in enumerate(lines):
        if place > last and len(line) <= 40 and _MORE.match(line):
            break  # only short lines follow: a list of other stories
        if not _is_furniture(line):
            kept.append(line)
    return "\n".join(kept or lines)


def _cell(line: str) -> str:
    """A line without the bars of a table that has but one cell in it: such tables are there for the layout."""
    line = line.strip()
    if not (line.startswith("|") and line.endswith("|")):
        return line
    cells = [cell for cell in map(str.strip, line.split("|")) if cell.strip("\\ -")]
    return line if len(cells) > 1 else "".join(cells)


def _is_dateline(line: str) -> bool:
    return len(line) <= _DATELINE and read_date(line) is not None and is_all_of(line)


def _is_furniture(line: str) -> bool:
    line = line.strip("| ")
    if len(line) > 250:
        return False
    if line.isascii():
        return bool(_FURNITURE.match(line))
    short = len(line) <= 60
    return bool(
        _FURNITURE.match(line)
        or _HAN_NOTICE.search(line)
        or (short and (_HAN_LABEL.match(line) or _HAN_BYLINE.match(line)))
    )
