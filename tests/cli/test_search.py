"""`search` on the command line: words with a minus are words, and mistakes are told in one sentence."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from honeyguide.cli.main import cli
from honeyguide.errors import HoneyguideError
from honeyguide.page.record import Record
from tests.corpus.conftest import HandmadeCrawl, crawl

__all__ = ["crawl"]  # the fixture


@pytest.fixture
def full(crawl: HandmadeCrawl) -> HandmadeCrawl:
    crawl.add(Record("https://bees.example/1", "One", published="2024-05-03", language="en", text="hive queen"))
    crawl.add(Record("https://wasps.example/2", "Two", published="2023-05-03", language="en", text="hive wasp nest"))
    return crawl


def search(crawl: HandmadeCrawl, *words: str) -> Result:
    return CliRunner().invoke(cli, ["search", str(crawl.folder.path), *words])


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["hive"], ["One", "Two"]),
        (["-queen", "hive"], ["Two"]),
        (["hive", "-queen"], ["Two"]),
        (["hive -queen"], ["Two"]),
        (["-queen hive"], ["Two"]),
        (["hive", "NOT", "wasp"], ["One"]),
        (["queen", "OR", "nest"], ["One", "Two"]),
        (["--most", "1", "nes*"], ["Two"]),
        (["hive", "--since", "2024", "-nest"], ["One"]),
        (["--host", "wasps.example", "hive"], ["Two"]),
        (["--language", "zh", "hive"], []),
        (["--kind", "page", "hive"], ["One", "Two"]),
        (["--", "hive", "-queen"], ["Two"]),
    ],
)
def test_words_and_options_are_told_apart(full: HandmadeCrawl, words: list[str], found: list[str]) -> None:
    done = search(full, "--json", *words)
    assert done.exit_code == 0, (done.output, done.exception)
    hits = json.loads(done.output)
    assert sorted(hit["title"] for hit in hits) == found
    assert all(hit["score"] > 0.01 for hit in hits)


@pytest.mark.parametrize("most", ["-1", "0"])
def test_a_number_of_hits_that_makes_no_sense_is_refused(full: HandmadeCrawl, most: str) -> None:
    done = search(full, "hive", "--most", most)
    assert isinstance(done.exception, HoneyguideError)
    assert str(done.exception) == f"most must be 1 or more, not {most}"


def test_help_is_still_there(full: HandmadeCrawl) -> None:
    assert "Search a crawl's records" in search(full, "-h").output
