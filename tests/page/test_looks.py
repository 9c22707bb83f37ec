"""Blocks by real boxes: pages whose markup says nothing, laid out in a real browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from honeyguide.errors import ExtractError
from honeyguide.page.boxes import lay_out
from honeyguide.page.chromium import Chromium
from honeyguide.page.digest import Digest
from honeyguide.page.parse import Parser
from honeyguide.page.sheets import SAVED, FolderSheets
from honeyguide.page.snapshot import Boxes
from honeyguide.page.structure import structure
from tests.browser import needs_browser
from tests.page.looking import SENTENCE

pytestmark = needs_browser

TEXT = f"<p>{SENTENCE * 3}</p><p>{SENTENCE * 2}<a href=/inline>the comb</a> is of wax.</p><p>{SENTENCE * 3}</p>"
STORIES = "".join(f"<div><a href=/s{n}>How the bees of valley {n} came through the winter</a></div>" for n in range(4))
OFFER = f"<p>{SENTENCE}<a href=/offer>this week only</a> and no longer than that.</p>"
SHEET = """
.a { background: #333; padding: 20px } .b { width: 960px; margin: auto; overflow: hidden }
.c { float: left; width: 640px } .d { float: right; width: 180px } .d2 { float: left; width: 180px; margin-right: 40px }
.e { clear: both; background: #ddd; padding: 20px }
.f { position: fixed; left: 0; right: 0; bottom: 0 } .g { display: none } .h { position: absolute; left: -9999px }
.i { font-size: 34px } .j { margin-top: 200px } .k { width: 300px; height: 250px } .l { visibility: hidden }
.m { position: absolute; width: 1px; height: 1px; overflow: hidden } .n { columns: 2; width: 1200px }
"""


def page(body: str, title: str = "How bees count - The Hive", more: str = "") -> str:
    head = f"<meta charset=utf-8><title>{title}</title><link rel=stylesheet href=s.css>"
    return f"<!doctype html><html {more}><head>{head}</head><body>{body}</body></html>"


PAGES = {
    "columns": page(
        f"<div class=a><a href=/1>Hives of the northern valleys in spring</a></div>"
        f"<div class=b><div class=c>{TEXT}</div><div class=d>{OFFER}</div></div>"
        f"<div class=e><p>{SENTENCE}<a href=/end>The fine print</a> of it.</p></div>"
    ),
    "left column": page(f"<div class=b><div class=d2>{OFFER}</div><div class=c>{TEXT}</div></div>"),
    "right to left": page(
        f"<div class=b><div class=c style='float:right'>{TEXT}</div>"
        f"<div class=d style='float:left'>{OFFER}</div></div>",
        more="dir=rtl lang=he",
    ),
    "Chinese": page(
        f"<div class=b><div class=c><p>{'蜜蜂飞过三棵树之后会在第三棵树的后面寻找食物。' * 6}"
        "<a href=/inline>蜂房</a>很大。</p></div>"
        f"<div class=d><p>{'本周蜂蜜特价出售，欢迎大家前来选购。' * 3}<a href=/offer>购买</a>从速。</p></div></div>",
        title="蜜蜂如何数数",
    ),
    "fixed": page(f"<div>{TEXT}</div><div class=f>{OFFER}</div>"),
    "hidden": page(
        f"<div>{TEXT}</div>"
        + "".join(f"<div class={how}><p>{SENTENCE}<a href=/{how}>x y z</a> it.</p></div>" for how in "ghlm")
    ),
    "waiting": page(f"<div class=g>{TEXT}</div><div>A word.</div>"),
    "title": page(f"<div class=b><div class=i>How bees count</div>{TEXT}</div>"),
    "advert": page(
        f"<div>{TEXT}<div><a href=/advert><img width=300 height=250 src=x alt=Barrels></a></div>"
        f"<div><a href=/photo><img width=310 height=250 src=x alt=Bees></a></div>{TEXT}</div>"
    ),
    "stories": page(f"<div class=b><div class=c><div>{TEXT}</div><div class=z>{STORIES}</div></div></div>"),
    "gap": page(f"<div>{TEXT}</div><div><p class=j>{SENTENCE * 2}</p></div>"),
    "newspaper": page(f"<div class=n>{TEXT * 3}</div>"),
    "empty": "",
    "nothing": page(""),
    "nested tables": "<table width=900><tr><td>" * 60 + SENTENCE * 3 + "</table>" * 60,
    "cells": page(
        f"<table width=960><tr><td width=180><p>{SENTENCE}<a href=/offer>Buy it</a> now.<td width=600>{TEXT}</table>"
    ),
    "unclosed": f"<div><b><table><tr><td><p>{SENTENCE}<div><form><form><a href=/x>x<a href=/y>y<table><li>{SENTENCE}",
    "frames": "<title>x</title><frameset cols='50%,50%'><frame src=http://127.0.0.1:1/a><frame src=b></frameset>",
    "control marks": page(f"<p>&#1;{SENTENCE}\x02</p>{TEXT}"),
}


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Boxes]:
    """The boxes of all pages, by one browser."""
    folder = tmp_path_factory.mktemp("sheets")
    (folder / "s.css").write_text(SHEET, encoding="utf-8")

    async def look() -> dict[str, Boxes]:
        sheets = FolderSheets(folder)
        async with Chromium(seconds=120) as browser:
            return {
                name: await lay_out(text.encode(), f"{SAVED}page.html", sheets=sheets, browser=browser)
                for name, text in PAGES.items()
            }

    return asyncio.run(look())


def seen(name: str, boxes: Boxes | None) -> Digest:
    return Parser().html(PAGES[name].encode(), "http://a.test/", boxes=boxes)


def told(name: str, boxes: Boxes | None) -> dict[str, tuple[str, str]]:
    """By the path of each link the role of its block, and why."""
    found = seen(name, boxes)
    parts = {link.url.removeprefix("http://a.test"): found.part(link) for link in found.links}
    return {path: (part.role, part.why) for path, part in parts.items() if part is not None}


def test_markup_alone_cannot_tell_these_pages_apart() -> None:
    for name in ("columns", "left column", "right to left", "Chinese", "fixed", "cells"):
        assert told(name, None)["/inline"][0] == "body"
        assert told(name, None).get("/offer", ("body", ""))[0] == "body"
    assert told("columns", None)["/end"][0] == "body"
    assert {told("hidden", None)[f"/{how}"][0] for how in "ghlm"} == {"body"}
    assert [part.role for part in seen("title", None).parts if part.role == "title"] == []


def test_a_narrow_column_beside_the_text_is_furniture(laid_out: dict[str, Boxes]) -> None:
    for name, why in (
        ("columns", "a column 180 px wide at the right edge"),
        ("left column", "a column 180 px wide at the left edge"),
        ("right to left", "a column 180 px wide at the left edge"),
        ("Chinese", "a column 180 px wide at the right edge"),
    ):
        found = told(name, laid_out[name])
        assert found["/offer"] == ("noise", why)
        assert found["/inline"] == ("body", "sentences")


def test_so_is_a_cell_of_a_table_and_a_second_column_of_the_text_is_not(laid_out: dict[str, Boxes]) -> None:
    found = told("cells", laid_out["cells"])
    assert found["/offer"][0] == "noise"
    assert "px wide at the left edge" in found["/offer"][1]
    assert found["/inline"][0] == "body"
    assert told("newspaper", laid_out["newspaper"])["/inline"] == ("body", "sentences")


def test_bands_across_the_page_are_furniture(laid_out: dict[str, Boxes]) -> None:
    found = told("columns", laid_out["columns"])
    assert found["/1"][0] == found["/end"][0] == "noise"
    assert found["/1"][1].endswith("px high across the page above the text")
    assert found["/end"][1].endswith("px high across the page below the text")


def test_what_stays_in_place_or_is_not_to_be_seen_is_furniture(laid_out: dict[str, Boxes]) -> None:
    assert told("fixed", laid_out["fixed"])["/offer"] == ("noise", "stays in place when the page is scrolled")
    found = told("hidden", laid_out["hidden"])
    assert {found[f"/{how}"] for how in "ghlm"} == {("noise", "not to be seen")}
    assert found["/inline"][0] == "body"


def test_a_page_that_waits_for_a_script_to_show_it_is_not_taken_for_empty(laid_out: dict[str, Boxes]) -> None:
    assert told("waiting", laid_out["waiting"])["/inline"][0] == "body"


def test_the_largest_line_that_the_title_repeats_is_the_title(laid_out: dict[str, Boxes]) -> None:
    (part,) = [part for part in seen("title", laid_out["title"]).parts if part.role == "title"]
    assert part.why == "letters of 34 px, and the page's title repeats it"


def test_an_advertisement_is_known_by_the_pixels_it_takes(laid_out: dict[str, Boxes]) -> None:
    found = told("advert", laid_out["advert"])
    assert found["/advert"] == ("noise", "300 × 250 px, the size of an advertisement")
    assert found["/photo"][0] != "noise"


def test_headlines_in_the_column_of_the_text_are_about_it(laid_out: dict[str, Boxes]) -> None:
    assert told("stories", None)["/s1"][0] == "noise"
    assert told("stories", laid_out["stories"])["/s1"][0] == "related"


def test_a_gap_separates_two_blocks_of_one_role(laid_out: dict[str, Boxes]) -> None:
    assert [part.role for part in seen("gap", None).parts].count("body") == 1
    assert [part.role for part in seen("gap", laid_out["gap"]).parts].count("body") == 2


def test_sentences_beside_the_text_are_none_of_it(laid_out: dict[str, Boxes]) -> None:
    for name, boxes in (("columns", None), ("columns", laid_out["columns"])):
        found = seen(name, boxes)
        main = [found.parts[block.part].role for block in found.blocks if block.main]
        assert len(main) == (3 if boxes else 5)


def test_no_page_is_too_odd(laid_out: dict[str, Boxes]) -> None:
    for name in ("empty", "nothing", "nested tables", "unclosed", "frames", "control marks"):
        boxes = laid_out[name]
        found, cut = seen(name, boxes), structure(PAGES[name].encode(), boxes=boxes)
        assert [block.part for block in found.blocks] == [piece.part for piece in cut.pieces]
        assert all(0 <= block.part < len(found.parts) for block in found.blocks)
        assert len(boxes.boxes) == len(boxes.tags)
    assert structure(PAGES["nested tables"].encode(), boxes=laid_out["nested tables"]).texts("body")


def test_every_block_has_its_place(laid_out: dict[str, Boxes]) -> None:
    cut = structure(PAGES["columns"].encode(), boxes=laid_out["columns"])
    assert cut.size == (1_280, laid_out["columns"].height)
    areas = dict(zip([part.why for part in cut.parts], cut.areas(), strict=True))
    column = areas["a column 180 px wide at the right edge"]
    text = areas["sentences"]
    assert column is not None
    assert text is not None
    assert column[0] >= text[2]
    assert column[2] - column[0] <= 180
    assert areas["the page"] is not None
    assert areas["the page"][2] <= 1_280


def test_boxes_of_another_page_are_refused(laid_out: dict[str, Boxes]) -> None:
    with pytest.raises(ExtractError, match="another page"):
        structure(PAGES["fixed"].encode(), boxes=laid_out["columns"])


def test_notes_say_which_style_sheets_there_were(laid_out: dict[str, Boxes], tmp_path: Path) -> None:
    assert laid_out["columns"].notes == ["1 style sheet used"]
    assert laid_out["unclosed"].notes == []
