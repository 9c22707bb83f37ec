"""Cutting a page into blocks by marking its tree."""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from honeyguide.page import blocks
from honeyguide.page.blocks import CLOSE, LINK, LINK_END, OPEN, ForeignMarks, Marked
from honeyguide.page.cuts import Cut, cut, read, read_all
from honeyguide.page.tags import skim_page
from honeyguide.text.terms import Terms

TOKENIZE = Terms("en")


def _mark(page: str | bytes) -> Marked:
    return blocks.mark(LexborHTMLParser(page))


def _cut(page: str | bytes) -> list[Cut]:
    return cut(_mark(page), TOKENIZE)[0]


def _terms(block: Cut) -> list[str]:
    return read(block.text, TOKENIZE)[0]


def _links(block: Cut) -> list[tuple[int, str, int, int]]:
    """Number, anchor, and between which terms of its block each link stands."""
    _, begins, ends = read(block.text, TOKENIZE)
    return [(number, anchor, begins[place], ends[place]) for number, anchor, place, _ in block.links]


def test_marks_stand_around_links_and_blocks_in_document_order() -> None:
    marked = _mark("<div>a<p>b <a href=/1>c</a></p></div><area href=/2><a>no link</a>")
    signs = (OPEN, CLOSE, LINK, LINK_END)
    assert "".join(sign for sign in marked.text if not sign.isspace()) == (
        f"{OPEN}a{OPEN}b{LINK}c{LINK_END}{CLOSE}{CLOSE}{LINK}{LINK_END}nolink"
    )
    assert len(set(signs)) == 4
    assert marked.tags == ["div", "p"]
    assert [link.attributes["href"] for link in marked.links] == ["/1", "/2"]


def test_each_block_knows_the_tags_it_stands_in() -> None:
    page = "<div>one<ul><li>two<li>three</ul>four</div>five<table><tr><th>six<td>seven</table>"
    assert [(block.path, block.raw) for block in _cut(page)] == [
        ("body/div", "one"),
        ("body/div/ul/li", "two"),
        ("body/div/ul/li", "three"),
        ("body/div", "four"),
        ("body", "five"),
        ("body/table/th", "six"),
        ("body/table/td", "seven"),
    ]


def test_blocks_of_one_list_or_table_share_a_group_and_an_inner_list_has_its_own() -> None:
    page = "<p>out<ul><li>a<li>b<ol><li>c<li>d</ol><li>e</ul><p>out<table><tr><td>f<tr><td>g</table><p>out"
    found = {block.raw: block.group for block in _cut(page) if block.raw != "out"}
    assert found["a"] == found["b"] == found["e"] != found["c"]
    assert found["c"] == found["d"]
    assert found["f"] == found["g"] not in (found["a"], found["c"], 0)
    assert [block.group for block in _cut(page) if block.raw == "out"] == [0, 0, 0]


def test_a_link_is_placed_among_the_terms_of_its_block() -> None:
    (block,) = _cut("<p>Bees of the valley <a href=/1>make honey</a> and <a href=/2>wax</a> all day")
    assert _terms(block) == ["bee", "valley", "honey", "wax", "day"]
    assert _links(block) == [(0, "make honey", 2, 3), (1, "wax", 3, 4)]


def test_link_numbers_run_through_the_whole_page() -> None:
    found = _cut("<p><a href=/1>a</a><p>none<p><a href=/2>b</a><a href=/3>c</a>")
    assert [link[0] for block in found for link in block.links] == [0, 1, 2]


def test_links_nested_by_broken_markup_are_both_kept() -> None:
    (block,) = _cut("<a href=/1>honey<marquee><a href=/2>wax</a> hive</marquee> bees</a>")
    assert _links(block) == [(0, "honey", 0, 1), (1, "wax", 1, 2)]


