"""Keywords: the terms a text keeps coming back to."""

from __future__ import annotations

from honeyguide.page.keywords import keywords


def test_forms_of_one_word_count_together_and_show_the_commonest() -> None:
    text = "The crawler crawls. Crawlers rank links; a crawler asks for links. The crawler waits."
    assert keywords(text, "en", most=2) == ["crawler", "links"]


def test_stop_words_numbers_and_single_letters_are_left_out() -> None:
    assert keywords("The 2014 2014 2014 and the x x x and flight", "en") == ["flight"]


def test_words_of_the_title_rise() -> None:
    text = "honey honey bees bees bees"
    assert keywords(text, "en", most=1) == ["bees"]
    assert keywords(text, "en", title="Honey", most=1) == ["honey"]


def test_chinese_is_cut_into_words() -> None:
    assert keywords("数据挖掘很有用。我们学习数据挖掘的方法。", "zh", most=1) == ["数据挖掘"]


def test_no_text_has_no_keywords() -> None:
    assert keywords("", "en") == []
