"""The bar that the judge finds by itself."""

from __future__ import annotations

import pytest

from honeyguide.topic import Judge, Shown, Topic, standing

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
    assert standing(learnt(*OTHERS[:7]).threshold) == pytest.approx(0.5)


def test_the_bar_is_where_the_pages_met_promise_most_and_within_bounds() -> None:
    doubtful = [
        Shown({"bee": 1, "hive": 1, "honey": 1, f"word{number}": 6, f"more{number}": 6}) for number in range(12)
    ]
    judge = learnt(*OTHERS, *doubtful)
    assert 0.15 <= standing(judge.threshold) <= 0.5
    chances = sorted((standing(judge(page).probability) for page in (*OTHERS, *doubtful)), reverse=True)
    whole = sum(chances)
    promised = {chance: 2 * sum(chances[: place + 1]) / (place + 1 + whole) for place, chance in enumerate(chances)}
    best = max(promised, key=promised.__getitem__)
    bar = standing(judge.threshold)
    assert bar == pytest.approx(min(max(best, 0.15), 0.5), abs=0.1)  # learnt pages score a little otherwise


def test_a_bar_set_by_hand_stays() -> None:
    assert learnt(*OTHERS, threshold=0.8).threshold == 0.8
