"""What a relevant page costs: python benchmarks/found.py SHARED [--web schools] [--topics 8] [--draws 6]

Whole crawls of an offline web, as the command makes them: pages are parsed, judged, ranked, archived and kept as
records. Each strategy gets a process of its own, 2 fetches for each relevant page of the topic, and starts from the
examples. The cost is user and system time of the whole process, less that of a crawl that ends with the examples:
start-up, above all reading the list of the archive, falls out. What was found are the relevant pages it fetched, by the
truth of the web, the examples not counted, for those were given. Strategies take turns, and who begins changes with
every crawl; of several rounds the least counts, of both crawls, for what else a machine does can only add to it.

What one topic brings with one set of examples is luck, so each is crawled for again with other examples (`draws.py`):
six times on the heavy web, which has but one topic. The truth of that web is a word count, and pages that the crawl's
own judge takes in cost the most: they are read whole, dated and kept. So what a page costs that was judged on topic is
told as well.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from contenders import Job, honeyguide
from cost import fetched, spend
from draws import draw_examples
from guide import BLOCKS, HALVES

WEBS = ("schools", "heavy")
STRATEGIES = ("hopfield", "guide")
BUDGET = 2  # fetches for each relevant page
DRAWS = {"heavy": 6}  # crawls more for each topic, with other examples; elsewhere none


class Spent(NamedTuple):
    """What a crawl took up to the end of its examples, and in all; and what it brought after them."""

    begun: float
    whole: float
    pages: int
    found: int
    judged: int = 0

    @property
    def cpu(self) -> float:
        """What it took after the examples."""
        return self.whole - self.begun


def topics_of(web: Path, half: str, most: int) -> list[dict[str, Any]]:
    """So many topics of a web, evenly spread over a half of them where it has halves."""
    told = [json.loads(line) for line in (web / "topics.jsonl").read_text(encoding="utf-8").splitlines()]
    if web.name in HALVES and half != "all":
        told = [topic for topic in told if topic["id"] in HALVES[web.name][half]]
    return told[:: max(1, -(-len(told) // most))]


def drawn(topic: dict[str, Any], draws: int) -> list[dict[str, Any]]:
    """The topic as it is, and so many times with other examples.

    >>> [len(set(one["examples"])) for one in drawn({"id": "x", "examples": ["a", "b"], "relevant": [*"abcd"]}, 2)]
    [2, 2, 2]
    """
    truth, count = sorted(topic["relevant"]), len(topic["examples"])
    others = (draw_examples(topic["id"], truth, count, draw)[0] for draw in range(1, draws + 1))
    return [topic, *({**topic, "examples": examples} for examples in others)]


def judged(folder: Path) -> set[str]:
    """The pages that a crawl's own judge took to be on topic."""
    with closing(sqlite3.connect(folder / "crawl.db")) as database:
        query = "SELECT urls.url FROM visits JOIN urls ON urls.id = visits.url WHERE visits.on_topic"
        return {url for (url,) in database.execute(query)}


def spent(web: Path, topic: dict[str, Any], strategy: str, pages: int) -> tuple[float, set[str], set[str]]:
    """What a crawl of so many fetches takes, in a process of its own, the pages it fetched, and those on topic."""
    with tempfile.TemporaryDirectory() as scratch:
        job = Job(topic["examples"], 0, topic["name"], topic["keywords"], topic["examples"], Path(scratch))
        job.write()
        name, *settings = strategy.split(":")
        command = honeyguide(
            "crawl", job.topic_file, "--out", job.out, "--web", str(web), "--quiet", "--strategy", name
        )
        command += ["--pages", str(pages)]
        for setting in settings:
            command += ["--set", setting]
        if block := BLOCKS.get(web.name):
            command += ["--deny", block]
        cpu, _, trouble = spend(command, 3_600, Path(scratch) / "stderr")
        if trouble:
            raise SystemExit(f"{strategy}, {topic['id']}: {trouble}")
        return cpu, fetched(Path(job.out)), judged(Path(job.out))


def crawl(web: Path, topic: dict[str, Any], strategy: str) -> Spent:
    """Crawl for a topic, and count what came after the examples."""
    examples = set(topic["examples"])
    begun, given, _ = spent(web, topic, strategy, len(examples))
    cpu, urls, on_topic = spent(web, topic, strategy, BUDGET * len(topic["relevant"]))
    found = urls & set(topic["relevant"]) - examples
    return Spent(begun, cpu, len(urls - given), len(found), len(on_topic - examples))


