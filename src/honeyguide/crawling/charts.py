"""What our pages for the eye share: the template house, one look, numbers for people, lines for charts.

A page holds everything it shows and fetches nothing. Names come from users and off the web, so every template escapes
what it is given.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from importlib.resources import files
from math import log10
from pathlib import Path
from typing import Any, NamedTuple

import jinja2

from honeyguide.errors import HoneyguideError

__all__ = ["Tick", "nice", "path", "percent", "save", "short", "template"]

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
    fresh = target.with_name(f".{target.stem}.{os.getpid()}.part")
    try:
        fresh.write_text(page, encoding="utf-8", errors="replace")
        fresh.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):  # on a read-only disk even this is refused
            fresh.unlink(missing_ok=True)
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
