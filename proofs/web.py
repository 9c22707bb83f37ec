"""The demo web, served until it is killed: `python proofs/web.py LOG_FILE CRAWL_DELAY`.

One host, mirror.demo.test, asks in its robots.txt for so many seconds between two requests.
"""

from __future__ import annotations

import sys
import threading
from dataclasses import replace
from pathlib import Path

from honeyguide.demo import DemoServer, build

ROBOTS = "http://mirror.demo.test/robots.txt"


def main() -> None:
    """Serve for ever."""
    log, delay = Path(sys.argv[1]), float(sys.argv[2])
    web = build()
    rules = f"User-agent: *\nCrawl-delay: {delay:g}\n".encode()
    pages = {**web.pages, ROBOTS: replace(web.pages[ROBOTS], body=rules)}
    with DemoServer(replace(web, pages=pages), speed=20.0, log_file=log) as server:
        print(f"http://{server.address[0]}:{server.address[1]}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
