"""Bad input: one clear sentence, exit code 2, no traceback, nothing damaged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOPIC = """
name = "bees"
[keywords]
"bee" = 1.0
[pages]
starts = ["http://127.0.0.1:9/"]
"""


PICKY = """
from honeyguide.errors import SettingError
from honeyguide.strategies import Strategy, setting

class Picky(Strategy):
    name = "picky"
    width: int = setting(3, "How wide.")

    def check(self):
        if 6 // self.width % 2 == 0:
            raise SettingError("width must be even")
"""


def honeyguide(*words: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "honeyguide", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=240)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "topic.toml").write_text(TOPIC)
    (tmp_path / "broken.toml").write_text("name = [")
    (tmp_path / "heavy.toml").write_text(TOPIC.replace("= 1.0", '= "much"'))
    (tmp_path / "nowhere.toml").write_text(TOPIC.replace('starts = ["http://127.0.0.1:9/"]', ""))
    (tmp_path / "not.warc.gz").write_bytes(b"this is no archive")
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder").mkdir()
    (tmp_path / "mine.py").write_text("raise RuntimeError('oops')")
    (tmp_path / "picky.py").write_text(PICKY)
    return tmp_path


def _content(place: Path) -> dict[Path, bytes | None]:
    """All files and folders."""
    return {path: path.read_bytes() if path.is_file() else None for path in place.rglob("*")}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["crawl", "topic.toml", "--strategy", "nonsense"],
            "unknown strategy: 'nonsense'; known: bloch, breadth-first, context-graph, cosine",
        ),
        (["crawl", "topic.toml", "--strategy", "mine.py:Mine"], "mine.py cannot be loaded"),
        (["crawl", "topic.toml", "--strategy", "cosine", "--set", "k=soft"], "setting 'k'"),
        (["crawl", "topic.toml", "--strategy", "news", "--set", "gamma=2"], "must lie between 0.001 and 1, not 2"),
        (["crawl", "topic.toml", "--strategy", "semrank", "--set", "base=none"], "must be one of judged"),
        (["crawl", "topic.toml", "--strategy", "picky.py"], "width must be even"),
        (
            ["crawl", "topic.toml", "--strategy", "picky.py", "--set", "width=0"],
            "over its settings: ZeroDivisionError",
        ),
        (["crawl", "--clicks", "missing.jsonl"], "missing.jsonl cannot be read: no such file or directory"),
        (["crawl", "--clicks", "missing.jsonl", "--name", "bees"], "missing.jsonl cannot be read"),
        (["crawl", "topic.toml", "--set", "nonsense=1"], "has no setting 'nonsense'"),
        (["crawl", "missing.toml"], "missing.toml"),
        (["crawl", "broken.toml"], "broken.toml"),
        (["crawl", "folder"], "folder"),
        (["crawl", "heavy.toml"], "bee"),
        (["crawl", "--keyword", "MH17:heavy", "--start", "http://a.test/"], "heavy"),
        (["crawl", "--keyword", "bee", "--start", "not a url"], "not a url"),
        (["crawl", "nowhere.toml"], "start"),
        (["crawl", "topic.toml", "--out", "file/inside"], "file/inside cannot be written"),
        (["crawl", "topic.toml", "--out", "."], "is not empty and not a crawl"),
        (["crawl", "topic.toml", "--web", "not.warc.gz"], "not.warc.gz"),
        (["crawl", "topic.toml", "--web", "folder"], "holds no pages.warc.gz"),
        (["crawl", "topic.toml", "--web", "missing.warc"], "does not exist"),
        (["crawl", "topic.toml", "--learn-from", "folder"], "strategy 'guide' does not learn from earlier crawls"),
        (["crawl", "topic.toml", "--strategy", "bloch", "--learn-from", "missing"], "missing does not exist"),
        (["crawl", "topic.toml", "--strategy", "future", "--learn-from", "folder"], "holds no pages.warc.gz"),
        (["crawl", "topic.toml", "--strategy", "future", "--learn-from", "not.warc.gz"], "not.warc.gz"),
        (["crawl", "topic.toml", "--pages", "0"], "pages must be more than 0"),
        (["crawl", "topic.toml", "--at-once", "8"], "at-once may be more than 1 only where delay is 0, not 1"),
        (["crawl", "topic.toml", "--pages", "many"], "'many' is not a valid integer"),
        (["crawl", "topic.toml", "--deny", "("], "no regular expression"),
        (["crawl", "topic.toml", "--open", "the moon"], "the moon"),
        (["crawl", "topic.toml", "--threshold", "2"], "between 0 and 1"),
        (["resume", "folder"], "is not a crawl"),
        (["resume", "missing"], "is not a crawl"),
        (["status", "folder"], "is not a crawl"),
        (["why", "folder", "http://a.test/"], "is not a crawl"),
        (["search", "folder", "bees"], "is not a crawl"),
        (["search", "folder", "bees", "--most", "many"], "'many' is not a valid integer"),
        (["search", "folder", "bees", "--moost", "3"], "No such option"),
        (["export", "folder", "--to", "csv"], "is not a crawl"),
        (["export", "folder", "--to", "csv", "--since", "soon"], "since must be a date such as 2024"),
        (["export", "folder", "--to", "papyrus"], "'papyrus' is not one of"),
        (["label", "folder", "--right", "http://a.test/"], "is not a crawl"),
        (["forget", "folder", "a.test", "--yes"], "is not a crawl"),
        (["report", "folder"], "is not a crawl"),
        (["extract", "missing.html"], "missing.html cannot be read"),
        (["extract", "http://127.0.0.1:9/"], "address refused"),
        (["strategies", "nonsense"], "unknown strategy"),
        (["nonsense"], "No such command"),
        (["status", "x" * 300], "cannot be read: File name too long"),
        (["resume", "x" * 300], "cannot be read: File name too long"),
        (["crawl", "topic.toml", "--out", "x" * 300], "cannot be read: File name too long"),
        (["crawl", "topic.toml", "--web", "x" * 300], "cannot be read: File name too long"),
        (["bench", "x" * 300], "cannot be read: File name too long"),
    ],
    ids=lambda value: " ".join(value)[:50] if isinstance(value, list) else "",
)
def test_one_sentence_and_exit_code_two(place: Path, words: list[str], told: str) -> None:
    before = _content(place)
    done = honeyguide(*words, cwd=place)
    assert done.returncode == 2, done
    assert told in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
    sentence = [line for line in done.stderr.strip().splitlines() if not line.startswith(("Usage:", "Try", "note:"))]
    assert len([line for line in sentence if line]) == 1, done.stderr
    assert _content(place) == before


def test_unreachable_hosts_end_in_a_finished_crawl_that_says_what_failed(place: Path) -> None:
    words = ["crawl", "topic.toml", "--open", "127.0.0.1", "--delay", "0", "--retries", "0", "--out", "out"]
    done = honeyguide(*words, cwd=place)
    assert done.returncode == 1, done.stderr
    assert "nothing was reached" in done.stdout
    assert "127.0.0.1:9" in done.stdout
    assert "cannot connect" in done.stdout
    assert "ended: nothing left to visit" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_name_that_does_not_resolve_is_told(place: Path) -> None:
    words = ["crawl", "--keyword", "bee", "--start", "http://no-such-host.invalid/", "--delay", "0", "--out", "out"]
    done = honeyguide(*words, cwd=place)
    assert done.returncode == 1, done.stderr
    assert "no-such-host.invalid" in done.stdout


def test_a_database_of_another_kind_is_left_alone(place: Path) -> None:
    import sqlite3

    other = place / "other"
    other.mkdir()
    connection = sqlite3.connect(other / "crawl.db")
    connection.execute("CREATE TABLE diary (day)")
    connection.commit()
    connection.close()
    before = (other / "crawl.db").read_bytes()
    done = honeyguide("resume", "other", cwd=place)
    assert done.returncode == 2
    assert "not of a Honeyguide crawl" in done.stderr
    assert (other / "crawl.db").read_bytes() == before
