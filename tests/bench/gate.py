"""The harvest gate: how well every strategy did in the standard race, and the floor that it must not fall below again.

All forty topics are raced. On ten of them, as it was before, `context-graph` fell below its floor (.305, .313) by a
change that moved its mean over forty from .262 to .260: a floor that chance alone can break tells nothing.

python -m tests.bench.gate            measure, and compare with the floors
python -m tests.bench.gate --raise    lift floors to 0.02 below what is measured; none is ever lowered
                                      names of strategies behind it: measure and lift these alone
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from honeyguide.bench import CEILINGS, Bench, Entry, Outcome, Race
from honeyguide.strategies import known

FLOORS = Path(__file__).with_name("floors.json")
SLACK = 0.02
BLOCK = "/wp/index/|/images/"
Figures = dict[str, dict[str, float]]  # mean AUC/oracle, by start and strategy


def measure(web: Path, names: Sequence[str] = ()) -> Figures:
    """Race all strategies, or some, on all topics, from near and from far."""
    wanted = names or [name for name, kind in known().items() if kind.__module__.startswith("honeyguide.")]
    return {
        start: {row.strategy: row.auc for row in _race(web, start, wanted).summary if row.strategy not in CEILINGS}
        for start in ("near", "far")
    }


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


def main() -> int:
    """Measure and tell; with --raise, write the new floors."""
    names = [word for word in sys.argv[1:] if word != "--raise"]
    measured = measure(Path(__file__).resolve().parents[3] / "shared" / "webs" / "schools", names)
    before = floors() if FLOORS.is_file() else {}
    fallen = 0
    for start, found in measured.items():
        for name, auc in found.items():
            floor = before.get(start, {}).get(name)
            low = floor is not None and auc < floor
            fallen += low
            print(f"{start:<5} {name:<18} {auc:.3f}  floor {floor if floor is not None else 'none'}{'  FALLEN' * low}")
    if "--raise" in sys.argv[1:]:
        FLOORS.write_text(json.dumps(raised(before, measured), indent=1) + "\n", encoding="utf-8")
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
