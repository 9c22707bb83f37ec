"""Fish search: the printed potentials, width and depth, by numbers worked out by hand."""

from __future__ import annotations

import pytest

from honeyguide.strategies.fish import DEAD, DEAD_END, Fish

from .tiny import A, B, C, Crawl, D, E, begun, digest

LINKS = [f"http://{number}.test/" for number in range(8)]


def printed(**settings: object) -> Crawl:
    return begun(Fish(**{"width": 2, "graded": False, "newest": False, **settings}))


def test_an_irrelevant_page_has_width_links_at_one_half() -> None:
    assert list(printed().show(digest(A, 0.1, LINKS)).values()) == [0.5] * 2 + [0.0] * 6


def test_a_relevant_page_has_alpha_times_width_links_at_one() -> None:
    assert list(printed().show(digest(A, 0.9, LINKS)).values()) == [1.0] * 3 + [0.0] * 5
    assert list(printed(alpha=2.5).show(digest(A, 0.9, LINKS)).values()) == [1.0] * 5 + [0.0] * 3


def test_width_nought_is_all_links() -> None:
    assert list(printed(width=0).show(digest(A, 0.1, LINKS)).values()) == [0.5] * 8


def test_graded_links_are_worth_the_relevance_of_their_page() -> None:
    strategy = printed(graded=True)
    assert list(strategy.show(digest(A, 0.7, LINKS)).values()) == [0.7] * 3 + [0.0] * 5
    assert strategy.show(digest(B, 0.2, [C])) == {C: 0.2}


def test_a_branch_dies_after_a_depth_of_irrelevant_pages() -> None:
    strategy = printed(depth=2)
    assert strategy.show(digest(A, 0.1, [B])) == {B: 0.5}
    assert strategy.reason(B).startswith("linked from a page off topic (relevance 0.10)")
    assert strategy.show(digest(B, 0.1, [C])) == {C: 0.5 + DEAD}
    assert strategy.reason(C) == DEAD_END
    assert strategy.show(digest(C, 0.1, [D])) == {D: 0.5 + DEAD}


def test_a_relevant_page_gives_its_links_the_full_depth_again() -> None:
    strategy = printed(depth=2)
    strategy.show(digest(A, 0.1, [B]))
    strategy.show(digest(B, 0.9, [C]))
    assert strategy.show(digest(C, 0.1, [D])) == {D: 0.5}
    assert strategy.show(digest(D, 0.1, [E])) == {E: 0.5 + DEAD}


def test_a_url_found_again_keeps_the_greater_depth() -> None:
    strategy = printed(depth=2)
    strategy.show(digest(A, 0.9, [C]))
    strategy.show(digest(B, 0.1, [C]))
    assert strategy.show(digest(C, 0.1, [D])) == {D: 0.5}


def test_a_dead_url_lives_again_when_a_page_on_topic_links_to_it() -> None:
    strategy = printed(depth=1)
    assert strategy.show(digest(A, 0.1, [C])) == {C: 0.5 + DEAD}
    assert strategy.show(digest(B, 0.9, [C])) == {C: 1.0}


def test_dead_branches_can_be_dropped_as_printed() -> None:
    strategy = printed(depth=1, drop=True)
    assert strategy.show(digest(A, 0.1, [B])) == {}
    assert strategy.show(digest(B, 0.9, [C])) == {C: 1.0}


@pytest.mark.parametrize("newest", [True, False])
def test_the_newest_of_equals_goes_first_if_so_set(newest: bool) -> None:
    strategy = printed(newest=newest)
    first = strategy.show(digest(A, 0.9, [C]))[C]
    second = strategy.show(digest(B, 0.9, [D]))[D]
    assert (second > first) is newest
    assert second == pytest.approx(first, abs=1e-6)
    weaker = strategy.show(digest(C, 0.1, [E]))[E]
    assert weaker < first


def test_depths_and_the_count_of_pages_survive_a_restart() -> None:
    strategy = printed(depth=2, newest=True)
    strategy.show(digest(A, 0.1, [B]))
    old = strategy.resumed(Fish(width=2, graded=False, depth=2))
    fresh = strategy.show(digest(B, 0.1, [C]))
    strategy.strategy = old
    assert strategy.show(digest(B, 0.1, [C])) == fresh
    assert fresh[C] < 0


def test_where_a_redirect_leads_is_as_far_from_food_as_its_source() -> None:
    strategy = printed(depth=2)
    strategy.show(digest(A, 0.1, [B]))
    strategy.moved(B, C)
    assert strategy.show(digest(C, 0.1, [D])) == {D: 0.5 + DEAD}


def test_places_are_those_on_the_page_though_a_url_stands_there_twice() -> None:
    page = digest(A, 0.1, LINKS[:3])
    page.links.insert(1, page.links[0])
    assert list(printed().show(page).values()) == [0.5, 0.0, 0.0]
