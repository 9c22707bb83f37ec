"""A real web from an archive, by the command a user would type."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from honeyguide.topic import Topic


def test_a_topic_of_the_schools_web_is_crawled_through_the_same_engine(shared: Path, tmp_path: Path) -> None:
    web = shared / "webs" / "schools"
    with (web / "topics.jsonl").open(encoding="utf-8") as file:
        told = next(topic for line in file if (topic := json.loads(line))["id"] == "art")
    topic = Topic(name=told["name"], keywords=told["keywords"], examples=tuple(told["examples"]))
    (tmp_path / "art.toml").write_text(topic.to_toml(), encoding="utf-8")
    harvest = {}
    for strategy in ("cosine", "breadth-first"):
        command = ["crawl", "art.toml", "--web", str(web), "--pages", "76", "--deny", "/wp/index/|/images/"]
        command += ["--strategy", strategy, "--out", strategy, "--no-records", "--no-report", "--json"]
        done = subprocess.run(
            [sys.executable, "-m", "honeyguide", *command], cwd=tmp_path, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stderr
        summary = json.loads(done.stdout)
        assert summary["pages"] == 76
        assert summary["hosts"] == 1
        harvest[strategy] = summary["on_topic"]
    assert harvest["cosine"] > harvest["breadth-first"] > 0
