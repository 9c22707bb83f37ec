# ruff: noqa: E501 - a page on one line is easier to read than one cut in two
"""Dates: as much as the page tells, never more."""

from __future__ import annotations

import pytest
from lxml import html as lxml_html

from honeyguide.page.dates import published, read_date
from honeyguide.page.metadata import gather

MAY_2020 = 1_588_291_200.0


def when(page: str, url: str = "https://news.example/x", fetched: float = 0.0, language: str = "en") -> str | None:
    tree = lxml_html.document_fromstring(page)
    return published(gather(tree), tree, url, fetched=fetched, language=language)[0]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2014年7月18日 08:30", "2014-07-18T08:30"),
        ("2014年07月18日08:30:15", "2014-07-18T08:30:15"),
        ("2014-07-18T08:30:15.123Z", "2014-07-18T08:30:15+00:00"),
        ("2014-07-18T08:30:00+0800", "2014-07-18T08:30:00+08:00"),
        ("2014-07-18 08:30:00-05:00", "2014-07-18T08:30:00-05:00"),
        ("2014-07-18T00:00:00", "2014-07-18"),
        ("2014/7/8 来源：新华网", "2014-07-08"),
        ("Published July 18, 2014 8:30 pm", "2014-07-18T20:30"),
        ("Jul. 18th, 2014", "2014-07-18"),
        ("18 July 2014 12:05 a.m.", "2014-07-18T00:05"),
        ("Fri, 18 Jul 2014 08:30:00 GMT", "2014-07-18T08:30:00+00:00"),
        ("22 de janeiro de 2018 às 0:13", "2018-01-22"),
        ("18. Dezember 2014", "2014-12-18"),
        ("3 juillet 2014", "2014-07-03"),
        ("4 juin 2014", "2014-06-04"),
        ("18.07.2014", "2014-07-18"),
        ("发布时间：18-03-08", "2018-03-08"),
        ("31 February 2014", None),
        ("2014-13-40", None),
        ("10/11/2014", None),  # the tenth of November or the eleventh of October: who can tell
        ("12/25/2014", "2014-12-25"),
        ("25/12/2014 08:30", "2014-12-25T08:30"),
        ("08/08/2014", "2014-08-08"),
        ("10/11/14 05:07 AM EDT", "2014-10-11T05:07"),
        ("12/25/14", None),
        ("version 2.14.6", None),
        ("July", None),
        ("2014", None),
    ],
)
def test_dates_as_people_write_them(text: str, date: str | None) -> None:
    assert read_date(text) == date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1955", "1955"),
        ("1955/06", "1955-06"),
        ("1955-13", "1955"),
        ("October 2015", "2015-10"),
        ("Volume 2015", None),
        ("Fri Jul 18 12:45:00 EDT 2014", "2014-07-18T12:45:00"),
        ("Fri Jul 18 12:45:00 +0000 2014", "2014-07-18T12:45:00+00:00"),
        ("20140718", "2014-07-18"),
        ("20140718T083000Z", "2014-07-18T08:30:00+00:00"),
        ("1405672200", "2014-07-18T08:30:00+00:00"),
        ("1405672200000", "2014-07-18T08:30:00+00:00"),
    ],
)
def test_dates_as_only_tags_write_them(text: str, date: str | None) -> None:
    assert read_date(text, stated=True) == date


def test_linked_data_is_believed_before_tags_and_tags_before_what_is_seen() -> None:
    linked = '<script type="application/ld+json">{"@type":"NewsArticle","headline":"x","datePublished":"2014-07-18"}</script>'
    tag = '<meta property="article:published_time" content="2014-07-19">'
    seen = "<h1>x</h1><p>July 20, 2014</p>"
    assert when(linked + tag + seen) == "2014-07-18"
    assert when(tag + seen) == "2014-07-19"
    assert when(seen) == "2014-07-20"


def test_a_better_known_hour_of_the_same_day_is_taken() -> None:
    assert when('<meta name="date" content="2014-07-18"><h1>x</h1><p>2014-07-18 09:15</p>') == "2014-07-18T09:15"


def test_the_date_of_a_scholarly_work_beats_that_of_its_digital_copy() -> None:
    page = '<meta name="citation_title" content="x"><meta name="citation_publication_date" content="1977/02">'
    linked = '<script type="application/ld+json">{"@type":"ScholarlyArticle","headline":"x","datePublished":"2007-10-23"}</script>'
    assert when(page + linked) == "1977-02"


