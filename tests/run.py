"""The whole test run: format, lint, types, rooms, tests. One command, one exit code.

./go test              everything but the gates
./go test --gates      the gates: real crawls and races beside floors that only ever rise
./go test --cover      as ./go test, with coverage, which has a floor; it takes half as long again
./go test --quick      the tests alone
./go test tests/page   some of the tests, gates among them
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
FLOOR = 85  # per cent of branches and lines; only ever rises

CHECKS = {
    "format": ["ruff", "format", "--check", "--quiet", "."],
    "lint": ["ruff", "check", "--quiet", "."],
    "types": ["mypy"],
    "rooms": ["lint-imports", "--no-cache"],
}


def run(name: str, command: list[str]) -> bool:
    begun = time.monotonic()
    result = subprocess.run([str(BIN / command[0]), *command[1:]], cwd=HERE, capture_output=True, text=True)
    print(f"{name}: {'ok' if result.returncode == 0 else 'FAILED'} ({time.monotonic() - begun:.0f} s)", flush=True)
    if result.returncode:
        print(result.stdout + result.stderr)
    return result.returncode == 0


def _workers() -> int:
    """Two more than there are cores: many tests wait for a host's rest or a process, and need none meanwhile."""
    return min(4, os.cpu_count() or 1) + 2


def main() -> int:
    words = sys.argv[1:]
    if words not in ([], ["--quick"], ["--cover"], ["--gates"]):
        return subprocess.run([str(BIN / "pytest"), *words], cwd=HERE).returncode
    workers = ["-n", str(_workers()), "--dist", "worksteal"]
    slowest = ["--durations=20", "--durations-min=5"]  # told each time, so that the run is kept short
    if words == ["--gates"]:
        return subprocess.run([str(BIN / "pytest"), "-q", "-m", "gate", *workers, *slowest], cwd=HERE).returncode
    workers += ["-m", "not gate"]
    if words == ["--quick"]:
        return subprocess.run([str(BIN / "pytest"), "-q", *workers], cwd=HERE).returncode
    good = [run(name, command) for name, command in CHECKS.items()]
    coverage = ["--cov", "--cov-report=term:skip-covered", f"--cov-fail-under={FLOOR}"] if words else []
    tests = subprocess.run([str(BIN / "pytest"), "-q", *workers, *slowest, *coverage], cwd=HERE)
    return 0 if all(good) and tests.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
