"""Many hands: coroutines in this process, or processes of their own."""

from __future__ import annotations

import asyncio
from typing import Protocol

from honeyguide.crawling.hands import Answer, Hand, Order
from honeyguide.crawling.inbox import Inbox
from honeyguide.crawling.line import Line
from honeyguide.crawling.processes import ProcessHands
from honeyguide.crawling.task import Task

__all__ = ["Hands", "LocalHands", "ProcessHands", "Task", "make_hands"]

_MOST_WAITING = 1_000  # orders whose host's name is being looked up, which take nobody's place


class Hands(Protocol):
    """Where orders go and answers come from."""

    @property
    def capacity(self) -> int:
        """How many orders may be under way now; none while the network is down."""

    @property
    def note(self) -> str:
        """What is wrong with the web as a whole."""

    @property
    def pause(self) -> str:
        """What is being waited for before anything can go on; empty when all goes on."""

    @property
    def failed(self) -> str:
        """Why nothing can go on any more; empty while it can."""

    def give(self, order: Order) -> None:
        """Have an order carried out."""

    async def take(self, patience: float) -> list[Answer]:
        """All answers that have come; waits for the first, but not longer than told."""

    async def close(self) -> None:
        """Stop all work."""


class LocalHands:
    """One hand in this process, doing many things at once."""

    def __init__(self, hand: Hand, most: int) -> None:
        self.note = hand.note
        self._most = most
        self._hand = hand
        self._inbox = Inbox()
        self._line = Line(self._inbox.put, hand.is_there, self._inbox.wake)
        self._tasks: set[asyncio.Task[None]] = set()
        hand.on_waiting = self._inbox.wake

    @property
    def capacity(self) -> int:
        """How many orders may be under way now."""
        return 0 if self._line.down else self._most + min(self._hand.waiting, _MOST_WAITING)

    @property
    def pause(self) -> str:
        """What is being waited for."""
        return "waiting for the network" if self._line.down else ""

    @property
    def failed(self) -> str:
        """Why nothing can go on any more."""
        return self._line.failed

    def give(self, order: Order) -> None:
        """Start on an order."""
        self._line.given(order)
        task = asyncio.create_task(self._do(order))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, order: Order) -> None:
        self._line.answered(await self._hand.do_safely(order))

    async def take(self, patience: float) -> list[Answer]:
        """All answers that have come."""
        return await self._inbox.take(patience)

    async def close(self) -> None:
        """Cancel what is under way."""
        await self._line.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hand.close()


def make_hands(task: Task) -> Hands:
    """The hands a crawl's settings ask for."""
    chosen = task.settings
    if chosen.workers == 1:
        # A file is read in no time: more than one order at once would only make the order less than best-first.
        return LocalHands(task.hand(), 1 if task.archive else chosen.connections)
    return ProcessHands(task, chosen.workers, 8 * chosen.workers if task.archive else chosen.connections)
