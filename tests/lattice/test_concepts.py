"""Contexts and their concepts: the numbers of the paper, a second method, all laws of a lattice on random contexts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from honeyguide.errors import HoneyguideError
from honeyguide.lattice import Concept, Context, Lattice, bits, read_context, write_context

BASE = Context.of(
    {"U1": ["Internet", "Spider"], "U2": ["Spider", "Ontology"], "U3": ["Internet", "Spider", "Ontology"]}
)
CURRENT = Context.of(
    {
        "U4": ["WebPage", "Information", "Spider"],
        "U5": ["Internet", "Technology", "Network", "WebPage", "Spider"],
        "U6": ["Internet", "Technology", "Network", "WebPage"],
        "U7": ["Technology", "Network", "Information", "Spider"],
        "U8": ["Technology", "WebPage", "Information", "Spider"],
    }
)


def random_context(dice: random.Random, most: int = 7) -> Context:
    objects, attributes = dice.randrange(most + 1), dice.randrange(most + 1)
    density = dice.random()
    rows = [sum((dice.random() < density) << place for place in range(attributes)) for _ in range(objects)]
    return Context([f"o{number}" for number in range(objects)], [f"a{number}" for number in range(attributes)], rows)


def by_definition(context: Context) -> set[Concept]:
    """Close every set of objects there is."""
    return {context.concept(objects) for objects in range(1 << len(context.objects))}


def next_closures(context: Context) -> int:
    """How many concepts there are by another method: Ganter's NextClosure, intents in lectic order."""
    attributes = len(context.attributes)
    intent, count = context.intent(context.all_objects), 1
    while True:
        for place in reversed(range(attributes)):
            bit = 1 << place
            if intent & bit:
                intent ^= bit
                continue
            closed = context.intent(context.extent(intent & (bit - 1) | bit))
            if not (closed & ~intent) & (bit - 1):
                intent, count = closed, count + 1
                break
        else:
            return count


def test_the_worked_contexts_have_4_and_18_concepts() -> None:
    assert len(BASE.concepts()) == 4
    found = {CURRENT.named(concept) for concept in CURRENT.concepts()}
    assert len(found) == 18
    for objects, attributes in (
        ("U4 U5 U7 U8", {"Spider"}),
        ("U5 U7 U8", {"Technology", "Spider"}),
        ("U7 U8", {"Technology", "Information", "Spider"}),
        ("U4 U8", {"WebPage", "Information", "Spider"}),
    ):
        assert any(tuple(objects.split()) == own and attributes == set(words) for own, words in found)


@pytest.mark.parametrize("compiled", [False, True])
def test_all_concepts_are_found_and_no_others(compiled: bool) -> None:
    dice = random.Random(1)
    for _ in range(300):
        context = random_context(dice)
        found = context.concepts(compiled=compiled)
        assert len(found) == len(set(found))
        assert set(found) == by_definition(context)


def test_compiled_and_plain_agree_on_larger_contexts_and_icebergs() -> None:
    dice = random.Random(2)
    for size, density in ((70, 0.3), (130, 0.1), (200, 0.05)):
        rows = [sum((dice.random() < density) << place for place in range(66)) for _ in range(size)]
        context = Context([str(number) for number in range(size)], [str(number) for number in range(66)], rows)
        for support in (0, 1, 3, size + 1):
            plain = context.concepts(support, compiled=False)
            assert plain == context.concepts(support, compiled=True)
            assert plain == [concept for concept in context.concepts() if concept.extent.bit_count() >= support]


def test_the_order_is_that_of_the_definition() -> None:
    dice = random.Random(3)
    for _ in range(150):
        lattice = Lattice(random_context(dice, 6))
        extents = [concept.extent for concept in lattice.concepts]
        assert lattice.top == lattice.concepts[0]
        assert lattice.bottom == lattice.concepts[-1]
        below = {(a, b) for a, one in enumerate(extents) for b, two in enumerate(extents) if two & ~one == 0 and a != b}
        covers = {(a, b) for a, b in below if not any((a, c) in below and (c, b) in below for c in range(len(extents)))}
        assert set(lattice.covers) == covers
        for place in range(len(extents)):
            assert set(lattice.upper(place)) == {a for a, b in covers if b == place}


def test_joins_and_meets_are_the_least_and_greatest_bounds() -> None:
    dice = random.Random(4)
    for _ in range(150):
        lattice = Lattice(random_context(dice, 6))
        concepts = lattice.concepts
        one, other = dice.randrange(len(lattice)), dice.randrange(len(lattice))
        above = [n for n, c in enumerate(concepts) if not (concepts[one].extent | concepts[other].extent) & ~c.extent]
        under = [n for n, c in enumerate(concepts) if not c.extent & ~(concepts[one].extent & concepts[other].extent)]
        assert lattice.join([one, other]) == above[-1]
        assert lattice.meet([one, other]) == under[0]
        join, meet = concepts[above[-1]], concepts[under[0]]
        assert join.intent == concepts[one].intent & concepts[other].intent
        assert meet.extent == concepts[one].extent & concepts[other].extent


