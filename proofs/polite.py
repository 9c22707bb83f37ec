"""Polite: real crawls of many hosts, judged by the log of the server that played them.

    python proofs/polite.py

Three crawls: with one worker, with three, and one that is stopped and resumed while hosts want to be left alone. Then
a crowd of quiet hosts, once among themselves and once beside hosts that drip, keep silent or refuse.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofs.polite_hosts import DOMAIN, SETS, Host, url
from proofs.polite_judge import Asked, Log, faults, growing, read
from proofs.report import Line, write

from honeyguide.crawling import Crawl, Progress, Settings, Summary, status, why
from honeyguide.crawling.report import write_report
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic

__all__ = ["Town", "crawl", "crowd_rate", "failing", "judged", "parked", "town", "unasked", "wrongly_kept"]

DELAY, CONNECTIONS, PATIENCE = 0.2, 12, 4
FULL = {"ordinary": 12, "pages": 12, "patience": 3, "brief": 75}
_NOT_KEPT = ("/meta-none", "/meta-ours", "/header-ours", "/header-second")
_KEPT = ("/meta-theirs", "/header-theirs", "/meta-nofollow", "/rel")


@dataclass
class Town:
    """A running server, the hosts it plays, and where its log is."""

    hosts: list[Host]
    names: dict[str, tuple[str, int]]
    log: Path

    @property
    def opened(self) -> tuple[str, ...]:
        """The local addresses a crawl must be allowed to ask."""
        return tuple({f"{ip}:{port}" for ip, port in self.names.values()})


@contextlib.contextmanager
def town(folder: Path, which: str = "all", pattern: str = "", **choice: Any) -> Iterator[Town]:
    """Start a server in a process of its own."""
    log = folder / "server.jsonl"
    program = Path(__file__).with_name("polite_server.py")
    command = [sys.executable, str(program), str(log), which, pattern, json.dumps(choice)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        port = int(server.stdout.readline())
        hosts = [host for host in SETS[which](**choice) if re.search(pattern, host.name)]
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))  # and never listens
            closed = nobody.getsockname()[1]
            places = {f"{host.name}.{DOMAIN}": ("127.0.0.1", closed if host.refused else port) for host in hosts}
            try:
                yield Town(hosts, places, log)
            finally:
                server.stdin.close()


def crawl(
    one: Town, folder: Path, *, resume: bool = False, setup: Callable[[Crawl], None] | None = None, **settings: Any
) -> Summary:
    """Crawl a town from the front page of every host."""
    starts = tuple(
        url(host.name, path)
        for host in one.hosts
        for path in host.pages
        # A host that fails never shows its links.
        if path == "/" or host.name.startswith("fail-")
    )
    topic = Topic(name="honey", keywords={"honey": 1.0, "bees": 1.0}, starts=starts)
    given: dict[str, Any] = {
        "delay": DELAY, "connections": CONNECTIONS, "patience": PATIENCE, "pages": 5_000, "careful": False,
        "total_timeout": 1.5, "read_timeout": 1.0, "strategy": "breadth-first",
        # Who asks not to be kept is left out for that alone, not by a judge who has seen nothing but honey.
        "threshold": 1e-6,
    }  # fmt: skip
    run = Crawl(Folder(folder), topic, Settings(**{**given, **settings}), names=dict(one.names), opened=one.opened)
    if resume:
        run.open()
    else:
        run.create()
    if setup is not None:
        setup(run)
    return asyncio.run(run.run())


def judged(one: Town, *, delay: float = DELAY, connections: int = CONNECTIONS) -> tuple[Log, list[str]]:
    """The server's log, and what the judge says of it."""
    log = read(one.log)
    return log, faults(log, delay=delay, connections=connections)


def _hostile(host: Host) -> bool:
    return host.name.startswith(("shut-", "fail-")) or host.name == "busy-day"


def unasked(one: Town, log: Log) -> list[str]:
    """Pages that are allowed and linked to, but were never answered: a crawler that does nothing is no polite one."""
    got = {(asked.host, asked.path) for asked in log.asked if asked.status == 200}
    wanted = [(f"{host.name}.{DOMAIN}", path) for host in one.hosts if not _hostile(host) for path in host.pages]
    return [host + path for host, path in wanted if "always" in path and (host, path) not in got]


def parked(one: Town, folder: Path) -> list[str]:
    """Hosts in trouble that `status`, `why` and the report do not say to be parked, with the reason."""
    shown = status(Folder(folder))["parked_hosts"]
    report = write_report(Folder(folder)).read_text(encoding="utf-8")
    missing = []
    for host in one.hosts:
        reason = shown.get(f"{host.name}.{DOMAIN}:80", "")
        if bool(reason) != _hostile(host):
            missing.append(f"{host.name}: {reason or 'not parked'}")
        elif reason and (f"{host.name}.{DOMAIN}" not in report or reason.split(":")[0] not in report):
            missing.append(f"{host.name}: not in the report")
        elif reason and why(Folder(folder), url(host.name, "/")).host_parked != reason:
            missing.append(f"{host.name}: why does not say it")
    return missing


