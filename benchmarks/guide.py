"""What `guide` owes to each of its signals: python benchmarks/guide.py SHARED [--part halves] [--encoder] [--draws 10]

Races through the bench, against hopfield. Settings were chosen on the first half of the topics of each web
(`halves.json`, by subject); the second half was kept aside for the figures.

With `--draws N` each topic is raced N times more, with other examples and far starts (`draws.py`). Two tests are made
then. In the first the topic is the unit: the draws of each are averaged, so what is shown is shown of other topics as
well. In the second each race is one: of these very topics it says more, of others nothing, for the draws of a topic
are alike.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt
import xxhash
from draws import draw_topics
from serve import read_archive

from honeyguide.bench import Bench, Entry, Race, Result, paired
from honeyguide.frontier import GraphWriter
from honeyguide.page.digest import Block, Digest, Link
from honeyguide.strategies import Brief, make
from honeyguide.topic import Topic
from honeyguide.web import Response
from honeyguide.web.warc import response_record

BLOCKS = {"schools": "/wp/index/|/images/", "campus": r"^http://(?![^/]*(cornell|utexas)\.edu)"}
HALVES = json.loads((Path(__file__).parent / "halves.json").read_text(encoding="utf-8"))
PARTS = ("names", "parents", "around", "siblings", "addresses", "discovery", "meaning")
_LINK = re.compile(r'<a\b[^>]*?href="([^"]+)"[^>]*>.*?</a>', re.DOTALL)
WHOLE, RIVAL, ENCODED = Entry("guide"), Entry("hopfield"), Entry("guide", {"encoder": "true"})


class Raced(NamedTuple):
    """What came of one entry: AUC/oracle, a row for each topic, a column for each draw; and its cost."""

    auc: npt.NDArray[np.float64]
    seconds: float
    pages: int


class Plan(NamedTuple):
    """How to race: how often with other examples and starts, every so manieth topic, by so many processes at once."""

    draws: int = 0
    every: int = 1
    jobs: int = 0


def race(shared: Path, web: str, start: Any, entries: Sequence[Entry], only: Sequence[str], plan: Plan) -> list[Raced]:
    """Race on some topics, as they are and as they are drawn; what came of each entry, topics in the order of names."""
    folder = shared / "webs" / web
    runs: list[list[Result]] = []
    with tempfile.TemporaryDirectory(prefix="honeyguide-draws-") as scratch:
        for draw in range(plan.draws + 1):
            file = Path(scratch) / f"{draw}.jsonl"
            if draw:
                draw_topics(folder, only, BLOCKS[web], draw, file)
            bench = Bench(
                Race(
                    web=str(folder),
                    strategies=tuple(entries),
                    start=start,
                    block=BLOCKS[web],
                    only=tuple(only),
                    topics=str(file) if draw else "",
                    workers=plan.jobs,
                )
            )
            runs.append(sorted(bench.run(), key=lambda one: one.topic))
    found = []
    for entry in entries:
        own = [[one for one in run if one.strategy == entry.name] for run in runs]
        every = [one for run in own for one in run]
        auc = np.array([[one.auc for one in run] for run in own]).T
        found.append(Raced(auc, sum(one.seconds for one in every), sum(one.pages for one in every)))
    return found


def row(name: str, own: Raced, rival: Raced, against: str) -> str:
    """One line an entry: mean AUC/oracle, its cost, and the difference from a rival, by topics and by all draws.

    >>> one, other = Raced(np.full((5, 2), 0.5), 0.01, 10), Raced(np.full((5, 2), 0.4), 0.01, 10)
    >>> row("a", one, other, "b").partition("/page")[2]
    '  +0.100 to b (p 0.0625, won 5 of 5; all draws p 0.0020, 10 of 10)'
    """
    line = f"  {name:<28} {own.auc.mean():.3f}  {1_000 * own.seconds / max(1, own.pages):5.2f} ms/page"
    if name == against:
        return line
    test = paired(own.auc.mean(axis=1).tolist(), rival.auc.mean(axis=1).tolist())
    line += f"  {test.difference:+.3f} to {against} (p {test.p:.4f}, won {test.won} of {test.topics}"
    if own.auc.shape[1] > 1:
        test = paired(own.auc.ravel().tolist(), rival.auc.ravel().tolist())
        line += f"; all draws p {test.p:.4f}, {test.won} of {test.topics}"
    return f"{line})"


def compare(shared: Path, web: str, half: str, entries: Sequence[Entry], against: Entry, plan: Plan) -> None:
    """Race both starts and print the figures of each, and of both together."""
    both: list[list[Raced]] = []
    for start in ("near", "far"):
        only = [topic for part in HALVES[web] if half in (part, "all") for topic in HALVES[web][part]][:: plan.every]
        told = f"{web}, {start}, {half}: {len(only)} topics"
        print(f"{told}, {plan.draws + 1} draws" if plan.draws else told, flush=True)
        both.append(race(shared, web, start, entries, only, plan))
        _tell(entries, both[-1], against)
    print(f"{web}, near and far together, {half}")
    _tell(entries, [together(near, far) for near, far in zip(*both, strict=True)], against)


def together(near: Raced, far: Raced) -> Raced:
    """What came of an entry from both starts: of each topic and draw the mean."""
    return Raced((near.auc + far.auc) / 2, near.seconds + far.seconds, near.pages + far.pages)


def _tell(entries: Sequence[Entry], found: Sequence[Raced], against: Entry) -> None:
    rival = found[list(entries).index(against)]
    for entry, own in zip(entries, found, strict=True):
        print(row(entry.name, own, rival, against.name), flush=True)


def hash_of(last: str) -> str:
    """In place of the last part of an address, its hash."""
    return f"{xxhash.xxh3_64_hexdigest(last.encode())}.htm"


def others_of(web: Path) -> Callable[[str], str]:
    """In place of the last part of each address, that of another page, drawn by chance; dead links keep theirs."""
    lasts = sorted({_last(url)[1] for url, _, _ in read_archive(web) if _is_named(*_last(url))})
    others = dict(zip(lasts, np.random.default_rng(1).permutation(lasts).tolist(), strict=True))
    return lambda last: others.get(last, last)


def _last(url: str) -> tuple[str, str]:
    front, slash, last = unquote(unquote(url.partition("#")[0])).rpartition("/")
    return front + slash, last


def _is_named(front: str, last: str) -> bool:
    return last.endswith(".htm") and "index" not in front


def renamed(web: Path, folder: Path, another: Callable[[str], str]) -> None:
    """A web whose names say nothing: in place of each link's text, and of the last part of each address, another."""

    def address_of(url: str) -> str:
        front, last = _last(url)
        return quote(front + another(last), safe=":/") if _is_named(front, last) else url

    def link(found: re.Match[str]) -> str:
        address = address_of(html.unescape(found[1]))
        said = _last(address)[1].removesuffix(".htm").replace("_", " ")  # as nearly all links say there
        return f'<a href="{html.escape(address)}">{html.escape(said)}</a>'

    folder.mkdir(parents=True)
    with (folder / "pages.warc.gz").open("wb") as file:
        for url, kind, body in read_archive(web):
            told = _LINK.sub(link, body.decode("utf-8", "replace"))
            headers = [("Content-Type", kind)]
            file.write(response_record(Response(address_of(url), status=200, headers=headers, body=told.encode())))
    topics = [json.loads(line) for line in (web / "topics.jsonl").read_text(encoding="utf-8").splitlines()]
    for topic in topics:
        for field in ("examples", "far_starts", "relevant"):
            topic[field] = [address_of(url) for url in topic[field]]
    (folder / "topics.jsonl").write_text("".join(f"{json.dumps(topic)}\n" for topic in topics), encoding="utf-8")


