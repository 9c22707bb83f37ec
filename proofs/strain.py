"""Under strain: what goes wrong on our own side costs no host a page, and ends nothing but itself.

    python proofs/strain.py            every case
    python proofs/strain.py killed     some of them

Each case is a real crawl of many healthy hosts, over real sockets, in a process of its own: names that no name server
answers for, workers killed and stopped, few file descriptors, a network that goes and comes back, pipes that are full,
an end of time while answers hang. The server's log and the crawl's folder are the witnesses. Name servers and networks
are taken away in a namespace of Linux; where nobody may have one, those cases say so.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofs.report import Line, write
from proofs.strain_server import Healthy

from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.pool import ProcessHands
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic

ALONE = ["unshare", "--user", "--map-root-user", "--net", "--mount"]
NOT_HERE = "not tried: this machine lets nobody have a network of their own"
_WALL = 240  # seconds after which a case is given up as hung
_QUICK: dict[str, Any] = {"delay": 0.0, "pages": 100_000, "careful": False, "strategy": "breadth-first", "choosy": 0.0}


class Case(NamedTuple):
    """One kind of strain."""

    about: str
    run: Callable[[Path], dict[str, Any]]
    alone: bool = False  # needs a namespace of its own


# -- crawling -------------------------------------------------------------------------------------------------------


def crawl(
    server: Healthy, folder: Path, *more: str, meanwhile: Callable[[Crawl], None] | None = None, **given: Any
) -> str:
    """Crawl all the server's hosts, with something else going on; says why it stopped."""
    topic = Topic(name="honey", keywords={"honey": 1.0, "bees": 1.0}, starts=(*server.starts, *more))
    opened = (f"127.0.0.1:{server.port}",)
    one = Crawl(Folder(folder), topic, Settings(**{**_QUICK, **given}), names=server.names(), opened=opened)
    one.open() if Folder(folder).is_crawl() else one.create()
    if meanwhile is not None:
        threading.Thread(target=meanwhile, args=(one,), daemon=True).start()
    return asyncio.run(one.run()).stop_reason


def found(server: Healthy, folder: Path, stop: str, **more: Any) -> dict[str, Any]:
    """What the folder says: pages lost, pages kept twice, healthy hosts parked."""
    store = Store.open(Folder(folder).database, read_only=True)
    read = [store.url(visit.url).url for visit in store.visits() if visit.outcome == "page"]
    parked = [row.name for row in store.hosts() if row.parked and row.name.startswith("healthy")]
    store.close()
    twice = len(read) - len(set(read))
    return {"lost": len(server.missing(read)), "twice": twice, "parked": len(parked), "stop": stop, **more}


def until(condition: Callable[[], object]) -> None:
    """Wait for something to be so."""
    while not condition():
        time.sleep(0.01)


def _workers(one: Crawl) -> list[int]:
    return [worker.process.pid for worker in one._hands._workers] if isinstance(one._hands, ProcessHands) else []


# -- cases ----------------------------------------------------------------------------------------------------------


def dns(folder: Path) -> dict[str, Any]:
    """Once among themselves, once beside a hundred names: how much longer the healthy hosts take.

    A first crawl is not counted: it pays for what is imported once, and would flatter the one with the names.
    """
    config = folder / "resolv.conf"
    config.write_text("nameserver 127.0.0.1\noptions timeout:20 attempts:1\n")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    subprocess.run(["mount", "--bind", str(config), "/etc/resolv.conf"], check=True)
    silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    silent.bind(("127.0.0.1", 53))
    dead = [f"http://dead-{number}.example/" for number in range(100)]
    took, told = [], {}
    for name, more in (("first", []), ("without", []), ("with", dead)):
        with Healthy(24, 4, slow=0.1) as server:
            begun = time.monotonic()

            def watch(one: Crawl, server: Healthy = server, begun: float = begun) -> None:
                until(lambda: len(server.asked) == 24 * 5)
                took.append(time.monotonic() - begun)
                until(lambda: one.brain.visits >= 96)
                one.stop("all healthy pages are had")

            told = found(server, folder / name, crawl(server, folder / name, *more, meanwhile=watch))
    return {**told, "times": round(took[2] / took[1], 1)}


def killed(folder: Path) -> dict[str, Any]:
    """Fourteen workers killed, one after the other."""
    dead: list[int] = []
    with Healthy(30, 12, slow=0.05) as server:

        def murder(one: Crawl) -> None:
            for number in range(14):
                until(lambda: sum(server.asked.values()) > 20 * number and _workers(one))  # noqa: B023
                dead.append(_workers(one)[0])
                os.kill(dead[-1], signal.SIGKILL)
                until(lambda: dead[-1] not in _workers(one))

        return found(
            server, folder / "crawl", crawl(server, folder / "crawl", meanwhile=murder, workers=2), killed=len(dead)
        )


def stopped(folder: Path) -> dict[str, Any]:
    """All workers stopped, as by SIGSTOP: they are noticed, ended and replaced."""
    from honeyguide.crawling import processes

    processes.ProcessHands.__init__.__kwdefaults__["silent"] = 10  # not a minute: the proof is long enough
    with Healthy(12, 6, slow=0.05) as server:

        def stop(one: Crawl) -> None:
            until(lambda: sum(server.asked.values()) > 30)
            for pid in _workers(one):
                os.kill(pid, signal.SIGSTOP)

        return found(server, folder / "crawl", crawl(server, folder / "crawl", meanwhile=stop, workers=2))


def descriptors(folder: Path) -> dict[str, Any]:
    """Forty file descriptors for forty-eight connections."""
    with Healthy(60, 4, slow=0.1) as server:  # in this process, with all the descriptors it needs
        command = [sys.executable, __file__, "--few", str(folder), str(server.port)]
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=_WALL).stdout
    return json.loads(told.splitlines()[-1])


