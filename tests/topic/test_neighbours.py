"""What the pages most like a page say of it."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.text.vectors import SIZE, unit
from honeyguide.topic.calibrate import chances_of
from honeyguide.topic.neighbours import PagesAround, learn_neighbours

RIGHT, WRONG = 3.0, -3.0  # log-odds
BAR = -0.4  # from which on a page is kept


def meanings(count: int, about: int, seed: int = 1) -> list[bytes]:
    """Pages about one thing: directions near an axis."""
    draw = np.random.default_rng([seed, about])
    rows = np.eye(SIZE, dtype=np.float32)[about] + 0.02 * draw.standard_normal((count, SIZE)).astype(np.float32)
    return [np.rint(row * 127).astype(np.int8).tobytes() for row in unit(rows)]


def learnt(bees: int = 60, stars: int = 180, **known: list[bytes]) -> PagesAround:
    met = [*meanings(bees, 0), *meanings(stars, 1)]
    odds = np.array([RIGHT] * bees + [WRONG] * stars)
    rights, wrongs = known.get("rights", []), known.get("wrongs", [])
    found = learn_neighbours(met, odds, BAR, [*rights, *wrongs], [True] * len(rights) + [False] * len(wrongs))
    assert found is not None
    return found


def test_a_page_shares_the_luck_of_those_it_is_like() -> None:
    near = learnt()
    (bee,), (star,) = meanings(1, 0, seed=2), meanings(1, 1, seed=2)
    assert near.odds(bee) > 1.0
    assert near.odds(star) < 0.0
    assert near.odds(b"") == 0.0  # no meaning: nothing to go by


def test_one_by_one_and_all_at_once_say_the_same() -> None:
    near = learnt()
    pages = [*meanings(5, 0, seed=3), b"", *meanings(5, 1, seed=3)]
    assert near.odds_of(pages).tolist() == pytest.approx([near.odds(page) for page in pages], abs=1e-5)


def test_neighbours_say_which_pages_are_on_topic_and_not_how_many() -> None:
    draw = np.random.default_rng(5)
    met = [*meanings(80, 0), *meanings(80, 1), *meanings(80, 2)]
    odds = np.concatenate([draw.normal(1.0, 2.0, 80), draw.normal(-1.0, 2.0, 80), draw.normal(-4.0, 2.0, 80)])
    near = learn_neighbours(met, odds, 5.0, [], [])
    assert near is not None
    after = odds + near.odds_of(met)
    assert chances_of(after).sum() == pytest.approx(chances_of(odds).sum(), rel=1e-3)
    assert np.mean(after[:80] - odds[:80]) > 0.5 > -0.5 > np.mean(after[160:] - odds[160:])


def test_neither_a_page_itself_nor_its_copies_speak_for_it() -> None:
    (bee,) = meanings(1, 0, seed=2)
    met = [bee] * 20 + meanings(190, 0)
    near = learn_neighbours(met, np.array([RIGHT] * 20 + [WRONG] * 190), BAR, [], [])
    assert near is not None
    (other,) = meanings(1, 0, seed=4)
    assert near.odds(bee) < near.odds(other) + 1e-6


def test_what_a_person_said_of_a_page_is_said_of_those_like_it() -> None:
    (page,) = meanings(1, 2, seed=9)
    plain = learnt()
    assert learnt(wrongs=meanings(10, 2)).odds(page) < plain.odds(page) - 0.5
    assert learnt(rights=meanings(10, 2)).odds(page) > plain.odds(page) + 1.0


def test_a_few_pages_are_no_neighbourhood_and_many_are_thinned_out() -> None:
    few = [*meanings(199, 0), *[b""] * 100]  # pages without a meaning do not count
    assert learn_neighbours(few, np.full(299, RIGHT), BAR, [], []) is None
    many = learn_neighbours(meanings(2_000, 0), np.full(2_000, RIGHT), BAR, meanings(1_000, 1), [False] * 1_000)
    assert many is not None
    assert len(many.chances) == 2 * 512
    assert len(many.rows) == 2 * 512 * SIZE


def test_no_page_is_lost_because_those_on_topic_are_taken_to_be_few() -> None:
    draw = np.random.default_rng(6)
    met = [*meanings(120, 0), *meanings(120, 1)]
    odds = np.concatenate([draw.normal(-1.0, 1.0, 120), draw.normal(-6.0, 1.0, 120)])
    near = learn_neighbours(met, odds, bar := -1.4, [], [])
    assert near is not None
    after = odds + near.odds_of(met)
    assert chances_of(after).sum() > chances_of(odds).sum()
    assert (after >= bar).sum() == (odds >= bar).sum()


@pytest.mark.parametrize("bar", [-20.0, 20.0])
def test_where_all_pages_were_kept_or_none_they_still_are(bar: float) -> None:
    met = [*meanings(120, 0), *meanings(120, 1)]
    odds = np.array([RIGHT] * 120 + [WRONG] * 120)
    near = learn_neighbours(met, odds, bar, [], [])
    assert near is not None
    assert (odds + near.odds_of(met) >= bar).tolist() == (odds >= bar).tolist()
