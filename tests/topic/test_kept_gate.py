"""The gate of what crawls keep: real crawls of topics that nothing was chosen on, with floors that only ever rise."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.kept import HALVES, crawl, kept

from honeyguide.bench.offline import load

pytestmark = [pytest.mark.long, pytest.mark.no_cover]

TOPICS = HALVES["schools"]["report"][:4]
FLOORS = {"precision": 0.50, "recall": 0.65, "f1": 0.52}  # measured: .518 .670 .542
WORST = 0.38  # the recall of the worst topic; measured: .41


def test_what_crawls_keep_stays_above_its_floor(shared: Path) -> None:
    web = shared / "webs" / "schools"
    offline = load(web, only=TOPICS)
    found = [kept(crawl(web, topic, 300, 5), offline.truths[topic.id])["kept"] for topic in offline.topics]
    means = dict(zip(FLOORS, (sum(column) / len(found) for column in zip(*found, strict=True)), strict=True))
    assert {name: mean for name, mean in means.items() if mean < FLOORS[name]} == {}
    assert min(recall for _, recall, _ in found) >= WORST
