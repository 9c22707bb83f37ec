"""Walls and lists: pages with nothing in them to keep, and pages that are no articles."""

from __future__ import annotations

import pytest

from honeyguide.page.extract import extract
from honeyguide.page.parse import Parser
from honeyguide.page.walls import wall

URL = "https://www.hive.example/2014/story"
PROSE = "".join(
    f"<p>The bees of tower number {number} have returned after an absence of eleven years, and a keeper who climbed it "
    "on Friday counted four swarms, each with a queen of its own to follow.</p>"
    for number in range(8)
)
TEASERS = "".join(
    f"<div class='box'><h3><a href='/{number}'>The bees of tower number {number} return</a></h3><p>A keeper who "
    f"climbed tower number {number} on Friday counted four swarms of bees in it, and there may be more.</p>"
    f"<time>2024-05-0{number}</time></div>"
    for number in range(1, 8)
)


@pytest.mark.parametrize(
    ("title", "text", "why"),
    [
        ("Just a moment...", "", "person"),
        ("Attention Required! | Cloudflare", "", "person"),
        ("Are you a robot?", "Please confirm.", "person"),
        ("hive.example", "Checking your browser before accessing hive.example.", "person"),
        ("安全验证", "请完成安全验证", "person"),
        ("Log in to The Hive", "Forgot your password?", "log in"),
        ("登录 - 蜂网", "", "log in"),
        ("The Hive", "You must be logged in to read this page.", "log in"),
        ("Before you continue to The Hive", "", "consent"),
        ("404 Not Found", "nginx", "no such page"),
        ("Page not found | The Hive", "", "no such page"),
        ("The Hive", "Sorry, the page you are looking for has flown away.", "no such page"),
    ],
)
def test_a_wall_is_told_by_what_it_says(title: str, text: str, why: str) -> None:
    assert why in wall(title, text, len(text))


@pytest.mark.parametrize(
    ("title", "size"),
    [
        ("Just a moment...", 5_000),
        ("Forbidden City", 300),
        ("Error correction in bees", 300),
        ("Login walls, explained", 5_000),
        ("Consent (law)", 300),
        ("Bees", 0),
        ("4042 bees counted", 200),
    ],
)
def test_an_article_about_walls_is_none(title: str, size: int) -> None:
    assert wall(title, "", size) == ""


def test_the_record_of_a_wall_says_so_and_that_of_a_page_does_not() -> None:
    blocked = extract("<title>Just a moment...</title><p>Enable JavaScript and cookies to continue</p>", URL)
    assert (blocked.kind, blocked.extra["wall"]) == ("wall", "it only asks whether a person is reading")
    story = extract(f"<title>Just a moment...</title><h1>Just a moment</h1>{PROSE}", URL)
    assert "wall" not in story.extra


def test_a_list_of_stories_is_no_article_and_has_no_date_whatever_it_claims() -> None:
    claims = '<meta property="og:type" content="article"><meta property="article:published_time" content="2024-05-09">'
    listed = extract(f"<html><head><title>Bees</title>{claims}</head><body>{TEASERS}</body></html>", URL)
    assert (listed.kind, listed.published) == ("index", None)
    links = "".join(f"<li><a href='/{number}'>The bees of tower number {number}</a></li>" for number in range(30))
    assert extract(f"<html><head>{claims}</head><body><ul>{links}</ul></body></html>", URL).kind == "index"
    story = extract(f"<html><head>{claims}</head><body><h1>Bees</h1>{PROSE}{TEASERS[:900]}</body></html>", URL)
    assert (story.kind, story.published) == ("article", "2024-05-09")


def test_a_story_is_none_the_less_one_for_all_the_teasers_around_it() -> None:
    claims = '<meta property="og:type" content="article"><meta property="article:published_time" content="2024-05-09">'
    page = "<html><head><title>Bees</title>{}</head><body>{}{}{}</body></html>"
    story = extract(page.format(claims, TEASERS * 2, f"<div><h1>Bees</h1>{PROSE}</div>", TEASERS * 2), URL)
    assert (story.kind, story.published) == ("article", "2024-05-09")
    scattered = f"<div>{PROSE}</div>".replace("</p><p>", "</p></div><div><p>")  # lines of a story stand side by side
    assert extract(page.format(claims, TEASERS * 2, scattered, TEASERS * 2), URL).kind == "index"


def test_a_box_of_teasers_is_not_counted_beside_them() -> None:
    claims = '<meta property="og:type" content="article">'
    bare = "<div><div><h3><a href='/8'>The bees of tower number 8 are away</a></h3></div></div>"  # it has no teaser
    story = f"<div>{PROSE.partition('number 4')[0].rpartition('<p>')[0]}</div>"
    body = f"<h1>Bees</h1>{story}<div>{bare}{TEASERS}</div>"
    assert extract(f"<html><head><title>Bees</title>{claims}</head><body>{body}</body></html>", URL).kind == "article"


def test_the_first_look_takes_no_list_and_no_front_page_for_an_article() -> None:
    claims = b'<meta property="og:type" content="article">'
    links = b"".join(b"<li><a href='/%d'>Tower %d</a></li>" % (number, number) for number in range(30))
    look = Parser().html
    assert look(claims + PROSE.encode(), URL).article
    assert not look(claims + PROSE.encode(), "https://www.hive.example/").article
    assert not look(claims + b"<ul>" + links + b"</ul>", URL).article


def test_a_time_among_comments_and_a_date_the_title_names_are_not_the_pages_own() -> None:
    comment = "<div class='comments'><time datetime='2020-11-01'>November 1, 2020</time> Nice bees!</div>"
    assert extract(f"<h1>Bees</h1>{PROSE}{comment}", URL).published is None
    assert extract(f"<h1>Bees</h1><time>2020-11-01</time>{PROSE}", URL).published == "2020-11-01"
    named = (
        f"<title>September 11, 2001 attacks</title><h1>September 11, 2001 attacks</h1><p>September 11, 2001</p>{PROSE}"
    )
    assert extract(named, URL).published is None
