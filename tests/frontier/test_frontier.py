"""The best URL whose host is due: compared with a model that looks at every URL every time."""

from __future__ import annotations

import math
import random
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from honeyguide.frontier import Frontier

A, B = "a.test:80", "b.test:80"


def _filled(*urls: tuple[str, float], delay: float = 1.0, slots: int = 1) -> Frontier:
    frontier = Frontier(delay=delay, slots=slots)
    for key, (host, priority) in enumerate(urls):
        assert frontier.add(key, frontier.host(host), priority) == key
    return frontier


def _drain(frontier: Frontier, now: float = 0.0) -> list[int]:
    """Everything in the order it is given out, if every answer comes at once."""
    order: list[int] = []
    while True:
        number = frontier.next(now)
        if number is None:
            due = frontier.next_due()
            if due is None:
                return order
            now = max(now, due)
            continue
        order.append(number)
        frontier.answered(number, now)


# -- order ------------------------------------------------------------------------------------------------------


def test_an_empty_frontier_has_nothing_to_give() -> None:
    frontier = Frontier()
    assert frontier.next(0.0) is None
    assert frontier.next_due() is None
    assert (len(frontier), frontier.queued) == (0, 0)


def test_the_best_comes_first_whatever_its_host() -> None:
    frontier = _filled((A, 0.1), (B, 0.5), (A, 0.9), (B, -2.0), (A, 0.5), delay=0.0)
    assert _drain(frontier) == [2, 1, 4, 0, 3]


def test_of_equals_the_one_found_first_comes_first() -> None:
    frontier = _filled((B, 1.0), (A, 1.0), (B, 1.0), (A, 1.0), delay=0.0)
    assert _drain(frontier) == [0, 1, 2, 3]


def test_priorities_are_real_numbers_not_classes() -> None:
    frontier = _filled((A, 1e-300), (A, 2e-300), (A, -1e300), (A, 1e300), (A, 0.0), (A, -0.0), delay=0.0)
    assert _drain(frontier) == [3, 1, 0, 4, 5, 2]


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


def test_several_slots_mean_several_requests_at_once() -> None:
    frontier = _filled(*((A, float(-number)) for number in range(5)), slots=3)
    assert [frontier.next(0.0) for _ in range(4)] == [0, 1, 2, None]
    frontier.answered(1, 5.0)
    assert frontier.next(5.5) is None
    assert frontier.next(6.0) == 3
    assert frontier.next(6.0) is None
    frontier.answered(0, 6.0)
    frontier.answered(2, 6.5)
    assert frontier.next(7.0) is None  # the last answer counts
    assert frontier.next(7.5) == 4


def test_a_long_rest_asked_for_in_one_slot_is_not_cut_short_by_another() -> None:
    frontier = _filled((A, 0.9), (A, 0.8), (A, 0.7), slots=2)
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
    assert _drain(frontier) == [1]


# -- revising ---------------------------------------------------------------------------------------------------


def test_priorities_may_be_revised_up_and_down() -> None:
    frontier = _filled((A, 0.1), (A, 0.5), (A, 0.9), delay=0.0)
    assert frontier.revise(0, 2.0)
    assert frontier.revise(2, -1.0)
    assert not frontier.revise(1, 0.5)
    assert frontier.queued == 3
    assert list(frontier.priority) == [2.0, 0.5, -1.0]
    assert _drain(frontier) == [0, 1, 2]
    assert not frontier.revise(0, 3.0)


def test_raising_never_lowers() -> None:
    frontier = _filled((A, 0.5), (A, 0.6), delay=0.0)
    assert not frontier.raise_to(0, 0.4)
    assert not frontier.raise_to(0, 0.5)
    assert frontier.raise_to(0, 0.7)
    assert _drain(frontier) == [0, 1]
    assert not frontier.raise_to(0, 9.0)


def test_a_revision_back_and_forth_gives_a_url_out_once() -> None:
    frontier = _filled((A, 0.5), (A, 0.6), delay=0.0)
    for priority in (0.9, 0.1, 0.5, 0.9, 0.5):
        frontier.revise(0, priority)
    assert _drain(frontier) == [1, 0]
    assert frontier.queued == 0


def test_many_revisions_do_not_grow_the_queue() -> None:
    frontier = _filled(*((A, float(number)) for number in range(100)), delay=0.0)
    chance = random.Random(1)
    for _ in range(50_000):
        frontier.revise(chance.randrange(100), chance.random())
    assert len(frontier.hosts[0].heap) < 1_000
    expected = sorted(range(100), key=lambda number: (-frontier.priority[number], number))
    assert _drain(frontier) == expected


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
    assert _drain(again) == _drain(first)


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
    assert _drain(frontier) == [1]


# -- beside a model ---------------------------------------------------------------------------------------------


