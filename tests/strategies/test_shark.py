"""Shark search: each printed formula, the average over parents, and death, by numbers worked out by hand."""

from __future__ import annotations

from math import sqrt

import pytest

from honeyguide.strategies.fish import DEAD, DEAD_END
from honeyguide.strategies.shark import Shark

from .tiny import A, B, C, Crawl, D, E, begun, digest, inside

EASY = {"delta": 0.5, "beta": 0.8, "gamma": 0.4, "doubt": 0.0}


def shark(**settings: object) -> Crawl:
    """With settings that make sums easy: a child inherits half, four tenths of its worth are inherited."""
    return begun(Shark(**{**EASY, **settings}))


def test_potential_mixes_what_is_inherited_and_what_is_said_near() -> None:
    ranked = shark().show(digest(A, 0.6, {B: "hive", C: "hive road", D: "road"}))
    assert ranked[B] == pytest.approx(0.4 * 0.3 + 0.6 * 1.0)
    assert ranked[C] == pytest.approx(0.4 * 0.3 + 0.6 * (0.8 / sqrt(2) + 0.2))
    assert ranked[D] == pytest.approx(0.4 * 0.3)


@pytest.mark.parametrize(
    ("terms", "reach", "context"),
    [
        (["hive", "road"], 6, 1.0),
        (["hive", "road", "gear"], 6, 1 / sqrt(2)),
        (["hive", "road", "gear"], 0, 0.0),
    ],
)
def test_the_context_counts_where_the_anchor_says_nothing(terms: list[str], reach: int, context: float) -> None:
    ranked = shark(reach=reach).show(inside(A, 0.6, B, terms, anchor=1))
    assert ranked[B] == pytest.approx(0.12 + 0.6 * 0.2 * context)


def test_the_context_is_full_where_the_anchor_speaks_of_the_topic() -> None:
    ranked = shark().show(inside(A, 0.6, B, ["gear", "hive", "gear"], anchor=1))
    assert ranked[B] == pytest.approx(0.12 + 0.6)


def test_a_page_like_nothing_passes_on_what_it_inherited_itself() -> None:
    strategy = shark(depth=9)
    strategy.show(digest(A, 0.6, [B]))
    assert strategy.show(digest(B, 0.0, [C])) == {C: pytest.approx(0.4 * 0.5 * 0.3)}
    assert strategy.show(digest(C, 0.0, [D])) == {D: pytest.approx(0.4 * 0.5 * 0.5 * 0.3)}


def test_many_parents_are_averaged_and_a_fall_is_told_at_once() -> None:
    strategy = shark()
    assert strategy.show(digest(A, 0.6, {C: "hive"})) == {C: pytest.approx(0.4 * 0.3 + 0.6)}
    assert strategy.show(digest(B, 0.2, [C])) == {C: pytest.approx(0.4 * 0.2 + 0.6)}
    assert strategy.reason(C) == "inherits 0.20 from 2 pages; words near the link 1.00"
    assert not Shark.best  # so that the frontier takes it


def test_where_a_redirect_leads_inherits_what_its_source_did() -> None:
    strategy = shark(depth=2)
    strategy.show(digest(A, 0.4, {B: "hive"}))
    strategy.moved(B, C)
    assert strategy.reason(C) == strategy.reason(B) == "inherits 0.20 from one page; words near the link 1.00"
    strategy.show(digest(C, 0.0, [D]))
    assert strategy.reason(D) == DEAD_END


def test_one_page_is_one_parent_however_often_it_links() -> None:
    strategy = shark(doubt=1.0)
    page = digest(A, 0.6, {B: "road"})
    page.links = [*page.links, *digest(A, 0.6, {B: "hive"}).links, *page.links]
    assert strategy.show(page) == {B: pytest.approx(0.4 * 0.3 / 2 + 0.6)}
    assert strategy.reason(B).startswith("inherits 0.15 from one page")


def test_the_best_parent_alone_counts_in_the_printed_form() -> None:
    strategy = shark(highest=True, depth=9)
    assert strategy.show(digest(A, 0.6, [C])) == {C: pytest.approx(0.12)}
    assert strategy.show(digest(B, 0.2, {C: "hive"})) == {C: pytest.approx(0.12 + 0.6)}
    assert strategy.show(digest(D, 0.2, [C])) == {C: pytest.approx(0.12 + 0.6)}
    assert strategy.show(digest(C, 0.0, [E])) == {E: pytest.approx(0.4 * 0.5 * 0.3)}


def test_unjudged_the_topic_s_words_say_how_like_it_a_page_is() -> None:
    strategy = shark(judged=False, depth=2)
    page = digest(A, 0.0, [B], terms={"hive": 3}, words=3)
    assert strategy.show(page) == {B: pytest.approx(0.4 * 0.5)}
    page = digest(B, 0.9, [C], terms={"road": 3}, words=3)
    assert strategy.show(page) == {C: pytest.approx(0.4 * 0.5 * 0.5)}
    page = digest(C, 0.9, [D], terms={"road": 3}, words=3)
    strategy.show(page)
    assert strategy.reason(D) == DEAD_END


def test_a_branch_dies_after_a_depth_of_pages_off_topic_and_lives_again_by_one_on_topic() -> None:
    strategy = shark(depth=2)
    assert strategy.show(digest(A, 0.4, [B]))[B] > 0
    assert strategy.show(digest(B, 0.4, {C: "hive"})) == {C: pytest.approx(0.4 * 0.2 + 0.6 + DEAD)}
    assert strategy.reason(C) == DEAD_END
    assert strategy.show(digest(D, 0.5, [C]))[C] > 0
    assert strategy.show(digest(C, 0.4, [E]))[E] > 0


def test_a_url_found_again_keeps_the_greater_depth() -> None:
    strategy = shark(depth=2)
    strategy.show(digest(A, 0.9, [C]))
    strategy.show(digest(B, 0.4, [C]))
    assert strategy.show(digest(C, 0.4, [D]))[D] > 0


def test_dead_branches_can_be_dropped_as_printed() -> None:
    strategy = shark(depth=1, drop=True)
    assert strategy.show(digest(A, 0.4, [B])) == {}
    assert list(strategy.show(digest(A, 0.5, [B]))) == [B]


def test_what_was_inherited_survives_a_restart() -> None:
    def third_parent(*, resumed: bool) -> dict[str, float]:
        strategy = shark()
        strategy.show(digest(A, 0.6, {C: "hive"}))
        strategy.show(digest(B, 0.2, [C]))
        if resumed:
            strategy.resumed(Shark(**EASY))
        return strategy.show(digest(D, 0.9, {C: "hive road", E: "hive"}))

    assert third_parent(resumed=True) == third_parent(resumed=False)
