"""The gate of what crawls keep: real crawls of topics that nothing was chosen on, with floors that only ever rise."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest
from benchmarks.kept import HALVES, crawl, kept, off_by, unknown

from honeyguide.bench.offline import load

pytestmark = [pytest.mark.gate, pytest.mark.no_cover]

# By examples given: how many topics, F1, recall, the mean recall of the worst third of them, and how far probabilities
# may be off, topic by topic. The recall of the single worst is no measure: changes of an order by rounding alone, which
# move no mean, took it from .47 to .38 and back. Nor is that of a topic of which a crawl meets four pages, as one of
# the twenty is: two of these more or less move the mean of the worst third by .07.
# F1 with five was .63 while pages were read from their top: this web has its subjects there, which no other does, and
# what was read so of news pages was mostly their menus (`tests/page/test_meaning_gate.py`).
# All topics are crawled: of five the mean went from .574 to .542 when the order of links changed, while that of all
# went from .577 to .579.
FLOORS = {
    5: (20, 0.66, 0.78, 0.60, 0.105),  # measured: .680 .810 .631 .095
    1: (20, 0.62, 0.73, 0.51, 0.105),  # .647 .750 .554 .096
    0: (20, 0.59, 0.67, 0.37, 0.105),  # .620 .678 .410 .091
}
FEW = 8  # pages on topic that a crawl met, below which the recall of a topic is luck


@pytest.mark.parametrize("examples", sorted(FLOORS))
def test_what_crawls_keep_stays_above_its_floor(shared: Path, examples: int) -> None:
    size, f1, recall, worst, most_off = FLOORS[examples]
    every = HALVES["schools"]["report"]
    web = shared / "webs" / "schools"
    offline = load(web, only=every[:: len(every) // size])
    crawls = [(crawl(web, topic, 300, examples), offline.truths[topic.id]) for topic in offline.topics]
    found = [kept(met, truth)["kept"] for met, truth in crawls]
    assert len(found) == size
    assert fmean(one[2] for one in found) >= f1
    assert fmean(one[1] for one in found) >= recall
    met_on_topic = (sum(page.url in truth for page in unknown(met)) for met, truth in crawls)
    telling = [one[1] for one, size_of in zip(found, met_on_topic, strict=True) if size_of >= FEW]
    assert fmean(sorted(telling)[: round(size / 3)]) >= worst
    assert fmean(off_by(met, truth) for met, truth in crawls) <= most_off
