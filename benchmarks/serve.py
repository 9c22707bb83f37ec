"""Serve an offline web from memory on 127.0.0.1, cheaply, and count what was asked for.

    python benchmarks/serve.py --web DIR [--pages 1500]

The pages are chosen by a fixed shuffle, the examples of the web's first topic in front, so the first quarter of
them is a fair sample of the whole. Only they are served: any other address, robots.txt too, is a quick 404.
Three addresses steer the server and are never linked to:

    /.bench/urls             the chosen pages, one address a line
    /.bench/reset?pages=N    serve only the first N of them from now on, all counters at zero
    /.bench/counts           what was asked for since, as JSON
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

from fastwarc.warc import ArchiveIterator, WarcRecordType

CONTROL = b"/.bench/"
LONGEST_REQUEST = 64 * 1024
MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nnot found\n"
REFUSED = b"HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def read_archive(web: Path) -> Iterator[tuple[str, str, bytes]]:
    """Give the address, content type and body of every HTML page in the archive of an offline web."""
    with (web / "pages.warc.gz").open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
            kind = record.http_headers.get("Content-Type") or ""
            if record.http_headers.status_code == 200 and "html" in kind:
                yield record.headers["WARC-Target-URI"], kind, record.reader.read()


def read_topic(web: Path, name: str | None = None) -> dict[str, Any]:
    """The topic of an offline web with this id; its first one when no id is given."""
    try:
        lines = (web / "topics.jsonl").read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SystemExit(f"cannot read {web / 'topics.jsonl'}: {error.strerror}") from error
    topics: list[dict[str, Any]] = [json.loads(line) for line in lines if line.strip()]
    for topic in topics:
        if name in (None, topic["id"]):
            return topic
    raise SystemExit(f"{web / 'topics.jsonl'} has no topic {name!r}")


def local_path(url: str, many_hosts: bool) -> str:
    """Where a page lives on the local server: its own path, below its host's name if there are several hosts.

    >>> local_path("http://a.test/x/y?z=1", many_hosts=False)
    '/x/y?z=1'
    >>> local_path("http://a.test/x/y?z=1", many_hosts=True)
    '/a.test/x/y?z=1'
    """
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return f"/{parts.netloc}{path}" if many_hosts else path


def choose(urls: list[str], first: list[str], count: int) -> list[str]:
    """Pick pages by a fixed shuffle, those of `first` in front, so every prefix is a fair sample.

    >>> choose(["a", "b", "c", "d"], ["c", "not there"], 2)[0]
    'c'
    """
    known = set(urls)
    front = [url for url in dict.fromkeys(first) if url in known]
    rest = sorted(known.difference(front))
    random.Random(0).shuffle(rest)
    return (front + rest)[:count]


class AnswerCache:
    """The answers, ready made, and the counters."""

    def __init__(self, web: Path, count: int, topic: str | None = None) -> None:
        pages = {url: (kind, body) for url, kind, body in read_archive(web)}
        examples = read_topic(web, topic)["examples"]
        self.urls = choose(list(pages), examples, count)
        self.examples = len(set(examples).intersection(self.urls))
        many_hosts = len({urlsplit(url).netloc for url in pages}) > 1
        self.paths = [local_path(url, many_hosts) for url in self.urls]
        self.sizes = [len(pages[url][1]) for url in self.urls]
        self.answers = {
            path.encode(): b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
            % (pages[url][0].encode(), len(pages[url][1]), pages[url][1])
            for path, url in zip(self.paths, self.urls, strict=True)
        }
        self.reset(len(self.paths))

    def reset(self, count: int) -> None:
        """Serve the first `count` pages only, and count anew."""
        self.open = {path.encode(): self.answers[path.encode()] for path in self.paths[:count]}
        self.mean_bytes = sum(self.sizes[:count]) / max(1, len(self.open))
        self.seen: set[bytes] = set()
        self.requests = self.missing = self.robots = self.connections = 0

    def counts(self) -> dict[str, float]:
        """What was asked for since the last reset; `repeats` are second fetches of a page."""
        return {
            "offered": len(self.open),
            "pages": len(self.seen),
            "repeats": self.requests - self.missing - self.robots - len(self.seen),
            "missing": self.missing,
            "robots": self.robots,
            "connections": self.connections,
            "mean_bytes": round(self.mean_bytes, 1),
        }

    def answer(self, target: bytes) -> bytes:
        """The whole response to a GET of this target."""
        if target.startswith(CONTROL):
            return self.control(target[len(CONTROL) :].decode())
        self.requests += 1
        page = self.open.get(target)
        if page is not None:
            self.seen.add(target)
            return page
        if target == b"/robots.txt":
            self.robots += 1
        else:
            self.missing += 1
        return MISSING

    def control(self, order: str) -> bytes:
        """Obey an order of the one who measures."""
        name, _, value = order.partition("?pages=")
        if name == "urls":
            body = "\n".join(self.paths)
        elif name == "reset" and value.isdecimal():
            self.reset(int(value))
            body = "{}"
        elif name == "counts":
            body = json.dumps(self.counts())
        else:
            return MISSING
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body.encode()), body.encode())


class Talk(asyncio.Protocol):
    """One connection, kept alive unless the other side says otherwise."""

    transport: asyncio.Transport

    def __init__(self, shelf: AnswerCache) -> None:
        self.shelf = shelf
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to write."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.shelf.connections += 1

    def data_received(self, data: bytes) -> None:
        """Answer every whole request that has arrived."""
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head, self.buffer = self.buffer[:end], self.buffer[end + 4 :]
            method, _, rest = head.partition(b" ")
            target, _, rest = rest.partition(b" ")
            if method != b"GET":
                self.transport.write(REFUSED)
                return self.transport.close()
            self.transport.write(self.shelf.answer(target))
            rest = rest.lower()
            if b"connection: close" in rest or (rest.startswith(b"http/1.0") and b"keep-alive" not in rest):
                return self.transport.close()
        if len(self.buffer) > LONGEST_REQUEST:
            self.transport.close()
        return None


async def serve(shelf: AnswerCache, until_stdin_closes: bool) -> None:
    """Serve until stopped; the port is printed as the first line."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Talk(shelf), "127.0.0.1", 0, backlog=512)
    port = server.sockets[0].getsockname()[1]
    print(json.dumps({"port": port, "pages": len(shelf.paths), "examples": shelf.examples}), flush=True)
    done = asyncio.Event()
    if until_stdin_closes:

        def watch() -> None:
            # Not sys.stdin: its lock, held by a waiting thread, would break an exit by Ctrl-C.
            while os.read(0, 4096):
                continue
            loop.call_soon_threadsafe(done.set)

        threading.Thread(target=watch, daemon=True).start()
    await done.wait()
    server.close()


