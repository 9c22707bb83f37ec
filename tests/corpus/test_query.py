"""What the user types is understood, and never taken for the index's own language."""

from __future__ import annotations

import contextlib
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.corpus.query import MOST_PARTS, read_query
from honeyguide.errors import HoneyguideError


def test_words_phrases_and_exclusions_are_told_apart() -> None:
    query = read_query('honey "queen bee" -wasp -"killer bee"')
    assert query.wanted == (("honey",), ("queen", "bee"))
    assert query.unwanted == (("wasp",), ("killer", "bee"))


def test_a_hyphen_inside_a_word_excludes_nothing() -> None:
    assert read_query("state-of-the-art") == ((("state",), ("of",), ("the",), ("art",)), ())


def test_a_quote_left_open_runs_to_the_end() -> None:
    assert read_query('bees "royal jelly').wanted == (("bee",), ("royal", "jelli"))


def test_chinese_without_spaces_is_cut_into_words() -> None:
    assert read_query("高铁票价").wanted == (("高", "铁"), ("票", "价"))


def test_typographic_and_chinese_quotes_are_quotes() -> None:
    assert read_query("“queen bee” 「高铁票价」").wanted == (("queen", "bee"), ("高", "铁", "票", "价"))


def test_wide_and_accented_writing_meets_plain_writing() -> None:
    assert read_query("ＭＨ１７ Über cafe\u0301").wanted == (("mh17",), ("uber",), ("cafe",))


def test_a_word_said_twice_is_asked_once() -> None:
    assert read_query("bee bees BEES").wanted == (("bee",),)


@pytest.mark.parametrize("text", ["", "   ", '""', "!?", "-", '"', "*:^()", "。，"])
def test_nothing_to_look_for_is_a_clear_error(text: str) -> None:
    with pytest.raises(HoneyguideError, match="at least one word"):
        read_query(text)


def test_only_exclusions_is_a_clear_error() -> None:
    with pytest.raises(HoneyguideError, match="only excludes"):
        read_query("-wasp")


def test_a_query_without_end_is_refused() -> None:
    with pytest.raises(HoneyguideError, match="too long"):
        read_query(" ".join(f"w{number}" for number in range(MOST_PARTS + 1)))


@given(st.text(max_size=60) | st.text(alphabet="ab \"'()*:^-+{}高NEARODT", max_size=60))
def test_no_input_is_an_error_of_syntax(text: str) -> None:
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE search USING fts5(title, text)")
    with contextlib.closing(index), contextlib.suppress(HoneyguideError):
        question = read_query(text).match()
        assert index.execute("SELECT count(*) FROM search WHERE search MATCH ?", (question,)).fetchone() == (0,)


def test_the_longest_query_is_still_understood_by_the_index() -> None:
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE search USING fts5(title, text)")
    words = [f"w{number}" for number in range(MOST_PARTS // 2)]
    question = read_query(" ".join(words + [f"-x{word}" for word in words])).match()
    index.execute("INSERT INTO search VALUES ('', ?)", (" ".join(words),))
    assert index.execute("SELECT count(*) FROM search WHERE search MATCH ?", (question,)).fetchone() == (1,)
    index.close()
