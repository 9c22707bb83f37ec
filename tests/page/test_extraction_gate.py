"""The extraction gate: quality on four sets of real pages, with floors that only ever rise.

A floor is what was measured, less a small margin. Whoever makes the record better raises it; nobody lowers it.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from tests.page.looking import benchmark

FLOORS = {
    "article-bodies": {  # measured: f1 .974, precision .966, recall .982, near date 1, careful 1
        "f1": 0.970,
        "precision": 0.962,
        "recall": 0.978,
        "title": 1.0,
        "near date": 0.98,
        "lead": 0.965,
        "careful": 1.0,
    },
    "journal-pages": {  # measured: title 1, authors .913, journal 1, doi .889, year .895, careful 1
        "title": 1.0,
        "authors": 0.91,
        "journal": 1.0,
        "doi": 0.88,
        "year": 0.89,
        "careful": 1.0,
    },
    "encyclopedia": {  # measured: no date .99 (.79 before dates had to stand by themselves)
        "no date": 0.98,
        "careful": 0.99,
    },
    "chinese-news": {  # measured: f1 .950, title 1, date .947 (one silver date is wrong), any date .967, careful 1
        "f1": 0.945,
        "precision": 0.928,
        "recall": 0.963,
        "title": 1.0,
        "date": 0.94,
        "any date": 0.96,
        "careful": 1.0,
    },
}


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    """The benchmark script, as a module."""
    return benchmark("extraction")


@pytest.mark.parametrize("name", FLOORS)
def test_quality_stays_above_its_floor(name: str, bench: ModuleType, shared: Path) -> None:
    figures = bench.SETS[name](shared).means()
    low = {what: round(figures[what], 4) for what, floor in FLOORS[name].items() if figures[what] < floor}
    assert not low, f"{name} fell below its floor: {low}"


def test_shingles_score_what_two_texts_share(bench: ModuleType) -> None:
    truth, found = bench.shingles(list("abcdefgh")), bench.shingles(list("abcdefxx"))
    assert bench.overlap(truth, found) == (0.6, 0.6)
    assert bench.overlap(truth, truth) == (1.0, 1.0)
    assert bench.overlap(truth, bench.shingles([])) == (0.0, 0.0)
