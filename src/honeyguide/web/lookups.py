"""Looking names up: in threads of its own, many at once, each for a bounded time, and each name once for a while.

The system's resolver blocks for as long as a name server keeps silent, half a minute and more. In asyncio's own pool a
handful of such names would hold up everybody else's look-ups, and the end of the program, which waits for that pool.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import socket
import threading
import time
from collections.abc import Callable

from aiohttp.abc import AbstractResolver, ResolveResult

__all__ = ["MOST", "Asker", "LookUpTimeout", "LookUps", "Remembered"]

MOST = 256  # look-ups at once
_IDLE = 10.0  # seconds after which a thread without work ends
_KEPT = 300.0  # seconds an answer is believed
_MOST_KEPT = 10_000
_NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV

Asker = Callable[[str, int, int], list[ResolveResult]]


class LookUpTimeout(OSError):  # noqa: N818 - reads as what happened
    """A name server kept silent; `begun` says whether anybody had the time to ask it at all."""

    def __init__(self, host: str, *, begun: bool) -> None:
        super().__init__(f"{host[:200]} was not looked up in time")
        self.begun = begun


class _Question:
    """One look-up, between the thread that waits for it and the loop that wants to know."""

    def __init__(self, host: str, port: int, family: int) -> None:
        self.host, self.port, self.family = host, port, family
        self.loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[list[ResolveResult]] = self.loop.create_future()
        self.begun = self.loop.create_future()

    def tell(self, future: asyncio.Future[object], result: object) -> None:
        """Say something in the loop's own thread; if the loop is gone, nobody wants to know."""
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(_settle, future, result)


def _settle(future: asyncio.Future[object], result: object) -> None:
    if future.done():
        return
    if isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_result(result)


class LookUps(AbstractResolver):
    """Asks the system's resolver, at most `most` names at once, each for at most `timeout` seconds.

    Its threads are daemons: one that hangs holds up neither the others nor the end of the program.
    """

    def __init__(self, *, timeout: float = 10.0, most: int = MOST, ask: Asker | None = None) -> None:
        self._timeout = timeout
        self._most = most
        self._ask = ask or _ask_system
        self._questions: queue.SimpleQueue[_Question] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = self._idle = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host; LookUpTimeout if nobody says in time."""
        question = _Question(host, port, family)
        self._questions.put(question)
        self._staff()
        # The time a name waits for a thread is not its name server's, but must end as well.
        begun, _ = await asyncio.wait([question.begun], timeout=6 * self._timeout)
        if begun:
            await asyncio.wait([question.answer], timeout=self._timeout)
        if not question.answer.done():
            question.answer.cancel()
            raise LookUpTimeout(host, begun=bool(begun))
        return question.answer.result()

    def _staff(self) -> None:
        """Have as many threads as there are questions, up to the most."""
        with self._lock:
            if self._idle >= self._questions.qsize() or self._threads >= self._most:
                return
            self._threads += 1
        try:
            threading.Thread(target=self._serve, name="look-up", daemon=True).start()
        except RuntimeError:  # no more threads for now: those there are must do
            with self._lock:
                self._threads -= 1

    def _serve(self) -> None:
        while True:
            with self._lock:
                self._idle += 1
            try:
                question = self._questions.get(timeout=_IDLE)
            except queue.Empty:
                question = None
            with self._lock:
                self._idle -= 1
                if question is None:
                    if not self._questions.empty():  # it came in this very moment
                        continue
                    self._threads -= 1
                    return
            if question.answer.cancelled():
                continue
            question.tell(question.begun, None)
            try:
                result: object = self._ask(question.host, question.port, question.family)
            except Exception as error:  # for whoever asked
                result = error
            question.tell(question.answer, result)  # type: ignore[arg-type]

    async def close(self) -> None:
        """Threads without work end by themselves."""


class Remembered(AbstractResolver):
    """Asks another resolver, about each name once for a while, however many want to know."""

    def __init__(self, inner: AbstractResolver) -> None:
        self._inner = inner
        self._known: dict[tuple[str, int], tuple[float, list[ResolveResult]]] = {}
        self._asked: dict[tuple[str, int], asyncio.Task[list[ResolveResult]]] = {}

    def known(self, host: str, port: int) -> list[ResolveResult] | None:
        """What is remembered and still believed of a host."""
        until, found = self._known.get((host, port), (0.0, None))
        return found if until > time.monotonic() else None

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host."""
        if (found := self.known(host, port)) is not None:
            return found
        key = (host, port)
        task = self._asked.get(key)
        if task is None:
            task = self._asked[key] = asyncio.ensure_future(self._inner.resolve(host, port, family))
            task.add_done_callback(lambda done: self._answered(key, done))
        return await asyncio.shield(task)  # one who has no more time must not end it for the others

    def _answered(self, key: tuple[str, int], task: asyncio.Task[list[ResolveResult]]) -> None:
        self._asked.pop(key, None)
        if task.cancelled() or task.exception() is not None or not task.result():
            return
        self._known.pop(key, None)
        self._known[key] = (time.monotonic() + _KEPT, task.result())
        if len(self._known) > _MOST_KEPT:
            del self._known[next(iter(self._known))]

    async def close(self) -> None:
        """Close the resolver inside."""
        for task in list(self._asked.values()):
            task.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)
        await self._inner.close()


def _ask_system(host: str, port: int, family: int) -> list[ResolveResult]:
    """What the system says, as aiohttp wants it; addresses of one link only cannot be reached by a crawl."""
    found = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM, 0, socket.AI_ADDRCONFIG)
    return [
        ResolveResult(
            hostname=host, host=str(address[0]), port=int(address[1]), family=kind, proto=protocol, flags=_NUMERIC
        )
        for kind, _, protocol, _, address in found
        if kind in (socket.AF_INET, socket.AF_INET6) and len(address) in (2, 4)
    ]
