"""Crawls by the news model: real ones of the demo web, who decided, what adapted, and that a kill loses none of it."""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from honeyguide.api import demo_topic
from honeyguide.corpus import Corpus
from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.labels import label
from honeyguide.crawling.report import write_report
from honeyguide.demo import DemoTopic
from honeyguide.store import Folder, Store, VisitRow
from honeyguide.text.terms import words
from honeyguide.topic import Topic
from tests.crawling.conftest import Crawler, run
from tests.crawling.webs import ABOUT_BEES, page, write_archive

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "proofs"))

from kill import Proof
from killing import Scenario

A = "http://a.test/"
TOWN = "The council of the town met on Monday to talk about the new railway bridge and the cost of its paint. "


def own(number: int) -> str:
    """Words of a page's own: all but the same as another it would be a copy, and a family of copies is left alone."""
    return " ".join(f"word{chr(97 + number % 26)}{chr(97 + number // 26)}{chr(97 + place)}" for place in range(26)) * 2


def rows(folder: Path) -> dict[str, VisitRow]:
    store = Store.open(Folder(folder).database, read_only=True)
    try:
        return {store.url(visit.url).url: visit for visit in store.visits("page")}
    finally:
        store.close()


def manifest(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return found


def moves(folder: Path, what: str) -> list[list[Any]]:
    return [change for change in manifest(folder)["adapted"] if change[1] == what]


@pytest.mark.parametrize("start", ["0", "0.01", "0.9"])
def test_wherever_the_threshold_starts_it_settles_where_verdicts_are_good(
    crawl: Crawler, tmp_path: Path, truth: DemoTopic, start: str
) -> None:
    crawl(strategy="news", pages=160, strategy_settings={"threshold": start})
    found = rows(tmp_path / "crawl")
    kept = {url for url, visit in found.items() if visit.on_topic}
    good = kept & truth.relevant
    assert len(good) > 0.8 * len(kept)
    assert len(good) > 0.6 * len(truth.relevant & found.keys()) > 25
    told = moves(tmp_path / "crawl", "threshold")
    assert 0.05 < told[-1][3] < 0.3
    assert all(before[3] == after[2] for before, after in pairwise(told))
    assert all(change[4] for change in told)


def test_the_judge_of_news_is_on_record_and_every_change_is_in_the_report(crawl: Crawler, tmp_path: Path) -> None:
    crawl(strategy="news", pages=80)
    folder = tmp_path / "crawl"
    assert {visit.judge for visit in rows(folder).values()} == {"news"}
    assert manifest(folder)["judge"]["name"] == "news"
    assert all("threshold" in visit.verdict for visit in rows(folder).values() if visit.words)
    report = write_report(Folder(folder)).read_text(encoding="utf-8")
    assert "How its judge adapted" in report
    for what in ("threshold", "vector"):
        assert moves(folder, what)
    gained = {word for change in moves(folder, "vector") for word in change[4].partition("most: ")[2].split(", ")}
    said = {word.lower() for record in Corpus(folder) for word in words(f"{record.title} {record.text}")}
    said |= set(demo_topic().keywords)  # which are told as the user writes them, be they on a page or not
    assert len(gained) > 5
    assert gained <= said
    for _, _, _, after, reason in manifest(folder)["adapted"]:
        assert f"{after:.3f}" in report
        assert reason.replace("'", "&#39;") in report


def test_other_crawls_tell_of_no_adapting(crawl: Crawler, tmp_path: Path) -> None:
    crawl(strategy="cosine", pages=20)
    assert manifest(tmp_path / "crawl")["adapted"] == []
    assert "adapted" not in write_report(Folder(tmp_path / "crawl")).read_text(encoding="utf-8")


def test_a_users_label_stands_above_it_and_teaches_it(crawl: Crawler, tmp_path: Path) -> None:
    crawl(strategy="news", pages=60)
    folder = tmp_path / "crawl"
    before = rows(folder)
    # No example, of whatever order they arrive in: a label on one is no lesson besides it.
    others = {url: visit for url, visit in before.items() if url not in demo_topic().examples}
    on = next(url for url, visit in others.items() if visit.on_topic)
    off = next(url for url, visit in others.items() if not visit.on_topic and visit.words > 100)
    label(Folder(folder), {on: False, off: True})
    after = rows(folder)
    assert (after[on].on_topic, after[off].on_topic) == (False, True)
    assert "labelled wrong by a person; the judge alone gave it" in after[on].verdict
    assert "2 labels of the user" in moves(folder, "vector")[-1][4]


def test_a_crawl_begun_by_another_strategy_can_go_on_with_news(crawl: Crawler, tmp_path: Path) -> None:
    crawl(strategy="breadth-first", pages=60)
    crawl(strategy="news", pages=120, resume=True)
    found = rows(tmp_path / "crawl")
    assert {visit.judge for visit in found.values()} == {"news"}
    assert 0.05 < manifest(tmp_path / "crawl")["judge"]["threshold"] < 0.3


def test_a_threshold_given_by_hand_is_not_moved(crawl: Crawler, tmp_path: Path) -> None:
    crawl(strategy="news", pages=60, threshold=0.12)
    assert manifest(tmp_path / "crawl")["judge"]["threshold"] == 0.12
    assert moves(tmp_path / "crawl", "threshold") == []
    assert moves(tmp_path / "crawl", "vector")


def test_it_tunnels_through_pages_off_the_topic(tmp_path: Path) -> None:
    """A page on topic leads to the town; behind three pages of it, among forty, there are more on topic."""
    town = [f"{A}town/{number}" for number in range(40)]
    beyond = [f"{A}beyond/{number}" for number in range(12)]
    answers: dict[str, bytes | str] = {A: page("Bees", ABOUT_BEES * 3, *town[:20])}
    for number, url in enumerate(town):
        leads = [town[20 + number], *town[:5]] if number < 20 else town[5:10]
        answers[url] = page(f"Town {number}", f"{TOWN} {own(number)} ", *leads)
    answers[town[27]] = page("Town 27", TOWN + own(99), f"{A}bridge")
    answers[f"{A}bridge"] = page("A bridge", f"{TOWN * 3} The bridge is long.", *beyond[:2])
    for number, url in enumerate(beyond):
        answers[url] = page(f"Hive {number}", f"{ABOUT_BEES * 2} {own(number)}", *beyond[number + 1 :][:3])
    topic = Topic(name="bees", keywords={"honey bee": 2.0, "hive": 1.0}, examples=(A,))
    settings = Settings(web=str(write_archive(tmp_path / "web.warc.gz", answers)), strategy="news", pages=55)
    crawl = Crawl(Folder(tmp_path / "crawl"), topic, settings)
    crawl.create()
    run(crawl)
    found = rows(tmp_path / "crawl")
    assert all(found[url].on_topic for url in beyond)
    assert not any(visit.on_topic for url, visit in found.items() if "town" in url)
    assert "from one page, all off the topic" in found[beyond[0]].reason
    order = list(found)
    assert max(order.index(url) for url in beyond) - order.index(beyond[0]) < 14  # once through, nothing holds it up


@pytest.mark.timeout(1800)
def test_killed_anywhere_it_goes_on_with_all_it_had_learnt(tmp_path: Path) -> None:
    proof = Proof(tmp_path, seed=3)
    scenario = Scenario("archive, news", "archive", ("--strategy", "news"), ordered=True, hosts=("blog", "hub"))
    while len(proof.found.kills) < 3:
        proof.one(scenario, most=3)
    assert proof.found.lost == []
