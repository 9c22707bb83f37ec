"""Many hands: coroutines in this process, or processes of their own."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import time
from collections import deque
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

import msgspec

from honeyguide.crawling.hands import Answer, Hand, Order
from honeyguide.crawling.settings import Settings
from honeyguide.page.digest import decode
from honeyguide.store.store import unpack
from honeyguide.web import ArchiveWeb, LiveWeb, Rules, Scope, Web
from honeyguide.web.guard import Guard

__all__ = ["Hands", "LocalHands", "ProcessHands", "Task", "make_hands", "start_child"]


_REMEMBERED = 256


class Task(msgspec.Struct, kw_only=True):
    """All a hand needs to know before its first order."""

    settings: Settings
    rules: Rules
    languages: tuple[str, ...] = ()
    structure: bool = False  # whether the strategy wants the blocks of a page
    archive: str = ""  # path of the WARC to replay; empty for the live web
    names: dict[str, tuple[str, int]] = {}  # host names led to an address of our own: the demo web
    warc: str = ""  # the crawl's own WARC, for records made later

    def web(self) -> Web:
        """The web this task is about."""
        chosen = self.settings
        if self.archive:
            return ArchiveWeb(self.archive, largest=chosen.largest)
        return LiveWeb(
            agent=chosen.agent,
            languages=self.languages,
            connect_timeout=chosen.connect_timeout,
            read_timeout=chosen.read_timeout,
            total_timeout=chosen.total_timeout,
            largest=chosen.largest,
            guard=Guard(chosen.open),
            names=self.names,
            keep=chosen.delay == 0 and chosen.workers == 1,
        )

    def hand(self) -> Hand:
        """A hand for this task."""
        warc = Path(self.warc) if self.warc else None
        chosen = self.settings
        # A process of its own reads every page closely: the brain may need it, and has enough to do.
        read = chosen.workers > 1
        return Hand(
            self.web(),
            Scope(self.rules),
            text=chosen.text,
            structure=self.structure,
            warc=warc,
            read=read,
            # As many as may be under way before the brain says which of them are worth a record.
            bodies=2 * chosen.connections if chosen.keep and (chosen.text or chosen.careful) else 0,
        )


class Hands(Protocol):
    """Where orders go and answers come from."""

    capacity: int
    note: str  # what is wrong with the web as a whole

    def give(self, order: Order) -> None:
        """Have an order carried out."""

    async def take(self, patience: float) -> list[Answer]:
        """All answers that have come; waits for the first, but not longer than told."""

    async def close(self) -> None:
        """Stop all work."""


class _Inbox:
    """Answers that have come, and whoever waits for them.

    A future and a timer of our own: asyncio's wait_for makes a task for every wait, and there is a wait for every page.
    """

    def __init__(self) -> None:
        self._answers: deque[Answer] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def put(self, answer: Answer) -> None:
        self._answers.append(answer)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def take(self, patience: float) -> list[Answer]:
        if not self._answers:
            loop = asyncio.get_running_loop()
            self._waiter = loop.create_future()
            timer = loop.call_later(patience, self._wake)
            try:
                await self._waiter
            finally:
                timer.cancel()
                self._waiter = None
        found = list(self._answers)
        self._answers.clear()
        return found


class LocalHands:
    """One hand in this process, doing many things at once."""

    def __init__(self, hand: Hand, capacity: int) -> None:
        self.capacity = capacity
        self.note = hand.note
        self._hand = hand
        self._inbox = _Inbox()
        self._tasks: set[asyncio.Task[None]] = set()

    def give(self, order: Order) -> None:
        """Start on an order."""
        task = asyncio.create_task(self._do(order))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, order: Order) -> None:
        try:
            answer = await self._hand.do(order)
        except Exception as error:  # a page that breaks a parser must not break the crawl
            answer = Answer(order, error=f"{type(error).__name__}: {error}"[:200], lasting=True, ours=True)
        self._inbox.put(answer)

    async def take(self, patience: float) -> list[Answer]:
        """All answers that have come."""
        return await self._inbox.take(patience)

    async def close(self) -> None:
        """Cancel what is under way."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hand.close()


