"""What labels say of precision."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from honeyguide.topic.labels import precision


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
