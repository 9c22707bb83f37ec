"""watch and versions, as a user gives them; a watch that is killed goes on."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from honeyguide.cli.watch import _tell_difference
from honeyguide.crawling.forget import find_visits, forget
from honeyguide.page.record import Record
from honeyguide.store import Folder, Store
from tests.cli.conftest import Say
from tests.clock import takes_at_most
from tests.crawling.little_site import HOST, LittleSite, article, feed, front
from tests.crawling.test_watch import Watcher, about


@pytest.fixture
def crawl(say: Say, tmp_path: Path) -> Path:
    assert say("crawl", "--pages", "40", "--out", tmp_path / "crawl", "--quiet", "--no-report").code == 0
    return tmp_path / "crawl"


def test_a_watch_tells_what_it_finds_and_goes_on(say: Say, crawl: Path) -> None:
    said = say("watch", crawl, "--seconds", "2", "--least", "1", "--delay", "0.05")
    assert said.code == 0, said.err
    assert "ended: its 2 seconds are over" in said.out
    assert f"go on with: honeyguide watch {crawl}" in said.out
    again = json.loads(say("watch", crawl, "--seconds", "1", "--delay", "0.05", "--json").out)
    assert again["watched"] > 5
    told = [line for line in said.out.splitlines() if " topic): " in line]
    assert len(told) == len(set(told))
    assert say("versions", crawl).out == "no article has changed\n"
    assert say("resume", crawl, "--pages", "60", "--quiet", "--no-report").code == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["watch", "nowhere"], "is not a crawl"),
        (["versions", "nowhere"], "is not a crawl"),
        (["watch", "{crawl}", "--least", "-1"], "least must be a number of seconds"),
        (["watch", "{crawl}", "--every", "nan"], "every must be a number of seconds"),
        (["watch", "{crawl}", "--delay", "-1"], "delay must not be negative"),
        (["versions", "{crawl}", "http://nowhere.test/"], "http://nowhere.test/ has no record in this crawl"),
        (["versions", "{crawl}", "http://"], "is not the address"),
    ],
)
def test_what_is_wrong_is_one_sentence(say: Say, crawl: Path, words: list[str], sentence: str) -> None:
    said = say(*(word.format(crawl=crawl) for word in words))
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert say("watch", crawl, "--seconds", "0.5", "--quiet").code == 0, "the folder is free"


def test_killed_for_real_it_goes_on_with_nothing_lost_or_doubled(say: Say, crawl: Path) -> None:
    words = ["watch", str(crawl), "--least", "1", "--delay", "0.05"]
    for lines in (1, 3, 2):
        child = subprocess.Popen(
            [sys.executable, "-u", "-m", "honeyguide", *words, "--seconds", "20"], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        for _ in range(lines):
            if not child.stdout.readline():
                break
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    assert say(*words, "--seconds", "3", "--quiet").code == 0
    store = Store.open(Folder(crawl).database, read_only=True)
    pages = Counter(visit.url for visit in store.visits("page"))
    assert set(pages.values()) == {1}
    urls = [record.url for _, record in store.records.all()]
    assert len(urls) == len(set(urls))
    kept = {visit.url for visit in store.visits("page", on_topic=True) if not visit.unkept}
    assert kept <= {row.id for url in urls if (row := store.find_url(url)) is not None}
    assert not [row for row in store.watching.all() if row.kind == "new" and store.visits_of(row.url)]
    store.close()


def test_versions_are_listed_shown_and_forgotten(say: Say, tmp_path: Path) -> None:
    site = LittleSite()
    site.pages = {
        "/": front("/old"),
        "/feed.xml": feed("/old"),
        "/old": article("Old story", about(1)),
    }
    with site.serve():
        watcher = Watcher(site, tmp_path)
        watcher.crawl()
        site.pages["/old"] = article("Old story, corrected", f"{about(1)}\nThere were nine hives.")
        watcher.watch(24)
    place, url = watcher.folder.path, f"{HOST}/old"
    assert say("versions", place).out == f"2 versions  {url}\n"
    found = json.loads(say("status", place, "--json").out)
    assert (found["pages"], found["by_watching"]) == (4, 1)
    assert f"4 of {found['budget']} pages (1 by watching), " in say("status", place).out
    store = Store.open(watcher.folder.database)
    store.begin()
    store.set_meta(settings=store.meta("settings") | {"pages": 3})
    store.close()
    assert "4 pages (1 by watching), over the budget of 3, " in say("status", place).out
    said = say("versions", place, url, "--diff").out.splitlines()
    assert said[0].startswith("version 1: fetched ")
    assert said[0].endswith(": Old story")
    assert said[1].endswith(", the newest: Old story, corrected")
    assert said[2:] == ["  title was: Old story", "  + There were nine hives."]
    shown = json.loads(say("versions", place, url, "--json").out)
    assert [one["record"]["title"] for one in shown] == ["Old story", "Old story, corrected"]
    forget(watcher.folder, [number for number, _ in find_visits(watcher.folder, url)], None)
    store = watcher.store()
    assert store.watching.changed() == {}
    row = store.find_url(url)
    assert row is not None
    assert row.id not in [one.url for one in store.watching.all()]
    store.close()
    assert b"nine hives" not in watcher.folder.database.read_bytes()
    assert say("versions", place, url).code == 2


def test_versions_of_many_lines_all_but_alike_are_told_apart_at_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before, after = (
        Record("http://a.test/", "T", text="\n".join(f"Minute {n}: {n * more} to {n}" for n in range(200)))
        for more in (7, 8)
    )
    takes_at_most(8, lambda: _tell_difference(before, after), lambda: _tell_difference(before, Record("", "T")))
    assert "  - Minute 5: 35 to 5\n" in (said := capsys.readouterr().out)
    assert "  + Minute 5: 40 to 5\n" in said


def test_labels_are_taken_while_it_watches(say: Say, crawl: Path) -> None:
    store = Store.open(Folder(crawl).database, read_only=True)
    url = store.url(next(store.visits("page", on_topic=True)).url).url
    seconds = store.meta("seconds")
    store.close()
    words = [sys.executable, "-u", "-m", "honeyguide", "watch", str(crawl), "--least", "1", "--delay", "0.05"]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    child.stdout.readline()
    said = say("label", crawl, "--wrong", url)
    child.send_signal(signal.SIGINT)
    child.communicate()
    assert said.code == 0, said.err
    store = Store.open(Folder(crawl).database, read_only=True)
    assert store.labels() == {url: False}
    assert store.meta("seconds") == seconds, "watching is no crawling"
    store.close()


def test_the_first_interrupt_ends_it_in_order(crawl: Path) -> None:
    async def watch() -> tuple[int, str]:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-u", "-m", "honeyguide", "watch", str(crawl), "--least", "1", "--delay", "0.05"),
            stdout=asyncio.subprocess.PIPE,
        )
        assert child.stdout is not None
        await child.stdout.readline()
        child.send_signal(signal.SIGINT)
        rest = await child.stdout.read()
        return await child.wait(), rest.decode()

    code, told = asyncio.run(watch())
    assert code == 0
    assert "ended: stopped by the user" in told
