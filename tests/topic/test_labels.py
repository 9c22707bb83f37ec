"""What labels say of precision and of the threshold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from honeyguide.topic.labels import fitted, precision


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


def test_without_labels_nothing_moves() -> None:
    assert fitted([], []) == (1.0, 0.0)


def test_labels_say_where_the_judge_is_too_strict_and_where_too_lenient() -> None:
    strict = fitted([-0.5, -1.0, -1.5, -0.8, -3.0, -4.0], [True] * 4 + [False] * 2)
    lenient = fitted([4.0, 3.0, 2.0, 1.5, 1.0, 0.5], [True] * 2 + [False] * 4)
    assert strict[1] > 0.5
    assert lenient[0] * 1.5 + lenient[1] < 0 < lenient[0] * 4.0 + lenient[1] + 1
    assert abs(fitted([-0.5], [True])[1]) < strict[1]  # one label says less than four


def test_the_most_probable_pair_is_found() -> None:
    odds, rights = [2.0, 1.0, 0.2, -0.3, -1.0, -2.5], [True, True, False, True, False, False]

    def likely(slope: float, shift: float) -> float:
        each = (
            math.log(1 / (1 + math.exp(-(slope * one + shift) * (1 if right else -1))))
            for one, right in zip(odds, rights, strict=True)
        )
        return sum(each) - (slope - 1) ** 2 / (2 * 0.3**2) - shift**2 / 2

    slope, shift = fitted(odds, rights)
    around = [(slope + by, shift + other) for by in (-0.01, 0.0, 0.01) for other in (-0.01, 0.0, 0.01)]
    assert max(around, key=lambda pair: likely(*pair)) == (slope, shift)


def test_contrary_labels_do_not_turn_the_order_round() -> None:
    slope, _ = fitted([5.0] * 50 + [-5.0] * 50, [False] * 50 + [True] * 50)
    assert slope == pytest.approx(0.1)
