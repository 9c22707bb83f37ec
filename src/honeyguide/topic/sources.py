"""Where lists of words and addresses come from: a text file, a CSV file, a spreadsheet, a database; all become rows."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from honeyguide.errors import TopicError
from honeyguide.topic.database import ask_database, is_database, shown_address
from honeyguide.topic.encodings import decoded
from honeyguide.topic.sheets import LONGEST, MOST_ROWS, is_sheet, read_sheet

__all__ = ["Cell", "ListRows", "read_list"]

Cell = str | float | bool

_LARGEST = 50_000_000  # bytes of a file
_TABLES = (".csv", ".tsv")
_LINE = re.compile("\r\n|\r|\n")
_SHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")


class ListRows(NamedTuple):
    """The rows of a list, each with its number; rows with nothing in them are left out."""

    name: str  # of the source, as it may be shown
    rows: list[tuple[int, list[Cell]]]
    lines: bool = False  # whether each row is a line of plain text, not cells
    columns: list[str] | None = None  # where the source names them by itself
    comma: bool = False  # whether numbers may have a comma in place of the point
    notes: tuple[str, ...] = ()


def read_list(source: str | Path, *, query: str = "", sheet: str = "", encoding: str = "") -> ListRows:
    """The rows of a list, whatever it is kept in; "-" is what is typed."""
    text = str(source)
    if is_database(text):
        found = _from_database(text, query)
    elif query:
        raise TopicError(f"--query is for databases, and {text} is none; write its URL as in 'sqlite:///news.db'")
    else:
        found = _from_file(text, sheet, encoding)
    if not found.rows:
        raise TopicError(f"{found.name} is empty: there is nothing to import")
    if len(found.rows) > MOST_ROWS:
        raise TopicError(f"{found.name} has more than {MOST_ROWS} rows; import a shorter list")
    return found


def _from_database(source: str, query: str) -> ListRows:
    found = ask_database(source, query)
    return ListRows(shown_address(source), list(enumerate(found.rows, 1)), columns=found.columns)


def _from_file(source: str, sheet: str, encoding: str) -> ListRows:
    body = _bytes(source)
    name = "what was typed" if source == "-" else source
    ending = Path(source).suffix.lower()
    if is_sheet(body):
        return _from_sheet(body, name, sheet)
    if ending in _SHEETS:
        raise TopicError(f"{name} is not an Excel file, whatever its name says; save it anew, or name it .csv or .txt")
    if sheet:
        raise TopicError(f"--sheet is for Excel files, and {name} is none")
    text, read_in = decoded(body, name, encoding)
    notes = () if read_in.startswith(("utf", "ascii")) else (f"read as {read_in}",)
    if ending not in _TABLES:
        # "# " begins a remark, "#" a word: #MeToo is one.
        lines = ((number, line.strip()) for number, line in enumerate(_LINE.split(text), 1))
        kept: list[tuple[int, list[Cell]]] = [
            (number, [line[:LONGEST]]) for number, line in lines if line and line != "#" and not line.startswith("# ")
        ]
        return ListRows(name, kept, lines=True, notes=notes)
    sign = max("\t;,", key=text.partition("\n")[0].count)
    return ListRows(name, list(_table(text, sign, name)), comma=sign == ";", notes=notes)


def _bytes(source: str) -> bytes:
    try:
        if source == "-":
            body = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with Path(source).open("rb") as file:
                body = file.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        told = (getattr(error, "strerror", None) or str(error)).lower()
        raise TopicError(f"{source} cannot be read: {told}") from None
    if len(body) > _LARGEST:
        raise TopicError(f"{source} is larger than {_LARGEST // 1_000_000} MB; import a shorter list")
    return body


def _from_sheet(body: bytes, name: str, sheet: str) -> ListRows:
    found = read_sheet(body, name, sheet)
    others = [f"only sheet '{found.sheet}' was read, not: {', '.join(found.others)}"] if found.others else []
    return ListRows(name, [(number, list(cells)) for number, cells in found.rows], notes=tuple(others))


def _table(text: str, sign: str, name: str) -> Iterator[tuple[int, list[Cell]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    while True:
        number = reader.line_num + 1  # a row may have several lines; it is called by its first
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise TopicError(f"{name}: row {number} is no row of a table: {error}; look at its quotes") from None
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield number, [cell.strip()[:LONGEST] for cell in row]
