"""The figures of a proof, in one small file each: what was asked, what came out, and whether it had to be so."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import TypedDict

from honeyguide import __version__

__all__ = ["RESULTS", "Line", "write"]

RESULTS = Path(__file__).parent / "results"


class Line(TypedDict):
    """One figure: what it counts, how many there were, how many there must be, and whether that holds."""

    what: str
    figure: str | int | float
    must: str
    ok: bool


def write(name: str, command: str, lines: list[Line], folder: Path = RESULTS) -> int:
    """Write the figures of one proof and show them; returns the exit code: 1 if anything is not as it must be."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = {
        "name": name,
        "command": command,
        "version": __version__,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "lines": lines,
    }
    (folder / f"{name}.json").write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for line in lines:
        print(f"{'ok ' if line['ok'] else 'NOT'}  {line['what']}: {line['figure']} (must be {line['must']})")
    return 0 if lines and all(line["ok"] for line in lines) else 1
