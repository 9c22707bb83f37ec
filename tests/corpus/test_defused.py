"""Nothing a page says is run by a spreadsheet, and nothing it says becomes a path on disk."""

from __future__ import annotations

import csv
import re
import zipfile
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook

from honeyguide.corpus import FORMATS, export
from honeyguide.corpus.tables import defuse
from honeyguide.page.record import Record
from tests.corpus.conftest import HandmadeCrawl

SIGNS = "=+-@＝＋－＠﹦﹢﹣﹫"
BEFORE = [
    "",
    " ",
    "   ",
    "\u00a0",
    "\u3000",
    "\t",
    "\r",
    "\n",
    "\r\n",
    '"',
    "'",
    '""',
    "' ",
    "\ufeff",
    "\u200b",
    "\u2060",
]
BEFORE += ["\x00", "\x1b", "\u200e", "\x0b", "`", "\u00ad", " \u200b\t"]
FORMULAS = [f"{before}{sign}cmd|' /C calc'!A0" for sign in SIGNS for before in BEFORE]
COLUMNS = ("title", "source", "description", "text", "published", "language", "authors", "keywords", "parent", "extra")
PATHS = ["../../evil", "/etc/cron.d/evil", "C:\\evil", "a/../../b", "con", "x\x00y", "e" * 500, "~/evil", "$(evil)"]


def hostile(cell: str) -> Record:
    return Record(
        "https://bees.example/",
        cell,
        published=cell,
        source=cell,
        authors=[cell, "Ann"],
        language=cell,
        text=cell,
        keywords=[cell],
        parent=cell,
        description=cell,
        kind="article",
        extra={cell: cell},
    )


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", BEFORE)
def test_a_formula_is_defused_whatever_stands_before_it(before: str, sign: str) -> None:
    assert defuse(f"{before}{sign}1").startswith("'")


@pytest.mark.parametrize("cell", ["honey", "1 = 1", "a-b", "", "蜂蜜", "x@y.test", '"quoted"', "(=1)"])
def test_what_is_no_formula_stays_as_it_is(cell: str) -> None:
    assert defuse(cell) == cell


def test_no_cell_of_a_csv_begins_a_formula(crawl: HandmadeCrawl) -> None:
    for cell in FORMULAS:
        crawl.add(hostile(cell))
    with export(crawl.folder, "csv").path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(FORMULAS)
    for row in rows:
        for column in COLUMNS:
            assert row[column].startswith(("'", "{")), (column, row[column])


def test_an_xlsx_holds_text_and_not_one_formula_link_or_macro(crawl: HandmadeCrawl) -> None:
    for cell in FORMULAS:
        crawl.add(hostile(cell))
    crawl.add(hostile("https://evil.example/"))
    crawl.add(hostile("{=SUM(A1)}"))
    path = export(crawl.folder, "xlsx").path
    with zipfile.ZipFile(path) as book:
        sheets = [name for name in book.namelist() if name.startswith("xl/worksheets/")]
        inside = "".join(book.read(name).decode() for name in sheets)
        assert not re.search(r"<f[ >]|<hyperlink|<oleObject|<controls", inside)
        assert not [name for name in book.namelist() if "external" in name.lower() or "vba" in name.lower()]
    heading, *rows = CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0).to_python()
    assert len(rows) == len(FORMULAS) + 2
    for row in rows[: len(FORMULAS)]:
        assert str(row[heading.index("title")]).startswith("'")


@pytest.mark.parametrize("to", FORMATS)
def test_nothing_from_the_web_becomes_a_path(crawl: HandmadeCrawl, to: str, tmp_path: Path) -> None:
    for name in PATHS:
        crawl.add(hostile(name))
    before = _files(crawl.folder.path.parent)
    done = export(crawl.folder, to)
    fresh = {path for path in _files(crawl.folder.path.parent) - before if not path.name.startswith("crawl.db-")}
    assert fresh == {done.path}
    if to == "wacz":
        with zipfile.ZipFile(done.path) as package:
            assert set(package.namelist()) == {
                "archive/data.warc.gz",
                "indexes/index.cdx",
                "pages/pages.jsonl",
                "datapackage.json",
                "datapackage-digest.json",
            }


def _files(place: Path) -> set[Path]:
    return {path for path in place.rglob("*") if path.is_file()}
