"""PDFs: what is in them is found, and what is made to hurt does not."""

from __future__ import annotations

import asyncio

import pytest

from honeyguide.page.extract import extract
from honeyguide.page.parse import Parser
from honeyguide.page.pdf import Pdf, as_html, is_pdf, read, read_soon
from tests.page.pdfs import make_pdf

PROSE = [
    (11.0, "The bees of the old town have returned to the tower after an absence of eleven years, and a"),
    (11.0, "keeper who climbed the tower on Friday counted four swarms, each with a queen of its own to"),
    (11.0, "follow. Nobody knows where they were."),
    (11.0, "The town council will vote next week on whether the tower may be opened to visitors again, as"),
    (11.0, "it was before the war."),
]
PAPER = make_pdf(
    [(20.0, "On the return of bees"), (11.0, "Jane Doe"), *PROSE],
    [(9.0, "Journal of Bees 14"), *PROSE],
    info={"Title": "On the return of bees", "Author": "Jane Doe", "CreationDate": "D:20140718083000+02'00'"},
    links=["http://hive.test/next"],
)


def test_text_title_date_and_author_of_a_pdf_are_found_and_where() -> None:
    record = extract(PAPER, "https://www.hive.test/papers/7.pdf", fetched=1.7e9)
    assert (record.title, record.published, record.authors) == (
        "On the return of bees",
        "2014-07-18T08:30:00+02:00",
        ["Jane Doe"],
    )
    assert (record.kind, record.language, record.source, record.careful) == ("pdf", "en", "hive.test", True)
    lines = record.text.split("\n")
    assert " ".join(text for _, text in PROSE[3:]) in lines  # its lines made one paragraph again
    assert record.sources["published"] == record.sources["title"] == "pdf information"
    assert set(record.sure) == set(record.sources)


def test_links_of_a_pdf_lead_on_with_the_words_they_stand_over() -> None:
    page = Parser().html(as_html(read(PAPER)), "http://hive.test/7.pdf")
    assert [(link.url, link.anchor) for link in page.links] == [("http://hive.test/next", "On the return of bees")]
    assert page.terms["bee"] >= 3


@pytest.mark.parametrize(
    ("pages", "info", "title"),
    [
        ([[(20.0, "Bees of the tower"), *PROSE]], {"Title": "Microsoft Word - draft7.doc"}, "Bees of the tower"),
        ([[(20.0, "Bees of the tower"), *PROSE]], {}, "Bees of the tower"),
        ([PROSE], {"Title": "All about bees"}, "All about bees"),
        ([[(11.0, "Notes on bees"), *PROSE]], {"Title": "untitled"}, "Notes on bees"),
    ],
)
def test_a_title_is_what_the_first_page_shows_unless_the_file_says_the_same(
    pages: list[list[tuple[float, str]]], info: dict[str, str], title: str
) -> None:
    assert extract(make_pdf(*pages, info=info), "http://hive.test/x.pdf").title == title


def test_a_date_the_first_page_gives_stands_above_that_of_the_file() -> None:
    pdf = make_pdf([(20.0, "Bees"), (11.0, "Published: 3 May 2013"), *PROSE], info={"CreationDate": "D:20200101"})
    record = extract(pdf, "http://hive.test/x.pdf")
    assert (record.published, record.sources["published"]) == ("2013-05-03", "label")
    assert extract(make_pdf(PROSE), "http://hive.test/x.pdf").published is None
    ahead = make_pdf(PROSE, info={"CreationDate": "D:20990101"})
    assert extract(ahead, "http://hive.test/x.pdf", fetched=1.7e9).published is None


def test_running_heads_and_page_numbers_are_left_out() -> None:
    pages = [[(9.0, f"Journal of Bees {number}"), *PROSE, (9.0, f"page {number}")] for number in range(1, 5)]
    text = read(make_pdf(*pages)).text()
    assert "Journal of Bees" not in text
    assert "page" not in text
    assert text.count("Nobody knows") == 4


def test_only_so_many_pages_are_read_and_it_is_said() -> None:
    pdf = read(make_pdf(*[[(11.0, f"Bees of hive number {number}")] for number in range(230)]))
    assert (pdf.count, len(pdf.pages)) == (230, 200)
    assert pdf.left_out == "all after page 200 of 230"


@pytest.mark.parametrize(
    "body",
    [
        b"%PDF-1.7",
        b"%PDF-1.7 \x00\x01" * 1_000,
        PAPER[: len(PAPER) // 2],
        PAPER.replace(b"/Type /Catalog", b"/Type /Nothing"),
        make_pdf(PROSE, declared=-1),
        make_pdf(PROSE, declared=2_000_000_000),
        PAPER.replace(b"/Kids [", b"/Kids [2 0 R "),  # pages that hold themselves
    ],
)
def test_a_broken_pdf_says_why_or_gives_what_there_is(body: bytes) -> None:
    pdf = read(body)
    assert pdf.error or len(pdf.pages) <= 200
    record = extract(body, "https://www.hive.test/papers/On%20bees.pdf?x=1")
    assert (record.kind, record.source) == ("pdf", "hive.test")
    assert record.title


def test_a_pdf_that_takes_more_than_it_may_costs_a_child_process_and_no_more() -> None:
    bomb = make_pdf(PROSE, bomb=400_000_000)
    assert len(bomb) < 1_000_000
    assert "took more than it may" in read(bomb, memory=300_000_000).error
    slow = make_pdf(*[[(11.0, "x" * 80)] * 300] * 200)
    assert "took more than it may" in asyncio.run(read_soon(slow, seconds=0)).error
    assert read(PAPER).error == ""  # and the next one is read


def test_reading_is_given_up_when_the_crawl_ends() -> None:
    async def go() -> None:
        reading = asyncio.create_task(read_soon(PAPER))
        await asyncio.sleep(0.01)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    asyncio.run(go())  # a child left behind would be a warning, which is an error here


def test_what_is_a_pdf_and_what_is_none() -> None:
    assert is_pdf(b"\n%PDF-1.4 ...")
    assert not is_pdf(b"<html>%PDF-1.4")
    assert Pdf().title() == ("", "")
    assert Pdf().text() == ""
