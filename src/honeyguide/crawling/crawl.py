"""The engine: a crawl that runs by itself. Orders out, answers in, a transaction per batch, until there is a reason to
stop; events go to whoever listens, commands come from whoever may give them, from any thread.
"""

from __future__ import annotations

import asyncio
import math
import time
from typing import NamedTuple

import msgspec

from honeyguide import __version__
from honeyguide.crawling.announce import announce
from honeyguide.crawling.bootstrap import Bootstrap
from honeyguide.crawling.brain import Brain
from honeyguide.crawling.control import Control, note_changes
from honeyguide.crawling.earlier import check_earlier
from honeyguide.crawling.ending import NOTHING_LEFT, spent, sum_up, worth_waiting
from honeyguide.crawling.events import Events
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.host_policy import FORGOTTEN
from honeyguide.crawling.mailbox import Mailbox
from honeyguide.crawling.manifest import manifest
from honeyguide.crawling.pool import Hands, Task, make_hands
from honeyguide.crawling.progress import Progress, Summary
from honeyguide.crawling.questions import load_settings
from honeyguide.crawling.resume import mend, restore
from honeyguide.crawling.settings import Settings, check_encoder
from honeyguide.crawling.task import cuts_all
from honeyguide.errors import CrawlFolderError, TopicError
from honeyguide.page.digest import Digest
from honeyguide.store import Folder, Store
from honeyguide.strategies import Strategy, make
from honeyguide.topic import Topic
from honeyguide.topic.clicks import log_of
from honeyguide.web import Scope, Warc, check_archive, info_record
from honeyguide.web.guard import Guard

__all__ = ["Crawl", "Replay"]

_BATCH = 64  # answers per transaction at the most
_SECOND = 1.0  # and seconds
_USER = "stopped by the user"


class Replay(NamedTuple):
    """A crawl over pages that were fetched and parsed before, as in a race: the engine is the same."""

    strategy: Strategy
    hands: Hands
    examples: list[Digest]  # given as they are, not fetched


