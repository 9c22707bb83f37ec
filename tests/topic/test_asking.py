"""Which pages people are asked about first."""

from __future__ import annotations

import numpy as np

from honeyguide.text.vectors import SIZE
from honeyguide.topic.asking import COMPARED, worth_asking


def about(*axes: int) -> list[bytes]:
    """Pages, each about one thing alone."""
    rows = np.zeros((len(axes), SIZE), np.int8)
    rows[np.arange(len(axes)), axes] = 127
    return [row.tobytes() for row in rows]


def test_a_page_in_doubt_is_asked_about_before_a_sure_one() -> None:
    assert worth_asking([0.02, 0.5, 0.98, 0.7], [b""] * 4, 2) == [1, 3]
    assert worth_asking([], [], 3) == []


def test_of_pages_as_doubtful_the_one_most_others_are_like_comes_first() -> None:
    assert worth_asking([0.5] * 6, about(1, 2, 3, 3, 3, 4), 1) == [2]


def test_of_pages_like_each_other_one_is_asked_about_before_others() -> None:
    found = worth_asking([0.5] * 6, about(1, 1, 1, 2, 3, 2), 3)
    assert sorted({0: 1, 1: 1, 2: 1, 3: 2, 4: 3, 5: 2}[place] for place in found) == [1, 2, 3]


def test_one_that_is_like_a_labelled_page_waits() -> None:
    assert worth_asking([0.5, 0.5], about(1, 2), 1, about(1)) == [1]
    assert worth_asking([0.5, 0.5], about(1, 2), 1, about(2)) == [0]


def test_none_is_asked_about_twice_and_none_is_left_out() -> None:
    size = 23
    chances = np.linspace(0.01, 0.99, size).tolist()
    found = worth_asking(chances, about(*(number // 3 for number in range(size))), size + 5)
    assert sorted(found) == list(range(size))


def test_of_many_pages_the_doubtful_are_compared() -> None:
    chances = [*np.linspace(0.4, 0.6, COMPARED).tolist(), *[0.001] * 1_000]
    assert max(worth_asking(chances, [b""] * len(chances), 20)) < COMPARED
