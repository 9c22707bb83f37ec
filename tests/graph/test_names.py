"""Names get numbers in the order they are met, and both ways are found again however many there are."""

from __future__ import annotations

import random

from honeyguide.graph import Names


def test_numbers_are_those_of_a_dictionary() -> None:
    chance = random.Random(3)
    names, model = Names(), dict[str, int]()
    for _ in range(400):
        batch = [f"http://h{chance.randrange(9)}.test/{chance.randrange(6_000)}" for _ in range(chance.randrange(30))]
        expected = [model.setdefault(one, len(model)) for one in batch]
        assert names.numbers(batch).tolist() == expected
    assert len(names) == len(model) > 3_000
    assert [names[number] for number in range(len(names))] == list(model)


def test_a_name_met_twice_at_once_is_one_name() -> None:
    assert Names().numbers(["x", "y", "x"]).tolist() == [0, 1, 0]


def test_any_text_is_a_name() -> None:
    odd = ["", "蜂蜜", "\ud800", "a\x00b", "a" * 5_000]
    names = Names()
    names.numbers(odd)
    assert [names[number] for number in range(len(odd))] == odd


def test_saved_names_keep_their_numbers_and_go_on() -> None:
    names = Names()
    met = [f"page {number}" for number in range(3_000)]
    names.numbers(met)
    fresh = Names()
    fresh.load(names.save())
    assert fresh.numbers([*reversed(met), "new"]).tolist() == [*reversed(range(3_000)), 3_000]
    assert fresh[3_000] == "new"
