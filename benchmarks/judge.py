"""How well does the judge know a topic?  python benchmarks/judge.py SHARED [--web schools] [--half report] [--part …]

Real crawls of 300 pages are made with the default strategy, and the pages they met are judged again by a judge that
learns what it would have learnt in the crawl (the examples, and the pages met when it last learnt). Truth is for
scoring only. Means over topics, those that settings were chosen on and the others apart (`halves.json`).

- final: precision, recall, F1, average precision, calibration error and the worst topic's recall, with 5, 3, 1 and no
  examples, over up to five draws of them; `--far` begins crawls at pages off the topic, `--broad` goes for unions of
  topics, of which much of what is met is on topic, and `--wordy` adds five keywords to each topic (`wordy.py`)
  calibration is the mean of the topics' errors; that of all their pages together is told as well, and what the mean
  would be if every chance were right
- first: the same of what the crawl itself said when it met each page
- labels: F1 on the pages that nobody labelled, after 10, 20 and 30 labels in the order in which they are offered, and
  that of the judge without labels on the same pages
- stuffing: of 40 pages off the topic, how many get in with 60 of its most telling words appended, sprinkled over them
  or put in front, and in other ways (`stuffing.py`); and how many pages on topic are taken for stuffed ones
- cost: what judging a page takes, and learning the topic anew from 216 pages and some labels
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
from broad import broad
from fastwarc.warc import ArchiveIterator, WarcRecordType
from kept import BLOCKS, NOTHING, PageMet, calibration_error, crawl, half_of, tells, topic_of, unknown
from stuffing import WAYS, Stuffer
from wordy import wordy

from honeyguide.bench.offline import OfflineWeb, RaceTopic, load
from honeyguide.page import Parser
from honeyguide.topic import Judge, Shown
from honeyguide.topic.asking import worth_asking
from honeyguide.web.urls import normalise

MOST = 512  # pages met that a judge learns from
LABELS = (10, 20, 30)
RELEARNT, PAGES = (0, 10, 30), 216  # labels and pages that learning is timed with


def average_precision(chances: np.ndarray, truth: np.ndarray) -> float:
    """The mean precision at each true page, likeliest first."""
    ordered = truth[np.argsort(-chances, kind="stable")]
    return float((np.cumsum(ordered) / np.arange(1, len(ordered) + 1))[ordered].mean())


def by_chance(chances: np.ndarray, times: int = 20) -> float:
    """The calibration error of a judge whose chances are all right: with few pages in a bin, luck alone makes one."""
    dice = np.random.default_rng(1)
    return statistics.fmean(calibration_error(chances, dice.random(len(chances)) < chances) for _ in range(times))


def figures(chances: np.ndarray, on: np.ndarray, truth: np.ndarray) -> tuple[float, ...]:
    """Precision, recall, F1, average precision and calibration error."""
    both = int((on & truth).sum())
    precision, recall = both / max(1, int(on.sum())), both / int(truth.sum())
    f1 = 2 * both / int(on.sum() + truth.sum())
    return precision, recall, f1, average_precision(chances, truth), calibration_error(chances, truth)


def draws(topic: RaceTopic, count: int, most: int) -> Iterator[tuple[str, ...]]:
    """So many of a topic's examples, in several ways."""
    five = topic.examples
    for first in range(1 if count in (0, len(five)) else min(most, len(five))):
        yield tuple((five * 2)[first : first + count])


def learnt(
    topic: RaceTopic, examples: Sequence[str], pages: dict[str, Shown], met: Sequence[PageMet], *, far: bool = False
) -> Judge:
    """A judge as it is at the end of a crawl, had it been given these examples."""
    rest = unknown(met)
    judge = Judge(topic_of(topic, examples))
    # The crawl began at all of the topic's examples: those it was not given it met as its starts, if it came to them.
    known = {page.url for page in met if page.given}.union(topic.examples[: len(examples)]).difference(examples)
    starts = [pages[url]._replace(start=tells(url)) for url in topic.examples if url in known and url in pages]
    background = [*(starts if not far else ()), *(page.shown for page in rest[:MOST])]
    judge.learn([pages[url] for url in examples if url in pages], background)
    return judge


