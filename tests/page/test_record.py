# ruff: noqa: E501 - a page on one line is easier to read than one cut in two
"""The careful record: whole pages in, clean records out, whatever the page."""

from __future__ import annotations

import logging
import random
import re
from functools import partial

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from honeyguide.page.article import _led
from honeyguide.page.extract import LONGEST, extract
from honeyguide.page.parse import Parser
from honeyguide.page.record import Record
from tests.clock import grows

URL = "https://www.hive.example/2014/story"
NOW = 1_588_291_200.0

SENTENCES = [
    "The bees of the old town have returned to the tower after an absence of eleven years.",
    "A keeper who climbed the tower on Friday counted four swarms, each with a queen of its own.",
    "Nobody knows where the bees spent those years, though the keeper has a theory about the quarry.",
    "The town council will vote next week on whether the tower may be opened to visitors again.",
]
PROSE = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
MENU = "<ul>" + "".join(f"<li><a href='/{n}'>Section number {n}</a></li>" for n in range(12)) + "</ul>"

NEWS = f"""<html lang="en-GB"><head><title>Bees return to the tower | The Hive</title>
<meta property="og:site_name" content="The Hive"><meta name="description" content="They are back.">
<meta property="article:published_time" content="2014-07-18T08:30:00+02:00">
<meta property="article:section" content="Nature"></head>
<body><nav>{MENU}</nav><article><h1>Bees return to the tower</h1><p class="byline">By Jane Doe and John Roe</p>
{PROSE}<p>Read more: Ten towers to see</p></article><div>{MENU}</div>
<footer>Copyright © 2020 The Hive</footer></body></html>"""

CHINESE = """<html><head><meta charset="gb2312"><title>蜂群时隔十一年重返老城钟楼_社会新闻_某某网</title></head><body>
<h1>蜂群时隔十一年重返老城钟楼</h1><div>2014年7月18日 08:30　来源：蜂城日报　作者：李明</div>
<p>老城钟楼的蜂群在离开十一年之后终于回来了，周五登上钟楼的养蜂人数出了四个蜂群，每个蜂群都有自己的蜂王。</p>
<p>没有人知道蜂群这些年去了哪里，不过养蜂人认为蜂群一直住在城外的采石场，那里的野花今年开得特别茂盛。</p>
<p>市议会将在下周投票决定钟楼是否重新向游客开放，养蜂人希望蜂群能够得到保护，不再受到游客的打扰。</p>
<p>责任编辑：王小红</p><ul><li><a href="/1">热点新闻一</a></li><li><a href="/2">热点新闻二</a></li>
<li><a href="/3">热点新闻三</a></li></ul></body></html>"""

SCHOLARLY = f"""<html><head><title>Journal of Bees - Towers</title>
<meta name="citation_title" content="On the return of bees to towers">
<meta name="citation_author" content="Doe, Jane"><meta name="citation_author" content="Le Roe, John K.">
<meta name="citation_journal_title" content="Journal of Bees"><meta name="citation_doi" content="10.1000/bee.14">
<meta name="citation_publication_date" content="1955/06"><meta name="citation_language" content="en">
</head><body><h1>On the return of bees to towers</h1>{PROSE}</body></html>"""


NUMBERS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()


def test_a_news_page_becomes_a_record() -> None:
    record = extract(NEWS, URL, fetched=NOW)
    assert record.title == "Bees return to the tower"
    assert record.authors == ["Jane Doe", "John Roe"]
    assert record.published == "2014-07-18T08:30:00+02:00"
    assert (record.source, record.language, record.kind) == ("The Hive", "en", "article")
    assert record.text.split("\n") == SENTENCES
    assert record.description == "They are back."
    assert record.keywords[:2] == ["tower", "bees"]
    assert record.extra == {"section": "Nature"}
    assert (record.url, record.fetched, record.careful) == (URL, NOW, True)


def test_a_chinese_page_in_its_old_encoding_becomes_a_record() -> None:
    record = extract(CHINESE.encode("gb18030"), URL)
    assert record.title == "蜂群时隔十一年重返老城钟楼"
    assert record.published == "2014-07-18T08:30"
    assert (record.source, record.language, record.authors) == ("蜂城日报", "zh", ["李明"])
    assert record.text.startswith("老城钟楼的蜂群")
    assert record.text.endswith("游客的打扰。")
    assert record.keywords[0] == "蜂群"
    assert record.extra == {"editor": "王小红"}


def test_a_scholarly_page_becomes_a_record() -> None:
    record = extract(SCHOLARLY, URL, fetched=NOW)
    assert record.title == "On the return of bees to towers"
    assert record.authors == ["Jane Doe", "John K. Le Roe"]
    assert record.published == "1955-06"
    assert record.kind == "article"
    assert record.extra == {"journal": "Journal of Bees", "doi": "10.1000/bee.14"}


