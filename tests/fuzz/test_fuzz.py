"""What strangers wrote is read by targets that must never fail; here a little of it, the same at every run."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.cases import CASES
from tests.fuzz.kit import timed
from tests.fuzz.targets import TARGETS

_EXAMPLES = {"records": 80, "answers": 100, "exports": 60, "pages": 300, "texts": 150, "feeds": 150}


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_a_reader(name: str) -> None:
    target = TARGETS[name]

    @settings(
        max_examples=_EXAMPLES.get(name, 400),
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs | st.binary(max_size=200))
    def holds(data: bytes) -> None:
        timed(target, data)

    target.check(b"")  # what is loaded at the first use is not the input's fault
    holds()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param(name, data, id=f"{name}-{number}")
        for name, found in CASES.items()
        for number, data in enumerate(found)
    ],
)
def test_what_once_broke_a_reader_no_longer_does(name: str, data: bytes) -> None:
    timed(TARGETS[name], data)
