"""Who published it: what a page calls its source, else the paper, site or account whose page it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from honeyguide.page.dates import is_all_of, read_date
from honeyguide.page.metadata import Evidence, key, person_names
from honeyguide.page.titles import ADDRESS, PARTS

__all__ = ["source_name"]

_HAN = re.compile(r"[\u4e00-\u9fff]")
_LABEL = re.compile(
    r"(?:(?<![\u4e00-\u9fff])|(?<=文章)|(?<=本文)|(?<=信息)|(?<=稿件)|(?<=新闻))(?:来源于?|稿源)\s*[：:|\n]\s*"
    r"([^\s：:|，,。；;]{2,20})"
)
_NOT_SOURCE = re.compile(
    r"^(?:作者|来源|时间|编辑|发布|浏览|点击|字号|责任|未知|原创|本站|网络|互联网|转载|综合|\d)|^[\W\d]+$"
)
_BRACKETS = "《》〈〉【】()（）[]\"'“”"
_SOFTWARE = frozenset(("blogger", "wordpress", "wordpresscom"))  # what pages are made with, not who makes them
_TAGLINE = re.compile(r"\s+[|–—-]\s+|\s*[|_]\s*")
# What stands beside the name of who published: a date without a year, a word for one, a button to follow them.
_WHEN = re.compile(r"时间\s*[：:]\s*\d|^(?:刚刚|昨天|前天|今天)$|^\+?\s?关注$")
_HEAD = 15  # lines below the headline among which those of date and source are
_NOT_BESIDE = re.compile(
    r"原创|关注|分享|收藏|评论|举报|打印|字号|字体|阅读|浏览|点击|参与|来源|作者|记者|时间|日期|编辑|责编|正文|首页|[大中小]$"
    r"|微博|微信|订阅|下载|播放|点赞|客户端|^(?:[\W\d]+|\w)$|[，。：:！？!?（(]"
    r"|^(?:时政|国内|国际|社会|财经|科技|体育|娱乐|军事|教育|健康|汽车|房产|本地|综合|热点|头条|滚动)(?:新闻|要闻|资讯|频道|动态)?$"
)


def source_name(found: Evidence, url: str) -> tuple[str, str]:
    """Who published the page: a name if it gives one, else its host; and where that stands."""
    for name, place in _named(found):
        if 1 < len(name) <= 80 and not name.startswith(("http:", "https:", "//")):
            return name, place
    try:
        return (urlsplit(url).hostname or "").removeprefix("www."), "address"
    except ValueError:
        return "", ""


def _named(found: Evidence) -> Iterator[tuple[str, str]]:
    """The names a page gives, the most trusted first."""
    for publisher in person_names(found.article.get("publisher"), found.by_id)[:1]:
        if key(publisher) not in _SOFTWARE:
            yield publisher, "json-ld"
    for site in found.all("og:site_name")[:1]:
        yield _TAGLINE.split(site.lstrip("@"))[0], "meta tags"
    for match in _LABEL.finditer(f"{found.lead}\n{found.short}"):
        name = match.group(1).strip(_BRACKETS)
        if not _NOT_SOURCE.search(name):
            yield name, "label"
    for said in found.all("source", "application-name")[:1]:
        if "/" not in said and not _NOT_SOURCE.search(said):
            yield said, "meta tags"
    for name in _beside_date(found):
        yield name, "byline"
    for name in _after_title(found):
        yield name, "title tag"


def _beside_date(found: Evidence) -> Iterator[str]:
    """The name that stands beside the date below a Chinese headline, as a paper's or an account's does there."""
    lines = found.lead.split("\n")[:_HEAD] if _HAN.search(found.heading or found.title) else []
    for place, line in enumerate(lines):
        if _WHEN.search(line) or (read_date(line) and is_all_of(line)):
            before = [name for name in lines[max(0, place - 1) : place] if key(name) != key(found.heading)]
            names = (*before, *lines[place + 1 : place + 2])
            yield from (name for name in names if len(name) <= 16 and not _NOT_BESIDE.search(name))
            return


def _after_title(found: Evidence) -> Iterator[str]:
    """What the title tag adds to the headline that the page shows: the name of the site, last."""
    headline = key(found.heading)
    parts = [part.strip() for part in PARTS.split(found.title)]
    if len(parts) < 2 or not headline or not key(found.title).startswith(headline):
        return
    rest = [part for part in parts if part and key(part) not in headline]
    named = [part for part in rest if not ADDRESS.match(part)] or rest
    yield from (name for name in named[-1:] if len(name) <= 40)
