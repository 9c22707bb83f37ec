"""The gate of stuffed pages: short ones, of topics that nothing was chosen on, and how many of them get in."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest
from benchmarks import kept
from benchmarks.kept import BLOCKS, HALVES, crawl, unknown

from honeyguide.bench.offline import load

pytestmark = [pytest.mark.gate, pytest.mark.no_cover]

MOST = {"appended": 0.05, "sprinkled": 0.12, "in front": 0.05}  # measured: .000 .082 .000
LOST = 0.01  # of the pages on topic, taken for stuffed ones; measured: .000


def test_of_short_pages_that_were_stuffed_few_get_in(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(kept.__file__).parent)  # a script finds its neighbours there
    from judge import learnt, read, stuffed_ones

    web = shared / "webs" / "campus"
    offline = load(web, only=HALVES["campus"]["report"])
    wanted = {url for topic in offline.topics for url in topic.examples}
    examples, bodies = read(offline.archive, wanted, 1 << 20, block=BLOCKS["campus"])
    got_in: dict[str, list[bool]] = {way: [] for way in MOST}
    honest: list[bool] = []
    for topic in offline.topics:
        met, truth = unknown(crawl(web, topic, 300, 5)), offline.truths[topic.id]
        judge = learnt(topic, topic.examples, examples, met)
        for way, found in stuffed_ones(judge, topic, met, truth, bodies, ways=MOST).items():
            got_in[way] += found
        honest += ["stuffed" in judge(page.shown).note for page in met if page.url in truth]
    assert {way: fmean(found) for way, found in got_in.items() if fmean(found) > MOST[way]} == {}
    assert fmean(honest) <= LOST
