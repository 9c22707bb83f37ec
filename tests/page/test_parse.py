"""The first look at a page, whatever the page is."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from honeyguide.page.parse import Parser
from honeyguide.web.archive import ArchiveWeb
from honeyguide.web.urls import Base
from tests.clock import grows
from tests.page.looking import URL, look, looking, urls

# -- links in their place ---------------------------------------------------------------------------------------


def test_a_link_carries_its_anchor_the_words_around_it_and_its_heading() -> None:
    page = look("<h2>Life in <i>the hive</i></h2><p>Drones and queens <a href=/wax>make <b>wax</b> combs</a> in spring")
    (link,) = page.links
    assert (link.url, link.anchor) == ("http://a.test/wax", "make wax combs")
    assert page.anchor_terms(link) == ["wax", "comb"]
    assert page.around(link) == ["drone", "queen", "spring"]
    assert page.heading(link) == "Life in the hive"
    assert page.blocks[link.block].path == "body/p"


def test_the_heading_of_a_link_is_the_last_one_above_it() -> None:
    page = look(
        "<a href=/0>a</a><h1>One</h1><a href=/1>a</a><h3>Two</h3><p><a href=/2>a</a><h2><a href=/3>Three</a></h2>"
    )
    assert [page.heading(link) for link in page.links] == ["", "One", "Two", "Two"]


def test_links_of_one_list_are_siblings_and_an_inner_list_is_its_own() -> None:
    page = look("<ul><li><a href=/a>a</a><ul><li><a href=/b>b</a></ul><li><a href=/c>c</a></ul><p><a href=/d>d</a>")
    names = {link.anchor: [other.anchor for other in page.siblings(link)] for link in page.links}
    assert names == {"a": ["c"], "b": [], "c": ["a"], "d": []}


def test_links_of_one_table_are_siblings_across_its_cells() -> None:
    page = look("<table><tr><td><a href=/a>a</a><td><a href=/b>b</a><tr><td><a href=/c>c</a></table><a href=/d>d</a>")
    assert [other.anchor for other in page.siblings(page.links[0])] == ["b", "c"]


def test_a_link_without_text_is_named_by_its_title_or_alt() -> None:
    page = look("<a href=/1 title='The hive'> </a><map><area href=/2 alt='The queen'></map><a href=/3></a>")
    assert [link.anchor for link in page.links] == ["The hive", "The queen", ""]


def test_a_link_met_twice_is_given_twice_with_each_place() -> None:
    page = look("<p>Read <a href=/x>bees</a><p>More <a href=/x#part>honey</a>")
    assert [(link.url, link.anchor, link.block) for link in page.links] == [
        ("http://a.test/x", "bees", 0),
        ("http://a.test/x", "honey", 1),
    ]


def test_a_very_long_anchor_is_cut() -> None:
    assert len(look(f"<a href=/x>{'honey ' * 1000}</a>").links[0].anchor) == 200


def test_links_to_the_page_itself_and_to_what_is_no_page_are_left_out() -> None:
    page = "".join(
        f'<a href="{href}">x</a>'
        for href in (
            "",
            "#top",
            "page",
            URL,
            "javascript:alert(1)",
            "mailto:a@b",
            "tel:1",
            "data:,x",
            "ftp://a/",
            "http://",
        )
    )
    assert urls(page + "<a href>x</a><a name=x>x</a><a href=/ok>x</a>") == ["/ok"]


def test_tracking_and_credentials_in_links_are_dropped() -> None:
    assert urls("<a href='//u:p@a.test/x?utm_source=y&id=1#z'>x</a>") == ["/x?id=1"]


# -- what the page says of itself -------------------------------------------------------------------------------


def test_the_first_base_moves_all_relative_links() -> None:
    assert urls("<base href='/other/'><base href='/third/'><a href=x>x</a><a href='?q'>x</a>") == [
        "/other/x",
        "/other/?q",
    ]


@pytest.mark.parametrize("base", ["javascript:1", "data:,", "", "http://", "x" * 5_000])
def test_a_base_that_is_no_address_is_passed_over(base: str) -> None:
    assert urls(f"<base href='{base}'><a href=x>x</a>") == ["/dir/x"]


@pytest.mark.parametrize("rel", ["nofollow", "UGC", "noopener sponsored", "external NoFollow"])
def test_links_the_page_does_not_vouch_for_are_left_out(rel: str) -> None:
    assert urls(f"<a href=/1 rel='{rel}'>x</a><a href=/2 rel='tag noopener'>y</a>") == ["/2"]


@pytest.mark.parametrize(
    ("said", "noindex", "nofollow"),
    [
        ("noindex", True, False),
        ("NOFOLLOW", False, True),
        ("noindex, nofollow", True, True),
        ("none", True, True),
        ("index, follow", False, False),
        ("noarchive, nosnippet, noimageindex", False, False),
        ("", False, False),
    ],
)
def test_robots_directives_hold_in_the_page_and_in_the_header(said: str, noindex: bool, nofollow: bool) -> None:
    body = "<a href=/1>x</a><link rel=alternate type=application/rss+xml href=/feed>"
    for page in (
        look(f"<meta name=Robots content='{said}'>{body}"),
        look(f"<meta name=honeyguide content='{said}'>{body}"),
        look(body, robots=[said]),
    ):
        assert (page.noindex, page.nofollow) == (noindex, nofollow)
        assert [link.url for link in page.links] == ([] if nofollow else ["http://a.test/1", "http://a.test/feed"])


def test_directives_for_another_crawler_in_the_page_are_not_ours() -> None:
    assert not look("<meta name=googlebot content='noindex, nofollow'><a href=/1>x</a>").noindex


def test_the_head_is_read_for_title_canonical_description_date_and_kind() -> None:
    page = look(
        "<html lang=en-GB><title>\n Bees\n and honey </title><link rel='x CANONICAL' href='/canon?utm_source=1#x'>"
        "<meta name=description content='All about bees'><meta property=og:description content=other>"
        "<meta property=article:published_time content=2014-07-17T13:15:00Z><p>x"
    )
    assert page.title == "Bees and honey"
    assert page.canonical == "http://a.test/canon"
    assert page.description == "All about bees"
    assert page.published == "2014-07-17T13:15:00Z"
    assert page.article
    assert page.language == "en"


@pytest.mark.parametrize(
    ("head", "article"),
    [
        ('<script type="application/ld+json">{"@type" : "NewsArticle"}</script>', True),
        ('<script type="application/ld+json">{"@type":"WebSite"}</script>', False),
        ("<meta property=og:type content=Article>", True),
        ("<meta property=og:type content=website>", False),
        ("<meta name=citation_title content=x>", True),
        ("", False),
    ],
)
def test_markup_tells_an_article(head: str, article: bool) -> None:
    assert look(head + "<p>x").article is article


def test_a_canonical_that_is_no_address_is_none() -> None:
    assert look("<link rel=canonical href='javascript:1'>").canonical == ""
    assert look("<link rel=canonical>").canonical == ""


def test_feeds_named_in_the_head_are_links_in_no_block() -> None:
    page = look(
        "<link rel=alternate type='application/rss+xml' title='All news' href=/rss>"
        "<link rel=alternate hreflang=de href=/de>"
        "<link rel='ALTERNATE' type='application/atom+xml' href=atom><link rel=stylesheet href=/css>"
    )
    assert [(link.url, link.anchor, link.block, link.rel) for link in page.links] == [
        ("http://a.test/rss", "All news", -1, "alternate"),
        ("http://a.test/dir/atom", "", -1, "alternate"),
    ]


def test_links_and_feeds_out_of_scope_are_left_out() -> None:
    body = b"<link rel=alternate type=application/rss+xml href=/no/feed><a href=/no/1>x</a><a href=/yes>y</a>"
    page = Parser(lambda url: "/no/" not in url).html(body, URL)
    assert [link.url for link in page.links] == ["http://a.test/yes"]


# -- real pages -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def schools(shared: Path) -> Iterator[list[tuple[str, bytes]]]:
    """Two hundred real pages from all over the web of schools, and their addresses."""
    web = ArchiveWeb(shared / "webs" / "schools")

    async def read() -> list[tuple[str, bytes]]:
        return [(url, (await web.fetch(url)).body) for url in list(web.urls())[:: len(web) // 200][:200]]

    yield asyncio.run(read())
    asyncio.run(web.close())


@pytest.mark.parametrize("text", [True, False])
def test_every_link_of_two_hundred_real_pages_is_found_in_order(schools: list[tuple[str, bytes]], text: bool) -> None:
    total = closed = 0
    for url, body in schools:
        base, tree = Base(url), LexborHTMLParser(body)
        plain = [base.join(node.attributes["href"] or "") for node in tree.css("a[href],area[href]")]
        page = Parser(structure=text).html(body, url)
        expected = [] if page.nofollow else [link for link in plain if link and link != url]
        assert [link.url for link in page.links if link.block >= 0] == expected, url
        total += len(page.links)
        closed += page.nofollow
        assert page.nofollow == bool(tree.css_first('meta[name="robots"][content*="nofollow"]')), url
    assert total > 5_000
    assert closed < 30  # some pages of this web do ask not to be followed


def test_anchors_of_real_pages_are_what_a_reader_sees(schools: list[tuple[str, bytes]]) -> None:
    for url, body in schools:
        seen: set[str] = set()
        for node in LexborHTMLParser(body).css("a[href],area[href]"):
            shown = [
                node.text(),
                *(one.attributes.get(name) for one in (node, *node.css("img")) for name in ("title", "alt")),
            ]
            seen |= {word for text in shown for word in (text or "").split()}
        page = Parser().html(body, url)
        for link in page.links:
            assert set(link.anchor[:150].split()[:-1]) <= seen, url  # the last word may be cut
        assert sum(bool(link.anchor) for link in page.links) > len(page.links) / 2 or len(page.links) < 10, url


# -- found wanting ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["max-image-preview:none", "index, follow, max-image-preview: none"])
def test_a_page_that_only_limits_previews_may_be_indexed_and_followed(said: str) -> None:
    page = look(f"<meta name=robots content='{said}'><a href=/1>x</a>")
    assert not page.noindex
    assert len(page.links) == 1


def test_header_directives_for_another_crawler_are_not_ours() -> None:
    assert not look("<p>x", robots=["otherbot: noindex, nofollow"]).noindex


def test_an_image_link_is_named_by_the_text_of_its_image() -> None:
    page = look("<p>See <a href=/1><img src=i.png alt='Honey jar'></a> here")
    assert page.links[0].anchor == "Honey jar"
    assert page.anchor_terms(page.links[0]) == ["honey", "jar"]


def test_a_card_link_is_named_by_its_text() -> None:
    page = look("<ul><li><a href=/1><div><h3>Honey bees</h3><p>They live in hives</p></div></a></ul>")
    assert page.links[0].anchor.startswith("Honey bees")
    assert page.anchor_terms(page.links[0])[:2] == ["honey", "bee"]


def test_forty_thousand_feeds_in_the_head_are_cut_off() -> None:
    page = look(b"<link rel=alternate type=application/rss+xml href=/f>" * 40_000)
    assert len(page.links) <= 5_000


def test_a_page_of_nothing_but_opening_tags_takes_bounded_time() -> None:
    grows(lambda count: looking(b"<div>" * count), 30_000)


def test_a_tag_with_very_many_attributes_takes_bounded_time() -> None:
    grows(lambda count: looking(b"<p " + b" ".join(b"a%d=1" % n for n in range(count)) + b">x"), 20_000)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read as Linux tells it")
def test_a_small_page_takes_bounded_memory() -> None:
    script = """
        from pathlib import Path
        from honeyguide.page.parse import Parser
        body = b"<p>" + b"".join(b"<b id=%d>" % n for n in range(1500)) + b"<p>x" * 1500
        Parser().html(body, "http://a.test/")
        # Not getrusage: its peak counts what the process that started this one held.
        print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
    """
    limit = 2_000_000_000
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # room for a thread on each of many cores is not the page's
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) < 400_000


@pytest.mark.parametrize("structure", [True, False])
def test_a_link_of_another_markup_within_the_page_does_no_harm(structure: bool) -> None:
    body = b"<p><a href='/hive'>hive</a> <math><a xlink:href='/x'>y</a></math>"
    assert [link.url for link in Parser(structure=structure).html(body, URL).links] == [Base(URL).join("/hive")]
