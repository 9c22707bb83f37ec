"""No strategy finds less than it once did: forty topics, near and far, with floors that only ever rise."""

from __future__ import annotations

from pathlib import Path

import pytest

from honeyguide.strategies import known
from tests.bench.gate import SLACK, Figures, floors, has_fallen, means, measure, on_record, raised, recorded

# A race of every strategy: some ten minutes on a quiet machine.
pytestmark = [pytest.mark.timeout(3600), pytest.mark.gate]


def test_every_strategy_is_above_its_floor(shared: Path) -> None:
    ours = {name for name, kind in known().items() if kind.__module__.startswith("honeyguide.")}
    for start in ("near", "far"):
        assert set(floors()[start]) == ours, "a strategy without a floor: run python -m tests.bench.gate --raise"
    topics = measure(shared / "webs" / "schools")  # once for all that is asked of it: it takes minutes
    measured = means(topics)
    fallen = {
        (start, name): measured[start][name]
        for start, found in topics.items()
        for name, now in found.items()
        if has_fallen(floors()[start][name], now, on_record(start, name))
    }
    assert not fallen, f"below their floors: {fallen}"
    for start in ("near", "far"):
        assert measured[start]["cosine"] > max(measured[start]["breadth-first"], measured[start]["random"]) + SLACK
    assert measured["near"]["breadth-first"] > measured["near"]["random"] + SLACK


def test_floors_only_rise() -> None:
    before: Figures = {"near": {"a": 0.5, "b": 0.2}}
    assert raised(before, {"near": {"a": 0.4, "b": 0.31, "c": 0.1}}) == {"near": {"a": 0.5, "b": 0.29, "c": 0.08}}
    assert raised(before, {"near": {"c": 0.1}}) == {"near": {"a": 0.5, "b": 0.2, "c": 0.08}}


def test_what_is_on_record_stays_and_a_new_strategy_is_put_there() -> None:
    before = {"near": {"a": {"art": 0.5}}, "far": {"a": {"art": 0.2}}}
    measured = {"near": {"a": {"art": 0.1}, "b": {"art": 0.3}}}
    after = {"near": {"a": {"art": 0.5}, "b": {"art": 0.3}}, "far": {"a": {"art": 0.2}}}
    assert recorded(before, measured) == after


def test_a_loss_on_a_topic_or_two_is_luck_and_one_on_all_is_not() -> None:
    before = {str(topic): 0.4 + 0.01 * topic for topic in range(20)}
    lost = {topic: auc - 0.1 for topic, auc in before.items()}
    unlucky = {**before, "3": 0.0, "4": 0.0}
    assert has_fallen(0.48, lost, before)
    assert not has_fallen(0.48, unlucky, before)
    assert not has_fallen(0.3, lost, before)
    assert has_fallen(0.48, lost, {})
