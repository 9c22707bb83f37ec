"""WARC records written here are read here and elsewhere, whatever the server said."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from honeyguide.web.base import Response, wanted
from honeyguide.web.warc import Warc, info_record, parse_member, read_response, response_record

NOON = 1_700_000_000.125


def _answer(body: bytes = b"<p>honey", url: str = "http://a.test/", **more: object) -> Response:
    return Response(url, status=200, headers=[("Content-Type", "text/html")], body=body, fetched=NOON, **more)  # type: ignore[arg-type]


def _made(
    block: bytes, kind: str = "response", media: str = "application/http; msgtype=response", more: str = ""
) -> bytes:
    """A WARC record as somebody else may have written it, not packed."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: <http://a.test/x>\r\n{more}"
        f"WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: {media}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def test_an_answer_comes_back_as_it_was_written() -> None:
    answer = _answer()
    answer.headers = [("Content-Type", "text/html; charset=gb2312"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]
    found = parse_member(response_record(answer), 1_000)
    assert found is not None
    assert (found.url, found.status, found.body, found.fetched) == (answer.url, 200, b"<p>honey", NOON)
    assert found.headers == [*answer.headers, ("Content-Length", "8")]
    assert found.charset == "gb2312"


@pytest.mark.parametrize("status", [200, 204, 301, 404, 418, 503, 299, 999])
def test_any_status_is_kept(status: int) -> None:
    found = parse_member(response_record(Response("http://a.test/", status=status, fetched=NOON)), 10)
    assert found is not None
    assert found.status == status


def test_transport_headers_no_longer_hold_and_are_set_aside() -> None:
    answer = _answer()
    answer.headers += [("Content-Encoding", "gzip"), ("transfer-encoding", "chunked"), ("Content-Length", "5")]
    found = parse_member(response_record(answer), 1_000)
    assert found is not None
    assert found.body == b"<p>honey"
    assert found.header("content-encoding") == ""
    assert found.header("x-archive-orig-content-encoding") == "gzip"
    assert found.header("x-archive-orig-transfer-encoding") == "chunked"
    assert found.header("content-length") == "8"


def test_line_breaks_in_a_header_cannot_forge_headers_or_a_body() -> None:
    answer = _answer()
    answer.headers += [("X-Evil", "a\r\nSet-Cookie: forged\r\n\r\nforged body"), ("X-Bare", "a\nb\rc")]
    found = parse_member(response_record(answer), 1_000)
    assert found is not None
    assert found.body == b"<p>honey"
    assert found.header("set-cookie") == ""
    assert [name for name, _ in found.headers] == ["Content-Type", "X-Evil", "X-Bare", "Content-Length"]


def test_headers_beyond_latin1_do_not_break_the_record() -> None:
    answer = _answer()
    answer.headers.append(("X-Name", "茶 \udcff é"))
    found = parse_member(response_record(answer), 1_000)
    assert found is not None
    assert found.body == b"<p>honey"


@given(
    st.binary(max_size=2_000),
    st.lists(st.tuples(st.from_regex(r"[A-Za-z][A-Za-z-]{0,15}", fullmatch=True), st.text(max_size=40)), max_size=5),
)
@settings(max_examples=150, deadline=None)
def test_any_body_under_any_headers_comes_back_byte_by_byte(body: bytes, headers: list[tuple[str, str]]) -> None:
    found = parse_member(response_record(Response("http://a.test/", 200, headers, body, fetched=NOON)), 10_000)
    assert found is not None
    assert (found.status, found.body) == (200, body)


def test_the_file_is_read_record_by_record_by_another_library(tmp_path: Path) -> None:
    path = tmp_path / "pages.warc.gz"
    warc = Warc(path, 0)
    warc.append(info_record({"software": "honeyguide", "format": "WARC File Format 1.1"}, NOON))
    places = [warc.append(response_record(_answer(b"page %d" % n, f"http://a.test/{n}"))) for n in range(5)]
    warc.close()
    with path.open("rb") as file:
        read = []
        records = ArchiveIterator(file)
        for record in records:
            read.append(
                (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read())
            )
            if record.rec_type == "response":
                assert record.http_headers.get_statuscode() == "200"
                assert record.rec_headers.get_header("WARC-Date") == "2023-11-14T22:13:20.125Z"
                assert records.get_record_offset() in places
    assert read[0] == ("warcinfo", None, b"software: honeyguide\r\nformat: WARC File Format 1.1\r\n")
    assert read[1:] == [("response", f"http://a.test/{n}", b"page %d" % n) for n in range(5)]


def test_each_record_is_a_gzip_member_of_its_own(tmp_path: Path) -> None:
    member = response_record(_answer())
    assert gzip.decompress(member).startswith(b"WARC/1.1\r\nWARC-Type: response\r\n")
    assert gzip.decompress(member + member) == gzip.decompress(member) * 2


def test_a_record_is_read_from_its_place(tmp_path: Path) -> None:
    path = tmp_path / "pages.warc.gz"
    warc = Warc(path, 0)
    members = [response_record(_answer(b"page %d" % n)) for n in range(3)]
    places = [warc.append(member) for member in members]
    assert places == [0, len(members[0]), len(members[0]) + len(members[1])]
    assert warc.size == path.stat().st_size
    for n, (place, member) in enumerate(zip(places, members, strict=True)):
        found = read_response(path, place, len(member))
        assert found is not None
        assert found.body == b"page %d" % n
    assert read_response(path, 3, 20) is None
    assert read_response(path, warc.size + 10, 20) is None
    warc.close()


def test_a_torn_tail_never_happened(tmp_path: Path) -> None:
    path = tmp_path / "pages.warc.gz"
    warc = Warc(path, 0)
    good = len(response_record(_answer()))
    first = response_record(_answer(b"first"))
    warc.append(first)
    warc.append(response_record(_answer(b"second"))[: good // 2])
    warc.close()
    again = Warc(path, len(first))
    assert again.size == path.stat().st_size == len(first)
    again.append(response_record(_answer(b"third")))
    again.close()
    with path.open("rb") as file:
        assert [record.content_stream().read() for record in ArchiveIterator(file)] == [b"first", b"third"]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "identity", "chunked", "chunked gzip"])
def test_payloads_are_decoded_as_the_server_packed_them(encoding: str, packed: bool) -> None:
    import zlib

    import brotli
    from backports import zstd

    pack = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstd.compress}
    body = b"honey " * 100
    headers = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    for name in encoding.split()[::-1]:
        if name in pack:
            body = pack[name](body)
            headers += b"Content-Encoding: " + name.encode() + b"\r\n"
        elif name == "chunked":
            body = b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"
            headers += b"Transfer-Encoding: chunked\r\n"
    record = _made(headers + b"\r\n" + body)
    found = parse_member(gzip.compress(record) if packed else record, 10_000)
    assert found is not None
    assert (found.status, found.body) == (200, b"honey " * 100)
    assert found.url == "http://a.test/x"


