"""The gate of what crawls keep: real crawls of topics that nothing was chosen on, with floors that only ever rise."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest
from benchmarks.kept import HALVES, crawl, kept

from honeyguide.bench.offline import load

pytestmark = [pytest.mark.long, pytest.mark.no_cover]

# By examples given: how many topics, F1, recall, and the recall of the worst topic.
FLOORS = {
    5: (10, 0.63, 0.68, 0.40),  # measured: .646 .700 .444
    1: (5, 0.48, 0.50, 0.35),  # .504 .538 .410
    0: (5, 0.32, 0.42, 0.10),  # .344 .464 .148
}


@pytest.mark.parametrize("examples", sorted(FLOORS))
def test_what_crawls_keep_stays_above_its_floor(shared: Path, examples: int) -> None:
    size, f1, recall, worst = FLOORS[examples]
    every = HALVES["schools"]["report"]
    web = shared / "webs" / "schools"
    offline = load(web, only=every[:: len(every) // size])
    found = [kept(crawl(web, topic, 300, examples), offline.truths[topic.id])["kept"] for topic in offline.topics]
    assert len(found) == size
    assert fmean(one[2] for one in found) >= f1
    assert fmean(one[1] for one in found) >= recall
    assert min(one[1] for one in found) >= worst
