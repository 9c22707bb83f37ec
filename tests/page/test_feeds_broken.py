"""Feeds and sitemaps that are broken, cut, packed badly, or made to do harm."""

from __future__ import annotations

import gzip
import json
import re
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.page.feeds import looks_like_feed, parse
from tests.clock import grows, takes_at_most
from tests.page.test_feeds import BASE, SAMPLES, read, urls

BROKEN = {
    "ampersands": ("<urlset><url><loc>http://a.test/?x=1&y=2&copy=3</loc></url></urlset>", ["http://a.test/?x=1&y=2&copy=3"]),
    "brackets": (
        "<rss><channel><item><title>1 < 2 <3</title><link>http://a.test/1</link></item></channel></rss>",
        ["http://a.test/1"],
    ),
    "cut": ("<urlset><url><loc>http://a.test/1</loc></url><url><loc>http://a.test/2</lo", ["http://a.test/1"]),
    "unclosed": (
        "<rss><channel><item><link>http://a.test/1</link><title>a <b>c</title></item><item><link>http://a.test/2</link></item>",
        ["http://a.test/1", "http://a.test/2"],
    ),
    "junk before": ("Warning: x\n <urlset><url><loc>http://a.test/1</loc></url></urlset>", ["http://a.test/1"]),
    "control characters": ("<urlset><url><loc>http://a.test/1\x00\x01</loc></url></urlset>", ["http://a.test/1"]),
    "unknown prefix": ("<urlset><q:url><q:loc>http://a.test/1</q:loc></q:url></urlset>", ["http://a.test/1"]),
    "late declaration": ("\n\n<?xml version='1.0'?><urlset><url><loc>http://a.test/1</loc></url></urlset>", ["http://a.test/1"]),
    "open cdata": ("<rss><channel><item><link>http://a.test/1</link><title><![CDATA[x</title></item>", ["http://a.test/1"]),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_ones_are_read_as_far_as_they_go(name: str) -> None:
    body, expected = BROKEN[name]
    assert urls(read(body))[: len(expected)] == expected


def test_html_entities_and_stray_signs_survive_in_titles() -> None:
    feed = read(
        "<rss><channel><item><link>/a</link><title>caf&eacute; &amp; th&#233; &lt;3 AT&T</title></item></channel></rss>"
    )
    assert feed.entries[0].title == "café & thé <3 AT&T"


def test_nothing_is_lost_where_the_data_is_cut_into_pieces() -> None:
    links = [f"http://a.test/{'x' * (number % 97)}?n={number}&amp;m=1&k=2" for number in range(6_000)]
    body = "<urlset>" + "".join(f"<url><loc>{link}</loc></url>" for link in links) + "</urlset>"
    assert urls(read(body)) == [link.replace("&amp;", "&") for link in links]


def laughs(levels: int = 12) -> str:
    rest = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, levels))
    return f'<!DOCTYPE rss [<!ENTITY a0 "ha">{rest}]>'


