"""The best URL whose host is due."""

from __future__ import annotations

import math
import random

from honeyguide.frontier import Frontier
from tests.frontier.conftest import drain

A, B = "a.test:80", "b.test:80"


def _filled(*urls: tuple[str, float], delay: float = 1.0, slots: int = 1) -> Frontier:
    frontier = Frontier(delay=delay, slots=slots)
    for key, (host, priority) in enumerate(urls):
        assert frontier.add(key, frontier.host(host), priority) == key
    return frontier


# -- order ------------------------------------------------------------------------------------------------------


def test_an_empty_frontier_has_nothing_to_give() -> None:
    frontier = Frontier()
    assert frontier.next(0.0) is None
    assert frontier.next_due() is None
    assert (len(frontier), frontier.queued) == (0, 0)


def test_the_best_comes_first_whatever_its_host() -> None:
    frontier = _filled((A, 0.1), (B, 0.5), (A, 0.9), (B, -2.0), (A, 0.5), delay=0.0)
    assert drain(frontier) == [2, 1, 4, 0, 3]


def test_of_equals_the_one_found_first_comes_first() -> None:
    frontier = _filled((B, 1.0), (A, 1.0), (B, 1.0), (A, 1.0), delay=0.0)
    assert drain(frontier) == [0, 1, 2, 3]


def test_priorities_are_real_numbers_not_classes() -> None:
    frontier = _filled((A, 1e-300), (A, 2e-300), (A, -1e300), (A, 1e300), (A, 0.0), (A, -0.0), delay=0.0)
    assert drain(frontier) == [3, 1, 0, 4, 5, 2]


def test_a_url_is_found_again_by_its_key() -> None:
    frontier = Frontier()
    number = frontier.add(2**64 - 1, frontier.host(A), 0.5, depth=70_000, hops=300, row=9)
    assert frontier.find(2**64 - 1) == number
    assert frontier.find(7) is None
    assert frontier.known(number) == (0, 65_535, 255)
    assert frontier.rank_row[number] == 9
    assert frontier.host(A) == 0
    assert frontier.host(B) == 1


# -- turns ------------------------------------------------------------------------------------------------------


def test_a_host_rests_from_the_end_of_its_answer() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), delay=2.0)
    assert frontier.next(10.0) == 0
    assert frontier.next(100.0) is None  # still being asked
    frontier.answered(0, 100.0)
    assert frontier.next(101.9) is None
    assert frontier.next_due() == 102.0
    assert frontier.next(102.0) == 1


def test_while_the_best_host_rests_another_is_asked() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), (B, 0.1))
    assert frontier.next(0.0) == 0
    assert frontier.next(0.0) == 2
    assert frontier.next(0.0) is None
    frontier.answered(2, 0.5)
    frontier.answered(0, 3.0)
    assert frontier.next(3.5) is None
    assert frontier.next(4.0) == 1


def test_a_slow_host_never_stands_in_the_way_of_others() -> None:
    urls = [(f"h{number % 50}.test:80", 1.0) for number in range(500)]
    frontier = _filled(*((A, 9.0), *urls), delay=1.0)
    assert frontier.next(0.0) == 0  # and A never answers
    now, taken = 0.0, 0
    while taken < 500 and now < 100:
        while (number := frontier.next(now)) is not None:
            frontier.answered(number, now)
            taken += 1
        now += 1.0
    assert (taken, now) == (500, 10.0)


def test_a_host_may_ask_for_a_longer_rest_but_not_a_shorter() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), (A, 0.7), delay=1.0)
    frontier.answered(frontier.next(0.0) or 0, 0.0, wait=30.0)
    assert frontier.next(29.9) is None
    assert frontier.next(30.0) == 1
    frontier.answered(1, 30.0, wait=0.1)
    assert frontier.next(30.9) is None
    assert frontier.next(31.0) == 2


def test_each_host_has_its_own_delay() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), (B, 0.7), (B, 0.6), delay=1.0)
    frontier.hosts[0].delay = 10.0
    for number in (0, 2):
        assert frontier.next(0.0) == number
        frontier.answered(number, 0.0)
    assert frontier.next(1.0) == 3
    assert frontier.next(9.9) is None
    assert frontier.next(10.0) == 1


def test_a_long_rest_asked_for_in_one_slot_is_not_cut_short_by_another() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), (A, 0.7), delay=0.0, slots=2)
    assert [frontier.next(0.0), frontier.next(0.0)] == [0, 1]
    frontier.answered(0, 1.0, wait=60.0)
    frontier.answered(1, 2.0)
    assert frontier.next(60.9) is None
    assert frontier.next(61.0) == 2


