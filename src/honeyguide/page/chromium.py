"""A headless Chromium, spoken to over a pipe: it has no port that others could reach, and no way to the network.

    async with Chromium() as browser:
        target = await browser.ask("Target.createTarget", {"url": "about:blank"})

What it may load, whoever uses it must give it, request by request. Should one slip through, it finds no name server and
no proxy. It ends with its user, whatever becomes of that (`chromium_child`).
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from honeyguide.errors import ExtractError
from honeyguide.page.chromium_child import TOO_LARGE, TOO_LONG

__all__ = ["Chromium", "find_browser", "nobody_listens"]

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_CHILD = Path(__file__).with_name("chromium_child.py")
_LARGEST = 64_000_000  # bytes of one message
_FLAGS = (
    "--headless", "--remote-debugging-pipe", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--hide-scrollbars", "--mute-audio", "--disable-extensions", "--disable-sync", "--disable-breakpad",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--no-pings",
    "--disable-client-side-phishing-detection", "--disable-domain-reliability", "--no-default-browser-check",
    "--disable-features=MediaRouter,OptimizationHints,Translate,SpeculationRules,NetworkTimeServiceQuerying",
    "--password-store=basic", "--use-mock-keychain", "--force-color-profile=srgb",
    # Nothing it asks for by itself leads anywhere: no name is found, and all goes by a proxy that is none.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://nowhere.invalid:1", "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)  # fmt: skip

Event = Callable[[str, dict[str, Any], str], None]  # its name, what it tells, and in which session it happened


def nobody_listens(_method: str, _told: dict[str, Any], _session: str) -> None:
    """What happens in the browser is of no interest."""


def find_browser(what: str, instead: str) -> str:
    """Where Chromium is; where there is none, an error that says what needs it and what to do instead."""
    found = next((place for name in _BROWSERS if (place := shutil.which(name))), None)
    if found is None:
        raise ExtractError(f"{what} needs Chromium, and there is none on the PATH: install it, or {instead}")
    return found


class Chromium:
    """A browser for as long as its `async with` lasts.

    It has `seconds` and `memory` bytes; past them it is ended, and whatever was asked of it fails with an ExtractError.
    """

    def __init__(self, *, seconds: float = 60.0, memory: int = 1_500_000_000) -> None:
        self.on_event: Event = nobody_listens
        self._seconds, self._memory = seconds, memory
        self._browser = find_browser("--browser", "do without it")
        if os.name != "posix":
            raise ExtractError("--browser needs Linux or macOS, where a browser can be spoken to over a pipe")
        self.turn = asyncio.Lock()  # of one page at a time
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ended = ""  # why it is no more
        self._child: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Chromium:
        try:
            try:
                await self._start(_FLAGS)
            except ExtractError as error:
                # Where the system lets nobody make a sandbox, root's browser, which runs as nobody, does without.
                if "sandbox" not in str(error).lower() or os.geteuid() != 0:
                    raise
                await self._gone()
                await self._start((*_FLAGS, "--no-sandbox"))
        except BaseException:
            await self.__aexit__(None, None, None)
            raise
        return self

    async def _start(self, flags: Sequence[str]) -> None:
        """Start it, and wait until it answers."""
        self._ended = ""
        pipe = asyncio.subprocess.PIPE
        try:
            self._child = await asyncio.create_subprocess_exec(
                sys.executable, "-P", str(_CHILD), str(self._seconds), str(self._memory), self._browser, *flags,
                stdin=pipe, stdout=pipe, stderr=pipe, limit=_LARGEST, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise ExtractError(f"{self._browser} cannot be started: {error.strerror or error}") from None
        self._listener = asyncio.create_task(self._listen())
        await self.ask("Browser.getVersion")

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._child is None:
            return
        if self._child.returncode is None:
            with suppress(ProcessLookupError):
                self._child.terminate()
        # Waited for even by one who was cancelled: only then is nothing left.
        await asyncio.shield(self._gone())

    async def _gone(self) -> None:
        assert self._child is not None
        self._listener.cancel()
        await asyncio.wait([self._listener])
        assert self._child.stdin is not None
        self._child.stdin.close()
        await self._child.wait()

    async def ask(
        self, method: str, params: dict[str, Any] | None = None, *, session: str | None = None
    ) -> dict[str, Any]:
        """Give it a command of the Chrome DevTools Protocol and wait for what it answers."""
        number = next(self._numbers)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        self._send({"id": number, "method": method, "params": params or {}}, session)
        return await answer

    def tell(self, method: str, params: dict[str, Any], *, session: str | None = None) -> None:
        """Give it a command whose answer nobody waits for; one that has ended needs none."""
        if not self._ended:
            self._send({"id": next(self._numbers), "method": method, "params": params}, session)

    def _send(self, message: dict[str, Any], session: str | None) -> None:
        if self._ended:
            raise ExtractError(self._ended)
        if session:
            message["sessionId"] = session
        assert self._child is not None
        assert self._child.stdin is not None
        self._child.stdin.write(msgspec.json.encode(message) + b"\0")

    async def _listen(self) -> None:
        assert self._child is not None
        assert self._child.stdout is not None
        why = ""
        try:
            while True:
                self._hear(msgspec.json.decode((await self._child.stdout.readuntil(b"\0"))[:-1]))
        except asyncio.LimitOverrunError:
            why = f"{self._browser} told more than {_LARGEST} bytes of the page"
        except (asyncio.IncompleteReadError, ConnectionError, msgspec.DecodeError):
            why = await self._why()
        self._ended = why
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(ExtractError(why))

    def _hear(self, message: dict[str, Any]) -> None:
        if "id" not in message:
            self.on_event(str(message.get("method")), message.get("params") or {}, str(message.get("sessionId", "")))
            return
        answer = self._asked.pop(message["id"], None)
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(ExtractError(f"{self._browser}: {message['error'].get('message', 'an error')}"))
        else:
            answer.set_result(message.get("result") or {})

    async def _why(self) -> str:
        """Why there is no answer: what became of the browser."""
        assert self._child is not None
        assert self._child.stderr is not None
        told = (await self._child.stderr.read()).decode("utf-8", "replace").strip()
        code = await self._child.wait()
        if code == TOO_LONG:
            return f"the page was not laid out within {self._seconds:g} seconds"
        if code == TOO_LARGE:
            return f"laying the page out took more than {self._memory // 1_000_000} MB of memory"
        return f"{self._browser} ended before the page was laid out{f': {told}' if told else ''}"
