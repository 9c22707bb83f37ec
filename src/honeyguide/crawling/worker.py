"""A hand as a process of its own: reads orders from a pipe, writes answers to it, until it is sent home."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from multiprocessing.connection import Connection

import msgspec

from honeyguide.crawling.hands import Answer, Hand, Order
from honeyguide.crawling.pool import Task

__all__ = ["collect_seldom", "main"]

_decode_order = msgspec.msgpack.Decoder(Order).decode
_encode_answer = msgspec.msgpack.Encoder().encode


def collect_seldom() -> None:
    """Have Python look for cycles of garbage less often, in a process that does nothing but crawl.

    A crawl makes objects by the thousand and hardly a cycle among them: looking for them at every 700th takes a
    thirtieth of its time. What the imports made stays for good and is never looked at again.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def main(pipe: Connection[bytes, bytes]) -> None:
    """A worker process's whole life."""
    collect_seldom()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the brain, which then sends us home
    try:
        task = msgspec.msgpack.decode(pipe.recv_bytes(), type=Task)
    except EOFError:
        return
    asyncio.run(_serve(pipe, task.hand()))


async def _serve(pipe: Connection[bytes, bytes], hand: Hand) -> None:
    loop = asyncio.get_running_loop()
    over = asyncio.Event()
    tasks: set[asyncio.Task[None]] = set()

    async def do(order: Order) -> None:
        try:
            answer = await hand.do(order)
        except Exception as error:  # a page that breaks a parser must not break the crawl
            answer = Answer(order, error=f"{type(error).__name__}: {error}"[:200], lasting=True, ours=True)
        answer.page = None  # travels packed
        try:
            pipe.send_bytes(_encode_answer(answer))
        except OSError:  # the brain is gone
            over.set()

    def read() -> None:
        try:
            while pipe.poll():
                message = pipe.recv_bytes()
                if not message:
                    over.set()
                    return
                running = loop.create_task(do(_decode_order(message)))
                tasks.add(running)
                running.add_done_callback(tasks.discard)
        except (EOFError, OSError):  # the brain is gone
            over.set()

    loop.add_reader(pipe.fileno(), read)
    await over.wait()
    loop.remove_reader(pipe.fileno())
    for running in tasks:
        running.cancel()
    await hand.close()


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])))
