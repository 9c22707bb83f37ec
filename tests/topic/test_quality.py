"""The judge's floor on real pages: it may rise, it may not fall. `benchmarks/judge.py` has more."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from honeyguide.page import Parser
from honeyguide.topic import Judge, Shown, Topic

TOPICS = ("mathematics", "science/biology/birds", "design_and_technology/railway_transport", "people/usa_presidents")
BACKGROUND, ASKED = 128, 400


@pytest.fixture(scope="module")
def web(shared: Path) -> tuple[dict[str, Shown], list[dict[str, object]], list[str]]:
    """The pages needed, the topics, and the urls of a random sample of the web."""
    folder = shared / "webs" / "schools"
    every = [json.loads(line) for line in (folder / "topics.jsonl").read_text(encoding="utf-8").splitlines()]
    topics = [topic for topic in every if topic["id"] in TOPICS]
    wanted = {url for topic in topics for url in (*topic["examples"], *topic["relevant"])}
    pages: dict[str, Shown] = {}
    sample: list[str] = []
    draw = random.Random(5)
    parser = Parser()
    with (folder / "pages.warc.gz").open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
            url = record.headers["WARC-Target-URI"]
            picked = "/wp/index/" not in url and draw.random() < (BACKGROUND + ASKED) / 5_000
            if picked:
                sample.append(url)
            if picked or url in wanted:
                page = parser.html(record.reader.read(), url)
                # The lists of subjects are what the truth was made from: no crawl of these topics is shown them.
                page.links = [link for link in page.links if "/wp/index/" not in link.url]
                pages[url] = Shown.of(page)
    draw.shuffle(sample)
    return pages, topics, sample


def test_five_examples_and_a_background_of_real_pages_make_a_good_judge(web) -> None:  # type: ignore[no-untyped-def]
    pages, topics, sample = web
    ranked, brier, found = [], [], []
    for told in topics:
        relevant = set(told["relevant"])
        judge = Judge(Topic(name=told["name"], keywords=told["keywords"], examples=tuple(told["examples"])))
        background = [url for url in sample[:BACKGROUND] if url not in told["examples"]]
        judge.learn([pages[url] for url in told["examples"]], [pages[url] for url in background])
        met = {*told["examples"], *background}
        on = [judge(pages[url]).probability for url in told["relevant"] if url not in met and url in pages]
        off = [judge(pages[url]).probability for url in sample[BACKGROUND:] if url not in met | relevant]
        ranked.append(sum((one > other) + 0.5 * (one == other) for one in on for other in off) / len(on) / len(off))
        brier.append(sum(one**2 for one in off) / len(off))
        found.append(sum(one >= judge.threshold for one in on) / len(on))
    assert min(ranked) > 0.95
    assert sum(ranked) / len(ranked) > 0.98
    assert max(brier) < 0.05
    assert sum(found) / len(found) > 0.6
