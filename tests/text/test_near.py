"""Near-duplicates: a text with a small edit is found, another text is not, and what is looked at is bounded."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.text import near as near_by
from honeyguide.text.fingerprint import fingerprints
from honeyguide.text.near import NearDuplicates

VOCABULARY = [f"word{number}" for number in range(3_000)]


def text(seed: int, size: int = 300) -> list[str]:
    return random.Random(seed).choices(VOCABULARY, k=size)


def sketch(words: list[str]) -> bytes:
    return fingerprints(words)[1]


def changed(words: list[str], share: float, seed: int) -> list[str]:
    """The words with a share of them exchanged, spread over the text: the hardest edit there is."""
    chance = random.Random(seed)
    places = set(chance.sample(range(len(words)), round(share * len(words))))
    return [chance.choice(VOCABULARY) if place in places else word for place, word in enumerate(words)]


def found(edit: object, seeds: range, size: int = 300) -> float:
    """The share of texts that are found again after an edit, with all the others known too."""
    assert callable(edit)
    near = NearDuplicates()
    for seed in seeds:
        near.add(sketch(text(seed, size)), seed)
    return sum(near.find(sketch(edit(text(seed, size), seed))) == seed for seed in seeds) / len(seeds)


@pytest.mark.parametrize(
    ("edit", "least"),
    [
        (lambda words, _: words, 1.0),
        (lambda words, _: ["2024", "may", "3rd", *words[3:]], 1.0),
        (lambda words, seed: [*text(seed + 10_000, 8), *words], 1.0),
        (lambda words, seed: [*words, *text(seed + 10_000, 8)], 1.0),
        (lambda words, seed: changed(words, 0.01, seed), 1.0),
        (lambda words, seed: changed(words, 0.02, seed), 0.98),
        (lambda words, seed: changed(words, 0.03, seed), 0.9),
    ],
    ids=["nothing", "date", "line above", "line below", "1 %", "2 %", "3 %"],
)
def test_a_text_with_a_small_edit_is_found(edit: object, least: float) -> None:
    assert found(edit, range(1, 201)) >= least


def test_a_text_of_which_a_tenth_is_changed_is_another() -> None:
    assert found(lambda words, seed: changed(words, 0.1, seed), range(1, 201)) == 0


def test_of_short_texts_more_must_be_the_same() -> None:
    """Two captions under one template share as many of their shingles as two copies of a long text."""

    def caption(words: list[str], seed: int) -> list[str]:
        return [*words[:-8], *text(seed + 10_000, 8)]

    assert found(caption, range(1, 101), size=60) == 0
    assert found(caption, range(1, 101), size=300) == 1
    assert found(lambda words, _: words, range(1, 101), size=12) == 1


@given(st.lists(st.integers(0, 5), min_size=4, max_size=200), st.lists(st.integers(0, 5), min_size=4, max_size=200))
@settings(max_examples=100)
def test_any_text_is_found_again_and_the_earliest_first(one: list[int], other: list[int]) -> None:
    near = NearDuplicates()
    first, second = (sketch([str(word) for word in words]) for words in (one, other))
    near.add(first, 1)
    near.add(second, 2)
    near.add(first, 3)
    assert near.find(first) == 1
    assert near.find(second) in (1, 2)


def test_nothing_known_means_nothing_found() -> None:
    assert NearDuplicates().find(sketch(text(1))) is None


def test_a_text_too_short_to_tell_is_neither_kept_nor_found() -> None:
    near = NearDuplicates()
    near.add(b"", 1)
    assert near.find(b"") is None
    assert near.find(sketch(text(1))) is None


def test_a_web_of_one_template_does_not_make_looking_up_a_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    near, looked = NearDuplicates(), 0
    for number in range(3_000):  # the same fifty words on every page, and fifty of its own
        near.add(sketch(text(1, 50) + text(number + 2, 50)), number)
    with_anchor = near._with

    def counted(anchor: int) -> list[int]:
        nonlocal looked
        places = with_anchor(anchor)
        looked = max(looked, len(places))
        return places

    monkeypatch.setattr(near, "_with", counted)
    for number in range(100):
        assert near.find(sketch(text(1, 50) + text(number + 2, 50))) == number
        assert near.find(sketch(text(1, 50) + text(number + 10_000, 50))) is None
    assert 0 < looked <= near_by._MOST


def test_memory_is_the_same_for_every_text() -> None:
    near = NearDuplicates()
    for number in range(1_000):
        near.add(sketch(text(number, 20 + 10 * number)), number)
    assert len(near._marks) == 128 * 1_000
    assert len(near._anchors) == len(near._before) == 6 * 1_000 + 1