BOMBS = {
    "billion laughs": laughs() + "<rss><channel><title>&a11;</title><item><link>http://a.test/</link></item></channel></rss>",
    "laughs in attributes": laughs() + '<feed><entry t="&a11;"><link href="http://a.test/"/><title>&a11;</title></entry></feed>',
    "quadratic": f'<!DOCTYPE z [<!ENTITY a "{"x" * 100_000}">]><rss><channel><title>{"&a;" * 50_000}</title>'
    "<item><link>http://a.test/</link></item></channel></rss>",
    "external entity": '<!DOCTYPE z [<!ENTITY a SYSTEM "file:///etc/hostname">]><rss><channel><title>&a;</title>'
    "<item><link>http://a.test/</link></item></channel></rss>",
    "parameter entity": '<!DOCTYPE z [<!ENTITY % p SYSTEM "http://127.0.0.1:9/x.dtd"> %p;]><rss><channel>'
    "<item><link>http://a.test/</link></item></channel></rss>",
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_entity_bombs_are_harmless_and_the_links_beside_them_are_read(name: str) -> None:
    feed = read(BOMBS[name])
    assert urls(feed) == ["http://a.test/"]
    assert len(feed.title) <= 500
    assert "ha" not in feed.title + feed.entries[0].title
    # Nor does it go off unseen: with nothing behind its entities it costs as much.
    hollow = re.sub(r'<!ENTITY (\w+) "[^"]*">', r'<!ENTITY \1 "">', BOMBS[name])
    takes_at_most(5, lambda: read(BOMBS[name]), lambda: read(hollow))


def test_a_document_type_that_hides_its_end_expands_nothing() -> None:
    feed = read(
        '<!DOCTYPE z [<!ENTITY a "]><rss>"><!ENTITY b "&a;ha&a;">]><rss><channel><title>&b;</title><item>'
        "<link>http://a.test/</link><title>&b;</title></item></channel></rss>"
    )
    assert "ha" not in feed.title + "".join(entry.title for entry in feed.entries)


SIZE = 2_000_000
HEAD = b"<rss><channel>"
JSON = b'{"version":"https://jsonfeed.org/version/1","items":'
FLOODS: dict[str, Callable[[int], bytes]] = {
    "elements": lambda size: HEAD + b"<a/>" * (size // 4),
    "depth": lambda size: HEAD + b"<a>" * (size // 3),
    "mismatched": lambda size: HEAD + b"<a></b>" * (size // 7),
    "ampersands": lambda size: HEAD + b"&" * size,
    "brackets": lambda size: HEAD + b"<" * size,
    "open cdata": lambda size: HEAD + b"<![CDATA[" * (size // 9),
    "comments": lambda size: b"<!--" * (size // 4),
    "instructions": lambda size: b"<?" * (size // 2),
    "attributes": lambda size: b"<rss " + b"".join(b'a%d="" ' % number for number in range(size // 12)),
    "one long text": lambda size: HEAD + b"<item><title>" + b"x" * size,
    "bases": lambda size: HEAD + b'<item xml:base="x/">' * (size // 20),
    "blank lines": lambda size: b"http://a.test/\n" + b" \n" * (size // 2),
    "json lists": lambda size: JSON + b"[" + b"[]," * (size // 3) + b"1]}",
    "json depth": lambda size: JSON + b"[" * size,
    "gzip members": lambda size: gzip.compress(b"") * (size // 20),
}


@pytest.mark.parametrize("name", FLOODS)
def test_floods_take_time_that_grows_with_their_length(name: str) -> None:
    def reading(size: int) -> Callable[[], object]:
        body = FLOODS[name](size)
        return lambda: (parse(body, BASE), looks_like_feed("application/xml", body[:4_096]))

    grows(reading, SIZE)


def test_a_gzip_bomb_is_opened_only_up_to_the_limit() -> None:
    bomb = gzip.compress(b"<urlset><url><loc>http://a.test/1</loc></url>" + b" " * 200_000_000, 1)
    tracemalloc.start()
    try:
        for body in (bomb, gzip.compress(bomb)):
            feed = parse(body, BASE, max_bytes=1_000_000)
            assert (urls(feed), feed.truncated) == (["http://a.test/1"], True)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_gzip_in_several_members_cut_short_or_damaged() -> None:
    halves = [b"<urlset><url><loc>http://a.test/1</loc></url>", b"<url><loc>http://a.test/2</loc></url></urlset>"]
    whole = parse(b"".join(map(gzip.compress, halves)) + b"\0\0", BASE)
    assert (urls(whole), whole.truncated) == (["http://a.test/1", "http://a.test/2"], False)
    text = "<urlset>" + "".join(f"<url><loc>http://a.test/{n * 7919 % 10007}</loc></url>" for n in range(9_000))
    packed = gzip.compress(text.encode())
    short = parse(packed[: len(packed) // 2], BASE)
    assert short.truncated
    assert 1_000 < len(short.entries) < 9_000
    damaged = parse(packed[: len(packed) // 2] + b"\xff" * 2_000 + packed[len(packed) // 2 :], BASE)
    assert damaged.truncated
    assert len(damaged.entries) > 1_000
    assert parse(b"\x1f\x8bnot gzip", BASE).kind == "unknown"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_cut_off_anywhere_gives_what_came_before(shared: Path, name: str) -> None:
    body = (shared / "data/sitemaps/resources" / name).read_bytes()
    whole = parse(body, BASE)
    everything = urls(whole) + whole.sitemaps
    for share in range(20):
        part = parse(body[: len(body) * share // 20], BASE)
        found = urls(part) + part.sitemaps
        # The last address may itself be cut; a date, a title or a fallback may have come later.
        assert len(found) <= len(everything)
        assert set(found[:-1]) <= set(everything), share


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_with_holes_never_fails(shared: Path, name: str) -> None:
    body = (shared / "data/sitemaps/resources" / name).read_bytes()
    for seed in range(30):
        place = zlib.crc32(f"{name} {seed}".encode()) % len(body)
        for hole in (b"", b"\xff\xfe", b"<", b"&", b"]]>", b"\x00" * 9):
            torn = body[:place] + hole + body[place + 7 :]
            feed = parse(torn, BASE)
            assert all(url.startswith(("http://", "https://")) for url in urls(feed) + feed.sitemaps)
            looks_like_feed("application/xml", torn[:2_000])


FRAGMENTS = """
<rss> </rss> <channel> </channel> <item> </item> <title> </title> <link> </link> <link/> <feed> <entry> </entry>
<urlset> <url> </url> <loc> </loc> <sitemap> </sitemap> <![CDATA[ ]]> <!-- --> <? ?> <!DOCTYPE [ &amp; & < > &x;
http://a.test/1 /b {"version":"https://jsonfeed.org/version/1","items":[{"url":"http://a.test/"}
""".split()
fragments = st.sampled_from(FRAGMENTS)


@given(st.binary(max_size=200) | st.lists(fragments, max_size=25).map(lambda parts: "".join(parts).encode()))
def test_no_body_raises(body: bytes) -> None:
    for variant in (
        body,
        b"<rss>" + body,
        b"<urlset><url><loc>" + body,
        gzip.compress(body)[:-9],
        b"\x1f\x8b\x08" + body,
    ):
        feed = parse(variant, BASE)
        assert all(url.startswith(("http://", "https://")) for url in urls(feed) + feed.sitemaps)
        looks_like_feed("application/rss+xml", variant)
        json.dumps([feed.title, *(entry.title for entry in feed.entries)], ensure_ascii=False).encode()
