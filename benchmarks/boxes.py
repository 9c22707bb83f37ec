"""Do the boxes of a real browser tell noise better than the markup alone?  `python benchmarks/boxes.py [--json]`

The pages of noise.json (see blocks.py), each laid out in a headless Chromium: noise against the rest by markup and by
boxes, for the half of the pages that was looked at while the rules were written and for the other. The saved pages have
no style sheets but what stands in them, and none is fetched. Then every third page of article-bodies: the words of its
blocks of text beside those of the article. Then what it costs: CPU time of a page that is cut by its markup, and of one
for which a browser is started, or which one that is there already lays out.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from blocks import ADDRESS, LABELS, SHARED, noise, read, roles

from honeyguide.page.boxes import lay_out
from honeyguide.page.chromium import Chromium
from honeyguide.page.snapshot import Boxes
from honeyguide.page.structure import structure


def spent() -> float:
    """Seconds of CPU time of this process, and of the processes (and those that ended) of the browser it started."""
    members: dict[int, list[str]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            members[int(place.name)] = (place / "stat").read_text().rpartition(")")[2].split()
    ours = {number for number, told in members.items() if int(told[1]) == os.getpid()}
    sessions = {number for number, told in members.items() if int(told[1]) in ours}  # a browser leads its own
    ticks = sum(sum(map(int, told[11:15])) for told in members.values() if int(told[3]) in sessions)
    return ticks / os.sysconf("SC_CLK_TCK") + time.process_time()


async def started(bodies: dict[str, bytes]) -> tuple[dict[str, Boxes], float]:
    """The boxes of pages, a browser for each, and the CPU time they took."""
    found, seconds = {}, 0.0
    for name, body in bodies.items():
        begun = time.process_time()
        async with Chromium() as browser:
            found[name] = await lay_out(body, ADDRESS, browser=browser)
            seconds += spent() - begun
    return found, seconds


async def by_one(bodies: dict[str, bytes]) -> tuple[dict[str, Boxes], float]:
    """The boxes of pages, one browser for all, and the CPU time they took, without that of its start."""
    async with Chromium(seconds=900) as browser:
        await lay_out(b"", ADDRESS, browser=browser)
        begun = spent()
        found = {name: await lay_out(body, ADDRESS, browser=browser) for name, body in bodies.items()}
        return found, spent() - begun


async def texts(shared: Path) -> dict[str, dict[str, float]]:
    """Precision and recall of the words in blocks of text, and the mean of their F1, by markup and by boxes."""
    folder = shared / "data" / "article-bodies"
    known = json.loads((folder / "ground-truth.json").read_text())
    pages = [path for path in sorted((folder / "html").glob("*.gz"))[::3] if path.name.split(".")[0] in known]
    found: dict[str, list[tuple[float, float, float]]] = {"markup": [], "boxes": []}
    async with Chromium(seconds=900) as browser:
        for path in pages:
            body, gold = read(path), Counter(known[path.name.split(".")[0]]["articleBody"].split())
            for how, boxes in (("markup", None), ("boxes", await lay_out(body, ADDRESS, browser=browser))):
                words = Counter(" ".join(structure(body, boxes=boxes).texts("body")).split())
                hits = (words & gold).total()
                precision, recall = hits / max(1, words.total()), hits / max(1, gold.total())
                found[how].append((precision, recall, 2 * precision * recall / max(1e-9, precision + recall)))
    return {
        f"text, by {how}": {"pages": len(pages)}
        | dict(
            zip(("precision", "recall", "f1"), (sum(of) / len(pages) for of in zip(*rows, strict=True)), strict=True)
        )
        for how, rows in found.items()
    }


def by_markup(bodies: dict[str, bytes]) -> float:
    """The CPU time that pages take to be cut by their markup, the second time, when all is loaded."""
    for _ in range(2):
        begun = time.process_time()
        for body in bodies.values():
            roles(body)
        seconds = time.process_time() - begun
    return seconds


def labelled(shared: Path) -> dict[str, bytes]:
    """The pages whose links were told apart by hand."""
    labels = json.loads(LABELS.read_text())["pages"]
    return {label["page"]: read(shared / "data" / label["page"]) for label in labels}


def figures_of(shared: Path) -> dict[str, Any]:
    """All of it, by set."""
    bodies = labelled(shared)
    boxes, start = asyncio.run(started(bodies))
    figures: dict[str, Any] = {}
    for how, given in (("markup", None), ("boxes", boxes)):
        for half, scores in noise(shared, given).items():
            del scores["misses"]
            figures[f"{half}, by {how}"] = scores
    figures |= asyncio.run(texts(shared))
    plain, one, count = by_markup(bodies), asyncio.run(by_one(bodies))[1], len(bodies)
    for how, seconds in (("markup", plain), ("a browser for each", start), ("one browser for all", one)):
        figures[f"cost, {how}"] = {"CPU seconds a page": seconds / count, "times that of markup": seconds / plain}
    return figures


def main() -> None:
    """Measure and print."""
    for name, figures in figures_of(SHARED).items():
        if "--json" in sys.argv:
            print(json.dumps({"set": name, **{what: round(value, 4) for what, value in figures.items()}}))
        else:
            print(f"{name:26}", "  ".join(f"{what} {value:.4g}" for what, value in figures.items()))


if __name__ == "__main__":
    main()
