"""The commands as people and programs use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honeyguide.cli.main import cli
from tests.bench.conftest import page, topic, write_web

STRANGER = '''
from honeyguide.strategies import Strategy

class Backwards(Strategy):
    """Takes the last link first."""

    name = "backwards"

    def page(self, page):
        return [(link.id, float(place)) for place, link in enumerate(page.links)]
'''


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(STRANGER)
    pages = {
        "e": page("honey hive", "x", "y", "r"),
        "f": page("road", "x", "h"),
        "h": page("hive", "r", "s"),
        "r": page("honey hive", "s"),
        "s": page("honey hive comb"),
        "x": page("road"),
        "y": page("road"),
    }
    topics = [topic(name, examples=["e"], far_starts=["f"], relevant=["e", "r", "s"]) for name in ("t", "u")]
    write_web(tmp_path / "web", pages, *topics)
    return tmp_path


def honeyguide(*words: str) -> Result:
    result = CliRunner().invoke(cli, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def test_the_figures_are_written_in_the_agreed_form(web: Path) -> None:
    honeyguide(
        "bench", "web", "--strategies", "breadth-first,mine.py:Backwards", "--out", "race.json", "--workers", "1"
    )
    told = json.loads((web / "race.json").read_text())
    assert list(told) == ["web", "start", "block", "budget", "seed", "results", "summary"]
    assert (told["web"], told["start"], told["block"], told["budget"], told["seed"]) == ("web", "near", "", 2.0, 0)
    assert [(one["strategy"], one["topic"]) for one in told["results"]] == [
        ("breadth-first", "t"),
        ("breadth-first", "u"),
        ("mine.py:Backwards", "t"),
        ("mine.py:Backwards", "u"),
    ]
    assert list(told["results"][0]) == ["strategy", "topic", "auc", "recall", "harvest", "pages", "seconds"]
    assert list(told["summary"][0]) == ["strategy", "auc", "recall", "harvest", "ms_per_page"]
    assert told["summary"][0]["strategy"] == "mine.py:Backwards"  # takes r before x and y
    assert (web / "race.html").read_text().startswith("<!doctype html>")


def test_both_starts_make_two_files_and_one_page(web: Path) -> None:
    shown = honeyguide("bench", "web", "--strategies", "breadth-first", "--start", "both", "--out", "race.json")
    assert json.loads((web / "race-near.json").read_text())["start"] == "near"
    assert json.loads((web / "race-far.json").read_text())["start"] == "far"
    assert (web / "race.html").is_file()
    assert "from near" in shown.output
    assert "from far" in shown.output


def test_the_table_has_the_oracle_as_ceiling(web: Path) -> None:
    shown = honeyguide("bench", "web", "--strategies", "breadth-first,random", "--only", "t").stdout
    rows = [
        line.split()[:2]
        for line in shown.splitlines()
        if line.startswith((" oracle", " labels", " breadth", " random"))
    ]
    assert rows[0] == ["oracle", "1.000"]
    assert rows[1][0] == "labels-known"
    assert {row[0] for row in rows[2:]} == {"breadth-first", "random"}


def test_without_names_all_strategies_race_and_the_oracle(web: Path) -> None:
    told = json.loads(honeyguide("bench", "web", "--only", "t", "--json").stdout)
    raced = {row["strategy"] for row in told["summary"]}
    assert {"oracle", "labels-known", "breadth-first", "cosine"} <= raced
    assert next(row["auc"] for row in told["summary"] if row["strategy"] == "oracle") == 1.0


def test_json_for_programs_is_all_there_is_on_standard_output(web: Path) -> None:
    told = json.loads(honeyguide("bench", "web", "--strategies", "oracle,breadth-first", "--json").stdout)
    assert [row["strategy"] for row in told["summary"]] == ["oracle", "breadth-first"]


def test_a_sweep_ranks_settings_and_the_strategy_as_it_stands(web: Path) -> None:
    told = json.loads(
        honeyguide("sweep", "web", "--strategy", "cosine", "--set", "k=0.5,2", "--set", "b=0", "--json").stdout
    )
    assert sorted(str(row["settings"]) for row in told) == [
        "{'k': '0.5', 'b': '0'}",
        "{'k': '2', 'b': '0'}",
        "{}",
    ]
    assert [row["mean"] for row in told] == sorted((row["mean"] for row in told), reverse=True)
    assert all(row["mean"] == pytest.approx((row["near"] + row["far"]) / 2) for row in told)
    shown = honeyguide("sweep", "web", "--strategy", "cosine", "--set", "k=0.5", "--start", "near", "--out", "s.json")
    assert "as it stands" in shown.output
    assert len(json.loads((web / "s.json").read_text())) == 2
