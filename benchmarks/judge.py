"""How well does the judge know a topic?  `python benchmarks/judge.py [--json] [--quick] [--examples N] …`

The schools web of the `shared` folder: 40 topics, five example pages each, truth from a human-made category tree
(used for scoring only). The judge learns from the examples, the keywords and a background of 0 to 1,024 pages, which
is one of three:

- random: any pages of the web
- walked: the first pages of a breadth-first walk from the examples, as a crawl meets them
- half: the walk again, but every other page is on topic while there are any: a very good crawl

and is then asked about every other article of the web (`rest`), and about the pages that come next in the walk
(`next`, as many again as it has learnt from, at least 64), which is what a crawl asks. Figures are means over topics.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from fastwarc.warc import ArchiveIterator, WarcRecordType

from honeyguide.page import Parser
from honeyguide.topic import Judge, Topic

SCHOOLS = Path(__file__).resolve().parents[2] / "shared" / "webs" / "schools"
SIZES = (0, 8, 32, 128, 1024)
KINDS = ("random", "walked", "half")
FIGURES = ("roc", "brier", "ece", "precision", "recall", "f1", "truth")


class Page(msgspec.Struct, array_like=True):
    """What the judge is shown of a page, and where it leads."""

    url: str
    terms: dict[str, int]
    links: list[str]


def read_web(fresh: bool) -> dict[str, Page]:
    """Every article of the web, parsed once and kept in a temporary file."""
    archive = SCHOOLS / "pages.warc.gz"
    kept = Path(tempfile.gettempdir()) / f"honeyguide-judge-{archive.stat().st_size}.msgpack"
    if kept.exists() and not fresh:
        pages = msgspec.msgpack.decode(kept.read_bytes(), type=list[Page])
    else:
        parser = Parser()
        with archive.open("rb") as stream:
            pages = []
            for record in ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True):
                url = record.headers["WARC-Target-URI"]
                digest = parser.html(record.reader.read(), url)
                pages.append(Page(url, digest.terms, list(dict.fromkeys(link.url for link in digest.links))))
        kept.write_bytes(msgspec.msgpack.encode(pages))
    return {page.url: page for page in pages if "/wp/index/" not in page.url}


def walk(web: dict[str, Page], starts: list[str]) -> list[str]:
    """The pages of the web in breadth-first order, without the starts."""
    seen = set(starts)
    waiting = deque(starts)
    order = []
    while waiting:
        url = waiting.popleft()
        order.append(url)
        for link in web[url].links:
            if link in web and link not in seen:
                seen.add(link)
                waiting.append(link)
    return order[len(starts) :]


def in_order(web: dict[str, Page], topic: dict[str, Any], kind: str, seed: int) -> list[str]:
    """The pages of the web in the order in which a background of this kind meets them."""
    examples = set(topic["examples"])
    if kind == "random":
        others = sorted(web.keys() - examples)
        return [others[place] for place in np.random.default_rng(seed).permutation(len(others))]
    order = walk(web, topic["examples"])
    if kind == "walked":
        return order
    right = set(topic["relevant"])
    on, off = [url for url in order if url in right], [url for url in order if url not in right]
    mixed = [url for pair in zip(on, off, strict=False) for url in pair]
    return mixed + off[len(on) :]


def roc(scores: np.ndarray, truth: np.ndarray) -> float:
    """The chance that a page on topic scores above one off it; ties count half."""
    _, place, times = np.unique(scores, return_inverse=True, return_counts=True)
    rank = (np.cumsum(times) - (times - 1) / 2)[place]
    on = int(truth.sum())
    return float((rank[truth].sum() - on * (on + 1) / 2) / (on * (len(truth) - on)))


def calibration_error(said: np.ndarray, truth: np.ndarray) -> float:
    """Expected calibration error over ten bins of equal width."""
    bins = np.minimum((said * 10).astype(int), 9)
    found = [bins == one for one in range(10)]
    return float(sum(one.mean() * abs(said[one].mean() - truth[one].mean()) for one in found if one.any()))


def figures(judge: Judge, web: dict[str, Page], asked: list[str], right: set[str]) -> dict[str, float] | None:
    """How a judge does on pages it has not learnt from; nothing when none or all of them are on topic."""
    truth = np.array([url in right for url in asked])
    if truth.all() or not truth.any():
        return None
    said = np.array([judge(web[url].terms).probability for url in asked])
    on = said >= judge.threshold
    caught = int((on & truth).sum())
    return {
        "roc": roc(said, truth),
        "brier": float(((said - truth) ** 2).mean()),
        "ece": calibration_error(said, truth),
        "precision": caught / int(on.sum()) if on.any() else 1.0,
        "recall": caught / int(truth.sum()),
        "f1": 2 * caught / int(on.sum() + truth.sum()),
        "truth": float(truth.mean()),
    }


def measure(web: dict[str, Page], topics: list[dict[str, Any]], kind: str, size: int, how: Any) -> Iterator[dict]:
    """One row of figures for the rest of the web and one for the pages that come next."""
    rows: dict[str, list[dict[str, float]]] = {"rest": [], "next": []}
    seconds = []
    for told in topics:
        words = {} if how.no_keywords else told["keywords"]
        topic = Topic(name=told["name"], keywords=words, examples=tuple(told["examples"][: how.examples]))
        order = in_order(web, told, kind, how.seed)
        judge = Judge(topic)
        start = time.process_time()
        judge.learn([web[url].terms for url in topic.examples], [web[url].terms for url in order[:size]])
        seconds.append(time.process_time() - start)
        met = {*told["examples"], *order[:size]}
        right = set(told["relevant"]) & web.keys()
        asked = {"rest": [url for url in web if url not in met], "next": order[size : size + max(size, 64)]}
        for where, urls in asked.items():
            if found := figures(judge, web, urls, right):
                rows[where].append(found)
    for where, found in rows.items():
        if not found:
            continue  # the walk has no page on the topic left
        means = {name: statistics.fmean(row[name] for row in found) for name in FIGURES}
        yield {"background": kind, "pages": size, "asked": where, "topics": len(found), **means,
               "learn_seconds": statistics.fmean(seconds)}  # fmt: skip


def cost_of_a_call(web: dict[str, Page], topic: dict[str, Any]) -> float:
    """Microseconds to judge a page of 350 to 450 different terms."""
    judge = Judge(Topic(name=topic["name"], keywords=topic["keywords"]))
    background = [page.terms for page in list(web.values())[:1024]]
    judge.learn([web[url].terms for url in topic["examples"]], background)
    pages = [page.terms for page in web.values() if 350 <= len(page.terms) <= 450]
    best = min(_timed(judge, pages) for _ in range(5))
    return 1e6 * best / len(pages)


def _timed(judge: Judge, pages: list[dict[str, int]]) -> float:
    start = time.process_time()
    for terms in pages:
        judge(terms)
    return time.process_time() - start


def main() -> None:
    """Measure and print."""
    ask = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    ask.add_argument("--json", action="store_true", help="print JSON")
    ask.add_argument("--quick", action="store_true", help="every fourth topic")
    ask.add_argument("--fresh", action="store_true", help="parse the web again")
    ask.add_argument("--examples", type=int, default=5, help="how many of the five examples are given")
    ask.add_argument("--no-keywords", action="store_true", help="examples alone")
    ask.add_argument("--seed", type=int, default=0)
    how = ask.parse_args()
    if not SCHOOLS.is_dir():
        sys.exit(f"needs {SCHOOLS}")
    web = read_web(how.fresh)
    topics = [json.loads(line) for line in (SCHOOLS / "topics.jsonl").read_text().splitlines()]
    topics = topics[::4] if how.quick else topics
    rows = []
    if not how.json:
        print(f"{'background':10} {'pages':>5} {'asked':5} " + " ".join(f"{name:>9}" for name in FIGURES), "learn s")
    for kind in KINDS:
        for size in SIZES:
            if size == 0 and kind != "walked":
                continue  # with no background there is nothing to choose
            for row in measure(web, topics, kind, size, how):
                rows.append(row)
                if not how.json:
                    shown = " ".join(f"{row[name]:9.4f}" for name in FIGURES)
                    print(f"{kind:10} {size:5} {row['asked']:5} {shown} {row['learn_seconds']:.3f}", flush=True)
    cost = cost_of_a_call(web, topics[0])
    if how.json:
        print(json.dumps({"rows": rows, "microseconds_per_call": cost}, indent=1))
    else:
        print(f"judging a page of about 400 terms: {cost:.0f} microseconds")


if __name__ == "__main__":
    main()
