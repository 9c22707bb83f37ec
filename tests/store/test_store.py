"""The store: all that was put in comes out again."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.page.record import Record
from honeyguide.store import RecordStore, Store, VisitRow
from honeyguide.store.rows import HostRow, UrlRow
from honeyguide.store.store import pack, unpack
from honeyguide.store.summary import Summary
from tests.store.conftest import fill, visit_of

# -- meta, states, labels ---------------------------------------------------------------------------------------


def test_small_facts_are_kept(store: Store) -> None:
    assert store.meta("none") is None
    assert store.meta("none", 7) == 7
    store.set_meta(pages=3, name="蜂蜜", share=0.25, places=[1, 2], nothing=None)
    store.set_meta(pages=4)
    assert [store.meta(key) for key in ("pages", "name", "share", "places")] == [4, "蜂蜜", 0.25, [1, 2]]
    assert store.meta("nothing", 1) is None


def test_the_last_state_is_kept_with_its_place(store: Store) -> None:
    assert store.load_state("strategy") is None
    store.save_state("strategy", 10, b"old")
    store.save_state("judge", 11, b"")
    store.save_state("strategy", 20, b"\x00new" * 1_000)
    assert store.load_state("strategy") == (20, b"\x00new" * 1_000)
    assert store.load_state("judge") == (11, b"")


def test_labels_are_given_changed_and_taken_back(store: Store) -> None:
    store.label("http://a.test/2", True)
    store.label("http://a.test/1", True)
    store.label("http://a.test/1", False)
    store.label("http://a.test/3", True)
    store.label("http://a.test/3", None)
    store.label("http://a.test/none", None)
    assert list(store.labels().items()) == [("http://a.test/1", False), ("http://a.test/2", True)]


# -- hosts, urls, ranks -----------------------------------------------------------------------------------------


def test_hosts_keep_their_robots_and_their_standing(store: Store) -> None:
    store.add_host(0, "a.test:80")
    store.add_host(1, "b.test:443")
    store.set_robots(1, b"User-agent: *\x00\xff", 200, 5.5)
    store.park_host(0, "gone")
    assert store.hosts() == [
        HostRow(0, "a.test:80", None, None, None, "gone"),
        HostRow(1, "b.test:443", b"User-agent: *\x00\xff", 200, 5.5, ""),
    ]


def test_urls_come_back_in_the_order_they_were_found(store: Store) -> None:
    fill(store)
    assert list(store.urls()) == [(n, f"http://a.test/{n}", 0, n, 0) for n in range(3)]
    assert store.url(2) == UrlRow(2, "http://a.test/2", 0, 2, 0, 1, "link 2")
    assert store.find_url("http://a.test/0") == UrlRow(0, "http://a.test/0", 0, 0, 0, None, "link 0")
    assert store.find_url("http://a.test/none") is None


def test_the_log_of_ranks_tells_the_latest_priority_and_its_reason(store: Store) -> None:
    first = store.add_ranks(array("q", [0, 1, 2]), array("d", [0.1, 0.2, 0.3]), ["a", "蜂蜜", ""])
    second = store.add_ranks(array("q", [1]), array("d", [0.9]), ["raised"])
    assert second == first + 1
    assert [(row, array("q", urls).tolist(), array("d", values).tolist()) for row, urls, values in store.ranks()] == [
        (first, [0, 1, 2], [0.1, 0.2, 0.3]),
        (second, [1], [0.9]),
    ]
    assert [store.reason(first, url) for url in (0, 1, 2, 3)] == ["a", "蜂蜜", "", ""]
    assert store.reason(second, 1) == "raised"
    assert store.reason(second, 0) == ""
    assert store.reason(999, 0) == ""
    assert store.last_rank(1) == (0.9, "raised")
    assert store.last_rank(0) == (0.1, "a")
    assert store.last_rank(7) is None


@given(
    st.lists(
        st.dictionaries(
            st.integers(0, 30),
            st.tuples(
                st.floats(allow_nan=False), st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]))
            ),
            min_size=1,
            max_size=8,
        ),
        max_size=8,
    )
)
@settings(max_examples=60, deadline=None)
def test_every_rank_ever_given_can_be_asked_for(batches: list[dict[int, tuple[float, str]]]) -> None:
    store = Store.create(Path(":memory:"))
    latest: dict[int, tuple[float, str]] = {}
    for batch in batches:
        values = list(batch.values())
        row = store.add_ranks(array("q", batch), array("d", [one[0] for one in values]), [one[1] for one in values])
        assert all(store.reason(row, url) == why for url, (_, why) in batch.items())
        latest |= batch
    assert {url: store.last_rank(url) for url in latest} == latest
    store.close()


def test_urls_visited_or_refused_need_no_visit(store: Store) -> None:
    fill(store, 5)
    store.add_visit(visit_of(1), None)
    store.add_visit(visit_of(1), None)
    store.refuse(3, "forbidden")
    store.refuse(3, "forbidden by robots.txt")
    assert sorted(store.done_urls()) == [1, 3]
    assert store.refusal(3) == "forbidden by robots.txt"
    assert store.refusal(1) is None
    assert store.refusal_counts() == {"forbidden by robots.txt": 1}


# -- visits -----------------------------------------------------------------------------------------------------


def test_a_visit_comes_back_as_it_was(store: Store) -> None:
    fill(store)
    visit = VisitRow(
        2, "example", 1.5, 301, "redirect", "http://b.test/", "text/html", 99, 0.25, 7, 8, "蜂蜜", "zh", 5, 6,
        2**64 - 1, 3, 0.75, True, "{}", 0.5, True, -0.5, "because",
    )  # fmt: skip
    number = store.add_visit(visit, None)
    visit.id = number
    assert store.visit(number) == visit
    assert store.visit(number).on_topic is True
    assert store.last_visit() == number


@given(st.integers(0, 2**64 - 1))
@settings(max_examples=50, deadline=None)
def test_any_fingerprint_comes_back(fingerprint: int) -> None:
    store = Store.create(Path(":memory:"))
    assert store.visit(store.add_visit(visit_of(0, fingerprint=fingerprint), None)).fingerprint == fingerprint
    store.close()


def test_a_url_may_be_visited_again_and_visits_are_in_order(store: Store) -> None:
    fill(store)
    numbers = [store.add_visit(visit_of(url, words=place), None) for place, url in enumerate((1, 0, 1))]
    assert numbers == [1, 2, 3]
    assert [visit.words for visit in store.visits()] == [0, 1, 2]
    assert [visit.words for visit in store.visits_of(1)] == [0, 2]
    assert store.visits_of(2) == []
    store.add_visit(VisitRow(2, "page", 1.0, 404, "missing"), None)
    store.add_visit(visit_of(2, on_topic=True), None)
    store.add_visit(visit_of(2, on_topic=True, duplicate=5), None)
    assert [visit.id for visit in store.visits("missing")] == [4]
    assert [visit.id for visit in store.visits("missing", "page")] == [1, 2, 3, 4, 5, 6]
    assert [visit.id for visit in store.visits(on_topic=True)] == [5, 6]
    assert [visit.id for visit in store.visits("page", on_topic=True, originals=True)] == [5]
    assert store.taken() == {0: 6}


def test_digests_come_back_from_behind_a_visit(store: Store) -> None:
    for place in range(3):
        store.add_visit(visit_of(place), pack(b"digest %d" % place) if place != 1 else None)
    assert list(store.digests()) == [(1, b"digest 0"), (3, b"digest 2")]
    assert list(store.digests(1)) == [(3, b"digest 2")]
    assert store.digest(3) == b"digest 2"
    assert store.digest(2) is None
    assert unpack(pack(b"")) == b""


def test_visits_can_be_judged_again_and_the_first_verdict_stays(store: Store) -> None:
    number = store.add_visit(visit_of(0, relevance=0.9, on_topic=True, first_relevance=0.9, first_on_topic=True), None)
    store.set_verdicts([(0.1, False, "new", number)])
    visit = store.visit(number)
    assert (visit.relevance, visit.on_topic, visit.verdict) == (0.1, False, "new")
    assert (visit.first_relevance, visit.first_on_topic) == (0.9, True)


def test_a_forgotten_page_leaves_only_that_it_was_visited(store: Store, path: Path) -> None:
    fill(store)
    secret = "secretword"
    visit = visit_of(1, title=secret, verdict=secret, detail=secret, on_topic=True, warc=5, warc_size=6, fingerprint=9)
    number = store.add_visit(visit, pack(secret.encode()))
    other = store.add_visit(visit_of(2, title="kept"), pack(b"kept"))
    store.blank_visits(1)
    store.vacuum()
    left = store.visit(number)
    assert (left.title, left.outcome, left.on_topic, left.warc, left.fingerprint) == ("", "forgotten", False, None, 0)
    assert store.digest(number) is None
    assert store.visit(other).title == "kept"
    assert store.digest(other) == b"kept"
    assert secret.encode() not in path.read_bytes()


def test_everything_is_counted(store: Store) -> None:
    assert store.counts() == {"visits": 0, "on_topic": 0, "duplicates": 0, "records": 0, "urls": 0, "hosts": 0}
    fill(store, 4)
    store.add_host(1, "b.test:80")
    store.park_host(1, "gone")
    store.add_visit(visit_of(0, on_topic=True), None)
    store.add_visit(visit_of(1, duplicate=1), None)
    store.add_visit(VisitRow(2, "page", 1.0, 404, "missing"), None)
    RecordStore(store.connection).put(1, Record("http://a.test/0"))
    assert store.counts() == {
        "page": 2,
        "missing": 1,
        "visits": 3,
        "on_topic": 1,
        "duplicates": 1,
        "records": 1,
        "urls": 4,
        "hosts": 2,
    }
    summary = Summary(store.connection)
    assert summary.hosts(9) == [("a.test:80", 3, 1, ""), ("b.test:80", 0, 0, "gone")]
    assert summary.depths() == [(0, 1, 1), (1, 1, 0), (2, 1, 0)]


def test_a_crawl_that_had_not_begun_can_begin_anew(store: Store) -> None:
    fill(store)
    store.add_visit(visit_of(0), b"x")
    store.add_ranks(array("q", [0]), array("d", [0.1]), ["a"])
    store.refuse(1, "no")
    store.save_state("strategy", 1, b"x")
    store.set_meta(kept=1)
    store.label("http://a.test/", True)
    store.park_host(0, "gone")
    store.wipe()
    assert {name: count for name, count in store.counts().items() if count} == {"hosts": 1}  # their pace still holds
    assert not any(row.parked for row in store.hosts())
    assert list(store.ranks()) == []
    assert store.load_state("strategy") is None
    assert store.meta("kept") == 1
    assert store.labels() == {"http://a.test/": True}


# -- found wanting ----------------------------------------------------------------------------------------------


def test_a_reason_with_a_line_break_shifts_no_other(store: Store) -> None:
    row = store.add_ranks(array("q", [0, 1]), array("d", [0.1, 0.2]), ["two\nlines", "second"])
    assert store.reason(row, 1) == "second"


def test_of_a_url_ranked_twice_in_a_batch_the_last_rank_is_told(store: Store) -> None:
    row = store.add_ranks(array("q", [5, 5]), array("d", [0.1, 0.9]), ["first", "raised"])
    assert store.last_rank(5) == (0.9, "raised")
    assert store.reason(row, 5) == "raised"


@pytest.mark.parametrize("what", ["url", "visit"])
def test_asking_for_a_number_nobody_has_is_a_lookup_error(store: Store, what: str) -> None:
    with pytest.raises(LookupError):
        getattr(store, what)(12345)
