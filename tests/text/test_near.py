"""Near-duplicates, compared with looking at every fingerprint."""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.text.near import NearDuplicates
from tests.clock import takes_at_most

PRINT = st.integers(1, 2**64 - 1)


def _flipped(fingerprint: int, bits: list[int]) -> int:
    for bit in set(bits):
        fingerprint ^= 1 << bit
    return fingerprint


@st.composite
def _families(draw: st.DrawFn) -> list[int]:
    """Fingerprints of which many are a few bits from one another."""
    roots = draw(st.lists(PRINT, min_size=1, max_size=5))
    made = []
    for _ in range(draw(st.integers(1, 30))):
        bits = draw(st.lists(st.integers(0, 63), max_size=5))
        made.append(_flipped(draw(st.sampled_from(roots)), bits) or 1)
    return made


@given(_families(), st.data())
@settings(max_examples=200)
def test_the_earliest_within_three_bits_is_found_as_by_looking_at_all(prints: list[int], data: st.DataObject) -> None:
    near = NearDuplicates()
    for place, fingerprint in enumerate(prints):
        near.add(fingerprint, 100 + place)
    asked = _flipped(data.draw(st.sampled_from(prints)), data.draw(st.lists(st.integers(0, 63), max_size=5)))
    brute = [100 + place for place, known in enumerate(prints) if (known ^ asked).bit_count() <= 3]
    assert near.find(asked) == (brute[0] if brute and asked else None)


@given(st.lists(PRINT, max_size=50), PRINT)
def test_unrelated_fingerprints_are_answered_as_by_looking_at_all(prints: list[int], asked: int) -> None:
    near = NearDuplicates()
    for place, fingerprint in enumerate(prints):
        near.add(fingerprint, place)
    assert near.find(asked) == next((p for p, known in enumerate(prints) if (known ^ asked).bit_count() <= 3), None)


def test_nothing_known_means_nothing_found() -> None:
    assert NearDuplicates().find(12345) is None


def test_a_text_too_short_to_tell_is_neither_kept_nor_found() -> None:
    near = NearDuplicates()
    near.add(0, 1)
    assert near.find(0) is None
    assert near.find(1) is None


def test_the_largest_fingerprint_is_kept() -> None:
    near = NearDuplicates()
    near.add(2**64 - 1, 9)
    assert near.find(2**64 - 8) == 9


def test_stricter_settings_find_less() -> None:
    near = NearDuplicates(bits=1)
    near.add(0b1111, 4)
    assert near.find(0b1110) == 4
    assert near.find(0b1100) is None


def test_a_web_of_mirrored_templates_does_not_make_looking_up_slow() -> None:
    # All share three quarters and none is near another: the worst that can be.
    def finding(count: int) -> Callable[[], object]:
        near, chance = NearDuplicates(), random.Random(1)
        for place in range(count):
            near.add(0xAAAA_BBBB_CCCC_0000 | chance.randrange(65_536), place)
        asked = [0xAAAA_BBBB_CCCC_0000 | chance.randrange(65_536) for _ in range(200)]
        return lambda: [near.find(fingerprint) for fingerprint in asked]

    takes_at_most(3, finding(20_000), than=finding(1_000))
