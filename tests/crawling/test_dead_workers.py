"""A worker that dies over a request: its host is not asked again behind the brain's back."""

from __future__ import annotations

import asyncio
import os
import signal

from honeyguide.crawling import Settings
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.pool import ProcessHands, Task
from honeyguide.web import Rules

PATIENCE = 120.0


def test_a_request_that_a_worker_died_over_comes_back_as_failed_and_is_given_up_the_second_time() -> None:
    asked: list[bytes] = []

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if head.startswith(b"GET /ready "):
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        else:
            asked.append(head)
            await reader.read()
        writer.close()

    async def die(hands: ProcessHands, order: Order) -> list[Answer]:
        seen = len(asked)
        hands.give(order)
        while len(asked) == seen:
            await asyncio.sleep(0.01)
        os.kill(hands._workers[0].process.pid, signal.SIGKILL)
        return await hands.take(PATIENCE)

    async def run() -> list[Answer]:
        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        hands = ProcessHands(Task(settings=Settings(open=("127.0.0.1",)), rules=Rules()), 1, 4)
        order = Order(0, f"http://127.0.0.1:{port}/")
        found = await die(hands, order)
        hands.give(Order(1, f"http://127.0.0.1:{port}/ready"))
        (ready,) = await hands.take(PATIENCE)  # the next worker is there, and would have begun with what it was given
        assert ready.order.number == 1
        assert len(asked) == 1
        found += await die(hands, order)
        await hands.close()
        server.close()
        return found

    first, second = asyncio.run(run())
    assert (first.error, first.lasting, first.ours) == ("the worker process died over it", False, False)
    assert (second.lasting, second.ours) == (True, True)
