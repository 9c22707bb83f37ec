"""A race that cannot be run is refused in one sentence that says what and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from honeyguide.bench import Bench, Entry, Race
from honeyguide.cli.main import cli
from honeyguide.errors import HoneyguideError
from tests.bench.conftest import page, site, topic, write_web


@pytest.fixture
def web(tmp_path: Path) -> Path:
    pages = {"e": page("honey", "r"), "r": page("honey"), "f": page("road", "r")}
    return write_web(tmp_path / "web", pages, topic(examples=["e"], far_starts=["f"], relevant=["e", "r"]))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{not json", "line 2: JSON is malformed"),
        ('{"": ' + "[" * 100_000, "line 2: it is nested too deeply"),
        ("[]", "line 2: Expected `object`, got `array`"),
        ({"id": 7, "name": "x"}, "line 2: id: Expected `str`, got `int`"),
        ({"name": "x"}, "line 2: Object missing required field `id`"),
        ({"id": "two words", "name": "x", "relevant": [site("r")]}, "line 2: the id 'two words' must be one word"),
        ({"id": "u", "name": "x"}, "line 2: topic 'u' lists no relevant pages"),
        ({"id": "u", "name": "x", "relevant": ["r.html"]}, "line 2: relevant: 'r.html' is no http or https address"),
        ({"id": "u", "name": "x", "keywords": {"bee": 0}}, "line 2: keywords: the weight of 'bee' must be more than 0"),
        ({"id": "u", "name": "x", "keywords": {"bee": "much"}}, "line 2: keywords[...]: Expected `float`"),
        ({"id": "t", "name": "x", "relevant": [site("r")]}, "two topics have the id 't'"),
        ({"id": "u", "name": "x", "relevant": [site("?")], "examples": [site("e")]}, "topic 'u' of"),
        ({"id": "u", "name": "x", "relevant": [site("r")]}, "has no examples to start from"),
    ],
)
def test_a_line_of_the_topics_file_that_makes_no_sense(web: Path, line: Any, told: str) -> None:
    with (web / "topics.jsonl").open("a") as file:
        file.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
    with pytest.raises(HoneyguideError) as error:
        list(Bench(Race(web=str(web), strategies=(Entry("breadth-first"),), workers=1)).run())
    assert told in str(error.value)
    assert "topics.jsonl" in str(error.value)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["missing"], "missing does not exist"),
        (["{web}", "--topics", "missing.jsonl"], "missing.jsonl cannot be read"),
        (["{web}", "--strategies", "nonsense"], "unknown strategy: 'nonsense'"),
        (["{web}", "--strategies", "missing.py:Mine"], "no strategy file at missing.py"),
        (["{web}", "--strategies", ","], "--strategies names none"),
        (["{web}", "--only", "bees"], "has no topic 'bees'; it has: t"),
        (["{web}", "--block", "("], "the block pattern '(' is no regular expression"),
        (["{web}", "--budget", "0"], "budget must be more than 0"),
        (["{web}", "--workers", "-1"], "workers must not be negative"),
        (["{web}", "--block", "/r$|/e$"], "topic 't' of"),
        (["{web}", "--strategies", "breadth-first", "--out", "no/such/folder/x.json"], "cannot be written"),
    ],
)
def test_bench(web: Path, tmp_path: Path, words: list[str], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["bench", *(word.replace("{web}", str(web)) for word in words)])
    assert isinstance(result.exception, HoneyguideError)  # which the command turns into a sentence and exit code 2
    assert told in str(result.exception)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--strategy", "cosine", "--set", "k"], "write it as KEY=VALUE"),
        (["--strategy", "cosine", "--set", "nonsense=1,2"], "has no setting 'nonsense'"),
        (["--strategy", "cosine", "--set", "k=soft"], "setting 'k' of strategy 'cosine' must be of type float"),
        (["--strategy", "cosine", "--set", f"k={','.join(map(str, range(500)))}"], "500 combinations are too many"),
    ],
)
def test_sweep(web: Path, words: list[str], told: str) -> None:
    result = CliRunner().invoke(cli, ["sweep", str(web), *words])
    assert told in f"{result.exception} {result.output}"


def test_no_topics_at_all(web: Path) -> None:
    (web / "topics.jsonl").write_text("\n\n")
    with pytest.raises(HoneyguideError, match="holds no topic"):
        Bench(Race(web=str(web)))


def test_topics_that_are_no_text(web: Path) -> None:
    (web / "topics.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(HoneyguideError, match="is not UTF-8"):
        Bench(Race(web=str(web)))


def test_a_cache_that_cannot_be_written(web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "file"))
    with pytest.raises(HoneyguideError, match="set HONEYGUIDE_CACHE to a folder"):
        list(Bench(Race(web=str(web), workers=1)).run())
