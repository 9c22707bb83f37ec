"""Crawls that are killed again and again: what they crawl, when they die, and what is found in between."""

from __future__ import annotations

import contextlib
import json
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from honeyguide.api import demo_topic
from honeyguide.demo import LogLine, build
from honeyguide.store import Folder

__all__ = [
    "PACE", "SCENARIOS", "Broken", "Kill", "Scenario", "Server", "asked_again", "break_crawl", "break_pace",
    "finish_crawl", "rests", "run", "serve", "too_soon",
]  # fmt: skip

CHILD = Path(__file__).with_name("child.py")
DEATHS = (-signal.SIGKILL, -signal.SIGXFSZ)
HANGS = 300.0  # seconds after which a run is held to hang


@dataclass(frozen=True)
class Scenario:
    """One kind of crawl to be broken."""

    name: str
    web: str  # demo or archive
    flags: tuple[str, ...] = ()
    ordered: bool = False  # whether every run must take the same order: one page at a time, and no clock that matters
    hosts: tuple[str, ...] = ()  # if none is named, all; where the order is free, all but the endless one

    def words(self, folder: Path, archive: Path) -> list[str]:
        """The command that begins or continues this crawl in a folder."""
        if Folder(folder).is_crawl():
            return ["resume", str(folder), "--quiet", "--no-report"]
        topic = folder.parent / f"{self.name.replace(' ', '-')}.toml"
        topic.write_text(self.topic(), encoding="utf-8")
        web = "demo" if self.web == "demo" else str(archive)
        flags = ["--web", web, "--pages", "100000", "--quiet", "--no-report", *self.flags]
        if not self.ordered or self.hosts:  # how far a trap is followed depends on the order
            names = "|".join(self.hosts) if self.hosts else "(?!trap)[a-z]+"
            flags += ["--allow", rf"^http://({names})\.demo\.test/"]
        return ["crawl", str(topic), "--out", str(folder), *flags]

    def topic(self) -> str:
        """The demo topic, with examples and starts on the hosts that are open."""
        topic = demo_topic()
        if not self.hosts:
            return topic.to_toml()
        homes = tuple(f"http://{host}.demo.test/" for host in self.hosts)
        pages = build().pages
        good = [url for url in sorted(build().topics[0].relevant) if url.startswith(homes) and not pages[url].before]
        return msgspec.structs.replace(topic, examples=tuple(good[:4]), starts=homes).to_toml()


SCENARIOS = (
    Scenario("archive, one worker", "archive", ordered=True),
    Scenario("demo web, one host", "demo", ("--delay", "0.01"), ordered=True, hosts=("news",)),
    Scenario("archive, two workers", "archive", ("--workers", "2")),
    Scenario("archive, one worker, cosine", "archive", ("--strategy", "cosine"), ordered=True),
    Scenario("demo web, all hosts", "demo", ("--delay", "0.02")),
    Scenario("demo web, all hosts, two workers", "demo", ("--delay", "0.02", "--workers", "2")),
)


PACE = Scenario("demo web, a host that asks for patience", "demo", ("--delay", "0.05"), hosts=("mirror",))


class Server:
    """The demo web in a process of its own, which outlives those who ask it."""

    def __init__(self, address: str, log: Path) -> None:
        self.address = address
        self._log = log

    def log(self) -> list[LogLine]:
        """All it was asked so far."""
        lines = self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []
        return [LogLine(**json.loads(line)) for line in lines]


