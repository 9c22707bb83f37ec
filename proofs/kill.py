"""Kill it anywhere: crawls that are killed again and again must end as if nobody had touched them.

    python proofs/kill.py [--kills 100] [--seed N] [--web demo|archive|both] [--keep DIR]

Real crawls run as child processes, over the demo web (served by a process of its own) and over an archive of it. They
are killed at random moments and in the middle of writes, commits, resumes and endings, and continued, until the web is
exhausted; then they are laid beside crawls that were left alone.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from killing import (
    PACE,
    SCENARIOS,
    Broken,
    Kill,
    Scenario,
    asked_again,
    break_crawl,
    break_pace,
    finish_crawl,
    rests,
    serve,
    too_soon,
)
from report import Line, write
from witness import Held, differences, look, problems

from honeyguide.demo import build, write_web

EACH = 12  # kills of one crawl
PATIENCE = 6.0  # seconds of a Crawl-delay that is longer than a restart


@dataclass
class Findings:
    """What came of all crawls together."""

    crawls: int = 0
    kills: list[Kill] = field(default_factory=list)
    pages: int = 0
    lost: list[str] = field(default_factory=list)  # or doubled, torn, different: all that must not be
    asked_again: int = 0
    stored_asked: list[str] = field(default_factory=list)
    too_soon: list[str] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)


class Proof:
    """The scenarios in turn, until there were kills enough."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._archive = folder / "web"
        self._dice = random.Random(seed)
        self._unbroken: dict[str, Held] = {}
        self.found = Findings()
        write_web(self._archive, build())

    def one(self, scenario: Scenario, most: int = EACH) -> Broken:
        """Break one crawl, and compare."""
        place = self._folder / f"{self.found.crawls:03}"
        place.mkdir()
        if scenario.name not in self._unbroken:
            self._unbroken[scenario.name] = self._whole(scenario)
        with contextlib.ExitStack() as stack:
            server = stack.enter_context(serve(place)) if scenario.web == "demo" else None
            broken = break_crawl(scenario, place / "crawl", self._archive, server, self._dice, most)
            log = server.log() if server else []
        found = self.found
        faults = list(broken.faults)
        if not faults:
            held = look(place / "crawl")
            faults = problems(place / "crawl") + differences(
                self._unbroken[scenario.name], held, ordered=scenario.ordered
            )
            found.pages += len(held.order)
        found.crawls += 1
        found.kills += broken.kills
        found.lost += [f"{scenario.name}, {place.name}: {fault}" for fault in faults]
        delay = float(scenario.flags[scenario.flags.index("--delay") + 1]) if "--delay" in scenario.flags else 0.0
        found.too_soon += too_soon(log, delay, {"mirror.demo.test": 1.0})
        again, excused = asked_again(log, broken.kills)
        found.stored_asked += again
        found.asked_again += excused
        return broken

    def _whole(self, scenario: Scenario) -> Held:
        place = self._folder / f"unbroken-{scenario.name.replace(' ', '-')}"
        place.mkdir()
        with contextlib.ExitStack() as stack:
            server = stack.enter_context(serve(place)) if scenario.web == "demo" else None
            finish_crawl(scenario, place / "crawl", self._archive, server)
        self.found.lost += [f"unbroken {scenario.name}: {fault}" for fault in problems(place / "crawl")]
        return look(place / "crawl")

    def pace(self, kills: int = 6, crawl_delay: float = PATIENCE) -> None:
        """Kill a crawl after each answer of a host that asks for patience, and look when it is asked again."""
        place = self._folder / "pace"
        place.mkdir()
        with serve(place, crawl_delay) as server:
            deaths = break_pace(PACE, place / "crawl", server, kills)
            log = server.log()
        self.found.kills += deaths
        self.found.rests += rests(log, deaths, "mirror.demo.test")
        self.found.too_soon += too_soon(log, 0.05, {"mirror.demo.test": crawl_delay})

    def until(self, kills: int, web: str) -> None:
        """Break crawls until there were so many kills."""
        chosen = [scenario for scenario in SCENARIOS if web in (scenario.web, "both")]
        while len(self.found.kills) < kills:
            for scenario in chosen:
                begun = time.monotonic()
                before = len(self.found.lost)
                broken = self.one(scenario)
                print(f"{scenario.name}: {len(broken.kills)} kills, {time.monotonic() - begun:.0f} s", flush=True)
                for fault in self.found.lost[before : before + 5]:
                    print(f"  FAULT {fault}", flush=True)


def lines(found: Findings) -> list[Line]:
    """The figures."""

    def none(what: str, some: list[str]) -> Line:
        return {"what": what, "figure": len(some), "must": "0", "ok": not some}

    def some(what: str, figure: int) -> Line:
        return {"what": what, "figure": figure, "must": "more than 0", "ok": figure > 0}

    def any_(what: str, figure: str | int) -> Line:
        return {"what": what, "figure": figure, "must": "any", "ok": True}

    kinds = Counter(kill.how.partition(":")[0] for kill in found.kills)
    figures = [
        some("kills survived", len(found.kills)),
        any_("of them, by", ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))),
        some("crawls broken, and finished until their web was exhausted", found.crawls),
        some("pages visited by them, each stored once", found.pages),
        none("pages, records, reasons or states lost, doubled, torn or different", found.lost),
        none("stored pages asked for again", found.stored_asked),
        any_("pages in flight at a kill, asked for again", found.asked_again),
        none("requests before a host had rested its delay", found.too_soon),
    ]
    if found.rests:
        what = f"shortest rest over a kill of a host with a Crawl-delay of {PATIENCE:g} s"
        short = round(min(found.rests), 2)
        figures.append({"what": what, "figure": short, "must": f"at least {PATIENCE:g}", "ok": short >= PATIENCE})
    return figures


def main() -> int:
    """Run the proof; the exit code says whether it holds."""
    parser = argparse.ArgumentParser(description="Kill crawls anywhere, resume them, compare with unbroken ones.")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--web", choices=("demo", "archive", "both"), default="both")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the crawls here")
    chosen = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = chosen.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        proof = Proof(folder, chosen.seed)
        proof.until(chosen.kills, chosen.web)
        if chosen.web != "archive":
            proof.pace()
    found = proof.found
    for fault in found.stored_asked + found.too_soon:
        print(f"  FAULT {fault}")
    return write("kill", f"python proofs/kill.py --kills {chosen.kills} --seed {chosen.seed}", lines(found))


if __name__ == "__main__":
    sys.exit(main())