def test_without_a_delay_a_host_is_asked_again_at_once() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), delay=0.0)
    assert frontier.next(0.0) == 0
    assert frontier.next(0.0) is None
    frontier.answered(0, 0.0)
    assert frontier.next(0.0) == 1


def test_a_url_found_while_its_host_rests_waits_for_it() -> None:
    frontier = _filled((A, 0.9))
    frontier.answered(frontier.next(0.0) or 0, 0.0)
    assert frontier.next_due() is None  # nothing of it is left
    frontier.add(7, 0, 5.0)
    assert frontier.next(0.5) is None
    assert frontier.next_due() == 1.0
    assert frontier.next(1.0) == 1


# -- putting back, refusing, parking ----------------------------------------------------------------------------


def test_a_closed_host_gives_nothing_until_it_is_reopened_and_rested() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), (B, 0.1))
    assert frontier.next(0.0) == 0
    assert frontier.close(0) == 0
    assert frontier.queued == 3
    assert frontier.is_queued(0)
    assert frontier.hosts[0].taken == 0
    assert frontier.next(0.0) == 2
    assert frontier.next(50.0) is None
    frontier.add(9, 0, 5.0)
    assert frontier.next(50.0) is None
    frontier.reopen(0, 60.0)
    assert frontier.next(60.9) is None
    assert frontier.next(61.0) == 3
    frontier.answered(3, 61.0)
    assert frontier.next(62.0) == 0


def test_a_refused_url_uses_up_no_turn() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), delay=5.0)
    assert frontier.next(0.0) == 0
    frontier.refuse(0)
    assert frontier.hosts[0].taken == 0
    assert frontier.next(0.0) == 1
    assert not frontier.is_queued(0)


def test_an_order_that_failed_is_queued_again_after_a_wait() -> None:
    frontier = _filled((A, 0.9), (A, 0.8))
    assert frontier.next(0.0) == 0
    frontier.answered(0, 1.0, again=True, wait=8.0)
    assert frontier.queued == 2
    assert frontier.next(8.9) is None
    assert frontier.next_due() == 9.0
    assert frontier.next(9.0) == 0


def test_a_parked_host_is_never_asked_again() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), (B, 0.1))
    assert frontier.next(0.0) == 0
    frontier.answered(0, 0.0)
    assert frontier.park(0, "too slow") == 1
    assert frontier.queued == 1
    assert frontier.hosts[0].parked == "too slow"
    assert frontier.next(100.0) == 2
    assert frontier.next(100.0) is None
    assert frontier.next_due() is None


def test_a_dropped_url_is_not_given_out() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), delay=0.0)
    frontier.drop(0)
    frontier.drop(0)
    assert frontier.queued == 1
    assert drain(frontier) == [1]


# -- revising ---------------------------------------------------------------------------------------------------


def test_priorities_may_be_revised_up_and_down() -> None:
    frontier = _filled((A, 0.1), (A, 0.5), (A, 0.9), delay=0.0)
    assert frontier.revise(0, 2.0)
    assert frontier.revise(2, -1.0)
    assert not frontier.revise(1, 0.5)
    assert frontier.queued == 3
    assert list(frontier.priority) == [2.0, 0.5, -1.0]
    assert drain(frontier) == [0, 1, 2]
    assert not frontier.revise(0, 3.0)


def test_raising_never_lowers() -> None:
    frontier = _filled((A, 0.5), (A, 0.6), delay=0.0)
    assert not frontier.raise_to(0, 0.4)
    assert not frontier.raise_to(0, 0.5)
    assert frontier.raise_to(0, 0.7)
    assert drain(frontier) == [0, 1]
    assert not frontier.raise_to(0, 9.0)


def test_a_revision_back_and_forth_gives_a_url_out_once() -> None:
    frontier = _filled((A, 0.5), (A, 0.6), delay=0.0)
    for priority in (0.9, 0.1, 0.5, 0.9, 0.5):
        frontier.revise(0, priority)
    assert drain(frontier) == [1, 0]
    assert frontier.queued == 0


def test_many_revisions_do_not_grow_the_queue() -> None:
    frontier = _filled(*((A, float(number)) for number in range(100)), delay=0.0)
    chance = random.Random(1)
    for _ in range(50_000):
        frontier.revise(chance.randrange(100), chance.random())
    assert len(frontier.hosts[0].heap) < 1_000
    expected = sorted(range(100), key=lambda number: (-frontier.priority[number], number))
    assert drain(frontier) == expected


# -- the floor --------------------------------------------------------------------------------------------------


def test_nothing_below_the_floor_is_given_out() -> None:
    frontier = _filled((A, 0.9), (B, 0.5), ("c.test:80", 0.1), delay=0.0)
    assert frontier.next(0.0, 0.5) == 0
    assert frontier.next(0.0, 0.5) == 1
    assert frontier.next(0.0, 0.5) is None
    assert frontier.next(0.0) == 2


