"""Why a page was judged as it was: in its own words, with the bar it had to pass, in parts that add up."""

from __future__ import annotations

import math

import msgspec
import pytest

from honeyguide.crawling import Crawl, Settings, reading, verdicts, why
from honeyguide.crawling.labels import label
from honeyguide.crawling.reading import as_its_page_writes, as_written
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic
from tests.cli.conftest import Say, say
from tests.crawling.conftest import run
from tests.crawling.webs import ABOUT_BEES, page, write_archive

__all__ = ["say"]  # a fixture

A = "http://a.test/"
RAIL = "The railway crosses the bridge, and the council pays for all of it as it does for the harbour. "
OWN = "Apiaries there are many, for apiaries are easily kept; an apiary of old is a wonder. "
OTHER = "The harbour opens at dawn when the ferries leave for the islands with their nets and their lamps lit. "
BEES = Topic(name="bees", keywords={"honey bee": 2.0, "hive": 1.0}, examples=(f"{A}bees",), starts=(A,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    place = tmp_path_factory.mktemp("why")
    answers: dict[str, bytes | str] = {
        A: page("Start", OTHER, f"{A}bees", f"{A}both", f"{A}gone", *(f"{A}{number}x" for number in range(12))),
        f"{A}bees": page("Bees", (ABOUT_BEES + OWN) * 3),
        f"{A}both": page("Elsewhere, too", (OWN + RAIL) * 2 + ABOUT_BEES),
    }
    answers |= {f"{A}{number}x": page("Elsewhere", f"{RAIL} {OTHER} " * (2 + number)) for number in range(12)}
    crawl = Crawl(
        Folder(place / "crawl"),
        BEES,
        Settings(web=str(write_archive(place / "web.warc.gz", answers)), pages=50, careful=False),
    )
    crawl.create()
    run(crawl)
    return Folder(place / "crawl")


def test_words_are_the_page_s_own_and_the_sum_is_the_verdict(folder: Folder) -> None:
    told = why(folder, f"{A}both")
    (visit,) = told.visits
    words = dict(visit.words)
    assert {"apiaries", "railway"} <= set(words)
    assert not {"apiari", "railwai"} & set(words)
    assert any(part > 0 for part in words.values())
    assert any(part < 0 for part in words.values())
    assert visit.rest is not None
    total = sum(words.values()) + visit.rest
    assert 1 / (1 + math.exp(-total)) == pytest.approx(visit.probability, abs=1e-9)
    assert visit.judge == verdicts.OWN


def test_the_bar_and_the_sum_are_told(folder: Folder, say: Say) -> None:
    told = why(folder, f"{A}both")
    (visit,) = told.visits
    said = say("why", folder.path, f"{A}both").out
    side = "on" if visit.on_topic else "off"
    assert f"judged {side} topic: {visit.probability:.2f}, it needed {told.threshold:.2f}\n" in said
    assert "against it: " in said
    assert f"all other words, and what any page begins with: {visit.rest:+.2f}" in said
    assert f"in log-odds, which is a probability of {visit.probability:.2f}" in said


def test_a_miss_has_no_date_rather_than_that_of_1970(folder: Folder, say: Say) -> None:
    said = say("why", folder.path, f"{A}gone").out
    assert "visited: missing (404) not in the archive" in said
    assert "1970" not in said
    assert "1970" not in say("why", folder.path, A).out


def test_a_label_is_told_and_adds_up_to_nothing(folder: Folder, say: Say) -> None:
    label(folder, {f"{A}1x": True})
    told = why(folder, f"{A}1x")
    assert (told.label, told.visits[0].rest) == (True, None)
    assert "labelled right by a person" in say("why", folder.path, f"{A}1x").out


def test_the_report_writes_words_as_pages_do(folder: Folder, say: Say) -> None:
    say("report", folder.path)
    report = (folder.path / "report.html").read_text()
    assert "apiaries" in report
    assert "apiari<" not in report


def test_a_page_is_read_again_only_for_words_its_record_lacks(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def unasked(*_: object) -> str:
        raise AssertionError("the page was read")

    found = [("apiari", 1.0), ("hive", 0.7), ("(by its meaning)", 0.5)]
    store = Store.open(folder.database, read_only=True)
    try:
        (visit,) = (one for one in store.visits("page", on_topic=True) if one.title == "Bees")
        record = store.records.get(visit.id)
        assert record is not None
        lacking = msgspec.structs.replace(record, text="nothing of it")
        read = as_its_page_writes(folder, store, visit, found, lacking)
        assert read == as_its_page_writes(folder, store, visit, found, None)
        assert read[0] == ("apiaries", 1.0)
        monkeypatch.setattr(reading, "page_wording", unasked)
        assert as_its_page_writes(folder, store, visit, found, record) == read
        with pytest.raises(AssertionError, match="was read"):
            as_its_page_writes(folder, store, visit, found, lacking)
    finally:
        store.close()


@pytest.mark.parametrize(
    ("term", "text", "language", "word"),
    [
        ("mh17", "MH17 fell; MH17.", "en", "MH17"),
        ("polit", "Politely, politely. Polite!", "en", "politely"),
        ("hund", "Die Hunde. Hunde! Hund.", "de", "hunde"),
        ("蜜蜂", "蜜蜂在花上", "zh", "蜜蜂"),
        ("absent", "nothing of it", "en", "absent"),
        ("queen", "The queen's wings, the queen’s brood", "en", "queen"),
        ("abeil", "L'abeille, d'abeilles; l'abeille", "fr", "l'abeille"),
        ("lees", "Veel gelezen, gelezen.", "nl", "gelezen"),
    ],
)
def test_the_commonest_spelling_is_chosen(term: str, text: str, language: str, word: str) -> None:
    assert as_written([(term, 1.0)], text, language) == [(word, 1.0)]