def test_a_page_without_a_date_has_none() -> None:
    record = extract(f"<title>Bees</title><h1>Bees</h1>{PROSE}<footer>© 2014 Hive</footer>", "https://hive.example/")
    assert record.published is None
    assert record.kind == "page"
    assert record.source == "hive.example"


def test_the_callers_language_wins() -> None:
    assert extract(NEWS, URL, language="de").language == "de"


def test_a_wrong_claim_of_language_is_seen_through() -> None:
    assert extract(CHINESE.replace("<html>", '<html lang="en">'), URL).language == "zh"
    assert extract(f"<html lang='fr'><body><h1>Bees</h1>{PROSE}", URL).language == "en"
    assert extract("<html lang='pt-BR'><body><p>Oi", URL).language == "pt"
    kana = "これはとても長い日本語の文章です。" * 8
    assert extract(f"<html lang='zh'><body><p>{kana}", URL).language == "ja"


def test_a_story_cut_into_containers_is_put_together() -> None:
    parts = "".join(f'<div class="body"><div><p>{line}</p><p>{line[::-1]}</p></div></div>' for line in SENTENCES * 6)
    record = extract(f"<article><h1>Bees</h1>{parts}</article>", URL)
    assert all(line in record.text for line in SENTENCES)


def test_a_list_of_other_stories_at_the_end_is_cut_off() -> None:
    others = "<h3>You may also like</h3><p>Wasps leave</p><p>Ants stay</p>"
    text = extract(f"<article><h1>Bees</h1>{PROSE}{others}</article>", URL).text
    assert text.split("\n") == SENTENCES


def test_a_lead_that_is_the_description_stays() -> None:
    lead = "Bees have been seen in the valley again, and nobody knows where they spent the winter months."
    page = f"<title>Bees</title><meta name=description content='{lead}'><h1>Bees</h1><p>{lead}</p><p>{'They hum. ' * 60}</p>"
    assert extract(page, "https://hive.example/a").text.startswith(lead)


def test_a_lead_that_the_search_passes_by_is_put_back() -> None:
    lines = [f"{sentence} So it is told." for sentence in SENTENCES]
    tree = lxml_html.document_fromstring(f"<div><p>Short.</p>{''.join(f'<p>{line}</p>' for line in lines)}</div>")
    whole = "\n".join(lines)
    assert _led(tree, whole.partition("\n")[2]) == _led(tree, whole) == whole


def test_a_root_that_closes_itself_does_not_end_the_page() -> None:
    record = extract(f'<html lang="en" />\n<head><title>Bees</title></head><body>{PROSE}</body>', URL)
    assert (record.title, record.careful, record.language) == ("Bees", True, "en")
    assert SENTENCES[0] in record.text


def test_a_story_that_the_fast_search_missed_is_found() -> None:
    teaser = "Elsewhere in this paper: a treaty on plastics is being talked over in another country this week. " * 4
    story = [
        f"The {word} bees came to the valley in spring, and they made honey there all summer long, as they always did."
        for word in NUMBERS
    ]
    page = (
        f"<title>Bees</title><body><article class=teaser><p>{teaser}</p></article>"
        f"<div class=text-module>{''.join(f'<p>{line}</p>' for line in story)}</div>"
    )
    found = extract(page, "https://hive.example/a").text
    assert all(line in found for line in story)


def test_of_a_pdf_that_cannot_be_read_only_its_name_is_known() -> None:
    record = extract(b"%PDF-1.7 \x00\x01", "https://www.hive.example/papers/On%20bees.pdf?x=1")
    assert (record.kind, record.title, record.source) == ("pdf", "On bees.pdf", "hive.example")
    assert (record.text, record.careful) == ("", False)


def test_records_survive_a_round_trip_through_json() -> None:
    record = extract(NEWS, URL)
    assert msgspec.json.decode(msgspec.json.encode(record), type=Record) == record


@pytest.mark.parametrize("nothing", ["", "   ", b"", b"\0\0\0", "<html></html>", "<!-- -->", "<title></title>"])
def test_nothing_gives_an_empty_record(nothing: str | bytes) -> None:
    record = extract(nothing, "not a url")
    assert (record.title, record.text, record.authors, record.published) == ("", "", [], None)


def test_ten_thousand_nested_elements_are_read_plainly() -> None:
    def nested(count: int) -> str:
        return "<title>Deep</title>" + "<div>" * count + SENTENCES[0]

    record = extract(nested(10_000), URL)
    assert (record.title, record.text, record.careful) == ("Deep", SENTENCES[0], False)
    grows(lambda count: partial(extract, nested(count), URL), 10_000)


