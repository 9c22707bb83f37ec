"""A click log of ten million lines, read in bounded memory: python benchmarks/click_lines.py [--lines 10000000]

Lines are of ever new users, queries and pages, every hundredth is broken, and the file breaks off in the middle of its
last packed block. Told are the lines read and passed over, the share of users kept, CPU time, and by how much the
memory of this process grew at the most, after each tenth of the lines.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import resource
import tempfile
import time
from pathlib import Path

from honeyguide.topic.click_lines import sessions
from honeyguide.topic.clicks import ClickLog


def write(path: Path, lines: int) -> None:
    """Write the log, and cut its end off."""
    dice = random.Random(0)
    with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as file:
        for number in range(lines):
            if number % 100 == 99:
                file.write('{"user": "broken\n')
                continue
            query = f"word{dice.randrange(200_000)} word{dice.randrange(2_000)}"
            clicks = [f"http://site{dice.randrange(50)}.test/{dice.randrange(lines)}" for _ in range(2)]
            file.write(json.dumps({"user": f"u{number // 5}", "query": query, "clicks": clicks}) + "\n")
    with path.open("r+b") as packed:
        packed.truncate(path.stat().st_size - 100)


def megabytes() -> float:
    """The most memory this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


def main() -> None:
    """Write, read, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=10_000_000)
    lines = parser.parse_args().lines
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clicks.jsonl.gz"
        write(path, lines)
        before, begun = megabytes(), time.process_time()
        log = ClickLog()
        grown: list[float] = []
        for session in sessions(path, log.tally, ""):
            log._take(session)
            if log.tally.lines >= (len(grown) + 1) * lines / 10:
                grown.append(megabytes() - before)
        grown.append(megabytes() - before)
        memory = " ".join(f"{one:.0f}" for one in grown)
        print("; ".join(log.notes))
        print(f"CPU {time.process_time() - begun:.0f} s; memory grew by so many MB, by tenths of the lines: {memory}")


if __name__ == "__main__":
    main()