def start_child(module: str) -> tuple[subprocess.Popen[bytes], Connection[bytes, bytes]]:
    """A process of our own that runs a module, and the pipe to it.

    A plain child, not multiprocessing's: that would run the user's own script again in every worker.
    """
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
        [sys.executable, "-m", module, str(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
    )
    theirs.close()
    return process, Connection(ours.detach())


class _Worker:
    """One process and what it is working on."""

    def __init__(self, task: Task) -> None:
        self.process, self.pipe = start_child("honeyguide.crawling.worker")
        self.pipe.send_bytes(msgspec.msgpack.encode(task))
        self.orders: dict[tuple[str, int], Order] = {}


class ProcessHands:
    """Hands as processes of this machine: the way to use a second core."""

    def __init__(self, task: Task, workers: int, capacity: int) -> None:
        self.capacity = capacity
        self.note = ""
        self._task = task
        self._inbox = _Inbox()
        self._workers: list[_Worker] = []
        self._fetched_by: dict[int, _Worker] = {}
        self._fatal: dict[str, int] = {}  # orders that were under way when a worker died, and how often
        for _ in range(workers):
            self._hire()

    def _hire(self) -> None:
        worker = _Worker(self._task)
        self._workers.append(worker)
        asyncio.get_running_loop().add_reader(worker.pipe.fileno(), self._read, worker)

    def give(self, order: Order) -> None:
        """Give an order to the worker with the least to do; a record to the one that has the page's bytes."""
        worker = self._fetched_by.get(order.number) if order.purpose == "record" else None
        if worker is None or worker not in self._workers:
            worker = min(self._workers, key=lambda one: len(one.orders))
        worker.orders[order.purpose, order.number] = order
        with contextlib.suppress(OSError):  # a worker just killed: its pipe's end is noticed by `_read`
            worker.pipe.send_bytes(_encode_order(order))

    def _read(self, worker: _Worker) -> None:
        try:
            while worker.pipe.poll():
                answer = _decode_answer(worker.pipe.recv_bytes())
                worker.orders.pop((answer.order.purpose, answer.order.number), None)
                if answer.packed:
                    answer.page = decode(unpack(answer.packed))
                    self._remember(answer.order.number, worker)
                self._inbox.put(answer)
        except (EOFError, OSError):
            self._bury(worker)

    def _remember(self, number: int, worker: _Worker) -> None:
        self._fetched_by[number] = worker
        if len(self._fetched_by) > _REMEMBERED:
            del self._fetched_by[next(iter(self._fetched_by))]

    def _bury(self, worker: _Worker) -> None:
        """A worker died: hire another; what it was doing is tried once more, in its host's next turn, then given up."""
        asyncio.get_running_loop().remove_reader(worker.pipe.fileno())
        worker.pipe.close()
        worker.process.kill()
        worker.process.wait()
        self._workers.remove(worker)
        self._hire()
        for order in worker.orders.values():
            deaths = self._fatal[order.url] = self._fatal.get(order.url, 0) + 1
            if deaths > 1:
                self._inbox.put(Answer(order, error="the worker process died over it, twice", lasting=True, ours=True))
            elif order.purpose == "record":
                self.give(order)
            else:  # its host may have been asked already
                self._inbox.put(Answer(order, error="the worker process died over it", fetched=time.time()))

    async def take(self, patience: float) -> list[Answer]:
        """All answers that have come."""
        return await self._inbox.take(patience)

    async def close(self) -> None:
        """End the processes."""
        loop = asyncio.get_running_loop()
        for worker in self._workers:
            loop.remove_reader(worker.pipe.fileno())
            with contextlib.suppress(OSError):
                worker.pipe.send_bytes(b"")
        for worker in self._workers:
            try:
                await asyncio.to_thread(worker.process.wait, 5)
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
            worker.pipe.close()


_encode_order = msgspec.msgpack.Encoder().encode
_decode_answer = msgspec.msgpack.Decoder(Answer).decode


def make_hands(task: Task) -> Hands:
    """The hands a crawl's settings ask for."""
    chosen = task.settings
    if chosen.workers == 1:
        # A file is read in no time: more than one order at once would only make the order less than best-first.
        return LocalHands(task.hand(), 1 if task.archive else chosen.connections)
    return ProcessHands(task, chosen.workers, 8 * chosen.workers if task.archive else chosen.connections)
