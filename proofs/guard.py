"""No way in: every address that is not public, in every notation and by every way, with witnesses that nothing came.

    python proofs/guard.py

Two witnesses: servers that listen on the loopback of both families at a port that is never opened, and the
interpreter's own audit of every connection this process tries to make, whatever library tries it.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofs.guard_names import NameServer, UdpResolver, written
from proofs.report import Line, write

from honeyguide.crawling import Crawl, Settings, status
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic
from honeyguide.web.guard import Guard
from honeyguide.web.live import LiveWeb
from honeyguide.web.urls import normalise

__all__ = ["Witness", "by_crawl", "by_fetch", "by_proxy", "by_turncoat", "opened_only"]

AGENT = "honeyguide-proof/1.0"
PATIENCE = 60.0  # seconds for an answer that must come, on a machine however busy
_PRIVATE = re.compile(r"address refused")


@dataclass
class Witness:
    """What listens where nobody may come, and what this process tried to connect to."""

    port: int = 0
    arrived: list[str] = field(default_factory=list)
    tried: list[tuple[str, int]] = field(default_factory=list)
    watching: bool = False
    under_way: set[asyncio.Task[None]] = field(default_factory=set)

    def audit(self, event: str, details: tuple[Any, ...]) -> None:
        """Called by the interpreter before every connection."""
        if self.watching and event == "socket.connect" and isinstance(details[1], tuple):
            self.tried.append((str(details[1][0]), int(details[1][1])))

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Take note of every connection from here on."""
        self.tried.clear()
        self.watching = True
        try:
            yield
        finally:
            self.watching = False

    async def listen(self) -> list[asyncio.Server]:
        """Stand on every address of the loopback, on both families where there are two."""

        async def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.under_way.add(asyncio.current_task())  # type: ignore[arg-type]
            self.arrived.append(str(writer.get_extra_info("sockname")))
            writer.close()

        servers = [await asyncio.start_server(met, "0.0.0.0", 0)]
        self.port = servers[0].sockets[0].getsockname()[1]
        with suppress(OSError):  # a machine without IPv6
            servers.append(await asyncio.start_server(met, "::1", self.port))
        return servers

    async def idle(self) -> None:
        """Wait until those who came were sent away."""
        await asyncio.gather(*self.under_way)
        self.under_way.clear()

    def astray(self, *allowed: tuple[str, int]) -> list[tuple[str, int]]:
        """Connections that were tried to anywhere but the places allowed."""
        return [place for place in self.tried if place not in allowed]


async def by_fetch(witness: Witness, hosts: Iterable[str]) -> tuple[int, list[str]]:
    """Ask for every notation directly, as written and as the crawl would write it: how many were refused, which not."""
    live = LiveWeb(agent=AGENT, total_timeout=PATIENCE)
    refused, through = 0, []
    try:
        for host in hosts:
            for scheme in ("http", "https"):
                raw = f"{scheme}://{host}:{witness.port}/"
                for url in {raw, normalise(raw)} - {None}:
                    answer = await live.fetch(str(url))
                    if answer.status or not answer.error:
                        through.append(raw)
                    refused += 1
    finally:
        await live.close()
    return refused, through


