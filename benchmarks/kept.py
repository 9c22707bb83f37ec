"""What a crawl keeps of what it met: python benchmarks/kept.py SHARED [--web schools] [--half report] [--pages 300]

Real crawls of an offline web with the default strategy and judge. Of the pages each met, its examples left out, the
truth says which are on topic (for scoring only): precision, recall and F1 of what was kept at the end, and of what was
judged at first sight; the worst topic's recall; how far probabilities are off at the end. Means over topics, those that
settings were chosen on and the others apart (`halves.json`; of a web that is not in it every other topic, the first of
them chosen on). `--web` may be the folder of any web, as `manuals.py` makes one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import numpy as np

from honeyguide.bench.offline import OfflineWeb, RaceTopic, load
from honeyguide.crawling import Crawl, Settings
from honeyguide.page.digest import decode
from honeyguide.store import Folder, Store
from honeyguide.topic import Shown, Topic

BLOCKS = {"schools": "/wp/index/|/images/", "campus": r"^http://(?![^/]*(cornell|utexas)\.edu)"}
NOTHING = "^$"
HALVES = json.loads((Path(__file__).parent / "halves.json").read_text(encoding="utf-8"))


class PageMet(NamedTuple):
    """A page that a crawl met, with what was said of it."""

    url: str
    shown: Shown
    kept: bool
    first: bool  # at first sight
    chance: float
    first_chance: float
    given: bool = False  # whether it is one of the topic's own examples, which the crawl met as a start


def topic_of(topic: RaceTopic, examples: Collection[str], *, far: bool = False) -> Topic:
    """A topic of the race with these examples, begun at all that it has, or at pages off the topic."""
    return Topic(
        name=topic.name,
        keywords=topic.keywords,
        languages=topic.languages,
        examples=tuple(examples),
        starts=topic.far_starts if far else topic.examples,
    )


def half_of(shared: Path, web: str, half: str) -> OfflineWeb:
    """A web of the shared ones, or that of a folder, with half of its topics."""
    if web in BLOCKS:
        return load(shared / "webs" / web, only=HALVES[web][half])
    every = load(Path(web))
    return every._replace(topics=every.topics[half != "choose" :: 2])


def figures(kept: set[str], true: set[str]) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    both = len(kept & true)
    precision, recall = both / max(1, len(kept)), both / max(1, len(true))
    return precision, recall, 2 * precision * recall / (precision + recall) if both else 0.0


def tells(url: str) -> bool:
    """Whether a start may tell what is meant: the front page of a site is a way in."""
    return bool(urlsplit(url).path.strip("/"))


def calibration_error(chances: np.ndarray, truth: np.ndarray) -> float:
    """Expected calibration error over ten bins of equal width."""
    bins = np.minimum((chances * 10).astype(int), 9)
    found = [bins == one for one in range(10)]
    return float(sum(one.mean() * abs(chances[one].mean() - truth[one].mean()) for one in found if one.any()))


def off_by(met: Iterable[PageMet], truth: frozenset[str]) -> float:
    """How far the probabilities of a crawl are off at its end; 0 where it met no page."""
    said = np.array([(page.chance, page.url in truth) for page in unknown(met)]).reshape(-1, 2)
    return calibration_error(said[:, 0], said[:, 1]) if len(said) else 0.0


def crawl(
    web: Path, topic: RaceTopic, pages: int, count: int, *, encoder: bool = False, far: bool = False
) -> list[PageMet]:
    """One crawl from the first so many examples: the pages it met in their order, these left out.

    It begins at all examples, or `far` from the topic. With `encoder` a sentence encoder reads pages, too; links are
    ranked as without it.
    """
    settings = Settings(
        web=str(web),
        pages=pages,
        deny=(BLOCKS.get(web.name, NOTHING),),
        warc=False,
        text=False,
        careful=False,
        encoder=encoder,
    )
    with tempfile.TemporaryDirectory() as place:
        run = Crawl(Folder(Path(place) / "crawl"), topic_of(topic, topic.examples[:count], far=far), settings)
        run.create()
        asyncio.run(run.run())
        store = Store.open(Path(place) / "crawl" / "crawl.db", read_only=True)
        shown = {number: Shown.of(decode(blob)) for number, blob in store.digests()}
        met = [
            PageMet(
                (found := store.url(visit.url)).url,
                shown[visit.id]._replace(start=found.depth == 0 and tells(found.url)),
                visit.on_topic,
                visit.first_on_topic,
                visit.relevance,
                visit.first_relevance,
                found.url in topic.examples,
            )
            for visit in store.visits("page")
        ]
        store.close()
    return met


def unknown(met: Iterable[PageMet]) -> list[PageMet]:
    """The pages that the topic does not name."""
    return [page for page in met if not page.given]


def kept(met: Iterable[PageMet], truth: frozenset[str]) -> dict[str, tuple[float, float, float]]:
    """How right a crawl was, at the end and at first sight."""
    every = unknown(met)
    true = {page.url for page in every} & truth
    return {
        "kept": figures({page.url for page in every if page.kept}, true),
        "first": figures({page.url for page in every if page.first}, true),
    }


def told(name: str, found: Iterable[tuple[float, ...]]) -> str:
    """One line: means, and the worst recall."""
    rows = list(found)
    means = [sum(row[place] for row in rows) / len(rows) for place in range(3)]
    worst = min(row[1] for row in rows)
    return f"  {name:<6} precision {means[0]:.3f}  recall {means[1]:.3f}  F1 {means[2]:.3f}  worst recall {worst:.2f}"


def main() -> None:
    """Crawl for every topic and print the figures."""
    parser = argparse.ArgumentParser(description="What a crawl keeps of what it met.")
    parser.add_argument("shared", type=Path)
    parser.add_argument("--web", default="schools", help="schools, campus, or the folder of a web")
    parser.add_argument("--half", choices=("choose", "report"), default="report")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--examples", type=int, default=5)
    parser.add_argument("--topics", type=int, default=0, help="only so many of them (all)")
    parser.add_argument("--far", action="store_true", help="begin at pages off the topic")
    parser.add_argument("--encoder", action="store_true", help="have a sentence encoder read pages, too")
    given = parser.parse_args()
    web = given.shared / "webs" / given.web if given.web in BLOCKS else Path(given.web)
    offline = half_of(given.shared, given.web, given.half)
    results, off = [], []
    for topic in offline.topics[: given.topics or None]:
        met = crawl(web, topic, given.pages, given.examples, encoder=given.encoder, far=given.far)
        truth = offline.truths[topic.id]
        results.append(kept(met, truth))
        off.append(off_by(met, truth))
    print(f"{given.web}, {given.half}: {len(results)} topics, {given.pages} pages, examples {given.examples}")
    for name in ("kept", "first"):
        print(told(name, (one[name] for one in results)))
    print(f"  at the end, probabilities are off by {sum(off) / len(off):.3f}, topic by topic")


if __name__ == "__main__":
    main()
