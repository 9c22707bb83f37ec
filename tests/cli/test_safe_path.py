"""Files that lie about in the working directory are the user's: none of our processes runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from honeyguide.demo import build, write_web

# Names of Python's own library that nearly everything imports, and of libraries of ours.
NAMES = ("calendar", "queue", "statistics", "msgspec", "aiohttp", "helper")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A working directory with files that tell when they are run."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write('{name} ')\n")
    return tmp_path


def _run(place: Path, *words: str) -> None:
    environment = {**os.environ, "HONEYGUIDE_CACHE": str(place / "cache")}
    environment.pop("PYTHONSAFEPATH", None)
    command = [sys.executable, "-m", "honeyguide", *words]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert not (place / "ran").exists(), (place / "ran").read_text()


def test_workers_of_a_crawl_run_no_file_of_the_working_directory(place: Path) -> None:
    _run(place, "crawl", "--workers", "2", "--pages", "20", "--out", "crawl", "--quiet")


def test_runners_of_a_race_run_no_file_of_the_working_directory(place: Path) -> None:
    write_web(place / "web", build())
    _run(place, "bench", "web", "--strategies", "breadth-first", "--budget", "0.1", "--quiet")
