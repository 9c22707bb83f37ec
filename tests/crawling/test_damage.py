"""Full disks, torn files, strange databases, second processes, clocks that jump: told in a sentence, or mended."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from honeyguide.api import crawl, demo_topic, resume
from honeyguide.cli import main
from honeyguide.demo import build, write_web
from honeyguide.store import Folder, Store
from honeyguide.store.schema import VERSION
from honeyguide.web import info_record

PROOFS = Path(__file__).resolve().parents[2] / "proofs"
sys.path.insert(0, str(PROOFS))

from killing import Scenario, run, serve, too_soon  # noqa: E402
from witness import differences, look, problems  # noqa: E402

PAGES = 120


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web")
    write_web(folder, build())
    return folder


@pytest.fixture(scope="module")
def straight(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that nothing ever happened to."""
    return _crawl(archive, tmp_path_factory.mktemp("straight") / "crawl", PAGES)


@pytest.fixture(scope="module")
def whole(_half: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl that nothing ever happened to, but that it was given the second half of its budget later."""
    folder = Path(shutil.copytree(_half, tmp_path_factory.mktemp("whole") / "crawl"))
    assert run(_resume(folder), None) == (0, "")
    return folder


@pytest.fixture(scope="module")
def _half(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _crawl(archive, tmp_path_factory.mktemp("half") / "crawl", PAGES // 2)


@pytest.fixture
def half(_half: Path, tmp_path: Path) -> Path:
    """A crawl half-way through, to be spoilt."""
    return Path(shutil.copytree(_half, tmp_path / "crawl"))


def _crawl(archive: Path, folder: Path, pages: int) -> Path:
    crawl(demo_topic(), out=folder, web=str(archive), pages=pages, careful=False).finish()
    return folder


def _resume(folder: Path, *more: str) -> list[str]:
    return ["resume", str(folder), "--pages", str(PAGES), "--no-report", "--quiet", *more]


def _honeyguide(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "honeyguide", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


Here = Callable[..., str]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Here:
    """Run a command that must fail in this process, and hear what it says."""

    def told(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["honeyguide", *words])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code == 2
        return capsys.readouterr().err

    return told


def _one_sentence(said: str) -> str:
    """What was said, if it is one line for people."""
    assert said.startswith("honeyguide: "), said
    assert said.count("\n") == 1, said
    return said


# -- full disks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("die", ["full:100000", "pages:40"])
def test_a_full_disk_ends_a_crawl_with_a_sentence_and_loses_nothing(half: Path, whole: Path, die: str) -> None:
    code, said = run(_resume(half), None, die)
    assert code == 2
    assert "nothing stored so far is lost" in _one_sentence(said)
    assert f"honeyguide resume {half}" in said
    assert run(_resume(half), None) == (0, "")
    assert problems(half) == []
    assert differences(look(whole), look(half), ordered=True) == []


def test_a_disk_that_is_full_for_the_warc_loses_nothing(half: Path, whole: Path) -> None:
    # The largest file of the folder is the first to hit the limit.
    with (half / "pages.warc.gz").open("ab") as file:
        file.write(info_record({"padding": os.urandom(8_000_000).hex()}, 0.0))
        size = file.tell()
    store = Store.open(half / "crawl.db")
    store.begin()
    store.set_meta(warc=size)
    store.close()
    code, said = run(_resume(half), None, "full:50001")
    assert code == 2
    assert "pages.warc.gz cannot be written: File too large; nothing stored so far is lost" in _one_sentence(said)
    assert run(_resume(half), None) == (0, "")
    assert problems(half) == []
    assert differences(look(whole), look(half), ordered=True) == []


@pytest.mark.parametrize("room", [1, 60_000])
def test_a_disk_full_from_the_start_is_told_and_the_crawl_can_begin_later(
    archive: Path, tmp_path: Path, room: int
) -> None:
    scenario, folder = (
        Scenario("small", "archive", ("--pages", "9", "--no-records"), hosts=("blog",)),
        tmp_path / "crawl",
    )
    code, said = run(scenario.words(folder, archive), None, f"full:{room}")
    assert code == 2
    _one_sentence(said)
    assert run(scenario.words(folder, archive), None) == (0, "")
    assert problems(folder) == []


# -- the WARC -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("torn", [b"\x1f\x8b\x08torn", None])
def test_a_torn_last_record_of_the_warc_is_cut_off(half: Path, whole: Path, torn: bytes | None) -> None:
    warc = half / "pages.warc.gz"
    good = warc.read_bytes()
    warc.write_bytes(good + (torn or good[: len(good) // 3]))
    assert run(_resume(half), None) == (0, "")
    assert warc.read_bytes().startswith(good)
    assert problems(half) == []
    assert differences(look(whole), look(half), ordered=True) == []


@pytest.mark.parametrize("left", [-5_000, 100, None])
def test_a_warc_that_lost_its_tail_is_mended_and_told_of(half: Path, whole: Path, left: int | None) -> None:
    warc = half / "pages.warc.gz"
    data = warc.read_bytes()
    if left is None:
        warc.unlink()
    else:
        warc.write_bytes(data[:left])
    told = _honeyguide(*[word for word in _resume(half) if word != "--quiet"])
    assert told.returncode == 0
    assert "pages.warc.gz had lost its last" in " ".join(told.stdout.split())
    (mended,) = json.loads((half / "manifest.json").read_text())["mended"]
    assert f"had lost its last {5_000 if left == -5_000 else len(data) - (left or 0)} bytes" in mended
    assert problems(half) == []
    found, wanted = look(half), look(whole)
    assert found.order == wanted.order
    assert found.records.keys() == wanted.records.keys()
    with warc.open("rb") as file:
        assert next(iter(ArchiveIterator(file))).rec_type == "warcinfo"


# -- the database -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [0, 1, VERSION + 1, 99])
@pytest.mark.parametrize("words", [["resume"], ["status"], ["search", "honey"], ["export", "--to", "csv"]])
def test_a_database_of_another_version_is_refused(half: Path, here: Here, version: int, words: list[str]) -> None:
    database = sqlite3.connect(half / "crawl.db")
    database.execute(f"PRAGMA user_version = {version}")
    database.close()
    before = (half / "crawl.db").read_bytes()
    assert f"another version of Honeyguide (format {version}" in _one_sentence(here(words[0], str(half), *words[1:]))
    assert (half / "crawl.db").read_bytes() == before


@pytest.mark.parametrize("where", ["head", "first half", "second half", "cut", "nothing left"])
def test_a_damaged_database_is_told_in_a_sentence(half: Path, here: Here, where: str) -> None:
    path = half / "crawl.db"
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    noise = os.urandom(len(data))
    if where == "head":
        data[:2_000] = noise[:2_000]
    elif where == "first half":
        data[8_192:middle] = noise[8_192:middle]
    elif where == "second half":
        data[middle:] = noise[middle:]
    else:
        del data[middle if where == "cut" else 0 :]
    path.write_bytes(data)
    for words in (_resume(half), ["export", str(half), "--to", "jsonl"]):
        assert "crawl.db" in _one_sentence(here(*words))


# -- other processes --------------------------------------------------------------------------------------------


def test_a_second_process_is_refused_and_the_first_is_unharmed(half: Path, whole: Path) -> None:
    first = resume(half, pages=PAGES)
    first.control.pause()
    first.go()
    for words in (["resume", str(half)], ["forget", str(half), "blog.demo.test", "--yes"]):
        told = _honeyguide(*words)
        assert told.returncode == 2
        assert f"is in use by process {os.getpid()}" in _one_sentence(told.stderr)
    assert _honeyguide("status", str(half)).returncode == 0
    first.control.go_on()
    first.finish()
    assert problems(half) == []
    assert differences(look(whole), look(half), ordered=True) == []


def test_the_lock_of_a_process_that_is_no_more_is_not_in_the_way(half: Path) -> None:
    (half / "crawl.lock").write_text("process 1")
    assert run(_resume(half), None) == (0, "")


@pytest.mark.parametrize("die", ["statement:1", "statement:26", "commit:1", "size:1"])
def test_a_crawl_killed_while_it_begins_can_begin_again(archive: Path, tmp_path: Path, die: str) -> None:
    scenario, folder = (
        Scenario("small", "archive", ("--pages", "9", "--no-records"), hosts=("blog",)),
        tmp_path / "crawl",
    )
    assert run(scenario.words(folder, archive), None, die)[0] < 0
    assert run(scenario.words(folder, archive), None) == (0, "")
    assert problems(folder) == []


@pytest.mark.parametrize("nth", [1, 2, 4])
def test_a_crawl_killed_between_learning_and_crawling_has_done_both_or_neither(
    archive: Path, tmp_path: Path, straight: Path, nth: int
) -> None:
    (tmp_path / "topic.toml").write_text(demo_topic().to_toml())
    words = ["crawl", str(tmp_path / "topic.toml"), "--web", str(archive), "--out", str(tmp_path / "crawl")]
    words += ["--pages", str(PAGES), "--no-records", "--no-report", "--quiet"]
    assert run(words, None, f"take:{nth}")[0] < 0
    assert run(_resume(tmp_path / "crawl"), None) == (0, "")
    assert problems(tmp_path / "crawl") == []
    assert differences(look(straight), look(tmp_path / "crawl"), ordered=True) == []


@pytest.mark.parametrize("die", ["commit:1", "settled:1", "settled:2"])
def test_forgetting_that_is_killed_half_way_is_finished_by_whoever_comes_next(half: Path, die: str) -> None:
    url = look(half).order[9]
    words = ["forget", str(half), url, "--yes"]
    assert run(words, None, die)[0] < 0
    assert run(_resume(half), None) == (0, "")
    gone = not any(archived == url for archived, _, _ in look(half).archived)
    assert gone is (die != "commit:1")
    store = Store.open(Folder(half).database, read_only=True)
    assert (store.visits_of(store.find_url(url).id)[0].outcome == "forgotten") is gone  # type: ignore[union-attr]
    store.close()


# -- clocks -----------------------------------------------------------------------------------------------------


def test_a_wall_clock_that_jumps_changes_nothing(tmp_path: Path, archive: Path) -> None:
    scenario = Scenario("clock", "demo", ("--delay", "0.03", "--no-records"), ordered=True, hosts=("coast",))
    child = [sys.executable, str(PROOFS / "child.py")]
    with serve(tmp_path) as server:
        assert run(scenario.words(tmp_path / "straight", archive), server) == (0, "")
        calm = len(server.log())
        for clock in ("-400000000", "90000,-90000,400000000,-1000000"):  # one run years ago, and one all over the place
            words = scenario.words(tmp_path / "jumping", archive)
            words += ["--pages", "12"] if words[0] == "crawl" else ["--pages", "100000"]
            command = [*child, "--server", server.address, f"--clock={clock}", "--", *words]
            done = subprocess.run(command, capture_output=True, text=True, timeout=600)
            assert (done.returncode, done.stderr) == (0, "")
        log = server.log()
    assert too_soon(log[calm:], 0.03, {}) == []
    pages = [line for line in log[calm:] if line.path != "/robots.txt"]
    assert len(pages) == len({(line.host, line.path) for line in pages})
    assert look(tmp_path / "jumping").order == look(tmp_path / "straight").order
    assert problems(tmp_path / "jumping") == []
