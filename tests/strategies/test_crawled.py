"""The crawled graph: what joins it, and what is told."""

from __future__ import annotations

import numpy as np

from honeyguide.strategies.crawled import Crawled

from .tiny import A, B, C, D, E, digest


def test_a_link_counts_once_and_a_page_does_not_vote_for_itself() -> None:
    crawled = Crawled()
    page = digest(A, 0.5, [B, A, C])
    page.links += [page.links[0], page.links[0]]
    node, urls, targets = crawled.visit(page)
    assert (node, urls, targets.tolist()) == (0, [B, C], [1, 2])
    assert crawled.links.in_degree.tolist() == [0, 1, 1]


def test_a_page_visited_again_has_only_its_new_links() -> None:
    crawled = Crawled()
    crawled.visit(digest(A, 0.5, [B, C]))
    crawled.visit(digest(A, 0.5, [C, D]))
    assert crawled.links.in_degree.tolist() == [0, 0, 1, 1]


def told(values: list[float]) -> Crawled:
    """A page with four links, told to the queue with these values."""
    crawled = Crawled()
    _, _, targets = crawled.visit(digest(A, 0.5, [B, C, D, E]))
    crawled.tell(targets, np.array(values))
    return crawled


def test_only_real_changes_are_told_and_only_once() -> None:
    crawled = told([1.0, 1.0, 1.0, 1.0])
    values = np.array([9.0, 1.05, 0.95, 1.2, 0.8])
    assert crawled.changes(values, 0.1).tolist() == [3, 4]
    assert crawled.changes(values, 0.1).tolist() == []


def test_visited_pages_and_those_never_told_are_left_alone() -> None:
    crawled = told([1.0, 1.0, 1.0, 1.0])
    crawled.visit(digest(B, 0.5, ["http://new.test/"]))
    assert crawled.changes(np.full(6, 5.0), 0.1).tolist() == [2, 3, 4]


def test_the_queue_is_only_raised_between_computations() -> None:
    crawled = told([1.0, 2.0, 3.0, 4.0])
    crawled.tell(np.array([1, 2]), np.array([0.5, 2.5]))
    assert crawled.changes(np.array([0.0, 1.0, 2.5, 3.0, 4.0]), 0.0).tolist() == []


def test_of_many_changes_those_near_the_front_are_told_whether_they_rise_or_fall() -> None:
    crawled = told([1.0, 2.0, 3.0, 40.0])
    values = np.array([0.0, 1.5, 20.0, 30.0, 4.0])
    assert crawled.changes(values, 0.0, most=2).tolist() == [2, 3, 4]
    assert crawled.changes(values, 0.0).tolist() == [1]


def test_a_saved_graph_tells_the_same() -> None:
    crawled = told([1.0, 2.0, 3.0, 4.0])
    fresh = Crawled()
    fresh.load(crawled.save())
    assert fresh.visit(digest(B, 0.5, [E, A])).targets.tolist() == [4, 0]
    assert fresh.changes(np.array([0.0, 0.0, 2.0, 3.5, 4.0]), 0.01).tolist() == [3]
