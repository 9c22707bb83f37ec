"""Skimming a page by its tags: what is shown, what are links, what the page says of itself; by whatever hands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from honeyguide.page import tags
from honeyguide.page.blocks import LINK, LINK_END, MOST_LINKS, unmarked
from honeyguide.page.parse import Parser
from honeyguide.page.tags import Skimmed

Skim = Callable[[bytes], Skimmed]


@pytest.fixture(params=["compiled", "python"])
def skim(request: pytest.FixtureRequest) -> Skim:
    return tags.skim_page if request.param == "compiled" else tags._skim_page


def _shown(skim: Skim, page: str) -> str:
    return unmarked(skim(page.encode()).text)


def test_text_is_apart_where_a_tag_stands_and_blanks_are_one(skim: Skim) -> None:
    assert _shown(skim, "Bees<br>make \n\t honey<p>in<b>side</b> <!-- not --> the hive") == (
        "Bees make honey in side the hive"
    )


def test_links_are_marked_where_they_stand(skim: Skim) -> None:
    page = skim(b"<a name=x>no</a> <a href=/1>one</a> two <area href=/2 alt=map> <a href=/3>three <a href=/4>four")
    signs = page.text.replace(LINK, "[").replace(LINK_END, "]").split()
    assert " ".join(signs) == "no [ one ] two [ ] [ three ] [ four ]"
    assert page.hrefs == ["/1", "/2", "/3", "/4"]
    assert page.titles == ["", "map", "", ""]
    assert page.links == 4


def test_what_a_link_says_is_read_as_html_has_it(skim: Skim) -> None:
    page = skim(
        b"""<a HREF = "/a?b=1&amp;c=2&copy=3&lt" href=no rel='No Follow' title=it's>x</a><a href=/b/>y</a><a href=>"""
    )
    assert page.hrefs == ["/a?b=1&c=2&copy=3<", "/b/", ""]
    assert page.rels == ["No Follow", "", ""]
    assert page.titles == ["it's", "", ""]


def test_signs_that_would_be_taken_for_marks_are_none(skim: Skim) -> None:
    assert skim(b"a\x01b &#1;c &#x2; <a href=/1>d\x02</a>").text.split() == ["a", "b", "c", LINK, "d", LINK_END]


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("a &lt; b < c <3 &notit; &amp;amp; &#8364;&#128;&#x110000;", "a < b < c <3 ¬it; &amp; €€\ufffd"),
        ("<p title='a > b'>one</p x='>'>two", "one two"),
        ("one</>two</ three><!doctype four><?five?>six", "one two six"),
        ("one<!-->two<!--->three<!-- a -- b --!>four<!-- <p>five --> six", "one two three four six"),
        ("one<!-- never ends", "one"),
        ("one<p class='never ends>two", "one"),
        ("one<", "one<"),
    ],
)
def test_odd_markup_is_read_as_html_has_it(skim: Skim, page: str, shown: str) -> None:
    assert _shown(skim, page) == shown


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>if (a < b) '<p>' + \"</p>\"</script>",
        "<script><!-- write('<script>x</script>') --></script>",
        "<script><!--></script>",
        "<style>p > a { content: '<a href=x>' }</style >",
        "<textarea><a href=x></textarea>",
        "<iframe><p>x</iframe>",
        "<noframes><a href=x>x</a></noframes>",
        "<noscript><a href=x>x</a></noscript>",
        "<svg><title>x</title><svg/><svg><a href=x>x</a></svg>x</svg>",
        "<object><object>x</object>x</object>",
        "<select><option>x<select>",
        "<template><script>'</template>'</script>x</template>",
    ],
)
def test_what_no_reader_sees_is_left_out(skim: Skim, hidden: str) -> None:
    page = skim(f"one{hidden}two<a href=/1>".encode())
    assert unmarked(page.text) == "one two"
    assert page.hrefs == ["/1"]
    assert page.head == []


@pytest.mark.parametrize("hidden", ["<svg><path d=1>x<div>", "<select><option>x<td>"])
def test_what_is_never_closed_ends_where_it_cannot_go_on(skim: Skim, hidden: str) -> None:
    assert _shown(skim, f"one{hidden}two") == "one two"


def test_what_a_page_says_of_itself_is_found_wherever_it_stands(skim: Skim) -> None:
    page = skim(
        b"""<html lang=de><title> Bees &amp;
        hives </title><meta name=Robots content=noindex><meta name=viewport content=x><base href=/b>
        <link rel=stylesheet href=/s><body><meta property=og:type content=article><p>one
        <link rel="Canonical" href=/c><link rel=alternate type=application/rss+xml href=/f title=Feed>
        <script type="application/ld&#43;json">{"a": "<b>"}</script><script>x</script>"""
    )
    assert page.head == [
        ("html", "de"),
        ("title", "Bees & hives "),
        ("meta", "robots", "noindex"),
        ("base", "/b"),
        ("meta", "og:type", "article"),
        ("link", "Canonical", "/c", "", ""),
        ("link", "alternate", "/f", "application/rss+xml", "Feed"),
        ("script", '{"a": "<b>"}'),
    ]
    assert unmarked(page.text) == "one"


def test_links_past_the_most_are_counted_but_not_marked(skim: Skim) -> None:
    page = skim(b"<a href=/1>x</a>" * (MOST_LINKS + 7))
    assert page.links == MOST_LINKS + 7
    assert len(page.hrefs) == page.text.count(LINK) == page.text.count(LINK_END) == MOST_LINKS


def test_a_skimmed_page_has_the_links_its_tree_has() -> None:
    body = b"<ul><li>Of <a href=/1>bees<li><a href=/2 rel=nofollow>wasps</a></ul><a href=/3><img alt=x></a> and all"
    skimmed, cut = (Parser(structure=structure).html(body, "http://a.test/") for structure in (False, True))
    assert {link.url for link in skimmed.links} == {link.url for link in cut.links}
    assert skimmed.terms == cut.terms
