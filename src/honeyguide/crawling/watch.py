"""Watching: a crawl's sites are looked at again, new articles picked up, changed ones kept as versions, until stopped.

Robots.txt, the pace of each host, scope and guard are the crawl's own, and so are its judge and its records. What a
visit showed and when the next is due are written in one transaction with what was found, so that a watch can be killed
at any time: what was under way is due still, and nothing is kept twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import msgspec

from honeyguide.crawling.clock import Clock
from honeyguide.crawling.crawl import Crawl
from honeyguide.crawling.enrol import BEGAN, enrol, note
from honeyguide.crawling.findings import Finding, WatchSummary
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.host_policy import DROPPED, FORGOTTEN, is_passing
from honeyguide.crawling.lists import Lists
from honeyguide.crawling.pool import Hands, make_hands
from honeyguide.crawling.revisions import Revisions
from honeyguide.crawling.schedule import HOUR, Schedule
from honeyguide.errors import CrawlFolderError, SettingError
from honeyguide.page.digest import Digest
from honeyguide.store import VisitRow, Watched
from honeyguide.store.watching import WatchKind
from honeyguide.wording import command

__all__ = ["Watch"]

_PATIENCE = 1.0  # seconds by the real clock that answers are waited for at a time
_PARKED = 6 * HOUR  # how long a host in trouble is left alone
_MISSES = 3  # times in a row that an article is not there before it is given up
# What a page must be for that which is watched for: a feed that shows a page for people names nothing new.
_KINDS: dict[WatchKind, tuple[str, ...]] = {
    "feed": ("feed", "sitemap"),
    "sitemap": ("feed", "sitemap"),
    "section": ("html", "text", "feed", "sitemap"),
    "article": ("html", "text"),
}
_TROUBLE = 4.0  # times the usual interval, after a visit that brought nothing; and again after the next


class Watch:
    """A crawl that goes on for ever: over the same sites, at the pace at which they change.

    `least` seconds lie between two visits of a page; with `every` all are visited at that interval. `seconds` ends it.
    """

    def __init__(
        self, crawl: Crawl, *, clock: Clock | None = None, least: float = 60.0, every: float = 0.0, seconds: float = 0.0
    ) -> None:
        for name, value in (("least", least), ("every", every), ("seconds", seconds)):
            if not 0.0 <= value < math.inf:
                raise SettingError(f"{name} must be a number of seconds, not {value}")
        if crawl.task().archive:
            raise SettingError(f"{crawl.folder.path} is a crawl of an archive, which does not change: watch a live one")
        if not crawl.bootstrap.over:
            again = command("resume", crawl.folder.path)
            raise CrawlFolderError(f"{crawl.folder.path} has not begun to crawl; run '{again}' first")
        self.crawl = crawl
        self.clock = clock or Clock()
        self._brain = crawl.brain
        self._frontier = crawl.brain.frontier
        self._graph = crawl.brain.ranking.graph
        self._seconds = seconds
        self.schedule = Schedule(
            self._brain.store.watching,
            lambda url: int(self._graph.host[url]),
            lambda host: self._frontier.hosts[host].delay,
            least=least,
            every=every,
        )
        self._revisions = Revisions(self._brain, self.schedule)
        self._lists = Lists(self._brain, self.schedule)
        self._out: dict[tuple[str, int], Order] = {}
        self._parked: dict[int, float] = {}  # until when hosts in trouble are left alone
        self._stop = ""
        self._unsettled = False  # whether there is something that is not on disk yet
        self.summary = WatchSummary(folder=str(crawl.folder.path))
        self.on_finding: Callable[[Finding], None] = _nobody

    def stop(self, reason: str = "stopped by the user") -> None:
        """Ask the watch to end; what is under way will be due again."""
        self._stop = self._stop or reason

    async def run(self) -> WatchSummary:
        """Watch until stopped."""
        begun = self.clock.wall()
        store = self._brain.store
        try:
            store.begin()
            enrol(self._brain, self.schedule, begun)
            if not self.schedule.rows:
                raise CrawlFolderError(f"{self.crawl.folder.path} has nothing to watch: no feed, section or article")
            self._lists.began = store.meta(BEGAN)
            self.schedule.believe(begun)
            self.crawl.settle(force=True)
            hands = self._hands()
            try:
                while not (reason := self._stop or self._over(begun)):
                    hands = await self._turn(hands, begun)
            finally:
                await hands.close()
            self.crawl.settle(force=True, save=True)
        finally:
            self.crawl.close()
        self.summary.stop_reason, self.summary.seconds = reason, self.clock.wall() - begun
        self.summary.watched = len(self.schedule.rows)
        return self.summary

    def _hands(self) -> Hands:
        task = self.crawl.task()
        task.settings = msgspec.structs.replace(task.settings, workers=1)
        return make_hands(task)

    def _over(self, begun: float) -> str:
        late = self._seconds and self.clock.wall() >= begun + self._seconds
        return f"its {self._seconds:g} seconds are over" if late else ""

    async def _turn(self, hands: Hands, begun: float) -> Hands:
        """Ask whoever may be asked, and take in what has come, or wait until somebody may be."""
        if hands.failed:  # no network, for long: another try with new hands, for a watch is not over
            await hands.close()
            for order in self._out.values():
                self._lost(order)
            self._out.clear()
            await self.clock.wait(60.0)
            return self._hands()
        self._brain.store.begin()
        self._unsettled |= self.crawl.hear()
        now, wall = self.clock.now(), self.clock.wall()
        self.schedule.wake(wall)
        self._give_orders(hands, now, wall)
        while len(self._out) < hands.capacity + 2 and (wanted := self._brain.keeping.next_order()) is not None:
            self._give(hands, wanted)
        if self._out:
            urgent = False  # what a host asked of us must be on disk before the host is asked again
            for answer in await hands.take(_PATIENCE):
                self._out.pop((answer.order.purpose, answer.order.number), None)
                self._take(hands, answer)
                urgent |= answer.retry_after > 0 or answer.order.purpose == "robots"
            note(self._brain, watching=True)
            self._unsettled = True
            self.crawl.settle(force=urgent)
            return hands
        if self._unsettled:
            self.crawl.settle(force=True)
            self._unsettled = False
        self._brain.store.commit()  # whoever sleeps holds no lock
        end = begun + self._seconds if self._seconds else math.inf
        await self.clock.wait(min(self._next(now, wall), end - wall))
        return hands

    # -- giving orders --------------------------------------------------------------------------------------

    def _give(self, hands: Hands, order: Order) -> None:
        self._out[order.purpose, order.number] = order
        hands.give(order)
        self.summary.requests += order.purpose != "record"

    def _give_orders(self, hands: Hands, now: float, wall: float) -> None:
        policy = self._brain.policy
        while (errand := policy.errand(now, wall)) is not None:
            self._give(hands, errand)
        for host in self.schedule.hosts():
            if len(self._out) >= hands.capacity:
                return
            while (order := self._order(host, now, wall)) is not None:
                self._give(hands, order)

    def _order(self, number: int, now: float, wall: float) -> Order | None:
        """The next order for a host, if it may be asked now: its robots.txt, or what stands first."""
        brain, host = self._brain, self._frontier.hosts[number]
        if host.parked and host.parked not in (FORGOTTEN, DROPPED):
            if wall < self._parked.setdefault(number, brain.policy.away_until(number, wall)):
                return None
            del self._parked[number]
            brain.policy.unpark(number, now)
        while host.parked and (row := self.schedule.first(number)) is not None:
            self._refused(row, host.parked)
        while (row := self.schedule.first(number)) is not None and not host.barred and host.due <= now:
            url = brain.store.url(row.url).url
            if (order := brain.policy.robots_order(number, url, wall)) is not None:
                self._frontier.seize(number, now)
                host.closed = True  # to pages, until its rules are known
                return order
            refusal = brain.scope.refusal(url) if self._graph.parent[row.url] >= 0 else ""
            if row.kind == "new":
                refusal = refusal or brain.traps.refusal(number, url) or brain.policy.refusal(number, url)
            if refusal:
                self._refused(row, refusal)
                continue
            if brain.policy.refusal(number, url):
                self.schedule.postpone(row, wall, math.inf)  # a robots.txt that closes may open again
                continue
            if not self._frontier.seize(number, now):
                return None
            self.schedule.take(number)
            return Order(row.url, url, etag=row.etag, modified=row.modified, watched=True)
        return None

    def _refused(self, row: Watched, why: str) -> None:
        self.schedule.drop(row.url)
        if row.kind == "new":
            self._frontier.settle([row.url])
            self._brain.store.refuse(row.url, why, self._brain.store.last_visit())
            self._brain.ranking.missed(row.url, "refused")

    def _next(self, now: float, wall: float) -> float:
        """Seconds until somebody may be asked."""
        waits = [self.schedule.next_due() - wall]
        for number in self.schedule.hosts():
            host = self._frontier.hosts[number]
            if host.parked:
                waits.append(self._parked.get(number, wall) - wall)
            elif not host.closed:  # else it waits for its robots.txt, which is asked for elsewhere
                waits.append(host.due - now)
        due = self._brain.policy.next_due()
        waits += [due - now] if due is not None else []
        return max(0.0, min(waits))

    # -- taking answers -------------------------------------------------------------------------------------

    def _take(self, hands: Hands, answer: Answer) -> None:
        now, wall = self.clock.now(), self.clock.wall()
        answer.fetched = wall if answer.order.purpose != "record" else answer.fetched
        number = answer.order.number
        if answer.order.purpose == "robots":
            for url in self._brain.robots(answer, now, wall):
                self._lists.watch(url, "sitemap", wall, parent=None)
            if self._frontier.hosts[number].parked:
                self._leave_alone(number, wall)
        elif answer.order.purpose == "record" and answer.order.visit:
            self._brain.keeping.made(answer)
        elif answer.order.purpose == "record":
            self._find(self._revisions.made(answer, wall), wall)
        elif self._arrived(answer, now, wall) and (row := self.schedule.rows.get(number)) is not None:
            self.summary.unchanged += answer.status == 304
            if (order := self._looked(row, answer, wall)) is not None:
                self._give(hands, order)

    def _lost(self, order: Order) -> None:
        """An order that nobody will answer."""
        host = order.number if order.purpose == "robots" else int(self._graph.host[order.number])
        if order.purpose == "robots":
            self._frontier.hosts[host].closed = False
        if order.purpose != "record":
            self._frontier.hosts[host].busy = 0
        elif order.visit:
            self._brain.keeping.wanted.append(order)
        else:
            self._revisions.lost(order.number)
        row = self.schedule.rows.get(order.number) if order.purpose == "page" else None
        if row is not None:
            self.schedule.again(row)

    def _arrived(self, answer: Answer, now: float, wall: float) -> bool:
        """Let the host rest; False if the page is tried again."""
        trouble = self._brain.policy.trouble(answer)
        host = self._frontier.hosts[self._graph.host[answer.order.number]]
        host.busy -= 1
        host.took = now - host.since
        # Not by the frontier's own book of who rests: its queue is not asked here, and the book would only grow.
        for one in (host, host.twin) if host.twin is not None else (host,):
            one.due = max(one.due, now + max(one.delay, trouble.wait if trouble is not None else 0.0))
        if trouble is not None and trouble.park:
            self._brain.policy.park(host.number, trouble.park)
            self._leave_alone(host.number, wall)
        again = trouble is not None and trouble.again
        if again and (row := self.schedule.rows.get(answer.order.number)) is not None:
            self.schedule.again(row)
        return not again

    def _leave_alone(self, host: int, wall: float) -> None:
        """A host in trouble is not asked for some hours, or for as long as it wants."""
        self._parked[host] = max(wall + _PARKED, self._brain.policy.away_until(host, wall))

    def _looked(self, row: Watched, answer: Answer, wall: float) -> Order | None:
        """What a visit showed; returns the order for the record of an article that may have changed."""
        if row.kind == "new":
            if not (is_passing(answer.status) and self._later(row, wall)):
                self._first(row, answer, wall)
        elif answer.status == 304:
            self._there(row, answer, wall)
            self.schedule.checked(row, wall, changed=False)
        elif answer.location:
            # Who sends everybody elsewhere for a while, to a page of consent or of repairs, has not moved.
            if answer.status in (301, 308) or not self._later(row, wall):
                self._moved(row, answer, wall)
        elif answer.status in (404, 410):
            self._missing(row, wall)
        elif answer.status != 200 or answer.page is None or answer.page.kind not in _KINDS[row.kind]:
            self.schedule.postpone(row, wall, _TROUBLE)
        elif row.kind == "article":
            self._there(row, answer, wall)
            if self._revisions.is_list(row, answer.page):
                self.schedule.drop(row.url)
                self._lists.read(
                    Watched(row.url, "section", wall, etag=row.etag, modified=row.modified), answer.page, wall
                )
            else:
                return self._revisions.looked(row, answer, answer.page, wall)
        else:
            self._there(row, answer, wall)
            self._lists.read(row, answer.page, wall)
        return None

    def _later(self, row: Watched, wall: float) -> bool:
        """Try a page again later, unless that has been tried often."""
        row.misses += 1
        if row.misses >= _MISSES:
            return False
        self.schedule.postpone(row, wall, _TROUBLE**row.misses)
        return True

    def _there(self, row: Watched, answer: Answer, wall: float) -> None:
        """A page is there; if it was not before, it is back."""
        if answer.status == 200:
            row.etag, row.modified = answer.etag, answer.modified
        if row.misses and row.kind == "article" and self._revisions.gone(row, None):
            self._tell("back", row, wall)
        row.misses = 0

    def _missing(self, row: Watched, wall: float) -> None:
        row.misses += 1
        if row.kind == "article":
            if self._revisions.gone(row, wall):
                self.summary.gone += 1
                self._tell("gone", row, wall)
            if row.misses >= _MISSES:
                self.schedule.drop(row.url)
                return
        self.schedule.postpone(row, wall, _TROUBLE**row.misses)

    def _moved(self, row: Watched, answer: Answer, wall: float) -> None:
        """A page is to be found elsewhere from now on."""
        self.schedule.drop(row.url)
        if self._brain.scope.refusal(answer.location):
            return
        _, depth, hops = self._brain.ranking.writer.known(row.url)
        (target,) = self._brain.ranking.add([answer.location], parent=row.url, depth=depth, hops=hops + 1)
        if target < 0 or target in self.schedule or hops >= self._brain.settings.hops:
            return
        if row.kind != "article":
            self.schedule.put(Watched(target, row.kind, wall + 60.0))  # not at once: two may lead to each other
        elif not self._brain.store.visits_of(target):
            self.schedule.put(Watched(target, "new", wall + 60.0, found=answer.order.url))

    # -- new articles ---------------------------------------------------------------------------------------

    def _first(self, row: Watched, answer: Answer, wall: float) -> None:
        """A new address was visited: from here on it is a page of the crawl like any other."""
        brain = self._brain
        self.schedule.drop(row.url)
        self._frontier.offer([row.url], [0.0])
        self._frontier.settle([row.url])
        visit = brain.take(answer, reason=f"new on {row.found}")
        if visit.target is not None:
            self._frontier.settle([visit.target])
            if visit.target not in self.schedule and not self._lists.is_done(visit.target):
                self.schedule.put(Watched(visit.target, "new", wall, found=row.found))
        elif answer.page is not None and visit.outcome == "feed":
            kind: Literal["feed", "sitemap"] = "sitemap" if answer.page.kind == "sitemap" else "feed"
            self._lists.read(Watched(row.url, kind, wall), answer.page, wall)
        elif answer.page is not None and visit.outcome == "page":
            self._new_page(visit, answer, answer.page, wall)

    def _new_page(self, visit: VisitRow, answer: Answer, page: Digest, wall: float) -> None:
        self.summary.new += 1
        self.summary.new_on_topic += visit.on_topic
        if visit.on_topic and visit.duplicate is None and not visit.unkept:
            self._revisions.begin(visit, answer, wall)
        self.on_finding(Finding(what="new", url=page.url, title=page.title, on_topic=visit.on_topic, at=wall))

    # -- telling --------------------------------------------------------------------------------------------

    def _find(self, row: Watched | None, wall: float) -> None:
        if row is not None:
            self.summary.changed += 1
            self._tell("changed", row, wall)

    def _tell(self, what: Literal["changed", "gone", "back"], row: Watched, wall: float) -> None:
        visit = self._brain.store.visit(row.visit)
        url = self._brain.store.url(row.url).url
        self.on_finding(Finding(what=what, url=url, title=visit.title, on_topic=visit.on_topic, at=wall))


def _nobody(_finding: Finding) -> None:
    """Nobody is listening."""
