"""The brain: what follows from each answer, and which order comes next. One, and cheap per page.

It does no input or output but the store's. The loop in `crawl` hands it answers and asks it for orders. What it knows
lives in four places: `ranking` (URLs, links, their order), `verdicts` (what is on topic), `keeping` (records) and
`policy` (what hosts want of us).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.host_policy import HostPolicy
from honeyguide.crawling.keeping import Keeping
from honeyguide.crawling.ranking import Ranking
from honeyguide.crawling.settings import Settings
from honeyguide.crawling.verdicts import Verdicts, relevance_of, verdict_json
from honeyguide.frontier import EXAMPLE
from honeyguide.page.digest import Digest, decode, encode
from honeyguide.page.parse import Parser, read_meaning
from honeyguide.store import Store, VisitRow
from honeyguide.store.packing import pack
from honeyguide.strategies import Strategy
from honeyguide.text.near import NearDuplicates
from honeyguide.topic import Topic
from honeyguide.web import Scope, Warc
from honeyguide.wording import counted

__all__ = ["AGAIN", "Brain"]

AGAIN = "again"  # the role of a visit that found a page changed: a replay does not show it

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
        watch: bool,
    ) -> None:
        self.topic = topic
        self.settings = settings
        self.store = store
        self.warc = warc
        self.scope = scope
        self._given = frozenset((*topic.starts, *topic.examples))  # what the user gave lies within any scope
        self.ranking = Ranking(settings, store, strategy, polite=polite, watch=watch)
        self.frontier = self.ranking.frontier
        self.traps = self.ranking.traps
        self.policy = HostPolicy(self.frontier, store, settings, polite=polite, host=self.ranking.host, ban=scope.ban)
        self.verdicts = Verdicts(topic, settings.threshold, strategy.judge(topic), settings.strategy)
        self.keeping = Keeping(settings, store)
        self.near = NearDuplicates()
        self.visits = self.on_topic = 0
        self.last_find = ""  # the last page on topic, by its title
        self._reasons: dict[int, str] = {}  # of orders that are under way
        self._floor, self._floor_at, self._floor_until = -math.inf, 0, 0.0
        self._saved = 0  # visits at the last checkpoint
        self._save_due = False  # something happened that a replay could not show again
        self.learning = False  # the examples are not in yet: nothing is judged or ranked
        self._later: list[tuple[str, list[str]]] = []  # what robots.txt files named while learning
        self.on_visit: Callable[[VisitRow, str], None] = _nobody  # told of each visit, and its URL
        self.on_turned: Callable[[VisitRow], None] = _no_one  # told of each visit whose verdict turned

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
        if (errand := self.policy.errand(now, wall)) is not None:
            return errand
        while (number := self.frontier.next(now, floor)) is not None:
            host = self.frontier.hosts[self.ranking.graph.host[number]]
            url = self.store.url(number).url
            refusal = self.traps.refusal(host.number, url)
            if not refusal and url not in self._given:
                refusal = self.scope.refusal(url)  # it may have been changed since the link was found
            if refusal:
                self._refuse(number, refusal)
                continue
            if (order := self.policy.robots_order(host.number, url, wall)) is not None:
                self.frontier.close(number)
                return order
            limit = self.settings.per_host
            if limit and host.taken > limit:
                self.frontier.put_back(number)  # not refused: with another limit the host goes on
                self.policy.park(host.number, f"its limit of {counted(limit, 'page')} is reached")
                continue
            if refusal := self.policy.refusal(host.number, url):
                self._refuse(number, refusal)
                continue
            self._reasons[number] = self.ranking.reason(number)
            return Order(number, url, meaning=not self.verdicts.glances)
        return None

    def _refuse(self, number: int, why: str) -> None:
        """A URL is not to be visited, as is found out when its turn has come."""
        self.frontier.refuse(number)
        self.store.refuse(number, why, self.store.last_visit())
        self.ranking.missed(number, "refused")

    # -- taking answers -------------------------------------------------------------------------------------

    def next_due(self) -> float | None:
        """When there may be an order again; None when nobody is being waited for."""
        times = (self.frontier.next_due(), self.policy.next_due())
        return min((time for time in times if time is not None), default=None)

    def robots(self, answer: Answer, now: float, wall: float) -> list[str]:
        """A host told its rules; returns the sitemaps it named."""
        host = answer.order.number
        found = [url for url in self.policy.robots_answer(answer, now, wall) if self.scope(url)]
        if self.frontier.hosts[host].failures or self.frontier.hosts[host].parked:
            self.traps.failed(host)
        if self.learning and found:
            self._later.append((answer.order.url, found))
        elif found:
            self.ranking.named(answer.order.url, found)
        return found

    def begin(self, examples: list[Digest], starts: tuple[str, ...]) -> None:
        """The topic is learnt: queue the starts, and whatever robots.txt files have named by now."""
        self.verdicts.learn_examples(examples)
        self.ranking.begin(self.topic, examples)
        self.learning = False
        self.ranking.starts(starts)
        self.store.set_meta(began=len(self.ranking.graph))
        for robots, urls in self._later:
            self.ranking.named(robots, urls)
        self._later = []
        self._save_due = True

    def arrived(self, answer: Answer, now: float) -> bool:
        """Let the host rest after its answer; False if the URL will be tried again."""
        number = answer.order.number
        host = int(self.ranking.graph.host[number])
        trouble = self.policy.trouble(answer)
        if trouble is None:
            self.frontier.answered(number, now)
            return True
        self.frontier.answered(number, now, again=trouble.again, wait=trouble.wait)
        if not answer.ours:
            self.traps.failed(host)
        if trouble.park:
            self.policy.park(host, trouble.park)
        return not trouble.again

    def take(self, answer: Answer, role: str = "page", reason: str = "") -> VisitRow:
        """Take in a final answer: store it, judge it, rank its links."""
        visit = self._visit(answer, role)
        visit.reason = reason or visit.reason
        self.visits += 1
        if answer.location:
            visit.outcome = "redirect"
            visit.detail, visit.target = self.redirect(answer)
            visit.id = self.store.add_visit(visit, None)
            self.ranking.missed(visit.url, "redirect")
        elif answer.page is None or answer.page.kind == "other":
            visit.outcome, visit.detail = _no_page(answer)
            visit.id = self.store.add_visit(visit, None)
            self.ranking.missed(visit.url, visit.outcome)
        else:
            self._judged(answer, answer.page, visit)
        self.met(visit)
        self.on_visit(visit, answer.order.url)
        return visit

    def revised(self, answer: Answer, page: Digest) -> VisitRow:
        """A page that was met before says something else now: store and judge it; its links are not ranked again."""
        visit = self._visit(answer, AGAIN)
        visit.reason = "it changes, and is looked at again"
        self._look(page, visit, answer)
        before = self.store.visit(visit.duplicate).url if visit.duplicate is not None else None
        if before == visit.url:  # what it said last is no other page
            visit.duplicate = None
        visit.id = self.store.add_visit(visit, answer.packed)
        self.visits += 1
        self.on_topic += visit.on_topic
        if visit.duplicate is None:
            self.near.add(page.sketch, visit.id)
        self.on_visit(visit, answer.order.url)
        return visit

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
            priority=self.frontier.priority(number),
            reason=self._reasons.pop(number, ""),
        )
        if answer.member and self.warc is not None:
            visit.warc, visit.warc_size = self.warc.append(answer.member), len(answer.member)
        return visit

    def redirect(self, answer: Answer) -> tuple[str, int | None]:
        """Send a redirect's target through the frontier, so that scope, robots, guard and pace hold for it.

        Returns where it leads, and why it is not followed if it is not; and the target's number if it is.
        """
        number, target = answer.order.number, answer.location
        _, depth, hops = self.ranking.writer.known(number)
        if hops >= self.settings.hops:
            return f"{target} (not followed: {hops} redirects in a row)", None
        if refusal := self.scope.refusal(target):
            return f"{target} (not followed: {refusal})", None
        (found,) = self.ranking.add([target], parent=number, depth=depth, hops=hops + 1)
        if found < 0 or found == number:
            return f"{target} (not followed)", None
        self.ranking.moved(number, found)
        return target, found

    def _judged(self, answer: Answer, page: Digest, visit: VisitRow) -> None:
        self._look(page, visit, answer)
        visit.id = self.store.add_visit(visit, answer.packed)
        if page.kind == "html":
            self.on_topic += visit.on_topic
            if visit.duplicate is None:
                self.near.add(page.sketch, visit.id)
            if visit.on_topic:
                self.keeping.keep(visit, page)
        self.ranking.writer.answered(visit.url, visit.outcome, relevance=page.relevance, on_topic=visit.on_topic)
        if visit.role == "page":
            self.ranking.met(page, visit.url, visit.id)
            self.ranking.rank(page)
        if page.kind == "html":
            example = self.frontier.kind(visit.url) == EXAMPLE
            graph = self.ranking.graph
            start = self.verdicts.began_at(page.url, int(graph.depth[visit.url]), int(graph.parent[visit.url]))
            due = self.verdicts.met(visit.id, page, example=example, start=start)
            if due or (example and self.verdicts.late_example(page)):
                self.verdicts.relearn()
                self.rejudge()

    def _look(self, page: Digest, visit: VisitRow, answer: Answer) -> None:
        """Note what a page says, and judge it."""
        visit.outcome = _OUTCOMES[page.kind]
        visit.title, visit.language = page.title, page.language
        visit.words, visit.fingerprint = page.words, page.fingerprint
        if page.kind == "html":
            visit.sketch, visit.duplicate = page.sketch, self.near.find(page.sketch)
            verdict = self.verdicts(page, partial(self._read_closely, answer, page) if answer.unread else None)
            page.relevance = relevance_of(verdict.probability, self.verdicts.name)
            page.on_topic = verdict.on_topic
            if answer.cut is not None and self.ranking.worth_cutting(page):
                answer.cut(page)
                answer.packed = b""
            answer.packed = answer.packed or pack(encode(page))
            visit.relevance = visit.first_relevance = verdict.probability
            visit.on_topic = visit.first_on_topic = verdict.on_topic
            visit.verdict, visit.judge = verdict_json(verdict), self.verdicts.name
        visit.links, visit.detail = len(page.links), page.left_out

    def _read_closely(self, answer: Answer, page: Digest) -> Digest:
        """Read what a page is about after all; what is kept of it knows that, too."""
        read_meaning(page, answer.unread, encode=self.settings.encoder)
        answer.packed = b""  # what was packed before, if it was, knew nothing of that
        return page

    # -- verdicts and checkpoints ---------------------------------------------------------------------------

    def rejudge(self) -> int:
        """Judge all visited pages again; returns how many verdicts turned."""
        rows: list[tuple[float, bool, str, int]] = []
        moved: list[tuple[int, float, bool]] = []
        turned = 0
        before = self.store.verdicts()
        for number, verdict in self.verdicts.again(self.store):
            url, relevance, on_topic = before[number]
            if verdict.probability == relevance and verdict.on_topic == on_topic:
                continue
            rows.append((verdict.probability, verdict.on_topic, verdict_json(verdict), number))
            moved.append((url, relevance_of(verdict.probability, self.verdicts.name), verdict.on_topic))
            self.on_topic += verdict.on_topic - on_topic
            turned += verdict.on_topic != on_topic
        self.store.set_verdicts(rows, self.verdicts.name)
        self.keeping.turned(
            [self._turn(number, on_topic) for _, on_topic, _, number in rows if on_topic != before[number][2]]
        )
        self.ranking.turned(moved)
        self._save_due = True  # a replay shows pages as they were judged first
        return turned

    def catch_up(self) -> bool:
        """Have the judge learn from all pages met, as it does at the end of a run; False if it has."""
        if not self.verdicts.behind:
            return False
        self.verdicts.last_look()
        self.rejudge()
        return True

    def _turn(self, number: int, on_topic: bool) -> VisitRow:
        visit = self.store.visit(number)
        blob = self.store.digest(number) if on_topic else None
        if blob is not None:
            self.keeping.keep(visit, decode(blob))
        else:
            self.keeping.drop(number)
        self.on_turned(visit)
        return visit

    def label(self, url: str, said: bool | None) -> bool:
        """A person's word on a visited page; says whether there is such a page. `relearn` takes it in."""
        row = self.store.find_url(url)
        visits = self.store.visits_of(row.id) if row is not None else []
        found = [(visit, blob) for visit in visits if (blob := self.store.digest(visit.id)) is not None]
        if not found:
            return False
        visit, blob = found[-1]
        self.store.label(url, said)
        self.verdicts.label(self._whole(visit, decode(blob)), said)
        return True

    def _whole(self, visit: VisitRow, page: Digest) -> Digest:
        """A page that is to teach: what it is about is read now, if it was not and its answer was kept."""
        if not page.glanced or self.warc is None or visit.warc is None or visit.warc_size is None:
            return page
        answer = self.warc.read(visit.warc, visit.warc_size)
        if answer is not None:
            parser = Parser(structure=False, encode=self.settings.encoder)
            again = parser.html(answer.body, page.url, charset=answer.charset)
            page.meaning, page.terms, page.order, page.glanced = again.meaning, again.terms, again.order, False
            self.store.set_digest(visit.id, pack(encode(page)))
        return page

    def change(self, settings: Settings) -> None:
        """Other settings hold from now on."""
        self.settings = self.ranking.settings = self.keeping.settings = settings
        self.policy.change(settings)
        self._floor_until = 0.0

    def save(self, *, force: bool = False) -> None:
        """Make a checkpoint when the crawl has grown by a quarter: what it costs per page stays the same."""
        if self.learning or not (force or self._save_due or self.visits >= 1.25 * self._saved + 20):
            return
        self.ranking.save()
        self._saved, self._save_due = self.visits, False


def _nobody(_visit: VisitRow, _url: str) -> None:
    """Nobody is listening."""


def _no_one(_visit: VisitRow) -> None:
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
