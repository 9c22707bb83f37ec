"""The gate of labels: what they bring on other pages, of topics that nothing was chosen on; floors only ever rise."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest
from benchmarks import kept
from benchmarks.kept import BLOCKS, HALVES, crawl, unknown

from honeyguide.bench.offline import load

pytestmark = [pytest.mark.gate, pytest.mark.no_cover]

LEAST = {10: (0.05, 0.75), 20: (0.065, 0.775), 30: (0.085, 0.805)}  # F1 gained, and reached


def test_labels_bring_what_they_did(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(kept.__file__).parent)  # a script finds its neighbours there
    from judge import labelled, read

    web = shared / "webs" / "schools"
    offline = load(web, only=HALVES["schools"]["report"])
    wanted = {url for topic in offline.topics for url in topic.examples}
    examples, _ = read(offline.archive, wanted, 0, block=BLOCKS["schools"])
    every = [
        labelled(topic, unknown(crawl(web, topic, 300, 5)), offline.truths[topic.id], examples)
        for topic in offline.topics
    ]
    for size, (gained, reached) in LEAST.items():
        found = [one[size] for one in every if size in one]
        assert len(found) >= 19
        assert fmean(after - before for after, before in found) >= gained
        assert fmean(after for after, _ in found) >= reached
