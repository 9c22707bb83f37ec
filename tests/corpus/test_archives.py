"""The exported archives hold the on-topic answers, whole, and others can read them."""

from __future__ import annotations

import gzip
import hashlib
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from fastwarc.warc import ArchiveIterator as FastIterator
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator

from honeyguide.cli.main import cli
from honeyguide.corpus import export
from honeyguide.corpus.archives import surt
from honeyguide.errors import ExportError
from honeyguide.page.record import Record
from tests.corpus.conftest import HandmadeCrawl

PAGES = {
    "https://bees.example/honey": b"<p>honey</p>",
    "https://bees.example/../../etc/passwd": b"\x00\xff binary \r\n\r\n",
    "https://www.bees.example/%E9%AB%98?b=2&a=1": "<p>高铁</p>".encode() * 5_000,
}


@pytest.fixture
def full(crawl: HandmadeCrawl) -> HandmadeCrawl:
    for number, (url, body) in enumerate(PAGES.items()):
        crawl.add(Record(f"https://off.example/{number}", "off topic"), on_topic=False)
        crawl.add(Record(url, f"页 {number}"), body=body)
    crawl.folder.write_manifest({"topic": {"name": "Honey\r\nbees"}})
    return crawl


def bodies(path: Path) -> dict[str, bytes]:
    with path.open("rb") as file:
        return {
            record.rec_headers.get_header("WARC-Target-URI"): record.content_stream().read()
            for record in ArchiveIterator(file)
            if record.rec_type == "response"
        }


def test_the_warc_holds_the_on_topic_answers_only(full: HandmadeCrawl) -> None:
    done = export(full.folder, "warc")
    assert done.path.name == "on-topic.warc.gz"
    assert (done.count, done.notes) == (3, ())
    assert bodies(done.path) == PAGES


def test_fastwarc_reads_it_too(full: HandmadeCrawl) -> None:
    path = export(full.folder, "warc").path
    with path.open("rb") as file:
        records = [(record.record_type, record.reader.read()) for record in FastIterator(file, parse_http=True)]
    assert [kind for kind, _ in records] == [WarcRecordType.warcinfo] + 3 * [WarcRecordType.response]
    assert [body for _, body in records[1:]] == list(PAGES.values())


def test_each_answer_is_a_gzip_member_copied_byte_by_byte(full: HandmadeCrawl) -> None:
    original, copy = full.folder.warc.read_bytes(), export(full.folder, "warc").path.read_bytes()
    for visit in full.store.visits(on_topic=True):
        assert visit.warc is not None
        assert visit.warc_size is not None
        member = original[visit.warc : visit.warc + visit.warc_size]
        assert member in copy
        assert b"WARC-Type: response" in gzip.decompress(member)


@pytest.mark.parametrize("to", ["warc", "wacz"])
def test_a_crawl_without_a_warc_is_told(crawl_without_warc: HandmadeCrawl, to: str) -> None:
    crawl_without_warc.add(Record("https://bees.example/"))
    with pytest.raises(ExportError, match="--no-warc"):
        export(crawl_without_warc.folder, to)
    assert not list(crawl_without_warc.folder.path.glob("on-topic*"))


def test_pages_without_an_answer_are_counted(full: HandmadeCrawl) -> None:
    warc, full.warc = full.warc, None
    full.add(Record("https://bees.example/unstored"))
    full.warc = warc
    done = export(full.folder, "warc")
    assert done.count == 3
    assert "1 on-topic pages are left out: they have no stored answer" in done.notes[0]


def place_of(crawl: HandmadeCrawl, url: str) -> tuple[int, int]:
    visit = next(visit for visit in crawl.store.visits() if crawl.store.url(visit.url).url == url)
    assert visit.warc is not None
    assert visit.warc_size is not None
    return visit.warc, visit.warc_size


def addresses(path: Path) -> set[str]:
    """The pages an export holds, by its WARC; those of a WACZ must be the same in its index and its list."""
    if path.suffix == ".gz":
        return set(bodies(path))
    with zipfile.ZipFile(path) as package:
        listed = {json.loads(line)["url"] for line in package.read("pages/pages.jsonl").splitlines()[1:]}
        indexed = {
            json.loads(line.split(" ", 2)[2])["url"] for line in package.read("indexes/index.cdx").decode().splitlines()
        }
        inside = path.with_suffix(".warc.gz")
        inside.write_bytes(package.read("archive/data.warc.gz"))
    assert listed == indexed == set(bodies(inside))
    return listed


