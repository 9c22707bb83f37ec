"""A hand as a process of its own: reads orders from a channel, writes answers to it, until it is sent home.

Every second it says that it is alive, and how many of its orders wait for a name to be looked up. It says so from the
loop that does the work: a worker that hangs over a page is as silent as one that was stopped.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import Coroutine

import msgspec

from honeyguide.crawling.channel import Channel
from honeyguide.crawling.hands import Hand, Order
from honeyguide.crawling.task import Task

__all__ = ["collect_seldom", "main"]

_BEAT = 1.0

_decode_order = msgspec.msgpack.Decoder(Order).decode
_encode = msgspec.msgpack.Encoder().encode


def collect_seldom() -> None:
    """Have Python look for cycles of garbage less often, in a process that does nothing but crawl.

    A crawl makes objects by the thousand and hardly a cycle among them: looking for them at every 700th takes a
    thirtieth of its time. What the imports made stays for good and is never looked at again.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def main(end: socket.socket) -> None:
    """A worker process's whole life."""
    collect_seldom()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the brain, which then sends us home
    asyncio.run(_Worker().serve(end))


class _Worker:
    """What is under way, and the channel to the brain."""

    def __init__(self) -> None:
        self._hand: Hand | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._told = -1

    async def serve(self, end: socket.socket) -> None:
        """Do what is ordered until sent home, or until nobody is left to order anything."""
        self._over = asyncio.get_running_loop().create_future()
        self._channel = Channel(end, self._take, self._end)
        try:
            await self._over
        finally:
            self._channel.close()
            for running in self._tasks:
                running.cancel()
            if self._hand is not None:
                await self._hand.close()

    def _end(self, error: BaseException | None = None) -> None:
        if not self._over.done():
            if error is None:
                self._over.set_result(None)
            else:
                self._over.set_exception(error)

    def _take(self, message: bytes) -> None:
        if not message:
            self._end()
        elif self._hand is None:  # the first message says what the work is
            try:
                self._hand = msgspec.msgpack.decode(message, type=Task).hand()
            except Exception as error:  # without a hand there is no worker
                self._end(error)
                return
            self._hand.on_waiting = self._tell_waiting
            self._start(self._beat())
        else:
            self._start(self._do(self._hand, _decode_order(message)))

    def _start(self, work: Coroutine[None, None, None]) -> None:
        running = asyncio.create_task(work)
        self._tasks.add(running)
        running.add_done_callback(self._tasks.discard)

    async def _do(self, hand: Hand, order: Order) -> None:
        answer = await hand.do_safely(order)
        answer.page = None  # travels packed
        self._channel.send(_encode(answer))

    async def _beat(self) -> None:
        while True:
            self._told = -1
            self._tell_waiting()
            await asyncio.sleep(_BEAT)

    def _tell_waiting(self) -> None:
        waiting = self._hand.waiting if self._hand is not None else 0
        if waiting != self._told:
            self._told = waiting
            self._channel.send(_encode(waiting))


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
