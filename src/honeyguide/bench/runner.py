"""A process that runs heats: one pool for the strategies, another for the oracle, so that truth never meets strategy.

The truth of a topic lives in the process that scores, and is sent to runners of the oracle only. A strategy's runner
is never told where the topics file is, and cannot read it, nor other processes, nor start programs, nor reach a
network: Python itself asks us before each of these (audit hooks cannot be taken out again).
"""

from __future__ import annotations

import os
import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from honeyguide.bench.answer_cache import AnswerCache
from honeyguide.bench.oracle import ArchiveGraph
from honeyguide.bench.race import Errand, Heat, HeatRun, run
from honeyguide.errors import HoneyguideError
from honeyguide.strategies import blamed

__all__ = ["main", "seal"]

_FORBIDDEN = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty")
_FORBIDDEN_TOO = ("socket.connect", "socket.bind", "socket.sendto", "ctypes.dlopen", "pty.spawn")


class Forbidden(HoneyguideError):  # noqa: N818 - reads as what it is
    """A strategy did what a race does not allow."""


def seal(sealed: list[tuple[int, int]]) -> None:
    """From now on, and for good, keep this process away from the truth."""
    secret = frozenset(sealed)

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            _check(arguments[0], secret)
        elif event in _FORBIDDEN or event in _FORBIDDEN_TOO:
            raise Forbidden(f"a strategy in a race starts no programs and reaches no network ({event})")

    sys.addaudithook(watch)


def _check(path: object, secret: frozenset[tuple[int, int]]) -> None:
    if isinstance(path, int):
        return
    try:
        place = os.fspath(path)  # type: ignore[call-overload]
        stat = os.stat(place)  # noqa: PTH116 - as the caller gave it
    except (TypeError, OSError, ValueError):
        return
    name = os.path.realpath(os.fsdecode(place))
    if (stat.st_dev, stat.st_ino) in secret or name.startswith("/proc/"):
        raise Forbidden(f"a strategy in a race may not read {Path(name).name}: it may hold the truth")


def main(pipe: Connection[bytes, bytes]) -> None:
    """Run heats until sent home."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that scores
    caches: dict[str, AnswerCache] = {}
    graphs: dict[str, ArchiveGraph] = {}
    try:
        errand = msgspec.msgpack.decode(pipe.recv_bytes(), type=Errand)
        if not errand.oracle:
            seal(errand.sealed)
        while message := pipe.recv_bytes():
            heat = msgspec.msgpack.decode(message, type=Heat)
            for path in filter(None, (heat.cached, heat.cut)):
                if path not in caches:
                    caches[path] = AnswerCache(Path(path))
            cached, cut = caches[heat.cached], caches.get(heat.cut)
            if errand.oracle and heat.cached not in graphs:
                graphs[heat.cached] = ArchiveGraph(cached)
            pipe.send_bytes(msgspec.msgpack.encode(_run(heat, cached, cut, graphs.get(heat.cached))))
    except (EOFError, OSError):  # whoever scores is gone
        return


def _run(heat: Heat, cached: AnswerCache, cut: AnswerCache | None, graph: ArchiveGraph | None) -> HeatRun:
    try:
        with blamed(heat.entry.name, "in the race"):  # also where it builds itself
            return run(heat, cached, cut, graph)
    except HoneyguideError as error:
        return HeatRun(number=heat.number, error=f"{error}, on topic '{heat.topic.id}'")


if __name__ == "__main__":
    main(Connection(int(sys.argv[1])))
