"""Vectors of names: word vectors where there are any, a direction for each word elsewhere."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from honeyguide.text import vectors
from honeyguide.text.vectors import SIZE, Vectors

needs_table = pytest.mark.skipif(importlib.util.find_spec("wordllama") is None, reason="wordllama is not installed")


@needs_table
def test_names_of_like_meaning_point_alike() -> None:
    names = Vectors()
    assert names.meaning
    engine = names.name("steam engine")
    assert engine @ names.name("locomotive") > 0.2 > engine @ names.name("pumpkin")


@needs_table
def test_words_are_cut_into_the_tokens_of_the_package() -> None:
    table = vectors.word_table()
    assert table is not None
    assert table.tokens("hello") == [22172]
    assert table.tokens("unbelievable") == [443, 6596, 10384, 519]


@pytest.mark.parametrize("meaning", [True, False])
def test_a_name_is_of_unit_length_and_its_words_have_no_order(meaning: bool) -> None:
    names = Vectors(meaning=meaning)
    one = names.name("Stained glass")
    assert one @ one == pytest.approx(1.0, abs=1e-5)
    assert np.allclose(one, names.name("glass, stained"), atol=1e-6)


@pytest.mark.parametrize("text", ["", "4-4-0", "1234567", "???", "57858019e54bcee7", "x7Gh29Ks"])
def test_a_name_without_words_is_nothing(text: str) -> None:
    assert not Vectors().name(text).any()


@pytest.mark.parametrize("meaning", [True, False])
def test_chinese_names_are_alike_by_their_words(meaning: bool) -> None:
    names = Vectors(meaning=meaning)
    mining = names.name("数据挖掘方法", "zh")
    assert mining @ names.name("数据挖掘", "zh") > 0.4
    assert abs(mining @ names.name("天气预报", "zh")) < 0.25


@needs_table
def test_numbers_in_words_are_passed_over() -> None:
    names = Vectors()
    assert np.allclose(names.name("cs414"), names.name("CS 501"))


def test_without_the_package_words_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "word_table", lambda: None)
    names = Vectors()
    assert not names.meaning
    assert names.name("bees").shape == (SIZE,)
    assert names.name("the bee") @ names.name("bees") == pytest.approx(1.0, abs=1e-5)


def test_remembered_words_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "_KEPT", 10)
    names = Vectors(meaning=False)
    for number in range(26):
        names.name(f"word{chr(97 + number)}")
    assert len(names._places) <= 11


@pytest.mark.parametrize("meaning", [True, False])
def test_many_names_at_once_are_what_they_are_one_by_one(meaning: bool) -> None:
    texts = ["Stained glass", "", "glass", "4-4-0", "Fermentation of wine", "数据挖掘"]
    together = Vectors(meaning=meaning).names(texts)
    assert np.allclose(together, [Vectors(meaning=meaning).name(text) for text in texts], atol=1e-6)