class Crawl:
    """One run of a crawl in its folder."""

    def __init__(
        self,
        folder: Folder,
        topic: Topic,
        settings: Settings,
        *,
        names: dict[str, tuple[str, int]] | None = None,
        opened: tuple[str, ...] = (),
        replay: Replay | None = None,
    ) -> None:
        self.folder = folder
        self.topic = topic
        self.settings = settings
        self.events = Events()
        self.control = Control(self)
        self._mail = Mailbox(folder, self.control)
        self._names = names or {}
        self._opened = opened  # addresses of our own that are open for this run only: the demo server
        self._replay = replay
        self._hands: Hands | None = None
        self._out: dict[tuple[str, int], Order] = {}
        self._stop, self._stopped = "", 0.0  # why it is asked to end, and since when it is ending
        self._since_commit = 0
        self._urgent = False  # what a host asked of us must be on disk before the host is asked again
        self._committed = 0.0
        self.mended: list[str] = []  # what was found damaged
        self._begun = time.monotonic()
        self._url = ""  # visited last

    # -- setting up -----------------------------------------------------------------------------------------

    def create(self) -> None:
        """Begin a new crawl in an empty folder."""
        if not self.topic.starting_points:
            raise TopicError("the crawl has nowhere to start: give starts or examples")
        # All that can be wrong with the input comes before the first file is written.
        replay = self._replay
        strategy = replay.strategy if replay else make(self.settings.strategy, self.settings.strategy_settings)
        check_earlier(self.settings, strategy)
        check_encoder(self.settings.encoder)
        archive = self._archive()
        scope = Scope(self.settings.rules(self.topic))
        Guard(self.settings.open)
        if replay is None:
            log_of(self.topic)
        self.folder.prepare()
        self.folder.lock()
        self.folder.clear()
        store = Store.create(self.folder.unborn)
        store.begin()
        store.set_meta(settings=msgspec.to_builtins(self.settings), started=time.time(), seconds=0.0, warc=0)
        store.close()
        self.folder.begin(self.topic.to_toml())
        store = Store.open(self.folder.database)
        store.begin()
        self._make_brain(store, self._warc(0), strategy, scope, archive)
        self._before = 0.0
        self.bootstrap = Bootstrap(self.brain, replay.examples if replay else ())
        self.bootstrap.begin()

    def open(self, *, retry: bool = False) -> None:
        """Continue a crawl where it was left, however it ended; with `retry`, hosts given up are tried again."""
        if not self.folder.is_crawl():
            raise CrawlFolderError(f"{self.folder.path} is not a crawl: it holds no {self.folder.database.name}")
        strategy = make(self.settings.strategy, self.settings.strategy_settings)
        check_encoder(self.settings.encoder)
        archive = self._archive()
        scope = Scope(self.settings.rules(self.topic))
        self.folder.lock()
        store: Store | None = None
        warc: Warc | None = None
        try:
            store = Store.open(self.folder.database)
            self.mended = mend(self.folder, store)
            warc = self._warc(store.meta("warc", 0))
            self._make_brain(store, warc, strategy, scope, archive)
            before = load_settings(store)
            note_changes(self, before)
            self._wake(store, retry=retry)
            chosen = self.settings
            changed = (before.threshold, before.strategy) != (chosen.threshold, chosen.strategy)
            if self.bootstrap.over and (changed or self.brain.verdicts.outdated):
                self.brain.rejudge()  # by another threshold, the judge that another strategy brings, or a newer version
        except BaseException:
            self._let_go(store, warc)
            raise

    def _make_brain(self, store: Store, warc: Warc | None, strategy: Strategy, scope: Scope, archive: str) -> None:
        how = {"polite": not archive, "watch": self._replay is None}  # a race counts every page, dead ones too
        self.brain = Brain(self.topic, self.settings, store, warc, strategy, scope, **how)
        announce(self.brain, self.events)

    def _wake(self, store: Store, *, retry: bool) -> None:
        self._before = store.meta("seconds", 0.0)
        self.bootstrap = Bootstrap(self.brain)
        self.bootstrap.over = restore(self.brain)
        if not self.bootstrap.over:
            self.bootstrap.begin()
            self.brain.frontier.rest(time.monotonic())
        self.brain.policy.hold(time.monotonic(), time.time())
        for host in self.brain.frontier.hosts if retry else ():
            if host.parked and host.parked != FORGOTTEN:
                self.brain.policy.unpark(host.number, time.monotonic())

    def _archive(self) -> str:
        web = self.settings.web
        if self._replay:
            return web
        if web in ("live", "demo"):
            return ""
        return str(check_archive(web))

    def _warc(self, good: int) -> Warc | None:
        if not self.settings.warc:
            return None
        warc = Warc(self.folder.warc, good)
        if not good:
            warc.append(
                info_record({"software": f"honeyguide/{__version__}", "format": "WARC File Format 1.1"}, time.time())
            )
        return warc

    # -- running --------------------------------------------------------------------------------------------

    def stop(self, reason: str = _USER) -> None:
        """Ask the crawl to end soon; what is under way is finished or will be asked for again."""
        if reason and not self._stop:
            self._stop, self._stopped = reason, time.monotonic()

    async def run(self) -> Summary:
        """Crawl until there is a reason to stop."""
        self._begun = time.monotonic()
        hands = self._hands = self._replay.hands if self._replay else make_hands(self.task())
        self._committed = time.monotonic()
        self.brain.store.begin()
        self.brain.store.set_meta(stop_reason="")
        try:
            reason = await self._loop(hands)
            self.settle(force=True, save=True)
            return self._finish(reason)
        finally:
            try:
                await hands.close()
            finally:
                self.close()

    async def make_records(self) -> None:
        """Have the records made that are wanted, from what was fetched before; no page is asked for."""
        hands = make_hands(self.task())
        try:
            while self.brain.keeping.wanted or self._out:
                self._dispatch_records(hands)
                await self._take(hands, _SECOND)
        finally:
            await hands.close()

    def task(self) -> Task:
        """What its hands need to know."""
        return Task(
            settings=msgspec.structs.replace(self.settings, open=self.settings.open + self._opened),
            rules=self.settings.rules(self.topic),
            languages=self.topic.languages,
            structure=self.brain.ranking.strategy.structure,
            cut_all=cuts_all(self.topic.kind),
            archive=self._archive(),
            names=self._names,
            warc=str(self.folder.warc) if self.settings.warc else "",
        )

    async def _loop(self, hands: Hands) -> str:
        while True:
            self.brain.store.begin()  # orders, too, may change what is stored
            self.hear()
            under_way = {order.number for order in self._out.values()}
            if not self.bootstrap.over and self.bootstrap.check(under_way, room=self._room()):
                self.stop(self.bootstrap.failed)
            self.stop(hands.failed)
            reason = self._reason()
            giving = not (reason or self.control.paused or self.brain.keeping.behind)
            if giving:
                self._dispatch(hands)
            self._dispatch_records(hands)
            due = self.brain.next_due()
            if reason and not self._worth_waiting():
                await self._take(hands, 0.0)  # what has come by now is kept
                return reason
            if giving and not self._out and due is None:  # nobody rests, so what is left is all there is, however poor
                self._dispatch(hands, choosy=False)
                if not self._out:
                    if self.brain.catch_up():
                        continue  # and there may be records to be made
                    return NOTHING_LEFT
            wait = _SECOND
            if due is not None and len(self._out) < hands.capacity and giving and self._room():
                wait = min(wait, max(0.0, due - time.monotonic()))
            await self._take(hands, wait)
            self.settle()

    def hear(self) -> bool:
        """Carry out what others have said; whether somebody waits to be told that it is on disk."""
        self._mail.look()
        self.control.obey()
        return self._mail.unanswered

    def _reason(self) -> str:
        """Why it is time to stop; empty when it is not, as where less was found than it seemed before a last look."""
        found = spent(self.settings, self.brain.visits, self.brain.on_topic, self.seconds)
        if found and not self._stop and self.brain.catch_up():
            return self._reason()
        return self._stop or found

    def _worth_waiting(self) -> bool:
        """Whether a crawl that is to end waits for what is under way."""
        self._stopped = self._stopped or time.monotonic()
        late = bool(self.settings.seconds) and self.seconds >= self.settings.seconds
        under_way = {order.purpose for order in self._out.values()}
        return worth_waiting(under_way, time.monotonic() - self._stopped, late=late, stopped=bool(self._stop))

    @property
    def seconds(self) -> float:
        """How long the crawl has run, over all its runs; the time in which it is only watched does not count."""
        return self._before + (time.monotonic() - self._begun if self._hands is not None else 0.0)

    def _dispatch(self, hands: Hands, *, choosy: bool = True) -> None:
        now, wall = time.monotonic(), time.time()
        floor = self.brain.floor(now, hands.capacity) if choosy else -math.inf
        while len(self._out) < hands.capacity and self._room():
            order = self.brain.next_order(now, wall, floor)
            if order is None:
                return
            self._give(hands, order)

    def _room(self) -> bool:
        """Whether a further page fits into the budget, those under way counted."""
        under_way = sum(order.purpose == "page" for order in self._out.values())
        return self.brain.visits + self.bootstrap.fetched + under_way < self.settings.pages

    def _dispatch_records(self, hands: Hands) -> None:
        while len(self._out) < hands.capacity + 2 and (order := self.brain.keeping.next_order()) is not None:
            self._give(hands, order)

    def _give(self, hands: Hands, order: Order) -> None:
        self._out[order.purpose, order.number] = order
        hands.give(order)

    async def _take(self, hands: Hands, wait: float) -> None:
        for answer in await hands.take(wait):
            self._out.pop((answer.order.purpose, answer.order.number), None)
            self.brain.store.begin()
            self._since_commit += 1
            self._one(answer)

    def _one(self, answer: Answer) -> None:
        now = time.monotonic()
        if answer.order.purpose == "record":
            self.brain.keeping.made(answer)
        elif answer.order.purpose == "robots":
            self.brain.robots(answer, now, time.time())
            self._urgent = True
        elif not self.bootstrap.over:
            self._urgent |= answer.retry_after > 0
            self.bootstrap.take(answer, now)
        else:
            self._urgent |= answer.retry_after > 0
            self._url = answer.order.url
            if self.brain.arrived(answer, now):
                self.brain.take(answer)

    # -- settling -------------------------------------------------------------------------------------------

    def settle(self, *, force: bool = False, save: bool = False) -> None:
        """Make the batch durable when it is large or old enough, and tell of it."""
        now = time.monotonic()
        if not (force or self._urgent) and self._since_commit < _BATCH and now - self._committed < _SECOND:
            return
        brain = self.brain
        brain.store.begin()
        if brain.warc is not None:
            if save:
                brain.warc.sync()
            brain.store.set_meta(warc=brain.warc.size)
        brain.store.set_meta(judge=brain.verdicts.history(), seconds=self.seconds)
        brain.save(force=save)
        brain.store.commit()
        self._mail.settled()
        self._since_commit, self._urgent = 0, False
        self._committed = now
        if self._hands is not None and self.events.wanted(Progress):
            self.events.add(self.progress())
        self.events.settled()

    @property
    def _phase(self) -> str:
        if self.control.paused:
            return "paused"
        waiting = self._hands.pause if self._hands else ""
        return waiting or ("crawling" if self.bootstrap.over else "learning the topic")

    def progress(self) -> Progress:
        """How far the crawl is."""
        brain = self.brain
        return Progress(
            phase=self._phase,
            pages=brain.visits + self.bootstrap.fetched,
            budget=self.settings.pages,
            on_topic=brain.on_topic,
            records=brain.keeping.kept,
            queued=brain.frontier.queued,
            known=len(brain.ranking.graph),
            hosts=len(brain.frontier.hosts),
            under_way=len(self._out),
            seconds=self.seconds,
            url=self._url,
            found=self.brain.last_find,
            limit=self.settings.seconds,
        )

    def _finish(self, reason: str) -> Summary:
        store = self.brain.store
        store.begin()
        store.set_meta(seconds=self.seconds, ended=time.time(), stop_reason=reason)
        store.commit()
        self.write_manifest()
        return sum_up(self, reason, self._hands.note if self._hands is not None else "")

    def write_manifest(self) -> None:
        """Write down all one needs to defend or repeat the crawl."""
        self.folder.write_manifest(manifest(self.folder, self.brain, self.topic, self.settings))

    def close(self) -> None:
        """Close files and let others have the folder; what is not settled is as if it had never been."""
        self._let_go(self.brain.store, self.brain.warc)

    def _let_go(self, store: Store | None, warc: Warc | None) -> None:
        self.control.close()
        self.events.close()
        if warc is not None:
            warc.close()
        if store is not None:
            store.abandon()
        self.folder.unlock()


def run(crawl: Crawl) -> Summary:
    """Run a crawl to its end from code that is not asynchronous."""
    return asyncio.run(crawl.run())