@dataclass
class ModelHost:
    delay: float
    busy: int = 0
    due: float = 0.0
    taken: int = 0
    closed: bool = False
    parked: bool = False


@dataclass
class Model:
    """The frontier as anyone would first write it: look at everything, every time."""

    slots: int
    hosts: list[ModelHost] = field(default_factory=list)
    host: list[int] = field(default_factory=list)
    priority: list[float] = field(default_factory=list)
    state: list[str] = field(default_factory=list)

    def free(self, number: int) -> bool:
        host = self.hosts[self.host[number]]
        return self.state[number] == "queued" and not host.parked and not host.closed and host.busy < self.slots

    def next(self, now: float, floor: float) -> int | None:
        able = [n for n in range(len(self.state)) if self.free(n) and self.hosts[self.host[n]].due <= now]
        best = max(able, key=lambda n: (self.priority[n], -n), default=None)
        return best if best is not None and self.priority[best] >= floor else None

    def next_due(self) -> float | None:
        return min((self.hosts[self.host[n]].due for n in range(len(self.state)) if self.free(n)), default=None)

    def queued(self) -> int:
        return sum(s == "queued" and not self.hosts[h].parked for s, h in zip(self.state, self.host, strict=True))

    def rest(self, host: ModelHost, now: float, wait: float) -> None:
        host.busy -= 1
        if max(host.delay, wait) > 0:
            host.due = max(host.due, now + max(host.delay, wait))


PRIORITY = st.sampled_from([-1.0, 0.0, 0.25, 0.5, 0.5, 0.75, 1.0, 3.5])


