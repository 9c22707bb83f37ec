"""What the user types is understood, and never taken for the index's own language."""

from __future__ import annotations

import contextlib
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.corpus.query import MOST_PARTS, read_query
from honeyguide.errors import HoneyguideError


def wanted(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(phrase.tokens for phrase in read_query(text).wanted)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("honey", '"honey"'),
        ("honey wax", '("honey" AND "wax")'),
        ("honey AND wax", '("honey" AND "wax")'),
        ('honey "queen bee" -wasp -"killer bee"', '(("honey" AND "queen bee") NOT "wasp" NOT "killer bee")'),
        ("honey NOT wasp", '("honey" NOT "wasp")'),
        ("-wasp honey", '("honey" NOT "wasp")'),
        ("bee OR wasp honey", '(("bee" OR "wasp") AND "honey")'),
        ("bee|wasp | hornet", '("bee" OR "wasp" OR "hornet")'),
        ("(bee wax) OR honey", '(("bee" AND "wax") OR "honey")'),
        ("bee -(wax honey)", '("bee" NOT ("wax" AND "honey"))'),
        ("bee NOT (wax OR honey)", '("bee" NOT ("wax" OR "honey"))'),
        ("bee -(-wax)", '("bee" AND "wax")'),
        ("bee NOT NOT wax", '("bee" AND "wax")'),
        ("(bee -wax) OR wasp", '(("bee" NOT "wax") OR "wasp")'),
        ("hiv*", '"hiv"*'),
        ("hives*", '("hives"* OR "hive")'),
        ("bee -hiv*", '("bee" NOT "hiv"*)'),
        ('"queen be"*', '"queen be"*'),
        ("高铁*", '"高 铁"*'),
        ("bee or wasp", '("bee" AND "or" AND "wasp")'),
        ('"OR" "NOT"', '("or" AND "not")'),
        ("state-of-the-art", '("state" AND "of" AND "the" AND "art")'),
        ("bee -state-of-the-art", '("bee" NOT "state of the art")'),
        ("bee - wasp", '("bee" AND "wasp")'),
        ("bee) wax", '("bee" AND "wax")'),
        ("((bee", '"bee"'),
        ("() bee", '"bee"'),
        ("bee OR ()", '"bee"'),
        ("bee * wax", '("bee" AND "wax")'),
        ("（bee｜wasp）＊", '("bee" OR "wasp")'),
        ("NOTHING ORANGE ANDROID", '("noth" AND "orang" AND "android")'),
        ("title:bee NEAR(a b)", '(("titl" AND "bee") AND "near" AND ("a" AND "b"))'),
        ("-高铁票价 bee", '("bee" NOT "高 铁 票 价")'),
    ],
)
def test_the_language_of_queries(text: str, match: str) -> None:
    assert read_query(text).match == match


def test_what_is_excluded_is_not_what_makes_a_good_answer() -> None:
    assert wanted('honey OR "queen bee" -wasp -(hornet -ant)') == (("honey",), ("queen", "bee"))


def test_a_quote_left_open_runs_to_the_end() -> None:
    assert wanted('bees "royal jelly') == (("bee",), ("royal", "jelli"))


def test_chinese_without_spaces_is_cut_into_words() -> None:
    assert wanted("高铁票价") == (("高", "铁"), ("票", "价"))


def test_traditional_chinese_asks_what_simplified_does() -> None:
    assert wanted("華為") == wanted("华为") == (("华", "为"),)
    assert read_query("高鐵票價 -「臺灣」").match == read_query("高铁票价 -“台湾”").match


def test_typographic_and_chinese_quotes_are_quotes() -> None:
    assert wanted("“queen bee” 「高铁票价」") == (("queen", "bee"), ("高", "铁", "票", "价"))


def test_wide_and_accented_writing_meets_plain_writing() -> None:
    assert wanted("ＭＨ１７ Über cafe\u0301") == (("mh17",), ("uber",), ("cafe",))


def test_a_word_said_twice_is_asked_once() -> None:
    assert read_query("bee bees BEES") == ('"bee"', ((("bee",), False),))


@pytest.mark.parametrize("text", ["bee OR", "OR bee", "OR", "bee OR OR wasp", "(bee OR) wasp", "bee AND OR wasp", "|"])
def test_or_without_two_sides_is_a_clear_error(text: str) -> None:
    with pytest.raises(HoneyguideError, match=r'OR needs something to look for beside it; .* write "OR" in quotes'):
        read_query(text)


@pytest.mark.parametrize("text", ["bee NOT", "NOT", "(bee NOT) wasp", "bee NOT AND wasp"])
def test_not_without_a_word_is_a_clear_error(text: str) -> None:
    with pytest.raises(HoneyguideError, match="NOT needs something"):
        read_query(text)


def test_an_exclusion_beside_or_is_a_clear_error() -> None:
    with pytest.raises(HoneyguideError, match="cannot stand beside OR"):
        read_query("bee OR -wasp")


@pytest.mark.parametrize(
    "text", ["(" * 2_000 + "bee", "NOT " * 5_001 + "bee wax", "()" * 5_000 + "bee", "- " * 5_000 + "bee"]
)
def test_no_query_is_too_deep(text: str) -> None:
    with contextlib.suppress(HoneyguideError):
        assert "bee" in read_query(text).match


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


@given(st.text(max_size=60) | st.text(alphabet="ab \"'()*:^-+{}|高NEARODT", max_size=60))
def test_no_input_is_an_error_of_syntax(text: str) -> None:
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE search USING fts5(title, text)")
    with contextlib.closing(index), contextlib.suppress(HoneyguideError):
        question = read_query(text).match
        assert index.execute("SELECT count(*) FROM search WHERE search MATCH ?", (question,)).fetchone() == (0,)


def test_the_longest_query_is_still_understood_by_the_index() -> None:
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE search USING fts5(title, text)")
    words = [f"w{number}" for number in range(MOST_PARTS // 2)]
    question = read_query(" ".join(words + [f"-x{word}" for word in words])).match
    index.execute("INSERT INTO search VALUES ('', ?)", (" ".join(words),))
    assert index.execute("SELECT count(*) FROM search WHERE search MATCH ?", (question,)).fetchone() == (1,)
    index.close()
