"""Between two runs: the quick cases of `proofs/again.py`, which gives the commands a user would give."""

from __future__ import annotations

import pytest
from proofs.again import CASES, tried

QUICK = ("robots aged", "robots fresh", "host parked", "signal Ctrl-C while starting")


@pytest.mark.parametrize("name", QUICK)
def test_a_case_is_as_it_must_be(name: str) -> None:
    line = tried(name)
    assert line["ok"], line


def test_every_case_says_what_it_is_about() -> None:
    assert all(case.__doc__ for case in CASES.values())