def test_a_link_that_goes_on_over_blocks_stands_in_the_first_that_has_words() -> None:
    found = _cut("<a href=/1><h3>|</h3><p>the</p><p>honey and wax</p><p>bees</p></a><p><a href=/2>end</a>")
    assert [(block.raw.strip(), _links(block)) for block in found] == [
        ("|", []),
        ("the", []),
        ("honey and wax", [(0, "honey and wax", 0, 2)]),
        ("bees", []),
        ("\x01 end \x02", [(1, "end", 0, 1)]),
    ]


def test_blocks_read_in_one_go_are_read_as_one_by_one() -> None:
    page = (
        "<p>hive <a href=/1>|<p>the</p><p>honey</p></a><p>wax <a href=/2>of</a> bees<p>x <a href=/3>y</a> <a href=/4>z"
    )
    texts = [block.text for block in _cut(page)]
    assert read_all(texts, TOKENIZE) == [read(text, TOKENIZE) for text in texts]
    assert read_all([], TOKENIZE) == []


def test_silent_elements_leave_no_text_and_no_links() -> None:
    page = (
        "<p>seen<script>evil()</script><style>p{}</style><noscript>no <a href=/1>l</a></noscript><template>t</template>"
        "<textarea>ta</textarea><select><option>so</select><svg><text>sv</text></svg><iframe>if</iframe><object>o</object>"
    )
    marked = _mark(page)
    assert marked.text == f"{OPEN}seen{CLOSE}"
    assert marked.links == []


def test_a_line_break_separates_words() -> None:
    (block,) = _cut("<p>honey<br>bees<br/>wax")
    assert _terms(block) == ["honey", "bee", "wax"]


def test_an_empty_page_has_no_blocks() -> None:
    for page in ("", " ", "<p></p>", "<div><ul><li></ul></div>", "\x00"):
        assert _cut(page) == []


@pytest.mark.parametrize("mark", ["\x01", "\x02", "\x03", "\x04", "&#1;", "&#x2;", "&#0003;", "&#X04", "&#4"])
def test_a_mark_in_the_page_itself_is_noticed_and_cleaned_away(mark: str) -> None:
    page = f"<p>bees {mark} <a href=/1>honey</a> wax".encode()
    with pytest.raises(ForeignMarks):
        _mark(page)
    (block,) = _cut(blocks.clean(page))
    assert _terms(block) == ["bee", "honey", "wax"]
    assert _links(block) == [(0, "honey", 1, 2)]


def test_marks_that_balance_each_other_are_noticed_too() -> None:
    for page in ("<p>\x01\x02<a href=/1>x</a>", "<p>\x03x\x04", "<a href=/1>\x02\x01</a>"):
        with pytest.raises(ForeignMarks):
            _mark(page)


def test_cleaning_leaves_a_page_without_marks_as_it_is() -> None:
    page = b"<p>don't &amp; \t\r\n \x05 \xe8\x8c\xb6 &#5; &lt;"
    assert blocks.clean(page) == page


def test_nesting_deeper_than_anyone_means_is_cut_short_in_the_path() -> None:
    (block,) = _cut("<div>" * 500 + "deep")
    assert block.path == "body" + "/div" * 63
    assert [block.path for block in _cut("<div>" * 500 + "</div>" * 500 + "<p>up")] == ["body/p"]


def test_what_is_left_out_of_an_overgrown_page_is_said() -> None:
    marked = _mark("<a href=/1>x</a>" * (blocks.MOST_LINKS + 7))
    assert len(marked.links) == blocks.MOST_LINKS
    assert marked.left_out == "7 links past the first 5000"
    marked = _mark("<p>x" * (blocks.MOST_BLOCKS + 1))
    assert marked.left_out == "structure past 20000 blocks"
    assert len(marked.tags) == blocks.MOST_BLOCKS


