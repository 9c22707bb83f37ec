"""robots.txt: Google's cases, the RFC's examples, real files, and hostile ones."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.web.robots import BODY_LIMIT, Rules, parse
from honeyguide.web.urls import normalise
from tests.clock import grows, takes_at_most


def test_all_of_googles_cases_agree(shared: Path) -> None:
    cases = json.loads((shared / "data/robots/robots_cases.json").read_text(encoding="utf-8"))
    assert len(cases) == 140
    differ = [
        case for case in cases if parse(case["robots_txt"], case["user_agent"]).allows(case["url"]) != case["allowed"]
    ]
    assert differ == []


def sample(shared: Path, name: str, agent: str = "honeyguide") -> Rules:
    return parse((shared / "data/sitemaps/resources/robots" / name).read_bytes(), agent)


MARKS = ["utf8", "utf16le", "utf16be"]


@pytest.mark.parametrize("mark", MARKS)
def test_a_byte_order_mark_does_not_hide_the_first_line(shared: Path, mark: str) -> None:
    rules = sample(shared, f"robots-with-{mark}-bom.txt")
    assert not rules.allows("http://www.newsweek.com/login.aspx")
    assert not rules.allows("http://www.newsweek.com/a/output/print")
    assert rules.sitemaps == ["http://www.newsweek.com/sitemap_index.xml"]


def test_the_examples_of_the_rfc(shared: Path) -> None:
    name = "rfc9309-example-simple-robots.txt"
    everyone, foo, bar, qux = (sample(shared, name, agent) for agent in ("abc", "foobot", "bazbot", "quxbot"))
    assert [everyone.allows(path) for path in ("/a.gif", "/a.gif?x", "/example/", "/publications/", "/")] == [
        *(False, True, False, True, True)
    ]
    assert [foo.allows(path) for path in ("/", "/example/page.html", "/example/allowed.gif")] == [
        False,
        True,
        True,
    ]
    assert [bar.allows(path) for path in ("/example/page.html", "/a.gif")] == [False, True]
    assert qux.allows("/example/page.html")
    longest = sample(shared, "rfc9309-example-longest-match-robots.txt", "foobot")
    assert longest.allows("/example/page/")
    assert not longest.allows("/example/page/disallowed.gif")
    merged = sample(shared, "rfc9309-example-rule-group-merging.txt", "ExampleBot")
    assert [merged.allows(path) for path in ("/foo", "/bar", "/baz", "/qux")] == [False, False, False, True]


def test_misspelt_and_colonless_lines_count(shared: Path) -> None:
    assert not sample(shared, "directive-typos-robots.txt", "bot").allows("/dissalow/")
    parsed = parse("user-agent: *\ndissallow /a\nDISALOW:/b\ndiasllow:\t/c\nsite-map: /s.xml\nsitemap http://x/y")
    assert [parsed.allows(path) for path in ("/a", "/b", "/c", "/d")] == [False, False, False, True]
    assert parsed.sitemaps == ["/s.xml", "http://x/y"]
    errors = "format-errors-robots.txt"
    assert not sample(shared, errors, "bot").allows("/whitespace-before-colon/")
    assert sample(shared, errors).sitemaps == ["/sitemap.xml"]


def test_the_colon_may_be_missing_before_a_path_that_has_one() -> None:
    assert not parse("user-agent *\ndisallow /wiki/Talk:Tea").allows("/wiki/Talk:Tea")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\r"])
def test_every_kind_of_line_end_ends_a_line(end: str) -> None:
    rules = parse(end.join(["User-agent: *", "Disallow: /a", "", "Allow: /a/b", ""]).encode())
    assert [rules.allows(path) for path in ("/a", "/a/b", "/b")] == [False, True, True]


def test_only_real_line_ends_end_a_line() -> None:
    assert not parse("User-agent: *\nDisallow: /a\x0b\x0c\u2028Allow: /").allows("/a\x0b\x0c\u2028Allow: /")


def test_the_reason_names_the_line_that_decided() -> None:
    rules = parse("# hello\nUser-agent: *\nDisallow: /private/ # please\nAllow: /private/tea$\n")
    assert rules.reason("http://a.test/private/x") == "robots.txt line 3: Disallow: /private/"
    assert rules.reason("/private/tea") == "robots.txt line 4: Allow: /private/tea$"
    assert rules.reason("/public") == "no rule in robots.txt matches"
    assert parse("User-agent: other\nDisallow: /").reason("/x") == "robots.txt has no group for honeyguide or *"
    assert rules.reason("/robots.txt") == "robots.txt itself may always be fetched"


def test_a_reason_is_short_and_printable_whatever_the_file_holds() -> None:
    reason = parse("User-agent: *\nDisallow: /\x1b[31m\u202e" + "x" * 5_000).reason("/\x1b[31m%E2%80%AE" + "x" * 5_000)
    assert reason.isprintable()
    assert len(reason) < 250
    long = parse("User-agent: *\nDisallow: /*" + "x" * 5_000).reason("/" + "x" * 5_001)
    assert long.endswith("…")
    assert len(long) < 250


def test_robots_txt_itself_may_always_be_fetched() -> None:
    assert Rules.nothing("down").allows("https://a.test/robots.txt")
    assert not Rules.nothing("down").allows("https://a.test/robots.txt?x")


def test_everything_and_nothing_survive_storage() -> None:
    free, shut = Rules.everything("robots.txt answered 404"), Rules.nothing("robots.txt answered 503")
    for rules in (shut, parse(shut.body, shut.agent), pickle.loads(pickle.dumps(shut))):
        assert not rules.allows("/a")
        assert rules.reason("/a") == "robots.txt answered 503"
    for rules in (free, parse(free.body, free.agent)):
        assert rules.allows("/a")
        assert rules.reason("/a") == "robots.txt answered 404"
    assert "\n" not in Rules.nothing("two\nlines").reason("/")
    assert not Rules.nothing("two\nUser-agent: honeyguide\nAllow: /").allows("/")


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_no_body_raises_and_every_body_can_be_stored_and_read_again(body: bytes | str) -> None:
    rules = parse(body)
    rules.body.encode("utf-8")
    again = parse(rules.body, rules.agent)
    assert again.body == rules.body
    for url in ("/", "http://a.test/x?y", "/%41%zz"):
        assert again.allows(url) == rules.allows(url)
        assert again.reason(url) == rules.reason(url)
    assert repr(again) == repr(rules)


def test_bytes_that_are_not_utf8_match_their_own_escapes() -> None:
    rules = parse(b"User-agent: *\nDisallow: /caf\xe9")
    assert not rules.allows("/caf%E9")
    assert not rules.allows("/caf%e9/menu")
    assert rules.allows("/caf%C3%A9")


def test_where_rfc_and_google_read_escapes_differently_both_must_permit() -> None:
    rules = parse("User-agent: *\nDisallow: /%70rivate\nDisallow: /a%2Fb\nDisallow: /star%2A\nDisallow: /two words")
    assert not rules.allows("/private/x")
    assert not rules.allows("/%70rivate/x")
    assert rules.allows("/a/b")
    assert not rules.allows("/a%2fb")
    assert not rules.allows("/star*x")
    assert not rules.allows("/star%2Ax")
    assert rules.allows("/starfish")
    assert not rules.allows("/two%20words")
    only = parse("User-agent: *\nDisallow: /\nAllow: /%7Etea\nAllow: /cost$s/")
    assert not only.allows("/~tea")
    assert only.allows("/%7Etea")
    assert only.allows("/cost$s/")
    assert parse("User-agent: *\nDisallow: /tea").reason("/%74ea") == "robots.txt line 2: Disallow: /tea"


@pytest.mark.parametrize("code", range(256))
def test_every_escape_is_the_same_in_capitals_and_small_letters_and_plain_ones_are_undone(code: int) -> None:
    upper, lower = f"/x%{code:02X}", f"/x%{code:02x}"
    for url in (upper, lower):
        assert not parse(f"User-agent: *\nDisallow: {upper}").allows(url)
        assert not parse(f"User-agent: *\nDisallow: {lower}").allows(url)
        if re.fullmatch(r"[\w.~-]", chr(code), re.ASCII):
            assert not parse(f"User-agent: *\nDisallow: /x{chr(code)}").allows(url)


def test_groups_for_us_replace_those_for_everyone_and_add_up() -> None:
    body = "User-agent: Honeyguide/1.0\nDisallow: /a\nUser-agent: *\nDisallow: /\n"
    body += "User-agent: HONEYGUIDE\nDisallow: /b"
    rules = parse(body)
    assert [rules.allows(path) for path in ("/a", "/b", "/c")] == [False, False, True]
    assert not parse(body, "honey").allows("/c")
    assert parse("User-agent: honeyguide\nUser-agent: *\nDisallow: /x\n").allows("/y")
    assert parse("Disallow: /\nUser-agent: *\nDisallow:").allows("/")
    assert not parse("User-agent: * # all\nDisallow: /").allows("/")
    assert not parse("User-agent: * everyone\nDisallow: /").allows("/")
    assert parse("User-agent: *bot\nDisallow: /").allows("/")


def test_an_empty_agent_belongs_to_no_named_group() -> None:
    assert parse("User-agent: 123\nDisallow: /", agent="").allows("/")


def test_crawl_delay_of_our_group_else_of_everyone(shared: Path) -> None:
    merging = "crawl-delay-group-merging.txt"
    assert sample(shared, merging, "mybot").delay == 10.0
    assert sample(shared, merging).delay == 30.0
    assert not sample(shared, merging, "mybot").allows("/private/")
    assert sample(shared, "astore.amazon.com-robots.txt").delay == 5.0
    assert sample(shared, "dos-line-endings.txt").delay == 1.0
    assert parse("User-agent: *\nCrawl-delay: 9\nDisallow: /x\nUser-agent: honeyguide\nDisallow: /y").delay == 9.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1", 1.0),
        ("0.5", 0.5),
        (".5", 0.5),
        ("10s", 10.0),
        ("0", 0.0),
        ("999999999", 86_400.0),
        ("1" * 400, 86_400.0),
    ]
    + [(wrong, None) for wrong in ("", "-1", "nan", "inf", "ten", "١")],
)
def test_crawl_delays_are_sane_numbers_or_nothing(text: str, seconds: float | None) -> None:
    assert parse(f"User-agent: *\nCrawl-delay: {text}").delay == seconds


def test_sitemaps_come_once_each_from_anywhere_as_written(shared: Path) -> None:
    assert sample(shared, "sitemap-robots-dedup.txt").sitemaps == ["http://example.org/sitemap.xml"]
    assert sample(shared, "relative-sitemap-robots.txt").sitemaps == ["/sitemap.xml"]
    assert "http://domain.com/dir/MixedCased-sitemap.xml" in sample(shared, "sitemap-robots.txt").sitemaps
    assert parse("Sitemap:\nSitemap: # nothing\n").sitemaps == []


def test_only_the_first_500_kib_are_read_and_no_half_line() -> None:
    filler = b"# " + b"x" * 97 + b"\n"
    head = b"User-agent: *\nDisallow: /early\n"
    lines = (BODY_LIMIT - len(head)) // len(filler)
    cut = head + filler * lines + b"Disallow: /" + b"a" * 200 + b"\nDisallow: /late\n"
    rules = parse(cut)
    assert [rules.allows(path) for path in ("/early", "/late", "/aa", "/")] == [False, True, True, True]
    assert len(rules.body) <= BODY_LIMIT
    assert parse(cut.decode()).body == rules.body
    assert parse(b"x" * (BODY_LIMIT + 1)).body == ""
    swollen = parse(b"\xff" * (BODY_LIMIT // 2) + b"\n" + b"\xff" * BODY_LIMIT)
    assert parse(swollen.body).body == swollen.body


MORE = {
    "extended-standard-robots.txt": [("bot1", "/any", True), ("bot4", "/any", True)],
    "extension-robots.txt": [("mybot", "/private/x", False), ("mybot", "/secret/x", True), ("abc", "/private/x", True)],
    "extensions-group-merging.txt": [
        ("mybot", "/private/x", False), ("yourbot", "/private/x", False), ("yourbot", "/login/", False),
        ("mybot", "/login/", False), ("abc", "/llms.txt", True), ("abc", "/private/x", False),
    ],
    "malformed-path.txt": [
        ("abc", "/wiki/Wikipedia_talk:Mediation_Committee/", False), ("abc", "/wiki/Wikipedia_talk:Other/", True),
        ("abc", "/wiki/Wikipedia_talk%3Mediation_Committee/", False),
    ],
    "many-user-agents.txt": [("Alexibot", "/any", False), ("wget", "/any", False), ("abc", "/any", True)],
    "merge-rules.txt": [
        ("wget", "/foo/bar", True), ("wget", "/tmp/bar", False), ("abc", "/foo/bar", False), ("curl", "/x", False),
    ],
    "precedence-of-rules.txt": [
        ("testy", "/foo", False), ("testy", "/foo/bar", True), ("testy", "/foo/bat", False),
        ("wget", "/index.html", True),
    ],
    "twitter.com-robots.txt": [("abc", "/search?q=x", False), ("googlebot", "/a?b", False), ("abc", "/a", True)],
    "www.flot.com-robots.txt": [("abc", "/bitrix/x", False), ("abc", "/news/", True)],
}  # fmt: skip


@pytest.mark.parametrize("name", MORE)
def test_what_the_other_samples_say(shared: Path, name: str) -> None:
    for agent, path, allowed in MORE[name]:
        assert sample(shared, name, agent).allows(path) == allowed, (agent, path)


def test_every_sample_is_looked_at(shared: Path) -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    names = {path.name for path in (shared / "data/sitemaps/resources/robots").iterdir()}
    assert len(names) == 24
    assert {name for name in names if name not in text} == {f"robots-with-{mark}-bom.txt" for mark in MARKS}


def reference(rules: list[tuple[bool, str]], path: str) -> bool:
    """The rule of the longest match, as plainly as it can be said."""
    verdict, size = True, 0
    for allow, pattern in rules:
        anchored = pattern.endswith("$")
        expression = "".join(".*" if char == "*" else re.escape(char) for char in pattern.removesuffix("$"))
        if re.match(expression + (r"\Z" if anchored else ""), path) and (len(pattern), allow) > (size, verdict):
            verdict, size = allow, len(pattern)
    return verdict


patterns = st.text("ab/*$", max_size=7).map("/".__add__)


@given(st.lists(st.tuples(st.booleans(), patterns), max_size=6), st.text("ab/", max_size=8).map("/".__add__))
def test_the_tables_agree_with_the_plain_definition(rules: list[tuple[bool, str]], path: str) -> None:
    lines = [f"{'Allow' if allow else 'Disallow'}: {pattern}" for allow, pattern in rules]
    assert parse("\n".join(["User-agent: *", *lines])).allows(path) == reference(rules, path)


HOSTILE: dict[str, Callable[[int], str]] = {
    "stars": lambda size: "Disallow: /" + "*" * size + "b",
    "pairs": lambda size: "Disallow: /" + "*a" * size + "b",
    "anchored": lambda size: "Disallow: /" + "*a" * size + "$",
    "many": lambda size: "Disallow: /*a*a*a*a*b\n" * (2 * size),
    "long": lambda size: "Disallow: /" + "a" * (50 * size),
    "words": lambda size: "Disallow: /" + "x " * (25 * size),
    "agents": lambda size: "User-agent: a\n" * (4 * size),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_patterns_take_time_that_grows_with_their_length(name: str) -> None:
    def asking(size: int) -> Callable[[], object]:
        text, url = "User-agent: *\n" + HOSTILE[name](size), "http://a.test/" + "a" * 8_000

        def ask() -> None:
            rules = parse(text)
            rules.allows(url)
            rules.reason(url)

        return ask

    grows(asking, 8_000)


URLS = [f"https://a.test/news/2026/11/{day}/some-title-of-an-article.html?page={day}" for day in range(600)]


def asking_all(rules: Rules) -> Callable[[], object]:
    return lambda: [rules.allows(url) for url in URLS]


def test_asking_about_a_page_takes_about_as_long_as_reading_its_address(shared: Path) -> None:
    rules = sample(shared, "wildcards.txt")
    takes_at_most(8, asking_all(rules), than=lambda: [normalise(url) for url in URLS])  # measured: 1.2 times


def test_asking_takes_no_longer_for_a_hundred_times_as_many_rules() -> None:
    few, many = ("".join(f"Disallow: /news/{number}/\n" for number in range(count)) for count in (100, 10_000))
    takes_at_most(4, asking_all(parse("User-agent: *\n" + many)), than=asking_all(parse("User-agent: *\n" + few)))


@pytest.mark.parametrize("sign", ['"', "<", ">", "^", "`", "{", "}"])
def test_a_rule_may_spell_out_what_a_url_must_escape(sign: str) -> None:
    rules = parse(f"User-agent: *\nDisallow: /a{sign}b")
    assert not rules.allows(f"http://a.test/a%{ord(sign):02X}b")
    assert rules.allows("http://a.test/ab")
