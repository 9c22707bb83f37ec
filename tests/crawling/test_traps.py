"""The watch over traps: what it closes, what it leaves open, and that a resumed crawl knows the same."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from honeyguide.crawling import Crawl
from honeyguide.crawling.traps import SITEMAPS_ONLY, Traps
from honeyguide.frontier import Frontier, GraphWriter, pattern_of
from honeyguide.store import VisitRow
from honeyguide.web.urls import host_of, normalise
from tests.clock import grows, takes_at_most
from tests.crawling.conftest import Crawler


class Web:
    """Visits by hand, with the frontier's hosts as the crawl would have them."""

    def __init__(self, *, watch: bool = True, pages: int = 100) -> None:
        self.frontier = Frontier(GraphWriter(str).graph)
        self.traps = Traps(self.frontier, watch=watch, pages=pages)

    def host(self, url: str) -> int:
        return self.frontier.host(host_of(url))

    def met(self, url: str, outcome: str = "page", *, parent: str = "", **more: object) -> None:
        visit = VisitRow(0, "page", 0.0, 200, outcome, **{"fingerprint": hash(url) & (2**64 - 1), **more})  # type: ignore[arg-type]
        self.traps.met(self.host(url), url, visit, (self.host(parent), parent) if parent else None)

    def refusal(self, url: str) -> str:
        return self.traps.refusal(self.host(url), url)


@pytest.mark.parametrize(
    ("path", "folded"),
    [
        ("/2024/03/05/story", "/#/#/#/story"),
        ("/a/page-12.html", "/a/page-#.html"),
        ("/x;jsessionid=1A53B9", "/x;jsessionid=#"),
        ("/x;jsessionid=AB12CD?y=1", "/x;jsessionid=#?y=#"),
        ("/list?order=abc&view=", "/list?order=#&view=#"),
        ("/about-us", "/about-us"),
        ("/v2", "/#"),
    ],
)
def test_addresses_of_a_family_have_one_shape(path: str, folded: str) -> None:
    assert pattern_of(path) == folded


def test_a_family_that_repeats_itself_is_closed_and_its_neighbours_are_not() -> None:
    web = Web()
    for day in range(15):
        web.met(f"http://a.test/cal/{day}", duplicate=1)
    assert web.refusal("http://a.test/cal/99") == ""
    web.met("http://a.test/cal/15", duplicate=1)
    assert web.refusal("http://a.test/cal/99") == (
        "16 of 16 addresses like a.test:80/cal/# brought nothing new, as in a trap"
    )
    assert web.refusal("http://a.test/news/99") == ""
    assert web.refusal("http://b.test/cal/99") == ""


def test_pages_that_differ_by_a_date_are_the_same_page_within_their_family() -> None:
    web, print_ = Web(), 0x0123456789ABCDEF
    for day in range(16):
        web.met(f"http://a.test/cal/{day}", fingerprint=print_ ^ (0b111 << day))
    assert "brought nothing new" in web.refusal("http://a.test/cal/99")


def test_a_family_with_something_new_in_it_stays_open() -> None:
    web = Web()
    for number in range(100):
        web.met(f"http://a.test/story/{number}", duplicate=1 if number % 4 else None)
    assert web.refusal("http://a.test/story/500") == ""


def test_a_list_whose_leaves_say_the_same_but_lead_to_new_pages_stays_open() -> None:
    web = Web()
    for leaf in range(60):
        web.met(f"http://a.test/list?page={leaf}", duplicate=1)
        web.met(f"http://a.test/article-{'x' * leaf}", parent=f"http://a.test/list?page={leaf}")
    assert web.refusal("http://a.test/list?page=99") == ""


def test_a_family_that_bears_fruit_late_is_opened_again() -> None:
    web = Web()
    for leaf in range(16):
        web.met(f"http://a.test/list?page={leaf}", duplicate=1)
    assert web.refusal("http://a.test/list?page=99")
    for number in range(3):
        web.met(f"http://b.test/{'x' * number}", parent="http://a.test/list?page=1")
    assert web.refusal("http://a.test/list?page=99") == ""


def test_a_host_of_nothing_but_copies_is_left_whatever_its_paths_look_like() -> None:
    web = Web()
    for number in range(64):
        web.met(f"http://a.test/{'x' * number}/y", duplicate=1)
    assert web.refusal("http://a.test/quite/new") == "64 of 64 addresses of a.test:80 brought nothing new, as in a trap"


def test_host_names_without_end_are_seen_through() -> None:
    web = Web()
    for number in range(16):
        web.met(f"http://w{number}.wild.test/", duplicate=1)
    assert "like *.wild.test/" in web.refusal("http://new.wild.test/")
    assert web.refusal("http://new.other.test/") == ""