def test_a_lattice_that_grew_is_the_lattice_built_at_once() -> None:
    dice = random.Random(5)
    for _ in range(200):
        names = "abcdefg"[: dice.randrange(1, 8)]
        having = {f"o{n}": [one for one in names if dice.random() < 0.5] for n in range(dice.randrange(1, 7))}
        lattice = Lattice(Context.of({}))
        for name, attributes in having.items():
            lattice.add(name, attributes)
        assert lattice.context.attributes == Context.of(having).attributes
        assert lattice.concepts == Context.of(having).concepts()
        assert lattice.covers == Lattice(Context.of(having)).covers


def test_an_iceberg_does_not_grow() -> None:
    with pytest.raises(ValueError, match="build it anew"):
        Lattice(BASE, support=2).add("U9", ["Spider"])


def test_of_too_many_concepts_the_largest_are_left_and_those_of_each_object() -> None:
    dice = random.Random(13)
    for _ in range(60):
        context = random_context(dice, 9)
        every, some = context.concepts(), context.some_concepts(12)
        assert set(some) <= set(every)
        if len(every) <= 12:
            assert some == every
            continue
        objects = {context.concept(1 << place) for place in range(len(context.objects))}
        assert objects <= set(some)
        assert len(set(some) - objects) <= 12
        support = min((one.extent.bit_count() for one in set(some) - objects), default=99)
        assert {one for one in every if one.extent.bit_count() > support} <= set(some)


def test_a_context_with_more_concepts_than_there_is_time_for_is_bounded() -> None:
    words = (1 << 40) - 1
    context = Context([str(n) for n in range(40)], [str(n) for n in range(40)], [words ^ 1 << n for n in range(40)])
    assert len(context.some_concepts(400)) <= 440  # of 2 to the power of 40


def test_bad_contexts_are_refused() -> None:
    with pytest.raises(ValueError, match="as many rows"):
        Context(["a"], ["b"], [])
    with pytest.raises(ValueError, match="beyond"):
        Context(["a"], ["b"], [2])


# --- files -----------------------------------------------------------------------------------------------------

COUNTS = {"liveinwater": 19, "tealady": 65, "segments": 11_878, "bob-ross": 3_463, "seasoningplanner_de": 532}


def test_the_standard_contexts_have_the_concepts_a_second_method_finds(shared: Path) -> None:
    files = sorted((shared / "data" / "contexts").glob("*/*.cxt"))
    assert len(files) > 20
    for file in files:
        if file.stem == "mushroom":
            continue
        context = read_context(file)
        found = context.concepts()
        assert found == context.concepts(compiled=True)
        assert len(found) == next_closures(context), file.stem
        assert len(found) == COUNTS.get(file.stem, len(found))


def test_the_iceberg_of_a_large_context_is_what_compiled_code_finds(shared: Path) -> None:
    context = read_context(shared / "data" / "contexts" / "xflr6" / "mushroom.cxt")
    assert (len(context.objects), len(context.attributes)) == (8_124, 119)
    iceberg = context.concepts(1_600, compiled=False)
    assert iceberg == context.concepts(1_600, compiled=True)
    assert len(iceberg) > 1_000
    dice = random.Random(6)
    for concept in dice.sample(iceberg, 50):
        assert concept == Concept(context.extent(concept.intent), context.intent(concept.extent))


def test_a_context_comes_back_from_its_file(tmp_path: Path) -> None:
    dice = random.Random(7)
    for number in range(60):
        context = random_context(dice)
        file = tmp_path / f"{number}.cxt"
        file.write_text(write_context(context), encoding="utf-8")
        again = read_context(file)
        assert (again.objects, again.attributes, again.rows) == (context.objects, context.attributes, context.rows)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "too soon"),
        ("A\n\n1\n1\n\nx\ny\nX\n", "not 'B'"),
        ("B\n\nmany\n1\n\nx\ny\nX\n", "'many' stands where a count should"),
        ("B\n\n2\n1\n\nx\nz\ny\nX\n", "too soon"),
        ("B\n\n1\n2\n\nx\ny\nz\nX?\n", "row 1 of its table"),
        ("B\n\n1\n999999999\n\nx\ny\n", "too soon"),
    ],
)
def test_a_bad_file_is_told_in_one_sentence(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "bad.cxt").write_text(text, encoding="utf-8")
    with pytest.raises(HoneyguideError, match=told):
        read_context(tmp_path / "bad.cxt")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "latin.cxt").write_bytes(b"B\n\n1\n1\n\n\xe9\ny\nX\n")
    with pytest.raises(HoneyguideError, match="UTF-8"):
        read_context(tmp_path / "latin.cxt")
    with pytest.raises(HoneyguideError, match="cannot be read"):
        read_context(tmp_path / "none.cxt")
    with pytest.raises(ValueError, match="one line"):
        write_context(Context(["a\nb"], [], [0]))


def test_bits_are_told_lowest_first() -> None:
    assert list(bits(0)) == []
    assert list(bits(1 << 200 | 1)) == [0, 200]
