"""Lists taken into a topic: text, CSV, Excel, databases; what is wrong is named by its row."""

from __future__ import annotations

import datetime
import io
import sqlite3
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from honeyguide.errors import RowsError, TopicError
from honeyguide.topic import Topic
from honeyguide.topic.database import ask_database
from honeyguide.topic.files import new_topic, save_topic
from honeyguide.topic.imports import take_in
from honeyguide.topic.sheets import read_sheet
from honeyguide.topic.sources import read_list

EMPTY = Topic(name="t")


def keywords(path: Path, **how: Any) -> dict[str, float]:
    return take_in(EMPTY, "keywords", read_list(path), **how)[0].keywords


def examples(path: Path, **how: Any) -> tuple[str, ...]:
    return take_in(EMPTY, "examples", read_list(path), **how)[0].examples


def rows_of(error: pytest.ExceptionInfo[RowsError]) -> dict[int, str]:
    return dict(error.value.rows)


def book(path: Path, *sheets: Sequence[Sequence[Any]]) -> Path:
    with xlsxwriter.Workbook(str(path)) as made:
        dates = made.add_format({"num_format": "yyyy-mm-dd"})
        for rows in sheets:
            sheet = made.add_worksheet()
            for number, row in enumerate(rows):
                for place, cell in enumerate(row):
                    if isinstance(cell, datetime.date):
                        sheet.write_datetime(number, place, cell, dates)
                    elif isinstance(cell, tuple):
                        sheet.write_formula(number, place, cell[0], None, cell[1])
                    elif cell is not None:
                        sheet.write(number, place, cell)
    return path


def database(path: Path) -> str:
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE words (word TEXT, importance REAL)")
        made.executemany("INSERT INTO words VALUES (?, ?)", [("MH17", 2.0), ("马航", 1.5), ("crash", None)])
        made.execute("CREATE TABLE pages (address TEXT)")
        made.executemany("INSERT INTO pages VALUES (?)", [("http://a.test/1",), ("http://a.test/2",)])
    made.close()
    return f"sqlite:///{path}"


# --- what is read right ------------------------------------------------------------------------------------------


