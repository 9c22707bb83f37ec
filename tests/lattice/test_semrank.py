"""SemRank and what it is made of: the printed numbers, and a reference that tries everything."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from honeyguide.lattice import Concept, Context, Hierarchy, Meeting, Weighing, semrank
from honeyguide.lattice.hierarchy import TOP
from honeyguide.lattice.pairing import best_pairing

from .test_concepts import BASE, CURRENT, by_definition, random_context

P = {"Internet": 0.00372, "WebPage": 0.01484, "Technology": 0.00281, "Network": 0.00502}  # as printed: no others are


def worked() -> Hierarchy:
    """The hierarchy of the worked example: Spider is submitted, Internet is like it."""
    parts = {
        ("Internet", "Technology"): 2,
        ("Internet", "Network"): 2,
        ("Spider", "Information"): 2,
        ("Spider", "WebPage"): 2,
    }
    return Hierarchy(["Spider"], P, [("Internet", "Spider")], parts, alpha=0.2, top=0.01484)


# --- words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [("Internet", "WebPage", 0.83505), ("Internet", "Technology", 0.91500), ("Technology", "Network", 0.77780)],
)
def test_the_printed_similarities_of_words(one: str, other: str, value: float) -> None:
    words = worked()
    assert words.ics(one, other) == pytest.approx(value, abs=5e-6)
    assert words.ics(other, one) == words.ics(one, other)


def test_words_that_are_alike_or_the_same_share_all() -> None:
    words = worked()
    assert words.ics("Internet", "Spider") == words.ics("Network", "Network") == words.ics("never", "never") == 1.0


def test_words_without_a_shared_ancestor_or_never_submitted_share_nothing() -> None:
    words = Hierarchy(["bee"], {"bee": 0.5, "hive": 0.2, "road": 0.3}, [], {("bee", "hive"): 2, ("bee", "wax"): 2})
    assert words.root == "bee"
    assert words.ics("hive", "road") == 0.0
    assert words.ics("hive", "wax") == 0.0
    assert words.ics("bee", "hive") > 0.0


def test_the_root_is_artificial_if_what_was_submitted_is_like_another_or_is_more_than_one() -> None:
    assert Hierarchy(["a"], {}, [], {}).root == "a"
    assert Hierarchy(["a"], {}, [("a", "b")], {}).parts[TOP] == ["a", "b"]
    assert Hierarchy(["a", "c"], {}, [], {}).parts[TOP] == ["a", "c"]


def test_words_that_are_part_of_each_other_are_alike() -> None:
    words = Hierarchy(["a"], {}, [], {("a", "b"): 2, ("b", "c"): 3, ("c", "b"): 1})
    assert words.ics("b", "c") == 1.0
    assert words.path["b"] == 1


def test_a_circle_loses_the_edge_that_was_seen_least() -> None:
    words = Hierarchy(["a"], {}, [], {("a", "b"): 5, ("b", "c"): 4, ("c", "d"): 2, ("d", "b"): 3})
    assert words.parts == {"a": ["b"], "b": ["c"], "d": ["b"]}


def test_the_longest_path_counts() -> None:
    words = Hierarchy(["a"], {}, [], {("a", "b"): 2, ("b", "c"): 2, ("a", "c"): 2}, alpha=0.2)
    assert words.path == {"a": 0, "b": 1, "c": 2}
    assert words.weight("c") == pytest.approx(1 / 1.2 + 1 / 2.2)


def test_all_similarities_lie_between_0_and_1_whatever_the_words() -> None:
    dice = random.Random(8)
    names = "abcdefgh"
    for _ in range(300):
        pairs = list(itertools.permutations(names, 2))
        words = Hierarchy(
            dice.sample(names, dice.randrange(1, 4)),
            {name: dice.choice([0.0, 0.1, 0.5, 1.0]) for name in names},
            dice.sample(pairs, 3),
            {pair: float(dice.randrange(1, 4)) for pair in dice.sample(pairs, 10)},
        )
        for one, other in pairs:
            assert 0.0 <= words.ics(one, other) == words.ics(other, one) <= 1.0


# --- pairings --------------------------------------------------------------------------------------------------


def test_the_best_pairing_is_the_best_of_all() -> None:
    dice = random.Random(9)
    for _ in range(400):
        rows = dice.randrange(5)
        columns = dice.randrange(rows, 7)
        worth = [[dice.choice([0.0, 0.5, 1.0, dice.random()]) for _ in range(columns)] for _ in range(rows)]
        best = max(
            sum(row[column] for row, column in zip(worth, chosen, strict=True))
            for chosen in itertools.permutations(range(columns), rows)
        )
        found, chosen = best_pairing(worth)
        assert found == pytest.approx(best, abs=1e-12)
        assert len(set(chosen)) == rows
        assert found == pytest.approx(sum(row[column] for row, column in zip(worth, chosen, strict=True)))


# --- ranks -----------------------------------------------------------------------------------------------------


def reference(meeting: Meeting, weighing: Weighing) -> list[float]:
    """SemRank by its definition: every concept with every other, every pairing."""
    current, base = meeting.current, meeting.base
    ranks = [0.0] * len(current.objects)
    for mine in by_definition(current):
        for other in by_definition(base):
            value = similarity(meeting, mine, other, weighing)
            for place in range(len(ranks)):
                if mine.extent >> place & 1:
                    ranks[place] = max(ranks[place], value)
    return ranks


def members(bitset: int) -> list[int]:
    return [place for place in range(bitset.bit_length()) if bitset >> place & 1]


def similarity(meeting: Meeting, mine: Concept, other: Concept, weighing: Weighing) -> float:
    objects, others = members(mine.extent), members(other.extent)
    ties = sum(meeting.ties[one, two] for one in objects for two in others)
    ext = min(1.0, ties / (4 * max(len(objects), len(others)))) if objects or others else 0.0
    rows, columns = members(mine.intent), members(other.intent)
    inner = 0.0
    if rows and columns:
        mine_worth, other_worth = meeting.worths()
        few, many, turned = (rows, columns, False) if len(rows) <= len(columns) else (columns, rows, True)
        best = max(
            sum(
                meeting.alike[one, two] * min(mine_worth[one], other_worth[two])
                for one, two in ((pair[::-1] if turned else pair) for pair in zip(few, chosen, strict=True))
            )
            for chosen in itertools.permutations(many, len(few))
        )
        sizes = sum(mine_worth[one] for one in rows), sum(other_worth[two] for two in columns)
        size = max(weighing.least, max(sizes) if weighing.larger else min(sizes))
        inner = best / size if best else 0.0
    w = weighing.w
    if w is None:
        w = ext / (ext + inner) if ext + inner else 0.0
    return float(w * ext + (1 - w) * inner)


def random_meeting(dice: random.Random, worth: bool = False) -> Meeting:
    current, base = random_context(dice, 5), random_context(dice, 5)
    alike = np.array(
        [[dice.choice([0.0, 0.0, 1.0, dice.random()]) for _ in base.attributes] for _ in current.attributes]
    )
    ties = np.array([[dice.choice([0, 0, 0, 1, 2, 4]) for _ in base.objects] for _ in current.objects])
    return Meeting(
        current,
        base,
        alike.reshape(len(current.attributes), len(base.attributes)),
        ties.reshape(len(current.objects), len(base.objects)).astype(np.float64),
        (random_worth(dice, current), random_worth(dice, base)) if worth else None,
    )


def random_worth(dice: random.Random, context: Context) -> np.ndarray:
    return np.array([dice.choice([0.0, 1.0, dice.random()]) for _ in context.attributes])


@pytest.mark.parametrize(
    "weighing", [Weighing(0.4), Weighing(0.4, True), Weighing(None), Weighing(None, True), Weighing(0.0)]
)
def test_the_fast_ranks_are_those_of_the_definition(weighing: Weighing) -> None:
    dice = random.Random(10)
    above = 0
    for _ in range(500):
        meeting = random_meeting(dice)
        found = [rank.value for rank in semrank(meeting, weighing)]
        assert found == pytest.approx(reference(meeting, weighing), abs=1e-9)
        above += sum(value > 0 for value in found)
    assert above > 500


@pytest.mark.parametrize(
    "weighing", [Weighing(0.2, True, 3.0), Weighing(0.4, False, 0.5), Weighing(None, True, 1.0), Weighing(None, False)]
)
def test_words_of_different_worth_are_ranked_by_the_definition_too(weighing: Weighing) -> None:
    dice = random.Random(13)
    above = 0
    for _ in range(500):
        meeting = random_meeting(dice, worth=True)
        found = [rank.value for rank in semrank(meeting, weighing)]
        assert found == pytest.approx(reference(meeting, weighing), abs=1e-9)
        above += sum(value > 0 for value in found)
    assert above > 500


def test_few_shared_words_are_little_and_one_that_is_worth_nothing_is_none() -> None:
    base, current = Context.of({"U1": ["bee", "hive"]}), Context.of({"U2": ["bee", "hive"], "U3": ["bee"]})
    ties = np.zeros((2, 1))

    def ranks(least: float, worth: float) -> list[float]:
        meeting = Meeting(current, base, np.eye(2), ties, (np.array([1.0, worth]), np.array([1.0, worth])))
        return [rank.value for rank in semrank(meeting, Weighing(0.0, True, least))]

    assert ranks(0.0, 1.0) == [1.0, 0.5]
    assert ranks(4.0, 1.0) == [0.5, 0.25]
    assert ranks(0.0, 0.0) == [1.0, 1.0]


def test_many_concepts_are_ranked_like_few(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(11)
    meetings = [random_meeting(dice) for _ in range(60)]
    once = [[rank.value for rank in semrank(meeting)] for meeting in meetings]
    monkeypatch.setattr("honeyguide.lattice.ranks._CELLS", 3)
    assert [[rank.value for rank in semrank(meeting)] for meeting in meetings] == once


def test_a_rank_names_the_concepts_it_comes_from() -> None:
    dice = random.Random(12)
    told = 0
    for _ in range(100):
        meeting = random_meeting(dice)
        for place, rank in enumerate(semrank(meeting)):
            if rank.mine is not None and rank.base is not None:
                told += 1
                assert rank.mine.extent >> place & 1
                assert similarity(meeting, rank.mine, rank.base, Weighing()) == pytest.approx(rank.value)
                assert 0.4 * rank.ext + 0.6 * rank.int == pytest.approx(rank.value)
    assert told > 100


def test_the_printed_similarity_of_two_concepts() -> None:
    """X1 = {U1, U3}, Y1 = {Internet, Spider}; X2 = {U4, U5, U8}, Y2 = {WebPage, Spider}; 2 links and 2 clicks."""
    words = worked()
    base = Context.of({"U1": ["Internet", "Spider"], "U3": ["Internet", "Spider"]})
    current = Context.of({name: ["WebPage", "Spider"] for name in ("U4", "U5", "U8")})
    alike = np.array([[words.ics(one, other) for other in base.attributes] for one in current.attributes])
    ties = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    for rank in semrank(Meeting(current, base, alike, ties)):
        assert rank.ext == pytest.approx(1 / 3)
        assert rank.int == pytest.approx(0.91755, abs=5e-5)
        assert rank.value == pytest.approx(0.68385, abs=2e-5)


def test_the_whole_worked_example_is_ranked_as_by_definition() -> None:
    words = worked()
    alike = np.array([[words.ics(one, other) for other in BASE.attributes] for one in CURRENT.attributes])
    ties = np.zeros((5, 3))
    ties[0, 0] = ties[1, 2] = 2.0
    meeting = Meeting(CURRENT, BASE, alike, ties)
    assert [rank.value for rank in semrank(meeting)] == pytest.approx(reference(meeting, Weighing()))


def test_nothing_against_nothing_is_nothing() -> None:
    empty = Context.of({})
    assert semrank(Meeting(empty, empty, np.zeros((0, 0)), np.zeros((0, 0)))) == []
    (rank,) = semrank(Meeting(Context.of({"a": ["x"]}), empty, np.zeros((1, 0)), np.zeros((1, 0))))
    assert rank.value == 0.0
    assert rank.mine is None
