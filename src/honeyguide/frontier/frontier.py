"""Best first, but each host at its own pace.

Every host keeps its own URLs in order (`queues`). Hosts that may be asked now stand in one heap by their best URL,
hosts that must rest in another by the moment they may be asked again. So the best URL whose host is due is found in
O(log n), however many URLs, and one slow host never stands in another's way.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf

import numpy as np

from honeyguide.frontier.graph import Graph
from honeyguide.frontier.queues import DONE, EXAMPLE, LINK, OUT, QUEUED, START, Queues

__all__ = ["EXAMPLE", "LINK", "START", "Frontier"]


class Frontier(Queues):
    """The known URLs that wait for their visit, and whose turn it is.

    >>> from honeyguide.frontier import GraphWriter
    >>> writer = GraphWriter()
    >>> frontier = Frontier(writer.graph, delay=1.0)
    >>> numbers = [writer.add(f"http://a.test/{name}", frontier.host("a.test:80")) for name in "xy"]
    >>> frontier.offer(numbers, [0.2, 0.9])
    >>> best = frontier.next(now=0.0)
    >>> best, frontier.next(now=0.0)
    (1, None)
    >>> frontier.answered(best, now=0.5)
    >>> frontier.next(now=1.0), frontier.next(now=1.5)
    (None, 0)
    """

    def __init__(self, graph: Graph, *, delay: float = 1.0, slots: int = 1) -> None:
        super().__init__(graph, delay=delay, slots=slots)
        self._resting: list[tuple[float, int]] = []

    # -- giving ---------------------------------------------------------------------------------------------

    def next(self, now: float, floor: float = -inf) -> int | None:
        """Take out the best URL whose host is due, unless it is below `floor`; None if there is none right now."""
        while self._resting and self._resting[0][0] <= now:
            host = self.hosts[heappop(self._resting)[1]]
            if host.due <= now:
                self._stand(host)
        while self._ready and (self._ready[0][0] < LINK or -self._ready[0][1] >= floor):
            kind, negative, number, owner = heappop(self._ready)
            host, ticket = self.hosts[owner], (kind, negative, number)
            if host.ticket != ticket:
                continue
            host.ticket = None
            if host.barred:
                continue
            if host.due > now:
                heappush(self._resting, (host.due, owner))
                continue
            if self._top(host) != ticket:
                self._stand(host)
                continue
            heappop(host.heap)
            self._state.raw[number] = OUT
            host.live -= 1
            self.queued -= 1
            host.busy += 1
            host.since = now
            host.taken += 1
            self._stand(host)
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
        queued = self._state.values == QUEUED
        away = [host.number for host in self.hosts if host.keeps_waiting(now, patience)]
        if away:
            queued &= ~np.isin(self._host.values, away)
        values = self._priority.values[queued]
        special = self._kind.values[queued] > LINK
        if special.any():
            values = values[~special]
            wanted -= int(np.count_nonzero(special))
            if wanted < 1:
                return inf
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

    # -- turns ----------------------------------------------------------------------------------------------

    def close(self, number: int) -> int:
        """Put a URL back unasked and close its host to pages (robots.txt is asked for first); returns the host."""
        host = self._host_of(number)
        host.taken -= 1
        host.closed = True
        self._requeue(number, host)
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
        host = self._host_of(number)
        if again:
            host.busy += 1  # not on offer until released below
            self._requeue(number, host)
            host.busy -= 1
        else:
            self._state.raw[number] = DONE
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
            self._stand(host)

    def put_back(self, number: int) -> None:
        """A URL taken out waits again, unasked; its host's turn is not used up."""
        host = self._host_of(number)
        host.busy -= 1
        host.taken -= 1
        self._requeue(number, host)
        if host.twin is not None:
            self._stand(host.twin)

    def refuse(self, number: int) -> None:
        """A URL taken out that will not be asked for; its host's turn is not used up."""
        host = self._host_of(number)
        self._state.raw[number] = DONE
        host.busy -= 1
        host.taken -= 1
        self._stand(host)
        if host.twin is not None:
            self._stand(host.twin)

    def park(self, number: int, reason: str) -> int:
        """Stop going to a host; returns how many of its URLs are left unvisited."""
        host = self.hosts[number]
        host.parked = reason
        host.ticket = None
        self.queued -= host.live
        left, host.live = host.live, 0
        host.heap, host.cut = [], None
        return left

    def unpark(self, number: int, now: float) -> int:
        """Go to a host again; returns how many of its URLs wait."""
        host = self.hosts[number]
        if host.parked:
            host.parked, host.failures, host.closed = "", 0, False
            ids = np.frombuffer(host.ids, dtype=np.int32)
            host.live = int(np.count_nonzero(self._state.raw[ids] == QUEUED))
            self.queued += host.live
            self._sort(host)
            self.hold(number, now, host.delay)
        return host.live

    def rest(self, now: float) -> None:
        """Let every host rest its full delay: nobody knows when it was last asked."""
        for host in self.hosts:
            host.due = now + host.delay
            host.ticket = None
            heappush(self._resting, (host.due, host.number))