def test_the_floor_is_the_priority_at_a_place_of_the_whole_queue() -> None:
    frontier = _filled(*((f"h{number % 7}.test:80", number / 100) for number in range(100)))
    assert frontier.floor(10, 0.0, 5.0) == 0.90
    assert frontier.floor(1, 0.0, 5.0) == 0.99
    assert frontier.floor(100, 0.0, 5.0) == -math.inf
    assert frontier.floor(1_000, 0.0, 5.0) == -math.inf


def test_hosts_that_are_away_do_not_raise_the_floor() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), (A, 0.7), (B, 0.3), (B, 0.2), (B, 0.1))
    assert frontier.floor(2, 0.0, 5.0) == 0.8
    frontier.answered(frontier.next(0.0) or 0, 0.0, wait=60.0)
    assert frontier.floor(2, 0.0, 5.0) == 0.2
    assert frontier.floor(2, 58.0, 5.0) == 0.7
    frontier.park(0, "gone")
    assert frontier.floor(2, 58.0, 5.0) == 0.2


# -- coming back ------------------------------------------------------------------------------------------------


def test_a_restored_frontier_gives_out_the_same_order() -> None:
    chance = random.Random(3)
    first = Frontier(delay=0.0)
    for key in range(2_000):
        first.add(
            key, first.host(f"h{chance.randrange(40)}.test:80"), round(chance.random(), 2), depth=key % 9, hops=key % 3
        )
    done = set()
    for _ in range(500):
        number = first.next(0.0)
        assert number is not None
        first.answered(number, 0.0)
        done.add(number)
    for number in chance.sample(range(2_000), 300):
        first.revise(number, round(chance.random(), 2))
    again = Frontier(delay=0.0)
    for host in first.hosts:
        again.host(host.name)
    for number in range(2_000):
        host, depth, hops = first.known(number)
        again.restore(
            number, host, depth, hops, done=number in done, priority=first.priority[number], row=first.rank_row[number]
        )
    again.rebuild(0.0)
    assert (len(again), again.queued) == (len(first), first.queued) == (2_000, 1_500)
    assert all(again.known(number) == first.known(number) for number in range(2_000))
    assert drain(again) == drain(first)


def test_after_coming_back_every_host_first_rests_its_full_delay() -> None:
    frontier = Frontier(delay=3.0)
    for key, name in enumerate((A, B)):
        frontier.restore(key, frontier.host(name), 0, 0, done=False, priority=0.5, row=0)
    frontier.rebuild(100.0)
    assert frontier.next(102.9) is None
    assert frontier.next_due() == 103.0
    assert frontier.next(103.0) == 0
    assert frontier.next(103.0) == 1


def test_parked_hosts_stay_parked_after_coming_back() -> None:
    frontier = Frontier(delay=0.0)
    for key, name in enumerate((A, B)):
        frontier.restore(key, frontier.host(name), 0, 0, done=False, priority=0.5, row=0)
    frontier.park(0, "gone")
    frontier.rebuild(0.0)
    assert frontier.queued == 1
    assert drain(frontier) == [1]


# -- found wanting ----------------------------------------------------------------------------------------------


def test_a_url_of_a_parked_host_does_not_count_as_queued() -> None:
    frontier = _filled((A, 0.9))
    frontier.park(0, "gone")
    frontier.add(7, 0, 0.5)
    assert frontier.queued == 0


def test_dropping_a_url_of_a_parked_host_counts_it_once() -> None:
    frontier = _filled((A, 0.9), (B, 0.5))
    frontier.park(0, "gone")
    frontier.drop(0)
    assert frontier.queued == 1


def test_a_priority_that_is_no_number_loses_nothing() -> None:
    frontier = _filled((A, 0.9), (A, 0.5), delay=0.0)
    try:
        frontier.revise(0, math.nan)
        frontier.raise_to(1, math.nan)
    except ValueError:
        return
    assert sorted(drain(frontier)) == [0, 1]
    assert frontier.queued == 0


def test_a_floor_for_no_pages_lets_nothing_through() -> None:
    frontier = _filled((A, 0.9))
    assert frontier.floor(0, 0.0, 5.0) > 0.9


def test_revisions_upwards_do_not_grow_the_heap_of_hosts() -> None:
    frontier = _filled(*((A, float(number)) for number in range(100)))
    for turn in range(1, 200):
        for number in range(100):
            frontier.revise(number, 1_000.0 * turn + number)
        if turn % 10 == 0 and (taken := frontier.next(float(turn))) is not None:
            frontier.answered(taken, float(turn), again=True)
    assert len(frontier._ready) + len(frontier._resting) < 1_000