def least(rounds: Sequence[Spent]) -> Spent:
    """One crawl of several that were alike.

    >>> least([Spent(1.0, 3.0, 9, 4), Spent(1.5, 2.5, 9, 4)])
    Spent(begun=1.0, whole=2.5, pages=9, found=4, judged=0)
    """
    return rounds[0]._replace(begun=min(one.begun for one in rounds), whole=min(one.whole for one in rounds))


def line(strategy: str, own: Sequence[Spent], first: Sequence[Spent]) -> str:
    """The figures of a strategy, beside those of the first one.

    >>> own, first = Spent(1.0, 3.0, 100, 20, 40), Spent(1.0, 3.0, 80, 10, 20)
    >>> print(line("b", [own, Spent(1.0, 2.0, 100, 10, 20)], [first, Spent(1.0, 2.0, 80, 10, 10)]))
    b                     100.0 ms a relevant page (0.67 of the first; median 0.75), 30 found; 15.0 ms a page;
                           50.0 ms a page judged on topic (0.50 of the first), 60 found
    """

    def cost(runs: Sequence[Spent], of: str = "found") -> float:
        return 1_000 * sum(run.cpu for run in runs) / max(1, sum(getattr(run, of) for run in runs))

    shares = median(cost([mine]) / cost([other]) for mine, other in zip(own, first, strict=True))
    told = f"{strategy:<20} {cost(own):6.1f} ms a relevant page ({cost(own) / cost(first):.2f} of the first; median "
    whole = 1_000 * sum(run.cpu for run in own) / max(1, sum(run.pages for run in own))
    mine, other = cost(own, "judged"), cost(first, "judged")
    told += (
        f"{shares:.2f}), {sum(run.found for run in own)} found; {whole:.1f} ms a page;\n{'':<20} {mine:6.1f} ms a page "
    )
    return f"{told}judged on topic ({mine / other:.2f} of the first), {sum(run.judged for run in own)} found"


def compare(web: Path, strategies: Sequence[str], topics: Sequence[dict[str, Any]], rounds: int) -> None:
    """Crawl for each topic with each strategy, in turns, and print the figures."""
    runs: dict[str, list[Spent]] = {strategy: [] for strategy in strategies}
    for number, topic in enumerate(topics):
        told: dict[str, list[Spent]] = {strategy: [] for strategy in strategies}
        for round_ in range(rounds):
            for strategy in strategies if (number + round_) % 2 else strategies[::-1]:
                told[strategy].append(crawl(web, topic, strategy))
                print(f"{web.name}, {topic['id']}, {strategy}: {told[strategy][-1]}", file=sys.stderr, flush=True)
        for strategy in strategies:
            runs[strategy].append(least(told[strategy]))
    print(f"{web.name}, crawls {len(topics)}, rounds {rounds}")
    for strategy in strategies:
        print(f"  {line(strategy, runs[strategy], runs[strategies[0]])}", flush=True)


def main() -> int:
    """Compare strategies on each web."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, help="the folder that holds webs/schools and webs/heavy")
    parser.add_argument("--web", action="append", default=[], help="schools, heavy; may be repeated (both)")
    parser.add_argument("--strategies", default=",".join(STRATEGIES), help="a,b,... or a:KEY=VALUE (%(default)s)")
    parser.add_argument("--half", choices=("choose", "report", "all"), default="report")
    parser.add_argument("--topics", type=int, default=8, help="of each web at most (%(default)s)")
    parser.add_argument(
        "--draws", type=int, help="crawls more for each topic, with other examples (heavy 6, schools 0)"
    )
    parser.add_argument("--rounds", type=int, default=1, help="how often each crawl is made (%(default)s)")
    given = parser.parse_args()
    for name in given.web or WEBS:
        web = given.shared / "webs" / name
        draws = DRAWS.get(name, 0) if given.draws is None else given.draws
        topics = [one for topic in topics_of(web, given.half, given.topics) for one in drawn(topic, draws)]
        compare(web, given.strategies.split(","), topics, given.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
