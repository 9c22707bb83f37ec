"""A store to fill, and ways to fill it."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from honeyguide.store import Store, VisitRow


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    made = Store.create(path)
    yield made
    made.close()


def visit_of(url: int, **more: object) -> VisitRow:
    return VisitRow(url, "page", 1.0, 200, "page", **more)  # type: ignore[arg-type]


def fill(store: Store, urls: int = 3) -> None:
    """A host with so many URLs."""
    store.add_host(0, "a.test:80")
    store.add_urls([(n, f"http://a.test/{n}", 0, n, 0, n - 1 if n else None, f"link {n}") for n in range(urls)])


def dies(script: str, *given: object) -> int:
    """The exit code of a script run in a process of its own."""
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, given)]
    return subprocess.run(command, check=False, timeout=240).returncode
