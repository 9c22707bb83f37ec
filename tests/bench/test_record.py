"""A crawl becomes an offline web: its own answers, the user's word before the judge's, starts that are truly far."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastwarc.warc import ArchiveIterator

from honeyguide.bench.offline import load
from honeyguide.bench.record import Recorded, record
from honeyguide.crawling.forget import forget
from honeyguide.errors import BenchError, SettingError
from honeyguide.page.digest import Digest, Link, encode
from honeyguide.store import Folder, Store, UrlRow, VisitRow
from honeyguide.store.packing import pack
from honeyguide.web import ArchiveWeb
from honeyguide.web.base import Response
from honeyguide.web.urls import key_of
from honeyguide.web.warc import Warc, response_record

TOPIC = """
name = "Honey bees, wild & kept"
languages = ["en"]
[keywords]
"honey" = 2.0
[pages]
examples = ["http://a.test/example", "http://a.test/never-fetched"]
starts = ["http://a.test/start"]
"""


def site(name: str) -> str:
    return f"http://a.test/{name}"


class HandmadeCrawl:
    """A crawl to which a test adds visits one by one, each with its answer in the WARC."""

    def __init__(self, path: Path) -> None:
        self.folder = Folder(path)
        self.folder.prepare()
        self.folder.topic.write_text(TOPIC)
        self.store = Store.create(self.folder.database)
        self.store.add_host(0, "a.test")
        self.warc = Warc(self.folder.warc, 0)
        self.numbers: dict[str, int] = {}

    def visit(self, name: str, *links: str, chance: float = 0.1, to: str = "", kept: bool = True) -> None:
        """A page that links to others, or a redirect; on topic from a half."""
        url = site(name)
        self.store.begin()
        if name not in self.numbers:
            self.numbers[name] = len(self.numbers)
            self.store.add_urls([UrlRow(self.numbers[name], url, key_of(url), 0, 0, 0, None, "")])
        row = VisitRow(url=self.numbers[name], role="page", fetched=1.7e9, status=200, outcome="page")
        row.relevance, row.on_topic = chance, chance >= 0.5
        digest = None
        if to:
            row.outcome, row.detail, row.status = "redirect", site(to), 301
        else:
            found = [Link(site(link), link, -1) for link in links]
            digest = pack(encode(Digest(url, 1.7e9, "html", title=name, links=found)))
        if kept:
            member = response_record(Response(url, status=row.status, body=f"{name} {chance}".encode(), fetched=1.7e9))
            row.warc, row.warc_size = self.warc.append(member), len(member)
        self.store.add_visit(row, digest)

    def label(self, **said: bool) -> None:
        """What the user says of pages."""
        self.store.begin()
        for name, right in said.items():
            self.store.label(site(name), right)

    def close(self) -> None:
        """Let go of all files."""
        self.store.close()
        self.warc.close()
        self.folder.unlock()

    def record(self, out: Path | None = None, **options: Any) -> tuple[Recorded, dict[str, Any]]:
        """Record it; gives what is told, and the topic as written."""
        self.store.commit()
        made = record(self.folder, out, **options)
        (line,) = (Path(made.folder) / "topics.jsonl").read_text("utf-8").splitlines()
        return made, json.loads(line)


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[HandmadeCrawl]:
    """A crawl that has not fetched a page yet."""
    made = HandmadeCrawl(tmp_path / "crawl")
    yield made
    made.close()


@pytest.fixture
def crawl(bare: HandmadeCrawl) -> HandmadeCrawl:
    """A crawl with three pages on topic and two off."""
    made = bare
    made.visit("example", "deep", chance=0.9)
    made.visit("good", "example", chance=0.8)
    made.visit("fair", chance=0.6)
    made.visit("poor", "good", chance=0.2)
    made.visit("deep", "poor")
    return made


def names(urls: list[str]) -> list[str]:
    return [url.removeprefix("http://a.test/") for url in urls]


def test_every_answer_is_there_byte_by_byte_and_can_be_read_alone(crawl: HandmadeCrawl, tmp_path: Path) -> None:
    crawl.visit("moved", to="good")
    made, _ = crawl.record()
    assert made.folder == str(tmp_path / "crawl-web")
    copy = tmp_path / "crawl-web" / "pages.warc.gz"
    assert copy.read_bytes() == crawl.folder.warc.read_bytes()
    with copy.open("rb") as file:
        places = [record.stream_pos for record in ArchiveIterator(file)]
    assert len(set(places)) == len(places) == made.pages == 6
    assert set(ArchiveWeb(tmp_path / "crawl-web").urls()) == {site(name) for name in crawl.numbers}


def test_a_page_visited_again_is_recorded_once_as_last_seen(crawl: HandmadeCrawl, tmp_path: Path) -> None:
    crawl.visit("poor", chance=0.7)
    made, topic = crawl.record()
    assert made.pages == 5
    assert "poor" in names(topic["relevant"])
    with (tmp_path / "crawl-web" / "pages.warc.gz").open("rb") as file:
        bodies = [(one.headers["WARC-Target-URI"], one.reader.read()) for one in ArchiveIterator(file)]
    assert [body for url, body in bodies if url == site("poor")] == [b"poor 0.7"]


def test_the_tail_that_broke_off_is_left_out(crawl: HandmadeCrawl, tmp_path: Path) -> None:
    crawl.visit("last", chance=0.9)
    crawl.store.commit()
    with crawl.folder.warc.open("r+b") as file:
        file.truncate(crawl.folder.warc.stat().st_size - 7)
    made, topic = crawl.record()
    assert (made.pages, made.left_out) == (5, 1)
    assert "last" not in names(topic["relevant"])
    assert any("1 answer" in note and "cannot be read whole" in note for note in made.notes)
    assert not ArchiveWeb(tmp_path / "crawl-web").damage


def test_a_record_damaged_in_the_middle_is_left_out(crawl: HandmadeCrawl) -> None:
    crawl.store.commit()
    place = crawl.store.visits_of(crawl.numbers["good"])[0].warc
    assert place is not None
    with crawl.folder.warc.open("r+b") as file:
        file.seek(place + 30)
        file.write(b"\xff" * 20)
    made, topic = crawl.record()
    assert (made.pages, made.left_out) == (4, 1)
    assert "good" not in names(topic["relevant"])


def test_what_was_forgotten_stays_forgotten(crawl: HandmadeCrawl, tmp_path: Path) -> None:
    crawl.label(good=True)
    crawl.store.close()
    crawl.folder.unlock()
    forget(crawl.folder, [crawl.numbers["good"]])
    crawl.store = Store.open(crawl.folder.database)
    made, topic = crawl.record()
    assert made.pages == 4
    assert names(topic["relevant"]) == ["example", "fair"]
    assert site("good") not in ArchiveWeb(tmp_path / "crawl-web")


def test_the_users_word_goes_before_the_judges(crawl: HandmadeCrawl) -> None:
    crawl.label(poor=True, fair=False, good=True)
    made, topic = crawl.record()
    assert names(topic["relevant"]) == ["example", "good", "poor"]
    assert (made.relevant, made.labelled, made.judged) == (3, 2, 1)
    assert not any("agreement" in note for note in made.notes)


@pytest.mark.parametrize(
    ("threshold", "relevant"), [(0.7, ["example", "good"]), (0.15, ["example", "fair", "good", "poor"])]
)
def test_the_threshold_can_be_set(crawl: HandmadeCrawl, threshold: float, relevant: list[str]) -> None:
    made, topic = crawl.record(threshold=threshold)
    assert names(topic["relevant"]) == relevant
    assert made.threshold == threshold


def test_truth_by_the_judge_alone_comes_with_a_warning(crawl: HandmadeCrawl) -> None:
    crawl.label(fair=False)
    made, _ = crawl.record()
    assert (made.labelled, made.judged) == (0, 2)
    assert "the race then measures agreement with the judge" in made.notes[0]


def test_the_topic_is_written_so_that_the_race_can_read_it(crawl: HandmadeCrawl, tmp_path: Path) -> None:
    made, topic = crawl.record(tmp_path / "webs" / "mine")
    assert topic["id"] == made.topic == "honey-bees-wild-kept"
    assert names(topic["examples"]) == ["example"]
    assert names(topic["starts"]) == ["start"]
    (read,) = load(tmp_path / "webs" / "mine").topics
    assert (read.name, read.keywords, read.languages) == ("Honey bees, wild & kept", {"honey": 2.0}, ("en",))
    assert load(tmp_path / "webs" / "mine").truths == {read.id: frozenset(topic["relevant"])}


def test_far_starts_are_the_farthest_from_which_something_is_to_be_found(crawl: HandmadeCrawl) -> None:
    crawl.visit("island", "islet")
    crawl.visit("doorway", to="deep")
    crawl.visit("porch", "doorway")
    crawl.visit("farthest", "porch", "island")
    crawl.visit("nearly", "porch", chance=0.55)
    made, topic = crawl.record(threshold=0.6)
    # poor -> good is 1 link, deep 2, then a redirect (3), porch 4, farthest 5; 'nearly' is on topic by the judge.
    assert names(topic["far_starts"]) == ["farthest", "porch", "deep"]
    assert (made.far_starts, made.farthest) == (3, 5)


def test_examples_are_no_goal_of_a_race_from_far(bare: HandmadeCrawl) -> None:
    bare.visit("example", "middle", chance=0.9)
    bare.visit("middle", "good")
    bare.visit("good", chance=0.9)
    bare.visit("outside", "example")
    made, topic = bare.record()
    assert names(topic["far_starts"]) == ["outside"]
    assert made.farthest == 3


def test_pages_next_to_the_goal_do_where_no_other_page_is_off_topic(bare: HandmadeCrawl) -> None:
    bare.visit("good", chance=0.9)
    bare.visit("beside", "good")
    made, topic = bare.record()
    assert names(topic["far_starts"]) == ["beside"]
    assert made.farthest == 1
    assert any("no race from near" in note for note in made.notes)


def test_a_web_without_a_way_to_the_goal_says_that_there_is_no_race_from_far(bare: HandmadeCrawl) -> None:
    bare.visit("good", "off", chance=0.9)
    bare.visit("off")
    made, topic = bare.record()
    assert topic["far_starts"] == []
    assert any("no race from far" in note for note in made.notes)


def test_the_seed_chooses_among_equals_and_nothing_else(crawl: HandmadeCrawl, tmp_path: Path) -> None:
    for number in range(30):
        crawl.visit(f"far{number}", "deep")
    runs = [crawl.record(tmp_path / f"web{run}", seed=seed)[1] for run, seed in enumerate((1, 1, 2))]
    assert runs[0] == runs[1]
    assert len(runs[0]["far_starts"]) == 5
    assert runs[0]["far_starts"] != runs[2]["far_starts"]
    assert all(name.startswith("far") for run in runs for name in names(run["far_starts"]))


def test_an_empty_folder_may_be_filled(crawl: HandmadeCrawl, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    crawl.record(tmp_path / "empty")
    assert sorted(path.name for path in (tmp_path / "empty").iterdir()) == ["pages.warc.gz", "topics.jsonl"]


def test_what_is_broken_off_leaves_nothing_behind(crawl: HandmadeCrawl, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crawl.record(tmp_path / "web", on_progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["crawl"]


def test_a_crawl_without_its_answers_is_refused(bare: HandmadeCrawl, tmp_path: Path) -> None:
    bare.visit("good", chance=0.9, kept=False)
    with pytest.raises(BenchError, match=r"no stored answers to record.*--no-warc"):
        bare.record()
    bare.warc.close()
    bare.folder.warc.unlink()
    with pytest.raises(BenchError, match="no stored answers"):
        bare.record()
    assert [path.name for path in tmp_path.iterdir()] == ["crawl"]


def test_a_crawl_without_a_page_on_topic_is_refused(bare: HandmadeCrawl, tmp_path: Path) -> None:
    bare.visit("off")
    bare.visit("said-not-to-be", chance=0.9)
    bare.store.label(site("said-not-to-be"), False)
    with pytest.raises(BenchError, match=r"no page on topic.*0\.5 or more"):
        bare.record()
    assert [path.name for path in tmp_path.iterdir()] == ["crawl"]


@pytest.mark.parametrize("threshold", [0.0, -0.1, 1.5, float("nan")])
def test_impossible_thresholds_are_refused(crawl: HandmadeCrawl, threshold: float) -> None:
    with pytest.raises(SettingError, match="threshold must lie between 0 and 1"):
        crawl.record(threshold=threshold)


def test_a_folder_in_use_is_not_written_over(crawl: HandmadeCrawl, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for place in (crawl.folder.path, tmp_path / "file"):
        with pytest.raises(BenchError, match="exists and is not an empty folder; choose another with --out"):
            crawl.record(place)
    with pytest.raises(BenchError, match="cannot be written"):
        crawl.record(tmp_path / "file" / "below")
    assert (tmp_path / "file").read_text() == "mine"
