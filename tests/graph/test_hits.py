"""Hubs and authorities are the leading vectors of the link matrix and its transpose."""

from __future__ import annotations

import math

import numpy as np
import pytest

from honeyguide.graph import Kin, Links, hits

from .test_links import dense, random_graph


@pytest.fixture
def small() -> Links:
    links = Links()
    links.set(0, [2, 3])
    links.set(1, [2])
    return links


def test_two_hubs_and_two_authorities_by_hand(small: Links) -> None:
    # (2 1; 1 1) has the vector (1, golden ratio - 1).
    golden = (math.sqrt(5) - 1) / 2
    scores = hits(small, tolerance=1e-12, most=100)
    assert scores.authorities == pytest.approx([0, 0, 1, golden])
    assert scores.hubs == pytest.approx([1, golden, 0, 0])


def test_weights_count_for_the_source_when_it_gives_and_the_target_when_it_takes(small: Links) -> None:
    # a2 = h0 + h1 / 2, a3 = h0, h0 = a2 + a3 / 2, h1 = a2: (3/2 1/2; 1 1/2) has the vector (1, sqrt(3) - 1).
    scores = hits(small, weights=np.array([1.0, 0.5, 1.0, 0.5]), tolerance=1e-12, most=100)
    assert scores.authorities == pytest.approx([0, 0, 1, math.sqrt(3) - 1])
    assert scores.hubs == pytest.approx([1, 2 / (1 + math.sqrt(3)), 0, 0])


def test_links_within_a_group_can_be_left_out(small: Links) -> None:
    scores = hits(small, kin=Kin(np.array([1, 2, 3, 1], dtype=np.int32), 0.0), tolerance=1e-12)
    assert scores.authorities == pytest.approx([0, 0, 1, 0])
    assert scores.hubs == pytest.approx([1, 1, 0, 0])


def test_they_are_the_leading_singular_vectors() -> None:
    graph, model = random_graph(6)
    left, _, right = np.linalg.svd(dense(model, graph.nodes))
    scores = hits(graph, tolerance=1e-14, most=2_000)
    assert scores.hubs == pytest.approx(np.abs(left[:, 0]) / np.abs(left[:, 0]).max(), abs=1e-6)
    assert scores.authorities == pytest.approx(np.abs(right[0]) / np.abs(right[0]).max(), abs=1e-6)


def test_scales_say_by_what_the_sums_were_divided() -> None:
    graph, model = random_graph(7)
    matrix = dense(model, graph.nodes)
    scores = hits(graph, tolerance=1e-14, most=2_000)
    assert matrix @ scores.authorities / scores.hub_scale == pytest.approx(scores.hubs)
    assert matrix.T @ scores.hubs / scores.authority_scale == pytest.approx(scores.authorities)


def test_it_goes_on_from_the_hubs_before() -> None:
    graph, _ = random_graph(8)
    exact = hits(graph, tolerance=1e-14, most=2_000)
    assert hits(graph, start=exact.hubs, most=1).authorities == pytest.approx(exact.authorities)
    assert hits(graph, most=1).authorities != pytest.approx(exact.authorities, rel=1e-2)


def test_where_nothing_counts_all_scores_are_zero(small: Links) -> None:
    scores = hits(small, weights=np.zeros(4))
    assert scores.hubs.tolist() == scores.authorities.tolist() == [0, 0, 0, 0]
    assert hits(small, start=scores.hubs).authorities[2] == 1
    assert hits(Links()).hubs.tolist() == []