def test_every_block_has_its_words_however_much_came_before() -> None:
    long = "<p>" + "Bees make honey in the hive all day long, and nobody knows how they do it. " * 10
    found = _cut(long * 20 + "<p>short one<p>" + "words " * 30 + "<a href=/1>wax</a>")
    assert _terms(found[0]) == _terms(found[18]) != []
    assert _terms(found[-2]) == ["short"]
    assert _links(found[-1]) == [(0, "wax", 30, 31)]


def test_of_an_endless_page_the_rest_has_links_without_words() -> None:
    found = _cut("<p>" + "honey " * 100_000 + "<p>late words <a href=/1>wax</a><p>end")
    assert len(_terms(found[0])) < 100_000
    assert [(_terms(block), _links(block)) for block in found[1:]] == [([], [(0, "wax", 0, 0)]), ([], [])]


def test_blocks_know_their_elements_and_these_what_they_are_named_and_in() -> None:
    found, _, elements = cut(
        _mark("<div class='a b' id=c><p>one</p>two</div><nav role=menu><ul itemprop=x><li>three</ul>"), TOKENIZE
    )
    assert elements.tags == ["body", "div", "p", "nav", "ul", "li"]
    assert [elements.name(place) for place in range(6)] == ["", "a b c", "", "menu", "x", ""]
    assert elements.parents == [-1, 0, 1, 0, 3, 4]
    assert [elements.last(place) for place in range(6)] == [5, 2, 2, 5, 5, 5]
    assert [block.element for block in found] == [2, 1, 5]


@pytest.mark.parametrize("page", [b"don&#39;t", b"a&#160;b", b"<a href='?a=1&#38;b=2'>", b"&#x27;", b"&#x3C;"])
def test_cleaning_spares_other_character_references(page: bytes) -> None:
    assert blocks.clean(page) == page


def test_a_link_around_a_block_has_the_text_of_the_block_as_its_anchor() -> None:
    found = [block for block in _cut("<a href=/1><h3>Honey bees</h3><p>They live in hives</p></a>") if block.links]
    assert "Honey bees" in found[0].links[0][1]
    assert _terms(found[0])[:2] == ["honey", "bee"]


@pytest.mark.parametrize("silent", ["noscript", "svg", "object", "template"])
def test_a_link_within_what_is_no_text_is_none(silent: str) -> None:
    page = f"<p><a href=/1>one</a><script>var a = '<a href=/2>';</script><{silent}><a href=/3>three</a></{silent}>"
    marked, skimmed = _mark(page), skim_page(page.encode())
    assert [link.attributes["href"] for link in marked.links] == skimmed.hrefs == ["/1"]
    assert blocks.unmarked(marked.text) == blocks.unmarked(skimmed.text) == "one"


def test_running_text_is_what_no_menu_would_hold() -> None:
    menu = "<a href=/1>one</a> and <a href=/2>two</a> "
    prose = "Bees carry nectar home and fan it dry with their wings, day and night, until it keeps for years. " * 3
    text = skim_page(f"{menu}<p>{prose}<a href=/3>three</a>".encode()).text
    assert blocks.runs_on(text, len(prose))
    assert not blocks.runs_on(text, len(prose) + 10)
    assert not blocks.runs_on(skim_page(menu.encode() * 50).text, 1)


def test_prose_keeps_the_links_within_sentences_and_drops_menus_but_for_what_stands_beside_it() -> None:
    menu = "<a href=/1>Home</a> <a href=/2>Sport</a> | <a href=/3>Weather</a> "
    text = (
        "The osprey is one large bird of <a href=/4>prey</a> and <a href=/5>the only one</a> of its kin, seen near "
        "water. It feeds on fish alone. "
    )
    page = f"<div>{menu}</div><p>{text}</p><div>{menu}</div>"
    for marked in (_mark(page).text, skim_page(page.encode()).text):
        found = blocks.prose(marked)
        said = "The osprey is one large bird of prey the only one of its kin, seen near water. It feeds on fish alone."
        assert " ".join(blocks.bare(found).split()) == f"Weather {said} Home"
