"""From a crawl to a race on it, as a user does it: crawl, label, record, bench."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from honeyguide.api import crawl as start_crawl
from honeyguide.store import Folder, Store


def honeyguide(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "honeyguide", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=600, env=os.environ.copy())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    with start_crawl(out=folder / "bees", pages=120, delay=0.02, careful=False) as run:
        run.finish()
    with start_crawl(out=folder / "without", pages=5, delay=0.02, careful=False, warc=False) as run:
        run.finish()
    (folder / "full").mkdir()
    (folder / "full" / "file").write_text("mine")
    return folder


def test_crawl_label_record_bench(place: Path) -> None:
    store = Store.open(Folder(place / "bees").database, read_only=True)
    pages = [(store.url(visit.url).url, visit.on_topic) for visit in store.visits("page", originals=True)]
    store.close()
    right = [url for url, on_topic in pages if on_topic][:3]
    wrong = [url for url, on_topic in pages if not on_topic][:2]
    words = [part for url in right for part in ("--right", url)] + [part for url in wrong for part in ("--wrong", url)]
    assert honeyguide("label", "bees", *words, cwd=place).returncode == 0

    done = honeyguide("record", "bees", "--out", "web", cwd=place)
    assert done.returncode == 0, done.stderr
    assert "web: 120 pages, topic 'Honey bees and beekeeping' (honey-bees-and-beekeeping)" in done.stdout
    assert "3 by your labels" in done.stdout
    assert "agreement with the judge" not in done.stdout

    topic = json.loads((place / "web" / "topics.jsonl").read_text("utf-8"))
    assert set(right) <= set(topic["relevant"])
    assert not set(wrong) & set(topic["relevant"])

    rules = ["--strategies", "breadth-first,cosine", "--start", "both", "--workers", "1"]
    raced = honeyguide("bench", "web", *rules, "--json", "--out", "race.json", cwd=place)
    assert raced.returncode == 0, raced.stderr
    near, far = json.loads(raced.stdout)
    for outcome, truth in ((near, set(topic["relevant"])), (far, set(topic["relevant"]) - set(topic["examples"]))):
        assert {row["strategy"] for row in outcome["summary"]} == {"breadth-first", "cosine"}
        assert next(row for row in outcome["summary"] if row["strategy"] == "cosine")["recall"] > 0
        assert all(row["recall"] <= 1 for row in outcome["summary"])
        assert all(one["pages"] <= round(2 * len(truth)) for one in outcome["results"])
    assert "From far" in (place / "race.html").read_text("utf-8")


def test_the_result_can_be_had_as_json(place: Path) -> None:
    done = honeyguide("record", "bees", "--out", "as-json", "--threshold", "0.9", "--json", cwd=place)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["folder"] == "as-json"
    assert told["relevant"] == told["labelled"] + told["judged"] > 0
    assert told["threshold"] == 0.9


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["record", "missing"], "missing is not a crawl"),
        (["record", "without"], "without has no stored answers to record"),
        (["record", "bees", "--out", "full"], "full exists and is not an empty folder; choose another with --out"),
        (["record", "bees", "--out", "none", "--threshold", "2"], "threshold must lie between 0 and 1"),
    ],
)
def test_bad_input_is_told_in_one_sentence_and_writes_nothing(place: Path, words: list[str], told: str) -> None:
    before = sorted(path for path in place.iterdir())
    done = honeyguide(*words, cwd=place)
    assert done.returncode == 2, done
    assert told in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line and not line.startswith(("Usage:", "Try"))]
    assert len(lines) == 1, done.stderr
    assert sorted(path for path in place.iterdir()) == before
    assert [path.name for path in (place / "full").iterdir()] == ["file"]
