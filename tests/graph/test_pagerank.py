"""PageRank is the solution of its formula."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.graph import Links, pagerank

from .test_links import dense, random_graph


def test_three_pages_by_hand() -> None:
    # A -> B, C; B -> C; C -> A. With A = .15 + .85 C, B = .15 + .425 A, C = .15 + .425 A + .85 B:
    # A = .385875 / .3316875.
    links = Links()
    links.set(0, [1, 2])
    links.set(1, [2])
    links.set(2, [0])
    ranks = pagerank(links, tolerance=1e-12)
    a = 0.385875 / 0.3316875
    assert ranks == pytest.approx([a, 0.15 + 0.425 * a, 0.2775 + 0.78625 * a])


def test_damping_is_the_share_passed_on() -> None:
    links = Links()
    links.set(0, [1, 2])
    assert pagerank(links, 0.5, tolerance=1e-12) == pytest.approx([0.5, 0.625, 0.625])


def test_spreading_what_nodes_without_links_would_pass_changes_no_order() -> None:
    graph, model = random_graph(4, rows=40)
    nodes, d = graph.nodes, 0.85
    matrix = dense(model, nodes)
    degree = matrix.sum(axis=1)
    assert (degree == 0).any()
    step = np.where(degree[:, None] > 0, matrix / np.maximum(degree, 1)[:, None], 1.0 / nodes)
    spread = np.linalg.solve(np.eye(nodes) - d * step.T, np.full(nodes, 1 - d))
    ratio = spread / pagerank(graph, d, tolerance=1e-12)
    assert ratio == pytest.approx(np.full(nodes, ratio[0]))
    assert ratio[0] > 1


def test_it_goes_on_from_the_ranks_before() -> None:
    graph, _ = random_graph(5)
    exact = pagerank(graph, tolerance=1e-12)
    assert pagerank(graph, start=exact, most=1) == pytest.approx(exact)
    assert pagerank(graph, most=1) != pytest.approx(exact, rel=1e-3)
