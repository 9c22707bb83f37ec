"""The experiments of the news model, ours beside the paper's: python benchmarks/news.py [SHARED] [--part table]

On the demo web, over real HTTP, scored by the demo web's own truth, which no strategy and no judge can see:

- table: the paper's Table 1 (searched, on topic, off topic, unsearched, times), for the universal crawler, best-first
  and news. A universal crawler keeps all it fetches (of articles it makes records, whatever they are about), a focused
  one what its judge takes for on topic. Searching is a crawl without records, extracting one with them; times are CPU
  seconds of the whole process, the server's own included, the crawls taken in turns;
- curves: precision and recall after each tenth of the pages, as in Figures 8 and 9;
- tunnel: pages on topic that only pages off the topic had led to;
- settle: where the threshold comes to rest from good and bad starts, and what the verdicts are worth;
- drift: the same crawl where articles on another topic are stuffed with the words of this one.

With SHARED, the folder that holds webs/schools and webs/campus: race, the standard race on the half of the schools
topics that settings were chosen on, on the other half, and on campus.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import msgspec
from guide import BLOCKS, HALVES
from look_ahead import at_shares, means

from honeyguide.api import demo_topic
from honeyguide.bench import Bench, Entry, Race, paired
from honeyguide.crawling import Crawl, Settings
from honeyguide.demo import DemoServer, DemoWeb, build
from honeyguide.demo import demo_topic as choose_topic
from honeyguide.store import Folder, Store
from honeyguide.strategies.news import News

__all__ = ["Crawled", "attacked", "crawled", "tunnelled"]

UNIVERSAL, BEST_FIRST, NEWS = "breadth-first", "cosine", "news"
NAMES = (UNIVERSAL, BEST_FIRST, "shark", NEWS)
PAPER = {  # searched, on topic, off topic, unsearched, searching and extracting time in seconds
    "the paper's universal crawler": (4685, 2954, 1731, 140, 1044.0, 1328.0),
    "the paper's own crawler": (3373, 3357, 16, 84, 773.0, 830.0),
}
OURS = {UNIVERSAL: "our universal crawler", BEST_FIRST: "our best-first", NEWS: "our news"}
ATTACKER = "chess"  # the topic whose articles are stuffed
STARTS = ("", "0.01", "0.9")


class Crawled(NamedTuple):
    """What came of a crawl: each page visited, whether it was judged on topic, and what the strategy had learnt."""

    visits: list[tuple[str, bool]]
    strategy: Any
    seconds: float  # of CPU

    @property
    def kept(self) -> set[str]:
        """The pages judged on topic."""
        return {url for url, on_topic in self.visits if on_topic}


def crawled(web: DemoWeb, strategy: str, pages: int, starts: tuple[str, ...] = (), **settings: Any) -> Crawled:
    """Crawl the demo web, or one made of it, with the pace of `honeyguide crawl`."""
    topic = demo_topic()
    topic = msgspec.structs.replace(topic, starts=starts or topic.starts)
    chosen = {"web": "demo", "strategy": strategy, "pages": pages, "delay": 0.05, "careful": False, **settings}
    with tempfile.TemporaryDirectory() as place, DemoServer(web) as server:
        opened = (f"{server.address[0]}:{server.address[1]}",)
        folder = Folder(Path(place) / "crawl")
        one = Crawl(folder, topic, Settings(**chosen), names=dict(server.resolve), opened=opened)
        one.create()
        begun = time.process_time()
        asyncio.run(one.run())
        spent = time.process_time() - begun
        store = Store.open(folder.database, read_only=True)
        visits = [(store.url(visit.url).url, visit.on_topic) for visit in store.visits("page")]
        store.close()
    return Crawled(visits, one.brain.ranking.strategy, spent)


def tunnelled(
    web: DemoWeb, visits: Sequence[tuple[str, bool]], truth: frozenset[str], given: Sequence[str]
) -> set[str]:
    """Pages on topic that only pages off the topic had led to when they were visited."""
    subject = choose_topic(web).id
    led: set[str] = set(given)  # by a page on topic, or by the user
    found = set()
    for url, _ in visits:
        page = web.pages.get(url)
        if url in truth and url not in led:
            found.add(url)
        if page is not None and page.topic == subject:
            led.update(page.links)
    return found


def attacked(web: DemoWeb, topic: str, words: Sequence[str]) -> DemoWeb:
    """The demo web with the articles of a topic stuffed: after each of their sentences stand words of another's."""
    dice = random.Random(1)
    pages = dict(web.pages)
    for url, page in web.pages.items():
        if page.topic == topic and page.is_html and page.body == page.text.encode():
            told = "</p>".join(
                f"{part} {' '.join(dice.choices(words, k=max(4, len(part.split()) // 2)))}." if "<p" in part else part
                for part in page.text.split("</p>")
            )
            pages[url] = replace(page, text=told, body=told.encode())
    return replace(web, pages=pages)


