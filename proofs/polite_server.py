"""One server that plays many hosts and writes down what it saw: the only witness the judge of politeness hears.

    python proofs/polite_server.py LOG.jsonl all PATTERN '{"ordinary": 12, …}'

It plays those hosts of a set whose names match the pattern, prints its port, and runs until its input ends. The log has
one line per event, with the time of this machine's monotonic clock: a connection opened or closed, a request read, an
answer given (stamped before its last byte leaves). An answer says what the host asked for with it. That the other side
has closed a connection, or has read enough of a long answer, is seen late on a busy machine; what is written down then
is a moment before which it had not happened yet.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import re
import socket
import struct
import sys
import time
from collections import Counter, deque
from email.utils import formatdate
from pathlib import Path
from typing import IO, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofs.polite_hosts import DOMAIN, SETS, Host, Reply

__all__ = ["main"]

_SILENCE = 30.0
_DRIP = 0.2
_BEAT = 0.001  # seconds between two looks at the clock
_LONG = 100_000  # bytes of an answer, after which some readers have enough
_BEATS = 8  # the turns of the loop, and one more, that lie between a connection's end and its being written down


class Server:
    """Answers for all hosts at one address."""

    def __init__(self, hosts: list[Host], log: IO[str]) -> None:
        self._hosts = {f"{host.name}.{DOMAIN}": host for host in hosts}
        self._log = log
        self._asked: Counter[tuple[str, str]] = Counter()
        self._connections = 0
        self._beats = deque([time.monotonic()], _BEATS)

    async def beat(self) -> None:
        """Remember the last turns of the loop: what is seen now had not happened before the eldest of them."""
        while True:
            self._beats.append(time.monotonic())
            await asyncio.sleep(_BEAT)

    def note(self, event: str, **facts: Any) -> None:
        """Write down one event."""
        self._log.write(json.dumps({"event": event, "time": time.monotonic(), **facts}) + "\n")

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection's life."""
        self._connections += 1
        number = self._connections
        self.note("open", connection=number)
        try:
            # At the very end the connections left are cancelled, which is nothing to complain of either.
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._request(number, reader, writer):
                    pass
        finally:
            writer.close()
            self.note("close", connection=number, since=self._beats[0])
            self._log.flush()

    async def _request(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        path = head.split(" ", 2)[1]
        name = _header(head, "host").partition(":")[0]
        self.note("request", connection=number, host=name, path=path, agent=_header(head, "user-agent"))
        self._log.flush()
        turn = self._asked[name, path]
        self._asked[name, path] += 1
        host = self._hosts.get(name)
        reply = _reply(host, path, turn)
        facts: dict[str, Any] = {"connection": number, "status": reply.status, "robots": reply.robots}
        if reply.closes:
            facts["closes"] = reply.closes
        if host is not None and reply.robots and reply.status == 200 and host.delay:
            facts["delay"] = host.delay
        await self._give(reply, facts, reader, writer)
        return reply.manner == "answer" and _header(head, "connection").lower() != "close"

    async def _give(
        self, reply: Reply, facts: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if reply.manner == "reset":
            sock = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif reply.manner == "silent":
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(reader.read(1), _SILENCE)
        elif reply.manner == "drip":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")
            while not reader.at_eof():
                writer.write(b"x")
                await writer.drain()
                await asyncio.sleep(_DRIP)
        elif reply.manner in ("answer", "half"):
            head, until = _head(reply)
            body = reply.body if reply.manner == "answer" else reply.body[: len(reply.body) // 2]
            if len(body) > 1:
                writer.transport.set_write_buffer_limits(0)
                writer.write(head + body[:-1])
                with contextlib.suppress(ConnectionError):  # who has read enough of a long one may go
                    await writer.drain()
                head, body = b"", body[-1:]
                if len(reply.body) > _LONG:
                    facts["time"] = self._beats[0]
            facts |= {"until": until} if until else {}
            self.note("answer", **facts)
            writer.write(head + body)


def _reply(host: Host | None, path: str, turn: int) -> Reply:
    if host is None:
        return Reply(b"", 421)
    if path == "/robots.txt":
        return host.robots(turn)
    if host.manner != "answer":
        return Reply(b"x" * 1000, manner=host.manner)
    found = host.pages.get(path)
    return found(turn) if found else Reply(b"<p>no such page", 404)


def _head(reply: Reply) -> tuple[bytes, float]:
    """The head of an answer, and until when it asks to be left alone by the monotonic clock, if it does."""
    lines = [f"HTTP/1.1 {reply.status} X", f"Content-Type: {reply.media}", f"Content-Length: {len(reply.body)}"]
    lines += [f"{name}: {value}" for name, value in reply.headers]
    until = 0.0
    if reply.away and reply.dated:
        moment = math.ceil(time.time() + reply.away)
        lines.append(f"Retry-After: {formatdate(moment, usegmt=True)}")
        until = time.monotonic() + moment - time.time()
    elif reply.away:
        lines.append(f"Retry-After: {reply.away:.0f}")
        until = time.monotonic() + reply.away
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"), until


def _header(head: str, name: str) -> str:
    found = re.search(rf"^{name}:[ \t]*(.*?)\r$", head, re.IGNORECASE | re.MULTILINE)
    return found.group(1) if found else ""


async def _serve(hosts: list[Host], log: IO[str]) -> None:
    playing = Server(hosts, log)
    server = await asyncio.start_server(playing.connected, "127.0.0.1", 0, limit=1 << 20, backlog=1000)
    beats = asyncio.create_task(playing.beat())
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    beats.cancel()
    server.close()


def main() -> None:
    """Play the hosts until the input ends."""
    place, which, pattern, choice = sys.argv[1:]
    hosts = [host for host in SETS[which](**json.loads(choice)) if re.search(pattern, host.name)]
    with Path(place).open("a", encoding="utf-8") as log:
        asyncio.run(_serve(hosts, log))


if __name__ == "__main__":
    main()
