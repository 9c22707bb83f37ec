"""What does each rule for title, source and authors bring?  python benchmarks/fields_rules.py SHARED

Each rule is left out in turn, and the pages of fields.py are judged again: printed is how many right answers that
costs, on the half it was written on and on the other. What brings nothing on the other half must mend pages that are in
neither, or go.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

from fields import FIELDS, HALVES, measure

from honeyguide.page import metadata, names, sources, titles

NEVER = re.compile(r"(?!)")
RULES: dict[str, tuple[Any, str, Any]] = {
    "the heading before the tags": (titles, "_is_headline", lambda *_: False),
    "a line that repeats the title is a heading": (metadata, "_ECHO", 9.0),
    "a date that WeChat's script knows": (
        metadata, "_SCRIPTED", re.compile(metadata._SCRIPTED.pattern.replace("|var ct", ""), re.IGNORECASE),
    ),
    "a name beside the date": (sources, "_beside_date", lambda _: ()),
    "a date without a year, a button to follow": (sources, "_WHEN", NEVER),
    "what the title tag adds": (sources, "_after_title", lambda _: ()),
    "a site's name without its tagline": (sources, "_TAGLINE", NEVER),
    "software is no source": (sources, "_SOFTWARE", frozenset()),
    "the innermost byline": (names, "_innermost", list),
    **{
        f"Chinese reporters, shape {place + 1}": (
            names, "_HAN_WRITERS", names._HAN_WRITERS[:place] + names._HAN_WRITERS[place + 1 :],
        )
        for place in range(len(names._HAN_WRITERS))
    },
}  # fmt: skip


def figures(shared: Path) -> dict[tuple[str, str], int]:
    """The right answers of each half and field."""
    counts = measure(shared).counts
    return {
        (half, field): sum(counts[language, half, field]["right"] for language in ("en", "zh"))
        for half in HALVES
        for field in FIELDS
    }


def main() -> None:
    """Print a line a rule: what its absence changes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("shared", type=Path)
    shared = parser.parse_args().shared
    whole = figures(shared)
    print(f"{'':44}" + "".join(f"{half} {field}".rjust(18) for half, field in whole))
    print(f"{'all rules':44}" + "".join(f"{right:18}" for right in whole.values()))
    for name, (module, attribute, instead) in RULES.items():
        with patch.object(module, attribute, instead):
            now = figures(shared)
        print(f"{name:44}" + "".join(f"{now[cell] - whole[cell]:+18}" for cell in whole))


if __name__ == "__main__":
    main()
