"""Killed anywhere, resumed, nothing lost and nothing doubled: a small run of `proofs/kill.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "proofs"))

from kill import Findings, Proof
from killing import Scenario

pytestmark = pytest.mark.timeout(3600)  # some thirty crawls: a minute on a quiet machine

SCENARIOS = (
    Scenario("archive, one worker", "archive", ordered=True, hosts=("blog", "hub")),
    Scenario("demo web, one host", "demo", ("--delay", "0.01"), ordered=True, hosts=("science",)),
    Scenario(
        "demo web, two workers", "demo", ("--delay", "0.02", "--workers", "2", "--no-records"), hosts=("coast", "hub")
    ),
)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """What comes of a dozen kills."""
    proof = Proof(tmp_path_factory.mktemp("kill"), seed=5)
    for scenario in SCENARIOS:
        before = len(proof.found.kills)
        while len(proof.found.kills) < before + 3:
            proof.one(scenario, most=4)
    proof.pace(kills=2, crawl_delay=3.0)
    return proof.found


def test_a_crawl_killed_again_and_again_ends_as_one_that_was_left_alone(found: Findings) -> None:
    assert len(found.kills) >= 11
    assert found.lost == []


def test_what_is_stored_is_never_asked_for_again(found: Findings) -> None:
    assert found.stored_asked == []


def test_after_a_kill_every_host_first_rests_its_full_delay(found: Findings) -> None:
    assert found.too_soon == []
    assert len(found.rests) == 2
    assert min(found.rests) >= 3.0