def test_a_text_file_has_a_word_or_an_address_a_line(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("# of Monday\nMH17:2\n\nairliner\nStar Wars: Andor\n#MeToo\nblack box\t0.5\n", encoding="utf-8")
    assert keywords(words) == {"MH17": 2.0, "airliner": 1.0, "Star Wars: Andor": 1.0, "#MeToo": 1.0, "black box": 0.5}
    pages = tmp_path / "pages.txt"
    pages.write_text("http://A.test/x#top\nhttps://b.test\n", encoding="utf-8")
    assert examples(pages) == ("http://a.test/x", "https://b.test/")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gbk", "gb18030", "big5"])
def test_a_chinese_table_is_read_in_the_encoding_excel_saved_it_in(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "words.csv"
    text = "關鍵詞,權重\n航班,2\n客機,1.5\n" if encoding == "big5" else "关键词,权重\n航班,2\n客机,1.5\n"
    path.write_bytes(text.encode(encoding))
    assert keywords(path) == {"航班": 2.0, "客機" if encoding == "big5" else "客机": 1.5}


@pytest.mark.parametrize("word", ["马航", "北京", "行政", "台风"])
def test_even_a_single_chinese_word_is_told_from_western_letters(tmp_path: Path, word: str) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(f"{word}\n".encode("gbk"))
    assert list(keywords(path)) == [word]
    path.write_bytes("Müller\nGröße\ncafé\n".encode("cp1252"))
    assert list(keywords(path)) == ["Müller", "Größe", "café"]


def test_a_table_of_european_excel_has_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_bytes('keyword;weight;note\n"black; box";1,5;x\n'.encode("cp1252"))
    after, told = take_in(EMPTY, "keywords", read_list(path))
    assert (after.keywords, told.unused) == ({"black; box": 1.5}, ["note"])


def test_a_table_without_a_heading_is_taken_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_text("MH17,2\ncrash,1\n", encoding="utf-8")
    assert keywords(path) == {"MH17": 2.0, "crash": 1.0}
    path.write_text("http://a.test/\nhttp://b.test/\n", encoding="utf-8")
    assert examples(path) == ("http://a.test/", "http://b.test/")


def test_an_excel_file_is_read_by_its_heading_with_its_own_row_numbers(tmp_path: Path) -> None:
    path = book(tmp_path / "words.xlsx", [["权重", "关键词"], [2, "航班"], [None, None], [1.5, 2014], ["x", "坠毁"]])
    with pytest.raises(RowsError) as error:
        keywords(path)
    assert list(rows_of(error)) == [5]
    assert keywords(path, keep_good=True) == {"航班": 2.0, "2014": 1.5}


def test_a_sheet_can_be_chosen_and_what_was_not_read_is_said(tmp_path: Path) -> None:
    path = book(tmp_path / "all.xlsx", [], [["url"], ["http://a.test/"]], [["url"], ["http://b.test/"]])
    after, told = take_in(EMPTY, "sites", read_list(path))
    assert after.starts == ("http://a.test/",)
    assert told.notes == ["only sheet 'Sheet2' was read, not: Sheet1, Sheet3"]
    assert take_in(EMPTY, "sites", read_list(path, sheet="Sheet3"))[0].starts == ("http://b.test/",)
    with pytest.raises(TopicError, match="no sheet 'Sheet9'; it has: Sheet1, Sheet2, Sheet3"):
        read_list(path, sheet="Sheet9")


def test_a_database_brings_what_its_query_asks_for(tmp_path: Path) -> None:
    url = database(tmp_path / "news.db")
    query = "SELECT word AS keyword, importance AS weight FROM words WHERE importance > 0"
    assert take_in(EMPTY, "keywords", read_list(url, query=query))[0].keywords == {"MH17": 2.0, "马航": 1.5}
    given = read_list(url, query="SELECT word, importance FROM words")
    with pytest.raises(RowsError) as error:
        take_in(EMPTY, "keywords", given, columns={"weight": "importance"})
    assert rows_of(error) == {3: "the weight of 'crash' is empty"}
    # One column alone needs no name.
    assert take_in(EMPTY, "examples", read_list(url, query="SELECT max(address) FROM pages"))[0].examples


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_text("Begriff,Gewicht\nMH17,2\n", encoding="utf-8")
    with pytest.raises(TopicError, match="has no column 'keyword'; its columns are 'Begriff', 'Gewicht'"):
        keywords(path)
    assert keywords(path, columns={"keyword": "begriff", "weight": "Gewicht"}) == {"MH17": 2.0}
    with pytest.raises(TopicError, match="no column 'Wort' for --column keyword=Wort"):
        keywords(path, columns={"keyword": "Wort"})
    with pytest.raises(TopicError, match="keywords have no such column; they have: keyword, weight"):
        keywords(path, columns={"url": "Begriff"})


# --- what is wrong is named by its row ---------------------------------------------------------------------------


def test_every_bad_row_is_named_and_good_ones_are_kept_only_if_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_text(
        "keyword,weight\nMH17,2\n,1\ncrash,\nbox,heavy\nlight,-1\nvoid,nan\nmh17,3\n=1+1,1\na,b,c,d\n", encoding="utf-8"
    )
    with pytest.raises(RowsError, match=r"8 of 9 rows of .*words.csv cannot be used, so nothing was imported") as error:
        keywords(path)
    assert rows_of(error) == {
        3: "its keyword is empty",
        4: "the weight of 'crash' is empty",
        5: "the weight of 'box' is not a number: 'heavy'",
        6: "the weight of 'light' must be a number above zero, not '-1'",
        7: "the weight of 'void' must be a number above zero, not 'nan'",
        8: "'mh17' stands in row 2 already",
        9: "'=1+1' is a formula, not a word",
        10: "it has 4 cells where the heading has 2; look at its quotes",
    }
    assert keywords(path, keep_good=True) == {"MH17": 2.0}


def test_duplicate_and_invalid_addresses_are_named(tmp_path: Path) -> None:
    path = tmp_path / "pages.csv"
    path.write_text("url\nhttp://a.test/x\nHTTP://A.test:80/x#y\nfoo\nftp://a.test/\nhttp://\n", encoding="utf-8")
    with pytest.raises(RowsError) as error:
        examples(path)
    found = rows_of(error)
    assert found[3] == "'http://a.test/x' stands in row 2 already"
    assert [number for number, why in found.items() if "is not a web address" in why] == [4, 5, 6]
    assert examples(path, keep_good=True) == ("http://a.test/x",)


def test_broken_bytes_and_control_characters_are_named(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_bytes("keyword\n航班\n客机\n坠毁\n".encode() + b"\xff\xfe\xc0\nbell\x07\n")
    with pytest.raises(RowsError) as error:
        keywords(path)
    found = rows_of(error)
    assert list(found) == [5, 6]
    assert "no text in this encoding" in found[5]
    assert "control characters" in found[6]


def test_cells_of_excel_that_are_no_words_are_named(tmp_path: Path) -> None:
    rows = [["keyword"], [datetime.date(2014, 7, 17)], [True], ['=HYPERLINK("http://evil.test")'], ["x" * 300], ["ok"]]
    path = book(tmp_path / "words.xlsx", [rows[0], rows[1], rows[2], [("=1+1", "'=cmd|calc'!A0")], rows[4], rows[5]])
    with pytest.raises(RowsError) as error:
        keywords(path)
    found = rows_of(error)
    assert found[2] == "'2014-07-17' is a date or time; make its cell text if it is meant as a word"
    assert found[3] == "its keyword is TRUE, which is no text"
    assert "longer than the 200 characters" in found[5]
    # What a formula had shown is all that is read of it: it is never worked out.
    assert keywords(path, keep_good=True) == {"'=cmd|calc'!A0": 1.0, "ok": 1.0}


def test_with_no_good_row_nothing_is_imported_even_if_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "pages.txt"
    path.write_text("foo\nbar\n", encoding="utf-8")
    with pytest.raises(RowsError, match=r"2 of 2 rows .* none is left to keep"):
        examples(path, keep_good=True)


@pytest.mark.parametrize(
    ("name", "body", "told"),
    [
        ("words.xlsx", b"keyword,weight\nMH17,2\n", "is not an Excel file, whatever its name says"),
        ("words.xls", b"<html><table><tr><td>keyword</td></tr></table></html>", "is not an Excel file"),
        ("words.xlsx", b"PK\x03\x04 and no more", "cannot be read as a spreadsheet: it is damaged, or no Excel file"),
        ("words.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "cannot be read as a spreadsheet"),
        ("words.csv", b"", "is empty: there is nothing to import"),
        ("words.csv", b"keyword,weight\n", "has a heading and nothing below it"),
        ("words.csv", b'keyword\n"MH17\ncrash\n', "row 2 is no row of a table"),
        ("words.csv", b"keyword,keyword\na,b\n", "has two columns 'keyword'"),
        ("words.txt", bytes(range(256)) * 4, "is no text"),
    ],
)
def test_what_is_no_list_is_one_sentence(tmp_path: Path, name: str, body: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(body)
    with pytest.raises(TopicError) as error:
        keywords(tmp_path / name)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_an_excel_file_that_swells_or_is_endlessly_wide_costs_a_bounded_process(tmp_path: Path) -> None:
    swollen = io.BytesIO()
    with zipfile.ZipFile(book(tmp_path / "small.xlsx", [["keyword"], ["MH17"]])) as small:
        names = {name: small.read(name) for name in small.namelist()}
    strings = names["xl/sharedStrings.xml"].replace(b"MH17", b"M" * 300_000_000)
    with zipfile.ZipFile(swollen, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as large:
        for name, body in names.items():
            large.writestr(name, strings if name == "xl/sharedStrings.xml" else body)
    assert len(swollen.getvalue()) < 5_000_000
    del strings
    with pytest.raises(TopicError, match="takes more time or memory than a list would"):
        read_sheet(swollen.getvalue(), "swollen.xlsx", memory=250_000_000)
    sheet = names["xl/worksheets/sheet1.xml"].replace(b'r="A2"', b'r="XFD1048576"').replace(b'r="2"', b'r="1048576"')
    wide = io.BytesIO()
    with zipfile.ZipFile(wide, "w") as large:
        for name, body in names.items():
            large.writestr(name, sheet if name == "xl/worksheets/sheet1.xml" else body)
    with pytest.raises(TopicError, match="cannot be read as a spreadsheet"):
        read_sheet(wide.getvalue(), "wide.xlsx")


@pytest.mark.parametrize(
    ("url", "query", "told"),
    [
        ("sqlite:///{place}/none.db", "SELECT 1", "cannot be reached: there is no file"),
        ("sqlite:///{place}", "SELECT 1", "cannot be reached: there is no file"),
        ("sqlite:///{place}/broken.db", "SELECT 1 FROM words", "file is not a database"),
        ("sqlite:///{place}/news.db", "SELECT nonsense FROM words", "no such column: nonsense"),
        ("sqlite:///{place}/news.db", "DELETE FROM words", "does not answer the query: attempt to write a readonly"),
        ("sqlite:///{place}/news.db", " ", "is a database: say what to read"),
        (
            "postgresql+pg8000://me:sesame@127.0.0.1:9/news",
            "SELECT 1",
            "postgresql+pg8000://me:***@127.0.0.1:9/news can",
        ),
        ("nonsense+driver://host/x", "SELECT 1", "nonsense"),
        ("mysql+mysqlconnector://host/x", "SELECT 1", "needs a driver that is not installed"),
    ],
)
def test_a_database_that_gives_nothing_is_one_sentence_without_the_password(
    tmp_path: Path, url: str, query: str, told: str
) -> None:
    database(tmp_path / "news.db")
    (tmp_path / "broken.db").write_bytes(b"this is no database, and longer than a header must be" * 40)
    with pytest.raises(TopicError) as error:
        ask_database(url.format(place=tmp_path), query)
    assert told in str(error.value)
    assert "\n" not in str(error.value)
    assert "sesame" not in str(error.value)
    assert not (tmp_path / "none.db").exists()
    assert len(ask_database(f"sqlite:///{tmp_path}/news.db", "SELECT * FROM words").rows) == 3


# --- into the file -----------------------------------------------------------------------------------------------

WRITTEN = """\
# by Li, for the desk
name = "MH17"   # the flight
kind = "news"
clicks = "log.jsonl"

[keywords]
"MH17" = 2.0    # agreed on
'black box' = 1

[pages]
starts = [
    "http://a.test/",  # the wire
]
"""


def test_what_a_person_wrote_around_the_words_stays(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text(WRITTEN, encoding="utf-8")
    topic = Topic.load(path)
    words = tmp_path / "words.csv"
    words.write_text("keyword,weight\nmh17,3\ncrash,1\n马航,2\n", encoding="utf-8")
    after, told = take_in(topic, "keywords", read_list(words))
    assert (told.added, told.changed) == (["crash", "马航"], {"MH17": (2.0, 3.0)})
    pages = tmp_path / "pages.txt"
    pages.write_text("http://a.test/\nhttp://b.test/\n", encoding="utf-8")
    after, told = take_in(after, "sites", read_list(pages))
    assert (told.added, told.known) == (["http://b.test/"], 1)
    after, _ = take_in(after, "examples", read_list(pages))
    save_topic(path, after)
    assert Topic.load(path) == after
    text = path.read_text(encoding="utf-8")
    for remark in ("# by Li, for the desk", "# the flight", "# agreed on", "# the wire", 'clicks = "log.jsonl"'):
        assert remark in text


@pytest.mark.parametrize("text", ['name = "t"\npages.starts = ["http://a.test/"]\n', "keywords = {a = 1}\n", ""])
def test_any_way_of_writing_a_topic_can_be_added_to(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.toml"
    path.write_text(text, encoding="utf-8")
    topic = Topic.load(path, complete=False)
    after = topic.with_flags(keywords=["b:2"], examples=["http://x.test/"], starts=["http://y.test/"])
    save_topic(path, after)
    assert Topic.load(path) == after


def test_a_topic_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    new_topic(path, EMPTY)
    with pytest.raises(TopicError, match="is there already"):
        new_topic(path, EMPTY)
    with pytest.raises(TopicError, match="cannot be written"):
        new_topic(tmp_path / "no" / "t.toml", EMPTY)


def test_a_small_sheet_that_unpacks_to_more_text_than_a_list_has_is_refused(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(str(tmp_path / "big.xlsx")) as made:
        sheet = made.add_worksheet()
        for place in range(12_000):
            sheet.write_string(place // 100, place % 100, "x" * 4_990)
    body = (tmp_path / "big.xlsx").read_bytes()
    assert len(body) < 100_000
    with pytest.raises(TopicError, match="it holds more text than a list would, over 50 MB"):
        read_sheet(body, "big.xlsx")
