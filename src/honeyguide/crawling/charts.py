"""What our pages for the eye share: the template house, one look, numbers for people, lines for charts.

A page holds everything it shows and fetches nothing. Names come from users and off the web, so every template escapes
what it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.resources import files
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

import jinja2

from honeyguide.atomic import write_whole
from honeyguide.errors import HoneyguideError

__all__ = ["Tick", "changes", "nice", "path", "percent", "save", "short", "template", "weights"]

_HOME = "honeyguide.crawling"  # where the look that all pages share lies


class Tick(NamedTuple):
    """A gridline: where, and what stands beside it."""

    at: float
    label: str


def template(room: str, name: str, **filters: Callable[..., Any]) -> jinja2.Template:
    """A template that lies beside the code of a room; it may include what the pages share."""

    def source(wanted: str) -> str | None:
        places = (files(package).joinpath(wanted) for package in (room, _HOME))
        return next((place.read_text(encoding="utf-8") for place in places if place.is_file()), None)

    house = jinja2.Environment(
        loader=jinja2.FunctionLoader(source),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    house.filters.update(count=lambda number: f"{number:,}", percent=percent, short=short, **filters)
    return house.get_template(name)


def save(page: str, target: Path, trouble: type[HoneyguideError]) -> None:
    """Write a page whole or not at all."""
    try:
        write_whole(target, page.encode("utf-8", "replace"))
    except OSError as error:
        raise trouble(f"{target} cannot be written: {error.strerror or error}") from None


def percent(share: float) -> str:
    """A share for the eye; small ones with a decimal."""
    return f"{share * 100:.1f} %" if 0 < share < 0.1 else f"{share * 100:.0f} %"


def short(text: Any, most: int = 140) -> str:
    """Text on one line and not too long."""
    plain = " ".join(str(text).split())
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + "…"


def nice(most: int, steps: int) -> list[int]:
    """Round numbers from 0 up to what is needed, about so many.

    >>> nice(1_234, 6)
    [0, 500, 1000]
    """
    rough = max(1.0, most / max(2, steps))
    power = 10 ** int(log10(rough))
    step = int(next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough))
    return list(range(0, most + 1, step))


def path(points: Iterable[tuple[float, float]]) -> str:
    """A line through points, as SVG writes it.

    >>> path([(0, 10), (5.5, 2)])
    'M0,10L5.5,2'
    """
    line = "L".join(f"{x:g},{y:g}" for x, y in points)
    return f"M{line}" if line else ""


def weights(history: Any) -> list[dict[str, Any]]:
    """What a strategy went by over a crawl, a line for each signal, all on one scale; the weightiest at the end first.

    >>> weights({"names": [(5, 1.0), (10, 1.5)], "odd": "no list"})[0]["line"]
    'M0,10L160,2'
    """
    series: dict[str, list[tuple[float, float]]] = {}
    for name, points in (history if isinstance(history, dict) else {}).items():
        try:  # a manifest may have been edited by hand
            series[str(name)] = [(float(at), float(value)) for at, value in points]
        except (TypeError, ValueError):
            continue
    series = {name: points for name, points in series.items() if points}
    first = min((points[0][0] for points in series.values()), default=0.0)
    last = max((points[-1][0] for points in series.values()), default=0.0)
    highest = max((value for points in series.values() for _, value in points), default=0.0) or 1.0
    wide = last - first or 1.0
    shown = [
        {
            "name": name,
            "line": path(
                [(round(160 * (at - first) / wide, 1), round(26 - 24 * value / highest, 1)) for at, value in points]
            ),
            "values": [points[0][1], points[len(points) // 2][1], points[-1][1]],
        }
        for name, points in series.items()
    ]
    return sorted(shown, key=lambda one: -one["values"][-1])


def changes(adapted: Any) -> list[dict[str, Any]]:
    """The changes that a strategy made to what it goes by, as rows; what is none, in a manifest edited by hand, is not.

    >>> changes([[20, "threshold", 0.1, 0.2, "plenty"], "odd"])
    [{'answers': 20, 'what': 'threshold', 'before': 0.1, 'after': 0.2, 'reason': 'plenty'}]
    """
    names = ("answers", "what", "before", "after", "reason")
    kinds = ((int,), (str,), (int, float), (int, float), (str,))
    rows = [row for row in (adapted if isinstance(adapted, list) else []) if isinstance(row, list | tuple)]
    return [
        dict(zip(names, row, strict=True))
        for row in rows
        if len(row) == len(names) and all(isinstance(value, kind) for value, kind in zip(row, kinds, strict=True))
    ]
