"""Hands as processes of this machine: the way to use a second core, and none of them is to be relied on.

A worker may be killed, stopped, or hang over a page. It is replaced, and its orders come back as our own fault, to be
given again in their hosts' next turn. An order that was under way at two deaths is suspect: it is carried out by a
worker that has nothing else to do, so that a page that kills is told from those that only stood beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator

import msgspec

from honeyguide.crawling.channel import Channel
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.inbox import Inbox
from honeyguide.crawling.line import Line
from honeyguide.crawling.task import Task
from honeyguide.page.digest import decode
from honeyguide.store.packing import unpack

__all__ = ["ProcessHands", "start_child"]

_REMEMBERED = 256
_MOST_WAITING = 1_000  # orders whose host's name is being looked up, which take nobody's place
_TICK = 1.0
_SILENT = 60  # ticks without a word from a worker, after which it hangs
_SUSPECT, _GUILTY = 2, 4  # deaths over an order: from the first number on it is alone in its process
_STILLBORN = 5  # workers in a row that died before their first word
_FAREWELL = 1.0  # seconds for a worker to go by itself

Key = tuple[str, int]


@contextlib.contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Have Ctrl-C wait. A child keeps what was so when it began; it would not yet ignore one that comes at once."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_child(module: str) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """A process of our own that runs a module, and the socket to it.

    A plain child, not multiprocessing's: that would run the user's own script again in every worker. And with a safe
    path: Python would look for modules in the working directory first, where the files are the user's, not ours. And
    deaf to Ctrl-C, which a terminal sends to all: to us it means that we are to send our children home. And with one
    thread for products of matrices: there is a process for each core already.
    """
    ours, theirs = socket.socketpair()
    with theirs, _ctrl_c_held_back():
        try:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-P", "-m", module, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env={"OPENBLAS_NUM_THREADS": "1", **os.environ},
            )
        except BaseException:
            ours.close()
            raise
    return process, ours


class _WorkerProcess:
    """One process and what it is working on."""

    def __init__(
        self,
        task: Task,
        share: int,
        on_message: Callable[[_WorkerProcess, bytes], None],
        on_end: Callable[[_WorkerProcess], None],
    ) -> None:
        self.process, end = start_child("honeyguide.crawling.worker")
        self.share = share
        self.orders: dict[Key, Order] = {}
        self.waiting = 0  # of them, those whose host's name is being looked up
        self.silent = 0  # ticks since its last word
        self.spoke = False
        self.channel = Channel(end, lambda message: on_message(self, message), lambda: on_end(self))
        self.channel.send(_encode(msgspec.structs.replace(task, connections=share)))

    def give(self, order: Order) -> None:
        """Have it carry out an order."""
        self.orders[order.purpose, order.number] = order
        self.channel.send(_encode(order))

    def end(self) -> int:
        """End the process, whatever state it is in; returns its exit code."""
        self.channel.close()
        self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):  # the kernel is not done with it: then without a code
            self.process.wait(_FAREWELL)
        return self.process.returncode or 0


class ProcessHands:
    """Many hands, each a process."""

    def __init__(self, task: Task, workers: int, most: int, *, silent: int = _SILENT, tick: float = _TICK) -> None:
        self.note = self._failed = ""
        self._most = most
        self._task = task
        self._silent, self._tick_length = silent, tick
        self._inbox = Inbox()
        self._line = Line(self._inbox.put, self._is_there, self._inbox.wake)
        self._workers: list[_WorkerProcess] = []
        self._ward: _WorkerProcess | None = None  # where suspects are alone
        self._suspects: deque[Order] = deque()
        self._unplaced: deque[Order] = deque()  # orders that no worker is there for
        self._deaths: dict[Key, int] = {}  # of orders: how many workers died while they were under way
        self._stillborn = 0
        self._fetched_by: dict[int, _WorkerProcess] = {}
        self._probes: dict[int, asyncio.Future[bool]] = {}
        workers = min(workers, most)
        self._shares = [most // workers + (number < most % workers) for number in range(workers)]
        self._closed = False
        self._hire()
        self._timer = asyncio.get_running_loop().call_later(tick, self._tick)

    @property
    def capacity(self) -> int:
        """How many orders may be under way now."""
        waiting = sum(worker.waiting for worker in self._everyone())
        return 0 if self._line.down else self._most + min(waiting, _MOST_WAITING)

    @property
    def pause(self) -> str:
        """What is being waited for."""
        return "waiting for the network" if self._line.down else "" if self._workers else "waiting for a worker"

    @property
    def failed(self) -> str:
        """Why nothing can go on any more."""
        return self._failed or self._line.failed

    def _everyone(self) -> list[_WorkerProcess]:
        return [*self._workers, self._ward] if self._ward is not None else self._workers

    # -- workers ----------------------------------------------------------------------------------------------

    def _hire(self) -> None:
        """Have as many workers as were asked for; where one cannot be had now, it is tried again at the next tick."""
        try:
            while self._shares:
                self._workers.append(self._new(self._shares[-1]))
                self._shares.pop()
        except OSError as error:
            self._still_none(f"worker processes cannot be started: {error.strerror or error}")
        while self._unplaced and self._workers:
            self._place(self._unplaced.popleft())

    def _new(self, share: int) -> _WorkerProcess:
        return _WorkerProcess(self._task, share, self._read, self._bury)

    def _still_none(self, why: str) -> None:
        self._stillborn += 1
        if self._stillborn >= _STILLBORN and not self._workers:
            self._failed = f"broken off: {why}"
            self._inbox.wake()

    def _tick(self) -> None:
        """Look after the workers. Ticks are counted, not seconds: they do not pass while this process is stopped."""
        for worker in list(self._everyone()):
            worker.silent += 1
            if worker.silent > self._silent:
                self._bury(worker)
        if not self.failed:
            self._hire()
        self._timer = asyncio.get_running_loop().call_later(self._tick_length, self._tick)

    def _bury(self, worker: _WorkerProcess) -> None:
        """A worker died, or hangs: end it and see to its orders."""
        if self._closed:
            return
        code = worker.end()
        if worker is self._ward:
            self._ward = None
        else:
            self._workers.remove(worker)
            self._shares.append(worker.share)
        if worker.spoke:
            for order in worker.orders.values():
                self._lost(order)
            self._stillborn = 0
            self._hire()
        else:  # it cannot have begun with anything
            self._unplaced += worker.orders.values()
            self._still_none(f"worker processes die as soon as they start, with code {code}")
        self._see_suspects()

    def _lost(self, order: Order) -> None:
        """An order was under way when a worker died: it is given again, unless it killed workers all by itself."""
        if order.purpose == "probe":
            self._probes.pop(order.number).set_result(False)
            return
        key = (order.purpose, order.number)
        deaths = self._deaths[key] = self._deaths.get(key, 0) + 1
        if deaths >= _GUILTY:
            told = f"{deaths} worker processes died over it, the last {_GUILTY - _SUSPECT} with nothing else to do"
            self._line.answered(Answer(order, error=told, lasting=True, ours=True, fetched=time.time()))
        elif order.purpose == "record":
            self.give(order)
        else:  # its host may have been asked already, and rests before it is asked again
            self._line.answered(Answer(order, error="the worker process died", ours=True, fetched=time.time()))

    # -- orders -----------------------------------------------------------------------------------------------

    def give(self, order: Order) -> None:
        """Have an order carried out, a suspect one by a worker of its own."""
        self._line.given(order)
        if self._deaths.get((order.purpose, order.number), 0) >= _SUSPECT:
            self._suspects.append(order)
            self._see_suspects()
        else:
            self._place(order)

    def _place(self, order: Order) -> None:
        """Give an order to the worker with the least to do; a record to the one that has the page's bytes."""
        worker = self._fetched_by.get(order.number) if order.purpose == "record" else None
        if worker is None or worker not in self._workers:
            if not self._workers:
                self._unplaced.append(order)
                return
            worker = min(self._workers, key=lambda one: len(one.orders) - one.waiting)
        worker.give(order)

    def _see_suspects(self) -> None:
        if self._ward is not None and self._ward.orders:
            return
        if not self._suspects:
            if self._ward is not None:  # nobody is suspect any more
                self._ward.end()
                self._ward = None
            return
        if self._ward is None:
            try:
                self._ward = self._new(1)
            except OSError:  # not now: with all the others, then
                self._place(self._suspects.popleft())
                return
        self._ward.give(self._suspects.popleft())

    async def _is_there(self, url: str) -> bool:
        number = len(self._probes)
        while number in self._probes:
            number += 1
        found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._probes[number] = found
        self._place(Order(number, url, "probe"))
        return await found

    # -- answers ----------------------------------------------------------------------------------------------

    def _read(self, worker: _WorkerProcess, message: bytes) -> None:
        worker.silent, worker.spoke = 0, True
        answer = _decode_word(message)
        if isinstance(answer, int):  # alive, and so many of its orders wait for a name
            if answer != worker.waiting:
                worker.waiting = answer
                self._inbox.wake()
            return
        order = answer.order
        worker.orders.pop((order.purpose, order.number), None)
        if order.purpose == "probe":
            self._probes.pop(order.number).set_result(bool(answer.status))
            return
        self._deaths.pop((order.purpose, order.number), None)
        if answer.packed:
            answer.page = decode(unpack(answer.packed))
            self._remember(order.number, worker)
        self._line.answered(answer)
        if worker is self._ward:
            self._see_suspects()

    def _remember(self, number: int, worker: _WorkerProcess) -> None:
        self._fetched_by[number] = worker
        if len(self._fetched_by) > _REMEMBERED:
            del self._fetched_by[next(iter(self._fetched_by))]

    async def take(self, patience: float) -> list[Answer]:
        """All answers that have come."""
        return await self._inbox.take(patience)

    async def close(self) -> None:
        """Send the workers home, and end those that do not go: what they do is given again or not wanted."""
        self._closed = True
        self._timer.cancel()
        await self._line.close()
        for worker in self._everyone():
            worker.channel.send(b"")
        patience = time.monotonic() + _FAREWELL
        while self._anyone_left() and time.monotonic() < patience:  # noqa: ASYNC110 - a process sets no event
            await asyncio.sleep(0.01)
        for worker in self._everyone():
            worker.end()

    def _anyone_left(self) -> bool:
        return any(worker.process.poll() is None for worker in self._everyone())


_encode = msgspec.msgpack.Encoder().encode
_decode_word = msgspec.msgpack.Decoder(int | Answer).decode
