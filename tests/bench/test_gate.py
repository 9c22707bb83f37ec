"""No strategy finds less than it once did: forty topics, near and far, with floors that only ever rise."""

from __future__ import annotations

from pathlib import Path

import pytest

from honeyguide.strategies import known
from tests.bench.gate import SLACK, Figures, floors, measure, raised

# A race of every strategy: some ten minutes on a quiet machine.
pytestmark = [pytest.mark.timeout(3600), pytest.mark.gate]


def test_every_strategy_is_above_its_floor(shared: Path) -> None:
    ours = {name for name, kind in known().items() if kind.__module__.startswith("honeyguide.")}
    for start in ("near", "far"):
        assert set(floors()[start]) == ours, "a strategy without a floor: run python -m tests.bench.gate --raise"
    measured = measure(shared / "webs" / "schools")  # once for all that is asked of it: it takes minutes
    fallen = {
        (start, name): auc
        for start, found in measured.items()
        for name, auc in found.items()
        if auc < floors()[start][name]
    }
    assert not fallen, f"below their floors: {fallen}"
    for start in ("near", "far"):
        assert measured[start]["cosine"] > max(measured[start]["breadth-first"], measured[start]["random"]) + SLACK
    assert measured["near"]["breadth-first"] > measured["near"]["random"] + SLACK


def test_floors_only_rise() -> None:
    before: Figures = {"near": {"a": 0.5, "b": 0.2}}
    assert raised(before, {"near": {"a": 0.4, "b": 0.31, "c": 0.1}}) == {"near": {"a": 0.5, "b": 0.29, "c": 0.08}}
    assert raised(before, {"near": {"c": 0.1}}) == {"near": {"a": 0.5, "b": 0.2, "c": 0.08}}
