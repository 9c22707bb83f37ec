"""The `honeyguide` command as a child that dies at a chosen point, or lives with a clock that jumps.

    python proofs/child.py [--server IP:PORT] [--die KIND:N] [--clock SECONDS,SECONDS…] -- crawl TOPIC --out DIR …

The demo web is asked from a server that outlives the child. `--die` sets a trap, so that deaths hit writes and not
only the long pauses between them:

    statement:N   SIGKILL as the Nth statement reaches SQLite, reading ones and those of a resume among them
    commit:N      SIGKILL as the Nth transaction is about to be committed
    settled:N     SIGKILL right after the Nth commit
    take:N        SIGKILL as the Nth answer is about to be taken in, in a crawl that commits after every answer
    warc:N        SIGKILL when half of the Nth record of the WARC is written
    finish:N      SIGKILL at the Nth step of ending: before the last facts are stored, before the manifest is written,
                  before it takes its name, before the files are closed
    size:N        killed by the kernel in the middle of a write, when a file has grown by N bytes
    full:N        not killed: from there on every write to such a file fails, as on a full disk
    pages:N       not killed: the database can grow by N pages of 4096 bytes, then SQLite says that the disk is full

`--clock` makes the wall clock jump by the next of the steps at every hundredth look at it.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import signal
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from honeyguide import api
from honeyguide.cli import main as command
from honeyguide.crawling import crawl as loop
from honeyguide.crawling.brain import Brain
from honeyguide.crawling.crawl import Crawl
from honeyguide.demo import DemoServer
from honeyguide.store import Folder, Store
from honeyguide.web.warc import Warc


class Elsewhere:
    """Stands for the demo server that runs in another process."""

    def __init__(self, address: str) -> None:
        ip, _, port = address.partition(":")
        self.resolve = dict.fromkeys(DemoServer().resolve, (ip, int(port)))

    def stop(self) -> None:
        """It goes on for those who come after."""


class Trap:
    """Kills this process the Nth time it is stepped on."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def due(self) -> bool:
        """Whether this is the step."""
        self.left -= 1
        return self.left == 0

    def __call__(self, *_: object) -> None:
        if self.due():
            die()


def die() -> None:
    """End at once, as by the power of root or of the kernel short of memory."""
    os.kill(os.getpid(), signal.SIGKILL)
    signal.pause()


def on_statement(trap: Trap, only: str = "") -> None:
    """Step on the trap with each statement, or with those of one kind alone."""

    def traced(statement: str) -> None:
        if statement.startswith(only):
            trap()

    _on_connect(lambda connection: connection.set_trace_callback(traced))


def _on_connect(do: Callable[[sqlite3.Connection], object]) -> None:
    connect = sqlite3.connect

    def watched(*given: Any, **more: Any) -> sqlite3.Connection:
        connection = connect(*given, **more)
        do(connection)
        return connection

    sqlite3.connect = watched  # type: ignore[assignment]


def on_warc(trap: Trap) -> None:
    """Leave half a record behind."""
    append = Warc.append

    def half(warc: Warc, member: bytes) -> int:
        if not trap.due():
            return append(warc, member)
        append(warc, member[: len(member) // 2])
        die()
        return 0

    Warc.append = half  # type: ignore[method-assign]


def before(owner: type, name: str, trap: Trap) -> None:
    """Step on the trap whenever a method is about to run."""
    method = getattr(owner, name)

    def trapped(*given: Any, **more: Any) -> Any:
        trap()
        return method(*given, **more)

    setattr(owner, name, trapped)


def on_finish(trap: Trap) -> None:
    """Each step of ending a crawl."""
    before(Crawl, "_finish", trap)
    before(Folder, "write_manifest", trap)
    before(Crawl, "close", trap)
    replace = Path.replace

    def trapped(path: Path, target: Path) -> Path:
        if path.suffix == ".tmp":
            trap()
        return replace(path, target)

    Path.replace = trapped  # type: ignore[method-assign,assignment]


def on_settled(trap: Trap) -> None:
    """Right behind a commit."""
    commit = Store.commit

    def trapped(store: Store) -> None:
        writing = store._connection.in_transaction
        commit(store)
        if writing:
            trap()

    Store.commit = trapped  # type: ignore[method-assign]


def on_take(trap: Trap) -> None:
    """Where an answer is judged and stored, with as many seams between transactions as there can be."""
    before(Brain, "take", trap)
    loop._SECOND = 0.0


def limit(folder: Path, room: int, *, deadly: bool) -> None:
    """Let no file grow beyond the largest one of a folder and some room."""
    sizes = [file.stat().st_size for file in folder.glob("*")] if folder.is_dir() else []
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL if deadly else signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (max(sizes, default=0) + room,) * 2)


def few_pages(room: int) -> None:
    """Let the database grow by so many pages only."""

    def bound(connection: sqlite3.Connection) -> None:
        used = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {used + room}")

    _on_connect(bound)


def set_trap(kind: str, number: int, folder: Path) -> None:
    """Make ready for the end."""
    trap = Trap(number)
    traps: dict[str, Callable[[], None]] = {
        "statement": lambda: on_statement(trap),
        "commit": lambda: on_statement(trap, "COMMIT"),
        "settled": lambda: on_settled(trap),
        "take": lambda: on_take(trap),
        "warc": lambda: on_warc(trap),
        "finish": lambda: on_finish(trap),
        "size": lambda: limit(folder, number, deadly=True),
        "full": lambda: limit(folder, number, deadly=False),
        "pages": lambda: few_pages(number),
    }
    traps[kind]()


def jumping(steps: list[float]) -> None:
    """A wall clock that somebody keeps setting; the monotonic one is nobody's to set."""
    real, looks, ahead = time.time, itertools.count(1), itertools.chain([0.0], itertools.cycle(steps))
    offset = next(ahead)

    def wrong() -> float:
        nonlocal offset
        if next(looks) % 100 == 0:
            offset = next(ahead)
        return real() + offset

    time.time = wrong


def folder_of(words: list[str]) -> Path:
    """The crawl's folder in the words of a command."""
    return Path(words[words.index("--out") + 1] if "--out" in words else words[1])


def main() -> None:
    """Set the trap, and be the command."""
    parser = argparse.ArgumentParser(description="The honeyguide command, with a trap set for it.")
    parser.add_argument("--server", metavar="IP:PORT", help="where the demo web is served")
    parser.add_argument("--die", metavar="KIND:N", default="", help="when to end")
    parser.add_argument("--clock", metavar="SECONDS,…", default="", help="jumps of the wall clock")
    parser.add_argument("words", nargs="+", help="the command's own words")
    chosen = parser.parse_args()
    if chosen.server:
        api._server = lambda settings: Elsewhere(chosen.server) if settings.web == "demo" else None  # type: ignore
    if chosen.die:
        kind, _, number = chosen.die.partition(":")
        set_trap(kind, int(number), folder_of(chosen.words))
    if chosen.clock:
        jumping([float(step) for step in chosen.clock.split(",")])
    sys.argv = ["honeyguide", *chosen.words]
    command()


if __name__ == "__main__":
    main()
