"""How the hosts of the demo web dress a page; no word here may belong to a topic."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape

from honeyguide.demo.articles import Article, Day
from honeyguide.demo.hosts import DemoHost, Spot
from honeyguide.demo.links import Around, DemoLink

__all__ = ["MONTHS", "anchor", "article_page", "bare_page", "frame", "listing", "long_date", "plain_page"]

MONTHS = "January February March April May June July August September October November December".split()

_WORDS = {
    "en": {
        "home": "Home", "about": "About us", "contact": "Contact", "terms": "Terms of use", "related": "Related",
        "popular": "Most read", "before": "Earlier", "after": "Later", "print": "Print this page",
        "share": "Share", "mail": "Send by e-mail", "top": "Back to top",
        "letter": "Sign up for our weekly letter. It is free, and you can leave at any time.",
        "cookies": "We use cookies to remember your choices. By reading on you agree.",
        "rights": "All rights reserved. Nothing on this page is real.",
    },
    "zh": {
        "home": "首页", "about": "关于我们", "contact": "联系方式", "terms": "使用条款", "related": "相关阅读",
        "popular": "热门点击", "before": "上一篇", "after": "下一篇", "print": "打印本页",
        "share": "分享", "mail": "邮件转发", "top": "返回顶部",
        "letter": "订阅每周邮件，随时可以退订。",
        "cookies": "本站使用必要的缓存，继续浏览即表示同意。",
        "rights": "版权所有，页面内容纯属虚构。",
    },
}  # fmt: skip


def long_date(day: Day) -> str:
    """A date as people write it.

    >>> long_date(Day(2024, 3, 12))
    '12 March 2024'
    """
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def anchor(host: DemoHost, link: DemoLink, extra: str = "") -> str:
    """A link as this host would write it: by path at home, in full to strangers."""
    home = host.url("")
    href = link.url.removeprefix(home) if link.url.startswith(home + "/") else link.url
    return f'<a href="{escape(href)}"{extra}>{escape(link.text)}</a>'


def _list(host: DemoHost, links: list[DemoLink], name: str) -> str:
    items = "\n".join(f"<li>{anchor(host, link)}</li>" for link in links)
    return f'<ul class="{name}">\n{items}\n</ul>'


def frame(host: DemoHost, title: str, main: str, *, head: str = "", side: str = "", charset: str = "utf-8") -> str:
    """A whole page: the content in the middle, the same noise around it as on every page of the host."""
    words = _WORDS[host.language]
    sections = [DemoLink(host.url(f"/s/{i}/"), name) for i, name in enumerate(host.sections, 1)]
    static = [DemoLink(host.url(f"/{name}"), words[name]) for name in ("about", "contact", "terms")]
    nav = _list(host, [DemoLink(host.front, words["home"]), *sections], "nav")
    return f"""<!DOCTYPE html>
<html lang="{"zh-CN" if host.language == "zh" else "en"}">
<head>
<meta charset="{charset}">
<title>{escape(title)} - {escape(host.title)}</title>
{head}</head>
<body>
<header><p class="brand">{escape(host.title)}</p><nav>{nav}</nav></header>
<p class="notice">{words["cookies"]}</p>
<main>
{main}
</main>
{f"<aside>{side}</aside>" if side else ""}
<footer><p>{words["letter"]}</p>{_list(host, static, "foot")}<p>{words["rights"]}</p>
<a href="#">{words["top"]}</a> <a href="mailto:desk@{host.name}">{words["mail"]}</a>
<a href="javascript:void(0)">{words["share"]}</a></footer>
</body>
</html>
"""


def plain_page(host: DemoHost, title: str, paragraphs: list[str], *, head: str = "", after: str = "") -> str:
    """A page that is no article: about us, terms, a notice."""
    text = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in paragraphs)
    return frame(host, title, f"<h1>{escape(title)}</h1>\n{text}{after}", head=head)


def listing(
    host: DemoHost, title: str, spots: list[Spot], *, more: list[DemoLink] | None = None, head: str = ""
) -> str:
    """A list of articles with their first sentences: a front page, a section, a reading list."""
    stop = "。" if host.language == "zh" else ". "
    items = []
    for spot in spots:
        teaser = spot.article.paragraphs[0].split(stop)[0]
        link = anchor(host, DemoLink(spot.url, spot.article.title))
        items.append(f'<div class="item"><h2>{link}</h2><p>{escape(teaser)}{stop.strip()}</p></div>')
    rest = _list(host, more, "more") if more else ""
    return frame(host, title, f"<h1>{escape(title)}</h1>\n" + "\n".join(items) + rest, head=head)


def article_page(spot: Spot, links: Around, *, head: str = "", extra: list[DemoLink] | None = None) -> str:
    """An article the way its host shows it."""
    host, article = spot.host, spot.article
    words = _WORDS[host.language]
    style = _STYLES[host.name.partition(".")[0]]
    heads, byline, attributes = style(spot)
    text = [f"<p>{escape(paragraph)}</p>" for paragraph in article.paragraphs]
    for i, link in enumerate(links.inline):
        place = 1 + i % len(text)
        text[place - 1] = text[place - 1].removesuffix("</p>") + f" ({anchor(host, link)})</p>"
    main = f"""<article{attributes}>
