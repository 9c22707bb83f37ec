"""PageRank order: golden numbers of the formula, levels, and what happens between two computations."""

from __future__ import annotations

import pytest

from honeyguide.strategies import Brief, make
from honeyguide.topic import Topic

from .tiny import A, B, C, D, E, begun, by_url, digest

ALONE = {"levels": "false"}


def test_a_page_hands_its_rank_on_to_its_links_at_once() -> None:
    strategy = begun(make("pagerank", ALONE))
    # A has (1 - d) = .15; each of its two links gets .15 + .85 * .15 / 2.
    assert by_url(strategy.page(digest(A, 0.5, [B, C]))) == pytest.approx({B: 0.21375, C: 0.21375})
    # B hands on .85 * .21375 / 2.
    assert by_url(strategy.page(digest(B, 0.5, [C, D]))) == pytest.approx({C: 0.30459375, D: 0.24084375})


def test_other_damping_hands_on_another_share() -> None:
    strategy = begun(make("pagerank", ALONE | {"damping": "0.5"}))
    assert by_url(strategy.page(digest(A, 0.5, [B, C]))) == pytest.approx({B: 0.625, C: 0.625})


def test_the_computation_brings_what_loops_give_back() -> None:
    strategy = begun(make("pagerank", ALONE | {"least": "0"}))
    for page in (digest(A, 0.5, [B, C]), digest(B, 0.5, [A, D])):
        strategy.page(page)
    # A = .15 + .425 B and B = .15 + .425 A, so both are .15 / .575; C and D are .15 + .425 of that.
    rank = 0.15 + 0.425 * 0.15 / 0.575
    moved = by_url(strategy.revise())
    assert moved == pytest.approx({C: rank, D: rank}, rel=1e-3)
    assert list(strategy.revise()) == []


def test_the_computation_uses_the_damping_asked_for() -> None:
    strategy = begun(make("pagerank", ALONE | {"least": "0", "damping": "0.5"}))
    for page in (digest(A, 0.5, [B, C]), digest(B, 0.5, [A, D])):
        strategy.page(page)
    # A = .5 + .25 B and B = .5 + .25 A, so both are 2/3.
    assert by_url(strategy.revise()) == pytest.approx({C: 2 / 3, D: 2 / 3}, rel=1e-3)


def test_nothing_is_computed_before_the_graph_has_grown_by_a_tenth() -> None:
    strategy = begun(make("pagerank", ALONE | {"least": "0"}))
    strategy.page(digest(A, 0.5, [f"http://many.test/{number}" for number in range(40)]))
    strategy.revise()
    for number in range(3):  # each loops back to A, so a computation would move all that A links to
        strategy.page(digest(f"http://many.test/{number}", 0.5, [A]))
        assert list(strategy.revise()) == []
    strategy.page(digest("http://many.test/3", 0.5, [A]))
    assert len(list(strategy.revise())) == 36


def test_small_changes_are_not_told() -> None:
    moved = []
    for least in ("0", "0.9"):
        strategy = begun(make("pagerank", ALONE | {"least": least}))
        for page in (digest(A, 0.5, [B, C]), digest(B, 0.5, [A, D])):
            strategy.page(page)
        moved.append(len(list(strategy.revise())))
    assert moved == [2, 0]


def test_nearer_levels_go_first_and_rank_orders_within_a_level() -> None:
    strategy = begun(make("pagerank", {"levels": "true"}))
    first = by_url(strategy.page(digest(A, 0.5, [B, C])))
    second = by_url(strategy.page(digest(B, 0.5, [C, D])))
    assert first[B] == pytest.approx(0.21375 / 1.21375 - 1)
    assert second[C] == pytest.approx(0.30459375 / 1.30459375 - 1)
    assert second[D] == pytest.approx(0.24084375 / 1.24084375 - 2)
    third = by_url(strategy.page(digest(C, 0.5, [D, E])))
    assert second[C] > third[D] > third[E] > -2


def test_a_start_that_another_start_links_to_is_still_at_level_0() -> None:
    strategy = make("pagerank")
    strategy.start(Brief(Topic(name="bees", starts=(A, B)), []), 0)
    strategy.page(digest(A, 0.5, [B]))
    assert next(iter(strategy.page(digest(B, 0.5, [C])))).reason.startswith("level 1,")


def test_a_page_nobody_linked_to_is_at_the_level_of_the_page_before_it() -> None:
    strategy = begun(make("pagerank"))
    strategy.page(digest(A, 0.5, [B]))
    strategy.page(digest(B, 0.5, [C]))
    resumed = begun(make("pagerank"))
    resumed.load(strategy.save())
    for one in (strategy, resumed):
        for link in (D, E):  # and so it is when it is visited again
            reached = one.page(digest("http://redirected.test/", 0.5, [link]))
            assert next(iter(reached)).reason.startswith("level 2,")
            one.page(digest(C, 0.5, [A]))


def test_a_url_found_again_nearer_to_the_starts_moves_up() -> None:
    strategy = begun(make("pagerank"))
    strategy.page(digest(A, 0.5, [B, D]))
    strategy.page(digest(B, 0.5, [C]))
    assert next(iter(strategy.page(digest(C, 0.5, [E])))).reason.startswith("level 3,")
    assert next(iter(strategy.page(digest(D, 0.5, [E])))).reason.startswith("level 2,")


def test_reasons_say_level_rank_and_how_many_link_there() -> None:
    strategy = begun(make("pagerank"))
    assert next(iter(strategy.page(digest(A, 0.5, [B])))).reason == "level 1, PageRank 0.28, linked from 1 page"
    ranked = strategy.page(digest(C, 0.5, [B]))
    assert next(iter(ranked)).reason == "level 1, PageRank 0.41, linked from 2 pages"
