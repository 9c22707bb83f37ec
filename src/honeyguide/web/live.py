"""The live web: many hosts at once over HTTP, every answer bounded in time and size."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import time
from collections.abc import Mapping, Sequence

import aiohttp
from aiohttp.abc import AbstractResolver
from aiohttp.client_exceptions import ClientConnectorCertificateError, ClientConnectorDNSError
from yarl import URL

from honeyguide.web.base import Response, wanted
from honeyguide.web.guard import AddressRefused, Guard, GuardedResolver

__all__ = ["LiveWeb"]

_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,application/pdf;q=0.8,*/*;q=0.5"
_CHUNK = 65_536
_PACKED = ("", "identity", "gzip", "deflate", "br", "zstd")
_NO_SUCH_NAME = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))


class LiveWeb:
    """Asks servers, one hop at a time: a redirect is an answer, its target goes back through the frontier.

    A connection ends with its answer, so that a server sees no more of them than there are requests under way, however
    many hands there are. With `keep` they stay open for the next request: for servers of one's own, asked without rest.
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
        resolver: AbstractResolver | None = None,
    ) -> None:
        self._headers = {"User-Agent": agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip, deflate, br, zstd"}
        if languages:
            self._headers["Accept-Language"] = ", ".join([*languages, "*;q=0.5"])
        self._timeout = aiohttp.ClientTimeout(total=total_timeout, sock_connect=connect_timeout, sock_read=read_timeout)
        self._largest = largest
        self._guard = guard or Guard()
        self._names = dict(names or {})
        self._keep = keep
        self._resolver = resolver
        self._session: aiohttp.ClientSession | None = None

    def _open(self) -> aiohttp.ClientSession:
        # Made on first use: a session belongs to the loop it is made in.
        if self._session is None:
            connector = aiohttp.TCPConnector(
                limit=0,  # the frontier decides how many
                resolver=GuardedResolver(self._guard, names=self._names, resolver=self._resolver),
                socket_factory=self._guard.socket_factory,
                ttl_dns_cache=300,
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

    async def fetch(self, url: str, *, cut: int = 0) -> Response:
        """Ask for one URL; with `cut`, for the first bytes of whatever kind of body there is."""
        answer = Response(url, fetched=time.time())
        begun = time.perf_counter()
        try:
            # Encoded as it stands: aiohttp would rewrite the path by rules that are not the frontier's.
            async with self._open().get(URL(url, encoded=True), allow_redirects=False) as response:
                answer.status = response.status
                answer.headers = list(response.headers.items())
                await self._read(response, answer, cut)
        except Exception as error:  # whatever a server or a library does, the crawl goes on and says what it was
            _explain(error, answer)
        answer.seconds = time.perf_counter() - begun
        return answer

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


def _name_is_unknown(error: ClientConnectorDNSError) -> bool:
    """Whether a resolver said that there is no such name; else it had no answer for now."""
    return isinstance(error.os_error, socket.gaierror) and error.os_error.errno in _NO_SUCH_NAME


def _in_words(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)[:100]


def _explain(error: Exception, answer: Response) -> None:
    """Turn what went wrong into one sentence, and say whether trying again may help."""
    answer.body = b""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, AddressRefused):
            answer.status, answer.error = 0, f"address refused: {cause.reason}"
            answer.lasting = answer.whole_host = True
            return
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, ClientConnectorDNSError):
        if _name_is_unknown(error):
            answer.error, answer.lasting, answer.whole_host = "host name does not resolve", True, True
        else:
            answer.error = "host name cannot be looked up for now"
    elif isinstance(error, ClientConnectorCertificateError | ssl.SSLCertVerificationError):
        answer.error, answer.lasting, answer.whole_host = "certificate is not valid", True, True
    elif isinstance(error, aiohttp.ConnectionTimeoutError):
        answer.error = "no connection in time"
    elif isinstance(error, asyncio.TimeoutError):
        answer.error = "no full answer in time"
    elif isinstance(error, aiohttp.ClientConnectorError):
        answer.error = f"cannot connect: {_in_words(error.os_error)}"
    elif isinstance(error, aiohttp.ServerDisconnectedError):
        answer.error = "server closed the connection"
    elif isinstance(error, aiohttp.ClientOSError):
        answer.error = f"connection lost: {_in_words(error)}"
    elif isinstance(error, aiohttp.ClientPayloadError):
        answer.error = "answer broke off or could not be decoded"
    elif isinstance(error, aiohttp.ClientResponseError):
        answer.error, answer.lasting = f"not a valid HTTP answer: {' '.join(error.message.split())[:100]}", True
    else:
        answer.error = f"{type(error).__name__}: {error}"[:200]
    if answer.status and answer.error:
        answer.status = 0  # half an answer is none
