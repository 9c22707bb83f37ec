"""The gate of what is told of news pages: title, day, source and authors beside what was read on the pages by hand.

Only the half that no rule was written on counts. A floor is what was measured; whoever makes a field better raises it,
nobody lowers it.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.page.looking import benchmark

pytestmark = pytest.mark.gate

FLOORS = {  # answers that are right
    "en": {"title": 22, "published": 22, "source": 19, "authors": 18},  # of 22 pages
    "zh": {"title": 35, "published": 36, "source": 28, "authors": 31},  # of 36
}
MOST = {  # answers that are wrong or made up
    "en": {"title": 0, "published": 0, "source": 2, "authors": 2},
    "zh": {"title": 1, "published": 0, "source": 4, "authors": 2},
}


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    """The benchmark script, as a module."""
    return benchmark("fields")


@pytest.fixture(scope="module")
def found(bench: ModuleType, shared: Path) -> Any:
    """The careful records of the half, judged."""
    return bench.measure(shared, "report")


@pytest.mark.parametrize("language", FLOORS)
def test_fields_stay_above_their_floors(language: str, found: Any) -> None:
    rows = {field: found.counts[language, "report", field] for field in FLOORS[language]}
    low = {field: row for field, row in rows.items() if row["right"] < FLOORS[language][field]}
    untrue = {field: row for field, row in rows.items() if row["wrong"] + row["invented"] > MOST[language][field]}
    assert not low
    assert not untrue


def test_nine_in_ten_chinese_pages_have_their_title_and_day(found: Any) -> None:
    for field in ("title", "published"):
        row = found.counts["zh", "report", field]
        assert row["right"] >= 0.9 * row.total()


def test_no_field_is_right_less_often_than_by_the_other_tool(bench: ModuleType, found: Any, shared: Path) -> None:
    plain = bench.measure(shared, "report", bench.plain).counts
    assert {row: counts for row, counts in found.counts.items() if counts["right"] < plain[row]["right"]} == {}


def test_the_truth_holds_enough_pages_and_agrees_with_the_dates_read_before(bench: ModuleType) -> None:
    truth = bench.truth()  # which checks that every page is in the half its name says
    for language in FLOORS:
        for half in bench.HALVES:
            pages = [page for page in truth.values() if (page["language"], page["half"]) == (language, half)]
            assert len(pages) >= 20
    days = json.loads(Path(bench.TRUTH).with_name("dates.json").read_text("utf-8"))
    both = days.keys() & truth.keys()
    assert len(both) > 30
    assert all(set(days[name]) == set(truth[name]["published"]) for name in both)


def test_an_answer_is_right_wrong_missing_or_made_up(bench: ModuleType) -> None:
    assert bench.judge("title", "Bees, at noon", ["Bees at Noon"]) == "right"
    assert bench.judge("published", "2019-11", ["2019-11-18"]) == "wrong"
    assert bench.judge("source", "Hive", ["The Hive"]) == "wrong"
    assert bench.judge("source", "", ["The Hive", None]) == "right"
    assert bench.judge("authors", ["Ann Lee"], [["Ann Lee", "Bo Kay"]]) == "wrong"
    assert bench.judge("authors", [], [["Ann Lee"]]) == "missing"
    assert bench.judge("authors", ["Staff"], [[]]) == "invented"
    assert bench.judge("authors", [], [[], ["Staff"]]) == "right"