def final(offline: OfflineWeb, web: Path, count: int, how: argparse.Namespace) -> None:
    """What the judge says at the end, and what it said at first sight."""
    rows: dict[str, list[tuple[float, ...]]] = {"final": [], "first": []}
    said: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {"final": [], "first": []}
    for topic in offline.topics:
        crawled = crawl(web, topic, how.pages, count, encoder=how.encoder, far=how.far)
        met = unknown(crawled)
        truth = np.array([page.url in offline.truths[topic.id] for page in met])
        if not truth.any():
            continue
        first = np.array([page.first_chance for page in met])
        rows["first"].append(figures(first, np.array([page.first for page in met]), truth))
        said["first"].append((first, truth))
        for examples in draws(topic, count, how.draws):
            judge = learnt(topic, examples, how.examples, crawled, far=how.far)
            chances = np.array([judge(page.shown).probability for page in met])
            rows["final"].append(figures(chances, chances >= judge.threshold, truth))
            said["final"].append((chances, truth))
    for name, found in rows.items():
        if not found:
            continue
        means = [statistics.fmean(column) for column in zip(*found, strict=True)]
        line = "  ".join(
            f"{what} {mean:.3f}"
            for what, mean in zip(("precision", "recall", "F1", "AP", "calibration"), means, strict=True)
        )
        print(f"  {count} examples, {name:5}  {line}  worst recall {min(row[1] for row in found):.2f}", flush=True)
        together = calibration_error(*(np.concatenate(column) for column in zip(*said[name], strict=True)))
        luck = statistics.fmean(by_chance(chances) for chances, _ in said[name])
        print(
            f"    calibration of all pages together {together:.3f}; by topic, luck alone makes {luck:.3f}", flush=True
        )


def labels(offline: OfflineWeb, web: Path, how: argparse.Namespace) -> None:
    """What labels bring, five at a time, in the order in which they are offered."""
    brought: dict[int, list[tuple[float, float]]] = {size: [] for size in LABELS}
    for topic in offline.topics:
        met = unknown(crawl(web, topic, how.pages, 5, encoder=how.encoder))
        for size, both in labelled(topic, met, offline.truths[topic.id], how.examples).items():
            brought[size].append(both)
    for size, found in brought.items():
        after, without = (statistics.fmean(column) for column in zip(*found, strict=True))
        print(f"  {size} labels: F1 {after:.3f}, without them {without:.3f} on the same pages", flush=True)


def labelled(
    topic: RaceTopic, met: Sequence[PageMet], on_topic: Collection[str], pages: dict[str, Shown]
) -> dict[int, tuple[float, float]]:
    """By how many labels were given: F1 on the pages that have none, and what it is on these without any label."""
    shown, truth = [page.shown for page in met], np.array([page.url in on_topic for page in met])
    examples = [pages[url] for url in topic.examples if url in pages]
    before = judge = learnt(topic, topic.examples, pages, met)
    said: list[int] = []
    found: dict[int, tuple[float, float]] = {}
    for size in range(5, LABELS[-1] + 1, 5):
        rest = [place for place in range(len(met)) if place not in said]
        chances = [judge(shown[place]).probability for place in rest]
        about, known = ([shown[place].meaning for place in places] for places in (rest, said))
        said += [rest[one] for one in worth_asking(chances, about, 5, known)]
        judge = Judge(before.topic)
        judge.learn(examples, shown[:MOST], [(shown[place], bool(truth[place])) for place in said])
        rest = [place for place in rest if place not in said]
        if size in LABELS and truth[rest].any():
            after, without = (
                figures(chances, chances >= one.threshold, truth[rest])[2]
                for one in (judge, before)
                for chances in [np.array([one(shown[place]).probability for place in rest])]
            )
            found[size] = after, without
    return found


def cost(offline: OfflineWeb, web: Path, how: argparse.Namespace) -> None:
    """What judging a page costs, and learning the topic anew, without labels and with some: CPU time of this thread."""
    spent: dict[str, list[float]] = {}
    for topic in offline.topics:
        met = unknown(crawl(web, topic, how.pages, 5, encoder=how.encoder))
        examples = [how.examples[url] for url in topic.examples if url in how.examples]
        shown = [page.shown for page in met]
        judge = Judge(topic_of(topic, topic.examples))
        for many in (*RELEARNT, *RELEARNT):  # the first round warms up
            said = [(page.shown, page.url in offline.truths[topic.id]) for page in met[:many]]
            begun = time.thread_time()
            judge.learn(examples, shown[:PAGES], said)
            spent.setdefault(f"learning from {PAGES} pages and {many} labels", []).append(time.thread_time() - begun)
        begun = time.thread_time()
        for page in shown:
            judge(page)
        spent.setdefault("judging a page", []).append((time.thread_time() - begun) / max(1, len(shown)))
    for what, seconds in spent.items():
        print(f"  {what}: {1000 * statistics.median(seconds):.2f} ms")


