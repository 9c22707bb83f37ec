"""Answers that have come, and whoever waits for them."""

from __future__ import annotations

import asyncio
from collections import deque

from honeyguide.crawling.hands import Answer

__all__ = ["Inbox"]


class Inbox:
    """Answers that have come, and whoever waits for them.

    A future and a timer of our own: asyncio's wait_for makes a task for every wait, and there is a wait for every page.
    """

    def __init__(self) -> None:
        self._answers: deque[Answer] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def put(self, answer: Answer) -> None:
        """An answer came."""
        self._answers.append(answer)
        self.wake()

    def wake(self) -> None:
        """Something changed: whoever waits should look."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def take(self, patience: float) -> list[Answer]:
        """All answers that have come; waits for the first, but not longer than told, nor after `wake`."""
        if not self._answers:
            loop = asyncio.get_running_loop()
            self._waiter = loop.create_future()
            timer = loop.call_later(patience, self.wake)
            try:
                await self._waiter
            finally:
                timer.cancel()
                self._waiter = None
        found = list(self._answers)
        self._answers.clear()
        return found
