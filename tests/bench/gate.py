"""The harvest gate: how well every strategy did in the standard race, and the floor that it must not fall below again.

All forty topics are raced. On ten of them, as it was before, `context-graph` fell below its floor (.305, .313) by a
change that moved its mean over forty from .262 to .260: a floor that chance alone can break tells nothing. So a mean
below its floor is a fall where chance would hardly show it, topic by topic beside the race on record, record.json,
which stays as it is: beside one that is made anew with every race no loss would ever show.
`hits` from far lost .4 on three topics of forty, and nothing on others, when what is read of pages changed a little.

python -m tests.bench.gate            measure, and compare with the floors
python -m tests.bench.gate --raise    lift floors to 0.02 below what is measured; none is ever lowered; a strategy that
                                      is not on record yet gets its place there
                                      names of strategies behind it: measure and lift these alone
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from honeyguide.bench import CEILINGS, Bench, Entry, Outcome, Race, paired
from honeyguide.strategies import known

FLOORS = Path(__file__).with_name("floors.json")
SLACK = 0.02
BLOCK = "/wp/index/|/images/"
LUCK = 0.05  # a loss that chance shows as often is none
RECORD = Path(__file__).with_name("record.json")
Figures = dict[str, dict[str, float]]  # mean AUC/oracle, by start and strategy
Topics = dict[str, dict[str, dict[str, float]]]  # AUC/oracle by start, strategy and topic


def measure(web: Path, names: Sequence[str] = ()) -> Topics:
    """Race all strategies, or some, on all topics, from near and from far."""
    wanted = names or [name for name, kind in known().items() if kind.__module__.startswith("honeyguide.")]
    found: Topics = {}
    for start in ("near", "far"):
        found[start] = {name: {} for name in wanted}
        for one in _race(web, start, wanted).results:
            if one.strategy not in CEILINGS:
                found[start][one.strategy][one.topic] = one.auc
    return found


def means(found: Topics) -> Figures:
    """The mean of each strategy."""
    return {
        start: {name: fmean(topics.values()) for name, topics in strategies.items()}
        for start, strategies in found.items()
    }


def on_record(start: str, name: str) -> dict[str, float]:
    """What a strategy found in the race on record, by topic."""
    told: Topics = json.loads(RECORD.read_text(encoding="utf-8"))
    return told[start].get(name, {})


def has_fallen(floor: float, now: dict[str, float], before: dict[str, float]) -> bool:
    """Whether a strategy is below its floor, and not by chance."""
    if fmean(now.values()) >= floor:
        return False
    shared = sorted(now.keys() & before.keys())
    return not shared or paired([before[one] for one in shared], [now[one] for one in shared]).p < LUCK


def _race(web: Path, start: str, names: Sequence[str]) -> Outcome:
    race = Race(web=str(web), start=start, block=BLOCK, strategies=tuple(map(Entry, names)))
    bench = Bench(race)
    return bench.outcome(list(bench.run()))


def floors() -> Figures:
    """The floors as they stand."""
    told: Figures = json.loads(FLOORS.read_text(encoding="utf-8"))
    return told


def raised(old: Figures, measured: Figures) -> Figures:
    """The floors after a measurement: lifted where it was better, never lowered."""
    lifted: Figures = {}
    for start, found in measured.items():
        floors = dict(old.get(start, {}))
        for name, auc in found.items():
            floors[name] = max(round(max(0.0, auc - SLACK), 3), floors.get(name, 0.0))
        lifted[start] = dict(sorted(floors.items()))
    return lifted


def recorded(old: Topics, measured: Topics) -> Topics:
    """The race on record, with the strategies that were not on it; what stands there stays."""
    return {start: {**measured.get(start, {}), **old.get(start, {})} for start in {**old, **measured}}


def main() -> int:
    """Measure and tell; with --raise, write the new floors."""
    names = [word for word in sys.argv[1:] if word != "--raise"]
    topics = measure(Path(__file__).resolve().parents[3] / "shared" / "webs" / "schools", names)
    measured, before = means(topics), floors() if FLOORS.is_file() else {}
    fallen = 0
    for start, found in measured.items():
        for name, auc in found.items():
            floor = before.get(start, {}).get(name)
            low = floor is not None and has_fallen(floor, topics[start][name], on_record(start, name))
            fallen += low
            print(f"{start:<5} {name:<18} {auc:.3f}  floor {floor if floor is not None else 'none'}{'  FALLEN' * low}")
    if "--raise" in sys.argv[1:]:
        FLOORS.write_text(json.dumps(raised(before, measured), indent=1) + "\n", encoding="utf-8")
        kept = recorded(json.loads(RECORD.read_text(encoding="utf-8")), topics)
        RECORD.write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
