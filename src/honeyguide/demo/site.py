"""Building the demo web: the same pages, to the byte, in every run."""

from __future__ import annotations

import gzip
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from honeyguide.demo import specials
from honeyguide.demo.dice import Dice
from honeyguide.demo.hosts import HOSTS, DemoHost, Spot, plan
from honeyguide.demo.journal import journal_pages
from honeyguide.demo.links import Around, DemoLink, around, bridge
from honeyguide.demo.singles import Single, singles
from honeyguide.demo.specials import file_page, html_page
from honeyguide.demo.templates import anchor, article_page, bare_page, frame, listing, plain_page
from honeyguide.demo.topics import topics
from honeyguide.demo.web import DemoPage, DemoWeb

__all__ = ["build", "feeds", "fronts"]

SEED = 1
PER_PAGE = 14
ON_FRONT = 12
DEAD = 14
READING_LISTS = 10
BARE = 4  # articles that lead nowhere
GZIPPED = 4  # articles of each topic on one host that are sent packed

_STATIC = {
    "en": {
        "about": "A small office, two desks and a kettle. We were here before the stairs were painted.",
        "contact": "Write to the desk, or ring between nine and noon. Letters are read in the order they arrive.",
        "terms": "You may read, print and quote. You may not pretend that any of it happened.",
    },
    "zh": {
        "about": "我们是一个小小的编辑部，两张桌子，一只热水壶。",
        "contact": "请写信到编辑部，或在上午九点到十二点之间来电。",
        "terms": "欢迎阅读、打印和引用，请勿信以为真。",
    },
}


@lru_cache(maxsize=4)
def build(seed: int = SEED) -> DemoWeb:
    """The whole demo web; the same seed gives the same bytes."""
    spots = plan(seed)
    links = around(seed, spots)
    alone = list(singles(seed, spots))
    dead = [HOSTS["news"].url(f"/a/{90_000 + 13 * i}.html") for i in range(DEAD)]
    found = [*fronts(spots), *_static(), *specials.redirects(spots), *specials.copies(spots, links)]
    found += [*specials.robots(), *feeds(spots, alone), *_hub(seed, spots), *_pdfs(spots), *_trap()]
    found.append(_mirror(found))
    extra = _extras(seed, spots, found, alone, dead)
    found += _articles(spots, links, extra)
    found += [_single(single) for single in alone]
    found += journal_pages(seed)
    pages = {page.url: page for page in sorted(found, key=lambda page: page.url)}
    hosts = tuple(host.name for host in HOSTS.values())
    return DemoWeb(pages, hosts, topics(seed, pages), frozenset(dead), bridge(spots))


def _articles(spots: list[Spot], links: dict[str, Around], extra: dict[str, list[DemoLink]]) -> Iterator[DemoPage]:
    """Every article in its page, a few of them served in an odd way."""
    seen: dict[str, int] = defaultdict(int)
    for spot in spots:
        name = spot.host.name.partition(".")[0]
        key = f"{name} {spot.article.topic}"
        nth, seen[key] = seen[key], seen[key] + 1
        charset = {("xinwen tea", 3): "gb18030", ("xinwen rail", 5): "gb18030", ("blog bread", 2): "iso-8859-1"}
        if key == "news chess" and nth < BARE:
            text = bare_page(spot.article)
        else:
            text = article_page(spot, links[spot.url], extra=extra[spot.url])
        page = html_page(
            spot.url, text, kind="article", topic=spot.article.topic, charset=charset.get((key, nth), "utf-8")
        )
        page = replace(page, article=spot.article)
        if name == "science" and nth < GZIPPED:
            page = _gzipped(page)
        if key == "news bees" and nth in _FIRST_ANSWERS:
            page = replace(page, before=_FIRST_ANSWERS[nth])
        yield page


_FIRST_ANSWERS: dict[int, tuple[tuple[int, dict[str, str]], ...]] = {
    4: ((500, {}), (500, {})),
    7: ((503, {"Retry-After": "1"}),),
}


