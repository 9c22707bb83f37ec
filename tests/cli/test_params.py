"""The settings of any strategy, explained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from honeyguide.strategies import known
from tests.cli.conftest import Say


@pytest.mark.parametrize("name", sorted(known()))
def test_every_setting_of_every_strategy_is_told_with_its_default_and_what_it_does(say: Say, name: str) -> None:
    said = say("params", name, "--json")
    assert said.code == 0, said.err
    told = json.loads(said.out)
    assert told["strategy"] == name
    assert [row["name"] for row in told["settings"]] == list(known()[name].parameters())
    assert all(row["about"].strip() for row in told["settings"])
    text = say("params", name).out
    assert all(row["name"] in text for row in told["settings"])
    assert text.strip()


def test_the_names_of_the_paper_are_told_and_taken(say: Say, tmp_path: Path) -> None:
    settings = {row["name"]: row for row in json.loads(say("params", "news", "--json").out)["settings"]}
    paper = {"α", "μ", "β", "γ", "Threshold", "Sum(T)", "ρ", "σ", "Val", "InitialTime", "T"}
    assert paper <= {also for row in settings.values() for also in row["also"]}
    given = ("--set", "Sum(T)=5", "--set", "α=1.2", "--set", "T=10")
    said = say("crawl", "--strategy", "news", "--pages", "12", "--quiet", "--out", tmp_path / "crawl", *given)
    assert said.code == 0, said.err
    manifest = json.loads((tmp_path / "crawl" / "manifest.json").read_text(encoding="utf-8"))
    own = manifest["strategy"]["settings"]
    assert (own["sum_t"], own["alpha"], own["t"]) == (5.0, 1.2, 10)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--set", "T=soon"), "setting 'T' of strategy 'news' must be of type int, not 'soon'"),
        (("--set", "delta=1"), "strategy 'news' has no setting 'delta'; it has: threshold, alpha"),
        (("--set", "gamma=3"), "setting 'gamma' of strategy 'news' must lie between 0.001 and 1, not 3"),
        (("--set", "t=5", "--set", "T=6"), "setting 't' of strategy 'news' is given twice"),
    ],
)
def test_what_makes_no_sense_ends_in_one_sentence(say: Say, tmp_path: Path, given: tuple[str, ...], told: str) -> None:
    said = say("crawl", "--strategy", "news", "--quiet", "--out", tmp_path / "crawl", *given)
    assert said.code == 2
    assert told in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert not (tmp_path / "crawl").exists()


def test_an_unknown_strategy_is_named_and_one_of_a_file_is_told(say: Say, tmp_path: Path) -> None:
    assert say("params", "nosuch").code == 2
    own = tmp_path / "mine.py"
    own.write_text(
        "from honeyguide.strategies import Strategy, setting\n"
        'class Mine(Strategy):\n    """For a test."""\n    name = "mine"\n'
        '    width: int = setting(3, "How wide.", "w")\n'
    )
    assert "How wide." in say("params", f"{own}:Mine").out
