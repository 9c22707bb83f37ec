"""An archive replayed as the web."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from honeyguide.errors import ArchiveError
from honeyguide.web.archive import ArchiveWeb, find_archive
from honeyguide.web.base import Response
from honeyguide.web.warc import info_record, response_record

Make = Callable[[str, bytes], Path]


def _record(number: int, url: str = "", body: bytes = b"") -> bytes:
    headers = [("Content-Type", "text/html; charset=utf-8")]
    answer = Response(url or f"http://a.test/{number}", 200, headers, body or b"page %d " % number * 30, fetched=1.7e9)
    return response_record(answer)


RECORDS = [_record(number) for number in range(5)]
PACKED = b"".join(RECORDS)
PLAIN = b"".join(gzip.decompress(record) for record in RECORDS)


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def write(name: str, content: bytes) -> Path:
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return write


def _answers(path: Path, **options: int) -> tuple[dict[str, Response], str]:
    """All answers of an archive, and what it says of its damage."""

    async def replay() -> dict[str, Response]:
        try:
            return {url: await web.fetch(url) for url in web.urls()}
        finally:
            await web.close()

    web = ArchiveWeb(path, **options)
    return asyncio.run(replay()), web.damage


@pytest.mark.parametrize(("name", "content"), [("a.warc.gz", PACKED), ("a.warc", PLAIN)])
def test_every_record_is_answered_packed_or_not(make: Make, name: str, content: bytes) -> None:
    found, damage = _answers(make(name, content))
    assert damage == ""
    assert list(found) == [f"http://a.test/{number}" for number in range(5)]
    for number, answer in enumerate(found.values()):
        assert (answer.status, answer.error, answer.fetched) == (200, "", 1.7e9)
        assert answer.body == b"page %d " % number * 30
        assert answer.url == f"http://a.test/{number}"
        assert answer.charset == "utf-8"


def test_what_the_archive_lacks_is_a_404(make: Make) -> None:
    web = ArchiveWeb(make("a.warc.gz", PACKED))
    answer = asyncio.run(web.fetch("http://a.test/none"))
    assert (answer.status, answer.body, answer.error) == (404, b"", "not in the archive")
    assert "http://a.test/0" in web
    assert "http://a.test/none" not in web
    assert len(web) == 5
    asyncio.run(web.close())


def test_addresses_are_known_by_their_normal_form(make: Make) -> None:
    content = (
        _record(1, "HTTP://A.test:80/x/../y?utm_source=z#part") + _record(2, "dns:a.test") + _record(3, "nonsense")
    )
    found, _ = _answers(make("a.warc.gz", content))
    assert list(found) == ["http://a.test/y"]


def test_the_first_answer_of_an_address_counts(make: Make) -> None:
    content = _record(1, "http://a.test/", b"first") + _record(2, "http://a.test/#x", b"second")
    found, _ = _answers(make("a.warc.gz", content))
    assert [answer.body for answer in found.values()] == [b"first"]


def test_records_of_other_kinds_are_passed_over(make: Make) -> None:
    content = info_record({"software": "x"}, 0.0) + RECORDS[0]
    assert list(_answers(make("a.warc.gz", content))[0]) == ["http://a.test/0"]
    with pytest.raises(ArchiveError, match="holds no answers of servers"):
        ArchiveWeb(make("b.warc.gz", info_record({"software": "x"}, 0.0)))


def test_an_answer_larger_than_the_limit_is_left_out_and_it_is_said(make: Make) -> None:
    found, _ = _answers(make("a.warc.gz", _record(0, body=b"x" * 1_001) + _record(1, body=b"x" * 1_000)), largest=1_000)
    assert [(answer.error, len(answer.body)) for answer in found.values()] == [
        ("larger than 1000 bytes", 0),
        ("", 1_000),
    ]


def test_a_web_is_named_by_its_folder_or_its_file(make: Make, tmp_path: Path) -> None:
    path = make("pages.warc.gz", PACKED)
    assert find_archive(path) == find_archive(str(tmp_path)) == path


def test_a_place_without_an_archive_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match=r"is no offline web: it holds no pages\.warc\.gz"):
        ArchiveWeb(tmp_path)
    with pytest.raises(ArchiveError, match="does not exist"):
        ArchiveWeb(tmp_path / "none.warc.gz")


@pytest.mark.parametrize(
    "content", [b"", b"<html>no archive", b"\x89PNG\r\n\x1a\n" + bytes(1000), b"\x1f\x8b" + bytes(50), b"\n" * 99]
)
def test_a_file_that_is_no_archive_is_refused(make: Make, content: bytes) -> None:
    path = make("x.warc.gz", content)
    with pytest.raises(ArchiveError) as told:
        ArchiveWeb(path)
    assert str(path) in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("content", "left"),
    [
        (PACKED + b"garbage" * 30, 5),
        (b"".join(RECORDS[:2]) + b"XXXXXXXXXX" + PACKED, 2),
        (RECORDS[0] + bytes(300) + RECORDS[1], 1),
        (b"".join(RECORDS[:2]) + RECORDS[2][:40] + bytes(60) + RECORDS[3], 2),
    ],
)
def test_damage_in_the_middle_is_said_and_what_came_before_is_answered(make: Make, content: bytes, left: int) -> None:
    found, damage = _answers(make("a.warc.gz", content))
    assert "is damaged after byte" in damage
    assert [answer.status for answer in found.values()] == [200] * left


def test_damage_in_a_plain_archive_is_said(make: Make) -> None:
    cut = PLAIN.index(b"WARC/1.1", 10)
    found, damage = _answers(make("a.warc", PLAIN[:cut] + b"XXXX/1.1" + PLAIN[cut + 8 :]))
    assert "is damaged after byte 0" in damage
    assert list(found) == ["http://a.test/0"]


def test_a_page_that_cannot_be_unpacked_is_an_answer_that_says_so(make: Make) -> None:
    block = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnot gzip"
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\n"
        f"Content-Type: application/http\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    found, _ = _answers(make("a.warc", head.encode() + block + b"\r\n\r\n"))
    (answer,) = found.values()
    assert (answer.status, answer.error, answer.lasting) == (0, "the archive's record cannot be read", True)


def test_the_web_of_schools_is_answered(shared: Path) -> None:
    web = ArchiveWeb(shared / "webs" / "schools")
    assert len(web) == 5_462
    assert web.damage == ""
    answer = asyncio.run(web.fetch("http://schools-wikipedia.org/wp/b/Bee.htm"))
    assert answer.status == 200
    assert b"honey" in answer.body
    assert asyncio.run(web.fetch("http://schools-wikipedia.org/")).status == 404
    asyncio.run(web.close())


@pytest.mark.parametrize(
    ("name", "pages"),
    [
        ("IAH-20080430204825-00000-blackbook-truncated.warc", 7),
        ("IAH-20080430204825-00000-blackbook-truncated.warc.gz", 7),
        ("IAH-urls-wget.warc.gz", 14),
        ("sopa-wikipedia-homepage.warc.gz", 74),
        ("main-page.warc.gz", 70),
        ("post-blackout.warc.gz", 51),
    ],
)
def test_archives_made_by_others_are_answered(shared: Path, name: str, pages: int) -> None:
    (path,) = (shared / "data" / "warcs").rglob(name)
    found, _ = _answers(path)
    assert len(found) == pages
    assert all(answer.status in (200, 301, 302) for answer in found.values())
    for answer in found.values():
        if answer.status == 200 and answer.media == "text/html":
            assert b"<" in answer.body  # unpacked, whatever way the server had packed it


@pytest.mark.parametrize(
    "name", ["IAH-20080430204825-00000-blackbook-truncated.arc", "IAH-20080430204825-00000-blackbook-truncated.arc.gz"]
)
def test_archives_of_the_older_kind_are_refused_in_one_sentence(shared: Path, name: str) -> None:
    (path,) = (shared / "data" / "warcs").rglob(name)
    with pytest.raises(ArchiveError, match="Invalid WARC header"):
        ArchiveWeb(path)


@pytest.mark.parametrize(("name", "content"), [("a.warc.gz", PACKED[:-30]), ("a.warc", PLAIN[:-100])])
def test_a_torn_end_is_said_and_half_a_page_is_no_page(make: Make, name: str, content: bytes) -> None:
    found, damage = _answers(make(name, content))
    assert "damaged" in damage
    last = found.get("http://a.test/4")
    assert last is None or last.error
    assert all(not found[f"http://a.test/{number}"].error for number in range(4))


def test_an_archive_packed_as_a_whole_is_answered_or_refused(make: Make) -> None:
    path = make("a.warc.gz", gzip.compress(PLAIN))
    try:
        found, damage = _answers(path)
    except ArchiveError:
        return
    assert damage or all(answer.status == 200 for answer in found.values())