def test_a_resource_is_an_answer_without_headers() -> None:
    found = parse_member(_made(b"<p>honey", "resource", "text/html"), 100)
    assert found is not None
    assert (found.status, found.media, found.body) == (200, "text/html", b"<p>honey")


def test_a_bomb_is_opened_no_further_than_the_limit() -> None:
    bomb = gzip.compress(b"0" * 20_000_000)
    record = _made(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + bomb)
    tracemalloc.start()
    try:
        found = parse_member(record, 1_000_000)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert found is not None
    assert (found.body, found.error, found.lasting) == (b"", "larger than 1000000 bytes", True)


@pytest.mark.parametrize(
    "date", ["", "garbage", "0001-01-01T00:00:00Z", "99999-01-01T00:00:00Z", "2024-13-45T99:99:99Z"]
)
def test_a_date_that_is_none_does_no_harm(date: str) -> None:
    found = parse_member(_made(b"HTTP/1.1 200 OK\r\n\r\nx", more=f"WARC-Date: {date}\r\n"), 10)
    assert found is not None
    assert isinstance(found.fetched, float)


@pytest.mark.parametrize(
    "member",
    [
        b"",
        b"garbage",
        b"\x1f\x8b\x08\x00garbage",
        gzip.compress(b"garbage"),
        _made(b"GET / HTTP/1.1\r\n\r\n", "request"),
        _made(b"x: y", "warcinfo", "application/warc-fields"),
        _made(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnot gzip"),
        _made(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot chunked"),
    ],
    ids="empty garbage no-gzip gzipped-garbage request info not-gzip not-chunked".split(),
)
def test_what_is_no_answer_is_none(member: bytes) -> None:
    assert parse_member(member, 1_000) is None


@given(st.binary(max_size=300), st.integers(0, 400))
@settings(max_examples=150, deadline=None)
def test_damage_never_raises(noise: bytes, place: int) -> None:
    for record in (
        _made(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"x")),
        response_record(_answer()),
    ):
        parse_member(record[:place] + noise + record[place:], 1_000)
        parse_member(record[:place], 1_000)


@pytest.mark.parametrize(
    ("value", "media", "charset"),
    [
        ('Text/HTML; Charset="UTF-8"', "text/html", "UTF-8"),
        ("text/html;charset=gb2312; x=y", "text/html", "gb2312"),
        ("text/html; charset=", "text/html", None),
        ("text/html", "text/html", None),
        ("", "", None),
        ("; ; charset", "", None),
    ],
)
def test_the_media_type_and_charset_of_an_answer(value: str, media: str, charset: str | None) -> None:
    answer = Response("http://a.test/", 200, [("CONTENT-TYPE", value), ("Content-Type", "second")])
    assert (answer.media, answer.charset) == (media, charset)


@pytest.mark.parametrize(
    ("media", "use"),
    [
        *[
            (media, True)
            for media in ("text/html", "", "application/pdf", "application/rss+xml", "application/xhtml+xml")
        ],
        *[(media, False) for media in ("image/png", "text/css", "video/mp4", "application/zip", "font/woff2")],
    ],
)
def test_only_media_that_may_hold_text_are_wanted(media: str, use: bool) -> None:
    assert wanted(media) is use


@pytest.mark.parametrize("there", [True, False])
def test_a_warc_that_lost_its_tail_is_not_padded(tmp_path: Path, there: bool) -> None:
    path = tmp_path / "pages.warc.gz"
    member = response_record(_answer())
    if there:
        path.write_bytes(member)
    warc = Warc(path, len(member) + 500)
    warc.append(response_record(_answer(b"later", "http://a.test/later")))
    warc.close()
    assert b"\x00" * 100 not in path.read_bytes()
    urls = [
        record.rec_headers.get_header("WARC-Target-URI") for record in ArchiveIterator(io.BytesIO(path.read_bytes()))
    ]
    assert urls[-1] == "http://a.test/later"


@pytest.mark.parametrize("packed", [False, True])
def test_a_record_torn_off_inside_its_body_is_no_answer(packed: bool) -> None:
    record = gzip.decompress(response_record(_answer(bytes(range(256)) * 20)))
    torn = gzip.compress(record)[:-300] if packed else record[:-300]
    found = parse_member(torn, 100_000)
    assert found is None or found.error


def test_line_breaks_in_a_header_name_cannot_forge_headers() -> None:
    answer = _answer()
    answer.headers.append(("X\r\nSet-Cookie", "forged"))
    found = parse_member(response_record(answer), 1_000)
    assert found is not None
    assert found.header("set-cookie") == ""


def test_line_breaks_in_the_first_record_cannot_forge_fields() -> None:
    packed = info_record({"description": "bees\r\noperator: forged"}, NOON)
    record = next(iter(ArchiveIterator(io.BytesIO(packed))))
    assert b"\r\noperator" not in record.content_stream().read()
