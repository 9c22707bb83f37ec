"""The demo web over real HTTP: one local address, every host by its name."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import json
import threading
import time
from collections import Counter
from pathlib import Path
from typing import IO, NamedTuple, Self

from aiohttp import web as http

from honeyguide.demo.dice import Dice
from honeyguide.demo.hosts import HOSTS
from honeyguide.demo.living import LivingWeb
from honeyguide.demo.site import build
from honeyguide.demo.specials import trap_page
from honeyguide.demo.web import DemoPage, DemoWeb
from honeyguide.errors import SettingError

__all__ = ["DemoServer", "LogLine"]

LOCAL = "127.0.0.1"
SLOWEST, FASTEST = 1.0, 0.3  # seconds the slow host takes for an answer


class LogLine(NamedTuple):
    """One request as the server saw it; times are of the server's clock, `connection` is the client's port."""

    time_start: float
    time_end: float
    host: str
    path: str
    status: int
    user_agent: str
    connection: int


class _Ready(NamedTuple):
    """An answer with nothing left to work out."""

    status: int
    headers: dict[str, str]
    body: bytes
    plain: bytes  # the body for a client that takes no gzip
    tag: str
    wait: float


class DemoServer:
    """Serves the demo web from a thread of its own, to plain and to asynchronous code alike.

    >>> with DemoServer() as server:
    ...     sorted(server.resolve)[0], server.address[0]
    ('blog.demo.test', '127.0.0.1')

    `resolve` is what a client's resolver has to know; `log` is the witness of what the client really did.
    `speed` makes the slow host faster. Each server starts afresh: pages that fail at first fail at first again. With
    `living`, news comes and goes by its clock, which is then the log's, too.
    """

    def __init__(
        self,
        web: DemoWeb | None = None,
        *,
        port: int = 0,
        speed: float = 1.0,
        log_file: Path | None = None,
        living: LivingWeb | None = None,
    ) -> None:
        if not speed > 0:
            raise SettingError(f"speed must be more than 0, not {speed}")
        self.web = web
        self.log: list[LogLine] = []
        self.address: tuple[str, int] = (LOCAL, port)
        self._speed = speed
        self._log_file = log_file
        self._living = living
        self._clock = living.clock if living is not None else time.monotonic
        self._answers: dict[str, _Ready] = {}
        self._asked: Counter[str] = Counter()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    @property
    def resolve(self) -> dict[str, tuple[str, int]]:
        """Where each host of the demo web really is."""
        return {host.name: self.address for host in HOSTS.values()}

    def start(self) -> None:
        """Open the address and begin to answer; returns when the first request may come."""
        if self._thread is not None:
            raise RuntimeError("the demo server is already running")
        web = self.web = self.web or build()
        self._answers = {url: self._prepare(page) for url, page in web.pages.items()}
        self._asked.clear()
        ready = threading.Event()
        failure: list[Exception] = []

        def run() -> None:
            try:
                asyncio.run(self._serve(ready))
            except Exception as error:  # told to the caller, who is in another thread
                failure.append(error)
            finally:
                ready.set()

        thread = threading.Thread(target=run, name="demo-web", daemon=True)
        thread.start()
        ready.wait()
        if failure:
            thread.join()
            if not isinstance(failure[0], OSError | OverflowError):
                raise failure[0]
            raise SettingError(f"the demo web cannot be served: {failure[0]}") from failure[0]
        self._thread = thread

    def stop(self) -> None:
        """Close the address; the log stays."""
        thread, self._thread = self._thread, None
        if thread is None or self._loop is None or self._stop is None:
            return
        self._loop.call_soon_threadsafe(self._stop.set)
        thread.join()

    def __enter__(self) -> Self:
        """Start serving."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving."""
        self.stop()

    async def __aenter__(self) -> Self:
        """Start serving, without holding up the caller's loop."""
        await asyncio.to_thread(self.start)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop serving, without holding up the caller's loop."""
        await asyncio.to_thread(self.stop)

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        with contextlib.ExitStack() as files:
            out = files.enter_context(self._log_file.open("a", encoding="utf-8")) if self._log_file else None

            async def answer(request: http.BaseRequest) -> http.StreamResponse:
                return await self._answer(request, out)

            runner = http.ServerRunner(http.Server(answer, access_log=None), shutdown_timeout=0.1)
            await runner.setup()
            try:
                site = http.TCPSite(runner, self.address[0], self.address[1])
                await site.start()
                self.address = runner.addresses[0][:2]
                ready.set()
                await self._stop.wait()
            finally:
                await runner.cleanup()

    async def _answer(self, request: http.BaseRequest, out: IO[str] | None) -> http.StreamResponse:
        started = self._clock()
        host, path = _asked_for(request)
        ready = self._find(host, path, request.method)
        if ready.wait:
            await asyncio.sleep(ready.wait)
        response = _response(ready, request)
        # Written down before the last byte leaves: whoever has the answer finds it in the log.
        peer = request.transport.get_extra_info("peername") if request.transport else None
        agent = request.headers.get("User-Agent", "")
        line = LogLine(started, self._clock(), host, path, response.status, agent, peer[1] if peer else 0)
        self.log.append(line)
        if out is not None:
            out.write(json.dumps(line._asdict(), ensure_ascii=False) + "\n")
            out.flush()
        return response

    def _find(self, host: str, path: str, method: str) -> _Ready:
        if method not in {"GET", "HEAD"}:
            return _error(405, "only GET and HEAD are answered here")
        url = f"http://{host}{path}"
        if self._living is not None and (page := self._living.find(url)) is not None:
            return self._prepare(page) if page.status == 200 else _error(page.status, "there is no such page")
        found = self._answers.get(url)
        if found is None:
            return self._other(host, path)
        assert self.web is not None
        before = self.web.pages[url].before
        if before:
            turn = self._asked[url]
            self._asked[url] += 1
            if turn < len(before):
                status, headers = before[turn]
                return _error(status, "try again later", headers)
        return found

    def _other(self, host: str, path: str) -> _Ready:
        """What no list holds: the inside of the trap, tracking parameters, and mistakes."""
        if all(host != known.name for known in HOSTS.values()):
            return _error(421, "this host is not served here")
        if host == HOSTS["trap"].name and (page := trap_page(path)):
            return self._prepare(page)
        bare, _, query = path.partition("?utm_")
        if query and (found := self._answers.get(f"http://{host}{bare}")):
            return found
        return _error(404, "there is no such page", wait=self._wait(host, path))

    def _wait(self, host: str, path: str) -> float:
        if host != HOSTS["slow"].name:
            return 0.0
        share = Dice("wait", path).number(0, 100) / 100
        return (FASTEST + share * (SLOWEST - FASTEST)) / self._speed

    def _prepare(self, page: DemoPage) -> _Ready:
        plain = gzip.decompress(page.body) if page.headers.get("Content-Encoding") == "gzip" else page.body
        tag = f'"{hashlib.blake2b(plain, digest_size=8).hexdigest()}"'
        headers = page.headers | {"ETag": tag} if page.status == 200 else page.headers
        path = page.url.removeprefix(f"http://{page.host}")
        return _Ready(page.status, headers, page.body, plain, tag, self._wait(page.host, path))


