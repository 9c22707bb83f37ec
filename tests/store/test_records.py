"""Records and their full-text index always agree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.page.record import Record
from honeyguide.store import RecordStore, Store, VisitRow

Both = tuple[Store, RecordStore]


@pytest.fixture
def both() -> Iterator[Both]:
    store = Store.create(Path(":memory:"))
    yield store, store.records
    store.close()


def _record(number: int, text: str = "honey bees", **more: object) -> Record:
    return Record(f"http://a.test/{number}", title=f"Page {number}", text=text, **more)  # type: ignore[arg-type]


def _indexed(store: Store) -> set[int]:
    return {visit for (visit,) in store._connection.execute("SELECT rowid FROM search")}


def test_a_record_comes_back_as_it_was(both: Both) -> None:
    _, records = both
    record = Record(
        "http://a.test/1", "蜂蜜 & 茶", "2014-07-17", "A Test", ["Bee, A.", "O'Hive"], "zh", "text\n\x00\twith 🐝",
        ["蜂蜜"], 0.5, "http://a.test/", 3.5, "described", "article", False, {"doi": "10.1/x"},
    )  # fmt: skip
    records.put(7, record)
    assert records.get(7) == record
    assert records.get(7).careful is False  # type: ignore[union-attr]
    assert records.get(8) is None


def test_a_bare_record_comes_back_with_nothing_made_up(both: Both) -> None:
    _, records = both
    records.put(1, Record("http://a.test/"))
    assert records.get(1) == Record("http://a.test/")


def test_a_second_record_of_a_visit_takes_the_place_of_the_first_in_the_index_too(both: Both) -> None:
    store, records = both
    records.put(1, _record(1, "honey bees"))
    records.put(1, _record(1, "volcano lava"))
    assert records.count() == 1
    assert [found[1] for found in records.search("volcano", 5)] == [1]
    assert records.search("honey", 5) == []
    assert _indexed(store) == records.visits() == {1}


def test_a_dropped_record_is_gone_from_the_index_too(both: Both) -> None:
    store, records = both
    for number in range(3):
        records.put(number, _record(number))
    records.drop(1)
    records.drop(99)
    assert records.visits() == _indexed(store) == {0, 2}
    assert sorted(found[1] for found in records.search("honey", 5)) == [0, 2]


def test_records_come_in_the_order_kept_or_best_first(both: Both) -> None:
    _, records = both
    for number, relevance in enumerate((0.5, 0.9, 0.5, 0.7)):
        records.put(number, _record(number, relevance=relevance))
    assert [visit for visit, _ in records.all()] == [0, 1, 2, 3]
    assert [visit for visit, _ in records.all(by_relevance=True)] == [1, 3, 0, 2]


def test_the_best_are_told_by_the_latest_verdict(both: Both) -> None:
    store, records = both
    for number, relevance in enumerate((0.5, 0.9, 0.7), start=1):
        visit = store.add_visit(VisitRow(number, "page", 1.0, 200, "page", relevance=relevance), None)
        records.put(visit, _record(visit, relevance=relevance))
    store.set_verdicts([(0.1, False, "", 2)], "honeyguide")
    assert [visit for visit, _ in records.best(2)] == [3, 1]
    assert records.best(0) == []


def test_records_can_be_read_a_few_at_a_time(both: Both) -> None:
    _, records = both
    for number in range(1, 8):
        records.put(number, _record(number))
    read, last = [], 0
    while batch := records.after(last, 3):
        read += [visit for visit, _ in batch]
        last = batch[-1][0]
    assert read == list(range(1, 8))


def test_search_ranks_a_word_in_the_title_above_one_in_the_text(both: Both) -> None:
    _, records = both
    records.put(1, Record("http://a.test/1", title="Tea", text="with honey and " + "much more about tea " * 5))
    records.put(2, Record("http://a.test/2", title="Honey", text="and tea and " + "much more about tea " * 5))
    found = records.search("honey", 10)
    assert [visit for _, visit, _ in found] == [2, 1]
    assert found[0][0] > found[1][0] > 0
    assert len(records.search("honey", 1)) == 1


def test_chinese_is_found_by_its_characters_in_sequence(both: Both) -> None:
    _, records = both
    records.put(1, _record(1, "我们学习数据挖掘"))
    records.put(2, _record(2, "数学据说挖土"))
    assert [visit for _, visit, _ in records.search('"数 据 挖 掘"', 5)] == [1]


def test_a_batch_rolled_back_leaves_neither_record_nor_index(both: Both) -> None:
    store, records = both
    records.put(1, _record(1))
    store.begin()
    records.put(2, _record(2))
    records.drop(1)
    store._connection.execute("ROLLBACK")
    store._open = False
    assert records.visits() == _indexed(store) == {1}


@given(
    st.lists(
        st.tuples(st.sampled_from(["put", "drop"]), st.integers(1, 6), st.sampled_from(["honey", "wax", "茶"])),
        max_size=30,
    )
)
@settings(max_examples=60, deadline=None)
def test_after_any_puts_and_drops_records_and_index_agree(steps: list[tuple[str, int, str]]) -> None:
    store = Store.create(Path(":memory:"))
    records, model = store.records, dict[int, str]()
    for what, visit, word in steps:
        if what == "put":
            records.put(visit, Record(f"http://a.test/{visit}", text=word))
            model[visit] = word
        else:
            records.drop(visit)
            model.pop(visit, None)
    assert {visit: record.text for visit, record in records.all()} == model
    assert records.visits() == _indexed(store) == set(model)
    assert records.count() == len(model)
    for word in ("honey", "wax", "茶"):
        assert {visit for _, visit, _ in records.search(word, 99)} == {
            visit for visit, has in model.items() if has == word
        }
    store.close()


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
@settings(max_examples=80, deadline=None)
def test_any_text_is_kept_as_it_is(text: str) -> None:
    store = Store.create(Path(":memory:"))
    records = store.records
    records.put(1, Record("http://a.test/", title=text, text=text, authors=[text], extra={"doi": text}))
    found = records.get(1)
    assert found is not None
    assert (found.title, found.text, found.authors, found.extra) == (text, text, [text], {"doi": text})
    store.close()


def test_half_a_surrogate_pair_in_a_record_does_not_stop_the_crawl(both: Both) -> None:
    _, records = both
    records.put(1, Record("http://a.test/", title="bees \ud83d", authors=["A \ud800"]))
    found = records.get(1)
    assert found is not None
    assert found.title.startswith("bees")