def failing(one: Town, log: Log, delay: float = DELAY) -> tuple[int, list[str]]:
    """How many failing hosts the server met, and those that were not left alone for longer each time."""
    hosts = log.hosts()
    names = [f"{host.name}.{DOMAIN}" for host in one.hosts if host.name.startswith(("fail-", "shut-"))]
    met = [name for name in names if sum(not ask.status or ask.status >= 429 for ask in hosts.get(name, [])) > 1]
    return len(met), [name for name in met if not growing(hosts[name], delay)]


def wrongly_kept(folder: Path) -> list[str]:
    """Pages kept although they asked not to be, or not kept although they may be."""
    store = Store.open(Folder(folder).database, read_only=True)
    kept = {record.url for _, record in store.records.all()}
    store.close()
    wrong = [path for path in _NOT_KEPT if url("words", path) in kept]
    return wrong + [path for path in _KEPT if url("words", path) not in kept]


def crowd_rate(folder: Path, *, bad: bool, quiet: int, pages: int, delay: float) -> tuple[float, int]:
    """Pages a second of the quiet hosts of a crowd, and how many they gave; the crawl ends when they gave all."""
    folder.mkdir(parents=True)

    def given() -> list[Asked]:
        asked = [ask for ask in read(one.log).asked if ask.host.startswith("quiet") and ask.path != "/robots.txt"]
        return [ask for ask in asked if ask.status == 200]

    def end(run: Crawl) -> None:
        run.events.tell(lambda _: run.stop() if len(given()) >= quiet * pages else None, Progress)

    with town(folder, "crowd", quiet=quiet, pages=pages, bad=bad) as one:
        crawl(one, folder / "crawl", pages=quiet * pages + 60, delay=delay, strategy="cosine", total_timeout=6.0,
              read_timeout=5.0, setup=end)  # fmt: skip
    found = given()
    return len(found) / (max(ask.end for ask in found) - min(ask.start for ask in found)), len(found)


def _line(what: str, figure: str | float, must: str, ok: bool) -> Line:
    return {"what": what, "figure": figure, "must": must, "ok": ok}


def _none(what: str, found: list[str]) -> Line:
    for one in found[:20]:
        print(f"  {what}: {one}")
    return _line(what, len(found), "0", not found)


def _big(folder: Path, workers: int) -> list[Line]:
    """A crawl of the whole town."""
    folder.mkdir()
    with town(folder, **FULL) as one:
        crawl(one, folder / "crawl", workers=workers)
    log, bad = judged(one)
    met, steady = failing(one, log)
    by = f"{workers} worker{'s' if workers > 1 else ''}"
    most = log.most_open
    return [
        _line(f"hosts, {by}", len(log.hosts()), "at least 40", len(log.hosts()) >= 40),
        _line(f"requests judged, {by}", len(log.asked), "at least 400", len(log.asked) >= 400),
        _line(f"connections open at once, {by}", most, f"2 to {CONNECTIONS}", 2 <= most <= CONNECTIONS),
        _none(f"politeness violations, {by}", bad),
        _none(f"allowed pages not asked for, {by}", unasked(one, log)),
        _line(f"failing hosts met by the server, {by}", met, "at least 10", met >= 10),
        _none(f"failing hosts not backed off from for longer each time, {by}", steady),
        _none(f"hosts in trouble not parked, or without a reason shown, {by}", parked(one, folder / "crawl")),
        _none(f"pages kept against their own word to robots, {by}", wrongly_kept(folder / "crawl")),
    ]  # fmt: skip


def _resumed(folder: Path) -> list[Line]:
    """A crawl that is stopped while busy hosts want to be left alone, and resumed at once."""
    folder.mkdir()
    with town(folder, pattern="busy-[45r]|plain", ordinary=3, pages=20, patience=8) as one:
        crawl(one, folder / "crawl", seconds=2.0)
        crawl(one, folder / "crawl", seconds=60.0, resume=True)
    log, bad = judged(one)
    away = sum(ask.until > 0 for ask in log.asked)
    return [
        _line("answers with Retry-After before and after a resume", away, "at least 4", away >= 4),
        _none("politeness violations over a resume", bad),
        _none("allowed pages not asked for over a resume", unasked(one, log)),
    ]


def _crowded(folder: Path) -> list[Line]:
    """The pace of quiet hosts, without and with hosts that keep us waiting."""
    alone, pages = crowd_rate(folder / "alone", bad=False, quiet=8, pages=60, delay=0.25)
    beside, same = crowd_rate(folder / "beside", bad=True, quiet=8, pages=60, delay=0.25)
    share = beside / alone
    return [
        _line("pages a second of quiet hosts among themselves", round(alone, 2), "more than 0", alone > 0),
        _line("the same beside a dripping, a silent and a refusing host", round(beside, 2), "more than 0", beside > 0),
        _line("share of their pace that quiet hosts keep beside them", round(share, 3), "at least 0.85", share >= 0.85),
        _line("pages of quiet hosts not fetched for them", pages - same, "0", pages == same == 480),
    ]


def main() -> int:
    """Run all, and write the figures down."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        lines = _big(folder / "one", 1) + _big(folder / "three", 3)
        lines += _resumed(folder / "resumed") + _crowded(folder / "crowd")
    return write("polite", "python proofs/polite.py", lines)


if __name__ == "__main__":
    sys.exit(main())
