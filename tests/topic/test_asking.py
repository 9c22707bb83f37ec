"""Which pages people are asked about first."""

from __future__ import annotations

import numpy as np

from honeyguide.text.vectors import SIZE
from honeyguide.topic.asking import worth_asking


def about(*axes: int) -> list[bytes]:
    """Pages, each about one thing alone."""
    rows = np.zeros((len(axes), SIZE), np.int8)
    rows[np.arange(len(axes)), axes] = 127
    return [row.tobytes() for row in rows]


def test_pages_without_a_meaning_are_asked_about_in_the_order_of_doubt() -> None:
    doubt = np.array([0.4, 0.1, 0.3, 0.2])
    assert worth_asking(doubt, [b""] * 4, 3) == [1, 3, 2]
    assert worth_asking(np.zeros(0), [], 3) == []


def test_of_pages_like_each_other_one_is_asked_about_before_others() -> None:
    doubt = np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06])
    assert worth_asking(doubt, about(1, 1, 1, 2, 3, 2), 3) == [0, 3, 4]


def test_none_is_asked_about_twice_and_none_is_left_out() -> None:
    size = 23
    found = worth_asking(np.linspace(0.0, 0.5, size), about(*(number // 3 for number in range(size))), size + 5)
    assert sorted(found) == list(range(size))
    assert found[:5] == [0, 3, 6, 9, 12]


def test_a_page_far_from_the_bar_waits_however_unlike_the_others_it_is() -> None:
    doubt = np.linspace(0.0, 0.5, 40)
    assert 39 not in worth_asking(doubt, about(*([1] * 39), 2), 20)