class BesideTheModel(RuleBasedStateMachine):
    """Random operations on both; whatever is given out, and when, must agree."""

    @initialize(slots=st.sampled_from([1, 1, 2, 3]), delay=st.sampled_from([0.0, 1.0, 2.5]))
    def begin(self, slots: int, delay: float) -> None:
        self.real = Frontier(delay=delay, slots=slots)
        self.model = Model(slots)
        self.delay, self.now = delay, 0.0
        self.out: list[int] = []

    def _hosts(self, *, parked: bool = False, closed: bool | None = None) -> list[int]:
        return [
            n
            for n, host in enumerate(self.model.hosts)
            if host.parked == parked and (closed is None or host.closed == closed)
        ]

    @rule(name=st.integers(0, 4), priority=PRIORITY)
    def add(self, name: int, priority: float) -> None:
        host = self.real.host(f"h{name}")
        if host == len(self.model.hosts):
            self.model.hosts.append(ModelHost(self.delay))
        if self.model.hosts[host].parked:
            return
        number = self.real.add(len(self.model.state), host, priority)
        assert number == len(self.model.state)
        self.model.host.append(host)
        self.model.priority.append(priority)
        self.model.state.append("queued")

    @rule(seconds=st.sampled_from([0.0, 0.5, 1.0, 1.0, 5.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(floor=st.sampled_from([-math.inf, -math.inf, -math.inf, 0.5]))
    def take(self, floor: float) -> None:
        expected = self.model.next(self.now, floor)
        assert self.real.next(self.now, floor) == expected
        if expected is not None:
            self.model.state[expected] = "out"
            host = self.model.hosts[self.model.host[expected]]
            host.busy += 1
            host.taken += 1
            self.out.append(expected)

    @rule()
    def sleep_until_due(self) -> None:
        """When nothing can be had now, the frontier names a moment to sleep to: not past, and not too late."""
        if self.model.next(self.now, -math.inf) is not None:
            return
        assert self.real.next(self.now) is None
        due, needed = self.real.next_due(), self.model.next_due()
        if needed is not None:
            assert due is not None
            assert self.now < due <= needed
        if due is not None:
            self.now = max(self.now, due)

    @precondition(lambda self: self.out)
    @rule(data=st.data(), again=st.booleans(), wait=st.sampled_from([0.0, 0.0, 4.0]))
    def answer(self, data: st.DataObject, again: bool, wait: float) -> None:
        number = data.draw(st.sampled_from(self.out))
        host = self.model.hosts[self.model.host[number]]
        if host.closed:
            return
        again = again and not host.parked
        self.out.remove(number)
        self.real.answered(number, self.now, again=again, wait=wait)
        self.model.state[number] = "queued" if again else "done"
        self.model.rest(host, self.now, wait)

    @precondition(lambda self: self.out)
    @rule(data=st.data())
    def refuse(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(self.out))
        self.out.remove(number)
        self.real.refuse(number)
        self.model.state[number] = "done"
        host = self.model.hosts[self.model.host[number]]
        host.busy -= 1
        host.taken -= 1

    @precondition(lambda self: self.out)
    @rule(data=st.data())
    def close(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(self.out))
        host = self.model.hosts[self.model.host[number]]
        if host.closed or host.parked:
            return
        self.out.remove(number)
        assert self.real.close(number) == self.model.host[number]
        self.model.state[number] = "queued"
        host.closed = True
        host.taken -= 1

    @rule(data=st.data(), wait=st.sampled_from([0.0, 3.0]))
    def reopen(self, data: st.DataObject, wait: float) -> None:
        if closed := self._hosts(closed=True):
            number = data.draw(st.sampled_from(closed))
            self.real.reopen(number, self.now, wait=wait)
            self.model.hosts[number].closed = False
            self.model.rest(self.model.hosts[number], self.now, wait)

    @rule(data=st.data(), priority=PRIORITY, only_up=st.booleans())
    def revise(self, data: st.DataObject, priority: float, only_up: bool) -> None:
        if not self.model.state:
            return
        number = data.draw(st.integers(0, len(self.model.state) - 1))
        if self.model.hosts[self.model.host[number]].parked:
            return
        was = self.model.priority[number]
        changes = self.model.state[number] == "queued" and (priority > was if only_up else priority != was)
        assert (self.real.raise_to if only_up else self.real.revise)(number, priority) == changes
        if changes:
            self.model.priority[number] = priority

    @rule(data=st.data())
    def drop(self, data: st.DataObject) -> None:
        if not self.model.state:
            return
        number = data.draw(st.integers(0, len(self.model.state) - 1))
        if self.model.hosts[self.model.host[number]].parked:
            return
        self.real.drop(number)
        if self.model.state[number] == "queued":
            self.model.state[number] = "done"

    @rule(data=st.data(), sure=st.integers(0, 7))
    def park(self, data: st.DataObject, sure: int) -> None:
        if sure or not (open_hosts := self._hosts(closed=False)):
            return
        number = data.draw(st.sampled_from(open_hosts))
        left = sum(s == "queued" and h == number for s, h in zip(self.model.state, self.model.host, strict=True))
        assert self.real.park(number, "why") == left
        self.model.hosts[number].parked = True

    @rule()
    def rest_all(self) -> None:
        self.real.rest(self.now)
        for host in self.model.hosts:
            host.due = self.now + host.delay

    @invariant()
    def counts_agree(self) -> None:
        if hasattr(self, "real"):
            assert self.real.queued == self.model.queued()
            assert len(self.real) == len(self.model.state)
            assert [host.taken for host in self.real.hosts] == [host.taken for host in self.model.hosts]
            assert [host.busy for host in self.real.hosts] == [host.busy for host in self.model.hosts]
            assert list(self.real.priority) == self.model.priority

    def teardown(self) -> None:
        """Let everything out come back, and empty the frontier: nothing may be stuck in it."""
        if not hasattr(self, "real"):
            return
        for number in self.out:
            self.real.answered(number, self.now)
            self.model.state[number] = "done"
        for number, host in enumerate(self.model.hosts):
            if host.closed:
                self.real.reopen(number, self.now)
        left = [
            n
            for n, s in enumerate(self.model.state)
            if s == "queued" and not self.model.hosts[self.model.host[n]].parked
        ]
        assert sorted(_drain(self.real, self.now)) == left
        assert self.real.queued == 0


TestBesideTheModel = BesideTheModel.TestCase
TestBesideTheModel.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)


# -- size and speed ---------------------------------------------------------------------------------------------


def test_a_known_url_takes_less_than_400_bytes() -> None:
    script = """
        import random, resource
        from honeyguide.frontier import Frontier
        chance = random.Random(1)
        frontier = Frontier()
        hosts = [frontier.host(f"h{n}.test:80") for n in range(2_000)]
        for n in range(1_000):
            frontier.add(chance.getrandbits(64), hosts[n % 2_000], chance.random())
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for n in range(200_000):
            frontier.add(chance.getrandbits(64), chance.choice(hosts), chance.random())
        unit = 1 if __import__("sys").platform == "darwin" else 1024
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit / 200_000)
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert float(ran.stdout) < 400


def _cost(known: int) -> float:
    """CPU seconds of an order and its answer among so many known URLs."""
    chance = random.Random(2)
    frontier = Frontier(delay=1.0)
    hosts = [frontier.host(f"h{n}.test:80") for n in range(1_000)]
    for key in range(known):
        frontier.add(key, chance.choice(hosts), chance.random())
    now, best = 0.0, math.inf
    for _ in range(5):
        start = time.process_time()
        for _ in range(800):
            number = frontier.next(now)
            while number is None:
                now = frontier.next_due() or now
                number = frontier.next(now)
            frontier.answered(number, now)
            now += 0.001
        best = min(best, time.process_time() - start)
    return best / 800


def test_an_order_costs_the_same_among_ten_thousand_and_three_hundred_thousand() -> None:
    small, large = _cost(10_000), _cost(300_000)
    assert large < 5 * small + 2e-6, f"{small * 1e6:.1f} and {large * 1e6:.1f} microseconds"


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
    assert sorted(_drain(frontier)) == [0, 1]
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
