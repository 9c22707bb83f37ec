"""Reads one spreadsheet from its standard input and writes its rows, as JSON, to its standard output.

A process of its own, run by `honeyguide.topic.sheets`: a small file may unpack to more than there is memory, and then
only this process is lost. It imports nothing of Honeyguide, so that it starts quickly. Formulas are never worked out:
of a cell that has one, what the program that saved it had shown is read.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import suppress
from datetime import date, time, timedelta
from typing import Any

__all__ = ["main"]

_MOST_COLUMNS = 100
_MOST_SIGNS = 50_000_000  # in all cells: more is no list, and whoever reads this would have to hold it, too


def main(seconds: int, memory: int, rows: int, longest: int, sheet: str) -> None:
    """Read so many rows within so many seconds of CPU time and bytes of memory; beyond them the system ends this."""
    body = sys.stdin.buffer.read()
    with suppress(ImportError, ValueError, OSError):  # not every system has such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.stdout.write(json.dumps(_read(body, rows, longest, sheet)))


def _read(body: bytes, most: int, longest: int, wanted: str) -> dict[str, Any]:
    import python_calamine

    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(body))
        names = book.sheet_names
        if wanted and wanted not in names:
            return {"error": f"it has no sheet {wanted!r}; it has: {', '.join(names)}"}
        for name in [wanted] if wanted else names:
            found, left = [], _MOST_SIGNS
            for number, row in zip(range(1, most + 2), book.get_sheet_by_name(name).iter_rows(), strict=False):
                if any(cell != "" for cell in row):
                    found.append((number, cells := [_cell(cell, longest) for cell in row[:_MOST_COLUMNS]]))
                    left -= sum(len(cell) for cell in cells if isinstance(cell, str))
                if left < 0:
                    return {"error": f"it holds more text than a list would, over {_MOST_SIGNS // 1_000_000} MB"}
            if found:
                return {"sheet": name, "others": [one for one in names if one != name], "rows": found}
    except python_calamine.PasswordError:
        return {"error": "it needs a password"}
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        return {"error": f"it is damaged, or no Excel file ({error})"}
    return {"error": "it holds no rows"}


def _cell(value: Any, longest: int) -> str | float | bool:
    if isinstance(value, date | time | timedelta):
        return f"{value} (a date or time)"
    return value if isinstance(value, bool | int | float) else str(value)[:longest]


if __name__ == "__main__":
    _seconds, _memory, _rows, _longest = map(int, sys.argv[1:5])
    main(_seconds, _memory, _rows, _longest, sys.argv[5])
