"""Records as lines and tables: JSON lines, CSV, Excel, Parquet."""

from __future__ import annotations

import contextlib
import csv
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import xlsxwriter

from honeyguide.corpus.source import Source, Written
from honeyguide.errors import ExportError
from honeyguide.page.record import Record
from honeyguide.wording import counted

__all__ = ["defuse", "write_csv", "write_jsonl", "write_parquet", "write_xlsx"]

_COLUMNS = (
    "url", "title", "published", "source", "authors", "language", "relevance", "kind", "keywords", "description",
    "text", "parent", "fetched", "careful", "extra", "sources", "sure",
)  # fmt: skip
_WORDS = ("title_words", "text_words")  # beside the title and the text, where they are asked for
_WIDTHS = {"url": 40, "title": 50, "text": 80, "description": 40, "authors": 24, "keywords": 30, "fetched": 20}
_CELL = 32_767  # what Excel allows in a cell, counted in UTF-16 units
_CUT = " … [cut]"
_ROWS = 1_048_575  # what Excel allows on a sheet, less the heading
# Behind spaces, quotes and signs nobody sees, too: spreadsheets strip them, and other programs write them anew.
_FORMULA = re.compile(r"""[\s"'`\u00ad\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n]""")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
_GROUP = 8_000_000  # characters of text in one Parquet row group, or so many records:
_GROUP_ROWS = 5_000


def write_jsonl(source: Source, path: Path) -> Written:
    """One record a line with all its fields, in UTF-8."""
    count = 0
    with path.open("wb") as file:
        for count, record in enumerate(source.records(), 1):  # noqa: B007 - the count outlives the loop
            file.write(msgspec.json.encode(record) + b"\n")
    return Written(count, tuple(source.notes()))


# --- tables for spreadsheets ---------------------------------------------------------------------------------


def defuse(cell: str) -> str:
    """A cell no spreadsheet will run: what looks like a formula gets an apostrophe in front.

    >>> defuse("=HYPERLINK(A1)"), defuse("honey")
    ("'=HYPERLINK(A1)", 'honey')
    """
    cell = _CONTROL.sub("", cell)
    return "'" + cell if _FORMULA.match(cell) else cell


def _columns(source: Source) -> tuple[str, ...]:
    return (*_COLUMNS, *_WORDS) if source.words else _COLUMNS


def _row(record: Record, columns: Sequence[str]) -> list[str | float]:
    """A record as cells: lists joined, moments readable, everything defused."""
    cells: list[str | float] = []
    for column in columns:
        value = getattr(record, column)
        if column == "fetched":
            value = _moment(value)
        elif isinstance(value, bool):
            value = "yes" if value else "no"
        elif isinstance(value, list):
            value = (" " if column in _WORDS else "; ").join(map(str, value))
        elif isinstance(value, dict):
            value = json.dumps(value, ensure_ascii=False) if value else ""
        cells.append(round(value, 6) if isinstance(value, float) else defuse(str(value or "")))
    return cells


