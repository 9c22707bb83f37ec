"""Who crosses a bridge that looks like nothing: python benchmarks/tunnel.py [--seeds 21-28] [--share 0.6667]

The coast of the demo web can be reached only over an article in the town and one in the archive that nobody else links;
neither is about the topic. On demo webs of several seeds each strategy may visit the same share of the web, and it is
told how many visits it made before it came to the coast, if it did, and how many had come there by smaller budgets: two
visits for each page that is truly on topic, as in a race, three, and so on. Those that learn are tried as they are, and
taught by a demo web of another seed (`--learn-from`), as the paper's were by a training crawl.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import statistics
import sys
import tempfile
from pathlib import Path

import msgspec

from honeyguide.api import demo_topic
from honeyguide.crawling import Crawl, Settings
from honeyguide.demo import build, write_web
from honeyguide.demo import demo_topic as choose_topic
from honeyguide.store import Folder, Store

__all__ = ["arrival", "by_budgets", "sooner", "told"]

COAST = "http://coast.demo.test/"
LOOKING = "immediate"
AHEAD = ("future", "bloch")
TEACHER = 1_000  # the seed of the demo web that teaches is so much higher


def arrival(urls: list[str], place: str = COAST) -> int | None:
    """After how many visits a crawl first came to a place.

    >>> arrival(["http://news.demo.test/", "http://coast.demo.test/notes/1"]), arrival([])
    (2, None)
    """
    return next((number for number, url in enumerate(urls, 1) if url.startswith(place)), None)


def told(arrivals: list[int | None]) -> str:
    """How many came, and after how many visits, the median.

    >>> told([300, None, 200])
    '2 of 3, after 250 visits'
    """
    came = [one for one in arrivals if one is not None]
    after = f", after {statistics.median(came):.0f} visits" if came else ""
    return f"{len(came)} of {len(arrivals)}{after}"


def by_budgets(arrivals: list[int | None], truths: list[int], most: int) -> list[int]:
    """How many had come by two visits for each true page of their web, by three, and so on up to `most`.

    >>> by_budgets([190, None, 300], [98, 98, 100], most=4)
    [1, 2, 2]
    """
    pairs = list(zip(arrivals, truths, strict=True))
    return [sum((one or math.inf) <= visits * truth for one, truth in pairs) for visits in range(2, most + 1)]


def sooner(arrivals: list[int | None], others: list[int | None]) -> int:
    """On how many webs it came before the other, or came while the other did not.

    >>> sooner([300, None, 200], [310, 400, None])
    2
    """
    return sum((one or math.inf) < (other or math.inf) for one, other in zip(arrivals, others, strict=True))


def crawl(place: Path, seed: int, strategy: str, pages: int, *, taught: bool) -> int | None:
    """Crawl the demo web of a seed; after how many visits it came to the coast."""
    found = choose_topic(build(seed))
    topic = msgspec.structs.replace(demo_topic(), examples=found.examples, starts=found.starts)
    settings = Settings(
        web=str(place / str(seed)),
        strategy=strategy,
        pages=pages,
        careful=False,
        warc=False,
        choosy=0.0,  # so that a smaller budget would have had the same visits
        learn_from=(str(place / str(seed + TEACHER)),) if taught else (),
    )
    with tempfile.TemporaryDirectory(dir=place) as folder:
        one = Crawl(Folder(Path(folder) / "crawl"), topic, settings)
        one.create()
        asyncio.run(one.run())
        store = Store.open(Folder(Path(folder) / "crawl").database, read_only=True)
        urls = [store.url(visit.url).url for visit in store.visits()]
        store.close()
    return arrival(urls)


def main() -> int:
    """Print a line a seed, and how many crossed over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="21-28", help="from-to")
    parser.add_argument("--share", type=float, default=2 / 3, help="of the pages of the web that may be visited")
    parser.add_argument("--untaught", action="store_true", help="leave out those that are taught by another web")
    given = parser.parse_args()
    first, last = map(int, given.seeds.split("-"))
    entries = [(LOOKING, False), *((name, False) for name in AHEAD)]
    if not given.untaught:
        entries += [(name, True) for name in AHEAD]
    found: dict[tuple[str, bool], list[int | None]] = {entry: [] for entry in entries}
    truths: list[int] = []
    with tempfile.TemporaryDirectory(prefix="honeyguide-tunnel-") as folder:
        for seed in range(first, last + 1):
            web = build(seed)
            pages = round(given.share * len(web.pages))
            truths.append(len(choose_topic(web).relevant))
            write_web(Path(folder) / str(seed), web)
            write_web(Path(folder) / str(seed + TEACHER), build(seed + TEACHER))
            for entry in entries:
                found[entry].append(crawl(Path(folder), seed, entry[0], pages, taught=entry[1]))
            cells = [f"{name}{' taught' * taught} {found[name, taught][-1] or '-'}" for name, taught in entries]
            print(f"seed {seed}, {pages} visits: {', '.join(cells)}", flush=True)
    for (name, taught), arrivals in found.items():
        print(f"{name}{' taught' * taught}: came to the coast on {told(arrivals)}")
        came = ", ".join(map(str, by_budgets(arrivals, truths, pages // max(truths))))
        print(f"  by two visits for each true page, by three, …: {came}")
        if name != LOOKING:
            without = found[LOOKING, False]
            missed = [one for one, other in zip(arrivals, without, strict=True) if other is None]
            print(f"  where {LOOKING} did not: {told(missed)}")
            print(f"  sooner than {LOOKING}: on {sooner(arrivals, without)} of {len(arrivals)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
