"""The bar that the judge finds by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.topic import Judge, Shown, Topic, standing
from honeyguide.topic.calibrate import greatest_promise, log_odds_of, logistic

TOPIC = Topic.from_flags(keywords=["bees"], starts=["http://a.test/"])
BEES = [Shown({"bee": 5, "hive": 3, "honey": 2, word: 2}) for word in ("swarm", "queen", "comb", "drone", "sting")]
OTHERS = [Shown({"chess": 4, "rook": 2, f"word{number}": 3, "game": 1}) for number in range(40)]


def learnt(*background: Shown, threshold: float | None = None) -> Judge:
    judge = Judge(TOPIC)
    if threshold is not None:
        judge.threshold = threshold
    judge.learn(BEES[:2], background)
    return judge


def test_little_met_leaves_the_bar_where_the_views_of_the_topic_are_undecided() -> None:
    assert standing(learnt(*OTHERS[:7]).threshold) == pytest.approx(0.5, abs=0.01)


def test_the_bar_is_where_the_pages_met_promise_most_and_within_bounds() -> None:
    doubtful = [
        Shown({"bee": 1, "hive": 1, "honey": 1, f"word{number}": 6, f"more{number}": 6}) for number in range(12)
    ]
    judge = learnt(*OTHERS, *doubtful)
    chances = sorted((judge(page).probability for page in (*OTHERS, *doubtful)), reverse=True)
    promised = [0.0] * len(chances)
    for off in (-2.0, 0.0, 2.0):  # log-odds by which all of them may be wrong
        moved = [logistic(log_odds_of(chance) + off) for chance in chances]
        for place in range(len(moved)):
            promised[place] += 2 * sum(moved[: place + 1]) / (place + 1 + sum(moved))
    best = chances[promised.index(max(promised))]
    assert judge.threshold == pytest.approx(min(max(best, 0.1), 0.38), abs=0.05)  # learnt pages score a bit otherwise


@given(st.lists(st.floats(-9, 9), min_size=8, max_size=40, unique=True), st.floats(0, 3))
def test_no_bar_promises_more_on_average_over_what_it_is_unsure_of(odds: list[float], unsure: float) -> None:
    def promise(bar: float) -> float:
        found = 0.0
        for off in (-unsure, 0.0, unsure):
            chances = [logistic(one + off) for one in odds]
            kept = [chance for one, chance in zip(odds, chances, strict=True) if one >= bar]
            found += 2 * sum(kept) / (len(kept) + sum(chances))
        return found

    chosen = log_odds_of(greatest_promise(np.array(odds), (1e-9, 1 - 1e-9), unsure))
    assert promise(chosen - 1e-6) >= max(map(promise, odds)) - 1e-3  # two odds may be closer to each other than that


def test_a_bar_set_by_hand_stays() -> None:
    assert learnt(*OTHERS, threshold=0.8).threshold == 0.8
