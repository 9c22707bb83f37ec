"""The tree of visual blocks: what each is, by which evidence, and that no page is too odd to be cut."""

from __future__ import annotations

import pytest

from honeyguide.page.digest import Digest, decode, encode
from honeyguide.page.parse import Parser
from tests.clock import grows
from tests.page.looking import SENTENCE, URL, look

PROSE = f"<p>{SENTENCE * 2}</p><p>{SENTENCE}<a href=/inline>the comb</a> is of wax.</p>"
MENU = "<ul><li><a href=/a>News</a><li><a href=/b>Sport</a><li><a href=/c>Weather</a></ul>"
STORIES = "".join(f"<li><a href=/s{n}>How the bees of valley {n} came through the winter</a>" for n in range(4))


def roles(page: str) -> dict[str, str]:
    found = look(page)
    return {link.url.removeprefix("http://a.test"): found.role(link) for link in found.links}


def whys(page: str) -> dict[str, str]:
    return {part.role: part.why for part in look(page).parts if part.role}


def test_links_know_whether_they_are_of_the_text_or_of_the_furniture() -> None:
    page = f"<title>Bees</title>{MENU}<div><h1>Bees</h1>{PROSE}</div><footer><a href=/f>Contact</a></footer>"
    assert roles(page) == {"/a": "noise", "/b": "noise", "/c": "noise", "/inline": "body", "/f": "noise"}


def test_a_list_is_what_its_name_or_the_heading_above_it_says() -> None:
    for related in (f"<ul class=related-articles>{STORIES}</ul>", f"<div><h3>Related</h3><ul>{STORIES}</ul></div>"):
        found = roles(f"<div>{PROSE}</div>{related}<div><h3>Most read</h3><ol><li><a href=/x>{SENTENCE}</a></ol></div>")
        assert {found[f"/s{n}"] for n in range(4)} == {"related"}
        assert found["/x"] == "noise"


def test_a_heading_speaks_for_what_follows_until_another_of_its_rank() -> None:
    page = (
        f"<div>{PROSE}<h2>References</h2><ol><li>Lee: <a href=/r>Combs</a></ol>"
        f"<h2>Winter</h2>{PROSE.replace('/inline', '/later')}</div>"
    )
    assert roles(page) == {"/inline": "body", "/r": "references", "/later": "body"}


def test_the_parts_of_a_scholarly_page_are_told_apart() -> None:
    page = f"""<title>Waggle dances - Journal of Bees</title><nav><a href=/j>Journal</a></nav><div id=article>
    <h1>Waggle dances</h1><div class=authors><a href=/lee>Ann Lee</a></div><div class=affiliations>Hive College</div>
    <div class=abstract><h2>Abstract</h2><p>{SENTENCE * 3}</p></div><div><b>Keywords:</b> <a href=/k>dance</a></div>
    <p class=pager><a href=/p>Previous article</a> <a href=/n>Next article</a></p>
    <section><h2>Related articles</h2><ul>{STORIES}</ul></section></div>
    <div class=ad-banner><a href=/buy>Buy</a></div>"""
    found = roles(page)
    assert {found[f"/{name}"] for name in ("j", "buy")} == {"noise"}
    assert found["/lee"] == "authors"
    assert (found["/p"], found["/n"], found["/s1"]) == ("navigation", "navigation", "related")
    told = whys(page)
    assert told["title"] == "a heading that the page's title repeats"
    assert told["abstract"] == 'named "abstract"'
    assert told["affiliations"] == 'named "affiliations"'


def test_a_list_that_is_all_there_is_to_a_page_is_no_furniture() -> None:
    names = "".join(f"<li><a href=/{n}>Ann Lee {n}</a>" for n in range(30))
    assert set(roles(f"<h1>Staff</h1><ul>{names}</ul><p><a href=/home>Home</a>").values()) == {"related", "body"}


def test_what_holds_most_of_the_text_is_no_furniture_whatever_it_is_called() -> None:
    assert roles(f"<div class='sidebar-left no-ad'><h1>x</h1>{PROSE}</div>") == {"/inline": "body"}


def test_the_foot_of_an_article_is_not_that_of_the_site() -> None:
    tags = "<div class=entry-footer>Filed under <a href=/tag/wax>wax</a>, a word.</div>"
    assert roles(f"<div>{PROSE}{tags}</div>")["/tag/wax"] == "body"


