"""What labels tell of other pages than their own."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.text.vectors import SIZE
from honeyguide.topic.corrections import UNSURE, Correction, learn_correction
from tests.topic.test_asking import about

NOTHING = [b""]


def learnt(odds: list[float], rights: list[bool], meanings: list[bytes] | None = None) -> Correction:
    found = learn_correction(np.array(odds), rights, meanings or NOTHING * len(odds), about(5, 6, 7), SIZE)
    assert found is not None
    return found


def test_without_labels_nothing_moves() -> None:
    assert learn_correction(np.zeros(0), [], [], about(1, 2), SIZE) is None
    assert (
        learn_correction(np.array([np.nan]), [True], about(1), about(1, 2), SIZE) is None
    )  # of a lone one nobody knows


def test_labels_say_where_the_judge_is_too_strict_and_where_too_lenient() -> None:
    strict = learnt([-0.5, -1.0, -1.5, -0.8, -3.0, -4.0], [True] * 4 + [False] * 2)
    lenient = learnt([4.0, 3.0, 2.0, 1.5, 1.0, 0.5], [True] * 2 + [False] * 4)
    assert strict.tell(-1.0, b"") > 1.0
    assert lenient.tell(1.5, b"") < -1.5
    assert lenient.tell(4.0, b"") > -4.0
    assert 0.0 < learnt([-0.5], [True]).tell(-1.0, b"") < strict.tell(-1.0, b"")  # one label says less than four


def test_a_label_that_nobody_would_have_asked_for_tells_little_of_other_pages() -> None:
    missed, doubtful = learnt([-5.0], [True]), learnt([-0.5], [True])
    assert 0.0 < missed.tell(0.0, b"") < 0.5 < doubtful.tell(0.0, b"")
    assert -0.5 < learnt([5.0], [False]).tell(0.0, b"") < 0.0


def test_a_label_tells_most_of_pages_about_the_same() -> None:
    found = learnt([0.0], [False], about(1))
    same, other = found.odds_of(np.zeros(2), about(1, 2))
    assert same < other < 0.0
    assert found.tell(0.0, b"") == pytest.approx(other, abs=0.05)  # of a page without a meaning as of any other
    apart = learnt([0.0, 0.0], [True, False], about(1, 2)).odds_of(np.zeros(3), about(1, 2, 3))
    assert apart[0] > 0.3
    assert apart[1] < -0.3
    assert apart[2] == pytest.approx(0.0, abs=1e-6)


def test_one_by_one_and_all_at_once_say_the_same() -> None:
    found = learnt([0.5, -0.5, 1.0], [True, False, False], about(1, 2, 3))
    odds, meanings = np.array([-2.0, 0.3, 1.1, 0.0]), [*about(1, 4, 3), b""]
    one_by_one = [found.tell(*one) for one in zip(odds.tolist(), meanings, strict=True)]
    assert found.odds_of(odds, meanings).tolist() == one_by_one


def test_every_label_takes_some_of_the_doubt_that_the_bar_heeds() -> None:
    dice = np.random.default_rng(3)
    rights = (dice.random(40) < 0.5).tolist()
    unsure = [learnt([0.0] * many, rights[:many]).unsure for many in (1, 5, 40)]
    assert UNSURE > unsure[0] > unsure[1] > unsure[2] > 0.0
    assert learnt([9.0] * 5, [True] * 5).unsure > 1.9  # what was sure before tells nothing


def test_the_most_probable_correction_is_found_however_far_off_the_judge_was() -> None:
    odds = np.array([6.0, 5.0, 4.0, -5.0, 0.2, -0.3])
    rights = [False, False, True, True, True, False]
    found = learnt(odds.tolist(), rights)
    # Without meanings what pages have in common is a shift and a slope: these two are the most probable ones.
    shift = found.tell(0.0, b"")
    slope = found.tell(1.0, b"") - shift
    sides = np.where(rights, 1.0, -1.0)
    chances = 1.0 / (1.0 + np.exp(-odds))
    weight = 4.0 * chances * (1.0 - chances)

    def unlikely(shift: float, slope: float) -> float:
        missed = weight @ np.logaddexp(0.0, -sides * (odds * (1.0 + slope) + shift))
        return float(missed + shift**2 / (2 * UNSURE**2) + slope**2 / (2 * 0.3**2))

    around = [(shift + by, slope + other) for by in (-0.01, 0.0, 0.01) for other in (-0.01, 0.0, 0.01)]
    assert min(around, key=lambda pair: unlikely(*pair)) == (shift, slope)


def test_many_labels_are_heard_in_bounded_time_and_space() -> None:
    dice = np.random.default_rng(5)
    odds = dice.normal(size=5_000)
    found = learnt(odds.tolist(), (odds + 1.0 > 0.0).tolist())
    assert len(found.pull) == 256
    assert found.tell(-0.5, b"") > 0.5
