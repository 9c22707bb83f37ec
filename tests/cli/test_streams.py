"""Whatever the output is connected to: no traceback, one sentence or silence, and a true exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from honeyguide.cli.screen import escaped, plain
from honeyguide.page.record import Record
from tests.corpus.conftest import HandmadeCrawl

pytestmark = pytest.mark.skipif(os.name != "posix", reason="as a shell of POSIX connects them")

EVIL = "高铁 \x9b31m\u202egnp.exe\u2066 \x7f\u200b\U000e0041 été \U0001f41d"
TOPIC = 'name = "蜜蜂"\n[keywords]\n"bee" = 1.0\n[pages]\nstarts = ["https://bees.example/"]\n'
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    crawl = HandmadeCrawl(tmp_path / "crawl")
    crawl.add(Record("https://bees.example/honey", EVIL, text="honey " + EVIL, source=EVIL, language="en"))
    crawl.folder.topic.write_text(TOPIC, encoding="utf-8")
    crawl.close()
    return crawl.folder.path


def shell(place: Path, words: str, where: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    line = f'exec "{sys.executable}" -m honeyguide {words.replace("CRAWL", str(place))} {where}'
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    return subprocess.run(
        ["/bin/bash", "-c", line], capture_output=True, timeout=60, env={**environment, **variables}, cwd=place.parent
    )


COMMANDS = [
    "search CRAWL honey",
    "search CRAWL honey --json",
    "status CRAWL",
    "why CRAWL https://bees.example/honey --json",
    "strategies",
    "--help",
    "export CRAWL --to csv --overwrite",
    "report CRAWL",
]


@FULL
@pytest.mark.parametrize("words", COMMANDS)
def test_a_full_disk_is_told(place: Path, words: str) -> None:
    done = shell(place, words, "> /dev/full")
    assert done.stderr.decode() == "honeyguide: the output cannot be written: No space left on device\n"
    assert done.returncode == 2


@pytest.mark.parametrize("words", COMMANDS)
def test_a_closed_output_is_silence(place: Path, words: str) -> None:
    done = shell(place, words, ">&-")
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_reader_that_had_enough_is_silence(place: Path) -> None:
    done = shell(place, "search CRAWL honey --json", "> >(exec true); wait", PYTHONUNBUFFERED="1")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("where", ["2>&-", pytest.param("2> /dev/full", marks=FULL), ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    ("words", "code"), [("status nowhere", 2), ("search CRAWL honey", 0), ("nonsense", 2), ("label CRAWL", 2)]
)
def test_without_a_place_for_errors_the_exit_code_still_tells(place: Path, where: str, words: str, code: int) -> None:
    done = shell(place, words, where)
    assert done.returncode == code
    assert b"Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("variables", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"PYTHONIOENCODING": "latin-1"}])
@pytest.mark.parametrize("words", COMMANDS[:4])
def test_a_terminal_that_knows_few_letters_gets_what_it_can_show(
    place: Path, variables: dict[str, str], words: str
) -> None:
    done = shell(place, words, "", **variables)
    assert (done.returncode, done.stderr) == (0, b"")
    if "--json" in words:
        json.loads(done.stdout.decode(variables.get("PYTHONIOENCODING", "utf-8")))


def test_an_error_in_other_letters_is_told_too(place: Path) -> None:
    done = shell(place, "status 高铁", "", PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert done.stderr.endswith(b" is not a crawl: it holds no crawl.db\n")
    assert done.stderr.count(b"\n") == 1


def test_json_is_whole_and_harmless(place: Path) -> None:
    done = shell(place, "search CRAWL honey --json", "", PYTHONIOENCODING="utf-8")
    text = done.stdout.decode()
    assert json.loads(text)[0]["title"] == EVIL
    assert not set(text) & set("\x9b\u202e\u2066\x7f\u200b\U000e0041")
    assert "高铁" in text
    assert "été \U0001f41d" in text


def test_a_screen_gets_no_sign_that_it_would_obey(place: Path) -> None:
    text = shell(place, "search CRAWL honey", "", PYTHONIOENCODING="utf-8").stdout.decode()
    assert "高铁" in text
    assert all(line.isprintable() for line in text.splitlines())


@pytest.mark.parametrize("words", ["status 'a\x1b[2Jb\u202e'", "extract 'a\x9bb'"])
def test_an_error_about_an_evil_name_is_harmless(place: Path, words: str) -> None:
    done = shell(place, words, "", PYTHONIOENCODING="utf-8")
    assert done.returncode == 2
    assert all(line.isprintable() for line in done.stderr.decode().splitlines())


def test_a_name_that_is_no_text_can_be_printed(place: Path) -> None:
    odd = os.fsdecode(os.fsencode(place.parent) + b"/caf\xe9")
    place.rename(odd)
    for words in (f"status '{odd}'", f"status '{odd}' --json", f"report '{odd}'"):
        done = shell(Path(odd), words, "", PYTHONIOENCODING="utf-8")
        assert (done.returncode, done.stderr) == (0, b""), words


def test_escapes_are_json() -> None:
    for ascii_only in (False, True):
        assert json.loads(escaped(json.dumps(EVIL, ensure_ascii=False), ascii_only=ascii_only)) == EVIL
    assert escaped(json.dumps(EVIL, ensure_ascii=False), ascii_only=True).isascii()
    assert len(plain(EVIL)) == len(EVIL)
