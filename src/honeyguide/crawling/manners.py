"""Politeness: robots.txt before pages, each host's own pace, patience with those in trouble, and an end to it."""

from __future__ import annotations

from typing import NamedTuple

from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.settings import Settings
from honeyguide.frontier import Frontier
from honeyguide.store import HostRow, Store
from honeyguide.web import robots
from honeyguide.web.urls import host_of, origin_of

__all__ = ["Manners", "Outcome"]

ROBOTS_DAY = 86_400.0  # how long a robots.txt is believed (RFC 9309, section 2.4)
_ROBOTS_HOPS = 5
_LONGEST_WAIT = 3_600.0  # a host that asks for more is parked: the crawl will be over before
_BACKOFF = 300.0
_TRANSIENT = frozenset((408, 425, 429, 500, 502, 503, 504))


class Outcome(NamedTuple):
    """What to do about an answer that brought no page."""

    again: bool
    wait: float
    park: str  # reason to stop going to the host; empty to go on


class Manners:
    """Knows what each host wants of us."""

    def __init__(self, frontier: Frontier, store: Store, settings: Settings, *, polite: bool) -> None:
        self._frontier = frontier
        self._store = store
        self._settings = settings
        self._polite = polite
        self._rules: dict[int, robots.Rules] = {}
        self._asked: dict[int, float] = {}  # wall time robots.txt was read
        self._hops: dict[int, int] = {}
        self._tries: dict[int, int] = {}  # per URL, of those that failed

    def restore(self, row: HostRow, now: float) -> None:
        """A host of an earlier run: its robots.txt holds while it is fresh."""
        if row.parked:
            self._frontier.park(row.id, row.parked)
        if row.robots is not None and row.robots_fetched is not None and row.robots_fetched + ROBOTS_DAY > now:
            self._keep(row.id, robots.parse(row.robots), row.robots_fetched)

    def robots_order(self, host: int, url: str, now: float) -> Order | None:
        """The order for a host's robots.txt, if it must be read before this URL is asked for."""
        if host in self._rules and self._asked[host] + ROBOTS_DAY > now:
            return None
        return Order(host, f"{origin_of(url)}/robots.txt", "robots")

    def refusal(self, host: int, url: str) -> str:
        """Why robots.txt forbids a URL; empty when it does not."""
        rules = self._rules[host]
        return "" if rules.allows(url) else f"forbidden by {rules.reason(url)}"

    def _keep(self, host: int, rules: robots.Rules, read: float) -> None:
        self._rules[host] = rules
        self._asked[host] = read
        if self._polite and rules.delay is not None:
            self._frontier.hosts[host].delay = max(self._settings.delay, rules.delay)

    def robots_answer(self, answer: Answer, now: float, wall: float) -> Order | None:
        """Take in what a host said of its robots.txt; returns a further order when it was moved."""
        host = answer.order.number
        if answer.location and self._hops.get(host, 0) < _ROBOTS_HOPS:
            self._hops[host] = self._hops.get(host, 0) + 1
            if host_of(answer.location) == self._frontier.hosts[host].name:
                return Order(host, answer.location, "robots")
        self._hops.pop(host, None)
        if answer.status == 200:
            self._read(host, answer.body, answer.status, wall)
        elif 300 <= answer.status < 500 and answer.status != 429:
            self._read(host, b"", answer.status, wall)
        else:
            self._no_robots(host, answer, now)
            return None
        self._frontier.hosts[host].failures = 0
        self._frontier.reopen(host, now)
        return None

    def _read(self, host: int, body: bytes, status: int, wall: float) -> None:
        self._keep(host, robots.parse(body), wall)
        self._store.set_robots(host, body, status, wall)

    def _no_robots(self, host: int, answer: Answer, now: float) -> None:
        """A robots.txt that cannot be had forbids everything (RFC 9309, 2.3.1.4): try again, then give up."""
        entry = self._frontier.hosts[host]
        entry.failures += 1
        why = answer.error or f"status {answer.status}"
        if answer.lasting or entry.failures >= self._settings.patience:
            self.park(host, f"robots.txt cannot be had: {why}")
        self._frontier.reopen(host, now, wait=max(answer.retry_after, self._backoff(entry.failures)))

    def sitemaps(self, host: int) -> list[str]:
        """Sitemaps a host's robots.txt names."""
        return self._rules[host].sitemaps if host in self._rules else []

    def park(self, host: int, reason: str) -> None:
        """Stop going to a host."""
        self._frontier.park(host, reason)
        self._store.park_host(host, reason)

    def _backoff(self, failures: int) -> float:
        delay = max(self._settings.delay, 0.05) if self._polite else 0.0
        return float(min(_BACKOFF, delay * 2**failures))

    def trouble(self, answer: Answer) -> Outcome | None:
        """What to do if the answer brought no page for a passing or lasting reason; None if it is an answer."""
        number = answer.order.number
        host = self._frontier.hosts[self._frontier.known(number).host]
        if answer.ours or (answer.status and answer.status not in _TRANSIENT):
            host.failures = 0
            self._tries.pop(number, None)
            return None
        host.failures += 1
        tries = self._tries[number] = self._tries.get(number, 0) + 1
        why = answer.error or f"status {answer.status}"
        again = tries <= self._settings.retries and not answer.lasting
        park = ""
        if answer.retry_after > _LONGEST_WAIT:
            park = f"asked us to stay away for {answer.retry_after:.0f} seconds"
        elif host.failures >= self._settings.patience:
            park = f"failed {host.failures} times in a row, last: {why}"
        elif answer.whole_host:
            park = why
        if not again or park:
            self._tries.pop(number, None)
        return Outcome(again and not park, max(answer.retry_after, self._backoff(host.failures)), park)
