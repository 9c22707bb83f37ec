"""A store to fill, and ways to fill it."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from honeyguide.store import Store

pytest.register_assert_rewrite("tests.store.contract")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    made = Store.create(path)
    yield made
    made.close()


def dies(script: str, *given: object) -> int:
    """The exit code of a script run in a process of its own."""
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, given)]
    return subprocess.run(command, check=False, timeout=240).returncode
