"""Many small healthy hosts in one server, which remembers what it was asked: to lose a page of theirs is a fault."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from typing import Any

__all__ = ["Healthy"]

_WORDS = "Bees make honey in the hive all summer long, and the keeper takes some of it. "


class Healthy:
    """So many hosts with so many pages each, all linked from the host's front page; a context manager.

    `size` is the bytes of a page, `slow` the seconds it takes. Paths with a word of `odd` get its bytes.
    """

    def __init__(
        self,
        hosts: int,
        pages: int,
        *,
        size: int = 1_000,
        slow: float = 0.0,
        odd: dict[str, bytes] | None = None,
        port: int = 0,
    ) -> None:
        self.hosts = [f"healthy-{number}.test" for number in range(hosts)]
        self.pages = pages
        self.size, self.slow, self.odd = size, slow, odd or {}
        self.port = port
        self.asked: Counter[tuple[str, str]] = Counter()

    def __enter__(self) -> Healthy:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", self.port, backlog=2_000)

    async def _end(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split(" ", 2)[1]
            host = head.lower().partition("\r\nhost:")[2].partition("\r\n")[0].strip().partition(":")[0]
            self.asked[host, path] += 1
            if self.slow and path != "/robots.txt":
                await asyncio.sleep(self.slow)
            status, body = ("404 Not Found", b"") if path == "/robots.txt" else ("200 OK", self._page(host, path))
            writer.write(
                f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n"
                "Connection: close\r\n\r\n".encode()
                + body
            )
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    def _page(self, host: str, path: str) -> bytes:
        for word, body in self.odd.items():
            if word in path:
                return body
        links = "".join(f"<a href=/{number}>page {number}</a> " for number in range(1, self.pages))
        words = f"<title>{host}{path}</title><p>{hash((host, path))} {links if path == '/' else ''}"
        return (words + _WORDS * (1 + (self.size - len(words)) // len(_WORDS))).encode()

    # -- for the crawl ------------------------------------------------------------------------------------------

    def names(self) -> dict[str, tuple[str, int]]:
        """Where the hosts are."""
        return dict.fromkeys(self.hosts, ("127.0.0.1", self.port))

    @property
    def urls(self) -> list[str]:
        """All pages."""
        paths = ["", *(str(number) for number in range(1, self.pages))]
        return [f"http://{host}/{path}" for host in self.hosts for path in paths]

    @property
    def starts(self) -> tuple[str, ...]:
        """The front pages."""
        return tuple(f"http://{host}/" for host in self.hosts)

    def missing(self, read: Any) -> list[str]:
        """Pages that are not among those read."""
        return sorted(set(self.urls) - set(read))
