"""The sentence encoder: the numbers its own framework computes, in whatever company; and its pieces of words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from honeyguide.text import encoder as room
from honeyguide.text.encoder import ENCODED, encoder, has_encoder
from honeyguide.text.wordpiece import WordPieces

# What the model's own framework makes of a sentence: its first numbers, as published with the model's ports.
SENTENCE = "This is an example sentence"
FIRST = (0.06765693, 0.06349593, 0.04871314, 0.07930495, 0.03744806, 0.00265273)
# Texts and their pieces, as the model's own tokenizer cuts them.
PIECES = {
    "Stained glass": [101, 9702, 3221, 102],
    "Beekeeping, 4-4-0 (1848)": [101, 10506, 18321, 1010, 1018, 1011, 1018, 1011, 1014, 1006, 7993, 1007, 102],
    "Caf\u00e9 M\u00fcller's na\u00efve": [101, 7668, 12304, 1005, 1055, 15743, 102],
    "\u871c\u8702 \u517b\u6b96bee": [101, 100, 100, 100, 100, 10506, 102],
    "tab\tand\u200bzero\x00width": [101, 21628, 1998, 6290, 5004, 3593, 2705, 102],
    "it\u2019s \u00bd\u2014\u00dfo": [101, 2009, 1521, 1055, 1092, 1517, 1096, 2080, 102],
    "x" * 101: [101, 100, 102],
    "\ud55c\uad6d\uc5b4 \u0e01\u0e47": [101, 1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008, 1409, 102],
}


def test_it_computes_what_its_own_framework_does() -> None:
    (found,) = encoder().encode([SENTENCE])
    assert found.shape == (ENCODED,)
    assert found[:6] == pytest.approx(FIRST, abs=1e-6)
    assert float(found @ found) == pytest.approx(1.0, abs=1e-5)


def test_a_text_is_read_alike_alone_and_among_others_of_any_length() -> None:
    texts = [
        "bee",
        "",
        SENTENCE,
        "honey bees of the world",
        "bee",
        "word " * 500,
        "Stained glass",
        *map(str, range(300)),
    ]
    together = encoder().encode(texts)
    for place in (0, 1, 2, 3, 5, 6, 306):
        assert np.allclose(together[place], encoder().encode([texts[place]])[0], atol=1e-5)
    assert np.array_equal(together[0], together[4])


def test_like_meanings_point_alike_without_a_word_in_common() -> None:
    engine, train, court = encoder().encode(["steam engine", "locomotive", "supreme court"])
    assert engine @ train > engine @ court + 0.2


def test_no_texts_have_no_directions() -> None:
    assert encoder().encode([]).shape == (0, ENCODED)


def test_without_the_package_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "PACKAGE", "no-such-package")
    room._folder.cache_clear()
    try:
        assert not has_encoder()
    finally:
        room._folder.cache_clear()


def test_a_package_without_the_files_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hollow_model").mkdir()
    (tmp_path / "hollow_model" / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(room, "PACKAGE", "hollow-model")
    room._folder.cache_clear()
    try:
        assert not has_encoder()  # and nothing of it is run
    finally:
        room._folder.cache_clear()


@pytest.mark.parametrize("text", PIECES)
def test_texts_are_cut_as_the_model_s_own_tokenizer_cuts_them(text: str) -> None:
    assert encoder()._pieces.of(text, 64) == PIECES[text]


def test_a_text_cannot_set_the_marks_between_texts() -> None:
    assert encoder()._pieces.of("[SEP][CLS]", 64)[1:-1].count(102) == 0


def test_pieces_end_with_an_end_however_long_a_text_is() -> None:
    pieces = WordPieces({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "bee": 3})
    assert pieces.of("bee " * 100, 5) == [1, 3, 3, 3, 2]
    assert pieces.of("", 5) == [1, 2]
    assert pieces.of("b" * 1_000_000, 5) == [1, 0, 2]
