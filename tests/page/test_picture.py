"""A page drawn with its blocks: all of its text, none of what it would run or load; and a real picture of it."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from honeyguide.errors import ExtractError
from honeyguide.page.picture import draw, photograph
from honeyguide.page.structure import structure
from tests.browser import needs_browser
from tests.inert import assert_inert
from tests.page.looking import SENTENCE

EVIL = f"""<title>Bees</title><base href="http://evil.test/"><link rel=stylesheet href="/x.css"><style>p{{}}</style>
<script>alert(1)</script><h1 onclick="alert(1)">Bees</h1><p style="background:url(http://evil.test/)">{SENTENCE * 3}
<img src=x onerror=alert(1) alt="&lt;script&gt;alert(2)&lt;/script&gt;"></p><p>&lt;script&gt;alert(3)&lt;/script&gt;</p>
<iframe srcdoc="<script>parent.x=1</script>"></iframe><form action=/x><input><button>Go</button></form>
<div class=related><h3>Related</h3><a href="javascript:alert(4)">How the bees came through the winter</a></div>"""


def drawn(page: str) -> LexborHTMLParser:
    return LexborHTMLParser(draw(structure(page.encode()), '"><script>alert(5)</script>', "<b>no article</b>"))


def test_nothing_of_a_page_runs_or_is_loaded() -> None:
    page = drawn(EVIL)
    assert_inert(page, href="(?!)", style="(?!)")
    policy = page.css_first("meta[http-equiv]").attributes["content"] or ""
    assert policy.startswith("default-src 'none'")
    assert "<script>alert(3)</script>" in page.body.text()  # as text
    assert "<b>no article</b>" in page.body.text()


def test_every_block_has_its_name_and_its_evidence_and_its_text() -> None:
    page = drawn(EVIL)
    assert page.css_first(".title > h1").text() == "Bees"
    assert SENTENCE.strip() in page.css_first(".body").text()
    assert page.css_first(".related > b.name").text() == "related"
    assert page.css_first(".related > i.why").text() == 'named "related"'
    assert page.css_first(".related u").text() == "How the bees came through the winter"
    assert page.css_first(".noise > p").text() == "Go"


def test_boxes_are_closed_in_the_order_they_were_opened() -> None:
    for text in (EVIL, "", "<p>x", "<table><tr><td>a<div class=ad>b</div>c<div>d</div></table>" * 9):
        page = draw(structure(text.encode()), "t")
        assert page.count("<div ") == page.count("</div>")


@needs_browser
def test_a_real_browser_takes_a_picture_of_it() -> None:
    page = structure(EVIL.encode())
    image = photograph(draw(page, "Bees"), page)
    assert image.startswith(b"\x89PNG")
    assert int.from_bytes(image[16:20], "big") == 1_200
    assert len(image) > 5_000  # not an empty sheet


def test_without_a_browser_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ExtractError, match="ask for --to html"):
        photograph("", structure(b""))
