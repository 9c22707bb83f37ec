"""What every store of a crawl must do, whatever it is made of.

A store is checked by a subclass that names its factory, in a file of tests:

    class TestMine(StoreContract):
        factory = Factory(create=MyStore.create, open=MyStore.open)
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.page.record import Record
from honeyguide.store import Checkpoint, HostRow, Named, Store, UrlRow, VisitRow
from honeyguide.store.packing import pack, unpack
from honeyguide.web.urls import key_of

__all__ = ["Factory", "StoreContract", "fill", "url_row", "visit_of"]


class Factory(NamedTuple):
    """How a store is made at a place, and how the one that is there is opened."""

    create: Callable[[Path], Store]
    open: Callable[..., Store]  # of the path, and `read_only`


def visit_of(url: int, **more: object) -> VisitRow:
    """A page that was visited."""
    return VisitRow(url, "page", 1.0, 200, "page", **more)  # type: ignore[arg-type]


def url_row(number: int, url: str = "", *, host: int = 0, depth: int = 0, parent: int | None = None) -> UrlRow:
    """A URL as it is found."""
    url = url or f"http://a.test/{number}"
    return UrlRow(number, url, key_of(url), host, depth, 0, parent, f"link {number}")


def fill(store: Store, urls: int = 3) -> None:
    """A host with so many URLs, each found on the one before."""
    store.add_host(0, "a.test:80")
    store.add_urls([url_row(number, depth=number, parent=number - 1 if number else None) for number in range(urls)])


def checkpoint(visit: int, state: bytes = b"learnt") -> Checkpoint:
    return Checkpoint(
        visit=visit, known=3, shown=2, strategy='["hopfield",1,{}]', order=(b"\x00priorities", b"kinds"), state=state
    )


class StoreContract:
    """All that is put in comes out again, in its order; a batch is there as a whole or not at all."""

    factory: ClassVar[Factory]

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "crawl.db"

    @pytest.fixture
    def store(self, path: Path) -> Iterator[Store]:
        made = self.factory.create(path)
        yield made
        made.close()

    @contextmanager
    def brief(self) -> Iterator[Store]:
        """A store for a moment."""
        with tempfile.TemporaryDirectory() as place:
            made = self.factory.create(Path(place) / "crawl.db")
            made.begin()
            yield made
            made.abandon()

    # -- batches ----------------------------------------------------------------------------------------------

    def test_a_batch_is_unseen_by_others_until_it_is_committed(self, store: Store, path: Path) -> None:
        reader = self.factory.open(path, read_only=True)
        store.begin()
        store.begin()  # one batch, however often it is begun
        store.set_meta(pages=1)
        assert reader.meta("pages") is None
        store.commit()
        store.commit()
        assert reader.meta("pages") == 1
        reader.close()

    def test_closing_commits_what_is_open_and_abandoning_does_not(self, path: Path) -> None:
        store = self.factory.create(path)
        store.begin()
        store.set_meta(pages=1)
        store.close()
        store = self.factory.open(path)
        store.begin()
        store.set_meta(pages=2)
        fill(store)
        store.abandon()
        store = self.factory.open(path)
        assert store.meta("pages") == 1
        assert store.counts()["urls"] == 0
        store.close()

    # -- small facts, checkpoints, labels ---------------------------------------------------------------------

    def test_small_facts_are_kept(self, store: Store) -> None:
        assert store.meta("none") is None
        assert store.meta("none", 7) == 7
        store.set_meta(pages=3, name="蜂蜜", share=0.25, places=[1, 2], nothing=None)
        store.set_meta(pages=4)
        assert [store.meta(key) for key in ("pages", "name", "share", "places")] == [4, "蜂蜜", 0.25, [1, 2]]
        assert store.meta("nothing", 1) is None
        store.drop_meta("pages")
        store.drop_meta("never there")
        assert store.meta("pages") is None

    def test_the_last_checkpoint_is_kept_and_no_other(self, store: Store) -> None:
        assert store.checkpoint() is None
        store.save_checkpoint(checkpoint(10, b"old"))
        store.save_checkpoint(checkpoint(20, b"\x00new" * 1_000))
        assert store.checkpoint() == checkpoint(20, b"\x00new" * 1_000)
        store.drop_checkpoint()
        assert store.checkpoint() is None

    def test_labels_are_given_changed_and_taken_back(self, store: Store) -> None:
        store.label("http://a.test/2", True)
        store.label("http://a.test/1", True)
        store.label("http://a.test/1", False)
        store.label("http://a.test/3", True)
        store.label("http://a.test/3", None)
        store.label("http://a.test/none", None)
        assert list(store.labels().items()) == [("http://a.test/1", False), ("http://a.test/2", True)]

    # -- hosts, urls, links -----------------------------------------------------------------------------------

    def test_hosts_keep_their_robots_and_their_standing(self, store: Store) -> None:
        store.add_host(0, "a.test:80")
        store.add_host(1, "b.test:443")
        store.set_robots(1, b"User-agent: *\x00\xff", 200, 5.5, 60.0)
        store.set_failures(0, 3)
        store.park_host(0, "gone")
        assert store.hosts() == [
            HostRow(0, "a.test:80", None, None, None, None, "gone", 3),
            HostRow(1, "b.test:443", b"User-agent: *\x00\xff", 200, 5.5, 60.0, "", 0),
        ]
        store.park_host(0, "")
        assert store.hosts()[0].parked == ""

    def test_urls_come_back_in_the_order_they_were_found(self, store: Store) -> None:
        fill(store)
        assert [row.id for row in store.urls()] == [0, 1, 2]
        assert list(store.urls()) == [store.url(number) for number in range(3)]
        assert store.url(2) == url_row(2, depth=2, parent=1)
        assert store.find_url("http://a.test/0") == url_row(0)
        assert store.find_url("http://a.test/none") is None

    @given(st.text("abcé蜂/?=&%", max_size=40))
    @settings(max_examples=40, deadline=None)
    def test_any_url_is_found_by_its_text(self, tail: str) -> None:
        with self.brief() as store:
            row = url_row(0, f"http://a.test/{tail}")
            store.add_urls([row])
            assert store.find_url(row.url) == store.url(0) == row
            assert store.find_url(row.url + "x") is None

    def test_links_come_back_by_visit_with_their_blocks(self, store: Store) -> None:
        store.add_links(1, np.array([5, -1, 5], np.int32), np.array([0, 1, 2], np.int16))
        store.add_links(3, np.array([2**31 - 1], np.int32))
        store.add_links(4, np.array([], np.int32))
        found = [(visit, targets.tolist(), blocks.tolist()) for visit, targets, blocks in store.links(0, 4)]
        assert found == [(1, [5, -1, 5], [0, 1, 2]), (3, [2**31 - 1], [0]), (4, [], [])]
        assert [visit for visit, _, _ in store.links(1, 3)] == [3]
        assert list(store.links(4, 9)) == []

    def test_what_a_robots_txt_named_comes_back_in_its_order(self, store: Store) -> None:
        assert store.named() == []
        targets = np.array([4, -1], np.int32)
        for after, url in ((0, 2), (0, 1), (3, 9), (3, 8)):
            store.add_named(after, url, targets)
        assert store.named(3) == []
        assert store.named(2) == [Named(3, 9, targets.tobytes()), Named(3, 8, targets.tobytes())]
        assert [(one.after, one.url) for one in store.named()] == [(0, 2), (0, 1), (3, 9), (3, 8)]

    def test_urls_visited_or_refused_need_no_visit(self, store: Store) -> None:
        fill(store, 5)
        store.add_visit(visit_of(1), None)
        store.add_visit(visit_of(1), None)
        store.refuse(3, "forbidden", 1)
        store.refuse(3, "forbidden by robots.txt", 2)
        store.refuse(2, "forbidden by robots.txt", 1)
        assert sorted(store.done_urls()) == [1, 2, 3]
        assert store.refusal(3) == "forbidden by robots.txt"
        assert store.refusal(1) is None
        assert store.refusal_counts() == {"forbidden by robots.txt": 2}
        assert list(store.refused()) == [(1, 2), (2, 3)]

    def test_refusals_after_one_visit_come_in_the_order_they_were_found_out(self, store: Store) -> None:
        for url in (9, 2, 5):
            store.refuse(url, "forbidden", 1)
        store.refuse(7, "forbidden", 0)
        assert [url for _, url in store.refused()] == [7, 9, 2, 5]

    # -- visits -----------------------------------------------------------------------------------------------

    def test_a_visit_comes_back_as_it_was(self, store: Store) -> None:
        fill(store)
        visit = VisitRow(
            url=2, role="example", fetched=1.5, status=301, outcome="redirect", detail="http://b.test/",
            media="text/html", size=99, seconds=0.25, warc=7, warc_size=8, title="蜂蜜", language="zh", words=5,
            links=6, fingerprint=2**64 - 1, duplicate=3, relevance=0.75, on_topic=True, verdict="{}",
            judge="honeyguide", first_relevance=0.5, first_on_topic=True, priority=-0.5, reason="because\nof this",
            target=1, unkept="a copy",
        )  # fmt: skip
        visit.id = store.add_visit(visit, None)
        found = store.visit(visit.id)
        assert found == visit
        assert found.on_topic is found.first_on_topic is True
        assert store.last_visit() == visit.id

    @given(st.integers(0, 2**64 - 1))
    @settings(max_examples=40, deadline=None)
    def test_any_fingerprint_comes_back(self, fingerprint: int) -> None:
        with self.brief() as store:
            assert store.visit(store.add_visit(visit_of(0, fingerprint=fingerprint), None)).fingerprint == fingerprint

    def test_a_url_may_be_visited_again_and_visits_are_in_order(self, store: Store) -> None:
        fill(store)
        assert store.last_visit() == 0
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
        assert store.page_count() == 5

    def test_digests_come_back_from_behind_a_visit(self, store: Store) -> None:
        for place in range(3):
            store.add_visit(visit_of(place), pack(b"digest %d" % place) if place != 1 else None)
        assert list(store.digests()) == [(1, b"digest 0"), (3, b"digest 2")]
        assert list(store.digests(1)) == [(3, b"digest 2")]
        assert store.digest(3) == b"digest 2"
        assert store.digest(2) is None
        assert unpack(pack(b"")) == b""

    def test_visits_can_be_judged_again_and_the_first_verdict_stays(self, store: Store) -> None:
        first = {"relevance": 0.9, "on_topic": True, "first_relevance": 0.9, "first_on_topic": True}
        number = store.add_visit(visit_of(4, judge="honeyguide", **first), None)
        store.records.put(number, Record("http://a.test/4", relevance=0.9))
        store.set_verdicts([(0.12345678, False, "new", number)], "another")
        visit = store.visit(number)
        assert (visit.relevance, visit.on_topic, visit.verdict, visit.judge) == (0.12345678, False, "new", "another")
        assert (visit.first_relevance, visit.first_on_topic) == (0.9, True)
        assert store.verdicts() == {number: (4, 0.12345678, False)}
        record = store.records.get(number)
        assert record is not None
        assert record.relevance == 0.1235  # it says what the verdict says

    def test_why_pages_on_topic_have_no_record_is_counted(self, store: Store) -> None:
        for place, why in enumerate(("a copy", "noindex", "a copy", "")):
            store.add_visit(visit_of(place, on_topic=True, unkept=why), None)
        store.add_visit(visit_of(9, unkept="a copy"), None)  # off topic: nobody asks why
        assert store.unkept() == {"a copy": 2, "noindex": 1}
        store.set_unkept(1, "")
        assert store.unkept() == {"a copy": 1, "noindex": 1}

    def test_a_copy_that_is_kept_is_known_by_its_original(self, store: Store) -> None:
        store.add_visit(visit_of(0, on_topic=True, unkept="noindex"), None)
        assert not store.has_kept_copy(1, besides=9)
        store.add_visit(visit_of(1, duplicate=1), None)  # off topic
        store.add_visit(visit_of(2, duplicate=1, on_topic=True, unkept="a copy"), None)
        assert not store.has_kept_copy(1, besides=9)
        kept = store.add_visit(visit_of(3, duplicate=1, on_topic=True), None)
        assert store.has_kept_copy(1, besides=9)
        assert not store.has_kept_copy(1, besides=kept)
        assert not store.has_kept_copy(2, besides=9)

    def test_answers_behind_the_end_of_the_archive_are_gone(self, store: Store) -> None:
        for place in range(3):
            store.add_visit(visit_of(place, warc=place * 100, warc_size=100), None)
        assert store.cut_archive(250) == (1, 200)
        assert [visit.warc for visit in store.visits()] == [0, 100, None]
        assert store.cut_archive(0) == (2, 0)

    def test_a_forgotten_page_leaves_only_that_it_was_visited(self, store: Store) -> None:
        fill(store)
        visit = visit_of(1, title="secret", verdict="secret", detail="secret", on_topic=True, warc=5, fingerprint=9)
        number = store.add_visit(visit, pack(b"secret"))
        other = store.add_visit(visit_of(2, title="kept"), pack(b"kept"))
        store.erase([1])
        store.scrub()
        left = store.visit(number)
        assert (left.title, left.outcome, left.on_topic, left.warc, left.fingerprint) == (
            "",
            "forgotten",
            False,
            None,
            0,
        )
        assert store.digest(number) is None
        assert store.visit(other).title == "kept"
        assert store.digest(other) == b"kept"

    def test_everything_is_counted(self, store: Store) -> None:
        assert store.counts() == {"visits": 0, "on_topic": 0, "duplicates": 0, "records": 0, "urls": 0, "hosts": 0}
        fill(store, 4)
        store.add_host(1, "b.test:80")
        store.park_host(1, "gone")
        store.add_visit(visit_of(0, on_topic=True), None)
        store.add_visit(visit_of(1, duplicate=1), None)
        store.add_visit(VisitRow(2, "page", 1.0, 404, "missing"), None)
        store.records.put(1, Record("http://a.test/0"))
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
        assert store.summary.hosts(9) == [("a.test:80", 3, 1, ""), ("b.test:80", 0, 0, "gone")]
        assert store.summary.depths() == [(0, 1, 1), (1, 1, 0), (2, 1, 0)]
        assert (store.summary.totals().fetched, store.summary.totals().known_urls) == (3, 4)

    def test_a_crawl_that_had_not_begun_can_begin_anew(self, store: Store) -> None:
        fill(store)
        store.add_visit(visit_of(0), b"x")
        store.add_links(1, np.array([1], np.int32))
        store.add_named(0, 1, np.array([2], np.int32))
        store.refuse(1, "no")
        store.save_checkpoint(checkpoint(1))
        store.set_meta(kept=1)
        store.label("http://a.test/", True)
        store.park_host(0, "gone")
        assert store.url(0).url
        store.wipe()
        assert {name: count for name, count in store.counts().items() if count} == {"hosts": 1}  # its pace still holds
        assert not any(row.parked for row in store.hosts())
        assert (list(store.links(0, 9)), store.named(), list(store.refused())) == ([], [], [])
        assert store.checkpoint() is None
        assert store.meta("kept") == 1
        assert store.labels() == {"http://a.test/": True}
        with pytest.raises(LookupError):
            store.url(0)

    @pytest.mark.parametrize("what", ["url", "visit"])
    def test_asking_for_a_number_nobody_has_is_a_lookup_error(self, store: Store, what: str) -> None:
        with pytest.raises(LookupError):
            getattr(store, what)(12345)

    # -- records ----------------------------------------------------------------------------------------------

    def test_a_record_comes_back_is_found_by_its_words_and_can_be_dropped(self, store: Store) -> None:
        records = store.records
        record = Record("http://a.test/1", "Honey", text="bees & 茶", authors=["Bee, A."], extra={"doi": "10.1/x"})
        records.put(7, record)
        records.put(8, Record("http://a.test/2", "Wax", relevance=0.5))
        assert records.get(7) == record
        assert records.visits() == {7, 8}
        assert [visit for visit, _ in records.all()] == [7, 8]
        assert [visit for visit, _ in records.all(by_relevance=True)] == [8, 7]
        assert [visit for visit, _ in records.after(7, 5)] == [8]
        assert [visit for _, visit, _ in records.search("honey", 5)] == [7]
        assert (records.drop(7), records.drop(7)) == (1, 0)
        assert records.get(7) is None
        assert records.search("honey", 5) == []
        assert records.count() == 1
