"""`python -m honeyguide.demo`: serve the demo web, or write it into a folder."""

from __future__ import annotations

import argparse
import queue
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from honeyguide.errors import HoneyguideError

__all__ = ["main"]

Bell = queue.SimpleQueue[int]
"""Where signals are put by their handler; of all ways to tell a waiting thread, the one a handler may use anywhere."""


def main(arguments: Sequence[str] | None = None, bell: Bell | None = None) -> int:
    """Serve until the bell rings, or write and be done; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m honeyguide.demo", description="The demo web of Honeyguide.")
    parser.add_argument("--port", type=int, default=0, help="port of 127.0.0.1 to serve on; any free one if 0")
    parser.add_argument("--log", type=Path, metavar="FILE", help="append a line of JSON for each request")
    parser.add_argument("--speed", type=float, default=1.0, help="make the slow host this many times faster")
    parser.add_argument("--write", type=Path, metavar="DIR", help="write an offline web into DIR instead of serving")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.write:
            _write(chosen.write)
        else:
            _serve(chosen.port, chosen.speed, chosen.log, bell or Bell())
    except HoneyguideError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _write(folder: Path) -> None:
    from honeyguide.demo import build, write_web

    web = build()
    write_web(folder, web)
    print(f"wrote {len(web.pages)} pages and {len(web.topics)} topics into {folder}")


def _serve(port: int, speed: float, log: Path | None, bell: Bell) -> None:
    from honeyguide.demo import DemoServer  # takes a moment, in which the bell may ring already

    with DemoServer(port=port, speed=speed, log_file=log) as server:
        ip, port = server.address
        assert server.web is not None
        print(f"{len(server.web.pages)} pages on {len(server.web.hosts)} hosts at http://{ip}:{port}")
        print(f"try:  curl -x http://{ip}:{port} http://news.demo.test/")
        print(f"or set http://{ip}:{port} as the HTTP proxy of a browser, and open http://hub.demo.test/")
        print("hosts: " + " ".join(server.web.hosts))
        print("Ctrl-C stops it.", flush=True)
        bell.get()
        print(f"\n{len(server.log)} requests answered")


def _ring() -> Bell:
    """A bell that Ctrl-C and a request to end ring, from now on; nothing is broken off by them, wherever it is."""
    bell = Bell()
    # Said outright: a process started in the background by a shell has Ctrl-C's signal ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: bell.put(number))
    return bell


if __name__ == "__main__":
    sys.exit(main(bell=_ring()))
