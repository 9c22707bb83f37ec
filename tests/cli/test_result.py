"""What a crawl says of its result: always, in numbers that add up, and with an exit code that can be relied on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from honeyguide.crawling.keeping import COPY, NOINDEX
from honeyguide.topic import Topic
from tests.cli.conftest import Say
from tests.crawling.webs import ABOUT_BEES, page, write_archive

A = "http://a.test/"
BEES = Topic(name="bees", keywords={"honey bee": 2.0, "hive": 1.0, "beekeeper": 1.0}, starts=(A,))


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """A crawl of four pages about bees, of which one asks not to be kept and one is a copy."""
    told = f"{ABOUT_BEES} Of the winter. " * 3
    web = write_archive(
        tmp_path / "web.warc.gz",
        {
            A: page("Bees", ABOUT_BEES * 3, f"{A}one", f"{A}two", f"{A}three"),
            f"{A}one": page("One", told),
            f"{A}two": page("Two", told),
            f"{A}three": page("Three", f"{ABOUT_BEES} In spring they swarm. " * 3, noindex=True),
        },
    )
    (tmp_path / "bees.toml").write_text(BEES.to_toml())
    return ["crawl", str(tmp_path / "bees.toml"), "--web", str(web), "--out", str(tmp_path / "out"), "--workers", "1"]


def test_quiet_hides_notes_but_not_the_result(say: Say, words: list[str], tmp_path: Path) -> None:
    said = say(*words, "--quiet")
    assert said.code == 0
    assert said.err == ""
    assert "4 of 4 pages on topic (harvest rate 100%), 2 records, 1 host, " in said.out
    assert "ended: nothing left to visit" in said.out
    assert f"report: {tmp_path / 'out' / 'report.html'}" in said.out
    assert "search it with" not in said.out
    assert "advice" not in said.out


def test_pages_on_topic_that_were_not_kept_are_told_everywhere(say: Say, words: list[str], tmp_path: Path) -> None:
    lines = [f"1 page on topic was not kept: {COPY}", f"1 page on topic was not kept: {NOINDEX}"]
    result = say(*words)
    standing = say("status", tmp_path / "out")
    for line in lines:
        assert line in result.out
        assert line in standing.out
    report = (tmp_path / "out" / "report.html").read_text()
    assert "2 not kept" in report
    assert COPY in report
    assert NOINDEX in report


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_a_crawl_that_reached_nothing_says_so_and_fails(
    say: Say, words: list[str], tmp_path: Path, quiet: list[str]
) -> None:
    (tmp_path / "bees.toml").write_text(BEES.to_toml().replace(A, "http://elsewhere.test/"))
    said = say(*words, *quiet)
    assert said.code == 1
    assert "nothing was reached: no page arrived" in said.out
    assert "1 × not in the archive" in said.out
    assert "search" not in said.out


def test_and_so_it_does_for_programs(say: Say, words: list[str], tmp_path: Path) -> None:
    (tmp_path / "bees.toml").write_text(BEES.to_toml().replace(A, "http://elsewhere.test/"))
    said = say(*words, "--json")
    assert said.code == 1
    told = json.loads(said.out)
    assert (told["arrived"], told["troubles"]) == (0, {"not in the archive": 1})


def test_a_budget_that_is_spent_already_is_told_as_that(say: Say, words: list[str], tmp_path: Path) -> None:
    say(*words)
    said = say("resume", tmp_path / "out", "--pages", "2")
    assert said.code == 0
    assert (
        "ended: the budget of 2 pages was spent before: it is counted over all runs, and they have fetched 4"
        in said.out
    )


def test_one_is_not_many(say: Say, words: list[str], tmp_path: Path) -> None:
    said = say(*words, "--pages", "1")
    assert "1 of 1 page on topic (harvest rate 100%), 1 record, 1 host, " in said.out
    assert "ended: the budget of 1 page is spent" in said.out
    assert "1 of 1 page, 1 on topic (harvest rate 100%), 1 record\n" in say("status", tmp_path / "out").out


def test_an_export_that_is_there_says_by_which_option_it_may_be_replaced(
    say: Say, words: list[str], tmp_path: Path
) -> None:
    say(*words)
    assert say("export", tmp_path / "out", "--to", "csv").code == 0
    again = say("export", tmp_path / "out", "--to", "csv")
    assert (again.code, "--overwrite" in again.err) == (2, True)


def test_racing_on_a_crawl_points_to_how_it_becomes_a_web(say: Say, words: list[str], tmp_path: Path) -> None:
    say(*words)
    said = say("bench", tmp_path / "out")
    assert said.code == 2
    assert "is a crawl and no offline web yet" in said.err
    assert f"honeyguide record {tmp_path / 'out'}" in said.err


def test_the_files_a_race_names_are_those_it_wrote(say: Say, tmp_path: Path) -> None:
    say("crawl", "--pages", "60", "--out", tmp_path / "demo", "--no-report", "--no-records", "--quiet")
    say("record", tmp_path / "demo", "--out", tmp_path / "web")
    said = say(
        *("bench", tmp_path / "web", "--strategies", "breadth-first", "--start", "both", "--budget", "0.2", "--quiet"),
        *("--out", tmp_path / "race.json", "--workers", "1"),
    )
    assert said.code == 0, said.err
    (line,) = [line for line in said.out.splitlines() if line.startswith("figures and curves: ")]
    named = line.removeprefix("figures and curves: ").split(", ")
    assert sorted(named) == sorted(str(tmp_path / name) for name in ("race-near.json", "race-far.json", "race.html"))
    assert all(Path(name).is_file() for name in named)


def test_a_crawl_whose_starts_lead_nowhere_says_why(say: Say, tmp_path: Path) -> None:
    closed = page("Bees", ABOUT_BEES * 3, f"{A}one").replace(
        b"<title>", b'<meta name="robots" content="nofollow"><title>'
    )
    web = write_archive(
        tmp_path / "web.warc.gz", {A: closed, f"{A}one": page("One", ABOUT_BEES), f"{A}two": page("Two", ABOUT_BEES)}
    )
    begin = ["crawl", "--keyword", "bees", "--web", web, "--workers", "1"]
    told = say(*begin, "--start", A, "--start", f"{A}two", "--out", tmp_path / "nowhere").out
    assert (
        "of 2 pages 1 asked robots not to follow their links (nofollow) and 1 had no link that may be followed" in told
    )
    assert "other starts would lead further" in told
    assert (
        "lead further"
        not in say(*begin, "--start", f"{A}one", "--start", f"{A}two", "--pages", 2, "--out", tmp_path / "spent").out
    )