<h1>{escape(article.title)}</h1>
{byline}
{chr(10).join(text)}
</article>
<section class="related"><h3>{words["related"]}</h3>{_list(host, links.related, "links")}</section>
{_beside(host, links, words)}"""
    side = f"<h3>{words['popular']}</h3>{_list(host, links.popular, 'links')}"
    if extra:
        side += _list(host, extra, "extra")
    return frame(host, article.title, main, head=heads + head, side=side)


def bare_page(article: Article) -> str:
    """An article and nothing else: no navigation, no link, a dead end."""
    text = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in article.paragraphs)
    title = escape(article.title)
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body><article><h1>{title}</h1>\n{text}</article></body></html>\n"
    )


def _beside(host: DemoHost, links: Around, words: dict[str, str]) -> str:
    marks = [words["before"], words["after"]][-len(links.beside) :] if links.beside else []
    pairs = zip(marks, links.beside, strict=True)
    return '<p class="beside">' + " ".join(f"{mark}: {anchor(host, link)}" for mark, link in pairs) + "</p>"


_Dress = tuple[str, str, str]  # what goes into the head, the line under the headline, attributes of the article


def _by(article: Article) -> str:
    return " and ".join(article.authors)


def _gazette(spot: Spot) -> _Dress:
    article = spot.article
    facts = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": article.title,
        "datePublished": article.published.iso,
        "author": [{"@type": "Person", "name": name} for name in article.authors],
        "publisher": {"@type": "Organization", "name": article.source},
    }
    title = escape(article.title)
    head = (
        f'<link rel="canonical" href="{spot.url}">\n<meta property="og:title" content="{title}">\n'
        f'<meta property="og:type" content="article">\n'
        f'<link rel="alternate" type="application/rss+xml" href="/feed.xml">\n'
        f'<script type="application/ld+json">{json.dumps(facts)}</script>\n'
    )
    day = article.published
    return head, (
        f'<p class="byline">By <span class="author">{_by(article)}</span>, {escape(article.source)}, '
        f'<time datetime="{day.iso}">{long_date(day)}</time></p>'
    ), ""  # fmt: skip


def _journal(spot: Spot) -> _Dress:
    article = spot.article
    head = (
        f'<meta property="article:published_time" content="{article.published.iso}">\n'
        + "".join(f'<meta name="author" content="{name}">\n' for name in article.authors)
        + f'<meta property="og:site_name" content="{article.source}">\n'
    )
    return head, f'<p class="meta">Published {long_date(article.published)} · {_by(article)}</p>', ""


def _diary(spot: Spot) -> _Dress:
    article = spot.article
    head = '<link rel="alternate" type="application/atom+xml" href="/atom.xml">\n'
    return head, (
        f'<p>Posted on <time class="dt-published" datetime="{article.published.date}">'
        f"{long_date(article.published)}</time> by "
        f'<a rel="author" href="/about">{_by(article)}</a> for {article.source}</p>'
    ), ' class="h-entry"'  # fmt: skip


def _notice(spot: Spot) -> _Dress:
    article = spot.article
    return "", (
        f'<p class="date">{long_date(article.published)}</p><p class="src">Source: {article.source}. '
        f"Text: {_by(article)}</p>"
    ), ""  # fmt: skip


def _shelf(spot: Spot) -> _Dress:
    article, day = spot.article, spot.article.published
    head = f'<meta name="date" content="{day.date}">\n'
    american = f"{MONTHS[day.month - 1]} {day.day}, {day.year}"
    return head, f"<p><i>{_by(article)} ({article.source}), {american}</i></p>", ""


def _shore(spot: Spot) -> _Dress:
    article, day = spot.article, spot.article.published
    return "", (
        f'<p><span itemprop="author">{_by(article)}</span>, <span itemprop="publisher">{article.source}</span>, '
        f'<span itemprop="datePublished" content="{day.date}">{long_date(day)}</span></p>'
    ), ' itemscope itemtype="https://schema.org/Article"'  # fmt: skip


def _wire(spot: Spot) -> _Dress:
    article, day = spot.article, spot.article.published
    stamp = f"{day.year}年{day.month}月{day.day}日 {day.hour:02}:{day.minute:02}"
    return "", (
        f'<div class="info"><span>{stamp}</span>　来源：{article.source}　作者：{"、".join(article.authors)}</div>'
    ), ""  # fmt: skip


_STYLES: dict[str, Callable[[Spot], _Dress]] = {
    "news": _gazette,
    "science": _journal,
    "blog": _diary,
    "city": _notice,
    "slow": _shelf,
    "coast": _shore,
    "xinwen": _wire,
}
