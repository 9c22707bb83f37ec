"""Does what is read of a page tell what it is about?  python benchmarks/meaning.py SHARED

News pages with their body text known (article-bodies, those in English). The direction that a page is judged by (title,
description, prose) and that of each body are taken, both from their mean, and the body most like the page is looked
for: `own` is how often it is the page's own, `like` the mean cosine of the two. Beside it, the title alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import numpy as np

from honeyguide.page import Parser
from honeyguide.text.about import direction, pack
from honeyguide.text.vectors import SIZE, unit


def centred(packed: list[bytes]) -> np.ndarray:
    """Directions as seen from their mean, a row each."""
    rows = np.array([np.frombuffer(one or bytes(SIZE), np.int8) for one in packed], np.float32)
    return unit(rows - rows.mean(axis=0))


def measure(shared: Path) -> dict[str, tuple[int, float, float]]:
    """By what is read: pages, how often the own body is nearest, how like it is."""
    folder = shared / "data" / "article-bodies"
    parser = Parser(structure=False)
    read: dict[str, list[bytes]] = {"page": [], "title": []}
    bodies = []
    for name, gold in sorted(json.loads((folder / "ground-truth.json").read_text("utf-8")).items()):
        page = parser.html(gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes()), gold["url"])
        if page.language == "en":
            read["page"].append(page.meaning)
            read["title"].append(pack(direction(page.title)))
            bodies.append(pack(direction(gold["articleBody"])))
    found = {}
    for what, packed in read.items():
        alike = centred(packed) @ centred(bodies).T
        own = alike.argmax(axis=1) == np.arange(len(bodies))
        found[what] = (len(bodies), float(own.mean()), float(alike.diagonal().mean()))
    return found


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shared", type=Path)
    for what, (size, own, like) in measure(parser.parse_args().shared).items():
        print(f"{what:6} {size} pages  own {own:.3f}  like {like:.3f}")


if __name__ == "__main__":
    main()
