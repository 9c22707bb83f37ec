"""A crawl's folder: made, refused, locked."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from honeyguide.errors import CrawlFolderError
from honeyguide.store import Folder, Store


def _elsewhere(script: str, *given: object) -> subprocess.CompletedProcess[str]:
    """Run a script in another process."""
    command = [sys.executable, "-c", textwrap.dedent(script), *map(str, given)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)


LOCK = """
    import sys
    from honeyguide.errors import CrawlFolderError
    from honeyguide.store import Folder
    try:
        Folder(sys.argv[1]).lock()
        print("held")
    except CrawlFolderError as error:
        print(error)
"""


def test_a_new_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "a" / "b")
    assert not folder.is_crawl()
    folder.prepare()
    assert folder.path.is_dir()
    folder.prepare()  # an interrupted beginning may be begun again
    assert [folder.database.name, folder.warc.name, folder.topic.name, folder.manifest.name, folder.report.name] == [
        "crawl.db",
        "pages.warc.gz",
        "topic.toml",
        "manifest.json",
        "report.html",
    ]


def test_a_folder_that_holds_a_crawl_is_refused_and_left_alone(tmp_path: Path) -> None:
    Store.create(tmp_path / "crawl.db").close()
    before = (tmp_path / "crawl.db").read_bytes()
    with pytest.raises(CrawlFolderError, match="already holds a crawl; continue it with 'honeyguide resume"):
        Folder(tmp_path).prepare()
    assert (tmp_path / "crawl.db").read_bytes() == before
    assert Folder(tmp_path).is_crawl()


def test_a_folder_that_holds_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(CrawlFolderError, match="is not empty and not a crawl"):
        Folder(tmp_path).prepare()
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(CrawlFolderError, match="cannot be written"):
            Folder(place).prepare()
    with pytest.raises(CrawlFolderError, match="cannot be written"):
        Folder(tmp_path / "none").lock()


@contextlib.contextmanager
def somebody() -> Iterator[None]:
    """Root may do all; so root becomes nobody for a while. Others are somebody already."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65_534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no users to be")
def test_a_folder_without_write_permission_is_said() -> None:
    with tempfile.TemporaryDirectory() as place:  # not pytest's own, which nobody but root may look into
        Path(place).chmod(0o555)
        with somebody(), pytest.raises(CrawlFolderError, match="cannot be written: Permission denied"):
            Folder(place).prepare()


def test_a_second_process_is_refused_and_told_who_holds_the_folder(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.lock()
    folder.lock()  # once is enough
    assert f"is in use by process {os.getpid()}; wait for it or stop it first" in _elsewhere(LOCK, tmp_path).stdout
    folder.unlock()
    folder.unlock()
    assert _elsewhere(LOCK, tmp_path).stdout == "held\n"


def test_the_same_process_cannot_hold_a_folder_twice(tmp_path: Path) -> None:
    one, other = Folder(tmp_path), Folder(tmp_path)
    one.lock()
    with pytest.raises(CrawlFolderError, match="is in use by process"):
        other.lock()
    one.unlock()
    other.lock()
    other.unlock()


def test_a_killed_process_leaves_no_lock_behind(tmp_path: Path) -> None:
    killed = _elsewhere(LOCK.replace('print("held")', "__import__('os')._exit(9)"), tmp_path)
    assert killed.returncode == 9
    assert (tmp_path / "crawl.lock").read_text().startswith("process ")
    folder = Folder(tmp_path)
    folder.lock()
    assert (tmp_path / "crawl.lock").read_text() == f"process {os.getpid()}"
    folder.unlock()


def test_a_manifest_comes_back_as_it_was_written(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert folder.read_manifest() == {}
    content = {"topic": "蜂蜜", "pages": 3, "hosts": ["a", "b"]}
    folder.write_manifest(content)
    assert folder.read_manifest() == content
    assert "蜂蜜" in folder.manifest.read_text(encoding="utf-8")
    assert [entry.name for entry in tmp_path.iterdir()] == ["manifest.json"]


def test_a_manifest_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.write_manifest({"good": 1})
    with pytest.raises(TypeError):
        folder.write_manifest({"bad": object()})
    assert folder.read_manifest() == {"good": 1}


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", "null", "\x00"])
def test_a_broken_manifest_reads_as_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "manifest.json").write_text(content)
    assert Folder(tmp_path).read_manifest() == {}
    assert json.dumps(Folder(tmp_path).read_manifest()) == "{}"
