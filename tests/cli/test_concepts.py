"""A crawl by semrank with a click log: what it learnt of words, its lattice as a picture, and the user's own log."""

from __future__ import annotations

import itertools
import json
import re
import sqlite3
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest

from honeyguide.api import demo_topic
from honeyguide.page.record import Record
from honeyguide.web import ArchiveWeb
from tests.cli.conftest import Say
from tests.corpus.conftest import HandmadeCrawl, crawl

__all__ = ["crawl"]  # the fixture


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of the demo web, and then one more that goes by a log of searches on its pages."""
    from click.testing import CliRunner

    from honeyguide.cli.main import cli

    place = tmp_path_factory.mktemp("semrank")
    topic = place / "topic.toml"
    topic.write_text(msgspec.structs.replace(demo_topic(), starts=()).to_toml(), encoding="utf-8")
    quick = ["--delay", "0", "--no-report", "--no-records"]
    crawling = ["crawl", str(topic), "--web", "demo", "--strategy", "semrank", *quick]
    # Which pages are met depends on the order in which they arrive; but the examples, where it begins, always are.
    few = ["--pages", str(len(demo_topic().examples)), "--set", "support=1", "--out", str(place / "few")]
    for words in (few, ["--pages", "45", "--out", str(place / "cold")]):
        done = CliRunner().invoke(cli, [*crawling, *words])
        assert done.exit_code == 0, done.output
    database = sqlite3.connect(place / "cold" / "crawl.db")
    urls = [url for (url,) in database.execute("select urls.url from urls join visits on visits.url = urls.id")]
    database.close()
    known = CliRunner().invoke(cli, ["lexicon", str(place / "few"), "--json"])
    pair = json.loads(known.output)["relations"][0]
    # Two people: what is seen twice is a relation, be it on a single page.
    lines = [
        {"user": who, "query": pair[side], "clicks": [url]}
        for url in urls
        for side in ("one", "other")
        for who in ("ann", "ben")
    ]
    lines.append({"user": "x", "query": "far", "clicks": ["http://nowhere.test/"]})
    (place / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines) + "{bad\n", encoding="utf-8")
    warm = ["--pages", "45", "--out", str(place / "warm"), "--clicks", str(place / "log.jsonl")]
    told = CliRunner().invoke(cli, [*crawling, *warm])
    assert told.exit_code == 0, told.output
    assert "1 line passed over: no JSON of a session" in told.output
    return place


def test_the_lexicon_tells_words_relations_and_why(folder: Path, say: Say) -> None:
    told = say("lexicon", folder / "warm", "--json")
    assert told.code == 0, told.err
    found = json.loads(told.out)
    assert found["log"][0] == "181 sessions in 182 lines"
    assert len(found["words"]) == 3
    assert sum(one["probability"] for one in found["words"]) == pytest.approx(1.0)
    assert found["relations"]
    for one in found["relations"]:
        assert one["kind"] in ("isa", "part-of")
        assert one["support"] >= 2
        assert one["why"]
        assert all(text.startswith("http") for text in one["why"])
    first = found["relations"][0]
    both = json.loads(say("lexicon", folder / "warm", first["one"], first["other"], "--json").out)
    assert {(one["one"], one["other"]) for one in both["relations"]} == {(first["one"], first["other"])}


def test_a_cold_start_says_so(folder: Path, say: Say) -> None:
    told = say("lexicon", folder / "cold")
    assert told.code == 0
    assert "no click log: words are as alike as the pages that share them are many" in told.out
    assert "together" in told.out
    database = sqlite3.connect(folder / "cold" / "crawl.db")
    reasons = [reason for (reason,) in database.execute("select reason from visits")]
    database.close()
    assert any("SemRank" in reason and "there is no click log" in reason for reason in reasons)


def test_words_are_told_as_pages_write_them(folder: Path, say: Say) -> None:
    found = json.loads(say("lexicon", folder / "cold", "--json", "--most", "200").out)["relations"]
    told = {one[side] for one in found for side in ("one", "other")}
    assert len(told) > 20
    web = ArchiveWeb(folder / "cold" / "pages.warc.gz")
    written = {word for url in web.urls() for word in re.findall(r"\w+", web.answer(url).body.decode().lower())}
    web.let_go()
    assert told <= written


def test_a_word_that_is_none_is_told(folder: Path, say: Say) -> None:
    told = say("lexicon", folder / "cold", "the")
    assert (told.code, told.err) == (2, "honeyguide: 'the' is no word that would be searched for\n")


def test_the_lattice_is_a_picture_with_the_way_of_a_page_in_red(folder: Path, say: Say) -> None:
    database = sqlite3.connect(folder / "warm" / "crawl.db")
    pages = "urls join visits on visits.url = urls.id where outcome = 'page' and parent is not null"
    best = f"select urls.url from {pages} order by -relevance"
    (url,) = database.execute(best).fetchone()
    database.close()
    told = say("lattice", folder / "warm", "--url", url)
    assert told.code == 0, told.err
    assert f"{url}: SemRank" in told.out
    picture = (folder / "warm" / "lattice.svg").read_text(encoding="utf-8")
    root = ET.fromstring(picture)
    discs = [one for one in root.iter() if one.tag.endswith("circle")]
    assert len(discs) > 10
    assert sum(one.get("class") == "red" for one in discs) >= 2
    assert any(one.tag.endswith("path") for one in root.iter())


def test_a_large_lattice_fits_a_screen_with_words_that_pages_write_and_that_do_not_run_into_each_other(
    folder: Path, say: Say
) -> None:
    told = say("lattice", folder / "warm", "--iteration", "2", "--out", folder / "wide.svg")
    assert told.code == 0, told.err
    root = ET.fromstring((folder / "wide.svg").read_text(encoding="utf-8"))
    assert float(root.get("width", "0")) <= 1_600
    assert len([one for one in root.iter() if one.tag.endswith("circle")]) > 100
    labels = [one for one in root.iter() if one.tag.endswith("text") and one.get("class") is None]
    assert len(labels) > 20
    rows: dict[int, list[tuple[float, float]]] = {}
    for one in labels:
        x, y, half = float(one.get("x", "0")), float(one.get("y", "0")), 3.0 * len(one.text or "")
        rows.setdefault(round(y / 90), []).append((x - half, x + half))
    for spans in map(sorted, rows.values()):
        assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
    web = ArchiveWeb(folder / "warm" / "pages.warc.gz")
    written = {word for url in web.urls() for word in re.findall(r"\w+", web.answer(url).body.decode().lower())}
    web.let_go()
    words = {word for one in labels for word in (one.text or "").split() if not word.startswith("+")}
    assert words <= written


def test_a_page_s_way_is_red_though_its_own_concept_is_left_out(folder: Path, say: Say) -> None:
    database = sqlite3.connect(folder / "warm" / "crawl.db")
    pages = "urls join visits on visits.url = urls.id where outcome = 'page' and parent is not null"
    (url,) = database.execute(f"select urls.url from {pages} order by -relevance").fetchone()
    database.close()
    told = say("lattice", folder / "warm", "--url", url, "--support", "4", "--out", folder / "few.svg")
    assert told.code == 0, told.err
    root = ET.fromstring((folder / "few.svg").read_text(encoding="utf-8"))
    assert any(one.tag.endswith("circle") and one.get("class") == "red" for one in root.iter())


def test_an_iteration_as_a_page(folder: Path, say: Say) -> None:
    told = say(
        "lattice", folder / "warm", "--to", "html", "--iteration", "1", "--support", "2", "--out", folder / "l.html"
    )
    assert told.code == 0, told.err
    page = (folder / "l.html").read_text(encoding="utf-8")
    assert "iteration 1: " in page
    assert "<svg" in page


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--iteration", "99"], "no such iteration: it has 3 iterations"),
        (["--iteration", "-1"], "iteration must not be negative"),
        (["--url", "http://nowhere.test/"], "no page http://nowhere.test/ was visited"),
        (["--url", "no address"], "is not the address of a web page"),
    ],
)
def test_what_is_not_there_is_told(folder: Path, say: Say, words: list[str], told: str) -> None:
    said = say("lattice", folder / "warm", *words)
    assert said.code == 2
    assert told in said.err
    assert said.err.count("\n") == 1


def test_a_crawl_goes_on_though_its_log_has_grown_and_says_if_it_is_gone(folder: Path, say: Say) -> None:
    log = folder / "log.jsonl"
    text = log.read_text(encoding="utf-8")
    log.write_text(text + '{"query": "comb", "clicks": ["http://nowhere.test/x"]}\n', encoding="utf-8")
    told = say("resume", folder / "warm", "--pages", "50", "--json")
    assert told.code == 0, told.err
    assert json.loads(told.out)["pages"] == 50
    log.rename(folder / "away")
    gone = say("resume", folder / "warm", "--pages", "55")
    (folder / "away").rename(log)
    assert gone.code == 2
    assert "click log" in gone.err
    assert gone.err.count("\n") == 1


# --- one's own log ---------------------------------------------------------------------------------------------


def test_one_s_own_log_is_kept_only_when_asked_for_and_can_be_seen_used_and_erased(
    crawl: HandmadeCrawl, say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "data" / "clicks.jsonl"
    monkeypatch.setenv("HONEYGUIDE_CLICKS", str(own))
    crawl.add(Record("https://bees.example/1", "One", language="en", text="hive queen 蜂蜜"))
    place = crawl.folder.path
    assert "hive queen" in say("search", place, "hive", "--read", "1").out
    assert not own.exists()
    assert "no click log is kept" in say("clicks").out
    assert str(own) in say("clicks", "--on").out
    assert own.stat().st_mode & 0o077 == 0
    say("search", place, "hive")
    assert own.read_text(encoding="utf-8") == ""
    assert "noted in your click log" in say("search", place, "hive", "--read", "1").err
    say("search", place, "蜂蜜", "--read", "1")
    shown = say("clicks").out
    assert "2 searches" in shown
    assert "蜂蜜 -> https://bees.example/1" in shown
    topic = tmp_path / "t.toml"
    topic.write_text('clicks = "own"\n[keywords]\nbee = 1\n[pages]\nstarts = ["http://a.test/"]\n', encoding="utf-8")
    from honeyguide.topic import Topic
    from honeyguide.topic.clicks import log_of

    log = log_of(Topic.load(topic))
    assert log is not None
    assert log.frequency == {"hive": 1, "蜂蜜": 1}
    assert "erased" in say("clicks", "--erase").out
    assert not own.exists()
    assert "no click log is kept" in say("clicks", "--erase").out


def test_a_hit_that_is_not_there_is_told(crawl: HandmadeCrawl, say: Say) -> None:
    crawl.add(Record("https://bees.example/1", "One", language="en", text="hive queen"))
    told = say("search", crawl.folder.path, "hive", "--read", "3")
    assert (told.code, told.err) == (2, "honeyguide: there is no hit 3: 1 record matched\n")
