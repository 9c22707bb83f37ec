"""Naive Bayes over hashed terms: worked out by hand, learnt one by one or all at once, and over a save."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.text.bayes import Bayes


def made(**settings: float) -> Bayes:
    return Bayes(32, 2, **{"smoothing": 4.0, "evidence": 100.0, **settings})


def test_probabilities_are_those_of_the_formula() -> None:
    bayes = made()
    bayes.meet(np.array([1, 1, 2, 3]))
    bayes.learn(np.array([1, 2]), 0)
    bayes.learn(np.array([3]), 1, 2.0)
    bayes.look()
    usual = np.full(32, 0.5)
    usual[0] += 0.0
    usual[[1, 2, 3]] += [3.0, 2.0, 3.0]
    usual /= usual.sum()
    counts = np.zeros((2, 32))
    counts[0, [1, 2]], counts[1, 3] = 1.0, 2.0
    ratio = (counts + 4.0 * usual) / (counts.sum(axis=1, keepdims=True) + 4.0) / usual
    prior = np.array([2.0, 3.0]) / 5.0
    odds = prior * ratio[:, 1] * ratio[:, 3]
    assert bayes.shares(np.array([[1, 3, 0]]))[0] == pytest.approx(odds / odds.sum(), rel=1e-4)


def test_a_long_text_counts_for_so_many_terms_at_the_most() -> None:
    for evidence, surer in ((2.0, False), (100.0, True)):
        bayes = made(evidence=evidence)
        for _ in range(5):
            bayes.learn(np.array([1, 2]), 0)
            bayes.learn(np.array([3, 4]), 1)
        bayes.look()
        short, long = bayes.shares(np.array([[1, 2, 0, 0, 0, 0], [1, 2, 1, 2, 1, 2]]))[:, 0]
        assert (long > short + 1e-6) == surer


def test_all_at_once_is_the_same_as_one_by_one() -> None:
    chance = np.random.default_rng(1)
    texts = chance.integers(0, 32, (40, 6)).astype(np.uint16)
    kinds = chance.integers(0, 2, 40)
    weights = chance.random(40)
    one, other = made(), made()
    one.learn(np.array([9, 9, 9]), 0)  # is forgotten
    one.learn_all(texts, kinds, weights)
    for text, kind, weight in zip(texts, kinds, weights, strict=True):
        other.learn(text.astype(np.int64), int(kind), float(weight))
    for bayes in (one, other):
        bayes.look()
    assert one.shares(texts) == pytest.approx(other.shares(texts), abs=1e-4)


def test_with_nothing_learnt_all_classes_are_alike() -> None:
    bayes = made()
    assert bayes.shares(np.array([[1, 2]])).tolist() == [[0.5, 0.5]]
    bayes.look()
    assert bayes.shares(np.array([[1, 2], [0, 0]])).tolist() == [[0.5, 0.5]] * 2
    assert bayes.shares(np.zeros((0, 3), np.int64)).shape == (0, 2)


def test_it_goes_on_after_a_save_as_if_nothing_had_been() -> None:
    bayes, fresh = made(), made()
    bayes.meet(np.array([1, 2, 3, 4, 5]))
    bayes.learn(np.array([1, 2, 3]), 0)
    bayes.look()
    bayes.learn(np.array([4, 5]), 1)  # learnt, not looked at yet
    fresh.load(bayes.save())
    texts = np.array([[1, 2], [4, 5], [7, 0]])
    assert fresh.shares(texts).tolist() == bayes.shares(texts).tolist()
    for one in (bayes, fresh):
        one.look()
    assert fresh.shares(texts).tolist() == bayes.shares(texts).tolist()