# -- on the demo web ----------------------------------------------------------------------------------------------


def table(web: DemoWeb, pages: int, rounds: int) -> None:
    """Table 1."""
    truth = choose_topic(web).relevant
    rows: dict[str, tuple[float, ...]] = dict(PAPER)
    spent: dict[tuple[str, bool], list[float]] = {}
    for name, careful in [(name, careful) for _ in range(rounds) for name in OURS for careful in (False, True)]:
        keeps_all = {"threshold": 1e-6} if name == UNIVERSAL else {}
        one = crawled(web, name, pages, keep=careful, careful=careful, **keeps_all)
        spent.setdefault((name, careful), []).append(one.seconds)
        searched = {url for url, _ in one.visits} if name == UNIVERSAL else one.kept
        good = len(searched & truth)
        figures = len(searched), good, len(searched) - good, len(truth - searched)
        rows[OURS[name]] = (*figures, *(median(spent.get((name, side), [0.0])) for side in (False, True)))
    print(f"Table 1: {pages} fetches each on the demo web, of whose pages {len(truth)} are on topic")
    print(f"{'':<30} searched  on topic  off topic  unsearched  searching s  extracting s  s per page on topic")
    for title, (searched, good, bad, left, search, extract) in rows.items():
        print(
            f"{title:<30} {searched:8.0f}  {good:8.0f}  {bad:9.0f}  {left:10.0f}  {search:11.1f}  {extract:12.1f}"
            f"  {extract / max(1, good):19.3f}"
        )


def curves(web: DemoWeb, pages: int) -> None:
    """Figures 8 and 9."""
    truth = choose_topic(web).relevant
    print(f"precision / recall after each tenth of {pages} pages of the demo web")
    for name in NAMES:
        found, curve = 0, []
        for url, _ in crawled(web, name, pages).visits:
            found += url in truth
            curve.append(found)
        told = (f"{precision:.2f}/{recall:.2f}" for precision, recall in at_shares(curve, len(truth)))
        print(f"  {name:<14} {' '.join(told)}")


def tunnel(web: DemoWeb, pages: int) -> None:
    """Pages on topic that only pages off the topic had led to; from the usual starts, and from articles far away."""
    topic = choose_topic(web)
    for title, starts in (("its starts", topic.starts), ("far away", topic.far_starts)):
        print(f"{pages} pages, from {title}: on topic; of them, reached through pages off the topic only")
        for name in NAMES:
            visits = crawled(web, name, pages, starts).visits
            good = {url for url, _ in visits} & topic.relevant
            through = tunnelled(web, visits, topic.relevant, starts)
            print(f"  {name:<14} {len(good):4} {len(through):4}")


def settle(web: DemoWeb, pages: int) -> None:
    """The threshold from good and bad starts."""
    truth = choose_topic(web).relevant
    for start in STARTS:
        one = crawled(web, NEWS, pages, strategy_settings={"threshold": start} if start else {})
        moves = [change for change in one.strategy.adapted() if change.what == "threshold"]
        path = " ".join(f"{change.answers}:{change.after:.3f}" for change in moves)
        met = {url for url, _ in one.visits} & truth
        print(f"threshold from {start or 'where the examples put it'}: {path}")
        print(f"  verdicts: {_worth(one.kept, met)}")


