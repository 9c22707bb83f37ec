"""Best first, but each host at its own pace.

Every host keeps a heap of its own URLs. Hosts that may be asked now stand in one heap by their best URL, hosts
that must rest in another by the moment they may be asked again. So the best URL whose host is due is found in
O(log n), however many URLs, and one slow host never stands in another's way.

Nothing is ever searched for and removed: a URL whose priority changed is pushed again, and the old entry is
dropped when it comes up. All that is known per URL in RAM is a hash and a few numbers (about 250 bytes); its
text is in the store.
"""

from __future__ import annotations

from array import array
from heapq import heapify, heappop, heappush
from math import inf
from typing import NamedTuple

import numpy as np

__all__ = ["Frontier", "Host", "Known"]

QUEUED, OUT, DONE = 0, 1, 2
_SLACK = 64
_SLOW = 1.0  # seconds for one answer; a host that takes longer is not waited for
_TWINS = {"80": "443", "443": "80"}


class Known(NamedTuple):
    """What RAM knows of a URL."""

    host: int
    depth: int
    hops: int


class Host:
    """One host's queue and its turn."""

    __slots__ = (
        "busy", "closed", "delay", "due", "failures", "heap", "live", "name", "number", "parked", "since", "slots",
        "taken", "ticket", "took", "twin",
    )  # fmt: skip

    def __init__(self, number: int, name: str, delay: float, slots: int) -> None:
        self.number = number
        self.name = name
        self.delay = delay
        self.slots = slots  # how many requests at once
        self.heap: list[tuple[float, int]] = []
        self.live = 0  # queued URLs, without the stale entries of the heap
        self.busy = 0
        self.due = 0.0
        self.taken = 0  # pages asked for so far
        self.since = self.took = 0.0  # when it was last asked, and how long it took over its last answer
        self.failures = 0  # in a row
        self.closed = False  # while its robots.txt is asked for
        self.parked = ""  # why we stopped going there
        self.ticket: tuple[float, int] | None = None  # its one valid entry among the hosts that may be asked
        self.twin: Host | None = None  # the same name at the other usual port: most often one server, with one pace

    @property
    def full(self) -> bool:
        """Whether as many requests are under way as it may get at once: one, where it must rest or is in trouble."""
        most = 1 if self.delay or self.failures else self.slots
        return self.busy + (self.twin.busy if self.twin is not None else 0) >= most

    def keeps_waiting(self, now: float, patience: float) -> bool:
        """Whether it cannot be had soon: gone, away, in trouble, or slow."""
        if self.parked or self.failures or self.delay > patience or self.due - now > patience:
            return True
        return self.took > _SLOW or (self.busy > 0 and now - self.since > _SLOW)


