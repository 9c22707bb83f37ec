"""Exports are read back by other people's libraries, and say what they had to leave out."""

from __future__ import annotations

import csv
import errno
import json
import sys
import tracemalloc
from pathlib import Path

import msgspec
import pyarrow.parquet
import pytest
from python_calamine import CalamineWorkbook

from honeyguide.corpus import FORMATS, Selection, export
from honeyguide.corpus.tables import defuse
from honeyguide.errors import CrawlFolderError, ExportError, HoneyguideError
from honeyguide.page.record import Record
from tests.corpus.conftest import NOON, HandmadeCrawl

FULL = Record(
    "https://bees.example/a?b=1",
    "=HYPERLINK(\"https://evil.example\";'click')",
    published="2024-05-01",
    source="Bees & Co",
    authors=["Ann Lee", "王伟"],
    language="en",
    text='Honey, "sweet"\nand; thick.\r\n高铁 🐝',
    keywords=["honey", "bee"],
    relevance=0.875,
    parent="https://bees.example/",
    description="@mention",
    kind="article",
    extra={"doi": "10.1/x"},
)
DANGEROUS = ["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "\n=1", "  =1", "＝1", "＋1", "－1", "＠A1"]


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_jsonl_holds_every_field(crawl: HandmadeCrawl) -> None:
    crawl.add(FULL)
    crawl.add(Record("https://bees.example/2", "第二"))
    done = export(crawl.folder.path, "jsonl")
    assert (done.count, done.notes) == (2, ())
    assert done.path == crawl.folder.path / "records.jsonl"
    lines = done.path.read_bytes().splitlines()
    assert msgspec.json.decode(lines[0], type=Record) == FULL
    assert json.loads(lines[1])["title"] == "第二"
    assert "第二".encode() in lines[1]


def test_csv_comes_back_as_it_went_but_for_formulas(crawl: HandmadeCrawl) -> None:
    crawl.add(FULL)
    done = export(crawl.folder, "csv", crawl.folder.path.parent / "out.csv")
    (row,) = read_csv(done.path)
    assert row["text"] == FULL.text
    assert row["authors"] == "Ann Lee; 王伟"
    assert row["title"] == "'" + FULL.title
    assert row["description"] == "'@mention"
    assert (row["relevance"], row["careful"], row["extra"]) == ("0.875", "yes", '{"doi": "10.1/x"}')
    assert row["fetched"] == "2023-11-14T22:13:21Z"


@pytest.mark.parametrize("cell", DANGEROUS)
def test_no_cell_can_begin_a_formula(crawl: HandmadeCrawl, cell: str) -> None:
    crawl.add(Record("https://bees.example/", cell, text=cell, authors=[cell], source=cell))
    (row,) = read_csv(export(crawl.folder, "csv").path)
    sheet = CalamineWorkbook.from_path(str(export(crawl.folder, "xlsx").path)).get_sheet_by_index(0).to_python()
    for column in ("title", "text", "authors", "source"):
        assert row[column].startswith("'")
        assert str(sheet[1][sheet[0].index(column)]).startswith("'")
    assert defuse(cell)[1:] == cell


def test_a_formula_behind_a_semicolon_stays_inside_its_cell(crawl: HandmadeCrawl) -> None:
    crawl.add(Record("https://bees.example/", "honey;=1+1"))
    assert '"honey;=1+1"' in export(crawl.folder, "csv").path.read_text("utf-8-sig")


def test_xlsx_comes_back_as_it_went(crawl: HandmadeCrawl) -> None:
    crawl.add(FULL)
    crawl.add(Record("https://bees.example/2", "bad \x00\x07\x1b signs \ufffe", relevance=0.5))
    done = export(crawl.folder, "xlsx")
    heading, first, second = CalamineWorkbook.from_path(str(done.path)).get_sheet_by_name("records").to_python()
    row = dict(zip(heading, first, strict=True))
    assert row["text"] == FULL.text.replace("\r\n", "\n") or row["text"] == FULL.text
    assert row["relevance"] == 0.875
    assert row["url"] == FULL.url
    assert second[heading.index("title")] == "bad  signs "
    assert done.notes == ()


@pytest.mark.parametrize("sign", ["a", "蜂", "🐝"])
def test_xlsx_cuts_what_no_cell_can_hold_and_says_so(crawl: HandmadeCrawl, sign: str) -> None:
    crawl.add(Record("https://bees.example/1", text=sign * 40_000))
    crawl.add(Record("https://bees.example/2", text="a" * 32_767))
    done = export(crawl.folder, "xlsx")
    heading, cut, whole = CalamineWorkbook.from_path(str(done.path)).get_sheet_by_index(0).to_python()
    text = str(cut[heading.index("text")])
    assert text.endswith("[cut]")
    assert 32_760 <= len(text.encode("utf-16-le")) / 2 <= 32_767
    assert whole[heading.index("text")] == "a" * 32_767
    assert "1 record had" in done.notes[0]


def test_parquet_keeps_types(crawl: HandmadeCrawl) -> None:
    crawl.add(FULL)
    crawl.add(Record("https://bees.example/2", published=None))
    done = export(crawl.folder, "parquet")
    first, second = pyarrow.parquet.read_table(done.path).to_pylist()
    assert first["authors"] == FULL.authors
    assert first["title"] == FULL.title
    assert dict(first["extra"]) == FULL.extra
    assert first["fetched"].timestamp() == NOON + 1
    assert second["published"] is None
    assert done.count == 2


def test_parquet_is_written_in_groups(crawl: HandmadeCrawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honeyguide.corpus.tables._GROUP_ROWS", 2)
    for number in range(5):
        crawl.add(Record(f"https://bees.example/{number}"))
    path = export(crawl.folder, "parquet").path
    assert pyarrow.parquet.ParquetFile(path).metadata.num_row_groups == 3


def test_parquet_without_pyarrow_says_what_to_install(crawl: HandmadeCrawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"pip install honeyguide\[parquet\]"):
        export(crawl.folder, "parquet")
    assert not list(crawl.folder.path.glob("*.part")) + list(crawl.folder.path.glob(".*.part"))


def test_a_sheet_that_is_full_is_followed_by_another(crawl: HandmadeCrawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honeyguide.corpus.tables._ROWS", 2)
    for number in range(5):
        crawl.add(Record(f"https://bees.example/{number}"))
    book = CalamineWorkbook.from_path(str(export(crawl.folder, "xlsx").path))
    assert book.sheet_names == ["records", "records 2", "records 3"]
    assert [len(book.get_sheet_by_name(name).to_python()) for name in book.sheet_names] == [3, 3, 2]


@pytest.mark.parametrize("to", FORMATS)
def test_an_empty_crawl_is_an_empty_export(crawl: HandmadeCrawl, to: str) -> None:
    done = export(crawl.folder, to)
    assert done.count == 0
    assert done.path.stat().st_size >= 0


@pytest.mark.parametrize("to", FORMATS)
def test_nothing_is_overwritten_unless_told(crawl: HandmadeCrawl, tmp_path: Path, to: str) -> None:
    crawl.add(FULL)
    path = tmp_path / "mine"
    path.write_text("precious")
    with pytest.raises(ExportError, match="already exists"):
        export(crawl.folder, to, path)
    assert path.read_text() == "precious"
    assert export(crawl.folder, to, path, overwrite=True).count == 1
    assert path.read_bytes() != b"precious"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["crawl", "mine"]


@pytest.mark.parametrize("name", ["crawl.db", "pages.warc.gz", "manifest.json", "topic.toml", "crawl.lock"])
def test_the_crawl_itself_is_never_overwritten(crawl: HandmadeCrawl, name: str) -> None:
    crawl.add(FULL)
    with pytest.raises(ExportError, match="belongs to the crawl"):
        export(crawl.folder, "jsonl", crawl.folder.path / ".." / "crawl" / name, overwrite=True)


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("place", ["no/such/folder/out", "crawl", "crawl/crawl.db/out", "n" * 400, "a\0b"])
def test_an_impossible_place_is_one_sentence(crawl: HandmadeCrawl, tmp_path: Path, to: str, place: str) -> None:
    crawl.add(FULL)
    with pytest.raises(ExportError, match=r"cannot be written|is a folder"):
        export(crawl.folder, to, tmp_path / place)


@pytest.mark.parametrize("to", FORMATS)
def test_a_full_disk_leaves_no_half_file(crawl: HandmadeCrawl, tmp_path: Path, to: str) -> None:
    crawl.add(FULL)

    def disk_is_full(done: int, total: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(ExportError, match="No space left"):
        export(crawl.folder, to, tmp_path / "out", progress=disk_is_full)
    assert [entry.name for entry in tmp_path.iterdir()] == ["crawl"]


def test_progress_is_told_record_by_record(crawl: HandmadeCrawl) -> None:
    crawl.add(FULL)
    crawl.add(Record("https://bees.example/2"))
    told: list[tuple[int, int]] = []
    export(crawl.folder, "jsonl", progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


@pytest.mark.parametrize("to", ["jsonl", "csv", "xlsx", "parquet"])
def test_words_stand_beside_title_and_text_in_every_table(crawl: HandmadeCrawl, to: str) -> None:
    crawl.add(Record("https://bees.example/1", "高铁通车", text="Bees dance.\n它们 在 MH17 上。"))
    path = export(crawl.folder, to, words=True).path
    title, text = ["高铁", "通车"], ["Bees", "dance", "它们", "在", "MH17", "上"]
    if to == "jsonl":
        found = json.loads(path.read_bytes())
        assert (found["title_words"], found["text_words"], found["title"]) == (title, text, "高铁通车")
    elif to == "csv":
        assert [read_csv(path)[0][name] for name in ("title_words", "text_words")] == [" ".join(title), " ".join(text)]
    elif to == "xlsx":
        heading, row = CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python()
        told = dict(zip(heading, row, strict=True))
        assert (told["title_words"], told["text_words"]) == (" ".join(title), " ".join(text))
    else:
        row = pyarrow.parquet.read_table(path).to_pylist()[0]
        assert (row["title_words"], row["text_words"]) == (title, text)


@pytest.mark.parametrize("to", ["warc", "wacz"])
def test_an_archive_has_no_words_and_says_so(crawl: HandmadeCrawl, to: str) -> None:
    with pytest.raises(ExportError, match=f"{to} holds pages as they were sent, not words"):
        export(crawl.folder, to, words=True)
    assert not list(crawl.folder.path.glob("on-topic*"))


def test_an_unknown_format_names_the_known(crawl: HandmadeCrawl) -> None:
    with pytest.raises(HoneyguideError, match="unknown format: 'docx'; known: jsonl, csv, xlsx, parquet, warc, wacz"):
        export(crawl.folder, "docx")


def test_a_folder_that_is_no_crawl_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CrawlFolderError, match="not a crawl"):
        export(tmp_path, "jsonl")


@pytest.mark.parametrize("to", FORMATS)
def test_memory_stays_flat(crawl: HandmadeCrawl, to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honeyguide.corpus.tables._GROUP", 100_000)
    text = "honey and bees " * 2_000  # 30 kB
    for number in range(150):
        crawl.add(Record(f"https://bees.example/{number}", text=text), body=text.encode())
    export(crawl.folder, to)  # what is loaded once and kept is not the export's
    tracemalloc.start()
    export(crawl.folder, to, overwrite=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000  # all records together are 4.5 MB


@pytest.mark.parametrize("to", FORMATS)
def test_only_what_is_chosen_is_exported_and_what_has_no_date_is_told(crawl: HandmadeCrawl, to: str) -> None:
    for number, published in enumerate(["2023-01-01", "2024-01-01", None, "2024-06"]):
        crawl.add(Record(f"https://bees.example/{number}", f"t{number}", published=published))
    done = export(crawl.folder, to, only=Selection(since="2024"))
    assert (done.count, done.notes) == (2, ("1 record without a date is left out",))
    assert export(crawl.folder, to, only=Selection(languages=["fr"]), overwrite=True).count == 0


@pytest.mark.parametrize(("top", "found"), [("2", 2), ("50%", 3), ("41%", 3), ("100%", 5), ("99", 5), ("0.1%", 1)])
@pytest.mark.parametrize("to", FORMATS)
def test_the_top_of_the_results_is_exported_best_first(crawl: HandmadeCrawl, to: str, top: str, found: int) -> None:
    for number, relevance in enumerate([0.6, 0.9, 0.7, 0.9, 0.8]):
        crawl.add(Record(f"https://bees.example/{number}", f"t{number}", relevance=relevance))
    done = export(crawl.folder, to, only=Selection(top=top))
    assert done.count == found
    if to == "jsonl":
        lines = [json.loads(line) for line in done.path.read_text(encoding="utf-8").splitlines()]
        assert [line["title"] for line in lines] == ["t1", "t3", "t4", "t2", "t0"][:found]