@pytest.mark.parametrize(
    "unit",
    [
        "<div>", "<p>hello there, world", "<b>x", "lorem ipsum ", "<<<", '<a title="', "<ul><li><a href=x>a</a>", "数据",
        "<script>x</script>", "<meta name=author content='a, b; c'>", "<h1>a | b</h1>", "<p>2014-07-18</p>", "&lt;",
    ],
)  # fmt: skip
def test_five_megabytes_of_junk_take_bounded_time(unit: str) -> None:
    def junk(size: int) -> str:
        return (unit * (size // len(unit) + 1))[:size]

    grows(lambda size: partial(extract, junk(size), URL), 5_000_000)
    assert len(extract(junk(5_000_000), URL).text) <= 1_000_000


def test_what_lies_beyond_the_limit_is_left_out() -> None:
    page = (
        f"<h1>Bees</h1>{PROSE}<p>{'x' * 5_000}</p><p>The very last sentence of this page is never seen by anyone.</p>"
    )
    record = extract(page, URL, longest=2_000)
    assert "very last" not in record.text
    assert record.extra["left_out"] == "all past byte 2000"
    assert "left_out" not in extract(page, URL).extra
    assert LONGEST == 2_000_000


def test_what_an_overgrown_page_loses_is_said() -> None:
    tags = extract(f"<h1>Bees</h1>{PROSE}" + "<b>" * 250_000, URL)
    assert tags.text
    assert re.fullmatch(r"all past byte \d+, where it has had 200000 tags", tags.extra["left_out"])
    text, left_out = Parser().bounded_text(f"<h1>Bees</h1>{PROSE}{'<div>' * 100_000}".encode())
    assert "Bees" in text
    assert left_out
    assert Parser().bounded_text(f"<h1>Bees</h1>{PROSE}".encode())[1] == ""


def test_bytes_of_no_language_do_no_harm() -> None:
    record = extract(random.Random(7).randbytes(100_000), URL)
    assert isinstance(record.text, str)


def test_libraries_stay_silent(caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
    with caplog.at_level(logging.DEBUG):
        for page in ("<p>", "<html><body>x", b"\xff\xfe\x00", NEWS):
            extract(page, URL)
    assert [entry.name for entry in caplog.records if entry.name.startswith(("trafilatura", "htmldate"))] == []
    assert capsys.readouterr().err == ""


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from([NEWS, CHINESE, SCHOLARLY]))
def test_mangled_pages_never_raise(chance: random.Random, page: str) -> None:
    letters = list(page)
    for _ in range(chance.randrange(1, 60)):
        if not letters:
            break
        place = chance.randrange(len(letters))
        match chance.randrange(3):
            case 0:
                del letters[place : place + chance.randrange(40)]
            case 1:
                letters.insert(place, chance.choice(["<", ">", '"', "\0", "</", "<!--", "<script>", "&#x0;", "\ud800"]))
            case _:
                other = chance.randrange(len(letters))
                letters[place], letters[other] = letters[other], letters[place]
    assert extract("".join(letters), URL, fetched=NOW).url == URL


def test_each_field_says_where_it_was_found_and_how_sure_it_is() -> None:
    record = extract(NEWS, URL, fetched=NOW)
    filled = {"title", "published", "source", "authors", "language", "text", "description"}
    assert set(record.sources) == set(record.sure) == filled
    assert (record.sources["published"], record.sources["authors"]) == ("meta tags", "byline")
    assert all(0 < sure <= 1 for sure in record.sure.values())
    assert record.sure["text"] > 0.8  # two ways of seeking it agree
    assert record.sure["authors"] < record.sure["published"]


def test_what_stands_around_a_chinese_article_is_left_out() -> None:
    around = CHINESE.replace(
        "<p>老城", "<p>字号：大 中 小</p><p>（原标题：蜂群回来了）</p><p>某某报记者 王小明</p><p>老城"
    )
    around = around.replace("<p>责任", "<p>更多消息，请扫描二维码关注</p><p>责任").replace(
        "</ul>", "</ul><p>分享到</p>"
    )
    text = extract(around, URL).text
    assert text.startswith("老城钟楼的蜂群")
    assert text.endswith("游客的打扰。")


def test_a_text_is_not_given_up_for_a_shorter_one_that_leaves_most_of_the_page_out() -> None:
    parts = "".join(
        f"<div class='entry'><h2>Tower {n}</h2><p>{SENTENCES[n % 4]} Tower {n}.</p></div>" for n in range(40)
    )
    text = extract(f"<article><h1>Bees</h1><p>{SENTENCES[0]}</p>{parts}</article>", URL).text
    assert text.count("Tower") > 30
