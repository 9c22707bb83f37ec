# ruff: noqa: E501 - a page on one line is easier to read than one cut in two
"""Evidence: what a page says of itself, titles, sources and names."""

from __future__ import annotations

import json

import pytest
from lxml import html as lxml_html

from honeyguide.page.metadata import Evidence, extras, gather
from honeyguide.page.names import split_names, writers
from honeyguide.page.sources import source_name
from honeyguide.page.titles import choose_title

URL = "https://www.hive.example/story"


def read(page: str) -> Evidence:
    return gather(lxml_html.document_fromstring(page))


def linked(**claims: object) -> str:
    node = {"@type": "NewsArticle", "headline": "x"} | claims
    return f'<script type="application/ld+json">{json.dumps(node)}</script>'


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>Bees return - The Hive</title><h1>Bees return</h1>", "Bees return"),
        ("<title>The Hive | Bees return</title><h1>Bees return</h1>", "Bees return"),
        ("<title>Bees return to the old town | Hive</title>", "Bees return to the old town"),
        ("<title>蜂群回到老城区_新闻频道_某某网</title>", "蜂群回到老城区"),
        ("<title>Bees return - paper/123</title><h2>Menu</h2>", "Bees return"),
        ('<meta property="og:title" content="Bees return | Hive"><meta property="og:site_name" content="Hive">', "Bees return"),
        ('<meta property="og:title" content="Bees find their way…"><h1>Bees find their way home</h1>', "Bees find their way home"),
        ('<title>Bees "dance" home</title><meta property="og:title" content="Bees "><h1>Bees "dance" home</h1>', 'Bees "dance" home'),
        ('<meta name="citation_title" content="On bees"><meta property="og:title" content="Journal: On bees">', "On bees"),
        (linked(headline="Bees &amp; honey") + "<title>Other</title>", "Bees & honey"),
        # What its readers see comes before what searchers shall find, unless it is the name of the site.
        ('<title>Why bees dance at noon - Hive</title><meta property="og:title" content="Why bees dance at noon"><h1>Bees that dance at noon</h1>', "Bees that dance at noon"),
        ('<title>Bees return | The Hive Post</title><meta property="og:title" content="Bees return"><h1>The Hive Post</h1>', "Bees return"),
        ('<title>Bees return | The Hive Post</title><h2>The Hive</h2><h1>Bees return</h1>', "Bees return"),
        ('<title>Bees return</title><meta property="og:title" content="Bees return to the town"><h1>Latest news today</h1>', "Bees return to the town"),
        ("<title>蜂群回到老城区 城东办事处_某某网</title><h1>某某政府网站</h1><p>蜂群回到老城区</p><p>2019-03-06</p>", "蜂群回到老城区"),
        # What is all the title tag says is no name of a site.
        ('<title>Breaking: bees return to town</title><meta property="og:title" content="Honey: the swarm is back"><h1>Breaking: bees return to town</h1>', "Breaking: bees return to town"),
        ("<h1>Only a heading</h1>", "Only a heading"),
        ("<p>nothing</p>", ""),
    ],
)  # fmt: skip
def test_the_title_is_the_headline_without_the_site(page: str, title: str) -> None:
    assert choose_title(read(page))[0] == title


@pytest.mark.parametrize(
    ("page", "source"),
    [
        (linked(publisher={"@type": "Organization", "name": "Hive Times"}) + '<meta property="og:site_name" content="H">', "Hive Times"),
        ('<meta property="og:site_name" content="@Hive">', "Hive"),
        ("<h1>x</h1><span>2014-07-18 来源： 新华网 作者：李明</span>", "新华网"),
        ("<h1>x</h1><span>来源：</span><a>新京报</a>", "新京报"),
        ("<h1>x</h1><p>text</p>", "hive.example"),
        ('<meta property="og:site_name" content="The Hive | News of bees and honey">', "The Hive"),
        (linked(publisher="Blogger") + '<meta property="og:site_name" content="The Hive">', "The Hive"),
        ("<title>Bees return - The Hive</title><h1>Bees return</h1>", "The Hive"),
        ("<title>Honey - Bees return</title><h1>Bees return</h1>", "hive.example"),
        ("<title>蜂群回来了_科技_某某网</title><h1>蜂群回来了</h1>", "某某网"),
        ("<h1>蜂群回来了</h1><span>2019年11月25日 18:57</span><a>参考消息</a><a>收藏</a>", "参考消息"),
        ("<h1>蜂群回来了</h1><span>原创</span><span>养蜂人家</span><span>2019-11-25 10:37:31</span><p>收藏</p>", "养蜂人家"),
        ("<h1>蜂群回来了</h1><span>养蜂人家</span><span>关注</span>", "养蜂人家"),
        ("<h1>蜂群回来了</h1><span>2019-11-25</span><a>国内新闻</a>", "hive.example"),
        ("<h1>蜂群回来了</h1><p>图片来源：某某网</p><p>来源：网络</p>", "hive.example"),
    ],
)  # fmt: skip
def test_the_source_is_a_name_if_there_is_one_else_the_host(page: str, source: str) -> None:
    assert source_name(read(page), URL)[0] == source