def few(folder: Path, port: int) -> dict[str, Any]:
    """The crawl with few descriptors itself."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
    server = Healthy(60, 4, port=port)
    stop = crawl(server, folder / "crawl", connections=48, patience=2)
    return found(server, folder / "crawl", stop)


def network(folder: Path) -> dict[str, Any]:
    """The network goes, and comes back when the crawl says that it waits for it."""
    link = ["ip", "link", "set", "lo"]
    subprocess.run([*link, "up"], check=True)
    paused: list[str] = []
    with Healthy(30, 6, slow=0.05) as server:

        def plug(one: Crawl) -> None:
            until(lambda: sum(server.asked.values()) > 50)
            subprocess.run([*link, "down"], check=True)
            until(lambda: one._hands is not None and one._hands.pause)
            paused.append("")
            subprocess.run([*link, "up"], check=True)

        stop = crawl(server, folder / "crawl", meanwhile=plug, connect_timeout=2.0)
        return found(server, folder / "crawl", stop, pauses=len(paused))


def pipes(folder: Path) -> dict[str, Any]:
    """Eight hundred hosts and connections, two workers, pages of 200 kB: both sides write more than a pipe holds."""
    with Healthy(800, 2, size=200_000) as server:
        stop = crawl(server, folder / "crawl", workers=2, connections=800, warc=False)
        return found(server, folder / "crawl", stop)


def late(folder: Path) -> dict[str, Any]:
    """Time is up while every answer hangs; then resumed, when answers come again."""
    with Healthy(10, 4, slow=3_600.0) as server:
        begun = time.monotonic()
        patient = {"read_timeout": 3_600.0, "total_timeout": 3_600.0}
        crawl(server, folder / "crawl", seconds=5.0, workers=2, **patient)
        over = time.monotonic() - begun - 5.0
        server.slow = 0.0
        return found(server, folder / "crawl", crawl(server, folder / "crawl", workers=2), over=round(over, 1))


CASES = {
    "dns": Case("a hundred names that no name server answers for", dns, alone=True),
    "killed": Case("14 workers killed", killed),
    "stopped": Case("all workers stopped (SIGSTOP); here noticed after 10 seconds, by default after 60", stopped),
    "descriptors": Case("40 file descriptors, 48 connections", descriptors),
    "network": Case("the network goes and comes back", network, alone=True),
    "pipes": Case("800 connections, 2 workers, pages of 200 kB", pipes),
    "late": Case("time is up while every answer hangs, then resumed", late),
}


# -- judging --------------------------------------------------------------------------------------------------------


def met(name: str, folder: Path) -> dict[str, Any] | str:
    """What came of a case in a process of its own, or why nothing did."""
    case = CASES[name]
    if case.alone and not _may_be_alone():
        return NOT_HERE
    command = [*(ALONE if case.alone else []), sys.executable, __file__, "--case", name, str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_WALL)
    except subprocess.TimeoutExpired:
        return "it hung"
    if done.returncode:
        return f"it broke: {done.stderr.strip()[-500:]}"
    return json.loads(done.stdout.splitlines()[-1])


def _may_be_alone() -> bool:
    """Whether a network and mounts of one's own can be had; asked apart, so that no failure of a crawl hides in it."""
    try:
        return subprocess.run([*ALONE, "ip", "link", "set", "lo", "up"], capture_output=True).returncode == 0
    except OSError:
        return False


def judged(name: str, told: dict[str, Any] | str) -> Line:
    """Whether a case came out as it must."""
    about = f"{name}: {CASES[name].about}"
    if isinstance(told, str):
        return Line(what=about, figure=told, must="a result", ok=told == NOT_HERE)
    ok = not told["lost"] and not told["twice"] and not told["parked"]
    must = ["0 pages lost, 0 twice, 0 healthy hosts parked"]
    figure = [f"{told['lost']} pages lost, {told['twice']} twice, {told['parked']} healthy hosts parked"]
    if "times" in told:
        figure.append(f"{told['times']} times as long as without them")
        must.append("less than 3 times")
        ok &= told["times"] < 3
    if "killed" in told:
        figure.append(f"{told['killed']} killed")
        must.append("14")
        ok &= told["killed"] == 14
    if "pauses" in told:
        figure.append(f"{told['pauses']} pause")
        must.append("1")
        ok &= told["pauses"] == 1
    if "over" in told:
        figure.append(f"{told['over']} s over its time of 5 s")
        must.append("less than 10 s over")
        ok &= told["over"] < 10
    return Line(what=about, figure="; ".join(figure), must="; ".join(must), ok=ok)


def main(chosen: list[str]) -> int:
    """Meet every case; write the figures."""
    lines: list[Line] = []
    for name in chosen or CASES:
        with tempfile.TemporaryDirectory(prefix="honeyguide-") as scratch:
            lines.append(judged(name, met(name, Path(scratch))))
        print(f"{'ok ' if lines[-1]['ok'] else 'NOT'} {name}: {lines[-1]['figure']}", flush=True)
    tried = [line for line in lines if line["figure"] != NOT_HERE]  # what was not tried was not withstood
    good = sum(line["ok"] for line in tried)
    lines.insert(0, Line(what="strains withstood", figure=good, must=str(len(tried)), ok=good == len(tried)))
    if chosen:
        return 0 if lines[0]["ok"] else 1
    return write("strain", "python proofs/strain.py", lines)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--case"]:
        print(json.dumps(CASES[sys.argv[2]].run(Path(sys.argv[3]))))
    elif sys.argv[1:2] == ["--few"]:
        print(json.dumps(few(Path(sys.argv[2]), int(sys.argv[3]))))
    else:
        sys.exit(main(sys.argv[1:]))
