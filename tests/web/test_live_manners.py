"""How the live web treats servers: one request for an order, one connection for an answer, care over names."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from honeyguide.web.base import Response
from honeyguide.web.guard import Guard
from honeyguide.web.live import LiveWeb

OK = b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n%b"


class Seen:
    """What a server saw: connections, and requests."""

    def __init__(self) -> None:
        self.connections = 0
        self.requests: list[bytes] = []
        self.under_way: list[asyncio.Task[None] | None] = []


def _ask(
    answers: list[bytes], urls: int, *, reset: bool = False, cut: int = 0, keep: bool = False
) -> tuple[list[Response], Seen]:
    """Ask a server so many times; it gives each connection's requests these answers in turn, then hangs up."""
    seen = Seen()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.connections += 1
        seen.under_way.append(asyncio.current_task())
        for answer in answers:
            head = await reader.read(65_536)
            if not head:
                break
            seen.requests.append(head)
            writer.write(answer)
            if not answer:
                break
        if reset:
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def run() -> list[Response]:
        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        live = LiveWeb(agent="honeyguide-test", guard=Guard(["127.0.0.1"]), total_timeout=120.0, keep=keep)
        found = [await live.fetch(f"http://127.0.0.1:{port}/{number}", cut=cut) for number in range(urls)]
        await live.close()
        server.close()
        await asyncio.gather(*filter(None, seen.under_way))
        return found

    return asyncio.run(run()), seen


@pytest.mark.parametrize("reset", [False, True])
def test_a_server_that_hangs_up_is_not_asked_again_behind_the_crawls_back(reset: bool) -> None:
    (answer,), seen = _ask([b""], 1, reset=reset)
    assert len(seen.requests) == 1
    assert answer.status == 0
    assert not answer.lasting
    assert answer.error in ("server closed the connection", "connection lost: Connection reset by peer")


def test_a_connection_ends_with_its_answer_unless_it_is_to_be_kept() -> None:
    page = OK % (b"text/html", 2, b"hi")
    answers, seen = _ask([page] * 9, 3)
    assert [answer.body for answer in answers] == [b"hi"] * 3
    assert seen.connections == 3
    assert all(b"Connection: close" in head for head in seen.requests)
    _, seen = _ask([page] * 9, 3, keep=True)
    assert seen.connections == 1


def test_of_a_robots_txt_the_beginning_is_taken_whatever_its_kind_and_length() -> None:
    long = OK % (b"image/png", 9_000_000, b"x" * 9_000_000)
    (answer,), _ = _ask([long], 1, cut=1_000)
    assert (answer.status, len(answer.body), answer.error) == (200, 1_000, "")
    (answer,), _ = _ask([OK % (b"image/png", 3, b"abc")], 1, cut=1_000)
    assert (answer.status, answer.body, answer.error) == (200, b"abc", "")


class Failing(AbstractResolver):
    """A resolver that cannot say, or knows that there is nothing to say."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:  # type: ignore[override]
        raise self._error

    async def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("error", "words", "lasting"),
    [
        (socket.gaierror(socket.EAI_NONAME, "unknown"), "host name does not resolve", True),
        (socket.gaierror(socket.EAI_AGAIN, "later"), "host name cannot be looked up for now", False),
        (socket.gaierror(socket.EAI_FAIL, "broken"), "host name cannot be looked up for now", False),
        (OSError(None, "no answer"), "host name cannot be looked up for now", False),
    ],
)
def test_only_a_name_that_is_unknown_is_given_up(error: Exception, words: str, lasting: bool) -> None:
    async def run() -> Response:
        live = LiveWeb(agent="honeyguide-test", resolver=Failing(error))
        try:
            return await live.fetch("http://somewhere.example/")
        finally:
            await live.close()

    answer = asyncio.run(run())
    assert (answer.status, answer.error, answer.lasting, answer.whole_host) == (0, words, lasting, lasting)


def test_a_name_that_nobody_has_is_given_up() -> None:
    async def run() -> Response:
        live = LiveWeb(agent="honeyguide-test")
        try:
            return await live.fetch("http://no-such-host.invalid/")
        finally:
            await live.close()

    answer = asyncio.run(run())
    with pytest.raises(socket.gaierror) as told:
        socket.getaddrinfo("no-such-host.invalid", 80)
    assert answer.lasting == (told.value.errno != socket.EAI_AGAIN)  # without a resolver nobody can say
