"""SemRank measured: python benchmarks/semrank.py SHARED [--part ranks] [--half choose|report|campus]

concepts   the concepts of the standard contexts by two methods, and beside the library `concepts` in one run
ranks      200 queued and 500 current pages of the schools web, 10 keywords each, ranked with and without numba
curve      CPU time a page over a long crawl of the schools web, by hundreds of pages
race       semrank with and without the click log beside others, on a half of the schools topics or on campus
gamma      the threshold from 0.1 to 1.0, on the topics that settings are chosen on
printed    the paper's own form, and what each deviation from it brings
log        what the click log tells of words and pages: how often related ones are of one topic

All times are CPU time of this process. F and CPU time stand beside recall, as in the paper's figures.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from kinship import Kinship

from honeyguide.bench import Bench, Entry, Race, Result
from honeyguide.bench.answer_cache import AnswerCache, stock
from honeyguide.frontier import GraphWriter
from honeyguide.lattice import Context, Lattice, Meeting, read_context, semrank
from honeyguide.lattice.context import accelerated
from honeyguide.page.digest import Digest
from honeyguide.strategies import Brief
from honeyguide.strategies.lexicon import Lexicon
from honeyguide.strategies.semrank import SemRank
from honeyguide.strategies.semrank_turn import Member
from honeyguide.topic import Topic
from honeyguide.web.urls import key_of

BLOCKS = {"schools": "/wp/index/|/images/", "campus": r"^http://(?![^/]*(cornell|utexas)\.edu)"}
HALVES = json.loads((Path(__file__).parent / "halves.json").read_text(encoding="utf-8"))
OTHERS = ("breadth-first", "cosine", "context-graph", "relevancy-graph")
PRINTED = {
    "base": "last",
    "parents": "best",
    "anchor": "0",
    "ahead": "0",
    "larger": "false",
    "worth": "false",
    "least": "0",
    "w": "0.4",
    "keywords": "10",
    "gamma": "0.45",
    "beside": "false",
    "parts": "true",
    "apart": "false",
}
# What the default does otherwise than the paper, one at a time as the paper has it, and settings that it does not
# print; those of the log need one.
STEPS = [
    {"base": "last"}, {"base": "surest"}, {"parents": "best"}, {"anchor": "0"}, {"ahead": "0"}, {"reach": "0"},
    {"larger": "false"}, {"worth": "false"}, {"least": "0"}, {"w": "0.4"}, {"keywords": "10"}, {"gamma": "0.45"},
    {"batch": "10"}, {"batch": "40"}, {"shared": "2"},
]  # fmt: skip
STEPS_OF_LOG = [{"parts": "true"}, {"apart": "false"}, {"steps": "false"}, {"support": "1"}, {"support": "4"}]


def spent(job: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds a job takes, and what it brings."""
    begun = time.process_time()
    found = job()
    return time.process_time() - begun, found


# --- concepts --------------------------------------------------------------------------------------------------


def by_objects(context: Context) -> int:
    """How many concepts there are, by another method: all intersections of rows, one object after the other."""
    intents = {context.all_attributes}
    for row in context.rows:
        intents |= {intent & row for intent in intents}
    return len(intents)


def concepts(shared: Path) -> None:
    """Count the concepts of all contexts twice; then beside another library."""
    for file in sorted((shared / "data" / "contexts").glob("*/*.cxt")):
        context = read_context(file)
        plain, found = spent(lambda context=context: context.concepts(compiled=False))
        large = len(context.objects) > 1_000  # there all intersections of rows would take an hour
        second = "" if large else f", {by_objects(context)} by all intersections of rows"
        told = (
            f"{file.stem:<20} {len(context.objects):>5} x {len(context.attributes):<4} {len(found):>7} concepts{second}"
        )
        if accelerated():
            again = Context(context.objects, context.attributes, context.rows)
            fast, same = spent(lambda again=again: again.concepts(compiled=True))
            told += f", {len(same)} by Close-by-One compiled ({'the same' if same == found else 'NOT THE SAME'})"
            told += f"; {plain:.3f} s plain, {fast:.3f} s compiled"
        print(told, flush=True)
    beside()