def test_a_date_after_the_fetch_is_passed_over() -> None:
    page = '<meta name="citation_publication_date" content="2020/12/01"><meta name="citation_online_date" content="2020/04/02">'
    assert when(page, fetched=MAY_2020) == "2020-04-02"
    assert when('<meta name="date" content="2031-01-01"><p>x', fetched=MAY_2020) is None
    assert when('<meta name="date" content="2031"><p>x', fetched=MAY_2020) is None


def test_local_time_ahead_of_greenwich_is_not_the_future() -> None:
    assert when("<h1>x</h1><p>2020-05-01 09:30</p>", fetched=MAY_2020) == "2020-05-01T09:30"
    assert when("<h1>x</h1><p>2020-05-03T09:30+08:00</p>", fetched=MAY_2020) is None


def test_the_address_may_hold_the_date() -> None:
    assert when("<p>text", "https://news.example/2014/07/18/story.html") == "2014-07-18"
    assert when("<p>text", "https://news.example/n1/2014-0718/c1.html") == "2014-07-18"
    assert when("<p>text", "https://news.example/id/20149918/") is None


def test_a_copyright_year_is_no_date() -> None:
    assert when("<h1>x</h1><p>some text</p><footer>Copyright © 2014-01-01 Hive</footer>") is None
    assert when("<h1>x</h1><p>some text</p><footer>© 2014 Hive. All rights reserved.</footer>") is None


def test_dates_in_prose_are_not_the_date_of_the_page() -> None:
    prose = "On July 18, 2014 the airliner left Amsterdam, and " + "so the long story of that day goes on " * 5
    assert when(f"<h1>x</h1><p>{prose}</p>") is None


def test_a_date_among_facts_is_not_the_date_of_the_page() -> None:
    facts = "<h1>Anne</h1><p>A diarist</p><table><tr><td>Name<td>Anne<tr><td>Born<td>June 12, 1999</table>"
    assert when(facts) is None
    assert when("<h1>Anne</h1><p>Anne (born June 12, 1999) was a diarist of whom much has been told since") is None
    assert when("<h1>Sputnik</h1><p>4 October 1957 19:28") is None  # there was no web to publish it on


def test_a_date_by_itself_below_the_heading_is_that_of_the_page() -> None:
    assert when("<h1>Bees swarm</h1><p>June 12, 2019</p><p>They do.") == "2019-06-12"
    assert when("<h1>Bees swarm</h1><p>Ann Lee, June 12, 2019</p><p>They do.") == "2019-06-12"
    far = "<h1>Bees swarm</h1>" + "<p>so it is</p>" * 8
    assert when(f"{far}<p>June 12, 2019</p>") is None
    assert when(f"{far}<p>June 12, 2019 8:30 pm</p>") == "2019-06-12T20:30"
    assert when(f"{far}<p>Published June 12, 2019</p>") == "2019-06-12"


def test_a_date_right_above_the_heading_is_that_of_the_page_unless_it_is_that_of_the_fetch() -> None:
    page = "<p>June 12, 2019</p><h1>Bees swarm</h1><p>They do, says the keeper of the tower.</p>"
    assert when(page) == when(page, fetched=MAY_2020) == "2019-06-12"
    assert when(page.replace("June 12, 2019", "Friday, May 1, 2020"), fetched=MAY_2020) is None
    assert when(page.replace("<h1>", "<p>Menu</p><p>Search</p><h1>")) is None


def test_of_numbers_with_slashes_nothing_is_guessed_that_cannot_be_told() -> None:
    page = '<meta property="og:type" content="article"><h1>Bees</h1><p class="date">{}</p><p>They swarm.</p>'
    assert when(page.format("3/4/2014")) is None
    assert when(page.format("3/14/2014")) == "2014-03-14"
    assert when(page.format("3/14/2014").partition(">")[2]) is None  # nothing says it is an article: a caption, a log


def test_a_script_may_be_the_only_one_who_knows() -> None:
    assert when('<script>var publish_time = "2014-07-18 08:30";</script><h1>x</h1>') == "2014-07-18T08:30"
    assert when('<script>var ct = "1581418070";</script><h1>x</h1><p>前天</p>') == "2020-02-11T10:47:50+00:00"


def test_other_languages_are_read_too() -> None:
    page = "<h1>x</h1><time>18 июля 2014</time>"
    assert when(page, language="ru") == "2014-07-18"
    assert when("<h1>x</h1><time>18 июля 2014</time>", language="zz") is None
