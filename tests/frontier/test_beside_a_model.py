"""The frontier beside a model that looks at every URL every time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from honeyguide.frontier import Frontier
from tests.frontier.conftest import drain


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
        most = 1 if host.delay else self.slots
        return self.state[number] == "queued" and not host.parked and not host.closed and host.busy < most

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
        assert sorted(drain(self.real, self.now)) == left
        assert self.real.queued == 0


TestBesideTheModel = BesideTheModel.TestCase
TestBesideTheModel.settings = settings(max_examples=150, stateful_step_count=60, deadline=None)
