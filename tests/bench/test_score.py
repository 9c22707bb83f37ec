"""Figures and the paired test, worked out by hand."""

from __future__ import annotations

import pytest

from honeyguide.bench.score import Result, curve, paired, spread, summarise


def test_a_curve_counts_relevant_pages_and_is_padded() -> None:
    assert curve(["r", "x", "s"], frozenset({"r", "s", "t"}), 5) == [1, 1, 2, 2, 2]
    assert curve(["r", "x", "s"], frozenset({"r", "s"}), 2) == [1, 1]


def one(strategy: str, topic: str, auc: float, pages: int = 10, seconds: float = 0.01) -> Result:
    return Result(strategy=strategy, topic=topic, auc=auc, recall=0.5, harvest=0.25, pages=pages, seconds=seconds)


def test_the_summary_is_the_mean_over_topics_best_first() -> None:
    rows = summarise([one("a", "t", 0.2), one("a", "u", 0.4), one("b", "t", 0.5, pages=30, seconds=0.09)])
    assert [(row.strategy, round(row.auc, 6)) for row in rows] == [("b", 0.5), ("a", 0.3)]
    assert [round(row.ms_per_page, 6) for row in rows] == [3.0, 1.0]


def test_spread_is_the_deviation_over_topics() -> None:
    assert spread([0.2, 0.4]) == pytest.approx(0.1414, abs=1e-4)
    assert spread([0.2]) == 0.0


def test_few_topics_are_tested_exactly() -> None:
    assert paired([1, 1, 1], [0, 0, 0]).p == 2 / 8  # all the same way: 2 of the 8 ways are as extreme
    assert paired([1, 0], [0, 1]).p == 1.0
    assert paired([0.3, 0.3], [0.3, 0.3]) == (0.0, 1.0, 0, 2)


def test_many_topics_are_tested_by_draws() -> None:
    first = [0.5 + 0.01 * number for number in range(40)]
    clear = paired(first, [value - 0.1 for value in first])
    assert clear.p < 0.001
    assert clear.won == 40
    wobble = [value + (0.1 if number % 2 else -0.1) for number, value in enumerate(first)]
    assert paired(first, wobble).p > 0.5


def test_alike_strategies_are_seldom_called_different() -> None:
    """Under no difference, p below 0.05 comes up about one time in twenty."""
    import random

    dice = random.Random(4)
    low = sum(
        paired([dice.random() for _ in range(12)], [dice.random() for _ in range(12)]).p < 0.05 for _ in range(200)
    )
    assert 2 <= low <= 20
