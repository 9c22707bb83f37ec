"""Fingerprints: the same for the same text, close for all but the same, far for others."""

from __future__ import annotations

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.text.fingerprint import distance, fingerprints, simhash


def _text(seed: int, size: int = 300, vocabulary: int = 2_000) -> list[str]:
    chance = random.Random(seed)
    return [f"word{chance.randrange(vocabulary)}" for _ in range(size)]


def test_the_same_text_has_the_same_fingerprint() -> None:
    assert all(simhash(_text(seed)) == simhash(_text(seed)) for seed in range(20))
    assert distance(simhash(_text(1)), simhash(_text(1))) == 0


def test_the_fingerprint_is_the_same_in_every_run() -> None:
    # Fingerprints are stored: a hash that changed between runs would make a resumed crawl miss its duplicates.
    assert simhash("bees make honey in the hive".split()) == 0x470C98000810BA71


@pytest.mark.parametrize("text", ["", "bees", "two bees", "just three bees"])
def test_too_few_words_tell_nothing(text: str) -> None:
    assert simhash(text.split()) == 0


@pytest.mark.parametrize(("size", "three", "six"), [(300, 0.66, 0.95), (600, 0.82, 0.97)])
def test_one_word_changed_mostly_stays_within_three_bits(size: int, three: float, six: float) -> None:
    # Measured over 1,000 texts: 70 % within three bits at 300 words and 86 % at 600; 98 % and 99 % within six.
    chance, apart = random.Random(7), []
    for seed in range(500):
        text = _text(seed, size)
        changed = list(text)
        changed[chance.randrange(size)] = "elsewhere"
        apart.append(distance(simhash(text), simhash(changed)))
    assert sum(bits <= 3 for bits in apart) / 500 >= three
    assert sum(bits <= 6 for bits in apart) / 500 >= six


def test_unrelated_texts_are_far_apart() -> None:
    prints = [simhash(_text(seed)) for seed in range(150)]
    apart = [distance(one, other) for place, one in enumerate(prints) for other in prints[:place]]
    assert min(apart) > 6
    assert 30 < sum(apart) / len(apart) < 34


def test_the_same_words_in_another_order_are_another_text() -> None:
    text = _text(3)
    shuffled = list(text)
    random.Random(1).shuffle(shuffled)
    assert distance(simhash(text), simhash(shuffled)) > 10


def test_only_the_first_stretch_of_a_book_is_looked_at() -> None:
    text = _text(5, size=600)
    assert simhash(text) == simhash(text + _text(6, size=50_000))


def test_a_word_repeated_without_end_has_a_fingerprint() -> None:
    assert simhash(["bees"] * 1_000) == simhash(["bees"] * 5) != 0


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), max_size=30))
def test_a_fingerprint_fits_in_64_bits(found: list[str]) -> None:
    assert 0 <= simhash(found) < 2**64


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_distance_counts_the_bits_that_differ(one: int, other: int) -> None:
    assert distance(one, other) == distance(other, one) == bin(one ^ other).count("1")


def test_both_fingerprints_at_once_are_the_same_as_one_by_one() -> None:
    for seed, size in ((1, 4), (2, 100), (3, 256), (4, 257), (5, 5_000)):
        assert fingerprints(_text(seed, size=size))[0] == simhash(_text(seed, size=size))


def test_a_sketch_is_the_same_on_every_machine_and_every_day() -> None:
    assert hashlib.sha256(fingerprints("bees make honey in the hive".split())[1]).hexdigest()[:16] == "fed144b304eaef36"


def test_a_sketch_is_bounded_for_books_and_looks_further_than_a_simhash() -> None:
    text = _text(7, size=3_000)
    assert fingerprints(text)[1] == fingerprints(text + _text(6, size=50_000))[1]
    assert fingerprints(text[:600])[1] != fingerprints(text[:300] + _text(8, size=300))[1]
