"""What a host said of itself, or showed, must hold over a resume: a robots.txt, a wish for time, failures in a row."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

__all__ = ["COMMAND", "ROBOTS", "Host", "Said", "crawl", "listening", "resume", "served"]

COMMAND = [sys.executable, "-m", "honeyguide"]
OPEN, SHUT = b"User-agent: *\nAllow: /", b"User-agent: *\nDisallow: /"
Said = tuple[int, dict[str, str], bytes]


class Host:
    """One host whose answers may change at any time; it writes down what it was asked, and when it had answered."""

    def __init__(self) -> None:
        self.log: list[tuple[str, float]] = []
        self.robots: Said = (200, {}, OPEN)
        self.page: Said = (200, {"Content-Type": "text/html"}, b"")
        self.port = 0

    def answer(self, path: str) -> Said:
        """What is said to a request."""
        self.log.append((path, time.monotonic()))
        if path == "/robots.txt":
            return self.robots
        status, headers, body = self.page
        links = "".join(f"<a href=/{number}>more</a> " for number in range(20))
        return status, headers, body or f"<title>{path}</title><p>Honey of bees, page {path}. {links}".encode()

    def asked(self, what: str = "") -> list[str]:
        """The paths asked for since `log` was cleared; `what` chooses between "robots" and "pages"."""
        own = {"": (True, False), "robots": (True,), "pages": (False,)}[what]
        return [path for path, _ in self.log if (path == "/robots.txt") in own]

    def times(self) -> list[float]:
        """When it had answered each request."""
        return [at for _, at in self.log]


@contextmanager
def served(answer: Callable[[str], Said]) -> Iterator[int]:
    """A port at which every path is answered so."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = answer(self.path)
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body)), "Connection": "close"}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nothing on the screen."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield http.server_address[1]
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


@contextmanager
def listening() -> Iterator[Host]:
    """A host that can be asked."""
    host = Host()
    with served(host.answer) as host.port:
        yield host


def crawl(host: Host, folder: Path, *words: str) -> subprocess.Popen[str]:
    """Begin a crawl of a host."""
    given = ["--keyword", "honey", "--start", f"http://127.0.0.1:{host.port}/0", "--open", "127.0.0.1"]
    return _begun("crawl", *given, "--strategy", "breadth-first", "--out", str(folder), *words)


def resume(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Go on with one."""
    return _begun("resume", str(folder), *words)


def _begun(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _done(process: subprocess.Popen[str]) -> int:
    process.communicate()
    return process.returncode


def _until(condition: Callable[[], object], process: subprocess.Popen[str]) -> None:
    while not condition() and process.poll() is None:
        time.sleep(0.005)


# -- cases ----------------------------------------------------------------------------------------------------------


def aged(folder: Path) -> tuple[str, str]:
    """a robots.txt good for a second, which forbids all after it."""
    with listening() as host:
        host.robots = (200, {"Cache-Control": "max-age=1"}, OPEN)
        _done(crawl(host, folder / "crawl", "--pages", "3", "--delay", "0"))
        time.sleep(1.1)
        host.robots = (200, {"Cache-Control": "max-age=1"}, SHUT)
        host.log.clear()
        _done(resume(folder / "crawl", "--pages", "9"))
        return f"asked for on resume: {', '.join(host.asked())}", "asked for on resume: /robots.txt"


def fresh(folder: Path) -> tuple[str, str]:
    """a robots.txt good for an hour is not asked for again."""
    with listening() as host:
        host.robots = (200, {"Cache-Control": "max-age=3600"}, OPEN)
        _done(crawl(host, folder / "crawl", "--pages", "3", "--delay", "0"))
        host.log.clear()
        _done(resume(folder / "crawl", "--pages", "9"))
        told = f"{len(host.asked('robots'))} times robots.txt, {len(host.asked('pages'))} pages"
        return told, "0 times robots.txt, 6 pages"


def refused(folder: Path) -> tuple[str, str]:
    """a robots.txt refused (403) with Retry-After: 3, the crawl killed (SIGKILL) at once and resumed."""
    with listening() as host:
        host.robots = (403, {"Retry-After": "3"}, b"")
        one = crawl(host, folder / "crawl", "--pages", "2", "--delay", "0")
        _until(host.asked, one)
        time.sleep(0.5)  # so that it has heard it
        one.kill()
        _done(one)
        _done(resume(folder / "crawl", "--pages", "2"))
        return _rests([3.0], host.times()[:2]), "every rest as long as it must be"


def failing(folder: Path) -> tuple[str, str]:
    """a host that fails, the crawl stopped (SIGINT) after each failure and resumed: it is left alone for longer."""
    delay = 0.4
    with listening() as host:
        host.page = (500, {}, b"")
        words = ("--delay", str(delay))
        for turn in range(3):
            pages = len(host.asked("pages"))
            one = crawl(host, folder / "crawl", *words) if not turn else resume(folder / "crawl", *words)
            _until(lambda: len(host.asked("pages")) > pages, one)  # noqa: B023
            time.sleep(0.2)
            one.send_signal(signal.SIGINT)
            _done(one)
        times = [at for path, at in host.log if path != "/robots.txt"]
        if len(times) != 3:
            return f"{len(times)} failures", "every rest as long as it must be"
        return _rests([2 * delay, 4 * delay], times), "every rest as long as it must be"


def parked(folder: Path) -> tuple[str, str]:
    """a host that asks for two hours is not asked again, in this run or in the next."""
    with listening() as host:
        host.page = (503, {"Retry-After": "7200"}, b"")
        _done(crawl(host, folder / "crawl", "--pages", "5", "--delay", "0"))
        _done(resume(folder / "crawl", "--pages", "9"))
        return f"{len(host.asked('pages'))} page asked for", "1 page asked for"


def _rests(least: list[float], times: list[float]) -> str:
    rests = [after - before for before, after in pairwise(times)]
    short = [f"{rest:.2f} s, not {wanted:g}" for rest, wanted in zip(rests, least, strict=True) if rest < wanted]
    return ", ".join(short) or "every rest as long as it must be"


ROBOTS = {
    "robots aged": aged,
    "robots fresh": fresh,
    "robots refused": refused,
    "host failing": failing,
    "host parked": parked,
}
