"""What the learning strategies know of a crawl: distances to targets, a bounded and even sample, rare terms."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from honeyguide.errors import SettingError
from honeyguide.strategies import Brief, make
from honeyguide.strategies.texts import Bag, Library, Pace, Sample

from .tiny import TOPIC, A, B, C, D, E, Web, digest

EXAMPLE = digest(E, 0.9, [], terms={"hive": 3, "nectar": 1})


class Shelf(Web):
    """A crawl whose pages are met by a library; E is its example, known by its text alone."""

    def __init__(self, *, example: bool = True) -> None:
        super().__init__()
        self.brief = Brief(TOPIC, [self.numbered(EXAMPLE)] if example else [], self.graph)
        self.library = Library(self.brief, 0, every=1)

    def meet(self, *args: object, **more: object) -> Bag:
        return self.library.meet(self.visit(digest(*args, **more)))

    def distances(self, most: int, *urls: str) -> list[int]:
        found: list[int] = self.library.distances(most)[self.numbers(*urls)].tolist()
        return found


def test_distance_is_the_shortest_known_path_to_a_target() -> None:
    shelf = Shelf()
    for url, links in ((A, [B, D]), (B, [C, E]), (C, [])):
        shelf.meet(url, 0.1, links, terms={"road": 1})
    assert shelf.distances(2, E, A, B, C, D) == [0, 2, 1, 3, 3]
    assert shelf.distances(1, E, A, B, C, D) == [0, 2, 1, 2, 2]


def test_a_target_stays_one_wherever_it_links() -> None:
    shelf = Shelf()
    shelf.meet(B, 0.1, [E, D])
    shelf.meet(D, 0.9, [B])
    assert shelf.distances(2, E, B, D) == [0, 1, 0]


def test_a_page_judged_on_topic_brings_those_before_it_nearer() -> None:
    shelf = Shelf()
    shelf.meet(A, 0.1, [B])
    before = shelf.distances(3, A)
    shelf.meet(B, 0.9, [])
    assert (before, shelf.distances(3, A)) == ([4], [1])


def test_a_verdict_that_turns_takes_the_target_away() -> None:
    shelf = Shelf()
    shelf.meet(A, 0.1, [B])
    shelf.meet(B, 0.9, [])
    shelf.writer.judged(shelf.number(B), 0.1, False)
    assert shelf.distances(3, A, B) == [4, 4]


def test_an_example_that_is_visited_counts_once() -> None:
    shelf = Shelf()
    shelf.meet(A, 0.1, [E], terms={"road": 1})
    shelf.meet(E, 0.9, [B], terms={"hive": 3, "nectar": 1})
    assert shelf.library.sample.pages == 2
    assert shelf.library.met[shelf.numbers(A, B, E)].tolist() == [True, False, True]


def test_an_example_without_a_number_is_a_target_that_no_link_leads_to() -> None:
    web = Web()
    library = Library(Brief(TOPIC, [EXAMPLE], web.graph), 0, every=1)
    library.meet(web.visit(digest(A, 0.1, [B])))
    assert library.target.tolist() == [False, False, True]
    assert library.distances(2).tolist() == [3, 3, 0]
    assert library.sample.texts().pages.tolist() == [-1]  # A has no words, so none are kept


def test_what_is_no_page_is_not_met() -> None:
    shelf = Shelf(example=False)
    shelf.meet(A, 0.1, [B, C])
    shelf.writer.answered(shelf.number(B), "missing")
    shelf.meet(C, 0.0, [], kind="feed")
    assert shelf.library.met.tolist() == [True, False, True]


def test_without_examples_the_topic_s_words_stand_for_one() -> None:
    library = Shelf(example=False).library
    assert library.target.tolist() == [True]
    assert library.sample.texts().ids.tolist() == Bag.of({"hive": 1}).ids.tolist()


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
def test_a_setting_that_makes_no_sense_is_told_at_once(name: str, setting: str, value: str, bounds: str) -> None:
    with pytest.raises(SettingError, match=f"'{setting}' of strategy '{name}' must lie {bounds}, not {value}"):
        make(name, {setting: value})


def test_what_was_saved_goes_on_alike() -> None:
    shelf = Shelf()
    for url, links in ((A, [B, D]), (B, [C, E])):
        shelf.meet(url, 0.1, links, terms={"road": 1, "hive": 2})
    library, other = shelf.library, Library(shelf.brief, 0, every=1)
    assert library.due
    other.load(library.save())
    assert other.save() == library.save()
    assert not other.due
    assert other.distances(2).tolist() == library.distances(2).tolist()
    assert other.sample.texts().counts.tolist() == library.sample.texts().counts.tolist()
