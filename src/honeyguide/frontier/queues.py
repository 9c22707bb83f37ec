"""The queues of hosts: in which order their URLs wait.

What is known of a URL are a few numbers in columns over the crawl's graph; its text is in the store. Only the best few
of a host's URLs are kept sorted, the others wait unsorted behind them. So a strategy may rank its whole queue anew as
often as it likes: that writes one column, and has the hosts look at their queues again when their turn comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from math import inf, nan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from honeyguide.frontier.graph import Graph
from honeyguide.frontier.hosts import Host, Place
from honeyguide.graph import Column

__all__ = ["DONE", "EXAMPLE", "KNOWN", "LINK", "OUT", "QUEUED", "START", "Queues"]

# Classes of URLs, apart from any priority: all of a higher class go before all of a lower.
LINK, START, EXAMPLE = 0, 1, 2
KNOWN, QUEUED, OUT, DONE = 0, 1, 2, 3
SLACK = 64
_SORTED, _SHARE = 32, 64  # of a host's queue at least so many, or one in so many, are kept sorted
# From so many URLs ranked at once on, if they are one in so many of all, it is cheaper to look at all queues again.
_MANY, _PART = 1_000, 16
_TWINS = {"80": "443", "443": "80"}


class Queues:
    """The known URLs that wait for their visit, host by host, and the hosts that may be asked by their best URL."""

    def __init__(self, graph: Graph, *, delay: float, slots: int) -> None:
        self.graph = graph
        self._delay = delay
        self._slots = slots
        self._state: Column[np.uint8] = graph.column(np.uint8, KNOWN)
        self._kind: Column[np.uint8] = graph.column(np.uint8, LINK)
        self._priority: Column[np.float64] = graph.column(np.float64, nan)  # nan: never ranked
        self._host = graph._host
        self.hosts: list[Host] = []
        self._cuts: Column[np.float64] = Column(np.float64)  # of each host: what is worth less need not be sorted in
        self._by_name: dict[str, int] = {}
        self._ready: list[tuple[int, float, int, int]] = []
        self._round = 0
        self.queued = 0

    def host(self, name: str) -> int:
        """The number of a host; a new one for a new name."""
        number = self._by_name.get(name)
        if number is None:
            number = self._by_name[name] = len(self.hosts)
            self.hosts.append(Host(number, name, self._delay, self._slots))
            self._cuts.extend([-inf])
            self._pair(self.hosts[number])
        return number

    def _pair(self, host: Host) -> None:
        name, _, port = host.name.rpartition(":")
        twin = self._by_name.get(f"{name}:{_TWINS[port]}") if port in _TWINS else None
        if twin is not None:
            host.twin, self.hosts[twin].twin = self.hosts[twin], host
            host.due = self.hosts[twin].due

    def _host_of(self, number: int) -> Host:
        owner: int = self._host.raw[number]
        return self.hosts[owner]

    def is_queued(self, number: int) -> bool:
        """Whether a URL waits for its visit."""
        return bool(self._state.raw[number] == QUEUED)

    def is_offered(self, number: int) -> bool:
        """Whether a URL was ever queued."""
        return bool(self._state.raw[number] != KNOWN)

    def priority(self, number: int) -> float:
        """What a URL is worth at present; not a number if it was never ranked."""
        return float(self._priority.raw[number])

    def kind(self, number: int) -> int:
        """The class of a URL: LINK, START or EXAMPLE."""
        return int(self._kind.raw[number])

    # -- ranking --------------------------------------------------------------------------------------------

    def offer(self, numbers: ArrayLike, priorities: ArrayLike, *, kind: int = LINK, best: bool = False) -> None:
        """Queue URLs, or rank anew those queued already, each once; with `best` a rank is only ever raised."""
        ids = np.asarray(numbers, dtype=np.int64)
        values = np.asarray(priorities, dtype=np.float64)
        if not np.isfinite(values).all():
            raise ValueError(f"a priority must be a finite number, not {values[~np.isfinite(values)][0]}")
        self._rank(ids, values, best=best)
        fresh = ids[self._state.raw[ids] == KNOWN]
        if len(fresh):
            if not (fresh[1:] > fresh[:-1]).all():  # what is found on a page comes in order, each once
                fresh = np.unique(fresh)  # but a careless strategy may name a URL twice
            self._state.raw[fresh] = QUEUED
            self._kind.raw[fresh] = kind
            self._enter(fresh)

    def revise(self, numbers: ArrayLike, priorities: ArrayLike) -> None:
        """Rank anew, up or down, those of these URLs that were queued; of the others nothing is known."""
        ids = np.asarray(numbers, dtype=np.int64)
        values = np.asarray(priorities, dtype=np.float64)
        if not np.isfinite(values).all():
            raise ValueError(f"a priority must be a finite number, not {values[~np.isfinite(values)][0]}")
        offered = self._state.raw[ids] != KNOWN
        self._rank(ids[offered], values[offered], best=False)

    def _rank(self, ids: NDArray[np.int64], values: NDArray[np.float64], *, best: bool) -> None:
        held = self._priority.raw[ids]
        changed = ~(values <= held) if best else values != held
        ids, values = ids[changed], values[changed]
        if not len(ids):
            return
        self._priority.raw[ids] = values
        if len(ids) >= max(_MANY, self.queued // _PART):
            self._look_again()
            return
        # Most links stay behind the cut of their host, and need not be sorted in.
        near = (values >= self._cuts.raw[self._host.raw[ids]]) | (self._kind.raw[ids] > LINK)
        near &= self._state.raw[ids] == QUEUED
        for host, own in self._by_host(ids[near]):
            if not host.parked:
                self._push(host, own)

    def _by_host(self, ids: NDArray[np.int64]) -> Iterator[tuple[Host, NDArray[np.int64]]]:
        """URLs host by host."""
        owners = self._host.raw[ids]
        if len(ids) and (owners == owners[0]).all():  # as on most pages
            yield self.hosts[owners[0]], ids
            return
        order = np.argsort(owners, kind="stable")
        owners, ids = owners[order], ids[order]
        begin = 0
        # Not by `np.split`, which takes as long as all the rest: many pages lead to a dozen hosts.
        for end in [*(np.flatnonzero(owners[1:] != owners[:-1]) + 1).tolist(), len(ids)] if len(ids) else ():
            yield self.hosts[owners[begin]], ids[begin:end]
            begin = end

    def _enter(self, fresh: NDArray[np.int64]) -> None:
        """URLs, in the order of their numbers, join the queues of their hosts."""
        near = (self._priority.raw[fresh] >= self._cuts.raw[self._host.raw[fresh]]) | (self._kind.raw[fresh] > LINK)
        far = not near.all()
        for host, own in self._by_host(fresh):
            host.ids.frombytes(own.astype(np.int32).tobytes())
            if host.parked:
                continue
            host.live += len(own)
            self.queued += len(own)
            if far:
                own = own[near[np.searchsorted(fresh, own)]]
            if len(own):
                self._push(host, own)

    def _push(self, host: Host, numbers: NDArray[np.int64]) -> None:
        """Sort queued URLs of a host in; it then stands by its best URL, which one of these may be."""
        if host.round != self._round:
            self._sort(host)
        else:
            cut = host.cut
            kinds, values = self._kind.raw[numbers].tolist(), self._priority.raw[numbers].tolist()
            for kind, value, number in zip(kinds, values, numbers.tolist(), strict=True):
                entry = (-kind, -value, number)
                if cut is None or entry < cut:
                    heappush(host.heap, entry)
            if len(host.heap) > 2 * max(_SORTED, host.live // _SHARE) + SLACK:
                self._sort(host)
        self._stand(host)

    def _entry(self, number: int) -> Place:
        return -int(self._kind.raw[number]), -float(self._priority.raw[number]), number

    def _valid(self, entry: Place) -> bool:
        number = entry[2]
        return bool(
            self._state.raw[number] == QUEUED
            and -entry[1] == self._priority.raw[number]
            and -entry[0] == self._kind.raw[number]
        )

    def _sort(self, host: Host) -> None:
        """Make a host's heap anew from the best of its queue."""
        host.round = self._round
        ids = np.frombuffer(host.ids, dtype=np.int32)
        state = self._state.raw[ids]
        left = ids[state != DONE]
        queued = ids[state == QUEUED]
        if len(left) < len(ids) // 2:
            host.ids = type(host.ids)("i", left.tobytes())
        values, kinds = self._priority.raw[queued], self._kind.raw[queued].astype(np.int64)
        near, host.cut = self._nearest(queued, values, kinds)
        host.heap = sorted(zip((-kinds[near]).tolist(), (-values[near]).tolist(), queued[near].tolist(), strict=True))
        self._cuts.raw[host.number] = -inf if host.cut is None else -host.cut[1]

    def _nearest(
        self, queued: NDArray[np.int32], values: NDArray[np.float64], kinds: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], Place | None]:
        """Which of a queue are the best, and the entry of the best of the others."""
        most = max(_SORTED, len(queued) // _SHARE)
        if len(queued) <= most + SLACK:
            return np.arange(len(queued)), None
        if not kinds.any():
            bound = np.partition(values, len(values) - most)[len(values) - most]
            near = np.flatnonzero(values >= bound)
            if len(near) <= 4 * most:  # ties came along, so that nothing behind is as good as anything before
                others = np.where(values < bound, values, -inf)
                best = others.max()
                if best == -inf:
                    return near, None
                return near, (LINK, -float(best), int(queued[others == best].min()))
        # Classes apart from priorities, or so many ties that their numbers must part them.
        order = np.lexsort((queued, -values, -kinds))
        return order[:most], self._entry(int(queued[order[most]]))

    def _look_again(self) -> None:
        """Much has another rank: hosts stand by their best priority, and sort their queues when it is their turn."""
        self._round += 1
        self._cuts.values[:] = -inf  # where the queues part is not known before they are sorted
        queued = np.flatnonzero(self._state.values == QUEUED)
        best = np.full(len(self.hosts), -inf)
        np.maximum.at(best, self._host.raw[queued], self._priority.raw[queued])
        special = queued[self._kind.raw[queued] > LINK]
        best[self._host.raw[special]] = inf
        values = best.tolist()
        self._ready = []
        for host in self.hosts:
            if host.ticket is not None:
                # Before any URL as good: the host's real entry takes its place when it comes up.
                value = values[host.number]
                host.ticket = (-EXAMPLE if value == inf else LINK, -value, -1)
                self._ready.append((*host.ticket, host.number))
        heapify(self._ready)

    def _top(self, host: Host) -> Place | None:
        if host.round != self._round:
            self._sort(host)
        heap = host.heap
        while heap and not self._valid(heap[0]):
            heappop(heap)
        if host.cut is not None and (not heap or heap[0] > host.cut):
            self._sort(host)
            heap = host.heap
        return heap[0] if heap else None

    def _stand(self, host: Host) -> None:
        """Let a host stand among those that may be asked, by its best URL."""
        if host.barred:
            return
        top = self._top(host)
        if top is not None and top != host.ticket:
            host.ticket = top
            if len(self._ready) > 2 * len(self.hosts) + SLACK:
                self._ready = [
                    (*one.ticket, one.number) for one in self.hosts if one.ticket is not None and one is not host
                ]
                heapify(self._ready)
            heappush(self._ready, (*top, host.number))

    def best(self, most: int) -> list[int]:
        """The best queued URLs, whatever their hosts' turn: for people and for looking ahead."""
        queued = np.flatnonzero(self._state.values == QUEUED)
        order = np.lexsort((queued, -self._priority.raw[queued], -self._kind.raw[queued].astype(np.int64)))[:most]
        return [int(number) for number in queued[order]]

    def _requeue(self, number: int, host: Host) -> None:
        self._state.raw[number] = QUEUED
        if not host.parked:
            host.live += 1
            self.queued += 1
            self._push(host, np.array([number]))

    # -- over a resume --------------------------------------------------------------------------------------

    def settle(self, numbers: Iterable[int]) -> None:
        """Of a crawl that is resumed: these URLs are done with; for use before any host has had a turn."""
        done = np.fromiter(numbers, dtype=np.int64)
        waiting = done[self._state.raw[done] == QUEUED]
        self._state.raw[done] = DONE
        for owner, count in zip(*np.unique(self._host.raw[waiting], return_counts=True), strict=True):
            host = self.hosts[owner]
            if not host.parked:
                host.live -= int(count)
                self.queued -= int(count)

    def save(self) -> tuple[bytes, bytes]:
        """The order as it stands: the priority of each URL, and its class where it is queued."""
        return self._priority.values.tobytes(), self._kind.values.tobytes()

    def load(self, state: tuple[bytes, bytes]) -> None:
        """The order that was saved; all URLs that were ranked are queued until `settle` says otherwise."""
        priorities = np.frombuffer(state[0], dtype=np.float64)
        kinds = np.frombuffer(state[1], dtype=np.uint8)
        self._priority.raw[: len(priorities)] = priorities
        self._kind.raw[: len(kinds)] = kinds
        ranked = np.flatnonzero(~np.isnan(priorities))
        self._state.raw[ranked] = QUEUED
        self._enter(ranked)
