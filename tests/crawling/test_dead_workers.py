"""A worker that dies over a request: its host is not asked again behind the brain's back, and is not blamed."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from honeyguide.crawling import Settings
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.pool import ProcessHands, Task
from honeyguide.crawling.processes import start_child
from honeyguide.web import ScopeRules


def test_a_request_that_workers_die_over_comes_back_as_our_fault_and_is_given_up_when_it_was_alone() -> None:
    asked: list[bytes] = []

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        await reader.read()
        writer.close()

    async def die(hands: ProcessHands, order: Order) -> Answer:
        seen = len(asked)
        hands.give(order)
        while len(asked) == seen:
            await asyncio.sleep(0.01)
        (worker,) = [one for one in hands._everyone() if one.orders]
        os.kill(worker.process.pid, signal.SIGKILL)
        while not (answers := await hands.take(1.0)):
            pass
        return answers[0]

    async def run() -> list[Answer]:
        server = await asyncio.start_server(silent, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        hands = ProcessHands(Task(settings=Settings(open=("127.0.0.1",)), rules=ScopeRules()), 1, 4)
        order = Order(0, f"http://127.0.0.1:{port}/")
        found = [await die(hands, order)]
        while not hands._workers or not hands._workers[0].spoke:  # the next worker is there, and does nothing
            await asyncio.sleep(0.01)
        assert len(asked) == 1
        found += [await die(hands, order) for _ in range(3)]
        await hands.close()
        server.close()
        return found

    *again, last = asyncio.run(run())
    assert [(answer.ours, answer.lasting, answer.error) for answer in again] == [
        (True, False, "the worker process died")
    ] * 3
    assert (last.ours, last.lasting) == (True, True)
    assert last.error == "4 worker processes died over it, the last 2 with nothing else to do"


@pytest.mark.parametrize("module", ["honeyguide.crawling.worker", "honeyguide.bench.runner"])
def test_a_ctrl_c_that_comes_as_a_child_begins_is_not_for_the_child(module: str) -> None:
    process, end = start_child(module)
    os.kill(process.pid, signal.SIGINT)  # long before its first line of Python
    end.close()
    assert process.wait() == 0
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])  # and we hear it as before
