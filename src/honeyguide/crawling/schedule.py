"""What is watched, in the order it is due: host by host, new articles first, then where new ones are found."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from heapq import heappop, heappush

from honeyguide.crawling.rates import ChangeRate
from honeyguide.store import Watched
from honeyguide.store.watching import WatchKind, WatchStore

__all__ = ["DAY", "HOUR", "Schedule", "rate_of"]

HOUR, DAY = 3_600.0, 86_400.0

# What is believed of a page nobody has watched: a quarter of an hour between two changes of a list, two of an article.
_PRIOR: dict[WatchKind, ChangeRate] = {"article": ChangeRate(1.0, 2 * HOUR)}
_PRIOR_OF_LISTS = ChangeRate(1.0, HOUR / 4)
_LONGEST: dict[WatchKind, float] = {"article": 7 * DAY}
_LONGEST_OF_LISTS = DAY
_RANK: dict[WatchKind, int] = {"new": 0, "article": 2}
_TURNS = 10.0  # rests of its host that lie between two visits of a page at least


def rate_of(row: Watched) -> ChangeRate:
    """How often a page is believed to change."""
    return ChangeRate(row.shape, row.scale) if row.shape else _PRIOR.get(row.kind, _PRIOR_OF_LISTS)


def _longest(row: Watched) -> float:
    return _LONGEST.get(row.kind, _LONGEST_OF_LISTS)


class Schedule:
    """All that is watched; every change goes to the store with the batch it belongs to.

    `host` gives the number of a URL's host, `delay` how long that rests between two requests. With `every`, all is
    visited at that interval, whatever it shows.
    """

    def __init__(
        self,
        store: WatchStore,
        host: Callable[[int], int],
        delay: Callable[[int], float],
        *,
        least: float,
        every: float,
    ) -> None:
        self._store = store
        self._host = host
        self._delay = delay
        self._least = least
        self._every = every
        self.rows: dict[int, Watched] = {}
        self._later: list[tuple[float, int]] = []
        self._leaders: dict[int, int] = {}  # host by host, the list that has named most
        self._counts: Counter[tuple[int, WatchKind]] = Counter()
        self._ready: dict[int, list[tuple[int, float, int]]] = {}  # host by host, what is due
        for row in store.all():
            self._enter(row)
            if row.named:
                self.leads(row)

    def __contains__(self, url: int) -> bool:
        return url in self.rows

    def _enter(self, row: Watched) -> None:
        self._leave(row.url)
        self._counts[self._host(row.url), row.kind] += 1
        self.rows[row.url] = row
        heappush(self._later, (row.due, row.url))

    def put(self, row: Watched) -> None:
        """Watch a page, or watch it anew, from when it says it is due."""
        self._enter(row)
        self._store.put([row])

    def drop(self, url: int) -> None:
        """Watch a page no longer."""
        if self._leave(url):
            self._store.drop(url)

    def _leave(self, url: int) -> bool:
        row = self.rows.pop(url, None)
        if row is not None:
            self._counts[self._host(url), row.kind] -= 1
        return row is not None

    def count(self, url: int, kind: WatchKind) -> int:
        """How many pages of a kind are watched at the host of this one."""
        return self._counts[self._host(url), kind]

    def believe(self, wall: float) -> None:
        """Let nothing be due later than it could be: a clock that was wrong may have said when."""
        for row in list(self.rows.values()):
            if row.due > wall + max(_longest(row), self.interval(row)):
                row.checked = min(row.checked, wall)
                self.postpone(row, wall)

    def checked(self, row: Watched, wall: float, *, changed: bool) -> None:
        """A page was looked at: learn from it how often it changes, and when to look again."""
        if row.checked:
            rate = rate_of(row).seen(changed=changed, after=wall - row.checked).within(_longest(row))
            row.shape, row.scale = rate
        row.checks += 1
        row.changes += changed
        row.checked = wall
        self.postpone(row, wall)

    def postpone(self, row: Watched, wall: float, times: float = 1.0) -> None:
        """Look at a page again when it is likely to have changed, or so many times later, within bounds."""
        interval = self.interval(row)
        row.due = wall + min(times * interval, max(interval, _longest(row)))
        self.put(row)

    def interval(self, row: Watched) -> float:
        """Seconds from one visit of a page to the next."""
        if self._every:
            return self._every
        least = max(self._least, _TURNS * self._delay(self._host(row.url)))
        return min(max(rate_of(row).interval, least), max(_longest(row), least))

    # -- turns ----------------------------------------------------------------------------------------------

    def wake(self, wall: float) -> None:
        """Let all that is due by now stand ready at its host."""
        while self._later and self._later[0][0] <= wall:
            due, url = heappop(self._later)
            row = self.rows.get(url)
            if row is not None and row.due == due:
                heappush(self._ready.setdefault(self._host(url), []), (_RANK.get(row.kind, 1), due, url))

    def hosts(self) -> list[int]:
        """The hosts at which something stands ready."""
        return list(self._ready)

    def first(self, host: int) -> Watched | None:
        """What stands first at a host; None if nothing does any more."""
        heap = self._ready.get(host, [])
        while heap:
            row = self.rows.get(heap[0][2])
            if row is not None and row.due == heap[0][1]:
                return row
            heappop(heap)
        self._ready.pop(host, None)
        return None

    def take(self, host: int) -> None:
        """What stands first is being visited."""
        heappop(self._ready[host])

    def again(self, row: Watched) -> None:
        """A visit came to nothing: it stands ready again."""
        heappush(self._ready.setdefault(self._host(row.url), []), (_RANK.get(row.kind, 1), row.due, row.url))

    def next_due(self) -> float:
        """When something is due next, that does not stand ready yet."""
        while self._later:
            due, url = self._later[0]
            row = self.rows.get(url)
            if row is not None and row.due == due:
                return due
            heappop(self._later)
        return math.inf

    def leads(self, row: Watched) -> bool:
        """Whether no other list of its host has named more that is new.

        The one that leads is visited as often as its site has news. The others are looked at for what it leaves out.
        """
        leader = self._leaders.get(self._host(row.url))
        if leader is None or leader not in self.rows or row.named >= self.rows[leader].named:
            self._leaders[self._host(row.url)] = row.url
            return True
        return leader == row.url
