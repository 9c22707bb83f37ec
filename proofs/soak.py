"""Soak: one long crawl of a made-up web over real HTTP; memory and cost per page must stay what they are.

    python proofs/soak.py [--pages 100000] [--strategy NAME] [--keep FOLDER]

The web is served by one process (fifty hosts, every page of which names ten pages that are new), the crawl runs in
another, as it would for a user: WARC, records and the default strategy, but no pause between two requests to a host.
About once in a hundredth of its way it tells how many pages and URLs it knows, and what the system says of it: memory
held, processor time, open files. Needs psutil (pip install honeyguide[bench]).
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, cast

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psutil
from proofs.report import RESULTS, Line, write
from proofs.soak_web import HOSTS, TOPIC_WORDS, url

from honeyguide.api import Run
from honeyguide.crawling import Progress, Settings
from honeyguide.demo import DemoServer
from honeyguide.store import Folder
from honeyguide.topic import Topic

_GROWTH = 600  # bytes a known URL
_SLOWER = 1.3  # cost per page of the last tenth, by that of the second
_MEMORY = 1_000  # MB, for a hundred thousand pages and a million URLs
_SAMPLES = 100


class Sample(NamedTuple):
    """The crawl at one moment, as itself and the system see it."""

    pages: int
    known: int
    records: int
    memory: int
    seconds: float
    files: int
    database: int


class Played:
    """The made-up web where the crawl looks for the demo web: names led to one address."""

    def __init__(self, port: int) -> None:
        self.resolve = {f"h{number}.test": ("127.0.0.1", port) for number in range(HOSTS)}

    def stop(self) -> None:
        """It ends with whoever started it."""


def crawl(port: int, pages: int, strategy: str, out: Path) -> None:
    """Be the crawl; every hundredth of the way, say how it is."""
    topic = Topic(name="bees", keywords=dict.fromkeys(TOPIC_WORDS, 1.0), starts=(url(0), url(1), url(2)))
    settings = Settings(strategy=strategy, pages=pages, delay=0.0)
    run = Run(Folder(out), topic, settings, fresh=True, server=cast(DemoServer, Played(port)))
    itself, due = psutil.Process(), 0

    def tell(now: Progress) -> None:
        nonlocal due
        if now.pages >= due or now.pages >= pages:
            due = now.pages + pages // _SAMPLES
            with itself.oneshot():
                spent = itself.cpu_times()
                sizes = sum(file.stat().st_size for file in out.glob("crawl.db*"))
                told = Sample(
                    now.pages, now.known, now.records, itself.memory_info().rss, spent.user + spent.system,
                    itself.num_fds(), sizes,
                )  # fmt: skip
            print(json.dumps(told), flush=True)

    run.on_progress(tell)
    print(json.dumps(run.finish().stop_reason), flush=True)


@contextlib.contextmanager
def served() -> Iterator[int]:
    """The web, in a process of its own; its port."""
    program = Path(__file__).with_name("soak_web.py")
    with subprocess.Popen([sys.executable, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            yield int(server.stdout.readline())
        finally:
            server.stdin.close()


def soak(pages: int, strategy: str, out: Path) -> tuple[list[Sample], str]:
    """The crawl in a process of its own; its samples, and why it stopped."""
    found: list[Sample] = []
    reason = "it died"
    with served() as port:
        command = [sys.executable, __file__, "--crawl", str(port), "--pages", str(pages), "--strategy", strategy]
        with subprocess.Popen([*command, "--keep", str(out)], stdout=subprocess.PIPE, text=True) as child:
            assert child.stdout is not None
            for line in child.stdout:
                told: Any = json.loads(line)
                if isinstance(told, str):
                    reason = told
                    continue
                found.append(Sample(*told))
                now = found[-1]
                print(
                    f"{now.pages:>8,} pages {now.known:>9,} URLs {now.records:>6,} records {now.memory / 1e6:7.1f} MB "
                    f"{now.seconds:7.1f} s  {now.files} files  {now.database / 1e6:7.1f} MB on disk",
                    flush=True,
                )
    return found, reason


def _at(samples: list[Sample], share: float) -> Sample:
    wanted = share * samples[-1].pages
    return min(samples, key=lambda one: abs(one.pages - wanted))


def _costs(samples: list[Sample]) -> list[float]:
    """Milliseconds of processor time a page, of each tenth of the way."""
    ends = [_at(samples, tenth / 10) for tenth in range(11)]
    return [
        1000 * (after.seconds - before.seconds) / max(1, after.pages - before.pages)
        for before, after in itertools.pairwise(ends)
    ]


def judged(samples: list[Sample], pages: int, reason: str) -> list[Line]:
    """What had to be so, and whether it is."""
    first, last = _at(samples, 0.1), samples[-1]
    late = [one for one in samples if one.pages >= 0.9 * last.pages]
    growth = (max(one.memory for one in late) - first.memory) / max(1, last.known - first.known)
    costs = _costs(samples)
    ratio = costs[-1] / costs[1]
    files = max(one.files for one in late) - first.files
    middle = _at(samples, 0.5)
    disk = [middle.database / middle.pages, (last.database - middle.database) / max(1, last.pages - middle.pages)]
    told = ", ".join(f"{cost:.2f}" for cost in costs)
    return [
        {"what": "pages crawled", "figure": last.pages, "must": f"{pages}", "ok": last.pages >= pages},
        {"what": "why it stopped", "figure": reason, "must": "the budget is spent", "ok": "budget" in reason},
        {"what": "URLs known", "figure": last.known, "must": "nine or more a page", "ok": last.known >= 9 * pages},
        {"what": "records kept", "figure": last.records, "must": "more than 0", "ok": last.records > 0},
        {
            "what": "bytes of memory a known URL, from the first tenth to the end",
            "figure": round(growth), "must": f"at most {_GROWTH}", "ok": growth <= _GROWTH,
        },
        {
            "what": "memory held at the end, MB",
            "figure": round(last.memory / 1e6), "must": f"at most {_MEMORY}", "ok": last.memory <= _MEMORY * 1e6,
        },
        {
            "what": f"cost of a page, last tenth by second tenth ({told} ms)",
            "figure": round(ratio, 2), "must": f"at most {_SLOWER}", "ok": ratio <= _SLOWER,
        },
        {"what": "open files more than after a tenth", "figure": files, "must": "at most 10", "ok": files <= 10},
        {
            "what": "bytes of database a page, second half of the crawl",
            "figure": round(disk[1]), "must": f"at most 1.2 times the first half's {disk[0]:.0f}",
            "ok": disk[1] <= 1.2 * disk[0],
        },
    ]  # fmt: skip


def main() -> int:
    """Crawl, sample, judge."""
    parser = argparse.ArgumentParser(description="A long crawl of a made-up web.")
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--strategy", default=Settings().strategy)
    parser.add_argument("--keep", type=Path, help="where to leave the crawl's folder")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the results")
    parser.add_argument("--crawl", type=int, help=argparse.SUPPRESS)
    words = parser.parse_args()
    if words.crawl:
        crawl(words.crawl, words.pages, words.strategy, words.keep)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        samples, reason = soak(words.pages, words.strategy, words.keep or Path(scratch) / "crawl")
    if len(samples) < 12:
        raise SystemExit(f"only {len(samples)} samples: {reason}; ask for more pages")
    return write(
        "soak", f"python proofs/soak.py --pages {words.pages}", judged(samples, words.pages, reason), words.results
    )


if __name__ == "__main__":
    sys.exit(main())
