"""The brain: judges, ranks, queues, stores. One, and cheap per page.

It does no input or output but the store's. The loop in `crawl` hands it answers and asks it for orders.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable

import msgspec

from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.jury import Jury, verdict_json
from honeyguide.crawling.manners import Manners
from honeyguide.crawling.settings import Settings
from honeyguide.crawling.traps import SITEMAPS_ONLY, Traps
from honeyguide.errors import HoneyguideError
from honeyguide.frontier import Frontier
from honeyguide.page.digest import Digest, decode
from honeyguide.page.record import Record
from honeyguide.store import RecordStore, Store, VisitRow
from honeyguide.strategies import Ranked, Strategy, blamed
from honeyguide.text.near import NearDuplicates
from honeyguide.topic import Topic
from honeyguide.web import Scope, Warc
from honeyguide.web.urls import host_of, key_of

__all__ = ["Brain"]

EXAMPLE, START = 1e9, 1e6  # before anything a strategy may say
_OUTCOMES = {"html": "page", "pdf": "pdf", "feed": "feed", "sitemap": "feed"}


class Brain:
    """Everything a crawl knows, and what follows from each answer."""

    def __init__(
        self,
        topic: Topic,
        settings: Settings,
        store: Store,
        warc: Warc | None,
        strategy: Strategy,
        scope: Scope,
        *,
        polite: bool,
    ) -> None:
        self.topic = topic
        self.settings = settings
        self.store = store
        self.records = RecordStore(store.connection)
        self.warc = warc
        self.strategy = strategy
        self.scope = scope
        self.frontier = Frontier(delay=settings.delay if polite else 0.0, slots=settings.at_once if polite else 10**9)
        self.manners = Manners(self.frontier, store, settings, polite=polite, host=self.host, ban=scope.ban)
        self.traps = Traps(self.frontier, watch=polite, pages=settings.pages)
        self.jury = Jury(topic, settings.threshold)
        self.near = NearDuplicates()
        self.visits = self.on_topic = self.kept = self.ranked_pages = 0
        self._floor, self._floor_at, self._floor_until = -math.inf, 0, 0.0
        self._saved = 0  # visits when the strategy was last saved
        self._quick: dict[int, Record] = {}  # quick records of visits whose careful one is being made
        self.wanted: list[Order] = []  # records to be made
        self.learning = False  # the examples are not in yet: nothing is judged or ranked
        self.later: list[Ranked] = []  # links met while learning
        self.on_record: Callable[[Record], None] = _nobody

    # -- finding URLs ---------------------------------------------------------------------------------------

    def host(self, url: str) -> int:
        """The number of a URL's host, which is stored when it is new."""
        before = len(self.frontier.hosts)
        number = self.frontier.host(host_of(url))
        if number == before:
            self.store.add_host(number, self.frontier.hosts[number].name)
        return number

    def offer(
        self,
        ranked: Iterable[Ranked],
        *,
        parent: int | None,
        depth: int,
        hops: int = 0,
        anchors: dict[str, str] | None = None,
    ) -> None:
        """Queue links by their rank; one that is queued already is raised, never lowered."""
        frontier, limit = self.frontier, self.settings.depth
        rows: list[tuple[int, str, int, int, int, int | None, str]] = []
        changed: list[tuple[int, float, str]] = []
        for url, priority, reason in ranked:
            if not math.isfinite(priority):
                raise self._mistake(url, priority)
            key = key_of(url)
            number = frontier.find(key)
            if number is None:
                if limit and depth > limit:
                    continue
                host = self.host(url)
                if self.traps.full(host):
                    continue
                number = frontier.add(key, host, priority, depth=depth, hops=hops)
                rows.append((number, url, host, depth, hops, parent, (anchors or {}).get(url, "")))
            elif not frontier.raise_to(number, priority):
                continue
            changed.append((number, priority, reason))
        if rows:
            self.store.add_urls(rows)
        if self.traps.crowded:
            self.store.set_meta(crowded=self.traps.crowded)
        self._log(changed)

    def revise(self) -> None:
        """Let the strategy change its mind about queued URLs."""
        changed: list[tuple[int, float, str]] = []
        with blamed(self.settings.strategy, "at ranking queued URLs anew"):
            revised = list(self.strategy.revise())
        known, above = self.frontier, START if self.strategy.starts_first else math.inf
        for url, priority, reason in revised:
            if not math.isfinite(priority):
                raise self._mistake(url, priority)
            number = known.find(key_of(url))
            if number is not None and known.priority[number] < above and known.revise(number, priority):
                changed.append((number, priority, reason))
        self._log(changed)

    def _mistake(self, url: str, priority: float) -> HoneyguideError:
        return HoneyguideError(
            f"strategy '{self.settings.strategy}' gave {url} the priority {priority}; "
            "a priority must be a finite number"
        )

    def _log(self, changed: list[tuple[int, float, str]]) -> None:
        if changed:
            numbers, priorities, reasons = zip(*changed, strict=True)
            row = self.store.add_ranks(array("q", numbers), array("d", priorities), list(reasons))
            for number in numbers:
                self.frontier.rank_row[number] = row

    # -- giving orders --------------------------------------------------------------------------------------

    def floor(self, now: float, room: int) -> float:
        """The priority below which a link is not worth a page of the budget; looked up anew now and then."""
        every = max(8, self.frontier.queued // 500)
        # By the clock, too: a host that turned out to be slow must not hold up the others until it has answered.
        if self.visits >= self._floor_at + every or self.visits < self._floor_at or now >= self._floor_until:
            self._floor_at, self._floor_until = self.visits, now + max(0.25, self.frontier.queued / 500_000)
            wanted = max(room, int(self.settings.choosy * (self.settings.pages - self.visits)))
            patience = max(5.0, 3 * self.settings.delay)
            self._floor = self.frontier.floor(wanted, now, patience) if self.settings.choosy else -math.inf
        return self._floor

    def next_order(self, now: float, wall: float, floor: float = -math.inf) -> Order | None:
        """The next order worth giving right now: a page, or the robots.txt that must be read before it."""
        if (errand := self.manners.errand(now, wall)) is not None:
            return errand
        while (number := self.frontier.next(now, floor)) is not None:
            known = self.frontier.known(number)
            host = self.frontier.hosts[known.host]
            url = self.store.url(number).url
            if refusal := self.traps.refusal(known.host, url):
                self.frontier.refuse(number)
                self.store.refuse(number, refusal)
                continue
            if (order := self.manners.robots_order(known.host, url, wall)) is not None:
                self.frontier.close(number)
                return order
            limit = self.settings.per_host
            if limit and host.taken > limit:
                self.frontier.refuse(number)
                self.manners.park(known.host, f"its limit of {limit} pages is reached")
                continue
            if refusal := self.manners.refusal(known.host, url):
                self.frontier.refuse(number)
                self.store.refuse(number, refusal)
                continue
            return Order(number, url)
        return None

    # -- taking answers -------------------------------------------------------------------------------------

    def next_due(self) -> float | None:
        """When there may be an order again; None when nobody is being waited for."""
        times = (self.frontier.next_due(), self.manners.next_due())
        return min((time for time in times if time is not None), default=None)

    def robots(self, answer: Answer, now: float, wall: float) -> None:
        """A host told its rules."""
        host = answer.order.number
        found = self.manners.robots_answer(answer, now, wall)
        if self.frontier.hosts[host].failures or self.frontier.hosts[host].parked:
            self.traps.failed(host)
        ranked = [Ranked(url, 0.0, "named in robots.txt") for url in found if self.scope(url)]
        if self.learning:
            self.later += ranked
        else:
            self.offer(ranked, parent=None, depth=0)

    def arrived(self, answer: Answer, now: float) -> bool:
        """Let the host rest after its answer; False if the URL will be tried again."""
        number = answer.order.number
        trouble = self.manners.trouble(answer)
        if trouble is None:
            self.frontier.answered(number, now)
            return True
        self.frontier.answered(number, now, again=trouble.again, wait=trouble.wait)
        if not answer.ours:
            self.traps.failed(self.frontier.known(number).host)
        if trouble.park:
            self.manners.park(self.frontier.known(number).host, trouble.park)
        return not trouble.again

    def take(self, answer: Answer, role: str = "page") -> None:
        """Take in a final answer: store it, judge it, rank its links."""
        visit = self._visit(answer, role)
        self.visits += 1
        if answer.location:
            visit.outcome, visit.detail = "redirect", self.redirect(answer)
            self.store.add_visit(visit, None)
        elif answer.page is None or answer.page.kind == "other":
            visit.outcome, visit.detail = _no_page(answer)
            self.store.add_visit(visit, None)
        else:
            self._judged(answer, answer.page, visit)
        self.met(visit)

    def met(self, visit: VisitRow) -> None:
        """Have the watch over traps see what a visit brought."""
        if not self.traps.watch:
            return
        found = self.store.url(visit.url)
        parent = self.store.url(found.parent) if found.parent is not None else None
        self.traps.met(found.host, found.url, visit, parent and (parent.host, parent.url))

    def _visit(self, answer: Answer, role: str) -> VisitRow:
        number = answer.order.number
        visit = VisitRow(
            url=number,
            role=role,
            fetched=answer.fetched,
            status=answer.status,
            outcome="",
            media=answer.media,
            size=answer.size,
            seconds=round(answer.seconds, 4),
            priority=self.frontier.priority[number],
        )
        if answer.member and self.warc is not None:
            visit.warc, visit.warc_size = self.warc.append(answer.member), len(answer.member)
        return visit

    def redirect(self, answer: Answer) -> str:
        """Send a redirect's target through the frontier, so that scope, robots, guard and pace hold for it.

        Returns where it leads, and why it is not followed if it is not.
        """
        number, target = answer.order.number, answer.location
        known = self.frontier.known(number)
        if known.hops >= self.settings.hops:
            return f"{target} (not followed: {known.hops} redirects in a row)"
        if refusal := self.scope.refusal(target):
            return f"{target} (not followed: {refusal})"
        ranked = Ranked(target, self.frontier.priority[number], f"redirect from {answer.order.url}")
        self.offer([ranked], parent=number, depth=known.depth, hops=known.hops + 1)
        return target

    def _judged(self, answer: Answer, page: Digest, visit: VisitRow) -> None:
        visit.outcome = _OUTCOMES[page.kind]
        visit.title, visit.language = page.title, page.language
        visit.words, visit.links, visit.fingerprint = page.words, len(page.links), page.fingerprint
        visit.detail = page.left_out
        if page.kind == "sitemap" and page.links and all(link.rel == "sitemap" for link in page.links):
            visit.detail = SITEMAPS_ONLY
        if page.kind == "html":
            visit.duplicate = self.near.find(page.fingerprint)
            verdict = self.jury(page)
            page.relevance, page.on_topic = verdict.probability, verdict.on_topic
            visit.relevance = visit.first_relevance = verdict.probability
            visit.on_topic = visit.first_on_topic = verdict.on_topic
            visit.verdict = verdict_json(verdict)
            if visit.on_topic:  # shown in reports; of other pages it can be read from the log of ranks
                visit.reason = self.store.reason(self.frontier.rank_row[visit.url], visit.url)
        visit.id = self.store.add_visit(visit, answer.packed)
        if page.kind == "html":
            self.on_topic += visit.on_topic
            if visit.duplicate is None:
                self.near.add(page.fingerprint, visit.id)
            if visit.on_topic:
                self.keep(visit, page)
        if visit.role == "page":
            self._rank(page, visit.url)
        if page.kind == "html" and self.jury.met(visit.id, page, example=visit.priority == EXAMPLE):
            self.jury.relearn()
            self.rejudge()

    def _rank(self, page: Digest, number: int) -> None:
        depth = self.frontier.known(number).depth + 1
        anchors = {link.url: link.anchor for link in page.links}
        with blamed(self.settings.strategy, f"on {page.url}"):
            ranked = list(self.strategy.page(page))
        self.offer(ranked, parent=number, depth=depth, anchors=anchors)
        self.ranked_pages += 1
        every = self.strategy.revise_every
        if every and self.ranked_pages % every == 0:
            self.revise()

    # -- records --------------------------------------------------------------------------------------------

    def keep(self, visit: VisitRow, page: Digest) -> None:
        """A page is on topic: have its record made, unless it is a copy or asks not to be kept."""
        if visit.duplicate is not None or page.noindex or not self.settings.keep:
            return
        self._quick[visit.id] = Record(
            url=page.url,
            title=page.title,
            published=page.published or None,
            source=host_of(page.url).rpartition(":")[0],
            language=page.language,
            description=page.description,
            kind="article" if page.article else "page",
            careful=False,
        )
        careful = self.settings.careful
        place = (visit.warc, visit.warc_size)
        self.wanted.append(Order(visit.url, page.url, "record", *place, page.language, visit.id, careful))

    def _put(self, visit: VisitRow, record: Record) -> None:
        parent = self.store.url(visit.url).parent
        record.parent = self.store.url(parent).url if parent is not None else None
        record.relevance, record.fetched = round(visit.relevance, 4), visit.fetched
        self.records.put(visit.id, record)
        self.kept += 1
        self.on_record(record)

    def record(self, answer: Answer) -> None:
        """A record was made; if the careful one could not be, the quick one must do."""
        number = answer.order.visit
        quick = self._quick.pop(number, None)
        record = msgspec.json.decode(answer.record, type=Record) if answer.record else quick
        visit = self.store.visit(number)
        if record is not None and visit.on_topic:
            record.text = record.text or answer.text
            self._put(visit, record)

    def save_strategy(self, *, force: bool = False) -> None:
        """Save what the strategy has learnt, when the crawl has grown by a quarter: cost per page stays flat."""
        if self.learning or (not force and self.visits < 1.25 * self._saved + 20):
            return
        last = self.store.last_visit()
        with blamed(self.settings.strategy, "at saving what it has learnt"):
            state = self.strategy.save()
        self.store.save_state("strategy", last, state)
        self._saved = self.visits

    def rejudge(self) -> int:
        """Judge all visited pages again; returns how many verdicts turned."""
        turned = 0
        rows: list[tuple[float, bool, str, int]] = []
        before = self.store.on_topic()
        for number, verdict in self.jury.again(self.store):
            rows.append((verdict.probability, verdict.on_topic, verdict_json(verdict), number))
            if verdict.on_topic != (number in before):
                turned += 1
                visit, blob = self.store.visit(number), self.store.digest(number)
                visit.on_topic, visit.relevance = verdict.on_topic, verdict.probability
                if verdict.on_topic and blob is not None:
                    self.keep(visit, decode(blob))
                else:
                    self.kept -= self.records.drop(number)
                    self.wanted = [order for order in self.wanted if order.visit != number]
        self.store.set_verdicts(rows)
        self.on_topic = sum(row[1] for row in rows)
        return turned


def _nobody(_: Record) -> None:
    """Nobody is listening."""


def _no_page(answer: Answer) -> tuple[str, str]:
    """What to call an answer that holds no page, and why."""
    if not answer.status:
        return "failed", answer.error
    if 400 <= answer.status < 500:
        return "missing", answer.error or f"status {answer.status}"
    if answer.status != 200:
        return "failed", answer.error or f"status {answer.status}"
    return "unwanted", answer.error or (f"media type {answer.media}" if answer.size else "empty")