def made_up(count: int) -> Iterator[Digest]:
    """Pages of a web ten times as large: twenty links each, half of them to popular pages, and 150 terms."""
    chance = np.random.default_rng(1)
    words = [f"word{chr(97 + one % 26)}{chr(97 + one // 26 % 26)}{chr(97 + one // 676)}" for one in range(15_000)]
    for number in range(count):
        told = [words[one] for one in (15_000 * chance.random(150) ** 3).astype(int)]
        leads = (10 * count * chance.random(20) ** chance.choice([1, 3], 20)).astype(int)
        links = [
            Link(
                f"http://host{one % 977}.test/{words[one % 211]}/{words[one % 15_000]}-{one}.html",
                "",
                0,
                7 * at,
                7 * at + 1,
            )
            for at, one in enumerate(leads.tolist())
        ]
        page = Digest(url=f"http://host.test/{number}", fetched=0.0, kind="html", words=150)
        page.terms, page.blocks, page.links = dict.fromkeys(told, 1), [Block("p", 0, -1, True, told)], links
        page.relevance = float(chance.random() ** 4)
        page.on_topic = page.relevance > 0.5
        yield page


def cost(entry: Entry, count: int) -> None:
    """CPU time of a page in each tenth of a growing crawl; every fourth answer is a dead link."""
    writer = GraphWriter()
    strategy = make(entry.strategy, entry.settings)
    topic = Topic(name="word", keywords={"worda": 1.0}, examples=("http://host.test/0",))
    strategy.start(Brief(topic, [], writer.graph), 0)
    spent, tenths, answers = 0.0, [], 0
    for number, page in enumerate(made_up(count), 1):
        page.id = writer.add(page.url)
        for link in page.links:
            link.id = writer.add(link.url, parent=page.id)
        writer.answered(page.id, "page", relevance=page.relevance, on_topic=page.on_topic)
        writer.link(page.id, [link.id for link in page.links], [0] * len(page.links))
        lost = page.links[0].id
        begun = time.process_time()
        strategy.page(page)
        if number % 4 == 0 and not writer.graph.visited[lost]:
            writer.answered(lost, "missing")
            strategy.missed(lost, "missing")
            answers += 1
        strategy.reason(page.links[-1].id)
        answers += 1
        if strategy.revise_every and answers % strategy.revise_every == 0:
            strategy.revise()
        spent += time.process_time() - begun
        if number % (count // 10) == 0:
            tenths.append(1_000 * spent / (count // 10))
            spent = 0.0
    columns = sum(column.raw.itemsize for column, _ in writer.graph._added)
    print(f"{entry.name}: {' '.join(f'{one:.2f}' for one in tenths)} ms a page, by tenths of {count} pages", end="; ")
    print(f"{columns} bytes a URL in columns, {len(strategy.save()) / len(writer.graph):.0f} in all when saved")


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, help="the folder that holds webs/schools and webs/campus")
    parser.add_argument(
        "--part",
        choices=("halves", "campus", "hashed", "shuffled", "ablation", "encoder", "cost", "all"),
        default="all",
    )
    parser.add_argument(
        "--half", choices=("choose", "report", "all"), default="report", help="of the topics that parts are left out on"
    )
    parser.add_argument(
        "--every",
        type=int,
        default=1,
        help="take every so manieth of them only, where parts are left out or names say nothing",
    )
    parser.add_argument(
        "--web", choices=("schools", "campus", "both"), default="both", help="that parts are left out on"
    )
    parser.add_argument("--draws", type=int, default=0, help="races more of each topic, with other examples and starts")
    parser.add_argument("--jobs", type=int, default=0, help="processes at once (one for each core)")
    parser.add_argument("--pages", type=int, default=100_000, help="of the crawl whose cost is measured")
    parser.add_argument("--encoder", action="store_true", help="leave parts out, hash names, and grow with the encoder")
    given = parser.parse_args()
    plain = Entry("guide", {"meaning": "false"})
    whole = ENCODED if given.encoder else WHOLE
    plan = Plan(given.draws, 1, given.jobs)
    some = plan._replace(every=given.every)
    if given.part in ("halves", "all"):
        for half in ("choose", "report"):
            compare(given.shared, "schools", half, (RIVAL, WHOLE, plain), RIVAL, plan)
    if given.part in ("campus", "all"):
        compare(given.shared, "campus", "all", (RIVAL, WHOLE, plain), RIVAL, plan)
    for part in ("hashed", "shuffled"):
        if given.part in (part, "all"):
            web = given.shared / "webs" / "schools"
            another = hash_of if part == "hashed" else others_of(web)
            beside = (WHOLE, ENCODED) if given.encoder else (WHOLE, plain)
            print(f"names {part}")
            with tempfile.TemporaryDirectory() as scratch:
                renamed(web, Path(scratch) / "webs" / "schools", another)
                compare(Path(scratch), "schools", given.half, (RIVAL, *beside), RIVAL, some)
    if given.part in ("ablation", "all"):
        lesser = [Entry("guide", {**whole.settings, part: "false"}) for part in PARTS]
        for web, half in (("schools", given.half), ("campus", "all")):
            if given.web in (web, "both"):
                compare(given.shared, web, half, (whole, *lesser), whole, some)
    if given.part in ("encoder", "all"):
        for web, half in (("schools", "choose"), ("schools", "report"), ("campus", "all")):
            compare(given.shared, web, half, (WHOLE, ENCODED), WHOLE, plan)
        cost(ENCODED, given.pages // 10)  # it takes its time
    if given.part in ("cost", "all"):
        for entry in (ENCODED,) if given.encoder else (RIVAL, WHOLE):
            cost(entry, given.pages)
    return 0


if __name__ == "__main__":
    sys.exit(main())
