"""Pages met that stand in for more examples, and starts of the crawl that are taken for some."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.text.about import pack
from honeyguide.text.vectors import SIZE
from honeyguide.topic import Judge, Shown, Topic
from honeyguide.topic.known import Known
from honeyguide.topic.stand_ins import stand_ins, telling_starts

DRAW = np.random.default_rng(5)
BEES = Topic.from_flags(keywords=["bees"], starts=["http://a.test/"])
BEE = Shown({"bee": 5, "hive": 3, "honey": 2}, title="Bees")
ROOK = Shown({"chess": 4, "rook": 2}, title="Rooks")


def meaning(*axes: int) -> bytes:
    """A direction along some axes, and a little of all others."""
    row = np.eye(SIZE)[list(axes)].sum(axis=0) + 0.02 * DRAW.standard_normal(SIZE)
    return pack((row / np.linalg.norm(row)).astype(np.float32))


def some(page: Shown, count: int, *axes: int, **more: object) -> list[Shown]:
    """Pages like this one, no two the same."""
    return [
        page._replace(terms={**page.terms, f"w{axes}{number}": 1}, meaning=meaning(*axes), **more)
        for number in range(count)
    ]


def known(own: list[Shown], met: list[Shown]) -> Known:
    return Known(own, met, {"bee": 1.0}, np.eye(SIZE, dtype=np.float32)[0])


def test_each_of_several_examples_has_pages_that_stand_in_for_it() -> None:
    # Two sides of a topic; the pages of one fit the keyword better, too, and are more than can be chosen.
    wasp = Shown({"wasp": 3, "nest": 2, "bee": 3}, title="Bees and wasps")
    met = [*some(BEE, 30, 0), *some(wasp, 30, 1), *some(ROOK, 140, 2)]
    own = [*some(BEE, 1, 0, 3), *some(wasp, 1, 1, 3)]
    chosen = stand_ins(known(own, met), np.zeros(len(met)))
    sides = [sum(first <= place < first + 30 for place in chosen) for first in (0, 30)]
    assert sides == [12, 12]
    one_by_one = [stand_ins(known(own[which : which + 1], met), np.zeros(len(met))) for which in (0, 1)]
    assert all(place < 30 for one in one_by_one for place in one)  # whose turn it is counts beside several alone


def test_without_meanings_the_pages_that_fit_best_stand_in() -> None:
    met = [*(page._replace(meaning=b"") for page in (*some(BEE, 20, 0), *some(ROOK, 80, 2)))]
    own = [page._replace(meaning=b"") for page in some(BEE, 2, 0)]
    chosen = stand_ins(known(own, met), np.arange(100.0, 0.0, -1.0))
    assert chosen == list(range(12))


def starting(*starts: Shown) -> list[Shown]:
    """Pages that a crawl has met from there."""
    return [*(page._replace(start=True) for page in starts), *some(BEE, 4, 0), *some(ROOK, 36, 2)]


def test_a_start_tells_the_topic_if_it_fits_the_keywords() -> None:
    met = starting(*some(BEE, 2, 0), *some(ROOK, 2, 2))
    assert telling_starts(known([], met)) == [0, 1]
    assert telling_starts(known([], met[:7])) == []  # too few pages are met to say what fits
    many = starting(*some(BEE, 17, 0))
    assert telling_starts(known([], many)) == []  # a list of addresses
    assert telling_starts(known([], [page._replace(start=False) for page in met])) == []


def test_a_start_tells_as_much_beside_many_keywords() -> None:
    words = ["bees", "honey", "hive", "wax", "comb"]
    judge = Judge(Topic.from_flags(keywords=words, starts=["http://a.test/"]))
    judge.learn([], starting(*some(BEE, 2, 0), *some(ROOK, 1, 2)))
    assert judge._state.starts == judge._state.examples == 2


def test_starts_stand_in_where_no_example_is_given_and_the_advice_says_so() -> None:
    met = starting(*some(BEE, 2, 0))
    judge = Judge(BEES)
    judge.learn([], met)
    assert judge._state.starts == judge._state.examples == 2
    assert "2 starts of the crawl stood in" in judge.advice
    deaf = Judge(BEES, heed_starts=False)
    deaf.learn([], met)
    assert deaf._state.starts == 0
    assert "keywords alone" in deaf.advice


def test_starts_that_are_like_the_examples_join_them() -> None:
    met = starting(*some(BEE, 2, 0), *some(ROOK, 2, 2))
    own = some(BEE, 1, 0, 3)
    assert telling_starts(known(own, met)) == [0, 1]
    judge = Judge(BEES)
    judge.learn(own, met)
    assert (judge._state.starts, judge._state.examples) == (2, 3)
    assert not judge.advice  # three tell enough
    deaf = Judge(BEES, heed_starts=False)
    deaf.learn(own, met)
    assert (deaf._state.starts, deaf._state.examples) == (0, 1)
    assert deaf.advice


def test_beside_five_examples_starts_have_nothing_to_add_and_labels_are_none_of_them() -> None:
    met, own = starting(*some(BEE, 2, 0)), some(BEE, 5, 0, 3)
    judge = Judge(BEES)
    judge.learn(own[:4], met, [(own[4], True)])
    assert judge._state.starts == 2
    judge.learn(own, met)
    assert judge._state.starts == 0


def mixed(count: int) -> list[Shown]:
    """Pages of a dozen other subjects."""
    every = [Shown({f"word{one}": 4, f"term{one}": 2, "page": 2}, title=f"Subject {one}") for one in range(12)]
    pages = [page for one, page in enumerate(every) for page in some(page, -(-count // 12), 10 + one)]
    return pages[:count]


def begun_at(*starts: Shown) -> list[Shown]:
    """Pages that a crawl of many subjects has met from there."""
    return [*(page._replace(start=True) for page in starts), *some(BEE, 4, 0), *mixed(48)]


def test_starts_unlike_the_examples_do_not_join_them() -> None:
    films = some(Shown({"film": 6, "actor": 3}, title="Bees"), 3, 7)
    assert telling_starts(known(some(BEE, 2, 0, 3), begun_at(*films))) == []
    assert telling_starts(known([], begun_at(*films))) == [0, 1, 2]  # nothing else says what is meant


def test_a_start_that_joined_is_not_named_as_an_example() -> None:
    given = [page._replace(title=f"Bees {number}") for number, page in enumerate(some(BEE, 4, 0))]
    odd = Shown({"bee": 2, "film": 4, "actor": 2}, title="Bees, a film", meaning=meaning(5))
    judge = Judge(BEES)
    judge.learn([*given, odd], begun_at())
    assert "unlike the others: Bees, a film" in judge.advice  # given as an example it is
    judge.learn(given, begun_at(odd))
    assert judge._state.starts == 1
    assert "unlike" not in judge.advice


def test_starts_that_are_like_each_other_tell_together_what_none_tells_alone() -> None:
    wasps = some(Shown({"wasp": 5, "nest": 4, "swarm": 3, "bee": 1}), 4, 1)
    assert telling_starts(known([], begun_at(*wasps))) == [0, 1, 2, 3]
    assert telling_starts(known([], begun_at(wasps[0]))) == []
    apart = [page._replace(start=True) for page in mixed(12)[::3]]
    assert telling_starts(known([], [*apart, *begun_at()])) == []


def test_starts_that_are_like_each_other_and_nothing_like_the_keywords_tell_nothing() -> None:
    wasps = some(Shown({"wasp": 5, "nest": 4, "swarm": 3}), 4, 1)
    usual = [page._replace(terms={**page.terms, "bee": 1}, title="The bee's") for page in mixed(48)]
    met = [*(page._replace(start=True) for page in wasps), *some(BEE, 4, 0), *usual]
    assert telling_starts(known([], met)) == []


@pytest.mark.parametrize("right", [True, False])
def test_labels_count_beside_starts_that_stand_in(right: bool) -> None:
    met = starting(*some(BEE, 2, 0))
    (page,) = some(BEE if right else ROOK, 1, 0, 3)
    judge = Judge(BEES)
    judge.learn([], met, [(page, right)])
    assert judge._state.starts == 2
    assert judge._state.examples == 2 + right
    said = judge(page).probability
    judge.learn([], met)
    assert (said > judge(page).probability) == right
