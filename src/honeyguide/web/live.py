"""The live web: many hosts at once over HTTP, every answer bounded in time and size."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Mapping, Sequence

import aiohttp
from aiohttp.abc import AbstractResolver
from yarl import URL

from honeyguide.web.base import Response, Since, nobody, wanted
from honeyguide.web.blame import NotLookedUp, explain
from honeyguide.web.guard import AddressRefused, Guard, GuardedResolver
from honeyguide.web.lookups import MOST, LookUps, Remembered
from honeyguide.web.slots import Slots, is_starved, room

__all__ = ["LiveWeb"]

_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,application/pdf;q=0.8,*/*;q=0.5"
_CHUNK = 65_536
_PACKED = ("", "identity", "gzip", "deflate", "br", "zstd")
_BREATH = 0.1  # seconds to wait when there were no means for a connection


class LiveWeb:
    """Asks servers, one hop at a time: a redirect is an answer, its target goes back through the frontier.

    A connection ends with its answer, so that a server sees no more of them than there are requests under way, however
    many hands there are. With `keep` they stay open for the next request: for servers of one's own, asked without rest.

    A host's name is looked up before one of the `connections` is taken for it, so that a name server that keeps silent
    costs the other hosts nothing. Where this machine has not the means for so many connections, there are fewer.
    """

    name = "live"
    polite = True

    def __init__(
        self,
        *,
        agent: str,
        languages: Sequence[str] = (),
        connect_timeout: float = 10.0,
        read_timeout: float = 20.0,
        total_timeout: float = 60.0,
        largest: int = 5_000_000,
        guard: Guard | None = None,
        names: Mapping[str, tuple[str, int]] | None = None,
        keep: bool = False,
        connections: int = 1_000,
        resolver: AbstractResolver | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.waiting = 0
        self.on_waiting: Callable[[], None] = nobody
        self._headers = {"User-Agent": agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip, deflate, br, zstd"}
        if languages:
            self._headers["Accept-Language"] = ", ".join([*languages, "*;q=0.5"])
        self._headers.update(headers or {})
        self._timeout = aiohttp.ClientTimeout(total=total_timeout, sock_connect=connect_timeout, sock_read=read_timeout)
        self._connect_timeout, self._total_timeout = connect_timeout, total_timeout
        self._largest = largest
        self._guard = guard or Guard()
        self._names = dict(names or {})
        self._keep = keep
        self._resolver = resolver
        self._connections = connections
        self._session: aiohttp.ClientSession | None = None

    def _open(self) -> aiohttp.ClientSession:
        # Made on first use: a session belongs to the loop it is made in.
        if self._session is None:
            connections, look_ups = room(self._connections, MOST)
            self._slots = Slots(connections)
            inner = self._resolver or LookUps(timeout=self._connect_timeout, most=look_ups)
            self._guarded = GuardedResolver(self._guard, names=self._names, resolver=inner)
            self._places = Remembered(self._guarded)
            connector = aiohttp.TCPConnector(
                limit=0,  # the slots decide how many
                resolver=self._places,
                socket_factory=self._guard.socket_factory,
                use_dns_cache=False,
                force_close=not self._keep,
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                headers=self._headers,
                timeout=self._timeout,
                cookie_jar=aiohttp.DummyCookieJar(),
                max_line_size=16_384,
                max_field_size=16_384,
            )
            # aiohttp asks once more, and at once, when a server hangs up. When to ask again is the brain's to say.
            self._session._retry_connection = False
        return self._session

    async def fetch(self, url: str, *, cut: int = 0, since: Since | None = None) -> Response:
        """Ask for one URL; with `cut`, for the first bytes of whatever body there is; with `since`, for a newer one."""
        patience = time.monotonic() + self._total_timeout
        while True:
            answer = Response(url, fetched=time.time())
            try:
                await self._ask(answer, cut, since)
            except Exception as error:  # whatever a server or a library does, the crawl goes on and says what it was
                if is_starved(error):  # no connection was made, so the host knows nothing of it
                    self._slots.lower()
                    if time.monotonic() < patience:
                        await asyncio.sleep(_BREATH)
                        continue
                    answer.error, answer.ours = "this machine has no file descriptors left for it", True
                else:
                    explain(error, answer)
            return answer

    async def _ask(self, answer: Response, cut: int, since: Since | None) -> None:
        session = self._open()
        # Encoded as it stands: aiohttp would rewrite the path by rules that are not the frontier's.
        address = URL(answer.url, encoded=True)
        await self._look_up(address)
        async with self._slots:
            answer.fetched, begun = time.time(), time.perf_counter()
            try:
                async with session.get(address, allow_redirects=False, headers=_asking(since)) as response:
                    answer.status = response.status
                    answer.headers = list(response.headers.items())
                    await self._read(response, answer, cut)
                    if (
                        response.closed
                    ):  # cut short, maybe: the other side is let go by the loop's next turn, not by now
                        await asyncio.sleep(0)
            finally:
                answer.seconds = time.perf_counter() - begun

    async def _look_up(self, address: URL) -> None:
        """Have a host's name looked up, and remembered, before a connection is taken for it."""
        host, port = address.host or "", address.port or 0
        if _is_number(host) or self._places.known(host, port) is not None:
            return
        self.waiting += 1
        self.on_waiting()
        try:
            await self._places.resolve(host, port)
        except AddressRefused:
            raise
        except OSError as error:
            raise NotLookedUp(error) from error
        finally:
            self.waiting -= 1
            self.on_waiting()

    async def is_there(self, url: str) -> bool:
        """Whether a URL's host can be reached now: looked up anew and connected to, and let go without a word."""
        self._open()
        address = URL(url, encoded=True)
        host, port = address.host or "", address.port or 0
        try:
            async with asyncio.timeout(2 * self._connect_timeout):
                found = [(host, port)]
                if not _is_number(host):
                    found = [(one["host"], one["port"]) for one in await self._guarded.resolve(host, port)]
                for place in found[:3]:
                    if await self._is_open(*place):
                        return True
        except (OSError, ValueError):
            pass
        return False

    async def _is_open(self, ip: str, port: int) -> bool:
        family = socket.AF_INET6 if ":" in ip else socket.AF_INET
        try:
            with self._guard.socket_factory((family, socket.SOCK_STREAM, 0, "", (ip, port))) as probe:
                probe.setblocking(False)
                await asyncio.get_running_loop().sock_connect(probe, (ip, port))
        except ConnectionError:  # a refusal, too, came over the network
            return True
        except OSError:
            return False
        return True

    async def _read(self, response: aiohttp.ClientResponse, answer: Response, cut: int) -> None:
        if 300 <= answer.status < 400:
            return
        if cut:
            await _read_head(response, answer, cut)
            return
        if not wanted(answer.media):
            answer.error, answer.lasting = f"media type {answer.media} is of no use", True
            response.close()
            return
        if unknown := _packed_as(response):
            answer.error, answer.lasting = f"packed as {unknown}, which cannot be read", True
            response.close()
            return
        stated = response.headers.get("Content-Length", "")
        if stated.isdigit() and int(stated) > self._largest:
            self._too_large(response, answer)
            return
        chunks: list[bytes] = []
        size = 0
        async for chunk in response.content.iter_chunked(_CHUNK):
            size += len(chunk)
            if size > self._largest:
                self._too_large(response, answer)
                return
            chunks.append(chunk)
        answer.body = b"".join(chunks)

    def _too_large(self, response: aiohttp.ClientResponse, answer: Response) -> None:
        answer.error, answer.lasting = f"larger than {self._largest} bytes", True
        response.close()  # stop the flow; reading on would be what a bomb wants

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None


def _asking(since: Since | None) -> dict[str, str]:
    """The headers of a conditional request."""
    if since is None:
        return {}
    told = {"If-None-Match": since.etag, "If-Modified-Since": since.modified}
    return {name: value for name, value in told.items() if value}


def _packed_as(response: aiohttp.ClientResponse) -> str:
    """An encoding nobody asked for and nobody unpacks, as the server names it; several on top of each other are one."""
    said = ", ".join(response.headers.getall("Content-Encoding", ())).strip().lower()
    return "" if said in _PACKED else f"'{' '.join(said.split())[:60]}'"


async def _read_head(response: aiohttp.ClientResponse, answer: Response, cut: int) -> None:
    body = b""
    async for chunk in response.content.iter_chunked(_CHUNK):
        body += chunk
        if len(body) >= cut:
            response.close()
            break
    answer.body = body[:cut]


def _is_number(host: str) -> bool:
    """Whether a host is an address and no name; no name of the public web ends with a digit."""
    return ":" in host or host[-1:].isdigit()
