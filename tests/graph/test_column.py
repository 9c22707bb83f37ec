"""A column grows at its end and keeps what it holds."""

from __future__ import annotations

import numpy as np

from honeyguide.graph import Column


def test_what_is_held_survives_growing() -> None:
    column = Column(np.int32)
    expected: list[int] = []
    for size in (1, 7, 40, 300):
        column.extend(range(size))
        expected += range(size)
        column.grow(len(expected) + 3, fill=-9)
        expected += [-9] * 3
    assert column.values.tolist() == expected


def test_growing_to_less_changes_nothing() -> None:
    column = Column(np.float64)
    column.extend([0.5, 1.5])
    column.grow(1, fill=9.0)
    assert column.values.tolist() == [0.5, 1.5]


def test_it_can_grow_after_it_was_replaced_or_loaded() -> None:
    column = Column(np.float64)
    column.replace(np.array([1.0, 2.0]))
    column.extend([3.0])
    other = Column(np.float64)
    other.load(column.save())
    other.values[0] = 7.0
    other.extend([4.0])
    assert column.values.tolist() == [1.0, 2.0, 3.0]
    assert other.values.tolist() == [7.0, 2.0, 3.0, 4.0]
