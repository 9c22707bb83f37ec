"""What a text is about, whatever was read before it."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from honeyguide.text import about as room
from honeyguide.text.about import about, direction, pack

needs_table = pytest.mark.skipif(importlib.util.find_spec("wordllama") is None, reason="wordllama is not installed")

BEES = "The apiarist keeps honeybees in wooden hives, and the foragers bring nectar from the meadow to the colony. "
STARS = "The astronomer looks at galaxies and supernovae, whose light has travelled for millions of years to us. "


@needs_table
def test_texts_about_one_thing_are_more_alike_than_others() -> None:
    honey = direction("beekeeping: nectar, honeycombs and swarming queens")
    assert honey @ direction(BEES * 3) > 0.4 > honey @ direction(STARS * 3)


@needs_table
def test_a_text_is_about_the_same_whatever_was_read_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_READER", room._WordReader())
    alone = about(STARS * 2)[0]
    words = [f"{first}{second}zelqu" for first in "abcdefghij" for second in "abcdefghij"]
    rare = [" ".join(words[begin : begin + 12]) for begin in range(0, 90, 6)]  # half of each is known from the last
    monkeypatch.setattr(room, "_KEPT", 40)  # so that words are soon forgotten
    monkeypatch.setattr(room, "_READER", room._WordReader())
    for text in rare:
        about(text)
    assert len(room._READER._rare) <= 40
    assert np.array_equal(about(STARS * 2)[0], alone)
    again = [about(text)[0] for text in rare]
    assert all(np.array_equal(one, about(text)[0]) for one, text in zip(again, rare, strict=True))


@needs_table
def test_words_put_in_front_of_a_long_text_are_told_and_do_not_count() -> None:
    honest = direction(STARS * 30)
    stuffed, put_there, lead = about("honey bees hive nectar beekeeping apiary swarm " * 8 + STARS * 30, lead=True)
    assert {"honey", "nectar", "apiary"} <= set(put_there)
    assert put_there.count("astronomer") <= 1  # one stands in a piece with them
    assert stuffed @ honest > 0.95
    assert "galaxies" in lead
    assert not {"honey", "nectar", "apiary"} & set(lead.split())


def test_a_text_in_no_language_of_the_table_is_about_nothing() -> None:
    found, put_there, _ = about("蜜蜂 采集 花蜜 2024 !!!")
    assert not found.any()
    assert put_there == []
    assert pack(found) == b""


def test_without_the_table_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_words", lambda: None)
    assert not direction(BEES).any()