def _gzipped(page: DemoPage) -> DemoPage:
    packed = bytearray(gzip.compress(page.body, 6, mtime=0))
    packed[9] = 255  # the operating system: unknown, whatever this Python would write there
    return replace(page, headers=page.headers | {"Content-Encoding": "gzip"}, body=bytes(packed))


def _single(single: Single) -> DemoPage:
    spot = single.spot
    text = article_page(spot, single.around, head=single.head)
    kind = "article" if single.kind in {"feed", "sitemap", "bridge"} else single.kind
    return replace(html_page(spot.url, text, kind=kind, topic=spot.article.topic), article=spot.article)


def fronts(spots: list[Spot]) -> Iterator[DemoPage]:
    """Front pages and sections, newest first, fourteen to a page."""
    for name, host in HOSTS.items():
        there = [spot for spot in reversed(spots) if spot.host is host]
        if not there:
            continue
        feed = {"news": "/feed.xml", "blog": "/atom.xml", "xinwen": "/rss.xml"}.get(name)
        kind = "atom" if name == "blog" else "rss"
        head = f'<link rel="alternate" type="application/{kind}+xml" href="{feed}">\n' if feed else ""
        # What was published together is not all on the front page: every third is.
        yield html_page(host.front, listing(host, host.title, there[::3][:ON_FRONT], head=head), kind="front")
        for number, title in enumerate(host.sections, 1):
            yield from _section(host, number, title, [spot for spot in there if spot.section == number - 1])


def _section(host: DemoHost, number: int, title: str, there: list[Spot]) -> Iterator[DemoPage]:
    base = host.url(f"/s/{number}/")
    pages = range(0, max(len(there), 1), PER_PAGE)
    for i, start in enumerate(pages, 1):
        older = "更早" if host.language == "zh" else "Older"
        more = [DemoLink(f"{base}?p={i + 1}", older)] if i < len(pages) else None
        text = listing(host, title, there[start : start + PER_PAGE], more=more)
        yield html_page(base if i == 1 else f"{base}?p={i}", text, kind="section")


def _static() -> Iterator[DemoPage]:
    for name, host in HOSTS.items():
        if name == "old":
            continue
        for path, text in _STATIC[host.language].items():
            title = path.capitalize() if host.language == "en" else text[:4]
            yield html_page(host.url(f"/{path}"), plain_page(host, title, [text, host.title]), kind="static")


def feeds(spots: list[Spot], alone: list[Single]) -> Iterator[DemoPage]:
    """Feeds of the newest, sitemaps of more; each knows one article that nothing else mentions."""
    only = {single.kind: single.spot for single in alone}
    for name, path, make in (
        ("news", "/feed.xml", specials.rss),
        ("xinwen", "/rss.xml", specials.rss),
        ("blog", "/atom.xml", specials.atom),
    ):
        there = [spot for spot in reversed(spots) if spot.host is HOSTS[name]][:20]
        there += [only["feed"]] if name == "news" else []
        media = "application/atom+xml" if make is specials.atom else "application/rss+xml"
        yield file_page(HOSTS[name].url(path), "feed", make(HOSTS[name], there), media)
    yield from specials.sitemaps([*spots, only["sitemap"]])