def _asked_for(request: http.BaseRequest) -> tuple[str, str]:
    """The host and the path with its query, exactly as sent; a proxy-style address carries its own host."""
    target = request.raw_path
    if target.startswith("http://"):
        host, slash, path = target.removeprefix("http://").partition("/")
        target = slash + path or "/"
    else:
        host = request.headers.get("Host", "")
    return host.partition(":")[0].lower(), target


def _error(status: int, text: str, headers: dict[str, str] | None = None, wait: float = 0.0) -> _Ready:
    body = f"<!DOCTYPE html><title>{status}</title><p>Sorry: {text}.</p>\n".encode()
    return _Ready(status, {"Content-Type": "text/html; charset=utf-8"} | (headers or {}), body, body, "", wait)


def _response(ready: _Ready, request: http.BaseRequest) -> http.Response:
    if ready.tag and request.headers.get("If-None-Match") == ready.tag:
        return http.Response(status=304, headers={"ETag": ready.tag})
    if ready.body is ready.plain or "gzip" in request.headers.get("Accept-Encoding", ""):
        return http.Response(status=ready.status, headers=ready.headers, body=ready.body)
    headers = {name: value for name, value in ready.headers.items() if name != "Content-Encoding"}
    return http.Response(status=ready.status, headers=headers, body=ready.plain)
