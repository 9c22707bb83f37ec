"""Which page gave a URL its rank, and what is usual of late: kept through a restart, growing with the graph."""

from __future__ import annotations

import numpy as np

from honeyguide.strategies.given import NOBODY, Given
from honeyguide.strategies.likeness import _HOPELESS, Usual

from .tiny import A, B, C, Web


def test_the_best_rank_counts_and_the_page_that_gave_it() -> None:
    web = Web()
    given = Given(web.graph)
    first, second, third = web.numbers(A, B, C)  # after the columns were made
    given.give(first, np.array([second, third]), np.array([0.5, -2.0]), np.array([0.25, 0.0]))
    given.give(second, np.array([third]), np.array([-1.0]), 0.75)
    given.give(third, np.array([second]), np.array([0.5]))  # as good is not better
    assert [given.from_page(number) for number in (first, second, third)] == [NOBODY, first, second]
    assert [given.words(number) for number in (first, second, third)] == ["", "; link text 0.25", "; link text 0.75"]


def test_it_survives_a_restart() -> None:
    web = Web()
    given, other = Given(web.graph), Given(web.graph)
    first, second = web.numbers(A, B)
    given.give(first, np.array([second]), np.array([0.5]), 0.25)
    other.load(given.save())
    late = web.number(C)
    other.give(second, np.array([second, late]), np.array([0.4, -9.0]))
    assert (other.from_page(second), other.words(second), other.from_page(late)) == (first, "; link text 0.25", second)


def test_hopeless_is_far_below_the_median_of_the_last_63_and_that_survives_a_restart() -> None:
    usual = Usual()
    for _ in range(500):
        usual.hopeless(1.0)
    poor = 0.9 * _HOPELESS
    for _ in range(31):
        assert usual.hopeless(poor)  # most of the last 63 are still 1
    assert not usual.hopeless(poor)  # now it is what is usual
    assert not usual.hopeless(1.1 * _HOPELESS)
    other = Usual()
    other.load(usual.save())
    values = np.random.default_rng(1).random(300).tolist()
    assert [other.hopeless(value) for value in values] == [usual.hopeless(value) for value in values]
    assert len(usual.save()) < 2_000  # bounded