def test_a_broken_address_has_no_host() -> None:
    assert source_name(Evidence(), "http://[::1") == ("", "")


@pytest.mark.parametrize(
    ("claims", "names"),
    [
        (["Jane Doe and John Roe"], ["Jane Doe", "John Roe"]),
        (["By Jane Doe, Staff Writer"], ["Jane Doe"]),
        (["JANE DOE"], ["Jane Doe"]),
        (["Jane Doe, John Roe & Ann Lee"], ["Jane Doe", "John Roe", "Ann Lee"]),
        (["Doe, Jane"], ["Jane Doe"]),
        (["Doe, J., Roe, K. L."], ["J. Doe", "K. L. Roe"]),
        (["Jane Doe | Hive Times"], ["Jane Doe"]),
        (["Jane Doe (Reuters)", "jane@hive.example"], ["Jane Doe"]),
        (["https://facebook.com/jane", "Staff", "admin", "Hive newsroom", "hive.com"], []),
        (["李明、王小红"], ["李明", "王小红"]),
        (["新华网", "网易", "编辑部"], []),
        (["列夫·托尔斯泰"], ["列夫·托尔斯泰"]),
        (["Jane Doe", "Jane Doe"], ["Jane Doe"]),
        (["Martin Luther King, Jr."], ["Martin Luther King"]),
        (["Jane Ann Doe, HIVE"], ["Jane Ann Doe"]),
        (["Jane Doe", "John Roe | The Hive Post | Getty Images", "Photograph by Ann Lee, Hive"], ["Jane Doe"]),
        (["Jane Doe March 25, 2015", "李明 2015-03-25 14:27"], ["Jane Doe", "李明"]),
    ],
)
def test_names_are_cleaned_and_split(claims: list[str], names: list[str]) -> None:
    assert split_names(claims) == names


def test_scholarly_names_are_turned_round() -> None:
    assert split_names(["Schäfer Aguilar, Paloma", "Le Scao, Teven"], inverted=True) == [
        "Paloma Schäfer Aguilar",
        "Teven Le Scao",
    ]


