"""The robots.txt of every host: asked for first, followed where it moved, believed while it is fresh (RFC 9309).

A robots.txt may have moved to another host. There it is asked for in that host's turn, and what is read there holds
for the host that was asked first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from honeyguide.crawling.hands import Answer, Order
from honeyguide.frontier import Frontier
from honeyguide.store import HostRow, Store
from honeyguide.web import robots
from honeyguide.web.urls import origin_of

__all__ = ["Missing", "Quest", "RobotsRules"]

DAY = 86_400.0  # how long a robots.txt is believed at the most (RFC 9309, section 2.4)
_LEAST = 60  # a shorter life that its server gives it is stretched to so many turns of the host
_HOPS = 5


class Quest(NamedTuple):
    """A robots.txt that is asked for."""

    url: str
    at: int  # the host that is asked, which is another one after a redirect
    hops: int = 0


class Missing(NamedTuple):
    """A robots.txt that could not be had, and why."""

    host: int
    why: str
    lasting: bool
    retry_after: float = 0.0
    at: int = -1  # the host that was asked last and must be let go; -1 when none was


class RobotsRules:
    """What each host's robots.txt says, and which of them are on their way."""

    def __init__(self, frontier: Frontier, store: Store, host: Callable[[str], int], ban: Callable[[str], str]) -> None:
        self._frontier = frontier
        self._store = store
        self._host = host
        self._ban = ban
        self.rules: dict[int, robots.Rules] = {}
        self._read: dict[int, tuple[float, float]] = {}  # when, by the wall clock, and for how long it is good
        self._asked: dict[int, Quest] = {}
        self._moved: dict[int, Quest] = {}  # waiting for the turn of the host they moved to

    def restore(self, row: HostRow, now: float) -> robots.Rules | None:
        """The rules a host had in an earlier run; they are believed while they are fresh."""
        if row.robots is None or row.robots_fetched is None:
            return None
        rules = robots.parse(row.robots)
        life = DAY if row.robots_life is None else row.robots_life
        if abs(now - row.robots_fetched) < life:
            self.rules[row.id] = rules
            self._read[row.id] = (row.robots_fetched, life)
        return rules

    def fresh(self, host: int, now: float) -> bool:
        """Whether a host's rules are known and not too old; a clock that was put back makes them so, too."""
        read, life = self._read.get(host, (0.0, 0.0))
        return abs(now - read) < life

    def order(self, host: int, url: str) -> Order:
        """Ask a host for its robots.txt."""
        quest = self._asked[host] = Quest(f"{origin_of(url)}/robots.txt", host)
        return Order(host, quest.url, "robots")

    # -- moved ----------------------------------------------------------------------------------------------

    def follow(self, answer: Answer, now: float) -> Missing | None:
        """Follow a robots.txt that moved; says why if it must not be followed."""
        host = answer.order.number
        quest = self._asked.pop(host)
        self._frontier.release(quest.at, now, wait=answer.retry_after)
        if origin_of(answer.location) != origin_of(quest.url) and (banned := self._ban(answer.location)):
            return Missing(host, f"it moved to {answer.location[:200]}, {banned}", lasting=True)
        self._moved[host] = Quest(answer.location, self._host(answer.location), quest.hops + 1)
        return None

    def may_follow(self, answer: Answer) -> bool:
        """Whether an answer sends us elsewhere, and not for too many times."""
        return bool(answer.location) and self._asked[answer.order.number].hops < _HOPS

    def lost(self) -> Missing | None:
        """A robots.txt that moved to a host we no longer go to, if there is one."""
        for host, quest in self._moved.items():
            target = self._frontier.hosts[quest.at]
            if target.parked and quest.at != host:
                del self._moved[host]
                return Missing(host, f"it moved to {target.name}, which was given up: {target.parked}", lasting=True)
        return None

    def errand(self, now: float, wall: float) -> Order | None:
        """The order for a robots.txt that moved, when it is the turn of the host it moved to."""
        if not self._moved:  # nearly always, and this is asked before every order
            return None
        asked = {quest.url for quest in self._asked.values()}
        for host, quest in list(self._moved.items()):
            if quest.url in asked:
                continue
            if quest.at != host and _is_own(quest.url) and self.fresh(quest.at, wall):
                self._share(host, quest, now)
            elif self._frontier.seize(quest.at, now):
                self._asked[host] = self._moved.pop(host)
                return Order(host, quest.url, "robots")
        return None

    def _share(self, host: int, quest: Quest, now: float) -> None:
        """Where it moved to is another host's own robots.txt, and that is known."""
        del self._moved[host]
        self.rules[host], self._read[host] = self.rules[quest.at], self._read[quest.at]
        self._store.set_robots(host, self.rules[host].body.encode(), 200, *self._read[host])
        self.failed(host, 0)
        self._frontier.admit(host, now)

    def next_due(self) -> float | None:
        """When the next host may be asked for a robots.txt that moved there; None when it is waited for anyhow."""
        if not self._moved:
            return None
        asked = {quest.url for quest in self._asked.values()}
        hosts = [self._frontier.hosts[quest.at] for quest in self._moved.values() if quest.url not in asked]
        return min((host.due for host in hosts if not host.full), default=None)

    # -- had, or not ----------------------------------------------------------------------------------------

    def had(self, answer: Answer, body: bytes, wall: float) -> list[int]:
        """Write down what was read; returns the hosts it holds for. They stay closed until `finish`."""
        host = answer.order.number
        quest = self._asked[host]
        hosts = [host] if quest.at == host or not _is_own(quest.url) else [host, quest.at]
        rules = robots.parse(body)
        for one in hosts:
            life = max(answer.fresh, _LEAST * self._frontier.hosts[one].delay) if answer.fresh else DAY
            self.rules[one], self._read[one] = rules, (wall, min(DAY, life))
            self._store.set_robots(one, body, answer.status, *self._read[one])
        return hosts

    def finish(self, host: int, now: float, *, wait: float = 0.0) -> None:
        """The rules are written down: those who were asked rest, and the host's pages may be asked for."""
        quest = self._asked.pop(host)
        self.failed(host, 0)
        if quest.at == host:
            self._frontier.reopen(host, now, wait=wait)
        else:
            self._frontier.release(quest.at, now, wait=wait)
            self._frontier.admit(host, now)

    def failed(self, host: int, times: int) -> None:
        """A host has failed so often in a row; that holds for the next run, too."""
        entry = self._frontier.hosts[host]
        if entry.failures != times:
            entry.failures = times
            self._store.set_failures(host, times)

    def missing(self, answer: Answer) -> Missing:
        """It cannot be had now."""
        host = answer.order.number
        quest = self._asked.pop(host)
        why = answer.error or f"status {answer.status}"
        return Missing(host, why, answer.lasting, answer.retry_after, quest.at)


def _is_own(url: str) -> bool:
    """Whether this is where a host keeps its own robots.txt."""
    return url == f"{origin_of(url)}/robots.txt"
