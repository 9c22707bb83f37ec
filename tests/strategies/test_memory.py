"""What the learning strategies remember of a crawl: distances to targets, a bounded and even sample, rare terms."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from honeyguide.errors import SettingError
from honeyguide.strategies import Brief, make
from honeyguide.strategies.memory import Bag, Memory, Pace, Sample
from honeyguide.topic import Topic

from .tiny import A, B, C, D, E, digest

TOPIC = Topic(name="bees", keywords={"hive": 1.0})


def remembering(**more: object) -> Memory:
    """A memory that begins with E as an example, known by its text alone."""
    example = digest(E, 0.9, [], terms={"hive": 3, "nectar": 1})
    return Memory(Brief(TOPIC, [example]), 0, every=1, **more)  # type: ignore[arg-type]


def test_distance_is_the_shortest_known_path_to_a_target() -> None:
    memory = remembering()
    for url, links in ((A, [B, D]), (B, [C, E]), (C, [])):
        memory.meet(digest(url, 0.1, links, terms={"road": 1}))
    numbers = memory._names.numbers([E, A, B, C, D])
    assert memory.distances(2)[numbers].tolist() == [0, 2, 1, 3, 3]
    assert memory.distances(1)[numbers].tolist() == [0, 2, 1, 2, 2]


def test_a_target_stays_one_wherever_it_links() -> None:
    memory = remembering()
    memory.meet(digest(B, 0.1, [E, D]))
    memory.meet(digest(D, 0.9, [B]))
    assert memory.distances(2)[memory._names.numbers([E, B, D])].tolist() == [0, 1, 0]


def test_a_page_judged_on_topic_brings_those_before_it_nearer() -> None:
    memory = remembering()
    memory.meet(digest(A, 0.1, [B]))
    before = memory.distances(3)[memory._names.numbers([A])]
    memory.meet(digest(B, 0.9, []))
    after = memory.distances(3)[memory._names.numbers([A])]
    assert (before.tolist(), after.tolist()) == ([4], [1])


def test_a_page_met_again_counts_once() -> None:
    memory = remembering()
    first = memory.meet(digest(A, 0.1, [B], terms={"road": 1}))
    again = memory.meet(digest(A, 0.1, [C], terms={"road": 2}))
    assert first.number == again.number
    assert memory.sample.pages == 2  # the example and A
    assert memory.links.pull(np.ones(len(memory)))[first.number] == 1.0  # its latest links are those that count


def test_a_page_of_very_many_links_is_remembered_in_part() -> None:
    memory = remembering()
    met = memory.meet(digest(A, 0.1, [f"http://{number}.test/" for number in range(5_000)]))
    assert len(met.links) == 1_000
    assert len(memory) == 1_002


def test_without_links_only_pages_are_known() -> None:
    memory = remembering(linked=False)
    memory.meet(digest(A, 0.1, [B, C]))
    assert len(memory) == 2


def test_without_examples_the_topic_s_words_stand_for_one() -> None:
    memory = Memory(Brief(TOPIC, []), 0, every=1)
    texts = memory.sample.texts()
    assert memory.target.tolist() == [True]
    assert texts.ids.tolist() == Bag.of({"hive": 1}).ids.tolist()


def test_rarity_is_log_n_over_n_i() -> None:
    sample = Sample(0)
    for terms in ({"hive": 2}, {"hive": 1, "road": 1}, {"road": 9}):
        sample.add(0, Bag.of(terms), False)
    rarity = sample.rarity(Bag.of({"hive": 1, "new": 1}).ids)
    assert rarity.tolist() == pytest.approx([math.log(4 / 2.5), math.log(4 / 0.5)])


def test_the_sample_is_bounded_even_and_drawn_by_seed() -> None:
    def drawn(seed: int) -> list[int]:
        sample = Sample(seed)
        for number in range(10_000):
            sample.add(number, Bag(np.array([number % 50]), np.ones(1)), number < 10)
        return sample.texts().pages.tolist()

    one = drawn(1)
    assert len(one) == 2_010
    assert set(range(10)) <= set(one)  # the few targets are not lost among the others
    assert sum(one) / len(one) == pytest.approx(5_000, rel=0.06)
    assert drawn(1) == one
    assert drawn(2) != one


def test_of_a_long_page_the_weightiest_terms_are_kept() -> None:
    sample = Sample(0)
    sample.add(0, Bag.of({"common": 1}), False)
    sample.add(1, Bag.of({"common": 5, **{f"rare{number}": 9 for number in range(128)}, "more": 70_000}), False)
    texts = sample.texts()
    long = texts.ids[texts.rows == 1].tolist()
    assert len(long) == 128
    assert Bag.of({"more": 1}).ids[0] in long
    assert Bag.of({"common": 1}).ids[0] not in long
    assert texts.counts.max() == 65_535
    assert texts.words[1] == 5 + 9 * 128 + 70_000  # the length is that of the whole page


def test_learning_anew_gets_rarer_as_the_crawl_grows() -> None:
    pace = Pace(3)
    due = [size for size in range(1, 100_001) if pace.due(size)]
    assert due[:4] == [1, 4, 7, 10]
    assert len(due) < 100
    assert all(later - sooner <= max(3, sooner / 10 + 1) for sooner, later in pairwise(due))


@pytest.mark.parametrize(
    ("name", "setting", "value", "bounds"),
    [
        ("context-graph", "layers", "0", "between 1 and 100"),
        ("relevancy-graph", "a", "1.5", "between 0.01 and 0.99"),
        ("hmm", "states", "1", "between 2 and 100"),
        ("hmm", "first", "3", "between 0 and 2"),
    ],
)
def test_a_setting_that_makes_no_sense_is_told_at_the_start(name: str, setting: str, value: str, bounds: str) -> None:
    strategy = make(name, {setting: value})
    with pytest.raises(SettingError, match=f"'{setting}' of strategy '{name}' must lie {bounds}, not {value}"):
        strategy.start(Brief(TOPIC, []), 0)


def test_what_was_saved_goes_on_alike() -> None:
    memory, other = remembering(), remembering()
    for url, links in ((A, [B, D]), (B, [C, E])):
        memory.meet(digest(url, 0.1, links, terms={"road": 1, "hive": 2}))
    assert memory.due
    other.load(memory.save())
    assert other.save() == memory.save()
    assert not other.due
    assert other.distances(2).tolist() == memory.distances(2).tolist()
