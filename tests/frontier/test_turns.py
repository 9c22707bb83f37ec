"""Whose turn it is: hosts at two ports, turns taken for others, and who need not be waited for."""

from __future__ import annotations

import math

from tests.frontier.conftest import OwnFrontier


def _two(delay: float = 1.0) -> OwnFrontier:
    frontier = OwnFrontier(delay=delay)
    for key, name in enumerate(("a.test:80", "a.test:443", "a.test:80", "a.test:443")):
        frontier.add(name, 1.0 - key / 10)
    return frontier


def test_a_name_at_its_two_usual_ports_is_one_server_with_one_pace() -> None:
    frontier = _two()
    assert frontier.next(0.0) == 0
    assert frontier.next(0.0) is None
    frontier.answered(0, 5.0)
    assert frontier.next(5.9) is None
    assert frontier.next_due() == 6.0
    assert frontier.next(6.0) == 1
    assert frontier.next(9.0) is None
    frontier.answered(1, 9.0, wait=10.0)
    assert frontier.next(18.9) is None
    assert frontier.next(19.0) == 2


def test_the_longer_delay_of_the_two_holds_for_both() -> None:
    frontier = _two()
    frontier.hosts[1].delay = 7.0
    assert frontier.next(0.0) == 0
    frontier.answered(0, 0.0)
    assert frontier.next(1.0) == 2
    frontier.answered(2, 1.0)
    assert frontier.next(7.9) is None
    assert frontier.next(8.0) == 1
    frontier.answered(1, 8.0)
    assert frontier.next(14.9) is None


def test_without_a_delay_the_two_still_take_turns_and_a_refusal_frees_the_other() -> None:
    frontier = _two(0.0)
    assert (frontier.next(0.0), frontier.next(0.0)) == (0, None)
    frontier.refuse(0)
    assert (frontier.next(0.0), frontier.next(0.0)) == (1, None)
    frontier.answered(1, 0.0)
    assert frontier.next(0.0) == 2


def test_a_url_put_back_frees_the_other_too() -> None:
    frontier = _two(0.0)
    assert (frontier.next(0.0), frontier.next(0.0)) == (0, None)
    frontier.put_back(0)
    frontier.park(0, "its limit is reached")
    assert frontier.next(0.0) == 1


def test_a_name_met_at_its_other_port_does_not_jump_its_rest() -> None:
    frontier = OwnFrontier(delay=5.0)
    frontier.add("a.test:443", 1.0)
    assert frontier.next(0.0) == 0
    frontier.answered(0, 1.0)
    frontier.add("a.test:80", 1.0)
    assert frontier.next(5.9) is None
    assert frontier.next(6.0) == 1


def test_other_ports_and_other_names_are_others() -> None:
    frontier = OwnFrontier(delay=5.0)
    for name in ("a.test:80", "a.test:8080", "b.test:443", "80"):
        frontier.add(name, 1.0)
    assert sorted(frontier.next(0.0) for _ in range(4)) == [0, 1, 2, 3]  # type: ignore[type-var]


def test_a_turn_can_be_taken_for_something_else_and_is_rested_from() -> None:
    frontier = OwnFrontier(delay=2.0)
    frontier.add("a.test:80", 1.0)
    assert frontier.seize(0, 0.0)
    assert not frontier.seize(0, 0.0)
    assert frontier.next(0.0) is None
    frontier.release(0, 1.0)
    assert not frontier.seize(0, 2.9)
    assert frontier.next(2.9) is None
    assert frontier.next(3.0) == 0
    assert not frontier.seize(0, 3.0)
    frontier.answered(0, 4.0)
    frontier.park(0, "why")
    assert not frontier.seize(0, 99.0)


def test_a_closed_host_is_admitted_without_a_rest_but_not_before_what_it_was_told_to_wait() -> None:
    frontier = OwnFrontier(delay=2.0)
    frontier.add("a.test:80", 1.0)
    assert frontier.next(0.0) == 0
    frontier.close(0)
    frontier.release(0, 1.0)
    assert frontier.next(50.0) is None
    frontier.admit(0, 50.0, wait=4.0)
    assert frontier.next(53.9) is None
    assert frontier.next(54.0) == 0


def _filled() -> OwnFrontier:
    frontier = OwnFrontier(delay=1.0)
    for _ in range(20):
        frontier.add("best.test:80", 9.0)
    frontier.add("other.test:80", 1.0)
    return frontier


def test_a_host_that_is_slow_or_in_trouble_does_not_keep_others_from_being_asked() -> None:
    frontier = _filled()
    assert frontier.floor(5, 0.0, 5.0) == 9.0
    assert frontier.next(0.0) == 0
    assert frontier.floor(5, 0.5, 5.0) == 9.0
    assert frontier.floor(5, 3.0, 5.0) == -math.inf  # it takes long
    frontier.answered(0, 4.0)
    assert frontier.floor(5, 6.0, 5.0) == -math.inf  # and will again
    assert frontier.next(6.0) == 1
    frontier.answered(1, 6.1)
    assert frontier.floor(5, 8.0, 5.0) == 9.0
    frontier.hosts[0].failures = 1
    assert frontier.floor(5, 8.0, 5.0) == -math.inf
    frontier.hosts[0].failures, frontier.hosts[0].delay = 0, 30.0
    assert frontier.floor(5, 8.0, 5.0) == -math.inf


def test_a_host_may_get_several_requests_at_once_but_one_where_it_rests_or_is_in_trouble() -> None:
    frontier = OwnFrontier(delay=0.0, slots=3)
    for _ in range(9):
        frontier.add("a.test:80", 1.0)
    assert [frontier.next(0.0) for _ in range(4)] == [0, 1, 2, None]
    frontier.answered(0, 0.0)
    assert [frontier.next(0.0) for _ in range(2)] == [3, None]
    frontier.hosts[0].failures = 1
    for number in (1, 2):
        frontier.answered(number, 0.0)
        assert frontier.next(0.0) is None  # 3 is still under way
    frontier.answered(3, 0.0)
    assert [frontier.next(0.0) for _ in range(2)] == [4, None]
    frontier.hosts[0].failures, frontier.hosts[0].delay = 0, 1.0  # as its robots.txt asks for
    frontier.answered(4, 0.0)
    assert [frontier.next(0.9), frontier.next(1.0), frontier.next(1.0)] == [None, 5, None]
