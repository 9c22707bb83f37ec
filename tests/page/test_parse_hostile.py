"""Hostile and broken pages: bounded time and memory, no exception, the rest of the page unharmed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.page.parse import Parser
from tests.clock import grows
from tests.page.looking import SENTENCE, URL, look, looking, urls


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"   ",
        b"\x00" * 1000,
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"not html at all",
        b"<",
        b"<!DOCTYPE",
        b"<html><frameset><frame src=/f><noframes><a href=/n>x</a></noframes></frameset></html>",
        b"<title>",
        b"<plaintext><a href=/1>",
        b"%PDF-1.4 \x00\xff",
        b"<svg><a href=/1></svg>",
        b"<body><body><html><head><title>late</title>",
    ],
)
def test_pages_that_are_hardly_pages_are_taken_calmly(body: bytes) -> None:
    page = Parser().html(body, URL)
    assert page.url == URL
    assert page.kind in ("html", "other")
    assert page.links == []
    assert isinstance(Parser().text(body), str)
    assert Parser(structure=False).html(body, URL).links == []


def test_unclosed_and_misplaced_tags_lose_no_link() -> None:
    page = "<p><b><a href=/1>un<div>closed<table><a href=/2>lost</p><tr><td></b><a href=/3>in cell<ul><li><a href=/4>z"
    assert set(urls(page)) == {"/1", "/2", "/3", "/4"}


def test_nul_characters_in_text_and_links_do_no_harm() -> None:
    page = look(b"<p>bees\x00 <a href='/x\x00y'>ho\x00ney</a> wax")
    assert len(page.links) == 1
    assert "wax" in page.blocks[0].terms


@pytest.mark.parametrize(
    "body",
    [
        b"<p>\x01\x02\x03\x04 bees <a href=/1>ho\x01ney</a>\x02 wax",
        b"<p>&#1;&#2; bees <a href=/1>&#x3;honey&#X04;</a> wax",
        b"<p>\x03\x03\x03 bees <a href=/1>honey</a> wax\x04\x04\x04\x04\x04",
        b"<p title='\x01'>bees <a href=/1>\x02honey\x01</a> wax",
    ],
)
def test_a_page_cannot_forge_our_marks(body: bytes) -> None:
    page = look(body)
    assert [link.url for link in page.links] == ["http://a.test/1"]
    assert "wax" in page.blocks[-1].terms
    assert page.blocks[0].path == "body/p"


@given(
    st.lists(
        st.sampled_from(
            "<p> </p> <div> </div> <a&href=/1> </a> <ul> <li> <table> <td> <h2> </h2> <b> </b> <br> <base&href=/b> "
            "<marquee> <select> <svg> <template> <frameset> <form> <button> <script> </script> "
            "\x01 \x02 \x03 \x04 &#1; &#2 &#39; bees 茶 <title> "
            "<meta&name=robots&content=none> <html&lang=zh> <!-- --> <![CDATA[ \x00 \ufffd".split()
        ),
        max_size=60,
    )
)
@settings(max_examples=400, deadline=None)
def test_no_mix_of_tags_breaks_the_parser(parts: list[str]) -> None:
    body = " ".join(parts).replace("&href", " href").replace("&name", " name").encode()
    page, read = Parser().html(body, URL), Parser(read=True).html(body, URL)
    for link in page.links:
        assert 0 <= link.block < len(page.blocks)
        terms, start, end = page.near(link)
        assert 0 <= start <= end <= len(terms)
        page.around(link), page.siblings(link), page.heading(link)
    assert [page.near(link) for link in page.links] == [read.near(link) for link in read.links]
    assert [page.heading(link).strip() for link in page.links] == [read.heading(link).strip() for link in read.links]
    assert [(link.start, link.end) for link in read.links] == [read.near(link)[1:] for link in read.links]
    assert page.spans[0] == read.spans[0]
    assert page.spans[1].tolist() == read.spans[1].tolist()


@given(st.binary(max_size=500))
@settings(max_examples=200, deadline=None)
def test_no_bytes_break_the_parser(body: bytes) -> None:
    Parser().html(body, URL)
    Parser(structure=False).html(body, URL)
    Parser().text(body)


def test_twenty_thousand_nested_blocks_take_bounded_time() -> None:
    def nested(count: int) -> bytes:
        return b"<a href=/x>first</a>" + b"<div>" * count + b"deep"

    assert [link.url for link in look(nested(20_000)).links] == ["http://a.test/x"]
    grows(lambda count: looking(nested(count)), 20_000)


def test_a_hundred_thousand_links_are_cut_off_and_it_is_said() -> None:
    def linked(count: int) -> bytes:
        return b"".join(b"<p><a href=/%d>bees %d</a>" % (n, n) for n in range(count))

    page = look(linked(100_000))
    assert len(page.links) == 5_000
    assert page.left_out == "95000 links past the first 5000, structure past 20000 blocks"
    grows(lambda count: looking(linked(count)), 100_000)


@pytest.mark.parametrize("between", [b"<p>", b"<br>", b" "])
def test_a_page_of_three_megabytes_is_read(between: bytes) -> None:
    def long(size: int) -> bytes:
        return b"<p>" + (SENTENCE.encode() + between) * (size // (len(SENTENCE) + len(between)))

    assert look(long(3_000_000)).terms["bee"] > 20
    grows(lambda size: looking(long(size)), 3_000_000)
