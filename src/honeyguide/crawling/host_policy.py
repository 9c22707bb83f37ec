"""Politeness: robots.txt before pages, each host's own pace, patience with those in trouble, and an end to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.robots_rules import Missing, RobotsRules
from honeyguide.crawling.settings import Settings
from honeyguide.frontier import Frontier
from honeyguide.store import HostRow, Store
from honeyguide.web import robots
from honeyguide.web.urls import Base, host_of

__all__ = ["DROPPED", "FORGOTTEN", "HostPolicy", "Trouble", "is_passing"]

FORGOTTEN = "forgotten at the user's wish"
DROPPED = "dropped by the user"

_LONGEST_WAIT = 3_600.0  # a host that asks for more is parked: the crawl will be over before
_BACKOFF = 300.0
_MOST_SITEMAPS = 10
_PASSING = frozenset((408, 425, 429))  # besides those of 500 and more
_FOR_GOOD = frozenset((501, 505))


class Trouble(NamedTuple):
    """What to do about an answer that brought no page."""

    again: bool
    wait: float
    park: str  # reason to stop going to the host; empty to go on


class HostPolicy:
    """Knows what each host wants of us.

    `host` gives a URL's host its number; `ban` says why a place may not be asked for anything at all.
    """

    def __init__(
        self,
        frontier: Frontier,
        store: Store,
        settings: Settings,
        *,
        polite: bool,
        host: Callable[[str], int],
        ban: Callable[[str], str],
    ) -> None:
        self._frontier = frontier
        self._store = store
        self._settings = settings
        self._polite = polite
        self._book = RobotsRules(frontier, store, host, ban)
        self._tries: dict[int, int] = {}  # per URL, of those that failed
        # Until when, by the wall clock, hosts want to be alone, and for how many seconds they asked.
        self._away: dict[str, tuple[float, float]] = store.meta("left_alone", {})
        self.on_park: Callable[[str, str], None] = _nobody  # told of each host we stop going to, and why

    def restore(self, row: HostRow, now: float) -> None:
        """A host of an earlier run: its robots.txt holds while it is fresh, its pace in any case."""
        if row.parked:
            self._frontier.park(row.id, row.parked)
        self._frontier.hosts[row.id].failures = row.failures
        if (rules := self._book.restore(row, now)) is not None:
            self._pace(row.id, rules)

    def hold(self, now: float, wall: float) -> None:
        """Keep away from hosts that asked for it in an earlier run, or were in trouble."""
        for host in self._frontier.hosts:
            if host.failures:
                self._frontier.hold(host.number, now, self._backoff(host.number))
            until, asked = self._away.get(host.name, (0.0, 0.0))
            if until > wall:  # by far, where the clock was put back: nobody asked for more than this
                self._frontier.hold(host.number, now, min(until - wall, asked, _LONGEST_WAIT))

    def away_until(self, host: int, wall: float) -> float:
        """Until when, by the wall clock, a host wants to be left alone; now, or in the past, if it does not."""
        until, asked = self._away.get(self._frontier.hosts[host].name, (0.0, 0.0))
        return min(until, wall + asked)  # the clock may have been put back

    # -- robots.txt -----------------------------------------------------------------------------------------

    def robots_order(self, host: int, url: str, now: float) -> Order | None:
        """The order for a host's robots.txt, if it must be read before this URL is asked for."""
        return None if self._book.fresh(host, now) else self._book.order(host, url)

    def errand(self, now: float, wall: float) -> Order | None:
        """The order for a robots.txt that moved to another place, when it is that place's turn."""
        while (lost := self._book.lost()) is not None:
            self._no_robots(lost, now)
        return self._book.errand(now, wall)

    def next_due(self) -> float | None:
        """When there may be an errand; None when none waits for its time."""
        return self._book.next_due()

    def refusal(self, host: int, url: str) -> str:
        """Why robots.txt forbids a URL; empty when it does not."""
        rules = self._book.rules[host]
        return "" if rules.allows(url) else f"forbidden by {rules.reason(url)}"

    def _pace(self, host: int, rules: robots.Rules) -> None:
        if not self._polite:
            return
        asked = rules.delay or 0.0
        self._frontier.hosts[host].delay = max(self._settings.delay, asked)
        if asked > max(_LONGEST_WAIT, self._settings.delay):
            self.park(host, f"wants {asked:.0f} seconds between two requests (Crawl-delay)")

    def robots_answer(self, answer: Answer, now: float, wall: float) -> list[str]:
        """Take in what a host said of its robots.txt; returns the sitemaps it names, if it was had."""
        self._remember(answer.order.url, answer)
        if answer.ours and not answer.lasting:
            self._ask_again(self._book.missing(answer), now)
            return []
        if self._book.may_follow(answer):
            if (missing := self._book.follow(answer, now)) is not None:
                self._no_robots(missing, now)
            return []
        if not (200 <= answer.status < 500) or answer.status == 429:
            self._no_robots(self._book.missing(answer), now)
            return []
        # A site that has none, or leads us in circles, forbids nothing (RFC 9309, 2.3.1.2 and 2.3.1.3).
        hosts = self._book.had(answer, answer.body if answer.status < 300 else b"", wall)
        rules = self._book.rules[hosts[0]]
        for host in hosts:
            self._pace(host, rules)
        for host in hosts if (park := self._too_long(answer)) else ():
            self.park(host, park)
        self._book.finish(hosts[0], now, wait=answer.retry_after)
        base = Base(answer.order.url)
        return [url for named in rules.sitemaps[:_MOST_SITEMAPS] if (url := base.join(named)) is not None]

    def _no_robots(self, missing: Missing, now: float) -> None:
        """A robots.txt that cannot be had forbids everything (RFC 9309, 2.3.1.4): try again, then give up."""
        host = missing.host
        entry = self._frontier.hosts[host]
        self._book.failed(host, entry.failures + 1)
        if missing.lasting or missing.retry_after > _LONGEST_WAIT or entry.failures >= self._settings.patience:
            self.park(host, f"robots.txt cannot be had: {missing.why}")
        wait = max(missing.retry_after, self._backoff(host))
        if missing.at == host:
            self._frontier.reopen(host, now, wait=wait)
            return
        if missing.at >= 0:
            self._frontier.release(missing.at, now, wait=missing.retry_after)
        self._frontier.admit(host, now, wait=wait)

    def _ask_again(self, missing: Missing, now: float) -> None:
        """Nothing came of asking, by no fault of the host: it is asked again in its next turn."""
        if missing.at == missing.host:
            self._frontier.reopen(missing.host, now)
        else:
            self._frontier.release(missing.at, now)
            self._frontier.admit(missing.host, now)

    # -- trouble --------------------------------------------------------------------------------------------

    def park(self, host: int, reason: str) -> None:
        """Stop going to a host."""
        self._frontier.park(host, reason)
        self._store.park_host(host, reason)
        self.on_park(self._frontier.hosts[host].name, reason)

    def unpark(self, host: int, now: float) -> int:
        """Go to a host again; returns how many of its URLs wait."""
        self._book.failed(host, 0)
        self._store.park_host(host, "")
        return self._frontier.unpark(host, now)

    def change(self, settings: Settings) -> None:
        """Other settings hold from now on; a host's own wish for a longer rest holds as before."""
        self._settings = settings
        for host in self._frontier.hosts:
            if self._polite and host.number not in self._book.rules:
                host.delay = settings.delay
        for number, rules in self._book.rules.items():
            self._pace(number, rules)

    def _backoff(self, host: int) -> float:
        entry = self._frontier.hosts[host]
        delay = max(entry.delay, 0.05) if self._polite else 0.0
        return float(min(max(_BACKOFF, entry.delay), delay * 2.0 ** min(entry.failures, 30)))

    def _remember(self, url: str, answer: Answer) -> None:
        """What a host asked of us holds for the next run, too."""
        if not answer.retry_after or not self._polite:
            return
        ended = answer.fetched + answer.seconds
        self._away = {name: wish for name, wish in self._away.items() if wish[0] > ended}
        self._away[host_of(url)] = (ended + answer.retry_after, answer.retry_after)
        self._store.set_meta(left_alone=self._away)

    def trouble(self, answer: Answer) -> Trouble | None:
        """What to do if the answer brought no page for a passing or lasting reason; None if it is an answer."""
        number = answer.order.number
        host = self._frontier.hosts[self._frontier.graph.host[number]]
        self._remember(answer.order.url, answer)
        if answer.ours and not answer.lasting:  # not held against anyone, however often
            host.taken -= 1
            return Trouble(True, 0.0, "")
        if answer.ours or not is_passing(answer.status):
            self._book.failed(host.number, 0)
            self._tries.pop(number, None)
            return Trouble(False, answer.retry_after, self._too_long(answer)) if answer.retry_after else None
        self._book.failed(host.number, host.failures + 1)
        tries = self._tries[number] = self._tries.get(number, 0) + 1
        why = answer.error or f"status {answer.status}"
        again = tries <= self._settings.retries and not answer.lasting
        park = self._too_long(answer)
        if not park and host.failures >= self._settings.patience:
            park = f"failed {host.failures} times in a row, last: {why}"
        elif not park and answer.whole_host:
            park = why
        if not again or park:
            self._tries.pop(number, None)
        return Trouble(again and not park, max(answer.retry_after, self._backoff(host.number)), park)

    def _too_long(self, answer: Answer) -> str:
        if answer.retry_after <= _LONGEST_WAIT:
            return ""
        return f"asked us to stay away for {answer.retry_after:.0f} seconds"


def is_passing(status: int) -> bool:
    """Whether a status, or none, is that of a host in trouble, which may be over soon."""
    return not status or status in _PASSING or (status >= 500 and status not in _FOR_GOOD)


def _nobody(_host: str, _why: str) -> None:
    """Nobody is listening."""
