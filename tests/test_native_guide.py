"""What `guide` does with every link and every word around one: compiled as in Python, to the last bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from honeyguide.frontier import GraphWriter
from honeyguide.native import has_native
from honeyguide.strategies import guide_addresses, guide_words
from honeyguide.strategies.guide_rows import TERMS, Rows
from honeyguide.text import vectors

if has_native:
    from honeyguide import _native

pytestmark = pytest.mark.skipif(not has_native, reason="nothing was compiled on this machine")

SLOTS = 1 << 16
BAGS = st.lists(st.lists(st.integers(1, 9) | st.integers(1, SLOTS - 1), max_size=30), max_size=12)
ADDRESSES = st.builds(
    "http{}://{}/{}{}".format,
    st.sampled_from(["", "s"]),
    st.sampled_from(["a.test", "www.a.test:81", ""]),
    st.lists(st.sampled_from(["a", "b.c", "/", "//", "x.HTML", ".ps", ".toolong", "é", ""]), max_size=6).map("/".join),
    st.sampled_from(["", "?", "?id", "?id=7", "?a=b/c.d", "?a?b=c", ".x?y.Z=1"]),
)


def _numbers(bags: list[list[int]]) -> tuple[Any, Any]:
    terms = np.array([term for bag in bags for term in bag], np.int64)
    return terms, np.array(list(map(len, bags)), np.int64)


@given(st.lists(st.text(st.characters(), max_size=9)))
@example(["bee", "naïve", "茶", "\U0001f41d", "\ud800", ""])
def test_terms_have_the_same_numbers(terms: list[str]) -> None:
    compiled, by_python = guide_words.term_numbers(terms), guide_words.term_numbers(tuple(terms))
    assert compiled.tolist() == by_python.tolist()
    keys = dict.fromkeys(terms, 1)
    assert guide_words.term_numbers(keys).tolist() == guide_words.term_numbers(tuple(keys)).tolist()
    assert all(0 < number < SLOTS for number in compiled.tolist())


@given(st.lists(st.lists(st.integers(0, 4), max_size=30), max_size=9))
def test_rows_are_summed_up_alike(places: list[list[int]]) -> None:
    known = np.random.default_rng(1).standard_normal((5, vectors.SIZE)).astype(np.float32)
    one, other = vectors._sums(known, *_numbers(places)), vectors._sums_in_python(known, *_numbers(places))
    assert one.tobytes() == other.tobytes()


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 12), st.integers(0, 12), st.integers(0, 9)), max_size=9),
    st.integers(0, 10),
    st.data(),
)
def test_the_same_terms_stand_around_links(
    steps: list[tuple[int, int, int, int]], reach: int, data: st.DataObject
) -> None:
    spans = np.cumsum(np.array(steps, np.int64).reshape(-1, 4), axis=1).T.copy()
    terms = np.arange(100, 100 + spans.max(initial=0))
    chosen = st.lists(st.integers(0, len(steps) - 1), unique=True) if steps else st.just([])
    links = np.array(data.draw(chosen), np.int64)
    found = [np.frombuffer(one, np.int64).tolist() for one in _native.windows(terms, spans, links, reach)]
    assert found == [one.tolist() for one in guide_words.windows_in_python(terms, spans, links, reach)]


@given(BAGS, st.data())
def test_words_around_links_are_learnt_alike(bags: list[list[int]], data: st.DataObject) -> None:
    weights = st.lists(st.sampled_from([0.0, 0.1, 0.3, 1.0]), min_size=len(bags), max_size=len(bags)).map(np.array)
    relevance, every = data.draw(weights).astype(np.float64), data.draw(weights).astype(np.float64)
    logs = np.log(np.random.default_rng(1).random(SLOTS) * 50 + 0.5).astype(np.float32)
    sums = [np.zeros((2, SLOTS), np.float32) for _ in range(2)]
    words = (*_numbers(bags), relevance, every, float(np.log(51.0)), logs)
    compiled = np.frombuffer(_native.learn_words(*words, sums[0]), np.float64)
    assert compiled.tolist() == guide_words.learn_in_python(*words, sums[1]).tolist()
    assert sums[0].tobytes() == sums[1].tobytes()


@given(st.lists(BAGS, max_size=8), st.data())
def test_rows_hold_and_tell_the_same(pages: list[list[list[int]]], data: st.DataObject) -> None:
    both = [Rows(GraphWriter().graph, 8, 1) for _ in range(2)]
    for bags in pages:
        terms, counts = _numbers(bags)
        wanted = data.draw(st.lists(st.integers(-1, 7), min_size=len(bags), max_size=len(bags)))
        squares = np.sqrt(terms).astype(np.float32)
        both[0].write(np.array(wanted, np.int64), terms, counts, squares)
        both[1].write_in_python(np.array(wanted, np.int64), terms, counts, squares)
    for field in ("terms", "held", "squares"):
        assert getattr(both[0], field).tobytes() == getattr(both[1], field).tobytes()
    tell = np.random.default_rng(1).standard_normal(SLOTS).astype(np.float32)
    tell[0] = 0.0
    asked = np.array([3, -1, 0, 7, -2], np.int64)
    compiled = _native.sums_of_words(tell, asked, TERMS, both[0].terms, both[0].held)
    by_python = guide_words.sums_in_python(tell, asked, both[0].terms, both[0].held)
    assert np.frombuffer(compiled, np.float32).tolist() == by_python.tolist()


@settings(max_examples=300)
@given(st.lists(ADDRESSES, max_size=5))
@example(["http://a.test/people/ann/cv.PS", "http://a.test/show?id=7", "x", "", "http://"])
def test_addresses_are_of_the_same_kinds(urls: list[str]) -> None:
    found, by_python = guide_addresses.read(urls), guide_addresses.read_in_python(urls)
    assert [one.tolist() for one in found] == [one.tolist() for one in by_python]


_INTS, _REALS, _SLOTS = np.zeros(2, np.int64), np.zeros(SLOTS, np.float32), np.zeros((2, SLOTS), np.float32)
_WEIGHTS, _BAG, _HELD = np.zeros(2), np.zeros((1, 8), np.uint16), np.zeros(1, np.uint8)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: _native.hashed(("a",)),  # type: ignore[arg-type]
        lambda: _native.hashed([1]),  # type: ignore[list-item]
        lambda: _native.sums_of(_REALS, 0, _INTS, _INTS),
        lambda: _native.sums_of(_REALS, SLOTS, _INTS + 1, _INTS + 1),
        lambda: _native.sums_of(_REALS, 256, _INTS, _INTS + 2),
        lambda: _native.sums_of([1.0], 1, _INTS, _INTS),  # type: ignore[arg-type]
        lambda: _native.windows(_INTS, np.zeros((4, 1), np.int64), _INTS + 1, 1),
        lambda: _native.windows(_INTS, np.array([[0], [0], [0], [3]]), _INTS[:1], 1),
        lambda: _native.windows(_INTS, np.array([[0], [2], [1], [2]]), _INTS[:1], 1),
        lambda: _native.windows(_INTS, np.zeros((4, 1), np.int64), _INTS[:1], -1),
        lambda: _native.learn_words(_INTS + SLOTS, _INTS, _WEIGHTS, _WEIGHTS, 1.0, _REALS, _SLOTS),
        lambda: _native.learn_words(_INTS, _INTS + 2, _WEIGHTS, _WEIGHTS, 1.0, _REALS, _SLOTS),
        lambda: _native.learn_words(_INTS, _INTS, _WEIGHTS[:1], _WEIGHTS, 1.0, _REALS, _SLOTS),
        lambda: _native.learn_words(_INTS, _INTS, _WEIGHTS, _WEIGHTS, 1.0, _REALS, _REALS),
        lambda: _native.write_words(_INTS + 1, _INTS, _INTS, 8, _BAG, _HELD, _REALS, _REALS),
        lambda: _native.write_words(_INTS, _INTS, _INTS + 2, 8, _BAG, _HELD, _REALS, _REALS),
        lambda: _native.write_words(_INTS, _INTS, _INTS, 9, _BAG, _HELD, _REALS, _REALS),
        lambda: _native.write_words(_INTS, _INTS, _INTS, 0, _BAG, _HELD, _REALS, _REALS),
        lambda: _native.write_words(_INTS, _INTS, _INTS, 8, _BAG, _HELD, _REALS, _REALS[:1]),
        lambda: _native.sums_of_words(_REALS, _INTS + 1, 8, _BAG, _HELD),
        lambda: _native.sums_of_words(_REALS, _INTS, 8, _BAG, _HELD + 9),
        lambda: _native.sums_of_words(_REALS[:9], _INTS, 8, _BAG, _HELD),
        lambda: _native.kinds_of(("a",)),  # type: ignore[arg-type]
    ],
)
def test_wrong_arguments_are_errors(wrong: Callable[[], Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        wrong()
