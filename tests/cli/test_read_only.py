"""A crawl of somebody else, or on a disk that cannot be written, can be looked at in every way and is left as it is."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from honeyguide.cli.main import cli
from honeyguide.corpus import Corpus
from honeyguide.errors import CrawlFolderError, HoneyguideError
from honeyguide.page.record import Record
from honeyguide.store.folder import in_use
from tests.corpus.conftest import HandmadeCrawl
from tests.store.test_folder import somebody

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no users to be")

PAGE = "https://bees.example/honey"
TOPIC = """
name = "bees"
[keywords]
"bee" = 1.0
[pages]
starts = ["https://bees.example/"]
"""


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:  # not pytest's own, which nobody but root may look into
        Path(made).chmod(0o777)
        yield Path(made)


@pytest.fixture
def crawl(place: Path) -> Iterator[HandmadeCrawl]:
    """A crawl that is under way: it has a write-ahead log, and the lock is held."""
    made = HandmadeCrawl(place / "crawl")
    made.folder.topic.write_text(TOPIC)
    made.folder.lock()
    made.add(Record(PAGE, "Honey", text="Bees make honey.", language="en"))
    yield made
    made.folder.unlock()
    with contextlib.suppress(Exception):
        made.close()
    _open(made.folder.path, 0o755)


def _open(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    for file in folder.iterdir():
        file.chmod(mode & 0o666)


def finished(crawl: HandmadeCrawl) -> Path:
    crawl.close()
    crawl.folder.unlock()
    return crawl.folder.path


def running(crawl: HandmadeCrawl) -> Path:
    assert in_use(crawl.folder.path)
    return crawl.folder.path


def running_and_at_rest(crawl: HandmadeCrawl) -> Path:
    crawl.store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return crawl.folder.path


def killed(crawl: HandmadeCrawl) -> Path:
    left = crawl.folder.path.with_name("killed")
    shutil.copytree(crawl.folder.path, left)
    assert (left / "crawl.db-wal").stat().st_size
    assert not in_use(left)
    return left


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, words)))


def as_somebody(folder: Path, *words: object) -> Result:
    """Run a command as somebody who may only look, once all that Python has to load for it is loaded."""
    with tempfile.TemporaryDirectory() as own:
        shutil.copytree(folder, Path(own) / "crawl")
        _open(Path(own) / "crawl", 0o777)
        run(words[0], Path(own) / "crawl", *(str(word).replace(str(folder.parent), own) for word in words[1:]))
    with somebody():
        return run(words[0], folder, *words[1:])


def contents(folder: Path) -> dict[str, bytes]:
    """What is in a folder, but for the file in which the crawl, part of this very process, notes who is reading."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}


@pytest.mark.parametrize("state", [finished, running, running_and_at_rest, killed])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["status"], "1 record"),
        (["search", "honey"], "Bees make honey."),
        (["why", PAGE], "state: visited"),
        (["export", "--to", "csv", "--out", "PLACE/records.csv"], "1 written to"),
        (["export", "--to", "wacz", "--out", "PLACE/pages.wacz"], "1 written to"),
        (["report", "--out", "PLACE/mine.html"], "mine.html"),
        (["report", "--out", "PLACE"], "report.html"),
    ],
    ids=lambda value: " ".join(value[:3]) if isinstance(value, list) else "",
)
def test_every_look_works_and_changes_nothing(
    crawl: HandmadeCrawl, place: Path, state: object, words: list[str], told: str
) -> None:
    assert callable(state)
    folder = state(crawl)
    _open(folder, 0o555)
    before = contents(folder)
    done = as_somebody(folder, *(word.replace("PLACE", str(place)) for word in words))
    assert done.exit_code == 0, (done.output, done.exception)
    assert told in done.output
    assert contents(folder) == before


def test_what_a_running_crawl_adds_is_seen(crawl: HandmadeCrawl) -> None:
    _open(crawl.folder.path, 0o555)
    with somebody():
        corpus = Corpus(crawl.folder.path)
    assert len(corpus) == 1
    crawl.add(Record("https://bees.example/wax", "Wax"))
    assert len(corpus) == 2
    corpus.close()


def test_a_log_that_cannot_be_read_where_it_is_is_told_and_not_passed_over(crawl: HandmadeCrawl) -> None:
    folder = killed(crawl)
    (folder / "crawl.db-shm").unlink()
    _open(folder, 0o555)
    with somebody(), pytest.raises(CrawlFolderError, match=r"its last pages are in crawl\.db-wal; copy the folder"):
        Corpus(folder)


@pytest.mark.parametrize(
    "words",
    [["label", "--right", PAGE], ["forget", PAGE, "--yes"], ["resume"], ["report"], ["export", "--to", "csv"]],
    ids=lambda words: words[0],
)
def test_what_must_write_says_that_it_cannot(crawl: HandmadeCrawl, words: list[str]) -> None:
    folder = finished(crawl)
    _open(folder, 0o555)
    before = contents(folder)
    done = as_somebody(folder, *words)
    assert isinstance(done.exception, HoneyguideError), (done.output, done.exception)
    assert "cannot be written" in str(done.exception)
    assert contents(folder) == before


def test_a_folder_into_which_we_may_not_look_is_told(crawl: HandmadeCrawl) -> None:
    crawl.folder.path.chmod(0o700)
    with somebody():
        done = run("status", crawl.folder.path)
    assert isinstance(done.exception, CrawlFolderError)
    assert "Permission denied" in str(done.exception)


def test_a_report_replaces_a_report_and_nothing_else(crawl: HandmadeCrawl, place: Path) -> None:
    (place / "thesis.txt").write_text("years of work")
    done = run("report", crawl.folder.path, "--out", place / "thesis.txt")
    assert isinstance(done.exception, CrawlFolderError)
    assert (place / "thesis.txt").read_text() == "years of work"
    for _ in range(2):
        assert run("report", crawl.folder.path, "--out", place / "mine.html").exit_code == 0
    assert not crawl.folder.report.exists()
