"""Spreadsheets as rows: .xlsx, .xls, .xlsb and .ods, read in a process of its own with limits of time and memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec

from honeyguide.errors import TopicError

__all__ = ["LONGEST", "MOST_ROWS", "SheetRows", "is_sheet", "read_sheet"]

MOST_ROWS = 100_000
LONGEST = 5_000  # characters of a cell; no address and no word is longer

_SECONDS = 20  # of CPU time: twenty times what as many honest rows as are read take
_MEMORY = 1_000_000_000
_PATIENCE = 120.0  # seconds by the clock
_CHILD = Path(__file__).with_name("sheet_child.py")
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class SheetRows(msgspec.Struct):
    """What was found in a spreadsheet; `error` says why there is nothing."""

    error: str = ""
    sheet: str = ""
    others: list[str] = []  # sheets that were not read
    rows: list[tuple[int, list[str | float | bool]]] = []  # each with its number, as the spreadsheet counts


def is_sheet(body: bytes) -> bool:
    """Whether these bytes begin as those of a spreadsheet do."""
    return body.startswith((_ZIP, _OLE))


def read_sheet(body: bytes, name: str, sheet: str = "", *, seconds: int = _SECONDS, memory: int = _MEMORY) -> SheetRows:
    """The rows of a sheet, or of the first that has any."""
    words = [sys.executable, "-P", str(_CHILD), *map(str, (seconds, memory, MOST_ROWS, LONGEST)), sheet]
    try:
        done = subprocess.run(words, input=body, capture_output=True, timeout=_PATIENCE, check=False)  # noqa: S603
        found = msgspec.json.decode(done.stdout, type=SheetRows)
    except (msgspec.DecodeError, subprocess.TimeoutExpired):
        found = SheetRows(error="reading it takes more time or memory than a list would, or breaks the reader")
    except (OSError, ValueError) as error:
        found = SheetRows(error=f"it could not be read: {getattr(error, 'strerror', None) or error}")
    if found.error:
        raise TopicError(f"{name} cannot be read as a spreadsheet: {found.error}")
    return found
