"""The judge of politeness: reads a server's log and nothing else, and names every request that was not polite."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

__all__ = ["Asked", "Log", "faults", "growing", "read"]


@dataclass
class Asked:
    """One request and what became of it."""

    host: str
    path: str
    agent: str
    connection: int
    opened: float
    start: float
    end: float = 0.0
    status: int = 0  # 0: no answer was given
    robots: bool = False
    until: float = 0.0
    delay: float = 0.0
    closes: str = ""


@dataclass
class Log:
    """What the server saw."""

    asked: list[Asked] = field(default_factory=list)
    most_open: int = 0

    def hosts(self) -> dict[str, list[Asked]]:
        """The requests to each host, in order."""
        found: dict[str, list[Asked]] = defaultdict(list)
        for one in sorted(self.asked, key=lambda one: one.start):
            found[one.host].append(one)
        return found


def read(path: Path) -> Log:
    """Read a log."""
    log, opened, last = Log(), dict[int, float](), dict[int, Asked]()
    for line in path.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        number, time = event["connection"], event["time"]
        if event["event"] == "open":
            opened[number] = time
            log.most_open = max(log.most_open, len(opened))
        elif event["event"] == "request":
            first = opened[number] if number not in last else time
            last[number] = Asked(event["host"], event["path"], event["agent"], number, first, time, end=0.0)
            log.asked.append(last[number])
        elif event["event"] == "answer":
            one = last[number]
            one.end, one.status, one.robots = time, event["status"], event["robots"]
            one.until, one.delay = event.get("until", 0.0), event.get("delay", 0.0)
            one.closes = event.get("closes", "")
        elif event["event"] == "close":
            del opened[number]
            if number in last and not last[number].end:
                # Given up by the client, of which the server learns later; this is the earliest it can have been.
                last[number].end = event["since"]
    for one in log.asked:
        one.end = one.end or float("inf")
    return log


def faults(log: Log, *, delay: float, connections: int) -> list[str]:
    """Everything that was not polite, in words."""
    found = [f"{log.most_open} connections open at once"] if log.most_open > connections else []
    for host, asked in log.hosts().items():
        found += [f"{host}: {fault}" for fault in _pace(asked, delay)]
        found += [f"{host}: {fault}" for fault in _robots(host, asked)]
    return found


def _pace(asked: list[Asked], ours: float) -> Iterator[str]:
    delay, until = ours, 0.0
    for before, after in pairwise(asked):
        delay, until = max(delay, before.delay), max(until, before.until)
        rest = after.opened - before.end
        if rest < 0:
            yield f"two at once: {before.path} and {after.path}"
        if rest < delay:
            yield f"{after.path} {rest:.4f} seconds after {before.path}, not {delay:g}"
        if after.opened < until:
            yield f"{after.path} {until - after.opened:.3f} seconds before it may be asked again"


def _robots(host: str, asked: list[Asked]) -> Iterator[str]:
    known, closed = 0, ""
    for one in asked:
        own = one.path == "/robots.txt"
        if own and known and not closed and not one.closes:
            yield f"robots.txt asked for {known + 1} times"
        if not one.robots and not own:
            if not known and not one.path.startswith("/hop-"):
                yield f"{one.path} before robots.txt"
            if "never" in one.path or host.startswith("shut-") or (closed and one.path.startswith(closed)):
                yield f"{one.path} is forbidden"
        known += own and (200 <= one.status < 300 or (400 <= one.status < 500 and one.status != 429) or _moved(one))
        closed = one.closes or closed
        if "honeyguide" not in one.agent:
            yield f"{one.path} asked for by {one.agent or 'nobody'}"


def _moved(one: Asked) -> bool:
    return 300 <= one.status < 400


def growing(asked: list[Asked], delay: float) -> bool:
    """Whether a failing host was left alone for twice as long after each failure; of at least three."""
    failed = [one for one in asked if not one.status or one.status >= 429]
    waits = [after.opened - before.end for before, after in pairwise(failed)]
    return len(waits) > 1 and all(wait >= delay * 2**number for number, wait in enumerate(waits, start=1))
