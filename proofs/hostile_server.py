"""A server that does everything a crawler must survive: one host per attack, real sockets, raw bytes.

Every attack says what it does, which reason the crawl must have recorded for what it cut or refused, and how many
requests it may cost at the most. Beside them stands one healthy site, which must come through whole.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

__all__ = ["GOOD", "Attack", "HostileServer", "Request", "good_pages", "html", "ok", "page", "said", "words"]

GOOD = "good.test"
_GOOD_PAGES = 24
_BEES = "bees honey hive nectar pollen beekeeper colony queen wax comb swarm drone brood forager apiary".split()
_FILLER = (
    "the a of in and with over under when while near after old young small large quiet morning summer garden field "
    "stone river village winter light water wood road hand year people found made kept seen gave took long early late"
).split()


@dataclass(frozen=True)
class Request:
    """What was asked."""

    host: str
    path: str
    headers: dict[str, str]


Handler = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Attack:
    """One way to hurt a crawler."""

    name: str
    about: str
    handle: Handler
    reason: str  # a pattern the crawl must have recorded about the attack's hosts
    most: int  # requests it may draw
    starts: tuple[str, ...] = ()  # addresses; its own front page if none are named
    names: tuple[str, ...] = ()  # host names of its own beside NAME.test
    refused: tuple[str, ...] = ()  # addresses that `why` must call refused
    pages: int = 400  # the budget it is crawled with
    kept: tuple[str, ...] = ()  # addresses of its own that must have been read all the same
    prepare: Callable[[], object] = lambda: None  # what takes long to make, made before anybody asks

    @property
    def host(self) -> str:
        """The attack's own host name."""
        return f"{self.name}.test"

    def hosts(self) -> tuple[str, ...]:
        """All host names the attack answers under."""
        return (self.host, *self.names)

    def first(self) -> tuple[str, ...]:
        """Where a crawl meets it."""
        return self.starts or (f"http://{self.host}/",)


def words(seed: object, count: int = 120, topic: float = 0.3) -> str:
    """Sentences that nobody has written before, the same for the same seed."""
    dice = random.Random(str(seed))
    made = []
    for _ in range(max(1, count // 12)):
        picked = [dice.choice(_BEES if dice.random() < topic else _FILLER) for _ in range(12)]
        made.append(" ".join(picked).capitalize() + ".")
    return " ".join(made)


def page(title: str, text: str, links: list[str] | tuple[str, ...] = (), head: str = "") -> bytes:
    """A plain page."""
    anchors = "".join(f'<li><a href="{link}">{link[-40:]}</a>' for link in links)
    return f"<!doctype html><title>{title}</title>{head}<h1>{title}</h1><p>{text}</p><ul>{anchors}</ul>".encode()


def said(body: bytes, *, status: str = "200 OK", media: str = "text/html; charset=utf-8", more: str = "") -> bytes:
    """A whole and honest answer."""
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{more}\r\n"
    )
    return head.encode() + body


async def ok(writer: asyncio.StreamWriter, answer: bytes) -> None:
    """Send an answer."""
    writer.write(answer)
    await writer.drain()


async def html(
    writer: asyncio.StreamWriter, title: str, text: str, links: list[str] | tuple[str, ...] = (), head: str = ""
) -> None:
    """Send a plain page."""
    await ok(writer, said(page(title, text, links, head)))


def good_pages() -> list[str]:
    """The addresses of the healthy site."""
    return [f"http://{GOOD}/"] + [f"http://{GOOD}/bees/{word}" for word in _good_names()]


def _good_names() -> list[str]:
    return [f"{_BEES[number % len(_BEES)]}-{'abcdefghijklmnopqrstuvwxyz'[number]}" for number in range(_GOOD_PAGES)]


async def _good(request: Request, writer: asyncio.StreamWriter) -> None:
    names = _good_names()
    name = request.path.rpartition("/")[2]
    if request.path == "/":
        await html(writer, "Bees and honey", words("front"), [f"/bees/{one}" for one in names[:4]])
    elif name in names:
        place = names.index(name)
        await html(writer, f"Honey bees: {name}", words(name), [f"/bees/{one}" for one in names[place + 1 : place + 4]])
    else:
        await ok(writer, said(b"no such page", status="404 Not Found"))


class HostileServer:
    """All attacks and the healthy site on one port, and a second port inside that nothing may ever reach."""

    def __init__(self, attacks: list[Attack]) -> None:
        self.attacks = attacks
        self._handlers: dict[str, Handler] = {GOOD: _good}
        for attack in attacks:
            self._handlers |= dict.fromkeys(attack.hosts(), attack.handle)
        self.asked: Counter[str] = Counter()  # requests by host, robots.txt not counted
        self.robots: Counter[str] = Counter()
        self.cookies: list[str] = []
        self.inside: list[str] = []  # what reached the port that is not open
        self.port = self.inside_port = 0
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda *_: None)  # connections cut off at the end are no news
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> HostileServer:
        for attack in self.attacks:
            attack.prepare()
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _start(self) -> None:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=1 << 20)
        self.port = self._server.sockets[0].getsockname()[1]
        self._witness = await asyncio.start_server(self._reached, "0.0.0.0", 0)
        self.inside_port = self._witness.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        self._server.close()
        self._witness.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.05)  # closed connections are let go of on the loop's next turns

    def names(self) -> dict[str, tuple[str, int]]:
        """Where every host name leads."""
        return dict.fromkeys(self._handlers, ("127.0.0.1", self.port))

    async def _reached(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.inside.append(str(writer.get_extra_info("sockname")))
        writer.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            first = await reader.readexactly(1)
            if first == b"\x16":  # somebody speaks TLS to a plain port: answered as plain servers do
                await ok(writer, said(b"plain HTTP only", status="400 Bad Request"))
            else:
                request = _request(first + await reader.readuntil(b"\r\n\r\n"), self.inside_port)
                await self._answer(request, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever asked has gone away
        finally:
            writer.close()

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> None:
        if "cookie" in request.headers:
            self.cookies.append(f"{request.host}: {request.headers['cookie']}")
        handler = self._handlers.get(request.host)
        if request.path == "/robots.txt":
            self.robots[request.host] += 1
            if not request.host.startswith("robots"):
                await ok(writer, said(b"", status="404 Not Found", media="text/plain"))
                return
        else:
            self.asked[request.host] += 1
        if handler is None:
            await ok(writer, said(b"", status="404 Not Found"))
        else:
            await handler(request, writer)

    def counted(self, attack: Attack) -> int:
        """Requests an attack has drawn, over all its hosts."""
        return sum(self.asked[host] + max(0, self.robots[host] - 1) for host in attack.hosts())


def _request(head: bytes, inside: int) -> Request:
    first, *rest = head.decode("latin-1").split("\r\n")
    headers = {"inside": str(inside)}  # so that an attack knows what to point at
    for line in rest:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    parts = first.split(" ")
    path = parts[1] if len(parts) > 1 else "/"
    return Request(headers.get("host", "").partition(":")[0].lower(), path, headers)