def drift(web: DemoWeb, pages: int) -> None:
    """The same crawl with and without stuffed pages."""
    topic, vectors = choose_topic(web), []
    words = [*topic.keywords, *sorted(News().judge(demo_topic()).vector)]
    words += "hive queen nectar pollen swarm comb brood apiary colony beekeeper honey wax forager".split()
    for title, one_web in (("as it is", web), ("attacked", attacked(web, ATTACKER, words))):
        one = crawled(one_web, NEWS, pages)
        vectors.append(one.strategy._judge.vector)
        stuffed = {url for url, page in web.pages.items() if page.topic == ATTACKER}
        met = {url for url, _ in one.visits}
        print(f"{title}: {_worth(one.kept, met & topic.relevant)}; {len(met & topic.relevant)} of {pages} on topic")
        print(f"  {len(met & stuffed)} {ATTACKER} pages met, {len(one.kept & stuffed)} taken for on topic")
    plain, other = vectors
    alike = sum(weight * other.get(term, 0.0) for term, weight in plain.items())
    print(f"the two vectors at the end are {alike:.3f} alike (cosine)")
    strange = [term for term in sorted(other, key=lambda term: -other[term]) if term not in plain][:8]
    print(f"  weightiest words in the attacked one alone: {', '.join(f'{term} {other[term]:.3f}' for term in strange)}")


def _worth(kept: set[str], met: set[str]) -> str:
    good = len(kept & met)
    return f"precision {good / max(1, len(kept)):.2f}, recall {good / max(1, len(met)):.2f} of {len(met)} met"


# -- the standard race --------------------------------------------------------------------------------------------


def race(shared: Path, web: str, half: str, start: Any, names: Sequence[str]) -> None:
    """Race on the topics of a half, or of a whole web."""
    only = HALVES[web][half] if half != "all" else ()
    entries = (*(Entry(name) for name in names), Entry(NEWS, {"printed": "true", "rho": "0.5"}))
    names = [entry.name for entry in entries]
    bench = Bench(Race(web=str(shared / "webs" / web), strategies=entries, start=start, block=BLOCKS[web], only=only))
    results = sorted(bench.run(), key=lambda one: one.topic)
    print(f"{web}, {half}, {start}: AUC/oracle, recall; precision/recall after each fifth of the budget")
    aucs = {name: [one.auc for one in results if one.strategy == name] for name in names}
    for name in names:
        mine = [one for one in results if one.strategy == name]
        shares = [at_shares(bench.curves[name, one.topic], bench.truths[one.topic], 5) for one in mine]
        told = zip(*(means([[pair[side] for pair in row] for row in shares]) for side in (0, 1)), strict=True)
        line = f"  {name:<14} {sum(aucs[name]) / len(mine):.3f}"
        line += f"  {sum(one.recall for one in mine) / len(mine):.2f}  {' '.join(f'{a:.2f}/{b:.2f}' for a, b in told)}"
        if name != NEWS:
            test = paired(aucs[NEWS], aucs[name])
            line += f"  news {test.difference:+.3f} (p {test.p:.4f}, won {test.won} of {test.topics})"
        print(line, flush=True)


def main() -> int:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?", help="the folder that holds webs/schools and webs/campus")
    parts = ("table", "curves", "tunnel", "settle", "drift", "race", "all")
    parser.add_argument("--part", choices=parts, default="all")
    parser.add_argument("--pages", type=int, default=300, help="of each crawl of the demo web")
    parser.add_argument("--rounds", type=int, default=3, help="of the crawls whose time is taken")
    parser.add_argument("--strategies", default=",".join(NAMES), help="that race, with news among them")
    given = parser.parse_args()
    web = build()
    for part, show in (("curves", curves), ("tunnel", tunnel), ("settle", settle), ("drift", drift)):
        if given.part in (part, "all"):
            show(web, given.pages)
    if given.part in ("table", "all"):
        table(web, given.pages, given.rounds)
    if given.part in ("race", "all"):
        if given.shared is None:
            print("no race: it needs the folder that holds the webs", file=sys.stderr)
            return 0 if given.part == "all" else 2
        for where, half in (("schools", "choose"), ("schools", "report"), ("campus", "all")):
            for start in ("near", "far"):
                race(given.shared, where, half, start, given.strategies.split(","))
    return 0


if __name__ == "__main__":
    sys.exit(main())
