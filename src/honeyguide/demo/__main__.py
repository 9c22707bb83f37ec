"""`python -m honeyguide.demo`: serve the demo web, or write it into a folder."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from honeyguide.demo.offline import write_web
from honeyguide.demo.server import DemoServer
from honeyguide.demo.site import build
from honeyguide.errors import HoneyguideError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C, or write and be done; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m honeyguide.demo", description="The demo web of Honeyguide.")
    parser.add_argument("--port", type=int, default=0, help="port of 127.0.0.1 to serve on; any free one if 0")
    parser.add_argument("--log", type=Path, metavar="FILE", help="append a line of JSON for each request")
    parser.add_argument("--speed", type=float, default=1.0, help="make the slow host this many times faster")
    parser.add_argument("--write", type=Path, metavar="DIR", help="write an offline web into DIR instead of serving")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.write:
            write_web(chosen.write, build())
            print(f"wrote {len(build().pages)} pages and {len(build().topics)} topics into {chosen.write}")
        else:
            _serve(DemoServer(port=chosen.port, speed=chosen.speed, log_file=chosen.log))
    except HoneyguideError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _serve(server: DemoServer) -> None:
    # Said outright: a process started in the background by a shell has Ctrl-C's signal ignored.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with server:
        ip, port = server.address
        assert server.web is not None
        print(f"{len(server.web.pages)} pages on {len(server.web.hosts)} hosts at http://{ip}:{port}")
        print(f"try:  curl -x http://{ip}:{port} http://news.demo.test/")
        print(f"or set http://{ip}:{port} as the HTTP proxy of a browser, and open http://hub.demo.test/")
        print("hosts: " + " ".join(server.web.hosts))
        print("Ctrl-C stops it.", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print(f"\n{len(server.log)} requests answered")


if __name__ == "__main__":
    sys.exit(main())
