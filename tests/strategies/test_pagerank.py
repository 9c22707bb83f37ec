"""PageRank order: golden numbers of the formula, levels, and what happens between two computations."""

from __future__ import annotations

import pytest

from honeyguide.strategies import make

from .tiny import A, B, C, D, E, begun, digest

ALONE = {"levels": "false"}


def test_a_page_hands_its_rank_on_to_its_links_at_once() -> None:
    strategy = begun(make("pagerank", ALONE))
    # A has (1 - d) = .15; each of its two links gets .15 + .85 * .15 / 2.
    assert strategy.show(digest(A, 0.5, [B, C])) == pytest.approx({B: 0.21375, C: 0.21375})
    # B hands on .85 * .21375 / 2.
    assert strategy.show(digest(B, 0.5, [C, D])) == pytest.approx({C: 0.30459375, D: 0.24084375})


def test_other_damping_hands_on_another_share() -> None:
    strategy = begun(make("pagerank", ALONE | {"damping": "0.5"}))
    assert strategy.show(digest(A, 0.5, [B, C])) == pytest.approx({B: 0.625, C: 0.625})


def test_the_computation_brings_what_loops_give_back() -> None:
    strategy = begun(make("pagerank", ALONE))
    for page in (digest(A, 0.5, [B, C]), digest(B, 0.5, [A, D])):
        strategy.show(page)
    # A = .15 + .425 B and B = .15 + .425 A, so both are .15 / .575; C and D are .15 + .425 of that.
    rank = 0.15 + 0.425 * 0.15 / 0.575
    moved = strategy.revise()
    assert moved == pytest.approx({C: rank, D: rank}, rel=1e-3)
    assert strategy.revise() == {}


def test_the_computation_uses_the_damping_asked_for() -> None:
    strategy = begun(make("pagerank", ALONE | {"damping": "0.5"}))
    for page in (digest(A, 0.5, [B, C]), digest(B, 0.5, [A, D])):
        strategy.show(page)
    # A = .5 + .25 B and B = .5 + .25 A, so both are 2/3.
    assert strategy.revise() == pytest.approx({C: 2 / 3, D: 2 / 3}, rel=1e-3)


def test_nothing_is_computed_before_the_graph_has_grown_by_more_than_a_tenth() -> None:
    strategy = begun(make("pagerank", ALONE))
    strategy.show(digest(A, 0.5, [f"http://many.test/{number}" for number in range(40)]))
    strategy.revise()
    for number in range(4):  # each loops back to A, so a computation would move all that A links to
        strategy.show(digest(f"http://many.test/{number}", 0.5, [A]))
        assert list(strategy.revise()) == []
    strategy.show(digest("http://many.test/4", 0.5, [A]))
    assert len(list(strategy.revise())) == 35


def test_nearer_levels_go_first_and_rank_orders_within_a_level() -> None:
    strategy = begun(make("pagerank", {"levels": "true"}))
    first = strategy.show(digest(A, 0.5, [B, C]))
    second = strategy.show(digest(B, 0.5, [C, D]))
    assert first[B] == pytest.approx(0.21375 / 1.21375 - 1)
    assert second[C] == pytest.approx(0.30459375 / 1.30459375 - 1)
    assert second[D] == pytest.approx(0.24084375 / 1.24084375 - 2)
    third = strategy.show(digest(C, 0.5, [D, E]))
    assert second[C] > third[D] > third[E] > -2


def test_a_start_that_another_start_links_to_is_still_at_level_0() -> None:
    strategy = begun(make("pagerank"))
    strategy.numbers(A, B)
    strategy.show(digest(A, 0.5, [B]))
    strategy.show(digest(B, 0.5, [C]))
    assert strategy.reason(C).startswith("level 1,")


def test_where_a_redirect_leads_is_on_the_level_of_its_source() -> None:
    strategy = begun(make("pagerank"))
    strategy.show(digest(A, 0.5, [B]))
    strategy.moved(B, C)
    strategy.resumed(make("pagerank"))
    strategy.show(digest(C, 0.5, [D]))
    assert strategy.reason(D).startswith("level 2,")


def test_a_url_found_again_nearer_to_the_starts_moves_up() -> None:
    strategy = begun(make("pagerank"))
    strategy.show(digest(A, 0.5, [B, D]))
    strategy.show(digest(B, 0.5, [C]))
    strategy.show(digest(C, 0.5, [E]))
    assert strategy.reason(E).startswith("level 3,")
    strategy.show(digest(D, 0.5, [E]))
    assert strategy.reason(E).startswith("level 2,")


def test_reasons_say_level_rank_and_how_many_link_there() -> None:
    strategy = begun(make("pagerank"))
    strategy.show(digest(A, 0.5, [B]))
    assert strategy.reason(B) == "level 1, PageRank 0.28, linked from one page"
    strategy.show(digest(C, 0.5, [B]))
    assert strategy.reason(B) == "level 1, PageRank 0.41, linked from 2 pages"
