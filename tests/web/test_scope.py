"""Where a crawl may go."""

from __future__ import annotations

import pytest

from honeyguide.errors import SettingError
from honeyguide.web.scope import Scope, ScopeRules

HERE = "http://www.a.example/start"


def test_without_rules_every_page_is_in_scope() -> None:
    scope = Scope(ScopeRules())
    for url in ("http://a.test/", "https://b.test/x?y=z.png", "http://[::1]/a.html", "http://a.test/p.php?f=x.zip"):
        assert scope(url)
        assert scope.refusal(url) == ""


@pytest.mark.parametrize(
    "name", ["a.png", "a.JPG", "a.css", "a.js", "a.mp4", "a.zip", "a.tar.gz", "a.docx", "data.json", "a.exe"]
)
def test_files_that_are_no_pages_are_out_of_scope(name: str) -> None:
    scope = Scope(ScopeRules())
    assert not scope(f"http://a.test/{name}")
    assert not scope(f"http://a.test/{name}?v=1")
    assert scope.refusal(f"http://a.test/{name}") == "out of scope: the name of a file that is no page"


@pytest.mark.parametrize(
    "name", ["sitemap.xml.gz", "sitemap-2.gz", "feed.json", "news.rss.json", "paper.pdf", "a.xml", "a.htm"]
)
def test_feeds_sitemaps_and_papers_are_in_scope(name: str) -> None:
    assert Scope(ScopeRules())(f"http://a.test/{name}")


def test_a_host_that_ends_like_a_file_is_no_file() -> None:
    assert Scope(ScopeRules())("http://node.js/")
    assert Scope(ScopeRules())("http://a.zip/?x")


def test_one_allowed_pattern_must_match_if_there_are_any() -> None:
    scope = Scope(ScopeRules(allow=("/news/", r"^https://b\.test/")))
    assert scope("http://a.test/news/1")
    assert scope("https://b.test/x")
    assert not scope("http://a.test/sport/1")
    assert scope.refusal("http://a.test/sport/1") == "out of scope: matches none of the allowed patterns"


def test_no_denied_pattern_may_match_and_it_is_named() -> None:
    scope = Scope(ScopeRules(allow=("a.test",), deny=("/login", "/private/")))
    assert scope("http://a.test/x")
    assert not scope("http://a.test/private/x")
    assert scope.refusal("http://a.test/private/x") == "out of scope: matches the denied pattern '/private/'"


def test_patterns_see_the_query_too() -> None:
    assert not Scope(ScopeRules(deny=("session=",)))("http://a.test/x?session=1")


def test_staying_on_the_site_allows_its_other_hosts() -> None:
    scope = Scope(ScopeRules(stay="site", homes=(HERE, "http://b.co.uk/")))
    assert scope("https://blog.a.example/x")
    assert scope("http://b.co.uk:8080/")
    assert not scope("http://c.co.uk/")
    assert scope.refusal("http://c.co.uk/") == "out of scope: leaves the site it was told to stay on"


def test_staying_on_the_host_allows_no_other() -> None:
    scope = Scope(ScopeRules(stay="host", homes=(HERE,)))
    assert scope("http://www.a.example/other")
    assert not scope("http://blog.a.example/")
    assert not scope("http://www.a.example:8080/")
    assert scope.refusal("http://blog.a.example/") == "out of scope: leaves the host it was told to stay on"


def test_homes_mean_nothing_unless_told_to_stay() -> None:
    assert Scope(ScopeRules(homes=(HERE,)))("http://elsewhere.example/")


def test_many_hosts_are_judged_right_from_memory() -> None:
    scope = Scope(ScopeRules(stay="site", homes=(HERE,)))
    for _ in range(2):
        assert [scope(f"http://h{number}.{'a' if number % 2 else 'b'}.example/") for number in range(6)] == [
            False,
            True,
        ] * 3


@pytest.mark.parametrize("path", ["a/b/a/b/a/b/a/b", "x/x/x/x/x/x", "/".join(str(number) for number in range(30))])
def test_a_path_that_goes_in_circles_or_without_end_is_a_trap(path: str) -> None:
    scope = Scope(ScopeRules())
    assert not scope(f"http://a.test/{path}")
    assert (
        scope.refusal(f"http://a.test/{path}") == "out of scope: its path repeats itself or is too deep, as in a trap"
    )


@pytest.mark.parametrize(
    "path", ["a/b/c/d/e/f/g/h", "2014/07/17/2014/07/17", "a//b//c//d//e", "x?u=/a/a/a/a/a/a/a/a/a"]
)
def test_a_long_path_that_goes_somewhere_is_no_trap(path: str) -> None:
    assert Scope(ScopeRules())(f"http://a.test/{path}")


@pytest.mark.parametrize("kind", ["allow", "deny"])
def test_a_pattern_that_is_none_is_refused_by_name(kind: str) -> None:
    with pytest.raises(SettingError, match=rf"the {kind} pattern '\(' is no regular expression"):
        Scope(ScopeRules(**{kind: ("fine", "(")}))


def test_a_pattern_may_carry_its_own_flags() -> None:
    scope = Scope(ScopeRules(allow=("/news/", "(?i)/bees/")))
    assert scope("http://a.test/BEES/1")
    assert not scope("http://a.test/NEWS/1")


def test_patterns_do_not_share_their_groups() -> None:
    scope = Scope(ScopeRules(deny=("(/private/)", r"/([a-z]+)/\1/")))
    assert not scope("http://a.test/loop/loop/")


def test_patterns_do_not_share_their_group_names() -> None:
    assert Scope(ScopeRules(deny=("/(?P<name>a)/", "/(?P<name>b)/")))("http://a.test/c/")


def test_the_secure_side_of_a_host_is_the_same_host() -> None:
    assert Scope(ScopeRules(stay="host", homes=("http://a.example/",)))("https://a.example/")


def test_told_to_stay_without_a_home_is_refused() -> None:
    with pytest.raises(SettingError):
        Scope(ScopeRules(stay="host"))
