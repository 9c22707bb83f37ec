"""The seeded faults, short of seeding them: each still finds the text it breaks and the tests that must notice."""

from __future__ import annotations

from pathlib import Path

import pytest
from proofs.fault_list import FAULTS, Fault

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_fault_can_be_seeded_and_its_tests_are_there(fault: Fault) -> None:
    for file, old, new in fault.changes:
        assert (ROOT / file).read_text(encoding="utf-8").count(old) == 1, f"{file} has changed: {old}"
        assert old != new
    for test in fault.tests:
        file, _, name = test.partition("::")
        assert f"def {name.partition('[')[0]}(" in (ROOT / file).read_text(encoding="utf-8") or not name
