"""Seeded faults: each mechanism is broken on purpose, one fault at a time, and a named test must turn red.

    python proofs/faults.py [--only WORD] [--list]

Every fault is put into a copy of the source. Its tests must pass there without it and fail with it; a test that fails
either way, or neither way, is no proof. The faults themselves are in fault_list.py.
"""

from __future__ import annotations

import argparse
import os
import queue
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofs.fault_list import FAULTS, Fault
from proofs.report import RESULTS, Line, write

ROOT = Path(__file__).resolve().parents[1]
_NEEDED = ("src", "tests", "proofs", "pyproject.toml")
_MEMORY = 8 << 30  # bytes of address space for its tests
_PATIENCE = 180  # seconds for one test; one that hangs because of a fault has caught it
_RED = re.compile(r"^FAILED (\S+?(?:\[.*?\])?)(?: - |$)", re.MULTILINE)


def copied(folder: Path) -> Path:
    """The source as it stands, committed or not, in a place where it may be broken."""
    for name in _NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "results"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def _bound() -> None:
    """Some of what is broken here swallows all that comes; that must not take down the machine, nor the proof."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def run(copy: Path, tests: tuple[str, ...]) -> tuple[bool, list[str]]:
    """Run tests against a copy; whether all passed, and which did not."""
    path = os.pathsep.join([str(copy / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    settings = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--timeout={_PATIENCE}", *tests]
    told = subprocess.run(command, cwd=copy, env=settings, capture_output=True, text=True, preexec_fn=_bound)
    if told.returncode not in (0, 1):
        raise SystemExit(f"pytest could not run:\n{told.stdout[-2000:]}{told.stderr[-1000:]}")
    red = dict.fromkeys(one if one in tests else one.partition("[")[0] for one in _RED.findall(told.stdout))
    return told.returncode == 0, list(red)


def seeded(copy: Path, fault: Fault) -> Line:
    """Break one thing, see its tests turn red, and put it right again."""
    what = f"{fault.mechanism}: {fault.name}"
    before = {file: (copy / file).read_text(encoding="utf-8") for file, _, _ in fault.changes}
    try:
        for file, old, new in fault.changes:
            text = (copy / file).read_text(encoding="utf-8")
            if text.count(old) != 1:
                return {
                    "what": what,
                    "figure": f"{file} has its text {text.count(old)} times",
                    "must": "1",
                    "ok": False,
                }
            (copy / file).write_text(text.replace(old, new), encoding="utf-8")
        green, red = run(copy, fault.tests)
    finally:
        for file, text in before.items():
            (copy / file).write_text(text, encoding="utf-8")
    caught = not green and bool(red) and set(fault.tests).issuperset(red)
    told = ", ".join(one.partition("::")[2] for one in red)
    return {
        "what": what,
        "figure": f"caught by {told}" if caught else f"not caught ({told})",
        "must": "caught",
        "ok": caught,
    }


def _lines(faults: list[Fault], cores: int) -> Iterator[Line]:
    with tempfile.TemporaryDirectory(prefix="honeyguide-faults-") as scratch, ThreadPoolExecutor(cores) as pool:
        free: queue.SimpleQueue[Path] = queue.SimpleQueue()
        for number in range(cores):
            free.put(copied(Path(scratch) / str(number)))

        def unbroken(tests: tuple[str, ...]) -> tuple[bool, list[str]]:
            copy = free.get()
            try:
                return run(copy, tests)
            finally:
                free.put(copy)

        def broken(fault: Fault) -> Line:
            copy = free.get()
            try:
                return seeded(copy, fault)
            finally:
                free.put(copy)

        tests = tuple(dict.fromkeys(test for fault in faults for test in fault.tests))
        green, red = unbroken(tests)
        yield {
            "what": f"the {len(tests)} tests without any fault",
            "figure": "all pass" if green else f"fail: {', '.join(red)}", "must": "pass", "ok": green,
        }  # fmt: skip
        for line in pool.map(broken, faults):
            print(f"{'ok ' if line['ok'] else 'NOT'}  {line['what']}: {line['figure']}", flush=True)
            yield line


def main() -> int:
    """Seed all faults, or some."""
    parser = argparse.ArgumentParser(description="Break every mechanism on purpose; a test must notice.")
    parser.add_argument("--only", default="", help="faults whose name or mechanism holds this")
    parser.add_argument("--list", action="store_true", help="show the faults and their tests")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder of the results")
    words = parser.parse_args()
    faults = [fault for fault in FAULTS if words.only in f"{fault.mechanism}: {fault.name}"]
    if words.list:
        for fault in faults:
            print(f"{fault.mechanism}: {fault.name}\n    {chr(10).join(fault.tests)}")
        return 0
    lines = list(_lines(faults, max(1, min(4, (os.cpu_count() or 1) // 2 or 1))))
    caught = sum(line["ok"] for line in lines[1:])
    lines.insert(0, {"what": "faults caught", "figure": caught, "must": f"{len(faults)}", "ok": caught == len(faults)})
    command = "python proofs/faults.py" + (f" --only {words.only!r}" if words.only else "")
    return write("faults", command, lines, words.results)


if __name__ == "__main__":
    sys.exit(main())
