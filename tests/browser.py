"""What tests with a real browser share: whether there is one, a port that rings, and a look at what is left running."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER = next((place for name in NAMES if (place := shutil.which(name))), "")
# Where the shared data is required, as in CI, so is a browser: then tests without one fail, and are not passed over.
needs_browser = pytest.mark.skipif(
    not BROWSER and not os.environ.get("HONEYGUIDE_REQUIRE_SHARED"), reason="needs Chromium on the PATH"
)


@contextmanager
def bell(answer: bytes | None = b"") -> Iterator[tuple[int, list[str]]]:
    """A local port, and the first lines of all that was asked of it; every caller gets the same answer.

    A caller who only connects rings as well. With no answer at all, not even an empty one, callers are left waiting.
    """
    rung: list[str] = []
    over = threading.Event()

    def hear(caller: socket.socket, place: int) -> None:
        with caller, suppress(OSError):
            rung[place] = caller.recv(4_000).decode("latin-1").partition("\r\n")[0]
            if answer is None:
                over.wait(600)
            else:
                caller.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    caller, _ = listening.accept()
                except OSError:
                    return
                caller.settimeout(60)
                rung.append("a connection")
                threading.Thread(target=hear, args=(caller, len(rung) - 1), daemon=True).start()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1], rung
        over.set()
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def running_in(folder: Path) -> list[str]:
    """The living processes that have a folder in their command line."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (place / "cmdline").read_bytes().decode("utf-8", "replace")
            if str(folder) in words and int(place.name) != os.getpid():
                found.append(words.replace("\0", " ")[:200])
    return found