def beside() -> None:
    """A random context of 200 x 60 at density 0.1, here and in the library `concepts`, in turns."""
    import concepts as other

    dice = random.Random(1)
    rows = [sum((dice.random() < 0.1) << place for place in range(60)) for _ in range(200)]
    names = [f"o{number}" for number in range(200)], [f"a{number}" for number in range(60)]
    table = [tuple(bool(row >> place & 1) for place in range(60)) for row in rows]
    ours, covered, theirs = [], [], []
    for _ in range(3):
        own, found = spent(lambda: Context(*names, rows).concepts(compiled=False))
        whole, lattice = spent(lambda: Lattice(Context(*names, rows)))
        more, _ = spent(lambda lattice=lattice: lattice.covers)
        cost, count = spent(lambda: len(other.Context(*names, table).lattice))
        assert count == len(lattice) == len(found)
        ours.append(own)
        covered.append(whole + more)
        theirs.append(cost)
    print(
        f"200 x 60 at 0.1: {len(found)} concepts; the library takes {min(theirs) / min(ours):.0f} times as long as all"
    )
    print(f"concepts here, {min(theirs) / min(covered):.0f} times as long as all concepts and what covers what")


# --- ranks -----------------------------------------------------------------------------------------------------


def pages_of(shared: Path) -> Iterator[Digest]:
    """The articles of the schools web, in the order of chance."""
    web = shared / "webs" / "schools"
    cached = AnswerCache(stock(web / "pages.warc.gz", (BLOCKS["schools"],), structure=False))
    urls = sorted(url for url in cached if "/wp/" in url and "/wp/index/" not in url)
    random.Random(0).shuffle(urls)
    for url in urls:
        page = cached.page(url)
        if page is not None and page.kind == "html":
            yield page


def read_pages(shared: Path, strategy: SemRank, count: int) -> tuple[SemRank, list[Member]]:
    """Some articles, with what a strategy and the click log make of their words."""
    writer = GraphWriter()
    topic = Topic(name="art", keywords={"art": 1.0}, clicks=str(shared / "webs" / "schools" / "clicks.jsonl.gz"))
    strategy.start(Brief(topic, [], writer.graph), 0)
    members: list[Member] = []
    for page in islice(pages_of(shared), count):
        page.id = writer.add(page.url)
        for link in page.links:
            link.id = writer.add(link.url)
        strategy._likeness.learn(page)
        members.append(strategy._member(page))
        strategy.lexicon.learn(page, members[-1].words)
    return strategy, members


def ranks(shared: Path) -> None:
    """Rank 500 current pages against 200 queued ones, by the log, ten keywords a page."""
    strategy, members = read_pages(shared, SemRank(keywords=10, batch=500), 700)
    strategy.turn.base = members[:200]
    strategy._forget_base()
    words, meeting = spent(lambda: strategy._meeting(members[200:]))
    print(f"words, links and clicks of 200 and 500 pages: {words:.2f} s; {len(meeting.current.attributes)} words")
    for compiled in (True, False) if accelerated() else (False,):
        current = Context(meeting.current.objects, meeting.current.attributes, meeting.current.rows)
        base = Context(meeting.base.objects, meeting.base.attributes, meeting.base.rows)
        if compiled:
            current.concepts(compiled=True), base.concepts(compiled=True)  # compiling is done once for good
            current._known.clear(), base._known.clear()

        def rank(current: Context = current, base: Context = base, compiled: bool = compiled) -> list[float]:
            for one in (current, base):
                one._known[0, False] = one._known[0, True] = one.concepts(compiled=compiled)
            return [
                one.value
                for one in semrank(
                    Meeting(current, base, meeting.alike, meeting.ties, meeting.worth), strategy._weighing
                )
            ]

        cost, found = spent(rank)
        sizes = f"{len(base.concepts())} and {len(current.concepts())} concepts"
        print(f"{'with' if compiled else 'without'} numba: {cost:.2f} s for {sizes}; mean rank {np.mean(found):.4f}")


def curve(shared: Path, pages: int) -> None:
    """What each hundred pages of a long crawl cost, all of it inside the strategy."""
    for log in (True, False):
        writer = GraphWriter()
        clicks = str(shared / "webs" / "schools" / "clicks.jsonl.gz") if log else ""
        strategy = SemRank()
        source = pages_of(shared)
        examples = [next(source) for _ in range(5)]
        for page in examples:
            page.id = writer.add(page.url)
        topic = Topic(name="art", keywords={"art": 1.0}, clicks=clicks)
        strategy.start(Brief(topic, examples, writer.graph), 0)
        costs: list[float] = []
        for number, page in enumerate(source):
            if number == pages:
                break
            page.id = writer.add(page.url)
            for link in page.links:
                link.id = writer.add(link.url, parent=page.id, depth=1)
            page.relevance, page.on_topic = 0.9 - number % 7 / 10, number % 3 == 0
            writer.answered(page.id, "page", relevance=page.relevance, on_topic=page.on_topic)
            writer.link(page.id, [link.id for link in page.links], [0] * len(page.links))
            costs.append(spent(lambda page=page, strategy=strategy: strategy.page(page))[0])
            if number % strategy.revise_every == 0:
                costs[-1] += spent(strategy.revise)[0]
        told = [1_000 * sum(costs[at : at + 100]) / len(costs[at : at + 100]) for at in range(0, len(costs), 100)]
        print(
            f"{'with' if log else 'without'} the log, ms a page by hundreds: {' '.join(f'{one:.1f}' for one in told)}"
        )
        half = len(told) // 2
        print(f"  the last half costs {sum(told[half:]) / sum(told[1 : half + 1]):.2f} times what the half before does")