@pytest.mark.parametrize(
    ("page", "names"),
    [
        (linked(author=[{"@type": "Person", "name": "Jane Doe"}, "John Roe"]), ["Jane Doe", "John Roe"]),
        ('<meta name="citation_author" content="Doe, Jane"><meta name="citation_author" content="Roe, John">', ["Jane Doe", "John Roe"]),
        ('<meta name="DC.Creator" content="Doe, Jane">', ["Jane Doe"]),
        ('<meta property="article:author" content="https://hive.example/jane"><meta name="author" content="Jane Doe">', ["Jane Doe"]),
        ('<p itemprop="author">Jane Doe</p>', ["Jane Doe"]),
        ('<a rel="author" href="/jane">Jane Doe</a>', ["Jane Doe"]),
        ('<div class="byline">By Jane Doe and John van Roe</div>', ["Jane Doe", "John van Roe"]),
        ('<span class="given-name">Jane</span> <span class="surname">Doe</span>', ["Jane Doe"]),
        ("<h1>x</h1><p>By Jane Doe</p>", ["Jane Doe"]),
        ("<h1>x</h1><span>By</span><a>Jane Doe</a>", ["Jane Doe"]),
        ("<h1>x</h1><p>作者：李明 王小红</p>", ["李明", "王小红"]),
        ("<h1>x</h1><p>责任编辑：李明</p>", []),
        ("<h1>x</h1><p>采写：南都记者 李明 王小红</p>", ["李明", "王小红"]),
        ("<h1>x</h1><p>《蜂刊》作者 李明</p>", ["李明"]),
        ("<h1>x</h1><p>某某社记者 李明 摄</p>", []),
        (f"<h1>x</h1><p>某某报讯（记者 李明）{'蜂群今天回到了老城区。' * 20}</p>", ["李明"]),
        (f"<h1>x</h1><p>{'蜂群今天回到了老城区。' * 20}(文/图 李明 王小红)</p>", ["李明", "王小红"]),
        ('<h1>x</h1><span class="author">李明：</span><p>蜂群回来了。</p>', []),
        ('<div class="byline">By <b class="author">Jane Doe and John Roe</b> Hive Press</div>', ["Jane Doe", "John Roe"]),
        ('<meta name="author" content="Analysis by Jane Doe">', ["Jane Doe"]),
        ('<div class="byline">By Jane Doe and John Roe Monday, 9 am</div>', ["Jane Doe", "John Roe"]),
        # Of other stories, of comments and of quotations the page names the authors as well.
        ('<div itemscope><p itemprop="author">Jane Doe</p></div><div itemscope><p itemprop="author">John Roe</p></div>', ["Jane Doe"]),
        ('<div itemscope itemtype="http://schema.org/ImageObject"><p itemprop="author">Jane Doe</p></div><p itemprop="author">John Roe</p>', ["John Roe"]),
        ('<h1>x</h1><p>by Jane Doe / May 19 /</p><nav><p class="byline">By John Roe</p></nav>', ["Jane Doe"]),
        ('<div class="pull-quote"><span class="author">John Roe</span></div><span class="author">Jane Doe</span>', ["Jane Doe"]),
        ('<div class="byline">By John Roe</div><h1>x</h1><span>By</span><a>Jane Doe</a>', ["Jane Doe"]),
        ('<div class="author">All about our authors and more</div>', []),
    ],
)  # fmt: skip
def test_authors_are_found_wherever_pages_put_them(page: str, names: list[str]) -> None:
    assert writers(read(page), "hive.example")[0] == names


def test_the_site_itself_is_no_author() -> None:
    assert writers(read('<meta name="author" content="The Hive Times">'), "The Hive Times")[0] == []
    assert writers(read(linked(author=["Jane Doe", "Hive Business"])), "Hive")[0] == ["Jane Doe"]


def test_references_inside_linked_data_are_followed() -> None:
    graph = {
        "@graph": [
            {"@type": "Article", "headline": "Bees", "author": {"@id": "#jane"}, "publisher": {"@id": "#hive"}},
            {"@type": "Person", "@id": "#jane", "name": "Jane Doe"},
            {"@type": "Organization", "@id": "#hive", "name": "Hive"},
        ]
    }
    found = read(f'<script type="application/ld+json">{json.dumps(graph)}</script>')
    assert writers(found, "x")[0] == ["Jane Doe"]
    assert source_name(found, URL)[0] == "Hive"


def test_linked_data_with_raw_newlines_is_still_read() -> None:
    page = '<script type="application/ld+json">{"@type":"Article","headline":"Bees\nreturn"};</script>'
    assert choose_title(read(page))[0] == "Bees return"


@pytest.mark.parametrize(
    "junk", ["[" * 100_000, '{"a":' * 50_000, "{", "null", '"x"', "[1,2]", '{"@graph": 3}', '{"@type": [1]}']
)
def test_broken_linked_data_is_no_evidence(junk: str) -> None:
    assert read(f'<script type="application/ld+json">{junk}</script><p>x').article == {}


def test_extras_of_a_scholarly_page() -> None:
    page = (
        '<meta name="citation_journal_title" content="Journal of Bees"><meta name="citation_doi" content="doi:10.1000/bee.1">'
        '<meta name="citation_publisher" content="Hive Press"><meta property="article:section" content="Biology">'
    )
    assert extras(read(page), URL) == {
        "journal": "Journal of Bees",
        "publisher": "Hive Press",
        "section": "Biology",
        "doi": "10.1000/bee.1",
    }


def test_a_periodical_in_linked_data_is_the_journal() -> None:
    page = linked(isPartOf={"@type": "Periodical", "name": "Bee World"}, articleSection=["Science"])
    assert extras(read(page), URL) == {"journal": "Bee World", "section": "Science"}


def test_the_editor_is_kept_apart_from_the_authors() -> None:
    assert extras(read("<p>责任编辑：李明</p>"), URL) == {"editor": "李明"}


def test_the_doi_of_a_cited_work_is_not_the_pages_own() -> None:
    assert "doi" not in extras(read("<p>see https://doi.org/10.1000/other</p>"), URL)
    assert extras(read("<p>x"), "https://doi.org/10.1000/own")["doi"] == "10.1000/own"
