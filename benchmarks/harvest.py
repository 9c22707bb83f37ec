"""The true harvest of the demo crawl beside that of breadth-first: python benchmarks/harvest.py [--pages 200]

One by the default strategy, one blind: both crawl the demo web over real HTTP with the budget and pace of
`honeyguide crawl`. Scored by the demo web's own truth, which no strategy and no judge can see.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from honeyguide.api import crawl
from honeyguide.crawling import Settings
from honeyguide.demo import build, demo_topic
from honeyguide.store import Store

DEFAULT = Settings().strategy


def harvest(strategy: str, pages: int, folder: Path) -> int:
    """How many truly relevant pages a strategy fetches."""
    crawl(None, out=folder, strategy=strategy, pages=pages, delay=0.05, careful=False).finish()
    store = Store.open(folder / "crawl.db", read_only=True)
    visited = {store.url(visit.url).url for visit in store.visits()}
    store.close()
    return len(visited & demo_topic(build()).relevant)


def main() -> int:
    """Print the table; fail when the promise of the README is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=200)
    pages = parser.parse_args().pages
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for strategy in (DEFAULT, "breadth-first"):
            found[strategy] = harvest(strategy, pages, Path(folder) / strategy)
            print(
                f"{strategy:<14} {found[strategy]:>4} of {pages} pages truly on topic ({found[strategy] / pages:.0%})"
            )
    ratio = found[DEFAULT] / found["breadth-first"]
    print(f"{DEFAULT} finds {ratio:.2f} times what breadth-first finds")
    return 0 if ratio >= 1.5 else 1


if __name__ == "__main__":
    sys.exit(main())
