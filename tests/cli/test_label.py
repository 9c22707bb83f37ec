"""Labelling as a user does it: on a terminal, by options, from a file, and beside a running crawl."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from honeyguide.crawling import Crawl, Settings, load_settings
from honeyguide.crawling.labels import doubtful
from honeyguide.crawling.mailbox import send
from honeyguide.errors import HoneyguideError
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic
from tests.cli.conftest import Say
from tests.cli.terminal import in_terminal
from tests.crawling.conftest import run
from tests.crawling.webs import ABOUT_BEES, page, write_archive

A = "http://a.test/"
BEES = Topic(name="bees", keywords={"honey bee": 2.0, "hive": 1.0}, starts=(A,))
OTHER = "The council of the town met on Monday to talk about the new railway bridge and the cost of its paint. "


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("label")
    answers: dict[str, bytes | str] = {A: page("Start", OTHER * 2, *(f"{A}{number}x" for number in range(5)))}
    for number in range(5):
        own = " ".join(f"word{number}of{part}" for part in range(40))
        answers[f"{A}{number}x"] = page(f"Page {number}", f"{ABOUT_BEES * number} {OTHER * (5 - number)} {own}")
    settings = Settings(web=str(write_archive(place / "web.warc.gz", answers)), pages=50, careful=False)
    crawl = Crawl(Folder(place / "crawl"), BEES, settings)
    crawl.create()
    run(crawl)
    return place / "crawl"


@pytest.fixture
def folder(crawled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawled, tmp_path / "crawl"))


def labels(folder: Path) -> dict[str, bool]:
    store = Store.open(folder / "crawl.db", read_only=True)
    try:
        return store.labels()
    finally:
        store.close()


def test_a_terminal_shows_what_it_takes_to_decide_and_takes_every_answer(folder: Path) -> None:
    first, second, third, fourth = doubtful(Folder(folder), 4)
    code, shown = in_terminal("label", folder, typed="y\nno\nperhaps\ns\nback\nYES\nq\n")
    assert code == 0, shown
    for one in (first, second, third, fourth):
        assert one.title in shown
        assert one.url in shown
        assert f"{one.probability:.2f}, it needed {one.threshold:.2f}" in shown
    assert first.snippet[:60] in shown.replace("\r\n", " ")
    assert "for it: " in shown
    assert "'perhaps' is none of the answers" in shown
    assert labels(folder) == {first.url: True, second.url: False, third.url: True}
    assert "3 labels; " in shown


def test_back_undoes_the_last_answer(folder: Path) -> None:
    first, second = doubtful(Folder(folder), 2)
    code, shown = in_terminal("label", folder, typed="b\ny\ny\nb\nb\nn\nq\n")
    assert code == 0, shown
    assert "this is the first page" in shown
    assert labels(folder) == {first.url: False}
    assert second.url in shown


def test_after_five_answers_the_judge_learns_and_asks_anew_and_the_way_back_leads_past_that(folder: Path) -> None:
    asked = [one.url for one in doubtful(Folder(folder), 5)]
    code, shown = in_terminal("label", folder, typed="n\nn\ny\ns\ny\nb\nn\ny\nq\n")
    assert code == 0, shown
    assert "4 labels; " in shown  # learnt from, before the sixth is shown
    said = labels(folder)
    assert len(said) == 5  # of six pages one was skipped
    assert {url: said[url] for url in asked if url in said} == dict(
        zip([*asked[:3], asked[4]], (False, False, True, False), strict=True)
    )
    assert shown.index("4 labels; ") < shown.index("\n6: ") < shown.rindex("\n5: ") < shown.index("5 labels; ")


def test_who_has_seen_all_pages_is_told_so(folder: Path) -> None:
    code, shown = in_terminal("label", folder, typed="s\n" * 6)
    assert (code, "there is no other page to ask about" in shown) == (0, True)
    assert "nothing was labelled" in shown


def test_who_says_nothing_changes_nothing(folder: Path) -> None:
    code, shown = in_terminal("label", folder, typed="q\n")
    assert (code, "nothing was labelled" in shown) == (0, True)
    assert labels(folder) == {}


def test_right_and_wrong_at_once_are_refused(say: Say, folder: Path) -> None:
    said = say("label", folder, "--right", f"{A}1x", "--wrong", f"{A}1x")
    assert (said.code, said.err) == (
        2,
        f"honeyguide: {A}1x is given twice, and each time something else is said of it\n",
    )
    assert labels(folder) == {}


def test_and_so_they_are_in_a_file_with_the_lines(say: Say, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "labels.txt"
    file.write_text(f"{A}1x right\n# a note\n{A}2x wrong\n{A}1x right\n{A}1x wrong\n")
    said = say("label", folder, "--file", file)
    assert (said.code, said.err) == (2, f"honeyguide: {file}, lines 1 and 5: {A}1x cannot be both right and wrong\n")


def test_a_running_crawl_takes_labels_from_outside(tmp_path: Path, folder: Path, say: Say) -> None:
    # Paused, it stands where it is until it has been told.
    crawl = Crawl(Folder(folder), BEES, msgspec.structs.replace(load(folder), pages=51))
    crawl.open()
    crawl.control.pause()
    running = Thread(target=run, args=(crawl,))
    running.start()
    try:
        url = doubtful(Folder(folder), 1)[0].url
        said = say("label", folder, "--right", url)
        assert (said.code, said.err) == (0, "")
        assert "1 label;" in said.out
        assert labels(folder) == {url: True}  # on disk before it was answered
        assert say("label", folder, "--undo", url).code == 0
        assert labels(folder) == {}
        bad = say("label", folder, "--right", f"{A}never")
        assert (bad.code, "was not visited" in bad.err) == (2, True)
    finally:
        crawl.control.go_on()
        running.join()
    assert not (folder / "mail").exists()


def test_a_letter_that_nobody_reads_is_taken_back_when_the_crawl_has_ended(folder: Path, say: Say) -> None:
    held = Folder(folder)
    held.lock()
    url = doubtful(held, 1)[0].url
    ended = Thread(target=lambda: (wait_for_a_letter(folder), held.unlock()))
    ended.start()
    said = say("label", folder, "--wrong", url)
    ended.join()
    assert (said.code, labels(folder)) == (0, {url: False})
    assert not (folder / "mail").exists()


def wait_for_a_letter(folder: Path) -> None:
    while not list(folder.glob("mail/*.json")):
        time.sleep(0.01)


def test_a_letter_outlives_a_crawl_that_did_not_answer(folder: Path) -> None:
    held = Folder(folder)
    held.lock()
    url = doubtful(held, 1)[0].url
    with pytest.raises(HoneyguideError, match="the labels wait in"):
        send(held, {url: True}, patience=0.2)
    (folder / "mail" / "torn.json").write_text("{", encoding="utf-8")
    held.unlock()
    crawl = Crawl(Folder(folder), BEES, load(folder))
    crawl.open()
    run(crawl)
    assert labels(folder) == {url: True}
    assert not list(folder.glob("mail/*.json"))


def load(folder: Path) -> Settings:
    store = Store.open(folder / "crawl.db", read_only=True)
    try:
        return load_settings(store)
    finally:
        store.close()


def test_a_crawl_in_doubt_says_how_much_and_asks_about_the_pages_that_teach_most(say: Say, folder: Path) -> None:
    said = say("resume", folder, "--json")
    result = json.loads(said.out)
    assert result["doubtful"] == [one.url for one in doubtful(Folder(folder), 3)]
    store = Store.open(folder / "crawl.db", read_only=True)
    pages = list(store.visits("page", originals=True))
    store.close()
    assert result["right"] == pytest.approx(sum(page.relevance for page in pages if page.on_topic))
    assert result["missed"] == pytest.approx(sum(page.relevance for page in pages if not page.on_topic))
    told = say("resume", folder).out
    sure = 2 * result["right"] >= 0.8 * (result["on_topic"] + result["right"] + result["missed"])
    assert all((url in told) != sure for url in result["doubtful"])
    labelled = [word for one in doubtful(Folder(folder), 20) for word in ("--right", one.url)]
    assert say("label", folder, *labelled).code == 0
    assert "in doubt" not in say("resume", folder).out  # what people said is beyond doubt
