"""The words of a topic: what the examples say more than others do, and all that the expert gave."""

from __future__ import annotations

import math

import msgspec
import pytest

from honeyguide.topic.class_weights import ClassCounts, search_words, steered

EXAMPLES = [{"hive": 5, "honey": 3, "day": 4}, {"hive": 2, "queen": 4, "day": 5}]
BACKGROUND = [{"engine": 4, "day": 5, "queen": 1}, {"court": 6, "day": 3}, {"engine": 2, "tariff": 2, "day": 2}]


def test_the_weights_are_those_of_the_formula() -> None:
    counts = ClassCounts()
    counts.add({"hive": 3, "day": 1}, on_topic=True)
    counts.add({"day": 3, "road": 1}, on_topic=False)
    hive = 3 / 4 * math.log((1 + 1) / 1 + 0.01) * 1.0
    day = 1 / 4 * math.log((1 + 1) / 1 + 0.01) * (1 / 4) / (1 / 4 + 3 / 4)
    length = math.hypot(hive, day)
    assert counts.weigh({"hive": 3, "day": 1}) == pytest.approx({"hive": hive / length, "day": day / length})


def test_a_word_everybody_says_weighs_less_than_the_topics_own() -> None:
    weights = {word.term: word.weight for word in search_words(EXAMPLES, {}, BACKGROUND)}
    assert weights["hive"] > weights["queen"] > weights["day"]


def test_the_same_word_weighs_less_where_the_background_says_it_too() -> None:
    alone = {word.term: word.weight for word in search_words(EXAMPLES, {}, BACKGROUND)}
    spoken = [{**text, "honey": 9} for text in BACKGROUND]
    assert {word.term: word.weight for word in search_words(EXAMPLES, {}, spoken)}["honey"] < alone["honey"]


def test_nothing_the_expert_gave_is_lost_however_loud_the_examples_are() -> None:
    experts = {"apiary": 2.0, "hive": 1.0, "varroa": 0.1}
    loud = [{f"word{place}": 50 for place in range(400)}] * 20
    found = {word.term: word for word in search_words([*EXAMPLES, *loud], experts, BACKGROUND)}
    assert {term: found[term].source for term in experts} == {"apiary": "expert", "hive": "both", "varroa": "expert"}
    assert found["apiary"].weight == pytest.approx(20 * found["varroa"].weight)
    assert sum(found[term].weight ** 2 for term in experts) > 0.4


def test_words_come_weightiest_first_and_make_one_unit() -> None:
    words = search_words(EXAMPLES, {"hive": 1.0}, BACKGROUND, most=3)
    assert [word.weight for word in words] == sorted((word.weight for word in words), reverse=True)
    assert sum(word.weight**2 for word in words) == pytest.approx(1.0)
    assert len(words) == 3


@pytest.mark.parametrize(
    ("examples", "experts"), [([], {"hive": 1.0}), (EXAMPLES, {}), ([], {}), ([{}], {"hive": 1.0})]
)
def test_either_alone_is_enough_and_neither_is_no_word(
    examples: list[dict[str, int]], experts: dict[str, float]
) -> None:
    words = search_words(examples, experts)
    assert bool(words) == bool(any(examples) or experts)
    assert {word.source for word in words} <= {"expert" if experts else "example"}


def test_a_share_of_nothing_leaves_the_examples_alone() -> None:
    assert steered({"hive": 1.0}, {"honey": 1.0}, 0.0) == {"hive": 1.0}


def test_counts_are_the_same_after_they_were_kept() -> None:
    counts = ClassCounts()
    for text in EXAMPLES:
        counts.add(text, on_topic=True)
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(counts), type=ClassCounts)
    again.add(BACKGROUND[0], on_topic=False)
    counts.add(BACKGROUND[0], on_topic=False)
    assert again.weigh(EXAMPLES[1]) == counts.weigh(EXAMPLES[1])