def _hub(seed: int, spots: list[Spot]) -> Iterator[DemoPage]:
    """A portal, reading lists that mix one topic with others, and a page that is nearly all navigation."""
    hub = HOSTS["hub"]
    english = [spot for spot in spots if spot.article.language == "en" and spot.host is not HOSTS["coast"]]
    names = ["bees", "volcanoes", "chess", "bridges", "bread", "tides", "gardens", "council", "bees", "chess"]
    for i, topic in enumerate(names[:READING_LISTS], 1):
        dice = Dice(seed, "list", i)
        own = dice.some([spot for spot in english if spot.article.topic == topic], 7)
        shown = dice.mixed(own + dice.some([spot for spot in english if spot.article.topic != topic], 9))
        yield html_page(hub.url(f"/l/{i}"), listing(hub, f"Reading list {i}", shown), kind="hub")
    fronts = [DemoLink(HOSTS[name].front, HOSTS[name].title) for name in ("news", "science", "blog", "city", "xinwen")]
    fronts += [DemoLink(HOSTS[name].front, HOSTS[name].title) for name in ("trap", "old")]
    fronts += [DemoLink(hub.url(f"/l/{i}"), f"Reading list {i}") for i in range(1, READING_LISTS + 1)]
    yield html_page(hub.front, listing(hub, hub.title, Dice(seed, "hub").some(english, 6), more=fronts), kind="hub")
    many = [DemoLink(spot.url, f"Item {i}") for i, spot in enumerate(Dice(seed, "all").some(english, 120), 1)]
    text = "Pick a number. There is little else to do here, and the list is longer than it looks."
    items = "".join(f'<li><a href="{link.url}">{link.text}</a></li>' for link in many)
    yield html_page(hub.url("/all"), frame(hub, "Everything", f"<p>{text}</p><nav><ul>{items}</ul></nav>"), kind="hub")


def _pdfs(spots: list[Spot]) -> Iterator[DemoPage]:
    science = [spot for spot in spots if spot.host is HOSTS["science"] and spot.article.topic in {"bees", "tides"}]
    for i, spot in enumerate(science[:3], 1):
        lines = [spot.article.title, "", *spot.article.text.replace("\n\n", " ").split(". ")[:30]]
        body = specials.pdf([line[:100] for line in lines])
        page = file_page(HOSTS["science"].url(f"/files/{i}.pdf"), "pdf", body, "application/pdf")
        yield replace(page, topic=spot.article.topic)


def _mirror(copies: list[DemoPage]) -> DemoPage:
    """The front page of the mirror: its copies, by number alone."""
    mirror = HOSTS["mirror"]
    urls = [page.url for page in copies if page.host == mirror.name and page.kind != "robots"]
    after = "".join(anchor(mirror, DemoLink(url, f"Copy {i}")) + " " for i, url in enumerate(urls, 1))
    return html_page(mirror.front, plain_page(mirror, mirror.title, ["Copies, with love."], after=after), kind="front")


def _trap() -> Iterator[DemoPage]:
    """The mouth of the trap; the rest of it is made when asked for."""
    page = specials.trap_page("/")
    assert page is not None
    yield page


def _extras(
    seed: int, spots: list[Spot], found: list[DemoPage], alone: list[Single], dead: list[str]
) -> dict[str, list[DemoLink]]:
    """Odd links dealt out to the sidebars of articles: copies, redirects, closed pages, dead addresses."""
    dice = Dice(seed, "extras")
    english = [spot for spot in spots if spot.article.language == "en" and spot.host is not HOSTS["coast"]]
    odd = [DemoLink(page.url, page.article.title) for page in found if page.kind == "copy" and page.article]
    odd += [DemoLink(page.url, "Under its earlier address") for page in found if page.kind == "redirect"]
    odd += [DemoLink(page.url, "The paper (PDF)") for page in found if page.kind == "pdf"]
    odd += [DemoLink(one.spot.url, one.spot.article.title) for one in alone if one.kind in {"closed", "unlisted"}]
    odd += [DemoLink(url, dice.pick(english).article.title) for url in dead]
    odd += [DemoLink(HOSTS["trap"].front, "What's on"), DemoLink(HOSTS["slow"].front, "From the archive")] * 4
    odd += [DemoLink(HOSTS["hub"].front, "Start here"), DemoLink(HOSTS["hub"].url("/all"), "Everything")] * 3
    dealt: dict[str, list[DemoLink]] = defaultdict(list)
    for link in odd + odd:
        dealt[dice.pick(english).url].append(link)
    return dealt
