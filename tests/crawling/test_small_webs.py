"""Webs of a few pages, made for one question each."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from honeyguide.cli import main
from honeyguide.crawling import Crawl, Settings, Summary, status
from honeyguide.crawling.keeping import COPY, NOINDEX
from honeyguide.crawling.labels import label
from honeyguide.crawling.verdicts import OWN
from honeyguide.store import Folder, Store, VisitRow
from honeyguide.topic import Topic
from tests.crawling.conftest import run, visited
from tests.crawling.webs import ABOUT_BEES, page, strategy, write_archive

A = "http://a.test/"
BEES = Topic(name="bees", keywords={"honey bee": 2.0, "hive": 1.0, "beekeeper": 1.0}, starts=(A,))
OTHER = "The council of the town met on Monday to talk about the new railway bridge and the cost of its paint. "

Go = Callable[..., Summary]


@pytest.fixture
def go(tmp_path: Path) -> Go:
    """Crawl an archive of these answers into the folder `crawl`."""

    def crawl(
        answers: dict[str, bytes | str], topic: Topic = BEES, *, resume: bool = False, **settings: Any
    ) -> Summary:
        web = write_archive(tmp_path / "web.warc.gz", answers)
        chosen = Settings(**{"web": str(web), "pages": 50, "careful": False, **settings})
        one = Crawl(Folder(tmp_path / "crawl"), topic, chosen)
        one.open() if resume else one.create()
        return run(one)

    return crawl


def rows(folder: Path) -> dict[str, VisitRow]:
    store = Store.open(folder / "crawl.db", read_only=True)
    try:
        return {store.url(visit.url).url: visit for visit in store.visits()}
    finally:
        store.close()


def recorded(folder: Path) -> set[str]:
    store = Store.open(folder / "crawl.db", read_only=True)
    try:
        return {record.url for _, record in store.records.all()}
    finally:
        store.close()


# -- examples -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hops", [0, 1, 2, 3])
def test_an_example_that_redirects_keeps_its_links(go: Go, tmp_path: Path, hops: int) -> None:
    ways = [f"{A}old/{number}" for number in range(hops)] + [f"{A}new"]
    answers: dict[str, bytes | str] = dict(pairwise(ways))
    answers[f"{A}new"] = page("Bees", ABOUT_BEES * 3, f"{A}one", f"{A}two")
    answers[f"{A}one"] = page("One", ABOUT_BEES + OTHER)
    answers[f"{A}two"] = page("Two", OTHER)
    go(answers, Topic(name="bees", keywords={"honey bee": 1.0}, examples=(ways[0],)))
    assert set(visited(tmp_path / "crawl")) == set(answers)
    found = rows(tmp_path / "crawl")
    assert {found[url].role for url in answers} == {"page"}
    assert found[f"{A}new"].links == 2


def test_a_budget_smaller_than_the_number_of_examples_ends(go: Go, tmp_path: Path) -> None:
    examples = tuple(f"{A}{number}" for number in range(6))
    answers: dict[str, bytes | str] = {url: page(url, f"{ABOUT_BEES} {url}") for url in examples}
    summary = go(answers, Topic(name="bees", examples=examples), pages=2)
    assert (summary.pages, summary.stop_reason) == (2, "the budget of 2 pages is spent")
    assert len(visited(tmp_path / "crawl")) == 2
    again = go(answers, Topic(name="bees", examples=examples), pages=6, resume=True)
    assert again.pages == 6
    assert sorted(visited(tmp_path / "crawl")) == sorted(examples)


def test_so_it_does_on_the_command_line(tmp_path: Path) -> None:
    examples = tuple(f"{A}{number}" for number in range(6))
    web = write_archive(tmp_path / "web.warc.gz", {url: page(url, f"{ABOUT_BEES} {url}") for url in examples})
    (tmp_path / "topic.toml").write_text(Topic(name="bees", examples=examples).to_toml())
    words = ["crawl", str(tmp_path / "topic.toml"), "--out", str(tmp_path / "crawl"), "--web", str(web)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["honeyguide", *words, "--pages", "1", "--quiet", "--no-report"])
        with pytest.raises(SystemExit) as ended:
            main()
    assert not ended.value.code
    assert len(visited(tmp_path / "crawl")) == 1


def test_a_crawl_whose_examples_could_not_be_had_begins_anew_on_resume(go: Go, tmp_path: Path) -> None:
    topic = Topic(name="bees", examples=(f"{A}bees",))
    first = go({f"{A}elsewhere": page("x", OTHER)}, topic)
    assert first.stop_reason.startswith("none of the examples could be fetched")
    answers: dict[str, bytes | str] = {
        f"{A}bees": page("Bees", ABOUT_BEES * 3, f"{A}more"),
        f"{A}more": page("More", ABOUT_BEES + OTHER),
    }
    second = go(answers, topic, resume=True)
    assert second.stop_reason == "nothing left to visit"
    assert visited(tmp_path / "crawl") == [f"{A}bees", f"{A}more"]
    assert rows(tmp_path / "crawl")[f"{A}bees"].outcome == "page"


# -- what is kept -------------------------------------------------------------------------------------------------

COPIES: dict[str, bytes | str] = {
    A: page("Start", OTHER, f"{A}1", f"{A}2", f"{A}3", f"{A}4", f"{A}other"),
    f"{A}1": page("Bees", ABOUT_BEES * 3, noindex=True),
    f"{A}2": page("Bees", ABOUT_BEES * 3),
    f"{A}3": page("Bees", ABOUT_BEES * 3),
    f"{A}4": page("Hives", "A hive is a house of the honey bee. " + ABOUT_BEES[80:] * 2 + OTHER, noindex=True),
    f"{A}other": page("Town", OTHER * 2),
}


def test_a_copy_of_a_page_that_was_itself_not_kept_gets_a_record(go: Go, tmp_path: Path) -> None:
    go(COPIES, strategy="breadth-first", threshold=0.2)
    found = rows(tmp_path / "crawl")
    assert all(found[f"{A}{number}"].on_topic for number in (1, 2, 3)), found
    assert found[f"{A}2"].duplicate == found[f"{A}1"].id
    assert recorded(tmp_path / "crawl") == {f"{A}2"}


def test_of_a_page_and_its_copies_one_has_the_record_however_verdicts_turn(go: Go, tmp_path: Path) -> None:
    web = {**COPIES, f"{A}1": page("Bees", ABOUT_BEES * 3)}
    go(web, strategy="breadth-first", threshold=0.2)
    folder = Folder(tmp_path / "crawl")
    same = {f"{A}{number}" for number in (1, 2, 3)}
    assert recorded(folder.path) & same == {f"{A}1"}
    for said, one in (({f"{A}1": False}, f"{A}2"), ({f"{A}2": False}, f"{A}3"), ({f"{A}1": None}, f"{A}1")):
        label(folder, dict(said))
        assert recorded(folder.path) & same == {one}
    found = rows(folder.path)
    assert (found[f"{A}1"].unkept, found[f"{A}3"].unkept) == ("", COPY)


def test_it_is_told_how_many_pages_on_topic_were_not_kept_and_why(go: Go, tmp_path: Path) -> None:
    summary = go(COPIES, strategy="breadth-first", threshold=0.2)
    found = rows(tmp_path / "crawl")
    assert found[f"{A}1"].unkept == NOINDEX
    assert found[f"{A}3"].unkept == COPY
    unkept = [visit for visit in found.values() if visit.on_topic and visit.unkept]
    told = status(Folder(tmp_path / "crawl"))
    assert summary.unkept == told["unkept"]
    assert sum(told["unkept"].values()) == len(unkept) == told["on_topic"] - told["records"]
    assert set(told["unkept"]) == {NOINDEX, COPY}
    manifest = json.loads((tmp_path / "crawl" / "manifest.json").read_text())
    assert manifest["unkept"] == told["unkept"]


# -- judges -------------------------------------------------------------------------------------------------------

JUDGING = """
def page(self, page):
    return [(link.id, 1.0) for link in page.links]