class _Front:
    """A site whose every page, redirect, feed and sitemap leads inward."""

    def __init__(self, hosts: list[str], port: int) -> None:
        self.targets = [f"http://{host}:{port}/by-link" for host in hosts]
        self.moved = [f"http://{host}:{port}/by-redirect" for host in hosts]
        self.listed = [f"http://{host}:{port}/by-sitemap" for host in hosts]
        self.fed = [f"http://{host}:{port}/by-feed" for host in hosts]
        self.inside = port

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request."""
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split(b" ")[1].decode("latin-1")
        host = re.search(rb"(?i)\r\nhost: ([^\r:]+)", head)
        writer.write(self._said(path, host.group(1).decode() if host else ""))
        await writer.drain()
        writer.close()

    def _said(self, path: str, host: str) -> bytes:
        if path == "/robots.txt" and host == "moved.test":
            return _moved(f"http://127.0.0.1:{self.inside}/robots.txt")
        if path == "/robots.txt":
            return _said(
                "text/plain", f"Sitemap: http://front.test/map.xml\nSitemap: http://127.0.0.1:{self.inside}/s.xml\n"
            )
        if path == "/map.xml":
            return _said(
                "application/xml",
                "<urlset>" + "".join(f"<url><loc>{_x(url)}</loc></url>" for url in self.listed) + "</urlset>",
            )
        if path == "/feed":
            items = "".join(f"<item><link>{_x(url)}</link></item>" for url in self.fed)
            return _said("application/rss+xml", f"<rss><channel>{items}</channel></rss>")
        if path.startswith("/to/"):
            return _moved(self.moved[int(path[4:])])
        links = [*self.targets, *(f"/to/{number}" for number in range(len(self.moved))), "/feed", "http://moved.test/"]
        anchors = "".join(f'<a href="{_x(url)}">bees</a> ' for url in links)
        return _said("text/html", f"<title>bees</title><p>Bees and honey.</p>{anchors}")


def _x(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;")


def _said(media: str, text: str) -> bytes:
    body = text.encode()
    more = 'Alt-Svc: h2="127.0.0.1:1"; ma=9\r\nRefresh: 0;url=http://127.0.0.1:1/\r\n'
    more += "Link: <http://127.0.0.1:1/>; rel=preload\r\n"
    return f"HTTP/1.1 200 OK\r\nContent-Type: {media}\r\n{more}Content-Length: {len(body)}\r\n\r\n".encode() + body


def _moved(place: str) -> bytes:
    return f"HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n".encode("utf-8", "replace")


async def by_crawl(witness: Witness, hosts: list[str], folder: Path) -> tuple[int, int, list[tuple[str, int]]]:
    """A whole crawl of a site that leads inward: addresses met, hosts refused with the reason, connections astray."""
    front = _Front(hosts, witness.port)
    server = await asyncio.start_server(front.answer, "127.0.0.1", 0, limit=1 << 20)
    port = server.sockets[0].getsockname()[1]
    topic = Topic(
        name="bees", keywords={"bees": 1.0}, starts=("http://front.test/", f"http://127.0.0.1:{witness.port}/start")
    )
    names = dict.fromkeys(("front.test", "moved.test"), ("127.0.0.1", port))
    settings = Settings(pages=5_000, delay=0.0, total_timeout=PATIENCE, retries=0, patience=2)
    crawl = Crawl(Folder(folder), topic, settings, names=names, opened=(f"127.0.0.1:{port}",))
    crawl.create()
    with witness.watch():
        await crawl.run()
    server.close()
    parked = status(Folder(folder))["parked_hosts"]
    store = Store.open(Folder(folder).database, read_only=True)
    hosts = {host.id: host.name for host in store.hosts()}
    met = sum(hosts[row.host] in parked for row in store.urls())
    store.close()
    reasons = sum(bool(_PRIVATE.search(reason)) for reason in parked.values())
    return met, reasons, witness.astray(("127.0.0.1", port))


async def by_turncoat(witness: Witness, rounds: int = 20) -> tuple[int, int, list[tuple[str, int]]]:
    """A name whose answer changes at every question, over real DNS: pages had, refusals, connections astray."""

    async def page(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(_said("text/html", "<p>bees"))
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(page, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    had = refused = 0
    with (
        NameServer([["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1", "10.0.0.1"], ["169.254.169.254"]]) as names,
        witness.watch(),
    ):
        for _ in range(rounds):
            asked = names.questions
            resolver = UdpResolver(names.place)
            live = LiveWeb(agent=AGENT, guard=Guard([f"127.0.0.1:{port}"]), resolver=resolver, total_timeout=PATIENCE)
            answer = await live.fetch(f"http://turncoat.test:{port}/")
            await live.close()
            assert names.questions == asked + 1, "a name was looked up again between check and connection"
            had += answer.status == 200
            refused += answer.error.startswith("address refused")
    server.close()
    return had, refused, witness.astray(("127.0.0.1", port))


async def by_proxy(witness: Witness) -> list[tuple[str, int]]:
    """Proxies and credentials named in the environment are not used: connections astray."""
    names = [name for way in ("http", "https", "all") for name in (f"{way}_proxy", f"{way.upper()}_PROXY")]
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, f"http://127.0.0.1:{witness.port}"))
    try:
        with witness.watch():
            # The proxy itself is opened: whoever used it would get through.
            guard = Guard([f"127.0.0.1:{witness.port}"])
            live = LiveWeb(agent=AGENT, guard=guard, total_timeout=2.0, connect_timeout=1.0)
            for url in ("http://192.0.2.1/", "https://10.0.0.1/", "http://169.254.169.254/"):
                await live.fetch(url)
            await live.close()
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
    return witness.astray()


async def opened_only(witness: Witness) -> tuple[int, int]:
    """What is opened can be reached and its neighbours cannot: how many each."""
    reached = refused = 0
    live = LiveWeb(agent=AGENT, guard=Guard([f"127.0.0.5:{witness.port}", "127.8.0.0/16"]), total_timeout=PATIENCE)
    for last, allowed in [(f"127.0.0.{n}", n == 5) for n in range(1, 10)] + [
        (f"127.{n}.0.1", n == 8) for n in range(6, 11)
    ]:
        before = len(witness.arrived)
        answer = await live.fetch(f"http://{last}:{witness.port}/")
        await witness.idle()
        came = len(witness.arrived) - before
        reached += bool(allowed and came)
        refused += bool(not allowed and not came and answer.error.startswith("address refused"))
    await live.close()
    return reached, refused


async def _prove(hosts: list[str], scratch: Path) -> list[Line]:
    witness = Witness()
    sys.addaudithook(witness.audit)
    servers = await witness.listen()
    with witness.watch():
        refused, through = await by_fetch(witness, hosts)
        astray = witness.astray()
    met, reasons, crawled = await by_crawl(witness, hosts, scratch / "crawl")
    had, turned, turncoat = await by_turncoat(witness)
    proxied = await by_proxy(witness)
    arrived = len(witness.arrived)
    reached, kept = await opened_only(witness)
    for server in servers:
        server.close()
    return [
        Line(what="notations of addresses that are not public", figure=len(hosts), must=">= 300", ok=len(hosts) >= 300),
        Line(
            what="addresses refused when asked for directly",
            figure=refused,
            must="all",
            ok=not through and refused > len(hosts),
        ),
        Line(
            what="addresses met by a crawl in links, redirects, sitemaps, feeds, robots.txt and starts, none asked for",
            figure=met,
            must=">= 600",
            ok=met >= 600,
        ),
        Line(
            what="hosts parked in that crawl with the guard's reason", figure=reasons, must=">= 100", ok=reasons >= 100
        ),
        Line(what="requests that arrived inside", figure=arrived, must="0", ok=arrived == 0),
        Line(
            what="connections tried to any place not opened",
            figure=len(astray + crawled + turncoat + proxied),
            must="0",
            ok=not astray and not crawled and not turncoat and not proxied,
        ),
        Line(
            what="a name that changes its answer: pages from the address checked, refusals",
            figure=f"{had}, {turned}",
            must="10, 10",
            ok=(had, turned) == (10, 10),
        ),
        Line(
            what="opened ranges: reached, neighbours refused",
            figure=f"{reached}, {kept}",
            must="2, 12",
            ok=(reached, kept) == (2, 12),
        ),
    ]


def main() -> int:
    """Try every way; write the figures."""
    hosts = written()
    with tempfile.TemporaryDirectory(prefix="honeyguide-") as scratch:
        lines = asyncio.run(_prove(hosts, Path(scratch)))
    return write("guard", "python proofs/guard.py", lines)


if __name__ == "__main__":
    sys.exit(main())
