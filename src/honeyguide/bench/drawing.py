"""The charts of a race's page, worked out to the pixel; the template only writes them down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from honeyguide.bench.figures import SHARES, Figures, Standing
from honeyguide.crawling.charts import Tick, path, percent, short

__all__ = ["harvest_chart", "precision_chart", "topic_chart"]

Point = tuple[float, float]

_GAP = 15  # pixels between two labels, so that both can be read
_POINTS = 50  # points of a curve in a small chart


class Curve(NamedTuple):
    """A line of a chart, and the label at its end."""

    style: str
    name: str
    line: str
    end: Point
    label: str
    label_at: float


class _Frame(NamedTuple):
    """Where a chart lies on its canvas; both axes run from 0 to 1."""

    width: int
    height: int
    left: int = 48
    right: int = 140  # room for the labels
    top: int = 26
    bottom: int = 46

    def at(self, x: float, y: float) -> Point:
        wide, high = self.width - self.left - self.right, self.height - self.top - self.bottom
        return round(self.left + wide * x, 1), round(self.top + high * (1 - y), 1)

    def ticks(self, steps: int = 5) -> dict[str, Any]:
        parts = [step / steps for step in range(steps + 1)]
        return {
            "x_ticks": [Tick(self.at(part, 0)[0], percent(part)) for part in parts],
            "y_ticks": [Tick(self.at(0, part)[1], percent(part)) for part in parts],
        }

    def sides(self) -> dict[str, Any]:
        left, base = self.at(0, 0)
        right, top = self.at(1, 1)
        return {
            "width": self.width, "height": self.height, "left": left, "right": right, "top": top, "base": base,
        }  # fmt: skip


def harvest_chart(figures: Figures, styles: Mapping[str, str], *, slim: bool = False) -> dict[str, Any]:
    """Mean recall over the share of the budget spent; above the oracle and below the floor the ground is shaded."""
    frame = _Frame(430, 400, right=122) if slim else _Frame(980, 430, right=190)
    points = {
        one.strategy: [frame.at(place / SHARES, share) for place, share in enumerate(one.found)]
        for one in figures.standings
    }
    left, base = frame.at(0, 0)
    right, top = frame.at(1, 1)
    oracle = next((points[one.strategy] for one in figures.standings if one.is_oracle), [])
    floor = next((points[one.strategy] for one in figures.standings if one.is_floor), [])
    told = {one.strategy: _label(one, slim=slim) for one in figures.standings}
    return {
        **frame.sides(),
        **frame.ticks(),
        "ceiling": f"{path(oracle)}L{right:g},{top:g}L{left:g},{top:g}Z" if oracle else "",
        "floor": f"{path(floor)}L{right:g},{base:g}Z" if floor else "",
        "curves": _curves(figures.standings, points, told, styles, frame),
        "x_title": "share of the budget spent →",
        "y_title": "share of the relevant pages found",
    }


def precision_chart(figures: Figures, styles: Mapping[str, str]) -> dict[str, Any]:
    """Mean precision against mean recall, both after the same share of the budget."""
    frame = _Frame(470, 430, left=44, right=128)
    points = {
        one.strategy: [frame.at(*point) for point in zip(one.found[1:], one.precision, strict=True)]
        for one in figures.standings
    }
    told = {one.strategy: short(one.strategy, 15) for one in figures.standings}
    return {
        **frame.sides(),
        **frame.ticks(),
        "ceiling": "",
        "floor": "",
        "curves": _curves(figures.standings, points, told, styles, frame),
        "x_title": "recall →",
        "y_title": "precision",
    }


def topic_chart(figures: Figures, topic: str, styles: Mapping[str, str]) -> dict[str, Any]:
    """The harvest on one topic, small."""
    frame = _Frame(220, 150, left=8, right=8, top=8, bottom=8)
    truth = figures.truths[topic]
    curves = []
    for one in reversed(figures.standings):  # the best is drawn last, on top
        grown = figures.curves[one.strategy, topic]
        places = sorted({round(step * len(grown) / _POINTS) for step in range(_POINTS + 1)})
        line = [frame.at(place / len(grown), grown[place - 1] / truth if place else 0.0) for place in places]
        curves.append(Curve(styles[one.strategy], one.strategy, path(line), line[-1], "", 0.0))
    return {
        **frame.sides(),
        **frame.ticks(2),
        "topic": topic,
        "truth": truth,
        "budget": len(figures.curves[figures.standings[0].strategy, topic]),
        "winners": figures.winners(topic),
        "best": figures.best(topic),
        "curves": curves,
    }


def _label(one: Standing, *, slim: bool) -> str:
    return short(one.strategy, 15) if slim else f"{short(one.strategy, 22)} {percent(one.recall)}"


def _curves(
    standings: Sequence[Standing],
    points: Mapping[str, list[Point]],
    told: Mapping[str, str],
    styles: Mapping[str, str],
    frame: _Frame,
) -> list[Curve]:
    ends = [points[one.strategy][-1] for one in standings]
    heights = _apart([end[1] for end in ends], frame.top, frame.height - frame.bottom)
    found = [
        Curve(styles[one.strategy], one.strategy, path(points[one.strategy]), end, told[one.strategy], height)
        for one, end, height in zip(standings, ends, heights, strict=True)
    ]
    return found[::-1]  # the best is drawn last, on top


def _apart(wanted: list[float], top: float, bottom: float) -> list[float]:
    """Heights for labels, as near as may be to where they are wanted and none on top of another.

    >>> _apart([50.0, 52.0, 90.0], 0, 100)
    [43.5, 58.5, 90.0]
    """
    gap = min(_GAP, (bottom - top) / max(1, len(wanted) - 1))
    heaps: list[list[int]] = []  # labels that touch move together, their middle where they would like it

    def first(heap: list[int]) -> float:
        middle = sum(wanted[label] for label in heap) / len(heap)
        room = gap * (len(heap) - 1)
        return min(max(top, middle - room / 2), bottom - room)

    for label in sorted(range(len(wanted)), key=lambda label: wanted[label]):
        heaps.append([label])
        while len(heaps) > 1 and first(heaps[-1]) < first(heaps[-2]) + gap * len(heaps[-2]):
            late = heaps.pop()
            heaps[-1] += late
    places = [0.0] * len(wanted)
    for heap in heaps:
        for place, label in enumerate(heap):
            places[label] = round(first(heap) + gap * place, 1)
    return places