class Frontier:
    """All known URLs.

    >>> frontier = Frontier(delay=1.0)
    >>> for key, priority in enumerate([0.2, 0.9]):
    ...     number = frontier.add(key, frontier.host("a.test:80"), priority)
    >>> best = frontier.next(now=0.0)
    >>> best, frontier.next(now=0.0)
    (1, None)
    >>> frontier.answered(best, now=0.5)
    >>> frontier.next(now=1.0), frontier.next(now=1.5)
    (None, 0)
    """

    def __init__(self, *, delay: float = 1.0, slots: int = 1) -> None:
        self._delay = delay
        self._slots = slots
        self._numbers: dict[int, int] = {}
        self._host = array("i")
        self._depth = array("H")
        self._hops = array("B")
        self._state = bytearray()
        self.priority = array("d")
        self.rank_row = array("i")  # the store's log row that holds the reason of the present priority
        self.hosts: list[Host] = []
        self._by_name: dict[str, int] = {}
        self._ready: list[tuple[float, int, int]] = []
        self._resting: list[tuple[float, int]] = []
        self.queued = 0

    def __len__(self) -> int:
        return len(self._state)

    def host(self, name: str) -> int:
        """The number of a host; a new one for a new name."""
        number = self._by_name.get(name)
        if number is None:
            number = self._by_name[name] = len(self.hosts)
            self.hosts.append(Host(number, name, self._delay, self._slots))
            self._pair(self.hosts[number])
        return number

    def _pair(self, host: Host) -> None:
        name, _, port = host.name.rpartition(":")
        twin = self._by_name.get(f"{name}:{_TWINS[port]}") if port in _TWINS else None
        if twin is not None:
            host.twin, self.hosts[twin].twin = self.hosts[twin], host
            host.due = self.hosts[twin].due

    def find(self, key: int) -> int | None:
        """The number of a URL by its key, if it is known."""
        return self._numbers.get(key)

    def known(self, number: int) -> Known:
        """What is known of a URL."""
        return Known(self._host[number], self._depth[number], self._hops[number])

    def is_queued(self, number: int) -> bool:
        """Whether a URL waits for its visit."""
        return self._state[number] == QUEUED

    def add(self, key: int, host: int, priority: float, *, depth: int = 0, hops: int = 0, row: int = 0) -> int:
        """A URL found for the first time; returns its number."""
        number = len(self._state)
        self._numbers[key] = number
        self._host.append(host)
        self._depth.append(min(depth, 65_535))
        self._hops.append(min(hops, 255))
        self._state.append(QUEUED)
        self.priority.append(priority)
        self.rank_row.append(row)
        self._push(number, self.hosts[host])
        return number

    def restore(self, key: int, host: int, depth: int, hops: int, *, done: bool, priority: float, row: int) -> None:
        """A URL of an earlier run, in the order of its number; call `rebuild` after the last."""
        self._numbers[key] = len(self._state)
        self._host.append(host)
        self._depth.append(min(depth, 65_535))
        self._hops.append(min(hops, 255))
        self._state.append(DONE if done else QUEUED)
        self.priority.append(priority)
        self.rank_row.append(row)

    def rebuild(self, now: float) -> None:
        """Make the queues anew after restoring; every host first rests its full delay."""
        for number, state in enumerate(self._state):
            host = self.hosts[self._host[number]]
            if state == QUEUED and not host.parked:
                host.heap.append((-self.priority[number], number))
                host.live += 1
                self.queued += 1
        for host in self.hosts:
            heapify(host.heap)
        self.rest(now)

    def rest(self, now: float) -> None:
        """Let every host rest its full delay: nobody knows when it was last asked."""
        for host in self.hosts:
            host.due = now + host.delay
            host.ticket = None
            heappush(self._resting, (host.due, host.number))

    def raise_to(self, number: int, priority: float) -> bool:
        """Raise a queued URL's priority; says whether it rose."""
        if self._state[number] != QUEUED or not priority > self.priority[number]:
            return False
        self.revise(number, priority)
        return True

    def revise(self, number: int, priority: float) -> bool:
        """Set a queued URL's priority, up or down; says whether it changed."""
        if priority != priority:
            raise ValueError("a priority must be a number")
        if self._state[number] != QUEUED or priority == self.priority[number]:
            return False
        self.priority[number] = priority
        host = self.hosts[self._host[number]]
        if not host.parked:
            host.live -= 1
            self.queued -= 1
            self._push(number, host)
        return True

    def _push(self, number: int, host: Host) -> None:
        if host.parked:
            return
        host.live += 1
        self.queued += 1
        if len(host.heap) > 2 * host.live + _SLACK:
            self._compact(host)
        entry = (-self.priority[number], number)
        heappush(host.heap, entry)
        if host.ticket is None or entry < host.ticket:  # it stands by its best URL, which this one may be
            self._offer(host)

    def _compact(self, host: Host) -> None:
        # Stale entries must not outgrow the live ones, or memory would grow with every revision.
        live = {entry for entry in host.heap if self._valid(entry)}
        host.heap = list(live)
        heapify(host.heap)

    def _valid(self, entry: tuple[float, int]) -> bool:
        return self._state[entry[1]] == QUEUED and -entry[0] == self.priority[entry[1]]

    def _top(self, host: Host) -> tuple[float, int] | None:
        heap = host.heap
        while heap and not self._valid(heap[0]):
            heappop(heap)
        return heap[0] if heap else None

    def _offer(self, host: Host) -> None:
        """Let a host stand among those that may be asked, by its best URL."""
        if host.full or host.closed or host.parked:
            return
        top = self._top(host)
        if top is not None and top != host.ticket:
            host.ticket = top
            if len(self._ready) > 2 * len(self.hosts) + _SLACK:
                self._ready = [
                    (*one.ticket, one.number) for one in self.hosts if one.ticket is not None and one is not host
                ]
                heapify(self._ready)
            heappush(self._ready, (*top, host.number))

    def next(self, now: float, floor: float = -inf) -> int | None:
        """Take out the best URL whose host is due, unless it is below `floor`; None if there is none right now."""
        while self._resting and self._resting[0][0] <= now:
            host = self.hosts[heappop(self._resting)[1]]
            if host.due <= now:
                self._offer(host)
        while self._ready and -self._ready[0][0] >= floor:
            negative, number, owner = heappop(self._ready)
            host = self.hosts[owner]
            if host.ticket != (negative, number):
                continue
            host.ticket = None
            if host.full or host.closed or host.parked:
                continue
            if host.due > now:
                heappush(self._resting, (host.due, owner))
                continue
            if self._top(host) != (negative, number):
                self._offer(host)
                continue
            heappop(host.heap)
            self._state[number] = OUT
            host.live -= 1
            self.queued -= 1
            host.busy += 1
            host.since = now
            host.taken += 1
            self._offer(host)
            return number
        return None

    def floor(self, wanted: int, now: float, patience: float) -> float:
        """The priority of the URL at place `wanted` in the whole queue, hosts that cannot be had soon left out.

        With a budget of pages, only what is above it is worth fetching: a poor link is no better for its host being
        idle while good ones rest. But a host that is slow or in trouble must not hold up all the others.
        """
        if wanted < 1:
            return inf
        if self.queued <= wanted:
            return -inf
        queued = np.frombuffer(self._state, dtype=np.uint8) == QUEUED
        away = [host.number for host in self.hosts if host.keeps_waiting(now, patience)]
        if away:
            queued &= ~np.isin(np.frombuffer(self._host, dtype=np.int32), away)
        values = np.frombuffer(self.priority)[queued]
        if len(values) <= wanted:
            return -inf
        return float(np.partition(values, len(values) - wanted)[len(values) - wanted])

    def next_due(self) -> float | None:
        """When the next resting host with work may be asked; None when none will ever be."""
        while self._resting:
            due, owner = self._resting[0]
            host = self.hosts[owner]
            if host.due == due and host.live and not host.parked:
                return due
            heappop(self._resting)
        return None

    def close(self, number: int) -> int:
        """Put a URL back unasked and close its host to pages (robots.txt is asked for first); returns the host."""
        host = self.hosts[self._host[number]]
        host.taken -= 1
        host.closed = True
        self._state[number] = QUEUED
        self._push(number, host)
        return host.number

    def reopen(self, number: int, now: float, *, wait: float = 0.0) -> None:
        """A closed host has told its robots.txt: after its rest, pages may be asked for."""
        self.hosts[number].closed = False
        self.release(number, now, wait=wait)

    def admit(self, number: int, now: float, *, wait: float = 0.0) -> None:
        """The robots.txt of a closed host was had, or not, without asking it: it need not rest but for `wait`."""
        self.hosts[number].closed = False
        self.hold(number, now, wait)

    def seize(self, number: int, now: float) -> bool:
        """Take a host's turn for something that is not in its queue; says whether it may be asked now."""
        host = self.hosts[number]
        if host.full or host.parked or host.due > now:
            return False
        host.busy += 1
        host.since = now
        return True

    def answered(self, number: int, now: float, *, again: bool = False, wait: float = 0.0) -> None:
        """An order is done: its host rests from now on; `again` queues the URL once more."""
        host = self.hosts[self._host[number]]
        if again:
            self._state[number] = QUEUED
            host.busy += 1  # not on offer until released below
            self._push(number, host)
            host.busy -= 1
        else:
            self._state[number] = DONE
        self.release(host.number, now, wait=wait)

    def release(self, number: int, now: float, *, wait: float = 0.0) -> None:
        """A host has answered: it rests for its delay, or longer if it asked for that."""
        host = self.hosts[number]
        host.busy -= 1
        host.took = now - host.since
        rest = max(host.delay, wait)
        self.hold(number, now, rest)
        if host.twin is not None:
            self.hold(host.twin.number, now, max(rest, host.twin.delay))

    def hold(self, number: int, now: float, wait: float) -> None:
        """Let a host wait that is not asked at the moment."""
        host = self.hosts[number]
        if wait > 0:
            host.due = max(host.due, now + wait)
            host.ticket = None
            heappush(self._resting, (host.due, number))
        else:
            self._offer(host)

    def refuse(self, number: int) -> None:
        """A URL taken out that will not be asked for; its host's turn is not used up."""
        host = self.hosts[self._host[number]]
        self._state[number] = DONE
        host.busy -= 1
        host.taken -= 1
        self._offer(host)
        if host.twin is not None:
            self._offer(host.twin)

    def drop(self, number: int) -> None:
        """Forget a queued URL."""
        if self._state[number] == QUEUED:
            self._state[number] = DONE
            host = self.hosts[self._host[number]]
            if not host.parked:  # parking has taken it off the count
                host.live -= 1
                self.queued -= 1

    def park(self, number: int, reason: str) -> int:
        """Stop going to a host; returns how many of its URLs are left unvisited."""
        host = self.hosts[number]
        host.parked = reason
        host.ticket = None
        self.queued -= host.live
        left, host.live = host.live, 0
        host.heap = []
        return left
