"""Stopped, resumed, looked at: what a crawl owes to hosts, to its user and to its folder between two runs.

    python proofs/again.py            every case
    python proofs/again.py robots     those whose names begin so

Each case gives the commands a user would give, as processes of their own, and is judged from outside: by the log of the
server that was asked, by exit codes, by the files of the folder and by who is left of the process group.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofs.again_hosts import ROBOTS
from proofs.again_looks import LOOKS
from proofs.again_signals import SIGNALS
from proofs.report import Line, write

__all__ = ["CASES", "tried"]

NOT_HERE = "not tried: "
# Each says what came out, and what must; or, when this machine cannot do it, why it was not tried.
CASES: dict[str, Callable[[Path], tuple[str, str]]] = {**ROBOTS, **LOOKS, **SIGNALS}


def tried(name: str) -> Line:
    """What came of one case."""
    with tempfile.TemporaryDirectory(prefix="honeyguide-") as scratch:
        place = Path(scratch)
        place.chmod(0o755)  # others look into it, too
        figure, must = CASES[name](place)
    ok = figure == must or figure.startswith(NOT_HERE)
    return Line(what=f"{name}: {(CASES[name].__doc__ or '').strip().rstrip('.')}", figure=figure, must=must, ok=ok)


def main(chosen: list[str]) -> int:
    """Try every case, and write the figures down."""
    lines = []
    for name in CASES:
        if not chosen or any(name.startswith(word) for word in chosen):
            lines.append(tried(name))
            print(f"{'ok ' if lines[-1]['ok'] else 'NOT'} {name}: {lines[-1]['figure']}", flush=True)
    here = [line for line in lines if not str(line["figure"]).startswith(NOT_HERE)]
    good = sum(line["ok"] for line in here)
    lines.insert(0, Line(what="cases as they must be", figure=good, must=str(len(here)), ok=good == len(here)))
    if chosen:
        return 0 if lines[0]["ok"] else 1
    return write("again", "python proofs/again.py", lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