def test_a_link_that_shares_the_page_is_noise_wherever_it_stands() -> None:
    page = f"<div>{PROSE}<p><a href='https://twitter.com/intent/tweet?url=x'>Tell others</a></p></div>"
    found = look(page)
    assert [found.role(link) for link in found.links] == ["body", "noise"]


def test_blocks_form_a_tree_whose_leaves_have_a_role_each() -> None:
    page = look(
        f"<title>Bees</title><div>{MENU}</div><div><h1>Bees</h1>{PROSE}<div class=related>{STORIES}</div></div>"
    )
    assert page.parts[0].parent == -1
    assert all(part.parent < place for place, part in enumerate(page.parts))
    inner = {part.parent for part in page.parts}
    assert all((part.role == "") == (place in inner) for place, part in enumerate(page.parts))
    assert all(part.why for part in page.parts)
    assert {block.part for block in page.blocks} <= set(range(len(page.parts)))


def test_chinese_pages_are_read_alike() -> None:
    text = "蜜蜂在山谷的花丛中采集花蜜，整个夏天都在酿造蜂蜜，直到秋天来临。" * 3
    page = f"""<title>蜜蜂的舞蹈_山谷新闻</title>
    <div class=box><a href=/1>首页</a><a href=/2>国际</a><a href=/3>体育</a></div>
    <div><h1>蜜蜂的舞蹈</h1><p>{text}</p><p>{text}<a href=/i>蜂巢</a>。</p>
    <div><span>相关阅读</span><ul><li><a href=/r>山谷里的蜜蜂怎样度过漫长的冬天</a></ul></div></div>
    <div><b>热门点击</b><ul><li><a href=/h>今天全国各地的天气情况与预报一览</a></ul></div>"""
    assert roles(page) == {"/1": "noise", "/2": "noise", "/3": "noise", "/i": "body", "/r": "related", "/h": "noise"}


def test_pages_from_right_to_left_are_read_alike() -> None:
    text = "يجمع النحل الرحيق من أزهار الوادي ويصنع منه العسل طوال الصيف حتى يأتي الخريف. " * 4
    page = f"<html dir=rtl lang=ar><nav><a href=/1>الرئيسية</a></nav><div><p>{text}<a href=/i>الخلية</a> هنا.</p></div>"
    assert roles(page) == {"/1": "noise", "/i": "body"}


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<frameset><frame src=/f><noframes><a href=/n>x</a></noframes></frameset>",
        "<table><tr><td><table><tr><td><table><tr><td><a href=/1>x</a>" * 40,
        "<div><p><b><ul><li><a href=/1>un<table><td>closed" * 30,
        "<a href=/1><div><a href=/2><h1>x</h1>",
        "<h2>Related</h2><h2>Related</h2>" * 50,
        "<div class='" + "related nav " * 5_000 + "'><a href=/1>x</a></div>",
        "<p>\u202eabc<a href=/1>\u2066x</a>",
    ],
)
def test_odd_pages_are_cut_like_any_other(page: str) -> None:
    found = look(page)
    assert all(found.role(link) for link in found.links)
    assert decode(encode(found)) == found


def _many(blocks: int) -> bytes:
    rows = "".join(f"<div class=c{n % 7}><h3>Related</h3><p>{SENTENCE}</p>{MENU}</div>" for n in range(blocks // 6))
    return f"<div>{rows}</div>".encode()


def _deep(blocks: int) -> bytes:
    return ("<div><h3>Related</h3>x" * (blocks // 2)).encode()


@pytest.mark.parametrize("make", [_many, _deep])
def test_the_time_for_ten_thousand_blocks_grows_with_their_number(make: object) -> None:
    def job(size: int) -> object:
        body = make(size)  # type: ignore[operator]
        return lambda: Parser().html(body, URL)

    grows(job, 10_000)  # type: ignore[arg-type]


def test_a_skimmed_page_has_no_blocks_of_its_own_and_its_links_no_role() -> None:
    page: Digest = Parser(structure=False).html(f"<nav>{MENU}</nav>{PROSE}".encode(), URL)
    assert page.parts == []
    assert {page.role(link) for link in page.links} == {""}
