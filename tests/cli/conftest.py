"""The command, as a user would give it, without a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from honeyguide.cli import main


class Said(NamedTuple):
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str


Say = Callable[..., Said]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Say:
    """Give a command, and hear what it says."""

    def give(*words: str | Path) -> Said:
        monkeypatch.setattr("sys.argv", ["honeyguide", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        told = capsys.readouterr()
        return Said(ended.value.code if isinstance(ended.value.code, int) else int(bool(ended.value.code)), *told)

    return give
