"""Choosing records: what can be asked, and what is refused in one sentence."""

from __future__ import annotations

import pytest

from honeyguide.errors import SettingError
from honeyguide.store import EVERYTHING, Selection


def test_nothing_asked_means_everything() -> None:
    assert not Selection()
    assert Selection() == EVERYTHING
    assert Selection(since="2024")


@pytest.mark.parametrize(
    ("date", "first", "last"),
    [
        ("2024", "2024-01-01", "2024-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2023-02", "2023-02-01", "2023-02-28"),
        (" 2024-05-03 ", "2024-05-03", "2024-05-03"),
    ],
)
def test_a_date_may_be_a_year_or_a_month(date: str, first: str, last: str) -> None:
    assert (Selection(since=date).since, Selection(until=date).until) == (first, last)


@pytest.mark.parametrize("date", ["yesterday", "2024-13", "2024-02-30", "24", "2024-5", "2024-05-03T10:00", "' OR 1=1"])
def test_what_is_no_date_is_refused(date: str) -> None:
    for name in ("since", "until"):
        with pytest.raises(SettingError, match=f"{name} must be a date such as 2024"):
            Selection(**{name: date})


def test_a_span_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(SettingError, match="since must not be later than until"):
        Selection(since="2025", until="2024")


@pytest.mark.parametrize(
    ("given", "host"),
    [
        ("Bees.Example", "bees.example"),
        ("*.bees.example", "bees.example"),
        ("https://bees.example:8080/path?x", "bees.example"),
        ("bees.example:80", "bees.example"),
        ("例子.中国", "xn--fsqu00a.xn--fiqs8s"),
        ("[::1]:80", "[::1]"),
    ],
)
def test_a_host_is_known_however_it_is_written(given: str, host: str) -> None:
    assert Selection(hosts=[given]).hosts == (host,)


@pytest.mark.parametrize("given", ["", "a b", "http://"])
def test_what_is_no_host_is_refused(given: str) -> None:
    with pytest.raises(SettingError, match="is not the name of a host"):
        Selection(hosts=[given])


def test_a_language_may_name_its_country() -> None:
    assert Selection(languages=["zh-TW", "EN"]).languages == ("zh", "en")
    with pytest.raises(SettingError, match="is not the code of a language"):
        Selection(languages=["Klingon"])


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(SettingError, match="unknown kind of record: 'book'; known: article, page"):
        Selection(kinds=["book"])


def test_one_word_is_not_taken_for_a_list_of_letters() -> None:
    with pytest.raises(SettingError, match="hosts must be a list"):
        Selection(hosts="bees.example")  # type: ignore[arg-type]
