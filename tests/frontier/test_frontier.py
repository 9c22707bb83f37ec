"""The best URL whose host is due."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from honeyguide.frontier import EXAMPLE, LINK, START, Frontier
from tests.frontier.conftest import OwnFrontier, drain, filled

A, B = "a.test:80", "b.test:80"


# -- order ------------------------------------------------------------------------------------------------------


def test_an_empty_frontier_has_nothing_to_give() -> None:
    frontier = OwnFrontier()
    assert frontier.next(0.0) is None
    assert frontier.next_due() is None
    assert frontier.queued == 0
    assert frontier.best(9) == []
    frontier.offer([], [])
    frontier.revise([], [])
    assert drain(frontier) == []


def test_the_best_comes_first_whatever_its_host() -> None:
    frontier = filled((A, 0.1), (B, 0.5), (A, 0.9), (B, -2.0), (A, 0.5), delay=0.0)
    assert drain(frontier) == [2, 1, 4, 0, 3]


def test_of_equals_the_one_found_first_comes_first() -> None:
    frontier = filled((B, 1.0), (A, 1.0), (B, 1.0), (A, 1.0), delay=0.0)
    assert drain(frontier) == [0, 1, 2, 3]


def test_priorities_are_real_numbers_not_classes() -> None:
    frontier = filled((A, 1e-300), (A, 2e-300), (A, -1e300), (A, 1e300), (A, 0.0), (A, -0.0), delay=0.0)
    assert drain(frontier) == [3, 1, 0, 4, 5, 2]


def test_hosts_are_numbered_in_the_order_of_finding() -> None:
    frontier = OwnFrontier()
    assert [frontier.host(name) for name in (A, B, A)] == [0, 1, 0]
    assert [host.name for host in frontier.hosts] == [A, B]


def test_a_url_that_was_found_waits_for_nobody_until_it_is_offered() -> None:
    frontier = OwnFrontier(delay=0.0)
    number = frontier.known(A)
    assert (frontier.is_offered(number), frontier.is_queued(number), frontier.queued) == (False, False, 0)
    assert math.isnan(frontier.priority(number))
    frontier.revise([number], [5.0])  # of what was never offered there is nothing to revise
    assert drain(frontier) == []
    assert math.isnan(frontier.priority(number))
    frontier.offer([number], [0.5])
    assert (frontier.is_offered(number), frontier.is_queued(number), frontier.queued) == (True, True, 1)
    assert drain(frontier) == [number]
    assert (frontier.is_offered(number), frontier.is_queued(number)) == (True, False)


def test_a_url_that_was_visited_is_not_queued_again() -> None:
    frontier = filled((A, 0.5), delay=0.0)
    drain(frontier)
    frontier.offer([0], [0.9])
    frontier.revise([0], [0.8])
    assert frontier.queued == 0
    assert drain(frontier) == []


def test_a_url_offered_twice_at_once_counts_once() -> None:
    frontier = OwnFrontier(delay=0.0)
    number = frontier.known(A)
    frontier.offer([number, number], [0.5, 0.5])
    assert frontier.queued == 1
    assert drain(frontier) == [number]
    assert frontier.queued == 0


def test_classes_go_before_all_priorities() -> None:
    frontier = OwnFrontier(delay=0.0)
    kinds = [LINK, START, LINK, EXAMPLE, START, EXAMPLE]
    for number, kind in enumerate(kinds):
        frontier.add((A, B)[number % 2], 1e9 if kind == LINK else -1e9 + number, kind)
    assert [frontier.kind(number) for number in range(6)] == kinds
    assert frontier.best(3) == [5, 3, 4]
    frontier.offer([0], [2e9], kind=EXAMPLE)  # known already: it keeps its class
    assert drain(frontier) == [5, 3, 4, 1, 0, 2]


def test_a_long_queue_of_starts_goes_before_any_link() -> None:
    frontier = OwnFrontier(delay=0.0)
    numbers = [frontier.known(A) for _ in range(3_000)]
    frontier.offer(numbers[:1_000], np.linspace(0, 1, 1_000))
    frontier.offer(numbers[1_000:2_500], np.zeros(1_500), kind=START)
    frontier.offer(numbers[2_500:], np.full(500, 9.0))
    assert drain(frontier) == [*range(1_000, 2_500), *range(2_500, 3_000), *reversed(range(1_000))]


def test_the_best_are_told_whatever_their_hosts_turn() -> None:
    frontier = filled((A, 0.9), (A, 0.8), (B, 0.85))
    assert frontier.best(2) == [0, 2]
    assert frontier.next(0.0) == 0
    assert frontier.best(9) == [2, 1]


# -- turns ------------------------------------------------------------------------------------------------------


def test_a_host_rests_from_the_end_of_its_answer() -> None:
    frontier = filled((A, 0.9), (A, 0.8), delay=2.0)
    assert frontier.next(10.0) == 0
    assert frontier.next(100.0) is None  # still being asked
    frontier.answered(0, 100.0)
    assert frontier.next(101.9) is None
    assert frontier.next_due() == 102.0
    assert frontier.next(102.0) == 1


def test_while_the_best_host_rests_another_is_asked() -> None:
    frontier = filled((A, 0.9), (A, 0.8), (B, 0.1))
    assert frontier.next(0.0) == 0
    assert frontier.next(0.0) == 2
    assert frontier.next(0.0) is None
    frontier.answered(2, 0.5)
    frontier.answered(0, 3.0)
    assert frontier.next(3.5) is None
    assert frontier.next(4.0) == 1


def test_a_slow_host_never_stands_in_the_way_of_others() -> None:
    urls = [(f"h{number % 50}.test:80", 1.0) for number in range(500)]
    frontier = filled(*((A, 9.0), *urls), delay=1.0)
    assert frontier.next(0.0) == 0  # and A never answers
    now, taken = 0.0, 0
    while taken < 500 and now < 100:
        while (number := frontier.next(now)) is not None:
            frontier.answered(number, now)
            taken += 1
        now += 1.0
    assert (taken, now) == (500, 10.0)


def test_a_host_may_ask_for_a_longer_rest_but_not_a_shorter() -> None:
    frontier = filled((A, 0.9), (A, 0.8), (A, 0.7), delay=1.0)
    frontier.answered(frontier.next(0.0) or 0, 0.0, wait=30.0)
    assert frontier.next(29.9) is None
    assert frontier.next(30.0) == 1
    frontier.answered(1, 30.0, wait=0.1)
    assert frontier.next(30.9) is None
    assert frontier.next(31.0) == 2


def test_each_host_has_its_own_delay() -> None:
    frontier = filled((A, 0.9), (A, 0.8), (B, 0.7), (B, 0.6), delay=1.0)
    frontier.hosts[0].delay = 10.0
    for number in (0, 2):
        assert frontier.next(0.0) == number
        frontier.answered(number, 0.0)
    assert frontier.next(1.0) == 3
    assert frontier.next(9.9) is None
    assert frontier.next(10.0) == 1


def test_a_long_rest_asked_for_in_one_slot_is_not_cut_short_by_another() -> None:
    frontier = filled((A, 0.9), (A, 0.8), (A, 0.7), delay=0.0, slots=2)
    assert [frontier.next(0.0), frontier.next(0.0)] == [0, 1]
    frontier.answered(0, 1.0, wait=60.0)
    frontier.answered(1, 2.0)
    assert frontier.next(60.9) is None
    assert frontier.next(61.0) == 2


def test_without_a_delay_a_host_is_asked_again_at_once() -> None:
    frontier = filled((A, 0.9), (A, 0.8), delay=0.0)
    assert frontier.next(0.0) == 0
    assert frontier.next(0.0) is None
    frontier.answered(0, 0.0)
    assert frontier.next(0.0) == 1


def test_a_url_found_while_its_host_rests_waits_for_it() -> None:
    frontier = filled((A, 0.9))
    frontier.answered(frontier.next(0.0) or 0, 0.0)
    assert frontier.next_due() is None  # nothing of it is left
    frontier.add(A, 5.0)
    assert frontier.next(0.5) is None
    assert frontier.next_due() == 1.0
    assert frontier.next(1.0) == 1


# -- putting back, refusing, parking ----------------------------------------------------------------------------


def test_a_closed_host_gives_nothing_until_it_is_reopened_and_rested() -> None:
    frontier = filled((A, 0.9), (A, 0.8), (B, 0.1))
    assert frontier.next(0.0) == 0
    assert frontier.close(0) == 0
    assert frontier.queued == 3
    assert frontier.is_queued(0)
    assert frontier.hosts[0].taken == 0
    assert frontier.next(0.0) == 2
    assert frontier.next(50.0) is None
    frontier.add(A, 5.0)
    assert frontier.next(50.0) is None
    frontier.reopen(0, 60.0)
    assert frontier.next(60.9) is None
    assert frontier.next(61.0) == 3
    frontier.answered(3, 61.0)
    assert frontier.next(62.0) == 0


def test_a_refused_url_uses_up_no_turn() -> None:
    frontier = filled((A, 0.9), (A, 0.8), delay=5.0)
    assert frontier.next(0.0) == 0
    frontier.refuse(0)
    assert frontier.hosts[0].taken == 0
    assert frontier.next(0.0) == 1
    assert not frontier.is_queued(0)


def test_an_order_that_failed_is_queued_again_after_a_wait() -> None:
    frontier = filled((A, 0.9), (A, 0.8))
    assert frontier.next(0.0) == 0
    frontier.answered(0, 1.0, again=True, wait=8.0)
    assert frontier.queued == 2
    assert frontier.next(8.9) is None
    assert frontier.next_due() == 9.0
    assert frontier.next(9.0) == 0


def test_a_parked_host_is_never_asked_again() -> None:
    frontier = filled((A, 0.9), (A, 0.8), (B, 0.1))
    assert frontier.next(0.0) == 0
    frontier.answered(0, 0.0)
    assert frontier.park(0, "too slow") == 1
    assert frontier.queued == 1
    assert frontier.hosts[0].parked == "too slow"
    assert frontier.next(100.0) == 2
    assert frontier.next(100.0) is None
    assert frontier.next_due() is None


def test_a_url_put_back_uses_up_no_turn_and_keeps_its_place() -> None:
    frontier = filled((A, 0.9), (A, 0.8), delay=5.0)
    assert frontier.next(0.0) == 0
    frontier.put_back(0)
    assert (frontier.hosts[0].taken, frontier.queued) == (0, 2)
    assert frontier.next(0.0) == 0


def test_a_host_that_was_parked_can_be_gone_to_again() -> None:
    frontier = filled((A, 0.9), (A, 0.8), (A, 0.7), (B, 0.1))
    assert frontier.next(0.0) == 0
    assert frontier.park(0, "out of reach") == 2
    frontier.answered(0, 1.0, again=True)  # what was under way comes back, and waits with the others
    frontier.add(A, 0.95)
    frontier.revise([1], [0.99])
    assert (frontier.queued, frontier.is_queued(0)) == (1, True)
    assert frontier.next(9.0) == 3
    assert frontier.unpark(0, 10.0) == 4
    assert (frontier.queued, frontier.hosts[0].parked) == (4, "")
    assert frontier.next(10.9) is None
    now = 11.0
    for number in (1, 4, 0, 2):
        assert frontier.next(now) == number
        frontier.answered(number, now)
        now += 1.0
    assert frontier.unpark(0, now) == 0  # which it is not


# -- coming back ------------------------------------------------------------------------------------------------


def _again(first: Frontier, done: set[int]) -> Frontier:
    """The frontier of a crawl that is resumed: the same graph, the order as it was saved, and what is done with."""
    again = Frontier(first.graph, delay=first.hosts[0].delay)
    for host in first.hosts:
        again.host(host.name)
    again.load(first.save())
    again.settle(done)
    return again


def test_a_restored_frontier_gives_out_the_same_order() -> None:
    chance = random.Random(3)
    first = OwnFrontier(delay=0.0)
    for _ in range(2_000):
        kind = chance.choice([LINK] * 30 + [START, EXAMPLE])
        first.add(f"h{chance.randrange(40)}.test:80", round(chance.random(), 2), kind)
    unranked = first.known(A)
    done = set()
    for _ in range(500):
        number = first.next(0.0)
        assert number is not None
        first.answered(number, 0.0)
        done.add(number)
    numbers = chance.sample(range(2_000), 300)
    first.revise(numbers, [round(chance.random(), 2) for _ in numbers])
    again = _again(first, done)
    assert again.queued == first.queued == 1_500
    assert not again.is_offered(unranked)
    assert all(again.kind(number) == first.kind(number) for number in range(2_000))
    assert drain(again) == drain(first)


def test_what_was_under_way_is_queued_again_after_coming_back() -> None:
    first = filled((A, 0.9), (B, 0.8), delay=0.0)
    assert first.next(0.0) == 0
    assert drain(_again(first, set())) == [0, 1]


def test_urls_found_after_the_order_was_saved_are_not_queued() -> None:
    first = filled((A, 0.9), delay=0.0)
    state = first.save()
    late = first.known(B)
    again = Frontier(first.graph, delay=0.0)
    for host in first.hosts:
        again.host(host.name)
    again.load(state)
    assert not again.is_offered(late)
    assert drain(again) == [0]


def test_after_coming_back_every_host_first_rests_its_full_delay() -> None:
    frontier = _again(filled((A, 0.5), (B, 0.5), delay=3.0), set())
    frontier.rest(100.0)
    assert frontier.next(102.9) is None
    assert frontier.next_due() == 103.0
    assert frontier.next(103.0) == 0
    assert frontier.next(103.0) == 1


def test_parked_hosts_stay_parked_after_coming_back() -> None:
    first = filled((A, 0.5), (A, 0.4), (B, 0.5), delay=0.0)
    frontier = Frontier(first.graph, delay=0.0)
    for host in first.hosts:
        frontier.host(host.name)
    frontier.park(0, "gone")
    frontier.load(first.save())
    frontier.settle([1])
    frontier.rest(0.0)
    assert frontier.queued == 1
    assert drain(frontier) == [2]
    assert frontier.unpark(0, 0.0) == 1


# -- found wanting ----------------------------------------------------------------------------------------------


def test_a_url_of_a_parked_host_does_not_count_as_queued() -> None:
    frontier = filled((A, 0.9))
    frontier.park(0, "gone")
    frontier.add(A, 0.5)
    assert frontier.queued == 0


def test_refusing_a_url_of_a_parked_host_counts_it_once() -> None:
    frontier = filled((A, 0.9), (B, 0.5))
    assert frontier.next(0.0) == 0
    frontier.park(0, "gone")
    frontier.refuse(0)
    assert frontier.queued == 1
    assert frontier.unpark(0, 0.0) == 0


@pytest.mark.parametrize("priority", [math.nan, math.inf, -math.inf])
def test_a_priority_that_is_no_number_is_refused_and_loses_nothing(priority: float) -> None:
    frontier = filled((A, 0.9), (A, 0.5), delay=0.0)
    for change in (frontier.revise, frontier.offer):
        with pytest.raises(ValueError, match="a priority must be a finite number"):
            change([1, 0], [0.7, priority])
    assert drain(frontier) == [0, 1]
    assert frontier.queued == 0


def test_a_floor_for_no_pages_lets_nothing_through() -> None:
    frontier = filled((A, 0.9))
    assert frontier.floor(0, 0.0, 5.0) > 0.9


def test_revisions_upwards_do_not_grow_the_heap_of_hosts() -> None:
    frontier = filled(*((A, float(number)) for number in range(100)))
    for turn in range(1, 200):
        for number in range(100):
            frontier.revise([number], [1_000.0 * turn + number])
        if turn % 10 == 0 and (taken := frontier.next(float(turn))) is not None:
            frontier.answered(taken, float(turn), again=True)
    assert len(frontier._ready) + len(frontier._resting) < 1_000
