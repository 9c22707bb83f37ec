"""What looking ahead is worth: python benchmarks/look_ahead.py SHARED [--half choose|report|all] [--web schools|campus]

Races immediate, future and bloch, near and far, on the topics of one half (`halves.json`: settings were chosen on the
first, figures are claimed of the second) and prints

- AUC/oracle of each, and bloch against the better of the two that it mixes, on the mean and topic by topic;
- the share of future value that bloch had learnt by the end of each quarter, near and far;
- precision and recall after each tenth of the budget, means over topics.

With `--draws N` each topic is raced N times more, each time with other examples, drawn from its pages, and other far
starts, drawn from the articles that are two links or more away from it; the last lines are of all draws together.
Twenty topics say little of who is close to whom on one of them: which page first shows the way is chance.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from draws import draw_topics
from guide import BLOCKS, HALVES

from honeyguide.bench import Bench, Entry, Race, Result, paired

__all__ = ["at_shares", "learnt", "shortfall"]

MIXED = ("immediate", "future")
WHOLE = "bloch"
NAMES = (*MIXED, WHOLE)
CLOSE = 0.05  # AUC/oracle that bloch may lie below the better of the two on a topic


def at_shares(curve: Sequence[int], truth: int, steps: int = 10) -> list[tuple[float, float]]:
    """Precision and recall after each step of the budget.

    >>> at_shares([1, 1, 2, 2], 4, steps=2)
    [(0.5, 0.25), (0.5, 0.5)]
    """
    places = [max(1, round(len(curve) * step / steps)) for step in range(1, steps + 1)]
    return [(curve[place - 1] / place, curve[place - 1] / truth) for place in places]


def learnt(history: dict[str, list[tuple[int, float]]], steps: int = 4) -> list[float]:
    """The share of future value at the end of each step of a run.

    >>> learnt({"future value": [(0, 0.3), (10, 0.4), (20, 0.6)]}, steps=2)
    [0.4, 0.6]
    """
    points = next(points for name, points in history.items() if name.startswith("future"))
    last = points[-1][0]
    return [
        [share for count, share in points if count <= last * step / steps or count == points[0][0]][-1]
        for step in range(1, steps + 1)
    ]


def means(rows: Sequence[Sequence[float]]) -> list[float]:
    """The mean of each column."""
    return [sum(column) / len(column) for column in zip(*rows, strict=True)]


def shortfall(gaps: Sequence[float]) -> str:
    """How far bloch lies below the better of the two, by what it has more, topic by topic.

    >>> shortfall([0.1, -0.02, -0.12, 0.04])
    'within 0.05 on 3 of 4 (75%); below it by 0.035 on the mean, 0.12 at the most'
    """
    near = sum(gap >= -CLOSE for gap in gaps)
    below = [max(0.0, -gap) for gap in gaps]
    return (
        f"within {CLOSE} on {near} of {len(gaps)} ({near / len(gaps):.0%}); "
        f"below it by {sum(below) / len(gaps):.3f} on the mean, {max(below):.2f} at the most"
    )


def compare(found: dict[str, dict[str, Result]]) -> dict[str, list[float]]:
    """AUC/oracle of each, and bloch against the better of what it mixes."""
    topics = list(found[WHOLE])
    auc = {name: [found[name][topic].auc for topic in topics] for name in NAMES}
    for name in NAMES:
        cost = 1_000 * sum(one.seconds for one in found[name].values()) / sum(one.pages for one in found[name].values())
        print(f"  {name:<10} {sum(auc[name]) / len(topics):.3f}  {cost:5.2f} ms/page", flush=True)
    better = max(MIXED, key=lambda name: sum(auc[name]))
    test = paired(auc[WHOLE], auc[better])
    print(f"  {WHOLE} {test.difference:+.3f} to {better} (p {test.p:.4f}, won {test.won} of {test.topics})")
    gaps = {topic: auc[WHOLE][place] - max(auc[name][place] for name in MIXED) for place, topic in enumerate(topics)}
    near = sum(gap >= -CLOSE for gap in gaps.values())
    print(f"  within {CLOSE} of the better of the two, topic by topic, on {near} of {len(topics)}", end="")
    far = ", ".join(f"{topic} {gap:+.2f}" for topic, gap in gaps.items() if gap < -CLOSE)
    print(f"; not on {far}" if far else "")
    return auc


def race_draws(shared: Path, web: str, start: Any, half: str, most: int, draws: int) -> None:
    """Race one start, as it is and with other examples and far starts, and print the figures of all together."""
    found = [race(shared, web, start, half, most)]
    chosen = topics_of(web, half, most)
    with tempfile.TemporaryDirectory(prefix="honeyguide-draws-") as folder:
        for draw in range(1, draws + 1):
            file = Path(folder) / f"{draw}.jsonl"
            draw_topics(shared / "webs" / web, chosen, BLOCKS[web], draw, file)
            found.append(race(shared, web, start, f"{half}, draw {draw}", most, chosen, str(file)))
    if draws:
        auc = {name: np.concatenate([one[name] for one in found]) for name in NAMES}
        told = ", ".join(f"{name} {auc[name].mean():.3f}" for name in NAMES)
        gaps = auc[WHOLE] - np.maximum(*(auc[name] for name in MIXED))
        print(f"{web}, {start}, {half}, {len(found)} draws: {told}")
        print(f"  {WHOLE} to the better of the two, topic by topic: {shortfall(gaps.tolist())}")


def topics_of(web: str, half: str, most: int) -> list[str]:
    """The topics of a half, or the first so many."""
    chosen = [topic for part in HALVES[web] if half in (part, "all") for topic in HALVES[web][part]]
    return chosen[:most] if most else chosen


def race(
    shared: Path, web: str, start: Any, half: str, most: int, chosen: Sequence[str] = (), topics: str = ""
) -> dict[str, list[float]]:
    """Race one start and print all figures."""
    bench = Bench(
        Race(
            web=str(shared / "webs" / web),
            strategies=tuple(map(Entry, NAMES)),
            start=start,
            block=BLOCKS[web],
            only=tuple(chosen or topics_of(web, half, most)),
            topics=topics,
        )
    )
    found: dict[str, dict[str, Result]] = {name: {} for name in NAMES}
    for one in bench.run():
        if one.strategy in found:
            found[one.strategy][one.topic] = one
    print(f"{web}, {start}, {half}: {len(found[WHOLE])} topics", flush=True)
    auc = compare(found)
    shares = means([learnt(bench.histories[WHOLE, topic]) for topic in found[WHOLE]])
    print(f"  share of future value after each quarter: {', '.join(f'{one:.2f}' for one in shares)}")
    print("  of the budget   " + "".join(f"{tenth:>12} %" for tenth in range(10, 101, 10)))
    for name in NAMES:
        rows = [at_shares(bench.curves[name, topic], bench.truths[topic]) for topic in found[name]]
        for kind, label in enumerate(("precision", "recall")):
            told = means([[both[kind] for both in row] for row in rows])
            print(f"  {name + ' ' + label:<20}" + "".join(f"{one:>9.3f}     " for one in told).rstrip())
    return auc


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, help="the folder that holds webs/schools and webs/campus")
    parser.add_argument("--half", choices=("choose", "report", "all"), default="report")
    parser.add_argument("--web", choices=("schools", "campus"), default="schools")
    parser.add_argument("--most", type=int, default=0, help="race on the first so many topics only")
    parser.add_argument("--starts", default="near,far", help="which starts to race from")
    parser.add_argument("--draws", type=int, default=0, help="races more with other examples and far starts")
    given = parser.parse_args()
    for start in given.starts.split(","):
        race_draws(given.shared, given.web, start, given.half, given.most, given.draws)
    return 0


if __name__ == "__main__":
    sys.exit(main())
