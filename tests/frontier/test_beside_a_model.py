"""The frontier beside a model that looks at every URL every time."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from honeyguide.frontier import EXAMPLE, LINK, START, Frontier
from tests.frontier.conftest import OwnFrontier, drain


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
    kind: list[int] = field(default_factory=list)
    state: list[str] = field(default_factory=list)

    def free(self, number: int) -> bool:
        host = self.hosts[self.host[number]]
        most = 1 if host.delay else self.slots
        return self.state[number] == "queued" and not host.parked and not host.closed and host.busy < most

    def next(self, now: float, floor: float) -> int | None:
        able = [n for n in range(len(self.state)) if self.free(n) and self.hosts[self.host[n]].due <= now]
        best = max(able, key=lambda n: (self.kind[n], self.priority[n], -n), default=None)
        return best if best is not None and (self.kind[best] or self.priority[best] >= floor) else None

    def found(self, host: int, priority: float, kind: int) -> None:
        self.host.append(host)
        self.priority.append(priority)
        self.kind.append(kind)
        self.state.append("queued")

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
        self.real = OwnFrontier(delay=delay, slots=slots)
        self.model = Model(slots)
        self.delay, self.now = delay, 0.0
        self.out: list[int] = []

    def _hosts(self, *, parked: bool = False, closed: bool | None = None) -> list[int]:
        return [
            n
            for n, host in enumerate(self.model.hosts)
            if host.parked == parked and (closed is None or host.closed == closed)
        ]

    @rule(name=st.integers(0, 4), priority=PRIORITY, kind=st.sampled_from([LINK, LINK, LINK, START, EXAMPLE]))
    def add(self, name: int, priority: float, kind: int) -> None:
        host = self.real.host(f"h{name}")
        if host == len(self.model.hosts):
            self.model.hosts.append(ModelHost(self.delay))
        assert self.real.add(f"h{name}", priority, kind) == len(self.model.state)
        self.model.found(host, priority, kind)

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

    @rule(data=st.data(), priorities=st.lists(PRIORITY, min_size=1, max_size=4), best=st.booleans())
    def revise(self, data: st.DataObject, priorities: list[float], best: bool) -> None:
        if len(self.model.state) < len(priorities):
            return
        known = st.integers(0, len(self.model.state) - 1)
        numbers = data.draw(st.lists(known, min_size=len(priorities), max_size=len(priorities), unique=True))
        if best:
            self.real.offer(numbers, priorities, best=True)
        else:
            self.real.revise(numbers, priorities)
        for number, priority in zip(numbers, priorities, strict=True):
            if priority > self.model.priority[number] or not best:
                self.model.priority[number] = priority

    @precondition(lambda self: self.out)
    @rule(data=st.data())
    def put_back(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(self.out))
        self.out.remove(number)
        self.real.put_back(number)
        self.model.state[number] = "queued"
        host = self.model.hosts[self.model.host[number]]
        host.busy -= 1
        host.taken -= 1

    @rule(data=st.data(), sure=st.integers(0, 7))
    def park(self, data: st.DataObject, sure: int) -> None:
        if sure or not (open_hosts := self._hosts(closed=False)):
            return
        number = data.draw(st.sampled_from(open_hosts))
        left = sum(s == "queued" and h == number for s, h in zip(self.model.state, self.model.host, strict=True))
        assert self.real.park(number, "why") == left
        self.model.hosts[number].parked = True

    @rule(data=st.data())
    def unpark(self, data: st.DataObject) -> None:
        if parked := self._hosts(parked=True):
            number = data.draw(st.sampled_from(parked))
            host = self.model.hosts[number]
            host.parked = host.closed = False
            left = sum(s == "queued" and h == number for s, h in zip(self.model.state, self.model.host, strict=True))
            assert self.real.unpark(number, self.now) == left
            if host.delay:
                host.due = max(host.due, self.now + host.delay)

    @rule()
    def rest_all(self) -> None:
        self.real.rest(self.now)
        for host in self.model.hosts:
            host.due = self.now + host.delay

    @invariant()
    def counts_agree(self) -> None:
        if hasattr(self, "real"):
            assert self.real.queued == self.model.queued()
            assert [host.taken for host in self.real.hosts] == [host.taken for host in self.model.hosts]
            assert [host.busy for host in self.real.hosts] == [host.busy for host in self.model.hosts]
            assert [self.real.priority(n) for n in range(len(self.model.state))] == self.model.priority

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
        assert sorted(drain(self.real, self.now)) == left
        assert self.real.queued == 0


TestBesideTheModel = BesideTheModel.TestCase
TestBesideTheModel.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)


class Beside:
    """A frontier and its model, for queues too long for the machine above: many URLs found and ranked at once."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.slots = self.dice.choice([1, 3])
        self.real: Frontier = OwnFrontier(delay=0.0, slots=self.slots)
        self.writer = self.real.writer
        self.model = Model(self.slots)
        for number in range(self.dice.choice([1, 2, 5, 40, 300])):
            self.real.host(f"h{number}.test:8080")
            self.model.hosts.append(ModelHost(0.0))
        self.out: list[int] = []

    def value(self) -> float:
        return self.dice.choice([0.0, round(self.dice.random(), 1), self.dice.random(), self.dice.random() - 5])

    def find(self) -> None:
        kind = self.dice.choice([LINK, LINK, LINK, LINK, START, EXAMPLE])
        numbers, values = [], []
        for _ in range(self.dice.choice([1, 3, 50, 300, 1_500])):
            host = self.dice.randrange(len(self.model.hosts))
            numbers.append(self.writer.add(f"http://x.test/{len(self.real.graph)}", host))
            values.append(self.value())
            self.model.found(host, values[-1], kind)
        self.real.offer(numbers, values, kind=kind, best=self.dice.random() < 0.5)

    def rank(self) -> None:
        share = self.dice.choice([0.01, 0.2, 1.0])
        numbers = [number for number in range(len(self.model.state)) if self.dice.random() < share]
        values = [self.value() for _ in numbers]
        best = self.dice.random() < 0.3
        if best or self.dice.random() < 0.3:
            self.real.offer(numbers, values, best=best)
        else:
            self.real.revise(numbers, values)
        for number, value in zip(numbers, values, strict=True):
            self.model.priority[number] = max(value, self.model.priority[number]) if best else value

    def take(self) -> None:
        floor = self.dice.choice([-math.inf, -math.inf, 0.5])
        for _ in range(self.dice.choice([1, 5, 25])):
            expected = self.model.next(0.0, floor)
            assert self.real.next(0.0, floor) == expected
            if expected is None:
                return
            self.model.state[expected] = "out"
            self.model.hosts[self.model.host[expected]].busy += 1
            self.out.append(expected)

    def bring_back(self) -> None:
        while self.out and self.dice.random() < 0.8:
            number = self.out.pop(self.dice.randrange(len(self.out)))
            self.model.hosts[self.model.host[number]].busy -= 1
            how = self.dice.choice(["answered", "answered", "again", "put back", "refused"])
            if how == "put back":
                self.real.put_back(number)
            elif how == "refused":
                self.real.refuse(number)
            else:
                self.real.answered(number, 0.0, again=how == "again")
            self.model.state[number] = "queued" if how in ("again", "put back") else "done"

    def park(self) -> None:
        number = self.dice.randrange(len(self.model.hosts))
        host = self.model.hosts[number]
        if host.parked:
            self.real.unpark(number, 0.0)
        else:
            self.real.park(number, "why")
        host.parked = not host.parked

    def resume(self) -> None:
        """A new frontier over the same graph; what was under way is queued again."""
        again = Frontier(self.real.graph, delay=0.0, slots=self.slots)
        for number, host in enumerate(self.real.hosts):
            assert again.host(host.name) == number
            if host.parked:
                again.park(number, host.parked)
        again.load(self.real.save())
        again.settle([number for number, state in enumerate(self.model.state) if state == "done"])
        again.rest(0.0)
        for number in self.out:
            self.model.state[number] = "queued"
        for one in self.model.hosts:
            one.busy = 0
        self.real, self.out = again, []

    def best(self) -> None:
        queued = [number for number, state in enumerate(self.model.state) if state == "queued"]
        queued.sort(key=lambda number: (-self.model.kind[number], -self.model.priority[number], number))
        assert self.real.best(10) == queued[:10]


@pytest.mark.parametrize("seed", range(30))
def test_long_queues_ranked_many_at_once_agree_with_the_model(seed: int) -> None:
    both = Beside(seed)
    steps = [both.find] * 3 + [both.rank] * 4 + [both.take] * 8 + [both.bring_back] * 6
    steps += [both.park, both.resume, both.best]
    for _ in range(100):
        step = both.dice.choice(steps)
        if step != both.find or len(both.model.state) < 4_000:
            step()
        assert both.real.queued == both.model.queued(), step.__name__
    both.resume()
    parked = [number for number, host in enumerate(both.model.hosts) if host.parked]
    for number in parked:
        both.real.unpark(number, 0.0)
        both.model.hosts[number].parked = False
    queued = [number for number, state in enumerate(both.model.state) if state == "queued"]
    queued.sort(key=lambda number: (-both.model.kind[number], -both.model.priority[number], number))
    assert drain(both.real) == queued
