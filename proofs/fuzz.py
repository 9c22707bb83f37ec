"""Fuzzing: the targets of tests/fuzz, for as long as you like.

    python proofs/fuzz.py [--seconds 120] [--seed N] [--only NAME,NAME…] [--keep FOLDER]

The time is shared among the targets, as many at once as there are cores. Each is tried with inputs made to its shape,
with mutants of these, and, where atheris is installed (pip install atheris), with inputs it finds by the branches they
take in our code. Inputs that break something are kept in a folder, made small, and belong into tests/fuzz/cases.py.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofs.report import RESULTS, Line, write

HERE = Path(__file__).resolve().parent
_SLOWEST = 3_000  # milliseconds, as in tests/fuzz/kit.py
_SILENT = 60.0  # seconds a child may take longer than it was given


def chosen() -> argparse.Namespace:
    """The words of the command."""
    parser = argparse.ArgumentParser(description="Fuzz everything that reads what strangers wrote.")
    parser.add_argument("--seconds", type=float, default=120.0, help="how long, in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="names of targets, with commas between")
    parser.add_argument("--keep", type=Path, help="where to keep inputs that break something")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the results")
    return parser.parse_args()


def engines() -> list[str]:
    """What inputs come from."""
    return ["shapes", "branches"] if importlib.util.find_spec("atheris") else ["shapes"]


def run(name: str, engine: str, seconds: float, seed: int, keep: Path) -> dict[str, Any]:
    """One target in a process of its own; what it counted, even if it dies."""
    out = keep / f"{name}-{engine}.json"
    out.unlink(missing_ok=True)
    command = [sys.executable, str(HERE / "fuzz_one.py"), engine, name, str(seconds), str(seed), str(out)]
    log = keep / f"{name}-{engine}.log"
    # What atheris runs is ended without a last word, and would leave its scratch files wherever they are.
    with log.open("wb") as file, tempfile.TemporaryDirectory() as scratch:
        settings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": scratch}
        child = subprocess.Popen(command, stdout=file, stderr=file, env=settings)
        watch = threading.Timer(seconds + _SILENT + 60.0, child.kill)
        watch.start()
        code = child.wait()
        watch.cancel()
    counted: dict[str, Any] = (
        json.loads(out.read_text()) if out.is_file() else {"inputs": 0, "slowest": 0.0, "broken": []}
    )
    if code and not counted["broken"]:
        counted["broken"] = [f"{name}: the process ended with {code}, see {log}"]
    return counted


def _lines(counts: dict[str, list[dict[str, Any]]]) -> Iterator[Line]:
    for name, parts in counts.items():
        inputs = sum(part["inputs"] for part in parts)
        yield {"what": f"inputs tried on {name}", "figure": inputs, "must": "more than 0", "ok": inputs > 0}
    found = [part for parts in counts.values() for part in parts]
    inputs = sum(part["inputs"] for part in found)
    yield {"what": "inputs tried in all", "figure": inputs, "must": "more than 0", "ok": inputs > 0}
    broken = [one for part in found for one in part["broken"]]
    yield {"what": "inputs that broke something", "figure": len(broken), "must": "0", "ok": not broken}
    slowest = round(1000 * max((part["slowest"] for part in found), default=0.0))
    told = "slowest input in milliseconds of processor time"
    yield {"what": told, "figure": slowest, "must": f"at most {_SLOWEST}", "ok": slowest <= _SLOWEST}


def main() -> int:
    """Run all targets, and write down what came of it."""
    words = chosen()
    from tests.fuzz.targets import TARGETS

    names = words.only.split(",") if words.only else list(TARGETS)
    if unknown := [name for name in names if name not in TARGETS]:
        raise SystemExit(f"no target '{unknown[0]}'; there are: {', '.join(TARGETS)}")
    keep = words.keep or Path(tempfile.mkdtemp(prefix="honeyguide-fuzz-"))
    keep.mkdir(parents=True, exist_ok=True)
    cores, kinds = os.cpu_count() or 1, engines()
    each = words.seconds * cores / (len(names) * len(kinds))
    counts: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    with ThreadPoolExecutor(cores) as pool:
        jobs = [(name, pool.submit(run, name, kind, each, words.seed, keep)) for name in names for kind in kinds]
        for name, job in jobs:
            counts[name].append(job.result())
            for told in counts[name][-1]["broken"]:
                print(told)
    print(f"inputs came from {' and '.join(kinds)}; what broke something is in {keep}")
    asked = f"python proofs/fuzz.py --seconds {words.seconds:g} --seed {words.seed}"
    return write("fuzz", asked, list(_lines(counts)), words.results)


if __name__ == "__main__":
    sys.exit(main())
