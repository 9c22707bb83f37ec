"""The demo web as an offline web, and the command that serves or writes it."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from honeyguide.bench.offline import load
from honeyguide.demo import DemoWeb, write_web
from honeyguide.demo.__main__ import main
from honeyguide.demo.offline import TRAP_PAGES
from honeyguide.errors import TopicError


@pytest.fixture(scope="module")
def folder(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("offline") / "web"
    write_web(folder, web)
    return folder


def test_fastwarc_reads_every_page_back(web: DemoWeb, folder: Path) -> None:
    found = {}
    with (folder / "pages.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file, parse_http=True, record_types=WarcRecordType.response):
            url = record.headers["WARC-Target-URI"]
            found[url] = record.http_headers.status_code, record.reader.read()
    assert len(found) == len(web.pages) + TRAP_PAGES
    for url, page in web.pages.items():
        assert found[url] == (page.status, page.body)


def test_warcio_reads_it_too(web: DemoWeb, folder: Path) -> None:
    with (folder / "pages.warc.gz").open("rb") as file:
        texts = {
            record.rec_headers.get_header("WARC-Target-URI"): record.content_stream().read()
            for record in WarcioIterator(file)
        }
    for url, page in web.pages.items():
        if page.headers.get("Content-Encoding") == "gzip":
            assert texts[url] == gzip.decompress(page.body)
        else:
            assert texts[url] == page.body


def test_every_record_is_a_gzip_member_of_its_own(folder: Path) -> None:
    with (folder / "pages.warc.gz").open("rb") as file:
        starts = [record.stream_pos for record in ArchiveIterator(file)]
        for start in starts[:: len(starts) // 7]:
            file.seek(start)
            assert gzip.GzipFile(fileobj=file).read(8) == b"WARC/1.1"


def test_two_writings_are_alike(web: DemoWeb, folder: Path, tmp_path: Path) -> None:
    write_web(tmp_path, web)
    for name in ("pages.warc.gz", "topics.jsonl"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_topics_have_the_fields_of_an_offline_web(web: DemoWeb, folder: Path) -> None:
    lines = (folder / "topics.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(web.topics)
    for line, topic in zip(lines, web.topics, strict=True):
        read = json.loads(line)
        assert {"id", "name", "keywords", "examples", "far_starts", "relevant"} <= read.keys()
        assert set(read["relevant"]) == topic.relevant
        assert len(read["far_starts"]) == 5
        assert read["keywords"] == topic.keywords


def test_the_kind_of_page_a_topic_asks_for_reaches_the_race(folder: Path, tmp_path: Path) -> None:
    kinds = {topic.id: topic.kind for topic in load(folder).topics}
    assert {name for name, kind in kinds.items() if kind != "any"} == {"papers"}
    assert kinds["papers"] == "article"
    odd = tmp_path / "topics.jsonl"
    odd.write_text('{"id": "a", "name": "A", "kind": "books", "relevant": ["http://a.test/"]}')
    with pytest.raises(TopicError, match="kind: Invalid enum value 'books'"):
        load(folder, odd)


def test_the_command_writes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--write", str(tmp_path / "a")]) == 0
    assert (tmp_path / "a" / "pages.warc.gz").stat().st_size > 500_000
    assert "wrote" in capsys.readouterr().out


def test_a_folder_that_cannot_be_made_is_told_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert main(["--write", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.startswith("error: the demo web cannot be written")


def start(log: Path, *, background: bool = False) -> subprocess.Popen[str]:
    """The command, as a shell starts it in the foreground or in the background."""
    command = [sys.executable, "-m", "honeyguide.demo", "--log", str(log)]
    # What a shell does to the commands it puts in the background; a child inherits it.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if background else signal.default_int_handler)
    try:
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name == "nt", reason="no interrupt signal to send")
@pytest.mark.parametrize("shell", ["foreground", "background"])
def test_the_command_serves_until_interrupted(tmp_path: Path, shell: str) -> None:
    log = tmp_path / "log.jsonl"
    with start(log, background=shell == "background") as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            while "Ctrl-C" not in process.stdout.readline():
                pass
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": address}))
            with opener.open("http://hub.demo.test/", timeout=120) as answer:
                assert b"Start Here" in answer.read()
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
        finally:
            process.kill()
    assert process.returncode == 0
    assert err == ""
    assert "1 requests answered" in out
    assert json.loads(log.read_text())["host"] == "hub.demo.test"


def minds(process: subprocess.Popen[str], number: int) -> bool:
    """Whether a process has a handler for this signal of its own."""
    caught = Path(f"/proc/{process.pid}/status").read_text().partition("SigCgt:")[2].split()[0]
    return bool(int(caught, 16) >> (number - 1) & 1)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="signals are told as Linux tells them")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("lines", [0, 1, 4])
def test_the_command_ends_cleanly_whenever_it_is_interrupted(tmp_path: Path, number: int, lines: int) -> None:
    with start(tmp_path / "log.jsonl") as process:
        try:
            while not minds(process, signal.SIGTERM) and process.poll() is None:  # long before there is a server
                time.sleep(0.001)
            assert process.stdout is not None
            for _ in range(lines):
                process.stdout.readline()
            process.send_signal(number)
            out, err = process.communicate()
        finally:
            process.kill()
    assert (process.returncode, err) == (0, "")
    assert out.endswith("\n0 requests answered\n")
