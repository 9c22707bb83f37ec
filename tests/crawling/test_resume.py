"""Killed anywhere, resumed, nothing lost and nothing doubled."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from honeyguide.api import demo_topic
from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.crawl import run
from honeyguide.demo import build, write_web
from honeyguide.errors import CrawlFolderError
from honeyguide.store import Folder, Store
from tests.crawling.conftest import Crawler, visited


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo web as an offline web."""
    folder = tmp_path_factory.mktemp("web")
    write_web(folder, build())
    return folder


def whole(folder: Path) -> tuple[set[str], set[str]]:
    """What a crawl visited and archived, after checking that nothing is there twice."""
    pages = visited(folder)
    assert len(pages) == len(set(pages))
    with (folder / "pages.warc.gz").open("rb") as file:
        archived = [
            record.rec_headers["WARC-Target-URI"] for record in ArchiveIterator(file) if record.rec_type == "response"
        ]
    assert len(archived) == len(set(archived))
    return set(pages), set(archived)


def stored(folder: Path) -> int:
    """How many visits are safe on disk at this moment."""
    if not Folder(folder).is_crawl():
        return 0
    try:
        store = Store.open(folder / "crawl.db", read_only=True)
    except CrawlFolderError:  # it is being made
        return 0
    try:
        return store.last_visit()
    finally:
        store.close()


def command(archive: Path, folder: Path) -> list[str]:
    if Folder(folder).is_crawl():
        return [sys.executable, "-m", "honeyguide", "resume", str(folder), "--quiet", "--no-report"]
    topic = folder.parent / "topic.toml"
    topic.write_text(demo_topic().to_toml(), encoding="utf-8")
    flags = ["--web", str(archive), "--pages", "100000", "--quiet", "--no-report", "--no-records"]
    return [sys.executable, "-m", "honeyguide", "crawl", str(topic), "--out", str(folder), *flags]


def test_a_crawl_killed_again_and_again_visits_what_an_unbroken_one_visits(archive: Path, tmp_path: Path) -> None:
    unbroken, broken = tmp_path / "unbroken", tmp_path / "broken"
    subprocess.run(command(archive, unbroken), check=True, timeout=120)
    dice = random.Random(5)
    kills = 0
    while True:
        process = subprocess.Popen(command(archive, broken))
        enough = stored(broken) + dice.randrange(1, 100)
        while process.poll() is None and stored(broken) < enough:
            time.sleep(0.01)
        time.sleep(dice.random() * 0.05)  # anywhere in the work on the next batch
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        if process.wait() == 0:
            break
        assert process.returncode == -signal.SIGKILL
        assert kills < 60
    assert kills > 2
    assert whole(broken) == whole(unbroken)
    judged = []
    for folder in (unbroken, broken):
        store = Store.open(folder / "crawl.db", read_only=True)
        records = {row[0] for row in store.connection.execute("SELECT url FROM records")}
        index = {row[0] for row in store.connection.execute("SELECT rowid FROM search")}
        assert index == {row[0] for row in store.connection.execute("SELECT visit FROM records")}
        judged.append(records)
        store.close()
    assert judged[0] == judged[1]


def test_a_torn_tail_of_the_warc_is_cut_off_on_resume(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=40)
    warc = tmp_path / "crawl" / "pages.warc.gz"
    good = warc.read_bytes()
    warc.write_bytes(good + b"\x1f\x8b\x08torn")
    crawl(pages=60, resume=True)
    assert warc.read_bytes().startswith(good)
    pages, archived = whole(tmp_path / "crawl")
    assert len(pages) == 60
    assert archived <= pages


def test_the_strategy_and_the_judge_are_what_they_were(crawl: Crawler, tmp_path: Path, archive: Path) -> None:
    def begin(name: str, pages: int) -> Crawl:
        settings = Settings(web=str(archive), pages=pages, careful=False)
        return Crawl(Folder(tmp_path / name), demo_topic(), settings)

    straight = begin("straight", 200)
    straight.create()
    run(straight)
    first = begin("halted", 110)
    first.create()
    run(first)
    second = begin("halted", 200)
    second.open()
    run(second)
    assert visited(tmp_path / "straight") == visited(tmp_path / "halted")
    assert straight.brain.strategy.save() == second.brain.strategy.save()
    assert straight.brain.jury.judge.save() == second.brain.jury.judge.save()


def test_after_a_kill_every_host_first_rests_its_delay(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=30)
    begun = time.monotonic()
    crawl(pages=31, resume=True, delay=0.6)
    assert time.monotonic() - begun >= 0.6


def test_a_second_process_is_refused_and_does_no_harm(archive: Path, tmp_path: Path) -> None:
    folder = tmp_path / "busy"
    slow = [*command(archive, folder), "--delay", "0"]
    process = subprocess.Popen(slow)
    try:
        for _ in range(200):
            if Folder(folder).is_crawl():
                break
            time.sleep(0.05)
        with pytest.raises(CrawlFolderError, match="in use"):
            Folder(folder).lock()
    finally:
        process.wait(timeout=120)
    assert process.returncode == 0
    assert json.loads((folder / "manifest.json").read_text())["stop_reason"] == "nothing left to visit"