@pytest.mark.parametrize("to", ["warc", "wacz"])
@pytest.mark.parametrize("how", ["a bit in the middle", "zeros", "cut short", "another answer in its place"])
def test_a_garbled_answer_is_left_out_named_and_counted(full: HandmadeCrawl, to: str, how: str) -> None:
    harmed = list(PAGES)[2]
    offset, size = place_of(full, harmed)
    data = bytearray(full.folder.warc.read_bytes())
    if how == "a bit in the middle":
        data[offset + size // 2] ^= 1
    elif how == "zeros":
        data[offset + 10 : offset + size] = bytes(size - 10)
    elif how == "cut short":
        del data[offset + size // 2 :]
    else:
        full.store._connection.execute(
            "UPDATE visits SET warc = 0, warc_size = ? WHERE warc = ?",
            (place_of(full, "https://off.example/0")[1], offset),
        )
    full.folder.warc.write_bytes(data)
    done = export(full.folder, to)
    assert addresses(done.path) == set(PAGES) - {harmed}
    assert (done.count, done.damaged) == (2, 1)
    assert len(done.notes) == 1
    assert done.notes[0].startswith(f"1 stored answers are damaged in {full.folder.warc} and left out: {harmed} (byte ")


@pytest.mark.parametrize("to", ["warc", "wacz"])
def test_a_warc_of_which_nothing_can_be_read_is_an_error(full: HandmadeCrawl, to: str) -> None:
    full.folder.warc.write_bytes(bytes(full.folder.warc.stat().st_size))
    with pytest.raises(ExportError, match="damaged: none of its 3 answers can be read"):
        export(full.folder, to)
    assert not list(full.folder.path.glob("*on-topic*"))


def test_the_command_says_so_and_ends_with_one(full: HandmadeCrawl) -> None:
    offset, size = place_of(full, next(iter(PAGES)))
    data = bytearray(full.folder.warc.read_bytes())
    data[offset + size // 2] ^= 1
    full.folder.warc.write_bytes(data)
    told = CliRunner().invoke(cli, ["export", str(full.folder.path), "--to", "warc"])
    assert told.exit_code == 1
    assert "2 written to" in told.output
    assert "note: 1 stored answers are damaged" in told.output


UNWILLING = {
    "noarchive in the head": (b"<meta name=robots content='index, NOARCHIVE'><p>honey", []),
    "noarchive in a header": (b"<p>honey", [("X-Robots-Tag", "noarchive")]),
    "noindex in the head": (b"<meta name=honeyguide content=noindex><p>honey", []),
    "none in a header": (b"<p>honey", [("x-robots-tag", "none")]),
}


@pytest.mark.parametrize("to", ["warc", "wacz"])
@pytest.mark.parametrize("case", UNWILLING)
def test_a_page_that_wants_no_copies_is_not_exported(full: HandmadeCrawl, to: str, case: str) -> None:
    body, headers = UNWILLING[case]
    full.add(Record("https://bees.example/private"), body=body, headers=headers)
    full.add(Record("https://bees.example/theirs"), headers=[("X-Robots-Tag", "otherbot: noarchive")])
    done = export(full.folder, to)
    assert addresses(done.path) == {*PAGES, "https://bees.example/theirs"}
    assert (done.count, done.damaged) == (4, 0)
    assert done.notes == ("1 on-topic pages are left out: they say noindex or noarchive",)


@pytest.fixture
def wacz(full: HandmadeCrawl) -> zipfile.ZipFile:
    return zipfile.ZipFile(export(full.folder, "wacz").path)


def test_the_wacz_holds_the_files_of_its_specification_and_nothing_from_the_web(wacz: zipfile.ZipFile) -> None:
    assert wacz.testzip() is None
    assert wacz.namelist() == [
        "archive/data.warc.gz",
        "indexes/index.cdx",
        "pages/pages.jsonl",
        "datapackage.json",
        "datapackage-digest.json",
    ]
    assert wacz.getinfo("archive/data.warc.gz").compress_type == zipfile.ZIP_STORED
    wacz.close()


def test_the_wacz_manifest_tells_sizes_and_digests(wacz: zipfile.ZipFile) -> None:
    manifest = json.loads(wacz.read("datapackage.json"))
    assert (manifest["profile"], manifest["wacz_version"], manifest["title"]) == (
        "data-package",
        "1.1.1",
        "Honey bees",
    )
    assert [resource["path"] for resource in manifest["resources"]] == wacz.namelist()[:3]
    for resource in manifest["resources"]:
        data = wacz.read(resource["path"])
        assert resource["bytes"] == len(data)
        assert resource["hash"] == "sha256:" + hashlib.sha256(data).hexdigest()
    sealed = json.loads(wacz.read("datapackage-digest.json"))
    assert sealed["hash"] == "sha256:" + hashlib.sha256(wacz.read("datapackage.json")).hexdigest()
    wacz.close()


def test_the_wacz_index_leads_to_each_answer(wacz: zipfile.ZipFile) -> None:
    warc = wacz.read("archive/data.warc.gz")
    lines = wacz.read("indexes/index.cdx").decode().splitlines()
    assert lines == sorted(lines)
    found = {}
    for line in lines:
        _key, moment, entry = line.split(" ", 2)
        assert len(moment) == 14
        place = json.loads(entry)
        member = gzip.decompress(warc[int(place["offset"]) : int(place["offset"]) + int(place["length"])])
        found[place["url"]] = member.partition(b"\r\n\r\n")[2].partition(b"\r\n\r\n")[2][:-4]
        assert place["digest"].startswith("sha1:")
        assert (place["status"], place["mime"], place["filename"]) == ("200", "text/html", "data.warc.gz")
    assert found == PAGES
    wacz.close()


def test_the_wacz_lists_its_pages(wacz: zipfile.ZipFile) -> None:
    header, *pages = map(json.loads, wacz.read("pages/pages.jsonl").decode().splitlines())
    assert header["format"] == "json-pages-1.0"
    assert [page["url"] for page in pages] == list(PAGES)
    assert [page["title"] for page in pages] == ["页 0", "页 1", "页 2"]
    assert pages[0]["ts"] == "2023-11-14T22:13:22Z"
    wacz.close()


def test_an_index_too_large_for_memory_is_still_in_order(full: HandmadeCrawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honeyguide.corpus.archives._LINES", 2)
    with zipfile.ZipFile(export(full.folder, "wacz").path) as wacz:
        lines = wacz.read("indexes/index.cdx").decode().splitlines()
    assert len(lines) == 3
    assert lines == sorted(lines)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.example.org/", "org,example)/"),
        ("https://example.org", "org,example)/"),
        ("https://example.org:443/A", "org,example)/a"),
        ("http://127.0.0.1:8080/x", "127.0.0.1:8080)/x"),
        ("http://[::1]/x", "::1)/x"),
        ("http://[bad/x y", "http://[bad/x%20y"),
    ],
)
def test_addresses_sort_by_their_site(url: str, key: str) -> None:
    assert surt(url) == key
