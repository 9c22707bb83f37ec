"""One tokenizer for pages, queries, keywords and anchors: what it keeps, drops and folds."""

from __future__ import annotations

import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from honeyguide.text.terms import Terms, has_han, reads_as, spaced, terms, terms_of_many, words

ANY_TEXT = st.text(st.characters(), max_size=300)  # surrogates and control characters too


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The crawlers were crawling politely", ["crawler", "crawl", "polit"]),
        ("well-known (bees), honey/wax; hives!", ["known", "bee", "honey", "wax", "hive"]),
        ("snake_case names", ["snake", "case", "name"]),
        ("MH17 5G H2O covid-19", ["mh17", "5g", "h2o", "covid"]),
        ("in 2014, 37 of 10000 bees", ["2014", "bee"]),
        ("U.S.A. C++ a b c", []),
        ("the and of which", []),
        ("", []),
        (" \t\r\n\x0b\x0c", []),
        ("\x05\x1f\x7f", []),
        ("🐝 🍯", []),
        ("bees 🐝 honey", ["bee", "honey"]),
        ("bees\u00a0honey\u2003wax", ["bee", "honey", "wax"]),
        ("bees—honey…wax “hive”", ["bee", "honey", "wax", "hive"]),
        ("ﬁne ﬂight", ["fine", "flight"]),
        ("naïve cafés", ["naïv", "café"]),
    ],
)
def test_english_text_becomes_folded_terms_without_stop_words(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the bee's hive", ["bee", "hive"]),
        ("the bee’s hive", ["bee", "hive"]),
        ("the bees' hive", ["bee", "hive"]),
        ("'quoted' ‘quoted’", ["quot", "quot"]),
        ("don't isn’t it's", []),
        ("O’Neill’s", ["o'neil"]),
    ],
)
def test_apostrophes_curly_or_straight_fold_alike(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize("wide", ["茶", "\ufe0f", "！", "가"])
def test_a_wide_character_beside_them_changes_no_words(wide: str) -> None:
    text = "isn’t the bee’s O’Neill’s ‘hive’ bees\u2060wax 24\u20447"
    alone = terms(text)
    assert alone[:3] == ["bee", "o'neil", "hive"]
    assert terms(f"{text} {wide}") == alone + terms(wide)
    assert terms(f"{wide} {text}") == terms(wide) + alone


def test_a_decomposed_accent_is_the_same_letter_as_a_composed_one() -> None:
    assert terms("cafe\u0301s") == terms("cafés") == ["café"]


def test_full_width_letters_and_digits_meet_plain_ones() -> None:
    assert terms("ＭＨ１７　ｂｅｅｓ，２０１４") == terms("MH17 bees, 2014") == ["mh17", "bee", "2014"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("数据挖掘的方法", ["数据挖掘", "方法"]),
        ("我们学习数据挖掘。", ["学习", "数据挖掘"]),
        ("2014年MH17坠毁", ["2014", "mh17", "坠毁"]),
        ("蜜蜂,honey bees和蜂蜜！", ["蜜蜂", "honey", "bees", "蜂蜜"]),
        ("「蜂蜜」、『茶』", ["蜂蜜", "茶"]),
    ],
)
def test_chinese_is_cut_into_words_and_mixes_with_latin(text: str, expected: list[str]) -> None:
    assert terms(text, "zh") == expected


def test_chinese_inside_an_english_page_is_cut_too() -> None:
    assert terms("Honey (蜂蜜) and tea (茶)") == ["honey", "蜂蜜", "tea", "茶"]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Die Bienen sammeln Honig", ["bien", "sammel", "honig"]),
        ("ru", "Пчёлы собирают мёд", ["пчел", "собира", "мед"]),
        ("ko", "한국어 텍스트", ["한국어", "텍스트"]),
        ("xx", "some bees", ["bees"]),
        ("", "some bees", ["bees"]),
    ],
)
def test_each_language_has_its_own_endings_and_an_unknown_one_has_none(
    language: str, text: str, expected: list[str]
) -> None:
    assert terms(text, language) == expected


def test_a_word_of_ten_thousand_letters_is_no_word() -> None:
    assert terms("honey " + "x" * 10_000 + " bees") == ["honey", "bee"]
    assert terms("蜜" * 10_000, "zh")  # a long Han run is many words, and takes no long time


def test_words_are_as_written_and_in_order() -> None:
    assert words("It's MH17, the airliner.") == ["It's", "MH17", "the", "airliner"]
    assert words("我们学习数据挖掘") == ["我们", "学习", "数据挖掘"]
    assert words("") == []


def test_han_is_told_from_other_writing() -> None:
    assert has_han("a 茶 b")
    assert has_han("カナ")
    assert not has_han("tea, thé, чай, 차")


def test_a_text_full_of_stop_words_reads_as_its_language() -> None:
    assert reads_as("the bees of the valley are in the garden".split(), "en")
    assert not reads_as("die bienen in dem garten sind sehr klein".split(), "en")
    assert reads_as("die bienen in dem garten sind sehr klein".split(), "de")
    assert not reads_as("the of and".split(), "en")  # too few to tell


@given(ANY_TEXT, st.sampled_from(["en", "zh", "de", "fr", "ru", "tr", "ar", "xx"]))
@example("\ud800", "en")
@example("\x00\x01\x02\x03\x04", "en")
@example("ﷺ ㎏ ½ ① İ ŉ", "tr")
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_the_tokenizer_and_no_term_is_empty_or_spaced(text: str, language: str) -> None:
    found = terms(text, language)
    assert all(term and not any(sign.isspace() for sign in term) for term in found)
    assert all(len(term) <= 45 for term in found)
    assert terms(text, language) == found  # the memory of words met changes nothing
    assert Terms(language).fold(spaced(text).split()) == found


