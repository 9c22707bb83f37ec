"""A strategy may change its mind about URLs that wait; and what is not worth a page of the budget is not given out."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from honeyguide.frontier import START
from tests.frontier.conftest import OwnFrontier, drain, filled

A, B = "a.test:80", "b.test:80"

# -- revising ---------------------------------------------------------------------------------------------------


def test_priorities_may_be_revised_up_and_down() -> None:
    frontier = filled((A, 0.1), (A, 0.5), (A, 0.9), delay=0.0)
    frontier.revise([0, 2], [2.0, -1.0])
    assert frontier.queued == 3
    assert [frontier.priority(number) for number in range(3)] == [2.0, 0.5, -1.0]
    assert drain(frontier) == [0, 1, 2]


def test_raising_never_lowers() -> None:
    frontier = filled((A, 0.5), (A, 0.6), delay=0.0)
    frontier.offer([0, 1], [0.4, 0.6], best=True)
    assert [frontier.priority(number) for number in range(2)] == [0.5, 0.6]
    frontier.offer([0, 1], [0.7, -1.0], best=True)
    assert drain(frontier) == [0, 1]


def test_without_best_a_url_offered_again_has_its_last_rank() -> None:
    frontier = filled((A, 0.5), (A, 0.6), delay=0.0)
    frontier.offer([0, 1], [0.7, -1.0])
    frontier.offer([0, 1], [-2.0, -1.0])
    assert drain(frontier) == [1, 0]


def test_what_lay_far_behind_can_be_raised_and_what_was_ahead_lowered() -> None:
    """Only the best few of a long queue are kept sorted: revisions must reach the others too."""
    frontier = OwnFrontier(delay=0.0)
    numbers = [frontier.known(A) for _ in range(5_000)]
    frontier.offer(numbers, -np.arange(5_000.0))
    frontier.revise([4_990, 3, 4_000], [10.0, -9_999.0, -0.5])
    assert frontier.next(0.0) == 4_990
    frontier.answered(4_990, 0.0)
    expected = [0, 4_000, 1, 2, *range(4, 4_000), *range(4_001, 4_990), *range(4_991, 5_000), 3]
    assert drain(frontier) == expected


@pytest.mark.parametrize("hosts", [1, 40, 3_000])
def test_the_whole_queue_can_be_ranked_anew_again_and_again(hosts: int) -> None:
    frontier = OwnFrontier(delay=0.0)
    numbers = np.array([frontier.known(f"h{place % hosts}.test:80") for place in range(3_000)])
    chance = np.random.default_rng(hosts)
    frontier.offer(numbers, chance.random(3_000))
    done: list[int] = []
    for _ in range(20):
        values = chance.integers(0, 50, 3_000) / 50
        frontier.revise(numbers, values)
        for _ in range(7):
            number = frontier.next(0.0)
            left = np.setdiff1d(numbers, done)
            assert number == left[np.lexsort((left, -values[left]))[0]]
            frontier.answered(number, 0.0)
            done.append(number)
    assert frontier.queued == 3_000 - len(done)
    assert len(drain(frontier)) == 3_000 - len(done)


def test_a_revision_back_and_forth_gives_a_url_out_once() -> None:
    frontier = filled((A, 0.5), (A, 0.6), delay=0.0)
    for priority in (0.9, 0.1, 0.5, 0.9, 0.5):
        frontier.revise([0], [priority])
    assert drain(frontier) == [1, 0]
    assert frontier.queued == 0


def test_many_revisions_do_not_grow_the_queue() -> None:
    frontier = filled(*((A, float(number)) for number in range(100)), delay=0.0)
    chance = random.Random(1)
    for _ in range(20_000):
        frontier.revise([chance.randrange(100)], [chance.random()])
    assert len(frontier.hosts[0].heap) < 1_000
    expected = sorted(range(100), key=lambda number: (-frontier.priority(number), number))
    assert drain(frontier) == expected


# -- the floor --------------------------------------------------------------------------------------------------


def test_nothing_below_the_floor_is_given_out() -> None:
    frontier = filled((A, 0.9), (B, 0.5), ("c.test:80", 0.1), delay=0.0)
    assert frontier.next(0.0, 0.5) == 0
    assert frontier.next(0.0, 0.5) == 1
    assert frontier.next(0.0, 0.5) is None
    assert frontier.next(0.0) == 2


def test_starts_and_examples_are_given_out_whatever_the_floor() -> None:
    frontier = filled((A, 0.9), (B, 0.2), delay=0.0)
    start = frontier.add(B, -5.0, START)
    assert frontier.floor(2, 0.0, 5.0) == 0.9  # the start is the first of the two
    assert frontier.floor(1, 0.0, 5.0) == math.inf
    assert [frontier.next(0.0, 0.5), frontier.next(0.0, 0.5)] == [start, 0]


def test_the_floor_is_the_priority_at_a_place_of_the_whole_queue() -> None:
    frontier = filled(*((f"h{number % 7}.test:80", number / 100) for number in range(100)))
    assert frontier.floor(10, 0.0, 5.0) == 0.90
    assert frontier.floor(1, 0.0, 5.0) == 0.99
    assert frontier.floor(100, 0.0, 5.0) == -math.inf
    assert frontier.floor(1_000, 0.0, 5.0) == -math.inf


def test_hosts_that_are_away_do_not_raise_the_floor() -> None:
    frontier = filled((A, 0.9), (A, 0.8), (A, 0.7), (B, 0.3), (B, 0.2), (B, 0.1))
    assert frontier.floor(2, 0.0, 5.0) == 0.8
    frontier.answered(frontier.next(0.0) or 0, 0.0, wait=60.0)
    assert frontier.floor(2, 0.0, 5.0) == 0.2
    assert frontier.floor(2, 58.0, 5.0) == 0.7
    frontier.park(0, "gone")
    assert frontier.floor(2, 58.0, 5.0) == 0.2


@pytest.mark.parametrize("hosts", [1, 40])
def test_a_part_of_a_long_queue_can_be_ranked_anew_again_and_again(hosts: int) -> None:
    """Too few for all queues to be looked at again, too many to be a page's links."""
    frontier = OwnFrontier(delay=0.0)
    worth = np.random.default_rng(hosts).permutation(30_000.0 + np.arange(30_000))
    numbers = np.array([frontier.known(f"h{place % hosts}.test:80") for place in range(30_000)])
    frontier.offer(numbers, worth)
    chance = np.random.default_rng(7)
    done: list[int] = []
    for turn in range(20):
        some = chance.choice(numbers, 1_200, replace=False)
        worth[some] = 30_000 * (2 + turn) * chance.random(1_200)
        frontier.revise(some, worth[some])
        for _ in range(5):
            number = frontier.next(0.0)
            assert number is not None
            left = np.setdiff1d(numbers, done)
            assert number == left[np.lexsort((left, -worth[left]))[0]]
            frontier.answered(number, 0.0)
            done.append(number)
