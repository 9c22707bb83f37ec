"""What labels say of precision and of the threshold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from honeyguide.topic.labels import best_threshold, precision


def test_precision_comes_with_its_wilson_interval() -> None:
    point, low, high = precision(45, 5)
    assert point == pytest.approx(0.9)
    assert (low, high) == (pytest.approx(0.7864, abs=1e-4), pytest.approx(0.9565, abs=1e-4))


def test_without_labels_nothing_is_known_of_precision() -> None:
    assert precision(0, 0) == (0.0, 0.0, 1.0)


def test_labels_cannot_be_fewer_than_none() -> None:
    with pytest.raises(ValueError, match="below zero"):
        precision(-1, 3)


@given(some.integers(0, 10_000), some.integers(0, 10_000))
def test_the_interval_holds_the_point_and_stays_between_none_and_all(right: int, wrong: int) -> None:
    point, low, high = precision(right, wrong)
    assert 0.0 <= low <= point <= high <= 1.0


def test_too_few_labels_of_either_kind_do_not_move_the_threshold() -> None:
    assert best_threshold([]) is None
    assert best_threshold([(0.9, True)] * 3 + [(0.1, False)] * 4) is None
    assert best_threshold([(0.9, True)] * 20 + [(0.1, False)] * 2) is None


def test_the_threshold_parts_right_from_wrong_where_the_judge_is_too_strict() -> None:
    judged = [(0.45, True), (0.4, True), (0.35, True), (0.3, True), (0.2, False), (0.1, False), (0.1, False)]
    assert best_threshold([*judged, (0.05, False)]) == pytest.approx(0.25)


def test_the_threshold_parts_right_from_wrong_where_the_judge_is_too_lenient() -> None:
    judged = [(0.99, True), (0.97, True), (0.95, True), (0.9, True), (0.8, False), (0.7, False), (0.7, False)]
    assert best_threshold([*judged, (0.6, False)]) == pytest.approx(0.85)


def test_the_threshold_stays_away_from_the_ends() -> None:
    assert best_threshold([(0.001, True)] * 5 + [(0.0001, False)] * 5) == pytest.approx(0.05)