class Server:
    """The server in a process of its own; it goes when the `with` block ends, or when this process dies."""

    def __init__(self, web: Path, pages: int, topic: str | None = None) -> None:
        self.command = [sys.executable, __file__, "--web", str(web), "--pages", str(pages), "--until-stdin-closes"]
        self.command += ["--topic", topic] if topic else []

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        ready = self.process.stdout.readline()
        if not ready:
            self.__exit__(None, None, None)
            raise SystemExit("the local server did not start; its message is above")
        about = json.loads(ready)
        self.port: int = about["port"]
        self.urls = [f"http://127.0.0.1:{self.port}{path}" for path in self._ask("urls").splitlines()]
        self.examples = self.urls[: about["examples"]]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            self.process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()

    def reset(self, pages: int) -> None:
        """Serve only the first `pages` pages, counters at zero."""
        self._ask(f"reset?pages={pages}")

    def counts(self) -> dict[str, float]:
        """What was asked for since the reset."""
        counts: dict[str, float] = json.loads(self._ask("counts"))
        return counts

    def _ask(self, order: str) -> str:
        # A proxy from the environment must not come between us and the loopback.
        with build_opener(ProxyHandler({})).open(f"http://127.0.0.1:{self.port}/.bench/{order}", timeout=120) as answer:
            text: str = answer.read().decode()
        return text


def main() -> None:
    """Serve a web from the command line."""
    parser = argparse.ArgumentParser(description="Serve an offline web from memory on 127.0.0.1.")
    parser.add_argument("--web", type=Path, required=True, help="folder with pages.warc.gz and topics.jsonl")
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--topic", help="id of the topic whose examples come first (the web's first topic)")
    parser.add_argument("--until-stdin-closes", action="store_true", help="for a parent that may die")
    given = parser.parse_args()
    try:
        asyncio.run(serve(AnswerCache(given.web, given.pages, given.topic), given.until_stdin_closes))
    except OSError as error:
        raise SystemExit(f"cannot serve {given.web}: {error}") from error
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
