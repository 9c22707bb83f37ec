"""What a page costs: Honeyguide beside Scrapy and wget on the same pages, in CPU time.

    python benchmarks/cost.py [--pages 4000] [--rounds 5] [--web schools] [--contenders a,b] [--json FILE]
    python benchmarks/cost.py --workers 2 [--rounds 5]     # one worker against two, over the archive

Each contender fetches the same list of pages from a local server in a process of its own, which is not counted.
Contenders take turns, in an order that rotates every round. Cost is user + system time of the contender's process
and the children it waited for. Each runs at two sizes; the extra cost of the extra pages is the cost of a page
(start-up falls out), and the whole cost divided by the pages is reported beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

from contenders import BOUNDS, CONTENDERS, Contender, Job, archive_crawl, honeyguide
from fastwarc.warc import ArchiveIterator, WarcRecordType
from serve import Server, read_topic

WEBS = Path(__file__).resolve().parents[2] / "shared" / "webs"
USUAL = ("schools", "heavy")  # small pages of plain markup; large ones of today, most of whose links are dead
BESIDE = ("scrapy", "scrapy-xpath")  # those whose cost the others' is divided by
PACKAGES = "honeyguide scrapy twisted lxml parsel aiohttp selectolax resiliparse fastwarc url-py trafilatura".split()
SECONDS_A_PAGE = 0.5  # a contender slower than this is stuck
# Requests beyond the list that are forgiven: a share, or what may be in flight at the end, when Scrapy fetches links
# that are dead while it parses the pages it has fetched ahead (5 MB of them).
EXTRA = 0.05, 96


@dataclass(frozen=True)
class Run:
    """One contender, once, over so many pages."""

    contender: str
    round: int
    asked: int
    cpu: float
    counts: dict[str, float]
    harvest: float | None = None
    trouble: str = ""

    @property
    def extra(self) -> int:
        """Requests beyond one for each page and one for robots.txt."""
        return int(self.counts["repeats"] + self.counts["missing"])


def say(line: str) -> None:
    """Tell whoever waits how far we are."""
    print(line, file=sys.stderr, flush=True)


def find_webs(given: list[str], scratch: Path) -> list[Path]:
    """The webs asked for by name or folder, else the usual ones beside the repo, else a demo web."""
    if given:
        named = [WEBS / name if (WEBS / name).is_dir() else Path(name) for name in given]
        for web in named:
            if not (web / "pages.warc.gz").is_file():
                raise SystemExit(f"{web} has no pages.warc.gz")
        return named
    if beside := [WEBS / name for name in USUAL if (WEBS / name / "pages.warc.gz").is_file()]:
        return beside
    web = scratch / "demo-web"
    say(f"no web in {WEBS}: writing the demo web instead")
    wrote = subprocess.run([sys.executable, "-m", "honeyguide.demo", "--write", str(web)], check=False)
    if wrote.returncode or not (web / "pages.warc.gz").is_file():
        raise SystemExit("no web to measure on: give one with --web DIR")
    return [web]


def spend(command: list[str], seconds: float, errors: Path) -> tuple[float, float, str]:
    """Run a command; give the CPU and wall seconds it took, and what went wrong, if anything did."""
    # A proxy from the environment would be what is measured.
    env = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with errors.open("w+b") as stderr:
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                env=env,
                start_new_session=True,
            )
        except OSError as error:
            return 0.0, 0.0, f"{command[0]}: {error.strerror}"
        try:
            code, trouble = process.wait(timeout=seconds), ""
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            code, trouble = process.wait(), f"not done after {seconds:.0f} s"
        if code and not trouble:
            stderr.seek(0)
            trouble = told(stderr.read().decode(errors="replace")) or f"exit code {code}"
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall, trouble


def told(errors: str) -> str:
    """The line of an error output that says what happened: the first, or the last of a traceback.

    >>> told("no such option\\ntry --help")
    'no such option'
    >>> told("Traceback (most recent call last):\\n  File x\\nValueError: 3")
    'ValueError: 3'
    """
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    if not lines:
        return ""
    return (lines[-1] if lines[0].startswith("Traceback") else lines[0])[:200]


def harvest_of(job: Job) -> float | None:
    """The harvest rate a Honeyguide crawl reports of itself; not part of what is measured."""
    told = subprocess.run(honeyguide("status", job.out, "--json"), capture_output=True, text=True, check=False)
    try:
        status = json.loads(told.stdout)
        rate = status.get("harvest_rate", status.get("harvest"))
        return None if rate is None else float(rate)
    except (ValueError, AttributeError, TypeError):
        return None


def run_once(contender: Contender, round_: int, pages: int, server: Server, topic: dict[str, Any]) -> Run:
    """Let a contender fetch the first `pages` pages, and ask the server whether it did."""
    with tempfile.TemporaryDirectory() as scratch:
        urls = server.urls[:pages]
        examples = server.examples[:pages]
        job = Job(urls, server.port, topic["name"], topic["keywords"], examples, Path(scratch))
        job.write()
        server.reset(pages)
        cpu, _, trouble = spend(contender.command(job), 60 + pages * SECONDS_A_PAGE, Path(scratch) / "stderr")
        counts = server.counts()
        if trouble and not sum(counts[key] for key in ("pages", "missing", "robots")):
            trouble = f"not available: {trouble}"
        elif not trouble and counts["pages"] < pages:
            trouble = f"fetched {counts['pages']:.0f} of {pages} pages"
        elif not trouble and counts["repeats"] + counts["missing"] > max(EXTRA[0] * pages, EXTRA[1]):
            trouble = f"{counts['repeats']:.0f} repeats and {counts['missing']:.0f} fetches off the list of {pages}"
        harvest = None if trouble or not contender.name.startswith("honeyguide") else harvest_of(job)
    return Run(contender.name, round_, pages, cpu, counts, harvest, trouble)


def race(names: list[str], rounds: int, sizes: tuple[int, int], server: Server, topic: dict[str, Any]) -> list[Run]:
    """Let the contenders take turns; one that fails is out from there on. Round 0 warms up and is not counted."""
    runs: list[Run] = []
    out: set[str] = set()
    for round_ in range(rounds + 1):
        turn = round_ % len(names)
        for name in names[turn:] + names[:turn]:
            # The small run goes first in odd rounds and last in even ones, so that neither is always the warm one.
            for pages in sizes[:1] if round_ == 0 else sizes if round_ % 2 else sizes[::-1]:
                if name in out:
                    continue
                run = run_once(CONTENDERS[name], round_, pages, server, topic)
                runs.append(run)
                if run.trouble:
                    out.add(name)
                cost = run.trouble or f"{1000 * run.cpu / pages:.2f} ms CPU a page"
                say(f"{f'round {round_}/{rounds}' if round_ else 'warm-up'}  {name:<20}{pages:>6} pages  {cost}")
    return runs


def per_round(runs: list[Run], name: str, sizes: tuple[int, int]) -> dict[int, tuple[float, float]]:
    """For each round of a contender: CPU ms for an extra page, and whole CPU ms divided by the pages."""
    few, many = sizes
    cpu = {(run.round, run.asked): run.cpu for run in runs if run.contender == name and run.round}
    return {
        round_: (1000 * (cpu[round_, many] - cpu[round_, few]) / (many - few), 1000 * cpu[round_, many] / many)
        for round_, asked in cpu
        if asked == many and (round_, few) in cpu
    }


def spread(values: Iterable[float]) -> dict[str, float]:
    """Median, least and greatest.

    >>> spread([3.0, 1.0, 2.0])
    {'median': 2.0, 'min': 1.0, 'max': 3.0}
    """
    known = list(values)
    return {"median": round(median(known), 4), "min": round(min(known), 4), "max": round(max(known), 4)}


def summarise(runs: list[Run], names: list[str], sizes: tuple[int, int], web: str = "") -> list[dict[str, Any]]:
    """One row a contender: its costs, their ratios to those of each Scrapy in the same round, and its bounds."""
    troubles = {run.contender: run.trouble for run in runs if run.trouble}
    bases = {name: per_round(runs, name, sizes) for name in BESIDE if name not in troubles}
    rows: list[dict[str, Any]] = []
    for name in names:
        row: dict[str, Any] = {"contender": name, "does": CONTENDERS[name].does, "trouble": troubles.get(name, "")}
        rows.append(row)
        costs = per_round(runs, name, sizes)
        if row["trouble"] or not costs:
            continue
        mine = [run for run in runs if run.contender == name and run.round and run.asked == sizes[1]]
        row["pages"] = min(int(run.counts["pages"]) for run in mine)
        row["extra_requests"] = max(run.extra for run in mine)
        harvests = [run.harvest for run in mine if run.harvest is not None]
        row["harvest"] = median(harvests) if harvests else None
        for at, kind in enumerate(("extra_page", "whole")):
            row[f"{kind}_ms"] = spread(cost[at] for cost in costs.values())
            row[f"{kind}_ratio"] = {
                other: spread(cost[at] / base[round_][at] for round_, cost in costs.items() if round_ in base)
                for other, base in bases.items()
                if not base.keys().isdisjoint(costs)
            }
        row["bounds"] = [
            {"beside": bound.beside, "at_most": bound.at_most, "held": ratio["median"] <= bound.at_most}
            for bound in BOUNDS
            if (bound.web, bound.contender) == (web, name) and (ratio := row["extra_page_ratio"].get(bound.beside))
        ]
    return rows


def table(rows: list[dict[str, Any]], sizes: tuple[int, int]) -> str:
    """The summary as text, with what each contender does and what went wrong with whom."""

    def shown(figures: dict[str, float] | None) -> str:
        return "{median:.2f} ({min:.2f}-{max:.2f})".format(**figures) if figures else "-"

    line = "{:<21}{:<23}{:<19}{:<19}{:<23}{:>6}{:>7}  {}".format
    lines = ["CPU ms a page, median (least-greatest) over rounds; ratios of an extra page within each round", ""]
    beside = [f"of {name}" for name in BESIDE]
    lines += [line("contender", "an extra page", *beside, "whole / pages", "pages", "extra", "bounds")]
    for row in rows:
        if row["trouble"] or "pages" not in row:
            what = row["trouble"] or "no whole round"
            lines.append(f"{row['contender']:<21}{what if what.startswith('not available') else f'FAILED: {what}'}")
            continue
        bounds = ", ".join(
            f"at most {bound['at_most']} of {bound['beside']}: {'held' if bound['held'] else 'MISSED'}"
            for bound in row["bounds"]
        )
        figures = [shown(row["extra_page_ms"]), *(shown(row["extra_page_ratio"].get(name)) for name in BESIDE)]
        figures += [shown(row["whole_ms"])]
        lines.append(line(row["contender"], *figures, row["pages"], row["extra_requests"], bounds).rstrip())
    lines += ["", f"an extra page: the cost of {sizes[1]} pages less that of {sizes[0]}, for each page between"]
    lines += ["extra: requests besides one a page and robots.txt (repeats, links that are not on the list)", ""]
    for row in rows:
        kept = f" (harvest rate {row['harvest']:.3f})" if row.get("harvest") is not None else ""
        lines.append(f"{row['contender']:<21}{row['does']}{kept}")
    return "\n".join(lines)


def facts(runs: list[Run], sizes: tuple[int, int], web: Path) -> dict[str, Any]:
    """What another machine needs to run the same race."""
    versions: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = None
    if shutil.which("wget"):
        told = subprocess.run(["wget", "--version"], capture_output=True, text=True, check=False).stdout
        versions["wget"] = " ".join(told.split()[:3])
    sizes_seen = {run.asked: run.counts["mean_bytes"] for run in runs}
    return {
        "python": platform.python_version(),
        "packages": versions,
        "web": web.name,
        "pages": sizes[1],
        "pages_small": sizes[0],
        "mean_page_bytes": sizes_seen.get(sizes[1]),
        "mean_page_bytes_small": sizes_seen.get(sizes[0]),
    }


def compare_costs(names: list[str], given: argparse.Namespace, web: Path) -> dict[str, Any]:
    """Run the race, print the table, give all of it."""
    topic = read_topic(web, given.topic)
    with Server(web, given.pages, given.topic) as server:
        sizes = (len(server.urls) // 4, len(server.urls))
        if not sizes[0]:
            raise SystemExit("too few pages: at least 4 are needed")
        if sizes[1] < given.pages:
            say(f"{web.name} has only {sizes[1]} pages")
        runs = race(names, given.rounds, sizes, server, topic)
    rows = summarise(runs, names, sizes, web.name)
    about = facts(runs, sizes, web)
    print(f"{about['pages']} pages of {about['web']}, {about['mean_page_bytes'] or 0:,.0f} bytes each; ", end="")
    print(f"{given.rounds} rounds; Python {about['python']}\n{table(rows, sizes)}\n", flush=True)
    return {"facts": about, "rounds": given.rounds, "summary": rows, "runs": [asdict(run) for run in runs]}


def fetched(folder: Path) -> set[str]:
    """The pages in the WARC of a crawl folder."""
    urls = set()
    for warc in folder.rglob("*.warc.gz"):
        with warc.open("rb") as stream:
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=False):
                urls.add(record.headers["WARC-Target-URI"])
    return urls


def compare_workers(given: argparse.Namespace, web: Path) -> dict[str, Any]:
    """Exhaust the archive with one worker and with several, in pairs: pages a second, and the same pages."""
    topic, workers, pairs = read_topic(web, given.topic), given.workers, []
    for round_ in range(given.rounds):
        pair: dict[int, tuple[float, set[str]]] = {}
        for count in (1, workers) if round_ % 2 else (workers, 1):
            with tempfile.TemporaryDirectory() as scratch:
                job = Job(topic["examples"], 0, topic["name"], topic["keywords"], topic["examples"], Path(scratch))
                job.write()
                _, wall, trouble = spend(archive_crawl(job, web, count), 3600, Path(scratch) / "stderr")
                if trouble:
                    raise SystemExit(f"{count} workers: {trouble}")
                pages = fetched(Path(job.out))
            pair[count] = len(pages) / wall, pages
            rate = f"{pair[count][0]:.1f} pages/s"
            say(f"pair {round_ + 1}/{given.rounds}  {count} workers  {len(pages)} pages  {rate}")
        pairs.append(pair)
    ratio = spread(pair[workers][0] / pair[1][0] for pair in pairs)
    same = all(pair[workers][1] == pair[1][1] and pair[1][1] for pair in pairs)
    told = "{}: {} workers: {median:.2f} times the pages a second of one ({min:.2f}-{max:.2f})"
    print(told.format(web.name, workers, **ratio))
    print("the same pages at the end" if same else "NOT the same pages at the end")
    rates = {str(count): spread(pair[count][0] for pair in pairs) for count in (1, workers)}
    return {"workers": workers, "ratio": ratio, "pages_per_second": rates, "same_pages": same, "web": web.name}


def main() -> None:
    """Read the command line, compare, keep the figures."""
    parser = argparse.ArgumentParser(description="What a page costs, in CPU time, beside Scrapy and wget.")
    parser.add_argument("--pages", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--web",
        action="append",
        default=[],
        metavar="NAME",
        help="schools, heavy, or the folder of an offline web; may be repeated (both, if they are beside the repo)",
    )
    parser.add_argument("--topic", help="id of a topic of that web (its first)")
    parser.add_argument("--contenders", default=",".join(CONTENDERS), help="a,b,... of: %(default)s")
    parser.add_argument("--workers", type=int, help="compare one worker with this many instead, over the archive")
    parser.add_argument("--json", type=Path, help="write all figures here as well")
    given = parser.parse_args()
    names = given.contenders.split(",")
    for name in names:
        if name not in CONTENDERS:
            parser.error(f"unknown contender: {name!r}; known: {', '.join(CONTENDERS)}")
    if given.rounds < 1 or given.pages < 4 or (given.workers is not None and given.workers < 2):
        parser.error("--rounds must be at least 1, --pages at least 4, --workers at least 2")
    with tempfile.TemporaryDirectory() as scratch:
        compared = []
        for web in find_webs(given.web, Path(scratch)):
            compared.append(compare_workers(given, web) if given.workers else compare_costs(names, given, web))
            if given.json:  # after each web: what is measured is kept, whatever becomes of the next
                given.json.write_text(json.dumps(compared, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