def test_a_site_of_dead_hosts_is_left_but_for_those_that_live() -> None:
    web = Web()
    web.met("http://alive.many.test/")
    for number in range(30):
        web.traps.failed(web.host(f"http://h{number}.many.test/"))
    assert "30 hosts of many.test" in web.refusal("http://next.many.test/")
    assert web.refusal("http://alive.many.test/more") == ""
    assert web.refusal("http://next.one.test/") == ""


@pytest.mark.parametrize(
    ("outcome", "more"),
    [
        ("missing", {}),
        ("unwanted", {}),
        ("page", {"fingerprint": 0}),
        ("feed", {"links": 5, "detail": SITEMAPS_ONLY}),
        ("redirect", {"detail": "http://a.test/x/77"}),
        ("redirect", {"detail": "http://a.test/x/77 (not followed: 10 redirects in a row)"}),
    ],
)
def test_what_brings_nothing_counts_as_nothing(outcome: str, more: dict[str, object]) -> None:
    web = Web()
    for number in range(16):
        web.met(f"http://a.test/x/{number}", outcome, **more)
    assert web.refusal("http://a.test/x/99")


@pytest.mark.parametrize(
    ("outcome", "more"),
    [("failed", {}), ("pdf", {}), ("feed", {"links": 5}), ("redirect", {"detail": "http://a.test/elsewhere"})],
)
def test_what_brings_something_or_may_yet_does_not(outcome: str, more: dict[str, object]) -> None:
    web = Web()
    for number in range(40):
        web.met(f"http://a.test/x/{number}", outcome, **more)
    assert web.refusal("http://a.test/x/99") == ""


def test_a_site_gets_no_more_addresses_than_a_crawl_could_choose_from() -> None:
    web = Web()
    web.traps.most = 5
    taken = [web.traps.full(web.host(f"http://h{number}.big.test/")) for number in range(8)]
    assert taken == [False] * 5 + [True] * 3
    assert web.traps.crowded == {"big.test": 3}
    assert not web.traps.full(web.host("http://small.test/"))


def test_a_race_is_not_watched_for_it_counts_every_page() -> None:
    web = Web(watch=False)
    for number in range(100):
        web.met(f"http://a.test/x/{number}", duplicate=1)
        web.traps.failed(web.host(f"http://h{number}.a.test/"))
    assert web.refusal("http://a.test/x/1") == ""
    assert web.refusal("http://new.a.test/") == ""


def test_it_costs_a_few_microseconds_a_page_and_memory_that_does_not_grow() -> None:
    web = Web()
    host = web.host("http://a.test/")
    visit = VisitRow(0, "page", 0.0, 200, "page", fingerprint=1)
    numbers = itertools.count()

    def meet(count: int) -> None:
        for number in itertools.islice(numbers, count):
            visit.fingerprint = number * 0x9E3779B97F4A7C15 & (2**64 - 1)
            web.traps.met(host, f"http://a.test/{number:x}x/page/{number}?id={number}", visit, None)
            web.traps.refusal(host, f"http://a.test/{'x' * (number % 50)}/{number}")

    def read() -> None:
        for number in range(1_000):
            normalise(f"http://a.test/{number:x}x/page/{number}?id={number}")
            normalise(f"http://a.test/{'x' * (number % 50)}/{number}")

    for _ in range(10):  # as many times what reading the addresses costs, from the first page to the last
        meet(5_000)
        takes_at_most(20, lambda: meet(1_000), than=read)
    for number in range(60_000):
        web.traps.met(host, f"http://a.test/{'x' * (number % 90)}{'y' * (number // 90)}/1", visit, None)
    assert len(web.traps._families) <= 50_001


def test_a_long_name_is_folded_in_time_that_grows_with_its_length() -> None:
    def folding(path: str) -> Callable[[], object]:
        return lambda: [pattern_of(path) for _ in range(100)]

    for start, more, end in (("/", "a", ""), ("/", "a", "1"), ("/", "a-", ""), ("/?", "a=", "")):
        grows(lambda size, parts=(start, more, end): folding(parts[0] + parts[1] * size + parts[2]), 2_000)  # type: ignore[misc]


def test_a_resumed_crawl_knows_the_same(crawl: Crawler) -> None:
    found: list[Traps] = []

    def look(one: Crawl) -> None:
        found.append(one.brain.traps)

    crawl(pages=80, setup=look)
    # Nothing is left of the budget: what the second run knows is what it took from the first.
    crawl(pages=80, resume=True, setup=look)
    first, second = found
    assert first._known == second._known
    assert sum(first._known.values()) > 100
    families = [
        sorted((one.visits, one.barren, one.fruit) for one in traps._families.values()) for traps in (first, second)
    ]
    assert families[0] == families[1]
    assert sorted(first._closed.values()) == sorted(second._closed.values())
