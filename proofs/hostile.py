"""Hard to fool: each attack of a hostile server met by a real crawl, beside a healthy site that must come through.

    python proofs/hostile.py            every attack in a crawl of its own
    python proofs/hostile.py calendar   some of them

Each crawl is a process of its own with a limit on its memory; its time, its peak memory, the requests the attack drew
and the reasons recorded are read from outside: from the clock, the kernel, the server's log and the crawl's folder.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofs.hostile_attacks import TRAPS
from proofs.hostile_bytes import BYTES
from proofs.hostile_server import GOOD, Attack, HostileServer, good_pages
from proofs.report import Line, write

from honeyguide.crawling import Crawl, Settings, status, why
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic

__all__ = ["ATTACKS", "Outcome", "meet"]

ATTACKS = [*TRAPS, *BYTES]
SECONDS = 45.0  # for a crawl, start of the process included
MEGABYTES = 512  # a crawl by itself takes 180; the costliest single page of 5 MB some 230 more
_WALL = 180  # after which a crawl is given up as hung
_ADDRESS_SPACE = 4 << 30
_NAME = re.compile(r"(?<![\w.-])[\w.-]+\.test\b")
_QUICK = {"delay": 0.02, "connect_timeout": 2.0, "read_timeout": 2.0, "total_timeout": 3.0, "retries": 1, "patience": 3}


@dataclass
class Outcome:
    """What came of a crawl through one or more attacks."""

    seconds: float
    megabytes: float
    code: int
    errors: str  # what the process said on its way out, if it went wrong
    status: dict[str, Any]
    reasons: list[str]  # "address: reason", all that was recorded
    read: set[str]  # addresses whose page was read
    relevance: dict[str, float]
    folder: Path

    def about(self, attack: Attack, server: HostileServer) -> list[str]:
        """The reasons recorded about an attack's hosts, and about hosts that are nobody's."""
        names = set(server.names())
        ours, others = set(attack.hosts()), names - set(attack.hosts())
        found = []
        for line in self.reasons:
            named = set(_NAME.findall(line))
            if named & ours or not named & others:
                found.append(line)
        return found

    def faults(self, attack: Attack, server: HostileServer) -> list[str]:
        """What is not as it must be, of one attack."""
        found = []
        told = [*self.about(attack, server), f"stopped: {self.status.get('stop_reason', '')}"]
        if attack.reason and not any(re.search(attack.reason, line) for line in told):
            found.append(f"no reason recorded like '{attack.reason}'")
        if (drawn := server.counted(attack)) > attack.most:
            found.append(f"drew {drawn} requests, {attack.most} allowed")
        found += [f"{url} was not read" for url in attack.kept if url not in self.read]
        for url in attack.refused:
            if why(Folder(self.folder), url).state != "refused":
                found.append(f"{url} is not said to be refused")
        return found

    def harm(self) -> list[str]:
        """What is not as it must be, of the crawl as a whole."""
        found = []
        missing = [url for url in good_pages() if url not in self.read]
        if missing:
            found.append(f"{len(missing)} pages of the healthy site were not read")
        if self.code:
            found.append(f"the crawl ended with code {self.code}: {self.errors[-300:]}")
        if "Traceback" in self.errors:
            found.append(f"a traceback: {self.errors[-300:]}")
        return found


def meet(
    attacks: list[Attack], server: HostileServer, folder: Path, pages: int, wall: float = _WALL, **settings: Any
) -> Outcome:
    """Crawl through some attacks and the healthy site, in a process of its own."""
    starts = [f"http://{GOOD}/", *(url for attack in attacks for url in attack.first())]
    task = {
        "folder": str(folder),
        "starts": starts,
        "names": server.names(),
        "open": f"127.0.0.1:{server.port}",
        "settings": {**_QUICK, "pages": pages, **settings},
    }
    begun = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, __file__, "--crawl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        out, err = child.communicate(json.dumps(task).encode(), timeout=wall)
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = b"", b"hung: " + (child.communicate()[1] or b"")
    seconds = time.monotonic() - begun
    if not Folder(folder).is_crawl():
        raise SystemExit(f"the crawl did not begin: {err.decode('utf-8', 'replace')[-2000:]}")
    peak = json.loads(out)["megabytes"] if child.returncode == 0 and out else float("nan")
    return _look(folder, seconds, peak, child.returncode, err.decode("utf-8", "replace"))


def _look(folder: Path, seconds: float, megabytes: float, code: int, errors: str) -> Outcome:
    found = status(Folder(folder))
    store = Store.open(Folder(folder).database, read_only=True)
    reasons, read, relevance = [], set(), {}
    for visit in store.visits():
        url = store.url(visit.url).url
        if visit.outcome in ("page", "feed", "pdf"):
            read.add(url)
            relevance[url] = visit.relevance
        copy = f"all but the same as {store.url(store.visit(visit.duplicate).url).url}" if visit.duplicate else ""
        reasons.append(f"{url}: {visit.outcome} {visit.detail} {copy} {visit.verdict}")
    reasons += [f"{store.url(number).url}: {store.refusal(number)}" for _, number in store.refused()]
    reasons += [f"{name}: parked: {reason}" for name, reason in found["parked_hosts"].items()]
    reasons += [f"known: {host.name}" for host in store.hosts()]
    cut = [record for _, record in store.records.all() if "left_out" in record.extra]
    reasons += [f"{record.url}: of its record is left out: {record.extra['left_out']}" for record in cut]
    reasons += [f"{name}: {reason}" for reason, name in found["refusals"].items()]
    store.close()
    return Outcome(seconds, megabytes, code, errors, found, reasons, read, relevance, folder)


def _crawl() -> None:
    """The child: one crawl, bounded by the kernel, and what it took."""
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    task = json.load(sys.stdin)
    topic = Topic(name="bees", keywords={"bees": 1.0, "honey": 1.0, "hive": 1.0}, starts=tuple(task["starts"]))
    settings = Settings(**{key: tuple(one) if isinstance(one, list) else one for key, one in task["settings"].items()})
    names = {name: (ip, port) for name, (ip, port) in task["names"].items()}
    crawl = Crawl(Folder(task["folder"]), topic, settings, names=names, opened=(task["open"],))
    crawl.create()
    asyncio.run(crawl.run())
    # Not getrusage: its peak is handed down by the process that started this one.
    peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    print(json.dumps({"megabytes": int(peak.group(1)) / 1024 if peak else 0.0}))


def main(chosen: list[str]) -> int:
    """Meet every attack; write the figures."""
    attacks = [attack for attack in ATTACKS if not chosen or attack.name in chosen]
    lines: list[Line] = []
    worst_time = worst_memory = 0.0
    inside: list[str] = []
    cookies: list[str] = []
    with tempfile.TemporaryDirectory(prefix="honeyguide-") as scratch:
        for attack in attacks:
            with HostileServer([attack]) as server:
                outcome = meet([attack], server, Path(scratch) / attack.name, attack.pages)
                faults = outcome.faults(attack, server) + outcome.harm()
                drawn = server.counted(attack)
                inside += server.inside
                cookies += server.cookies
            if not outcome.seconds < SECONDS:
                faults.append(f"took {outcome.seconds:.0f} s")
            if not outcome.megabytes < MEGABYTES:
                faults.append(f"took {outcome.megabytes:.0f} MB")
            worst_time = max(worst_time, outcome.seconds)
            worst_memory = max(worst_memory, outcome.megabytes)
            figure = f"{outcome.seconds:.1f} s, {outcome.megabytes:.0f} MB, {drawn} requests"
            must = f"< {SECONDS:.0f} s, < {MEGABYTES} MB, <= {attack.most} requests, a reason, the healthy site whole"
            lines.append(
                Line(
                    what=f"{attack.name}: {attack.about}", figure="; ".join([figure, *faults]), must=must, ok=not faults
                )
            )
            print(f"{'ok ' if not faults else 'NOT'} {attack.name}: {'; '.join([figure, *faults])}", flush=True)
    good = sum(line["ok"] for line in lines)
    lines[:0] = [
        Line(what="hostile cases survived", figure=good, must=str(len(attacks)), ok=good == len(attacks)),
        Line(
            what="slowest crawl, seconds",
            figure=round(worst_time, 1),
            must=f"< {SECONDS:.0f}",
            ok=worst_time < SECONDS,
        ),
        Line(
            what="largest crawl, MB",
            figure=round(worst_memory),
            must=f"< {MEGABYTES}",
            ok=worst_memory < MEGABYTES,
        ),
        Line(what="requests that reached the port inside", figure=len(inside), must="0", ok=not inside),
        Line(what="cookies sent back", figure=len(cookies), must="0", ok=not cookies),
    ]
    if chosen:
        return 0 if all(line["ok"] for line in lines) else 1
    return write("hostile", "python proofs/hostile.py", lines)


if __name__ == "__main__":
    sys.exit(_crawl() if sys.argv[1:] == ["--crawl"] else main(sys.argv[1:]))
