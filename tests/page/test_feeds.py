"""Feeds and sitemaps: the formats, real samples, broken ones, and bombs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from honeyguide.page.feeds import Feed, FeedEntry, looks_like_feed, parse

BASE = "https://base.test/dir/feed.xml"


def read(body: str | bytes, **limits: int) -> Feed:
    return parse(body.encode() if isinstance(body, str) else body, BASE, **limits)


def urls(feed: Feed) -> list[str]:
    return [entry.url for entry in feed.entries]


SAMPLES = {
    "rss/feed.rss": ("feed", 4, 0),
    "rss/xmlRss_pubDate.xml": ("feed", 7, 0),
    "sitemaps/atom.xml": ("feed", 1, 0),
    "sitemaps/do-not-visit.txt": ("sitemap", 1, 0),
    "sitemaps/sitemap-with-bom.txt": ("sitemap", 2, 0),
    "sitemaps/sitemap.badns.xml": ("sitemap", 2, 0),
    "sitemaps/sitemap.index.xml": ("sitemap", 0, 15),
    "sitemaps/sitemap.ns.xml": ("sitemap", 2, 0),
    "sitemaps/sitemap.txt": ("sitemap", 2, 0),
    "sitemaps/sitemap.txt.gz": ("sitemap", 5, 0),
    "sitemaps/xmlSitemap.gz": ("sitemap", 5, 0),
    "sitemaps/extension/hebdenbridgetimes-articles-sitemap.xml": ("sitemap", 74, 0),
    "sitemaps/extension/pagemaps-sitemap.xml": ("sitemap", 2, 0),
    "sitemaps/extension/shinpaideshou-news-sitemap.xml": ("sitemap", 3, 0),
    "sitemaps/extension/sitemap-images.xml": ("sitemap", 1, 0),
    "sitemaps/extension/sitemap-links.xml": ("sitemap", 3, 0),
    "sitemaps/extension/sitemap-mobile.xml": ("sitemap", 3, 0),
    "sitemaps/extension/sitemap-news.xml": ("sitemap", 2, 0),
    "sitemaps/extension/sitemap-videos-tvshow.xml": ("sitemap", 1, 0),
    "sitemaps/extension/sitemap-videos.xml": ("sitemap", 3, 0),
}


def test_every_sample_there_is_is_read(shared: Path) -> None:
    folder = shared / "data/sitemaps/resources"
    there = {str(path.relative_to(folder)) for room in ("rss", "sitemaps") for path in (folder / room).rglob("*.*")}
    assert there == set(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_is_recognised_and_read_whole(shared: Path, name: str) -> None:
    body = (shared / "data/sitemaps/resources" / name).read_bytes()
    kind, entries, sitemaps = SAMPLES[name]
    feed = parse(body, BASE)
    assert looks_like_feed("application/octet-stream", body[:2_000]) == kind == feed.kind
    assert (len(feed.entries), len(feed.sitemaps), feed.truncated) == (entries, sitemaps, False)


def test_what_the_samples_say_of_their_pages(shared: Path) -> None:
    folder = shared / "data/sitemaps/resources"
    rss = parse((folder / "rss/feed.rss").read_bytes(), BASE)
    assert rss.title == "RSS Title"
    assert urls(rss)[1:] == [
        "https://www.example.com/guid.html",
        "https://www.example.com/foo?q=a&l=en",
        "https://www.example.com/foo?q=a&l=fr",
    ]
    dates = [entry.published for entry in parse((folder / "rss/xmlRss_pubDate.xml").read_bytes(), BASE).entries]
    assert dates == [*(f"2017-01-05T13:34:5{n}+01:00" for n in range(1, 5)), "2017-01-05T13:34:55", None, None]
    news = parse((folder / "sitemaps/extension/sitemap-news.xml").read_bytes(), BASE).entries[0]
    assert news == FeedEntry(
        "http://www.example.org/business/article55.html", "Companies A, B in Merger Talks", "2008-12-23"
    )
    first = parse((folder / "sitemaps/xmlSitemap.gz").read_bytes(), BASE).entries[0]
    assert first == FeedEntry("http://www.example.com/", priority=0.8, updated="2005-01-01")


def test_rss_1_and_the_oldest_rss() -> None:
    rdf = read(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>Tea</title></channel>'
        "<item><title>One</title><link>/one</link><dc:date>2020-02-03T04:05:06Z</dc:date></item></rdf:RDF>"
    )
    assert (rdf.kind, rdf.title) == ("feed", "Tea")
    assert rdf.entries == [FeedEntry("https://base.test/one", "One", "2020-02-03T04:05:06+00:00")]
    old = read('<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "http://x.test/rss.dtd">'
               '<rss version="0.91"><channel><item><link>a</link></item></channel></rss>')  # fmt: skip
    assert urls(old) == ["https://base.test/dir/a"]


def test_rdf_that_is_no_feed_is_left_alone() -> None:
    assert looks_like_feed("application/rdf+xml", b'<rdf:RDF xmlns:rdf="x"><foaf:Person/></rdf:RDF>') is None


def test_atom_takes_the_page_for_readers_and_keeps_both_dates() -> None:
    feed = read(
        '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://other.test/blog/"><title>F</title>'
        '<entry xml:base="deep/"><link rel="self" href="self"/><link type="application/json" href="data"/>'
        '<link rel="alternate" type="text/html" href="page"/>'
        '<title type="html">&lt;b&gt;Bold&lt;/b&gt; tea</title>'
        "<published>2021-01-02T03:04:05+08:00</published><updated>2021-02-02</updated>"
        "<source><title>Elsewhere</title><id>urn:x</id></source></entry>"
        '<entry><link rel="edit" href="no"/><id>https://id.test/1</id></entry><entry><id>urn:none</id></entry></feed>'
    )
    assert feed.entries == [
        FeedEntry("https://other.test/blog/deep/page", "Bold tea", "2021-01-02T03:04:05+08:00", None, "2021-02-02"),
        FeedEntry("https://id.test/1"),
    ]


def test_titles_of_pictures_are_not_titles_of_pages() -> None:
    feed = read(
        '<rss xmlns:media="http://search.yahoo.com/mrss/"><channel><image><title>Logo</title><url>/logo</url></image>'
        "<title>Real</title><item><media:title>Photo</media:title><title>Story</title><link>/s</link></item>"
        "</channel></rss>"
    )
    assert (feed.title, feed.entries) == ("Real", [FeedEntry("https://base.test/s", "Story")])


def test_json_feed() -> None:
    document = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "J",
        "items": [
            {"id": "1", "url": "/a", "title": "A &amp; B", "date_published": "2022-03-04T05:06:07Z"},
            {"id": "2", "external_url": "https://x.test/b", "date_modified": "2022-03-04"},
            {"id": "https://id.test/c", "title": 7},
            *({"id": "4"}, "no", None, {"url": ["list"]}),
        ],
    }
    for body in (json.dumps(document), json.dumps(document, sort_keys=True).replace("/", "\\/")):
        feed = read(body)
        assert (feed.kind, feed.title, feed.truncated) == ("feed", "J", False)
        assert feed.entries == [
            FeedEntry("https://base.test/a", "A & B", "2022-03-04T05:06:07+00:00"),
            FeedEntry("https://x.test/b", updated="2022-03-04"),
            FeedEntry("https://id.test/c"),
        ]
        assert looks_like_feed("application/feed+json", body[:40].encode()) == "feed"
    half = read('{"version":"https://jsonfeed.org/version/1","items":[{"url":"https:\\/\\/a.test\\/1"},{"url":"htt')
    assert (urls(half), half.truncated) == (["https://a.test/1"], True)
    assert read('{"version":"https://jsonfeed.org/version/1","items":{},"title":"\\ud800"}').title == "?"
    assert read('{"items":[{"url":"https://a.test/"}]}').kind == "unknown"


def test_sitemaps_and_indexes_in_one() -> None:
    feed = read(
        "<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2020</lastmod></sitemap><sitemap> /b.xml </sitemap>"
        "<sitemap><loc/></sitemap></sitemapindex>"
    )
    assert feed.sitemaps == ["https://base.test/a.xml", "https://base.test/b.xml"]
    mixed = read("<urlset><url><loc>/p</loc><priority>high</priority></url><sitemap><loc>/s</loc></sitemap></urlset>")
    assert (urls(mixed), mixed.sitemaps) == (["https://base.test/p"], ["https://base.test/s"])


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2020-01-02", "2020-01-02"),
        ("2020-01", "2020-01"),
        ("2020", "2020"),
        ("2020-01-02T03:04Z", "2020-01-02T03:04:00+00:00"),
        ("2020-01-02 03:04:05 +0100", "2020-01-02T03:04:05+01:00"),
        ("Thu, 02 Jan 2020 03:04:05 EST", "2020-01-02T03:04:05-05:00"),
        *(
            (wrong, None)
            for wrong in ("yesterday", "32 Jan 2020", "2020-13", "0", "Thu, 02 Jan 99999999999 00:00", "x" * 99)
        ),
    ],
)
def test_dates_become_iso_or_nothing(text: str, iso: str | None) -> None:
    feed = read(f"<rss><channel><item><link>/a</link><pubDate>{text}</pubDate></item></channel></rss>")
    assert feed.entries[0].published == iso


@pytest.mark.parametrize(("text", "value"), [("0.5", 0.5), ("1", 1.0), ("1.5", None), ("nan", None), ("-1", None)])
def test_priorities_lie_between_zero_and_one(text: str, value: float | None) -> None:
    assert read(f"<urlset><url><loc>/a</loc><priority>{text}</priority></url></urlset>").entries[0].priority == value


def test_only_web_addresses_come_out_absolute_and_once() -> None:
    links = [
        "/a",
        "../b",
        "//c.test/d",
        "?e",
        "javascript:alert(1)",
        "ftp://f/",
        "http://",
        "http://[",
        "/a",
        "",
        "x" * 5_000,
    ]
    feed = read("<urlset>" + "".join(f"<url><loc>{link}</loc></url>" for link in links) + "</urlset>")
    assert urls(feed) == [
        "https://base.test/a",
        "https://base.test/b",
        "https://c.test/d",
        "https://base.test/dir/feed.xml?e",
    ]


ENCODINGS = [
    ("utf-8", "utf-8"),
    ("utf-16", "utf-16"),
    ("utf-16-le", "utf-16"),
    ("utf-16-be", ""),
    ("utf-8-sig", ""),
]
ENCODINGS += [
    ("gb18030", "gb2312"),
    ("windows-1252", "iso-8859-1"),
    ("utf-8", "iso-8859-1"),
    ("shift_jis", "Shift_JIS"),
]


@pytest.mark.parametrize(("encoding", "declared"), ENCODINGS)
def test_text_in_many_encodings(encoding: str, declared: str) -> None:
    word = {"gb18030": "蜂蜜", "windows-1252": "café", "shift_jis": "はちみつ"}.get(encoding, "蜂蜜 café")
    declaration = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    body = f"{declaration}<rss><channel><title>{word}</title></channel></rss>".encode(encoding)
    assert parse(body, BASE).title == word
    assert looks_like_feed("", body) == "feed"


def test_text_in_no_declared_encoding_is_guessed_and_never_fails() -> None:
    assert read("<rss><channel><title>miel café thé sucré</title></channel></rss>".encode("cp1252")).title.startswith(
        "miel caf"
    )
    for name in ("utf-8", "punycode", "zlib", "utf-16", "nonsense"):
        body = f'<?xml version="1.0" encoding="{name}"?><rss><channel><item><link>/a</link><title>\xe9</title></item>'
        assert urls(read(body.encode("latin-1"))) == ["https://base.test/a"]


def test_sizes_and_counts_are_bounded_and_said() -> None:
    lines = "".join(f"http://a.test/{number}\n" for number in range(100))
    xml = "<urlset>" + "".join(f"<url><loc>/{number}</loc></url>" for number in range(100)) + "</urlset>"
    for body in (lines, xml):
        some = read(body, max_entries=10)
        assert (len(some.entries), some.truncated) == (10, True)
        full = read(body, max_entries=100)
        assert (len(full.entries), full.truncated) == (100, False)
        cut = read(body, max_bytes=500)
        assert cut.truncated
        assert 0 < len(cut.entries) < 100
    assert len(read(f"<rss><channel><title>{'x' * 9_999}</title></channel></rss>").title) == 500


@pytest.mark.parametrize(
    ("content_type", "head", "kind"),
    [
        ("text/html", b"<!doctype html><html><head>", None),
        ("application/rss+xml", b"<html><body>404", None),
        ("application/rss+xml", b"<unheard-of>", "feed"),
        ("application/atom+xml; charset=utf-8", b"", None),
        ("application/xml", b'<?xml version="1.0"?>\n<!-- <rss> -->\n<?style x?><html xmlns="x">', None),
        ("text/xml", b"<!-- hi --><sit:urlset xmlns:sit='x'>", "sitemap"),
        ("text/plain", b"http://a.test/\nhttp://a.test/b c", None),
        ("text/plain", b"https://a.test/1\r\nhttps://a.test/2\r\n", "sitemap"),
        ("text/plain", b"just text", None),
        ("application/json", b'{"version": "https://jsonfeed.org/version/1"', "feed"),
        ("application/json", b'{"version": 2}', None),
        ("application/pdf", b"%PDF-1.7", None),
        ("application/gzip", gzip.compress(b"<sitemapindex>" + bytes(range(256)) * 9, mtime=0)[:200], "sitemap"),
        ("", b"", None),
    ],
)
def test_what_is_a_feed_and_what_is_not(content_type: str, head: bytes, kind: str | None) -> None:
    assert looks_like_feed(content_type, head) == kind