@given(ANY_TEXT)
@settings(max_examples=200, deadline=None)
def test_words_are_never_empty_and_hold_no_space(text: str) -> None:
    assert all(word and word.split() == [word] for word in words(text))


@given(
    st.lists(st.sampled_from("bees honey crawling universities 2014 MH17 茶 数据挖掘 the café".split()), max_size=20)
)
@settings(deadline=None)
def test_the_terms_of_a_text_are_the_terms_of_its_words_whatever_separates_them(chosen: list[str]) -> None:
    one_by_one = [term for word in chosen for term in terms(word)]
    for between in (" ", ", ", "\n", " - ", "。", "\u00a0", "…", " (", "/"):
        assert terms(between.join(chosen)) == one_by_one


@given(
    st.lists(st.sampled_from("bees honey crawling hives 2014 MH17 茶 数据挖掘 airliners politely".split()), max_size=9)
)
@settings(deadline=None)
def test_terms_of_terms_are_the_same_terms(chosen: list[str]) -> None:
    once = terms(" ".join(chosen))
    assert terms(" ".join(once)) == once


@pytest.mark.parametrize(
    "text",
    ["bees·honey", "News»honey bees", "bees🐝honey", "bees→honey", "bees\x00honey", "bees\ufffdhoney", "bees×honey"],
)
def test_signs_outside_ascii_separate_words_as_other_signs_do(text: str) -> None:
    assert terms(text)[-1] in ("honey", "bee")
    assert len(terms(text)) == len(words(text))


def test_a_soft_hyphen_is_no_part_of_a_word() -> None:
    assert terms("honey\u00adguide") == ["honeyguid"]


def test_a_trade_mark_sign_is_no_part_of_a_word() -> None:
    assert terms("Lego™") == terms("Lego") == ["lego"]


def test_stop_words_with_an_apostrophe_are_stop_words() -> None:
    assert terms("who's what's here's where's") == []


def test_scripts_with_vowel_signs_keep_whole_words() -> None:
    assert terms("हिन्दी भाषा मधुमक्खी", "xx") == ["हिन्दी", "भाषा", "मधुमक्खी"]


def test_the_memory_of_words_met_is_bounded_whatever_their_length() -> None:
    fresh = Terms("en")
    fresh(" ".join(f"{number:05d}" + "x" * 10_000 for number in range(200)))
    memory = fresh._folds
    assert sum(sys.getsizeof(word) for word in memory.known) < 100_000


@pytest.mark.parametrize("text", ["bees \x01 honey", "bees \x02\x03 honey \x04"])
def test_control_characters_are_no_terms(text: str) -> None:
    assert terms(text) == ["bee", "honey"]


LANGUAGES = st.sampled_from(["en", "zh", "de", "fr", "tr", "xx"])
SHORT_TEXT = st.one_of(
    st.text(st.characters(), max_size=30),
    st.text(
        st.sampled_from("aB9'’ \x00\x01\x02\x04\x05\x1f\u00a0\u00ad\u2011\u2060é茶蜜。！\ufe0f™½\ud800"), max_size=12
    ),
    st.sampled_from(["", " ", "Read more", "Read more ’", "isn’t it", "数据挖掘的方法", "x" * 500, "honey " * 100]),
)


@given(st.lists(SHORT_TEXT, max_size=12), LANGUAGES)
@example(["a\x01b", "bees", ""], "en")
@example(["isn’t", "茶"], "en")
@settings(max_examples=500, deadline=None)
def test_the_terms_of_many_texts_are_those_of_each(texts: list[str], language: str) -> None:
    each = [tuple(terms(text, language)) for text in texts]
    assert terms_of_many(texts, language) == each
    assert terms_of_many(texts, language) == each  # the memory of texts met changes nothing
    assert Terms(language).many(texts) == each


def test_texts_met_are_remembered_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["honeyguide.text.terms"], "_REMEMBERED", 3)
    read = Terms("en")
    for texts in (
        ["bees"],
        ["hives", "honey"],
        ["bees", "wax", "combs"],
        ["a", "b", "c", "d", "bees"],
        ["x" * 500] * 2,
    ):
        assert read.many(texts) == [tuple(read(text)) for text in texts]
        assert len(read._met) <= 5  # no more than the bound, or than one call needs


NAMES = st.lists(
    st.sampled_from(
        [
            "Hives",
            "bees-and-wax",
            "",
            "2014",
            "a1b2c3",
            "h2o",
            "Bee's",
            "the",
            "½ hive",
            "蜂蜜 honey",
            "x\x01y",
            "20190412",
        ]
    ),
    max_size=8,
)


@given(NAMES, st.sets(st.sampled_from(["hive", "bee", "2014", "h2o", "蜂蜜", "1", "a1b2c3"]), max_size=4))
def test_which_texts_hold_some_terms_is_what_the_terms_of_each_say(texts: list[str], wanted: set[str]) -> None:
    tokenize = Terms("en")
    assert tokenize.holding(texts, wanted) == [
        place for place, text in enumerate(texts) if not wanted.isdisjoint(tokenize(text))
    ]


def test_texts_are_looked_through_without_learning_what_mixes_letters_and_digits() -> None:
    tokenize = Terms("en")
    assert tokenize.holding(["hive-9f8e7d", "9f8e7d"], {"hive", "2014"}) == [0]
    assert "9f8e7d" not in tokenize._folds.known


def test_no_texts_have_no_terms() -> None:
    assert Terms("en").together([]) == Terms("en").many([]) == []
