"""What a digest answers about its links, and that it survives being packed."""

from __future__ import annotations

import msgspec
import pytest

from honeyguide.page.digest import UNREAD, Block, Digest, Link, decode, encode
from honeyguide.page.parse import Parser
from honeyguide.text.terms import terms


def _page() -> Digest:
    return Digest(
        url="http://a.test/",
        fetched=1.5,
        kind="html",
        title="蜂蜜 & bees 🐝",
        terms={"bee": 3, "蜂蜜": 1},
        fingerprint=2**64 - 1,
        blocks=[
            Block("body/h2", 0, -1, False, ["hive", "life"], "Hive life"),
            Block("body/ul/li", 2, 0, True, list("abcdefghijklmnopqrstuvwxyz")),
            Block("body/ul/li", 2, 0, True, ["honey"]),
            Block("body/p", -3, 0, True, ["wax"]),
        ],
        links=[
            Link("http://a.test/1", "kl", 1, 10, 12),
            Link("http://a.test/2", "honey", 2, 0, 1, "tag"),
            Link("http://a.test/3", "wax", 3, 0, 1),
            Link("http://a.test/feed", "News", -1, rel="alternate"),
        ],
    )


def test_a_digest_comes_back_from_its_bytes_as_it_was() -> None:
    assert decode(encode(_page())) == _page()
    bare = Digest(url="http://a.test/", fetched=0.0, kind="other")
    assert decode(encode(bare)) == bare


@pytest.mark.parametrize("blob", [b"", b"\x00", b"\xc1", encode(_page())[:-3]])
def test_bytes_that_are_no_digest_are_refused(blob: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(blob)


def test_two_digests_share_no_lists() -> None:
    one, other = (Digest(url="http://a.test/", fetched=0.0, kind="html") for _ in range(2))
    one.links.append(Link("http://a.test/1", "", -1))
    one.terms["bee"] = 1
    assert other.links == []
    assert other.terms == {}


def test_the_terms_of_an_anchor_and_those_around_it_are_slices_of_its_block() -> None:
    page = _page()
    assert page.anchor_terms(page.links[0]) == ["k", "l"]
    assert page.around(page.links[0], 3) == ["h", "i", "j", "m", "n", "o"]
    assert page.around(page.links[0]) == list("abcdefghijmnopqrstuv")
    assert page.around(page.links[0], 0) == []
    assert page.around(page.links[1]) == []


def test_a_link_knows_its_heading_and_the_others_of_its_list() -> None:
    page = _page()
    assert page.heading(page.links[0]) == "Hive life"
    assert page.siblings(page.links[0]) == [page.links[1]]
    assert page.siblings(page.links[2]) == []


def test_a_link_that_stands_in_no_block_has_nothing_around_it() -> None:
    page = _page()
    feed = page.links[3]
    assert (page.anchor_terms(feed), page.around(feed), page.heading(feed), page.siblings(feed)) == ([], [], "", [])


def test_two_equal_links_of_one_list_are_still_siblings() -> None:
    page = _page()
    page.links = [Link("http://a.test/1", "x", 2), Link("http://a.test/1", "x", 2)]
    assert page.siblings(page.links[0]) == [page.links[1]]


def test_a_block_names_its_innermost_tag() -> None:
    assert [block.tag for block in _page().blocks] == ["h2", "li", "li", "p"]
    assert Block("body", 0, -1, False, []).tag == "body"


def _skimmed() -> Digest:
    text = "Nobody counts how often each of them flies. " * 20
    links = "Bees <a href=/hive>live in hives</a> and make <a href=/honey>honey</a> of nectar.<p><a href=/x><img></a>"
    return Parser(structure=False).html(f"<p>{text}<p>{links}".encode(), "http://a.test/")


def test_of_a_skimmed_page_the_words_near_links_are_read_when_they_are_asked_for() -> None:
    page = _skimmed()
    before = encode(page)
    assert not vars(page.blocks[0])
    assert [page.anchor_terms(link) for link in page.links] == [["live", "hive"], ["honey"], []]
    assert page.around(page.links[1], 2) == ["live", "hive", "nectar"]
    assert vars(page.blocks[0])
    assert encode(page) == before
    assert decode(before).around(page.links[1], 2) == ["live", "hive", "nectar"]


def test_a_page_read_at_once_says_the_same_as_one_read_on_demand() -> None:
    html = f"<p>{'Bees carry nectar home. ' * 30}<a href=/hive>live in hives</a> and <a href=/honey>honey</a> is made."
    later, now = (Parser(structure=False, read=read).html(html.encode(), "http://a.test/") for read in (False, True))
    assert [link.end for link in later.links] == [UNREAD, UNREAD]
    assert not vars(now.blocks[0])
    assert [now.near(link) for link in now.links] == [later.near(link) for link in later.links]
    assert (now.terms, now.fingerprint) == (later.terms, later.fingerprint)
    assert not vars(now.blocks[0])


def test_what_all_links_say_of_themselves_is_told_at_once_and_nothing_is_read_for_it() -> None:
    page = _skimmed()
    page.links.append(Link("http://a.test/wp/Stained_glass-windows.htm?x=1", "Isn’t it 茶?", -1))
    assert page.shown(page.links) == [("live", "hive"), ("honey",), (), ("茶",)]
    assert page.named(page.links) == [("hive",), ("honey",), (), ("stain", "glass", "window")]
    assert page.named(page.links[1:2]) == [("honey",)]
    assert page.shown([]) == page.named([]) == []
    assert not vars(page.blocks[0])


def _nested() -> Digest:
    html = f"<p>{'Bees carry nectar home. ' * 30}<a href=/a>wax <a href=/b>and</a> honey</a> <a href=/c>comb"
    return Parser(structure=False).html(html.encode(), "http://a.test/")


@pytest.mark.parametrize(
    "page", [_page(), _skimmed(), _nested(), Digest(url="http://a.test/", fetched=0.0, kind="html")]
)
def test_where_all_links_stand_is_what_each_says_alone(page: Digest) -> None:
    terms, spans = page.spans
    for link, (low, start, end, high) in zip(page.links, spans.T.tolist(), strict=True):
        near, begin, over = page.near(link)
        assert (terms[low:high], start - low, end - low) == (near, begin, over)
    page.__dict__.clear()


def test_a_page_stored_before_blocks_knew_their_language_is_read_by_its_own() -> None:
    page = Digest(url="http://a.test/", fetched=0.0, kind="html", language="de")
    page.blocks, page.links = [Block("body", 0, -1, False, [], " \x01 alte Häuser \x02 ")], [Link("", "", 0, 0, UNREAD)]
    assert page.anchor_terms(page.links[0]) == terms("alte Häuser", "de") != terms("alte Häuser", "en")
