"""The race for the eye: one HTML page that opens from disk, can be mailed and can be printed.

The page holds everything it shows, fetches nothing and runs nothing. Names of strategies and topics come from users,
so the template escapes all it is given, and a content security policy forbids the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from markupsafe import Markup

from honeyguide.bench.drawing import harvest_chart, precision_chart, topic_chart
from honeyguide.bench.figures import FLOOR, SHARES, SURE, Figures, RaceShown
from honeyguide.bench.race import LABELS_KNOWN, ORACLE
from honeyguide.crawling.charts import save, template
from honeyguide.errors import BenchError

__all__ = ["write_page"]

_COLOURS = 12
_DASHES = 3
_ROWS = 10  # rows of the tables behind the curves


def write_page(path: Path, races: Sequence[RaceShown]) -> None:
    """Write the page of one race, or of two on the same web: from near and from far."""
    if not races:
        raise BenchError("a race's page needs a race")
    shown = [Figures(race) for race in races]
    styles = _styles(shown)
    page = template("honeyguide.bench", "race.html.jinja", three=_three, p=_p, signed=_signed, breaks=_breaks).render(
        {
            "web": _web_name(shown[0]),
            "names": [(name, style) for name, style in styles.items()],
            "races": [_race(figures, styles) for figures in shown],
            "sure": SURE,
            "version": version("honeyguide"),
        }
    )
    save(page, path, BenchError)


def _web_name(figures: Figures) -> str:
    """The web as people call it; where it lies on this machine is nobody's business."""
    given = Path(figures.outcome.web)
    return given.resolve().name if given.name in ("", ".", "..") else given.name


def _styles(shown: list[Figures]) -> dict[str, str]:
    """The classes that give each strategy its colour and dash, the same in all races of the page."""
    styles = {ORACLE: "s oracle"}
    if any(one.strategy == LABELS_KNOWN for figures in shown for one in figures.standings):
        styles[LABELS_KNOWN] = "s oracle known"
    raced = [name for figures in shown for name in figures.raced if name != FLOOR]
    for number, name in enumerate(dict.fromkeys(raced)):
        styles[name] = f"s s{number} c{number % _COLOURS} d{number // (_COLOURS // 2) % _DASHES}"
    if any(FLOOR in figures.raced for figures in shown):
        styles[FLOOR] = "s floor"
    return styles


def _race(figures: Figures, styles: dict[str, str]) -> dict[str, Any]:
    """All that the template shows of one race."""
    outcome = figures.outcome
    standings = figures.standings
    return {
        "outcome": outcome,
        "figures": figures,
        "styles": styles,
        "standings": standings,
        "knows": any(one.strategy == LABELS_KNOWN for one in standings),
        "leader": next((one for one in standings if not one.is_ceiling), None),
        "slowest": max((one.ms or 0.0 for one in standings), default=0.0) or 1.0,
        "widest": max(1.0, *(value for one in standings for value in one.aucs)),
        "charts": [harvest_chart(figures, styles), harvest_chart(figures, styles, slim=True)],
        "precision": precision_chart(figures, styles),
        "steps": range(SHARES // _ROWS, SHARES + 1, SHARES // _ROWS),
        **_duels(figures),
        "topics": [topic_chart(figures, topic, styles) for topic in figures.topics],
        "above": figures.above_oracle(),
    }


def _duels(figures: Figures) -> dict[str, Any]:
    duels = figures.duels()
    topics = len(figures.topics)
    rest = figures.raced[1:]
    return {
        "duels": duels,
        "pairs": len(duels) // 2,
        "smallest_p": 2.0 ** (1 - topics),
        "beaten": [name for name in rest if duels[figures.raced[0], name].sure],
        "unsure": [name for name in rest if not duels[figures.raced[0], name].sure],
    }


def _three(value: float) -> str:
    return f"{value:.3f}"


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def _p(value: float) -> str:
    """A p value; never rounded to nothing."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _breaks(text: str) -> Markup:
    """A name that a narrow column may break where people would break it."""
    return Markup("<wbr>").join(re.split(r"(?<=[/_.:(-])", text))