# --- the log ---------------------------------------------------------------------------------------------------


def log(shared: Path, pages: int) -> None:
    """What the log of the schools web relates, on topics that settings are chosen on; labels are for this alone."""
    web = shared / "webs" / "schools"
    lines = (web / "topics.jsonl").read_text(encoding="utf-8").splitlines()
    chosen = [one for one in map(json.loads, lines) if one["id"] in HALVES["schools"]["choose"]]
    kinship, dice = Kinship([frozenset(one["relevant"]) for one in chosen]), random.Random(0)
    strategy, members = read_pages(shared, SemRank(parts=True, apart=False), pages)
    for member in members:
        kinship.meet(member)
    lexicon = strategy.lexicon
    relations = lexicon.relations()
    known = sorted({word for one in relations for word in (one.one, one.other)})
    alike = [(one.one, one.other) for one in relations if one.kind == "isa"]
    apart = [one for one in read_pages(shared, SemRank(), pages)[0].lexicon.relations() if one.kind == "isa"]
    print(f"words, {pages} pages: a page of the one and a page of the other are of one topic")
    print("  the same word      ", kinship.words((word, word) for word in known))
    print("  two by chance      ", kinship.words((dice.choice(known), dice.choice(known)) for _ in range(20_000)))
    print("  ISA                ", kinship.words(alike))
    print("  ISA, other queries ", kinship.words((one.one, one.other) for one in apart))
    print("  Part-Of            ", kinship.words((one.one, one.other) for one in relations if one.kind == "part-of"))
    together = [(one, other) for one, other, _, value in lexicon.companions() if value >= 0.1]
    print("  together on pages  ", kinship.words(together))
    near = set(together)
    print("  ISA, not together  ", kinship.words(pair for pair in alike if pair not in near))
    by_hierarchy(lexicon, members, kinship, dice, known)
    of_key = {key_of(member.url): member.url for member in members}
    linked = {(one.url, of_key[key]) for one in members for key in one.onward if key in of_key}
    assert lexicon.log is not None
    stepped = {(url, of_key[key]) for url in of_key.values() for key in lexicon.log.onward(url) if key in of_key}
    urls = list(of_key.values())
    print("pages: both are of one topic")
    print("  two by chance      ", kinship.pages((dice.choice(urls), dice.choice(urls)) for _ in range(20_000)))
    print("  linked             ", kinship.pages((one, other) for one, other in sorted(linked) if one != other))
    print("  people went on     ", kinship.pages((one, other) for one, other in sorted(stepped) if one != other))


def by_hierarchy(
    lexicon: Lexicon, members: Sequence[Member], kinship: Kinship, dice: random.Random, known: Sequence[str]
) -> None:
    """What the information two words share, in hierarchies of 20 pages and 20 others, says of their topics."""
    found: list[tuple[str, str, float]] = []
    for _ in range(10):
        some = dice.sample(list(members), 40)
        mine, base = ({word for one in half for word in one.words} for half in (some[:20], some[20:]))
        tree = lexicon.hierarchy(sorted(mine), sorted(base), [dice.choice(known)], 0.2)
        for one in sorted(mine & tree.path.keys()):
            for other in sorted(base & tree.path.keys() - {one} - tree.alike(one)):
                if value := tree.ics(one, other):
                    found.append((one, other, value))
    middle = np.quantile([one[2] for one in found], [0.1, 0.5, 0.9]).round(2).tolist() if found else []
    print(f"  ics > 0, not ISA    {kinship.words(one[:2] for one in found)}; 0.1, 0.5, 0.9 quantiles of ics: {middle}")


# --- races -----------------------------------------------------------------------------------------------------