def stuffing(offline: OfflineWeb, web: Path, how: argparse.Namespace) -> None:
    """Which stuffed pages get in."""
    got_in: dict[str, list[bool]] = {way: [] for way in WAYS}
    honest: list[bool] = []
    for topic in offline.topics:
        met = unknown(crawl(web, topic, how.pages, 5, encoder=how.encoder))
        judge = learnt(topic, topic.examples, how.examples, met)
        honest += ["stuffed" in judge(page.shown).note for page in met if page.url in offline.truths[topic.id]]
        for way, found in stuffed_ones(judge, topic, met, offline.truths[topic.id], how.bodies, how.encoder).items():
            got_in[way] += found
    print("  stuffed pages that get in:")
    for way, found in got_in.items():
        print(f"    {way:30} {statistics.fmean(found):.3f}")
    print(f"  pages on topic taken for stuffed: {statistics.fmean(honest):.3f}")


def stuffed_ones(
    judge: Judge,
    topic: RaceTopic,
    met: Sequence[PageMet],
    truth: Collection[str],
    bodies: dict[str, bytes],
    encoder: bool = False,
    ways: Collection[str] = tuple(WAYS),
) -> dict[str, list[bool]]:
    """Whether each of some pages surely off the topic gets in, by the way it was stuffed in."""
    sure = [
        page
        for page in met
        if page.url not in truth and judge(page.shown).probability < 0.5 * judge.threshold and page.url in bodies
    ]
    stuffer, parser = Stuffer(topic, bodies, [page.url for page in met]), Parser(structure=False, encode=encoder)
    found: dict[str, list[bool]] = {way: [] for way in ways}
    for page in stuffer.draw.sample(sure, min(40, len(sure))):
        for way in ways:
            stuffed = parser.html(stuffer.stuff(bodies[page.url], way), page.url)
            found[way].append(judge(Shown.of(stuffed)).on_topic)
    return found


def read(
    archive: Path, wanted: set[str], most: int, *, encoder: bool = False, block: str = "^$"
) -> tuple[dict[str, Shown], dict[str, bytes]]:
    """The example pages as the judge is shown them, and the bytes of pages no larger than this."""
    pages, bodies = {}, {}
    parser = Parser(structure=False, encode=encoder)
    with archive.open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
            url = normalise(record.headers["WARC-Target-URI"]) or ""
            body = record.reader.read()
            if url in wanted:
                page = parser.html(body, url)
                page.links = [link for link in page.links if not re.search(block, link.url)]  # as a crawl is shown them
                pages[url] = Shown.of(page)
            if len(body) <= most:
                bodies[url] = body
    return pages, bodies


def main() -> None:
    """Crawl, judge again, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--web", default="schools", help="schools, campus, or the folder of a web")
    parser.add_argument("--half", choices=("choose", "report"), default="report")
    parser.add_argument("--part", choices=("final", "labels", "stuffing", "cost"), default="final")
    parser.add_argument("--count", type=int, nargs="*", default=[5, 3, 1, 0], help="examples given")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--topics", type=int, default=0, help="only so many of them (all)")
    parser.add_argument("--far", action="store_true", help="crawls begin at pages off the topic")
    parser.add_argument("--broad", action="store_true", help="unions of topics instead, on the schools web")
    parser.add_argument("--wordy", action="store_true", help="five keywords more for each topic")
    parser.add_argument("--encoder", action="store_true", help="have a sentence encoder read pages, too")
    how = parser.parse_args()
    web = how.shared / "webs" / how.web if how.web in BLOCKS else Path(how.web)
    if how.broad:
        offline = broad(load(web), how.half)
        offline = offline._replace(topics=offline.topics[: how.topics or None])
    else:
        offline = half_of(how.shared, how.web, how.half)
        offline = offline._replace(topics=offline.topics[: how.topics or None])
    wanted = {url for topic in offline.topics for url in topic.examples}
    how.examples, how.bodies = read(
        offline.archive,
        wanted,
        1 << 20 if how.part == "stuffing" else 0,
        encoder=how.encoder,
        block=BLOCKS.get(how.web, NOTHING),
    )
    if how.wordy:
        offline = wordy(offline, how.examples.values())
    print(f"{how.web}, {how.half}: {len(offline.topics)} topics, crawls of {how.pages} pages")
    if how.part == "labels":
        labels(offline, web, how)
    elif how.part == "stuffing":
        stuffing(offline, web, how)
    elif how.part == "cost":
        cost(offline, web, how)
    else:
        for count in how.count:
            final(offline, web, count, how)


if __name__ == "__main__":
    main()
