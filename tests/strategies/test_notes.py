"""Numbers per URL, and what the frontier was told: kept through a restart, never told twice."""

from __future__ import annotations

from honeyguide.strategies.notes import NEVER_TOLD, Notes, Told


def test_rows_keep_their_numbers_through_save_and_load() -> None:
    notes = Notes(0.0, 7.0)
    urls = [f"http://h.test/{number}/ä" for number in range(500)]
    for number, url in enumerate(urls):
        notes.columns[0][notes.row(url)] = float(number)
    again = Notes(0.0, 7.0)
    again.load(notes.save())
    assert [again.columns[0][again.find(url)] for url in urls] == list(range(500))
    assert again.find("http://new.test/") == -1
    assert again.columns[1][again.row("http://new.test/")] == 7.0
    assert len(again) == 501


def test_only_a_fall_waits_for_the_revision_and_only_until_it() -> None:
    notes = Notes(NEVER_TOLD)
    told = Told(notes, 0)
    url = "http://a.test/"
    row = notes.row(url)
    for priority in (-5.0, 1.0, 1.0, 2.0):
        told.tell(url, row, priority)
    assert told.fallen() == []
    told.tell(url, row, 1.5)
    assert told.fallen() == [url]
    assert told.fallen() == []
    assert told.revise(row, 1.5)
    assert not told.revise(row, 1.5)


def test_a_visited_url_is_never_told_again() -> None:
    notes = Notes(NEVER_TOLD)
    told = Told(notes, 0)
    row = notes.row("http://a.test/")
    told.tell("http://a.test/", row, 2.0)
    told.tell("http://a.test/", row, 1.0)
    told.visited("http://a.test/", row)
    told.tell("http://a.test/", row, 0.5)
    assert told.fallen() == []
    assert not told.revise(row, 0.1)