def raced(
    shared: Path, half: str, entries: Sequence[Entry], starts: Sequence[str], only: Sequence[str], workers: int
) -> None:
    """Race entries on a half of the schools topics, or on campus, and print their figures."""
    web = "campus" if half == "campus" else "schools"
    topics = tuple(only) or (() if half == "campus" else tuple(HALVES["schools"][half]))
    for start in starts:
        race = Race(
            web=str(shared / "webs" / web),
            strategies=tuple(entries),
            start=start,
            block=BLOCKS[web],
            only=topics,
            workers=workers,
        )  # type: ignore[arg-type]
        bench = Bench(race)
        outcome = bench.outcome(list(bench.run()))
        print(f"\n{web}, {half}, from {start}, {len(bench.topics)} topics")
        print(f"{'strategy':<44} AUC/oracle recall harvest     F  ms/page")
        for row in outcome.summary:
            own = [one for one in outcome.results if one.strategy == row.strategy]
            f = float(np.mean([one.f for one in own]))
            figures = f"{row.auc:10.3f} {row.recall:6.3f} {row.harvest:7.3f} {f:5.3f} {row.ms_per_page:8.2f}"
            print(f"{row.strategy[:44]:<44} {figures}")
        if half != "choose" or len(entries) <= 8:
            by_recall(bench, [entry.name for entry in entries], outcome.results)


def small(shared: Path, half: str, most: int) -> list[str]:
    """The topics of a half that have at most so many relevant pages: a race that takes minutes."""
    lines = (shared / "webs" / "schools" / "topics.jsonl").read_text(encoding="utf-8").splitlines()
    sizes = {topic["id"]: len(topic["relevant"]) for topic in map(json.loads, lines)}
    return [name for name in HALVES["schools"][half] if sizes[name] <= most]


def by_recall(bench: Bench, names: Sequence[str], results: Sequence[Result]) -> None:
    """F, and seconds inside the strategy, when a share of the relevant pages has been found."""
    steps = (0.1, 0.2, 0.3, 0.4, 0.5)
    seconds = {(one.strategy, one.topic): one.seconds / max(1, one.pages) for one in results}
    print("F and seconds at recall " + "      ".join(f"{step:.1f}" for step in steps))
    for name in names:
        cells = []
        for step in steps:
            reached = []
            for topic, truth in bench.truths.items():
                found = bench.curves[name, topic]
                at = next((place for place, count in enumerate(found, 1) if count >= step * truth), 0)
                if at:
                    precision, recall = found[at - 1] / at, found[at - 1] / truth
                    reached.append((2 * precision * recall / (precision + recall), at * seconds[name, topic], 1))
            share = len(reached) / len(bench.truths)
            cells.append(
                f"{np.mean([one[0] for one in reached]):.2f} {np.mean([one[1] for one in reached]):.2f}s"
                if share >= 0.5
                else "-"
            )
        print(f"  {name[:40]:<40} " + "  ".join(f"{cell:>10}" for cell in cells))


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parts = ["concepts", "ranks", "curve", "race", "gamma", "printed", "log"]
    parser.add_argument("--part", choices=parts, default="ranks")
    parser.add_argument("--half", choices=["choose", "report", "campus"], default="choose")
    parser.add_argument("--start", choices=["near", "far"], action="append")
    parser.add_argument("--only", default="", metavar="ID,ID")
    parser.add_argument("--small", type=int, default=0, metavar="N", help="only topics of at most N relevant pages")
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--workers", type=int, default=0, help="runs at once; one for each core, if left out")
    given = parser.parse_args()
    starts, only = given.start or ["near", "far"], [one for one in given.only.split(",") if one]
    if given.small:
        only = small(given.shared, given.half, given.small)
    if given.part == "concepts":
        concepts(given.shared)
    elif given.part == "ranks":
        ranks(given.shared)
    elif given.part == "curve":
        curve(given.shared, given.pages)
    elif given.part == "race":
        entries = [Entry(name) for name in OTHERS] + [Entry("semrank"), Entry("semrank", {"log": "false"})]
        raced(given.shared, given.half, entries, starts, only, given.workers)
    elif given.part == "gamma":
        without = {"log": "false"}
        values = [Entry("semrank", {"gamma": f"{step / 10:g}", **without}) for step in range(1, 11)]
        raced(given.shared, given.half, [Entry("semrank", without), *values], starts, only, given.workers)
    elif given.part == "log":
        log(given.shared, given.pages)
    else:
        without = {"log": "false"}
        steps = [Entry("semrank", without), Entry("semrank", {**PRINTED, **without}), Entry("semrank", PRINTED)]
        steps += [Entry("semrank", {**one, **without}) for one in STEPS]
        steps += [Entry("semrank"), *(Entry("semrank", one) for one in STEPS_OF_LOG)]
        raced(given.shared, given.half, steps, starts, only, given.workers)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