def judge(self, topic):
    return Contrary()
"""
CONTRARY = """
from honeyguide.topic import Verdict
class Contrary:
    threshold, advice = 0.7, "ask somebody else"
    def learn(self, examples, background, labelled=()):
        pass
    def __call__(self, page):
        town = "town" in page.title.lower()
        return Verdict(0.75 if town else 0.25, town, [], "by its title")
"""


@pytest.fixture
def contrary(tmp_path: Path) -> str:
    """A strategy whose own judge likes nothing but what is called a town."""
    name = strategy(tmp_path / "contrary.py", JUDGING)
    (tmp_path / "contrary.py").write_text(CONTRARY + (tmp_path / "contrary.py").read_text())
    return name


def test_a_strategy_may_bring_its_own_judge_and_that_is_on_record(go: Go, tmp_path: Path, contrary: str) -> None:
    summary = go(COPIES, strategy=contrary)
    found = rows(tmp_path / "crawl")
    assert {url for url, visit in found.items() if visit.on_topic} == recorded(tmp_path / "crawl") == {f"{A}other"}
    assert {visit.judge for visit in found.values()} == {contrary}
    assert found[f"{A}other"].relevance == 0.75
    manifest = json.loads((tmp_path / "crawl" / "manifest.json").read_text())
    assert manifest["judge"] == {"name": contrary, "threshold": 0.7}
    assert summary.advice == "ask somebody else"


def test_the_crawls_own_judge_is_on_record_too(go: Go, tmp_path: Path) -> None:
    go(COPIES)
    assert {visit.judge for visit in rows(tmp_path / "crawl").values()} == {OWN}
    assert json.loads((tmp_path / "crawl" / "manifest.json").read_text())["judge"]["name"] == OWN


def test_a_label_stands_above_the_verdict_whoever_judges(go: Go, tmp_path: Path, contrary: str) -> None:
    go(COPIES, strategy=contrary)
    folder = Folder(tmp_path / "crawl")
    label(folder, {f"{A}2": True, f"{A}other": False})
    found = rows(tmp_path / "crawl")
    assert {url for url, visit in found.items() if visit.on_topic} == recorded(tmp_path / "crawl") == {f"{A}2"}
    assert (found[f"{A}2"].relevance, found[f"{A}other"].relevance) == (1.0, 0.0)
    assert "labelled right by a person; the judge alone gave it 0.25" in found[f"{A}2"].verdict
    label(folder, {f"{A}2": None, f"{A}other": None})
    assert recorded(tmp_path / "crawl") == {f"{A}other"}


def test_labels_outlive_a_resume(go: Go, tmp_path: Path, contrary: str) -> None:
    go(COPIES, strategy=contrary, pages=4)
    label(Folder(tmp_path / "crawl"), {A: True})
    go(COPIES, strategy=contrary, resume=True)
    assert rows(tmp_path / "crawl")[A].relevance == 1.0
    assert A in recorded(tmp_path / "crawl")


def test_a_family_of_dead_links_is_left_alone_in_an_archive_too(go: Go, tmp_path: Path) -> None:
    dead = [f"{A}forum/thread-{number}" for number in range(100)]
    alive = [f"{A}{'x' * number}" for number in range(1, 31)]
    answers: dict[str, bytes | str] = {A: page("Bees", ABOUT_BEES, *dead, *alive)}
    answers |= {url: page(f"Bees {url}", f"{ABOUT_BEES} {url} " * 3) for url in alive}
    go(answers, pages=200, strategy="breadth-first")
    seen = visited(tmp_path / "crawl")
    assert len([url for url in seen if url in dead]) == 16
    assert set(alive) <= set(seen)
    assert sum(status(Folder(tmp_path / "crawl"))["refusals"].values()) == 84