@contextmanager
def serve(folder: Path, crawl_delay: float = 1.0) -> Iterator[Server]:
    """Serve the demo web for a while."""
    log = folder / "server.log"
    command = [sys.executable, str(CHILD.with_name("web.py")), str(log), str(crawl_delay)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        found = re.search(r"http://([\d.]+:\d+)", said)
        assert found is not None, said
        yield Server(found[1], log)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


# -- dying ----------------------------------------------------------------------------------------------------


@dataclass
class Kill:
    """One death: how it was brought about, when, and what was stored by then."""

    how: str
    moment: float
    stored: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


@dataclass
class Broken:
    """A crawl that was killed and continued until it was through."""

    kills: list[Kill] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    runs: int = 0


def moment(dice: random.Random) -> str:
    """How the next run is to die: half by the clock, the rest at writes and commits."""
    kind = dice.choice(
        ("time",) * 5 + ("statement", "statement", "take", "commit", "settled", "warc", "size", "finish")
    )
    if kind == "time":  # of these, some in the start-up, the learning or the resuming
        return f"time:{dice.choice((dice.uniform(0.2, 0.9), dice.uniform(0.5, 2.0)))}"
    most = {"statement": 3_000, "commit": 5, "settled": 5, "take": 60, "warc": 60, "size": 1_000_000, "finish": 4}[kind]
    return f"{kind}:{round(most ** dice.random())}"


def run(words: list[str], server: Server | None, die: str = "") -> tuple[int, str]:
    """One run of the command: its exit code, and what it said."""
    kind, _, number = die.partition(":")
    command = [sys.executable, str(CHILD)]
    command += ["--server", server.address] if server else []
    command += ["--die", die] if die and kind != "time" else []
    if not server and kind in ("time", ""):
        command = [sys.executable, "-m", "honeyguide", *words]
    else:
        command += ["--", *words]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        said = process.communicate(timeout=float(number) if kind == "time" else HANGS)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        said = process.communicate()[1]
        if kind != "time":
            said += f"it still ran after {HANGS:.0f} seconds"
            return 1, said
    return process.returncode, said


def break_crawl(
    scenario: Scenario, folder: Path, archive: Path, server: Server | None, dice: random.Random, most: int
) -> Broken:
    """Kill a crawl and continue it, `most` times at the most, until it is through."""
    broken = Broken()
    stored: set[str] = set()
    while True:
        die = moment(dice) if len(broken.kills) < most else ""
        code, said = run(scenario.words(folder, archive), server, die)
        broken.runs += 1
        if said and "note:" not in said:
            broken.faults.append(f"a run ({die or 'to the end'}) said: {said.strip().splitlines()[-1]}")
        if code == 0:
            return broken
        if code not in DEATHS:
            broken.faults.append(f"a run ({die or 'to the end'}) ended with {code}")
            return broken
        kill = examine(folder, die)
        broken.faults += [f"after {die}: {fault}" for fault in kill.faults]
        if lost := stored - kill.stored:
            broken.faults.append(f"after {die}: {len(lost)} stored pages are gone, e.g. {min(lost)}")
        stored = kill.stored
        broken.kills.append(kill)


def finish_crawl(scenario: Scenario, folder: Path, archive: Path, server: Server | None) -> None:
    """The same crawl without a break."""
    code, said = run(scenario.words(folder, archive), server)
    if code:
        raise RuntimeError(f"the unbroken crawl ({scenario.name}) ended with {code}: {said}")


def examine(folder: Path, how: str) -> Kill:
    """What a killed crawl left; a copy is looked at, so that the crawl itself has to mend what there is to mend."""
    kill = Kill(how, time.monotonic())
    if not (folder / "crawl.db").is_file():
        return kill
    with tempfile.TemporaryDirectory() as aside:
        for name in ("crawl.db", "crawl.db-wal"):
            if (folder / name).exists():
                shutil.copy(folder / name, aside)
        try:
            _examine(kill, sqlite3.connect(Path(aside) / "crawl.db"), folder)
        except sqlite3.DatabaseError as error:
            kill.faults.append(f"the database: {error}")
    return kill


def _examine(kill: Kill, database: sqlite3.Connection, folder: Path) -> None:
    def one(question: str, default: int = 0) -> int:
        row = database.execute(question).fetchone()
        return default if row is None or row[0] is None else int(row[0])

    try:
        kill.faults += [row[0] for row in database.execute("PRAGMA quick_check") if row[0] != "ok"]
        kill.stored = {
            row[0] for row in database.execute("SELECT urls.url FROM visits JOIN urls ON urls.id = visits.url")
        }
        good, used = one("SELECT value FROM meta WHERE key = 'warc'"), one("SELECT max(warc + warc_size) FROM visits")
        if used > good:
            kill.faults.append(f"visits reach to byte {used} of the WARC, which is good to {good} only")
        there = (folder / "pages.warc.gz").stat().st_size if (folder / "pages.warc.gz").exists() else 0
        if good > there:
            kill.faults.append(f"the WARC should be good to byte {good}, but ends at {there}")
        if kill.stored and not one("SELECT value = 'true' FROM meta WHERE key = 'learnt'"):
            kill.faults.append("pages are stored before the topic is learnt")
    finally:
        database.close()


def break_pace(scenario: Scenario, folder: Path, server: Server, kills: int) -> list[Kill]:
    """Kill a crawl right after each answer it got, and start it again at once."""
    found: list[Kill] = []
    for _ in range(kills + 1):
        command = [sys.executable, str(CHILD), "--server", server.address, "--", *scenario.words(folder, folder)]
        answers, before = len(server.log()), _answered(folder)
        with subprocess.Popen(command, start_new_session=True) as process:
            patience = time.monotonic() + HANGS
            # Until there is an answer, and it is stored: a delay that only the dead knew of cannot be kept.
            while (len(server.log()) == answers or _answered(folder) <= before) and time.monotonic() < patience:
                if process.poll() is not None:
                    break
                time.sleep(0.02)
            process.kill()
        found.append(Kill("pace", time.monotonic()))
    return found[:-1]  # nobody came after the last


def _answered(folder: Path) -> int:
    """How many answers, a robots.txt among them, a crawl has stored by now; of a copy, for it may be at work."""
    with tempfile.TemporaryDirectory() as aside:
        try:
            for name in ("crawl.db", "crawl.db-wal"):
                if (folder / name).exists():
                    shutil.copy(folder / name, aside)
            with contextlib.closing(sqlite3.connect(Path(aside) / "crawl.db")) as database:
                (pages,) = database.execute("SELECT count(*) FROM visits").fetchone()
                (robots,) = database.execute("SELECT count(*) FROM hosts WHERE robots_fetched").fetchone()
        except (sqlite3.DatabaseError, FileNotFoundError):  # not there yet, or copied while it changed
            return 0
    return int(pages + robots)


# -- the server's word ----------------------------------------------------------------------------------------


def too_soon(log: list[LogLine], delay: float, slower: dict[str, float]) -> list[str]:
    """Requests that came before their host had rested its delay since its last answer."""
    found: list[str] = []
    last: dict[str, LogLine] = {}
    for line in sorted(log, key=lambda one: one.time_start):
        before = last.get(line.host)
        if before is not None and line.time_start - before.time_end < slower.get(line.host, delay):
            gap = line.time_start - before.time_end
            found.append(f"{line.host}{line.path} was asked for {gap:.3f} s after {before.path}")
        if before is None or line.time_end > before.time_end:
            last[line.host] = line
    return found


def rests(log: list[LogLine], kills: list[Kill], host: str) -> list[float]:
    """How long a host was left alone over each kill, from its last answer before to the first request after it."""
    found = []
    for kill in kills:
        ends = [line.time_end for line in log if line.host == host and line.time_start < kill.moment]
        starts = [line.time_start for line in log if line.host == host and line.time_start >= kill.moment]
        if ends and starts:
            found.append(min(starts) - max(ends))
    return found


def asked_again(log: list[LogLine], kills: list[Kill]) -> tuple[list[str], int]:
    """Pages asked for although they were stored, and how many were asked for again because they were in flight."""
    found: list[str] = []
    excused = 0
    seen: Counter[tuple[str, str]] = Counter()
    for line in sorted(log, key=lambda one: one.time_start):
        url = f"http://{line.host}{line.path}"
        if line.path == "/robots.txt":
            continue
        if any(kill.moment < line.time_start and url in kill.stored for kill in kills):
            found.append(f"{url} was asked for although it was stored")
        good = line.status < 429
        excused += good and bool(seen[line.host, line.path])
        seen[line.host, line.path] += good
    return found, excused
