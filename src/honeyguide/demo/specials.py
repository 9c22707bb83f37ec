"""The odd parts of the demo web: copies, redirects, feeds, sitemaps, robots.txt, a PDF, a trap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape

from honeyguide.demo.articles import Day
from honeyguide.demo.hosts import HOSTS, DemoHost, Spot
from honeyguide.demo.links import Around, DemoLink
from honeyguide.demo.templates import MONTHS, article_page, frame, plain_page
from honeyguide.demo.web import DemoPage

__all__ = [
    "ROBOTS",
    "atom",
    "copies",
    "file_page",
    "html_page",
    "pdf",
    "redirects",
    "robots",
    "rss",
    "sitemaps",
    "trap_page",
]

ROBOTS = {
    "news": "User-agent: *\nDisallow: /private/\nSitemap: http://news.demo.test/sitemap.xml\n",
    "science": "User-agent: *\nDisallow:\nSitemap: http://science.demo.test/sitemap_index.xml\n",
    "blog": "User-agent: *\nDisallow: /drafts/\n",
    "city": "User-agent: *\nDisallow: /search\nAllow: /search/help\n",
    "slow": "User-agent: *\nDisallow: /tmp/\n",
    "hub": "User-agent: *\nDisallow:\n",
    "mirror": "User-agent: *\nCrawl-delay: 1\n",
    "old": "User-agent: *\nDisallow:\n",
}

REDIRECTS = [  # where, status, to which article (an index) or address
    ("http://news.demo.test/index.html", 301, "http://news.demo.test/"),
    ("http://old.demo.test/", 301, "http://news.demo.test/"),
    ("http://old.demo.test/c/1", 301, "http://old.demo.test/c/2"),
    ("http://old.demo.test/c/2", 302, "http://old.demo.test/c/3"),
    ("http://old.demo.test/l/1", 302, "http://old.demo.test/l/2"),
    ("http://old.demo.test/l/2", 302, "http://old.demo.test/l/1"),
]


def html_page(url: str, text: str, *, kind: str, topic: str | None = None, charset: str = "utf-8") -> DemoPage:
    """A page of HTML in some charset, named in the header only when it is the usual one."""
    named = "text/html" if charset == "gb18030" else f"text/html; charset={charset}"
    text = text.replace('<meta charset="utf-8">', f'<meta charset="{charset}">')
    return DemoPage(url, 200, {"Content-Type": named}, text.encode(charset, "xmlcharrefreplace"), topic, kind, text)


def file_page(url: str, kind: str, body: str | bytes, media: str) -> DemoPage:
    """A page that is not HTML."""
    raw = body if isinstance(body, bytes) else body.encode()
    return DemoPage(url, 200, {"Content-Type": media}, raw, None, kind, "" if isinstance(body, bytes) else body)


def redirect(url: str, status: int, target: str) -> DemoPage:
    """An address that sends on to another."""
    return DemoPage(url, status, {"Location": target, "Content-Type": "text/plain"}, b"moved\n", None, "redirect")


def redirects(spots: list[Spot]) -> Iterator[DemoPage]:
    """Single hops, a chain of three, a loop, and hops to another host."""
    for url, status, target in REDIRECTS:
        yield redirect(url, status, target)
    news = [spot for spot in spots if spot.host is HOSTS["news"]]
    science = [spot for spot in spots if spot.host is HOSTS["science"]]
    yield redirect("http://old.demo.test/c/3", 301, news[3].url)
    for i in range(4):
        yield redirect(f"http://old.demo.test/{i + 1}", 301, news[11 * i + 5].url)
    for i in range(3):
        yield redirect(f"http://news.demo.test/go/{i + 1}", 302, science[9 * i + 2].url)


def copies(spots: list[Spot], links: dict[str, Around]) -> Iterator[DemoPage]:
    """The same article again: on a mirror, under a second address, to be printed, with tracking parameters."""
    news = [spot for spot in spots if spot.host is HOSTS["news"]]
    mirror = HOSTS["mirror"]
    for i, spot in enumerate(news[1::12]):
        canonical = f'<link rel="canonical" href="{spot.url}">\n' if i % 2 else ""
        body = _bare(spot)
        yield _copy(spot, mirror.url(f"/m/{i + 1}.html"), frame(mirror, spot.article.title, body, head=canonical))
    for i, spot in enumerate(news[4::24]):
        # The second address forgets the canonical link, as content systems do.
        page = article_page(spot, links[spot.url])
        yield _copy(spot, HOSTS["news"].url(f"/story?id={i + 1}"), re.sub(r'<link rel="canonical"[^>]*>\n', "", page))
    for spot in news[6::15]:
        head = f'<link rel="canonical" href="{spot.url}">\n<meta name="robots" content="noindex">\n'
        page = frame(spot.host, spot.article.title, _bare(spot), head=head)
        yield _copy(spot, spot.url.replace("/a/", "/print/"), page)
    for spot in news[2::20]:
        yield _copy(spot, spot.url + "?utm_source=feed&utm_medium=rss", article_page(spot, links[spot.url]))


def _bare(spot: Spot) -> str:
    text = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in spot.article.paragraphs)
    return f"<article><h1>{escape(spot.article.title)}</h1>\n{text}</article>"


def _copy(spot: Spot, url: str, text: str) -> DemoPage:
    return replace(html_page(url, text, kind="copy", topic=spot.article.topic), article=spot.article)


def robots() -> Iterator[DemoPage]:
    """The robots.txt of the hosts that have one."""
    for name, text in ROBOTS.items():
        yield file_page(HOSTS[name].url("/robots.txt"), "robots", text, "text/plain")


def _moment(day: Day) -> str:
    return format_datetime(datetime(day.year, day.month, day.day, day.hour, day.minute, tzinfo=UTC))


def rss(host: DemoHost, spots: list[Spot]) -> str:
    """An RSS feed of these articles."""
    items = "".join(
        f"<item><title>{escape(spot.article.title)}</title><link>{escape(spot.url)}</link>"
        f"<pubDate>{_moment(spot.article.published)}</pubDate></item>\n"
        for spot in spots
    )
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>{host.title}</title>'
        f"<link>{host.front}</link><description>Latest</description>\n{items}</channel></rss>\n"
    )


def atom(host: DemoHost, spots: list[Spot]) -> str:
    """An Atom feed of these articles."""
    entries = "".join(
        f'<entry><title>{escape(spot.article.title)}</title><link href="{escape(spot.url)}"/>'
        f"<id>{escape(spot.url)}</id>"
        f"<updated>{spot.article.published.iso}</updated></entry>\n"
        for spot in spots
    )
    return (
        f'<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{host.title}</title><id>{host.front}</id>\n{entries}</feed>\n"
    )


_SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def _sitemap(spots: list[Spot]) -> str:
    urls = "".join(
        f"<url><loc>{escape(spot.url)}</loc><lastmod>{spot.article.published.date}</lastmod></url>\n" for spot in spots
    )
    return f'<?xml version="1.0" encoding="utf-8"?>\n<urlset {_SITEMAP}>\n{urls}</urlset>\n'


def sitemaps(spots: list[Spot]) -> Iterator[DemoPage]:
    """A sitemap of the newest articles on one host, an index of two on another."""
    news = [spot for spot in spots if spot.host is HOSTS["news"]]
    science = [spot for spot in spots if spot.host is HOSTS["science"]]
    xml = "application/xml"
    yield file_page(HOSTS["news"].url("/sitemap.xml"), "sitemap", _sitemap(news[-40:]), xml)
    half = len(science) // 2
    parts = {"/sitemap-1.xml": science[:half], "/sitemap-2.xml": science[half:]}
    for path, part in parts.items():
        yield file_page(HOSTS["science"].url(path), "sitemap", _sitemap(part), xml)
    inside = "".join(f"<sitemap><loc>{HOSTS['science'].url(path)}</loc></sitemap>\n" for path in parts)
    index = f'<?xml version="1.0" encoding="utf-8"?>\n<sitemapindex {_SITEMAP}>\n{inside}</sitemapindex>\n'
    yield file_page(HOSTS["science"].url("/sitemap_index.xml"), "sitemap", index, xml)


def pdf(lines: list[str]) -> bytes:
    """A small PDF of one page, with a true table of offsets."""
    shown = [line.encode("latin-1", "replace").replace(b"\\", b"\\\\").replace(b"(", b"\\(") for line in lines]
    text = b"BT /F1 11 Tf 60 780 Td 16 TL\n"
    text += b"".join(b"(" + line.replace(b")", b"\\)") + b") Tj T*\n" for line in shown) + b"ET\n"
    things = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%sendstream" % (len(text), text),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, thing in enumerate(things, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, thing)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(things) + 1, len(body))
    return body + b"xref\n0 %d\n0000000000 65535 f \n" % (len(things) + 1) + table + end


_MONTH = re.compile(r"/cal/(\d{4})/(\d{2})(?:/(\d{2}))?")
_MAZE = re.compile(r"/x((?:/[ab])*)/?")


def trap_page(path: str) -> DemoPage | None:
    """Any page of the trap: a calendar without end, or a path that grows for ever; None for other paths."""
    host = HOSTS["trap"]
    if path == "/":
        starts = [DemoLink(host.url("/cal/2024/05"), "Calendar"), DemoLink(host.url("/x/a"), "Rooms")]
        text = plain_page(host, "What's on", ["Every event, on every day, in every room."], after=_links(host, starts))
    elif (found := _MONTH.fullmatch(path)) and 1 <= int(found[2]) <= 12:
        text = _calendar(host, int(found[1]), int(found[2]), found[3])
    elif found := _MAZE.fullmatch(path):
        here = host.url("/x" + found[1])
        paths = [DemoLink(f"{here}/{turn}", f"Room {len(found[1]) // 2 + 1}{turn}") for turn in "ab"]
        note = f"You are {len(found[1]) // 2} doors from the entrance."
        text = plain_page(host, "Rooms", [note, "Choose a door."], after=_links(host, paths))
    else:
        return None
    return html_page(host.url(path), text, kind="trap")


def _links(host: DemoHost, links: list[DemoLink]) -> str:
    return " ".join(f'<a href="{link.url.removeprefix(host.url(""))}">{link.text}</a>' for link in links)


def _calendar(host: DemoHost, year: int, month: int, day: str | None) -> str:
    name = f"{MONTHS[month - 1]} {year}"
    count = year * 12 + month - 1
    turns = [
        DemoLink(host.url(f"/cal/{other // 12:04}/{other % 12 + 1:02}"), label)
        for other, label in ((count - 1, "Previous month"), (count + 1, "Next month"))
        if 12 <= other < 120_000
    ]
    if day:
        return plain_page(host, f"{int(day)} {name}", ["No events on this day."], after=_links(host, turns))
    days = [DemoLink(host.url(f"/cal/{year:04}/{month:02}/{n:02}"), str(n)) for n in range(1, 29)]
    return plain_page(host, name, ["Pick a day."], after=_links(host, turns + days))
