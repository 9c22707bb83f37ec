"""Fish search: the printed potentials, width and depth, by numbers worked out by hand."""

from __future__ import annotations

import pytest

from honeyguide.strategies.fish import DEAD, DEAD_END, Fish

from .tiny import A, B, C, D, E, begun, by_url, digest

LINKS = [f"http://{number}.test/" for number in range(8)]


def printed(**settings: object) -> Fish:
    strategy = Fish(**{"width": 2, "graded": False, "newest": False, **settings})  # type: ignore[arg-type]
    begun(strategy)
    return strategy


def test_an_irrelevant_page_has_width_links_at_one_half() -> None:
    assert list(by_url(printed().page(digest(A, 0.1, LINKS))).values()) == [0.5] * 2 + [0.0] * 6


def test_a_relevant_page_has_alpha_times_width_links_at_one() -> None:
    assert list(by_url(printed().page(digest(A, 0.9, LINKS))).values()) == [1.0] * 3 + [0.0] * 5
    assert list(by_url(printed(alpha=2.5).page(digest(A, 0.9, LINKS))).values()) == [1.0] * 5 + [0.0] * 3


def test_width_nought_is_all_links() -> None:
    assert list(by_url(printed(width=0).page(digest(A, 0.1, LINKS))).values()) == [0.5] * 8


def test_graded_links_are_worth_the_relevance_of_their_page() -> None:
    strategy = printed(graded=True)
    assert list(by_url(strategy.page(digest(A, 0.7, LINKS))).values()) == [0.7] * 3 + [0.0] * 5
    assert by_url(strategy.page(digest(B, 0.2, [C]))) == {C: 0.2}


def test_a_branch_dies_after_a_depth_of_irrelevant_pages() -> None:
    strategy = printed(depth=2)
    assert by_url(strategy.page(digest(A, 0.1, [B]))) == {B: 0.5}
    [dead] = strategy.page(digest(B, 0.1, [C]))
    assert dead == (C, 0.5 + DEAD, DEAD_END)
    assert by_url(strategy.page(digest(C, 0.1, [D]))) == {D: 0.5 + DEAD}


def test_a_relevant_page_gives_its_links_the_full_depth_again() -> None:
    strategy = printed(depth=2)
    strategy.page(digest(A, 0.1, [B]))
    strategy.page(digest(B, 0.9, [C]))
    assert by_url(strategy.page(digest(C, 0.1, [D]))) == {D: 0.5}
    assert by_url(strategy.page(digest(D, 0.1, [E]))) == {E: 0.5 + DEAD}


def test_a_url_found_again_keeps_the_greater_depth() -> None:
    strategy = printed(depth=2)
    strategy.page(digest(A, 0.9, [C]))
    strategy.page(digest(B, 0.1, [C]))
    assert by_url(strategy.page(digest(C, 0.1, [D]))) == {D: 0.5}


def test_a_dead_url_lives_again_when_a_page_on_topic_links_to_it() -> None:
    strategy = printed(depth=1)
    assert by_url(strategy.page(digest(A, 0.1, [C]))) == {C: 0.5 + DEAD}
    assert by_url(strategy.page(digest(B, 0.9, [C]))) == {C: 1.0}


def test_dead_branches_can_be_dropped_as_printed() -> None:
    strategy = printed(depth=1, drop=True)
    assert by_url(strategy.page(digest(A, 0.1, [B]))) == {}
    assert by_url(strategy.page(digest(B, 0.9, [C]))) == {C: 1.0}


@pytest.mark.parametrize("newest", [True, False])
def test_the_newest_of_equals_goes_first_if_so_set(newest: bool) -> None:
    strategy = printed(newest=newest)
    first = by_url(strategy.page(digest(A, 0.9, [C])))[C]
    second = by_url(strategy.page(digest(B, 0.9, [D])))[D]
    assert (second > first) is newest
    assert second == pytest.approx(first, abs=1e-6)
    weaker = by_url(strategy.page(digest(C, 0.1, [E])))[E]
    assert weaker < first


def test_depths_and_the_count_of_pages_survive_a_restart() -> None:
    strategy = printed(depth=2, newest=True)
    strategy.page(digest(A, 0.1, [B]))
    again = printed(depth=2, newest=True)
    again.load(strategy.save())
    page = digest(B, 0.1, [C])
    assert list(again.page(page)) == list(strategy.page(page))
    assert by_url(again.page(page))[C] < 0