def _moment(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if seconds else ""
    except (OverflowError, OSError, ValueError):
        return ""


def write_csv(source: Source, path: Path) -> Written:
    """A table with a heading, in UTF-8 with the mark by which Excel knows it.

    Every cell is quoted: a spreadsheet that cuts at semicolons must not find a formula behind one.
    """
    count = 0
    with path.open("w", encoding="utf-8-sig", newline="", errors="replace") as file:
        table = csv.writer(file, quoting=csv.QUOTE_ALL)
        columns = _columns(source)
        table.writerow(columns)
        for count, record in enumerate(source.records(), 1):  # noqa: B007
            table.writerow(_row(record, columns))
    return Written(count, tuple(source.notes()))


def write_xlsx(source: Source, path: Path) -> Written:
    """An Excel workbook; what is longer than a cell may be is cut, and said to be."""
    # Its scratch files get a folder of their own, for it forgets them when something goes wrong.
    with tempfile.TemporaryDirectory(prefix="honeyguide-") as scratch:
        options = {
            "constant_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
            "nan_inf_to_errors": True,
            "tmpdir": scratch,
        }
        book = xlsxwriter.Workbook(str(path), options)
        book.use_zip64()
        try:
            count, cut = _fill(book, source.records(), _columns(source))
        except BaseException:
            with contextlib.suppress(Exception):
                book.close()
            raise
        book.close()
    told = f"{counted(cut, 'record')} had a field longer than the {_CELL:,} characters of a cell; it was cut and marked"
    return Written(count, (*source.notes(), *([told] if cut else [])))


def _fill(book: Any, records: Iterator[Record], columns: Sequence[str]) -> tuple[int, int]:
    """Write the records, on as many sheets as it takes; returns how many, and how many had to be cut."""
    sheet = _sheet(book, columns)
    count = cut = 0
    for count, record in enumerate(records, 1):
        if count > 1 and (count - 1) % _ROWS == 0:
            sheet = _sheet(book, columns)
        short = [_shortened(cell) for cell in _row(record, columns)]
        cut += any(was_cut for _, was_cut in short)
        for column, (cell, _) in enumerate(short):
            sheet.write((count - 1) % _ROWS + 1, column, cell)
    return count, cut


def _sheet(book: Any, columns: Sequence[str]) -> Any:
    sheet = book.add_worksheet("records" if not book.worksheets() else f"records {len(book.worksheets()) + 1}")
    sheet.freeze_panes(1, 0)
    bold = book.add_format({"bold": True})
    for number, column in enumerate(columns):
        sheet.set_column(number, number, _WIDTHS.get(column, 14))
        sheet.write_string(0, number, column, bold)
    return sheet


def _shortened(cell: str | float) -> tuple[str | float, bool]:
    """A cell as long as Excel can take, and whether something had to go."""
    if not isinstance(cell, str) or len(cell) * 2 <= _CELL:
        return cell, False
    units = cell.encode("utf-16-le", "replace")
    if len(units) <= 2 * _CELL:
        return cell, False
    return units[: 2 * (_CELL - len(_CUT))].decode("utf-16-le", "ignore") + _CUT, True


# --- Parquet -------------------------------------------------------------------------------------------------


def write_parquet(source: Source, path: Path) -> Written:
    """A typed table for data tools, in row groups of bounded size."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ExportError("Parquet needs pyarrow: run 'pip install honeyguide[parquet]' first") from None
    words = pyarrow.list_(pyarrow.string())
    kinds = {
        "authors": words,
        "keywords": words,
        **dict.fromkeys(_WORDS, words),
        "extra": pyarrow.map_(pyarrow.string(), pyarrow.string()),
        "sources": pyarrow.map_(pyarrow.string(), pyarrow.string()),
        "sure": pyarrow.map_(pyarrow.string(), pyarrow.float64()),
        "relevance": pyarrow.float64(),
        "careful": pyarrow.bool_(),
        "fetched": pyarrow.timestamp("us", tz="UTC"),
    }
    names = _columns(source)
    schema = pyarrow.schema([(column, kinds.get(column, pyarrow.string())) for column in names])
    count = 0
    with pyarrow.parquet.ParquetWriter(str(path), schema, compression="zstd") as writer:
        for group in _groups(source.records()):
            columns = [_column(group, column, schema.field(column).type, pyarrow) for column in names]
            writer.write_batch(pyarrow.record_batch(columns, schema=schema))
            count += len(group)
    return Written(count, tuple(source.notes()))


def _groups(records: Iterator[Record]) -> Iterator[list[Record]]:
    group: list[Record] = []
    size = 0
    for record in records:
        group.append(record)
        size += len(record.text)
        if size >= _GROUP or len(group) >= _GROUP_ROWS:
            yield group
            group, size = [], 0
    if group:
        yield group


def _column(group: list[Record], column: str, kind: Any, pyarrow: Any) -> Any:
    values = [getattr(record, column) for record in group]
    if column == "fetched":
        values = [int(value * 1_000_000) if 0 < value < 1e11 else None for value in values]
    elif column in ("extra", "sources", "sure"):
        values = [list(value.items()) for value in values]
    return pyarrow.array(values, type=kind)
