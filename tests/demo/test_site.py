"""What the demo web holds: its pages, its words, its oddities."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from xml.etree import ElementTree

import pytest
from selectolax.lexbor import LexborHTMLParser

from honeyguide.demo import DemoPage, DemoTopic, DemoWeb, build, topic_toml
from honeyguide.demo.articles import Writer
from honeyguide.demo.words import ALL
from honeyguide.page.parse import Parser
from honeyguide.text import distance, simhash, words
from honeyguide.text.near import NearDuplicates

DIGEST = """
import hashlib
from honeyguide.demo import build
whole = hashlib.sha256()
web = build()
for page in web.pages.values():
    whole.update(repr((page.url, page.status, page.headers, page.body, page.topic)).encode())
whole.update(repr([(t.examples, t.starts, t.far_starts, sorted(t.relevant)) for t in web.topics]).encode())
print(whole.hexdigest())
"""


def test_two_processes_build_the_same_bytes() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


def test_another_seed_builds_another_web(web: DemoWeb) -> None:
    assert build(7).pages.keys() != web.pages.keys()
    assert build() is build()


def test_there_are_enough_pages_and_hosts(web: DemoWeb) -> None:
    html = [page for page in web.pages.values() if page.is_html]
    assert len(html) >= 450
    assert len({page.host for page in html}) >= 8
    assert {page.host for page in web.pages.values()} <= set(web.hosts)
    assert all(page.url.startswith("http://") and ":" not in page.host for page in web.pages.values())


def test_topics_come_in_english_and_chinese(web: DemoWeb) -> None:
    languages = Counter(language for topic in web.topics for language in topic.languages)
    assert languages["en"] >= 5
    assert languages["zh"] >= 2


def test_the_default_topic_is_a_small_part_of_the_web(web: DemoWeb, topic: DemoTopic) -> None:
    html = sum(page.is_html for page in web.pages.values())
    assert 0.12 <= len(topic.relevant) / html <= 0.18


@pytest.mark.parametrize("material", ALL, ids=lambda words: words.id)
def test_a_third_of_the_pages_on_a_topic_lack_its_keywords(web: DemoWeb, material: object) -> None:
    writer = Writer(material)
    topic = next(topic for topic in web.topics if topic.id == material.id)
    quiet = loud = 0
    for url in topic.relevant:
        article = web.pages[url].article
        said = writer.loud(f"{article.title} {article.text}")
        assert said is not article.quiet
        if said:
            loud += 1
        else:
            quiet += 1
            plain = f"{article.title} {article.text}".lower()
            found = words(plain)
            assert not any(keyword in (plain if material.language == "zh" else found) for keyword in topic.keywords)
    assert 0.27 <= quiet / (quiet + loud) <= 0.4


def test_no_address_holds_a_word_of_a_topic(web: DemoWeb) -> None:
    marks = [re.compile(material.marks, re.IGNORECASE) for material in ALL]
    keywords = [keyword for material in ALL for keyword in material.keywords]
    for url in [*web.pages, *web.dead]:
        assert not any(mark.search(url) for mark in marks), url
        assert not any(keyword in url.lower() for keyword in keywords), url


CONTENT = "article, .item, .related ul, aside ul, .beside, script, meta"


def frame_of(page: DemoPage) -> str:
    """What is left of a page, to read and in its classes, when its own content is taken out."""
    tree = LexborHTMLParser(page.text)
    if page.article:
        for node in tree.css("title"):
            node.decompose()
    for node in tree.css(CONTENT):
        node.decompose()
    attributes = [str(value) for node in tree.css("*") for value in node.attributes.values()]
    return tree.text(separator=" ") + " " + " ".join(attributes)


def test_no_template_holds_a_word_of_a_topic(web: DemoWeb) -> None:
    marks = [re.compile(material.marks, re.IGNORECASE) for material in ALL]
    frames = {page.url: frame_of(page) for page in web.pages.values() if page.is_html}
    assert sum(len(frame) > 100 for frame in frames.values()) > 450  # it really looked at something
    for url, frame in frames.items():
        for mark in marks:
            assert not mark.search(frame), (url, mark.search(frame))


@pytest.mark.parametrize("material", ALL, ids=lambda words: words.id)
def test_articles_of_one_topic_are_no_near_duplicates(web: DemoWeb, material: object) -> None:
    texts = [
        words(page.article.text)
        for page in web.pages.values()
        if page.kind == "article" and page.topic == material.id and page.article
    ]
    shingles = [set(zip(text, text[1:], text[2:], strict=False)) for text in texts]
    prints = [simhash(text) for text in texts]
    for i in range(len(texts)):
        for j in range(i):
            assert len(shingles[i] & shingles[j]) / len(shingles[i] | shingles[j]) < 0.5
            assert distance(prints[i], prints[j]) > 6


def test_articles_are_news_like(web: DemoWeb) -> None:
    for page in web.pages.values():
        if page.kind != "article":
            continue
        article = page.article
        assert article is not None
        assert 4 <= len(article.paragraphs) <= 12
        assert article.authors
        assert article.source
        tree = LexborHTMLParser(page.text)
        assert tree.css_first("h1").text() == article.title
        if not tree.css("nav"):
            continue  # the dead ends show the bare text
        day = article.published
        stamp = f"{day.year}年{day.month}月{day.day}日" if article.language == "zh" else str(day.year)
        assert stamp in tree.css_first("article").text()
        assert article.authors[0] in page.text
        assert article.source in page.text


def test_no_slot_is_left_unfilled(web: DemoWeb) -> None:
    for page in web.pages.values():
        if page.article:
            assert not re.search(r"[{}]|\s{2,}$", page.article.title + page.article.text.replace("\n\n", " "))


def test_dates_are_marked_up_in_several_ways(web: DemoWeb) -> None:
    text = "".join(page.text for page in web.pages.values())
    for mark in ("application/ld+json", "article:published_time", "<time ", 'name="date"', "itemprop", "来源："):
        assert mark in text


def kinds(web: DemoWeb) -> Counter[str]:
    return Counter(page.kind for page in web.pages.values())


def test_every_oddity_is_there(web: DemoWeb) -> None:
    found = kinds(web)
    expected = "front section hub article static copy redirect feed sitemap robots pdf closed unlisted hidden trap "
    expected += "paper book ad"
    assert set(expected.split()) == set(found)
    assert {page.status for page in web.pages.values()} == {200, 301, 302}
    answers = [answer for page in web.pages.values() for answer in page.before]
    assert {status for status, _ in answers} == {500, 503}
    assert [headers for status, headers in answers if status == 503] == [{"Retry-After": "1"}]
    assert any(not page.links for page in web.pages.values() if page.kind == "article")


def test_robots_close_some_paths_and_slow_one_host(web: DemoWeb) -> None:
    robots = {page.host: page.text for page in web.pages.values() if page.kind == "robots"}
    assert "Crawl-delay: 1" in robots["mirror.demo.test"]
    assert sum("Crawl-delay" in text for text in robots.values()) == 1
    for page in web.pages.values():
        paths = re.findall(r"Disallow: (/.+)", robots.get(page.host, ""))
        path = page.url.removeprefix(f"http://{page.host}")
        assert any(path.startswith(start) for start in paths) == (page.kind == "closed")


def test_copies_are_copies_and_not_counted_twice(web: DemoWeb, topic: DemoTopic) -> None:
    copies = [page for page in web.pages.values() if page.kind == "copy"]
    assert any(page.topic == topic.id for page in copies)
    assert any("utm_source=" in page.url for page in copies)
    assert any(page.host == "mirror.demo.test" for page in copies)
    assert any('rel="canonical"' in page.text for page in copies)
    assert any('rel="canonical"' not in page.text for page in copies)
    originals = {page.article.title for page in web.pages.values() if page.kind == "article"}
    for page in copies:
        assert page.article.title in originals
        assert page.url not in topic.relevant


def test_encodings_are_what_they_say(web: DemoWeb) -> None:
    gb = [page for page in web.pages.values() if 'charset="gb18030"' in page.text]
    assert gb
    for page in gb:
        assert page.headers["Content-Type"] == "text/html"
        assert page.body.decode("gb18030") == page.text
        with pytest.raises(UnicodeDecodeError):
            page.body.decode("utf-8")
    latin = [page for page in web.pages.values() if "iso-8859-1" in page.headers.get("Content-Type", "")]
    assert latin
    assert all("é" in page.body.decode("iso-8859-1") for page in latin)
    packed = [page for page in web.pages.values() if page.headers.get("Content-Encoding") == "gzip"]
    assert packed
    assert all(gzip.decompress(page.body).decode() == page.text for page in packed)


def test_feeds_and_sitemaps_are_well_formed(web: DemoWeb) -> None:
    roots = {
        page.url: ElementTree.fromstring(page.body) for page in web.pages.values() if page.kind in {"feed", "sitemap"}
    }
    assert {root.tag.rpartition("}")[2] for root in roots.values()} == {"rss", "feed", "urlset", "sitemapindex"}


def test_the_pdf_has_true_offsets(web: DemoWeb) -> None:
    for page in (page for page in web.pages.values() if page.kind == "pdf"):
        start = int(page.body.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
        assert page.body[start:].startswith(b"xref\n")
        lines = page.body[start:].split(b"\n")[3:8]
        for number, line in enumerate(lines, 1):
            assert page.body[int(line[:10]) :].startswith(b"%d 0 obj" % number)


def test_topic_toml_says_what_a_user_would_say(web: DemoWeb) -> None:
    for topic in web.topics:
        read = tomllib.loads(topic_toml(topic))
        assert read["name"] == topic.name
        assert read["keywords"] == topic.keywords
        assert tuple(read["pages"]["examples"]) == topic.examples
        assert tuple(read["pages"]["starts"]) == topic.starts
        assert "relevant" not in topic_toml(topic)


def test_examples_are_on_topic_and_some_are_quiet(web: DemoWeb) -> None:
    for topic in web.topics:
        assert set(topic.examples) <= topic.relevant
        assert len(set(topic.examples)) == 5
        assert {web.pages[url].article.quiet for url in topic.examples} == {True, False}


@pytest.mark.parametrize("structure", [True, False])
def test_every_copy_is_told_from_its_original_and_nothing_else_is(web: DemoWeb, structure: bool) -> None:
    """A mirror, a print version and a second address differ from the original by a few words of furniture."""
    near, parser = NearDuplicates(), Parser(structure=structure)
    articles = sorted(
        (page for page in web.pages.values() if page.article is not None), key=lambda one: one.kind == "copy"
    )
    for number, page in enumerate(articles):
        sketch = parser.html(page.body, page.url).sketch
        found = near.find(sketch)
        original = next(one for one, other in enumerate(articles) if other.article is page.article)
        assert found == (original if page.kind == "copy" else None), page.url
        if found is None:
            near.add(sketch, number)
