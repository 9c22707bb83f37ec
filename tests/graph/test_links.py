"""The growing graph beside a plain one, with rows replaced and stretches short or long."""

from __future__ import annotations

import random
import tracemalloc

import numpy as np
import pytest

from honeyguide.graph import Kin, Links
from honeyguide.graph import links as links_module


def random_graph(seed: int, nodes: int = 60, rows: int = 150) -> tuple[Links, dict[int, list[int]]]:
    """Rows told in random order, many of them told again: as the graph has it, and as a dictionary has it."""
    chance = random.Random(seed)
    graph, model = Links(), dict[int, list[int]]()
    for _ in range(rows):
        source = chance.randrange(nodes)
        targets = chance.sample(range(nodes), chance.randrange(8))
        graph.set(source, targets)
        model[source] = targets
    graph.reach(nodes)
    return graph, model


def dense(model: dict[int, list[int]], nodes: int) -> np.ndarray:
    matrix = np.zeros((nodes, nodes))
    for source, targets in model.items():
        matrix[source, targets] = 1.0
    return matrix


@pytest.mark.parametrize("stretch", [1, 5, 64, 1 << 19])
def test_sums_are_those_of_the_matrix(stretch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links_module, "_STRETCH", stretch)
    for seed in range(5):
        graph, model = random_graph(seed)
        matrix, values = dense(model, graph.nodes), np.random.default_rng(seed).random(graph.nodes)
        assert len(graph) == matrix.sum()
        assert np.allclose(graph.push(values), matrix.T @ values)
        assert np.allclose(graph.pull(values), matrix @ values)
        assert graph.out_degree.tolist() == matrix.sum(axis=1).tolist()
        assert graph.in_degree.tolist() == matrix.sum(axis=0).tolist()
        assert graph.told(graph.all).tolist() == [node in model for node in range(graph.nodes)]


def test_links_within_a_group_count_by_their_weight() -> None:
    graph, model = random_graph(1)
    groups = np.arange(graph.nodes, dtype=np.int32) % 4
    matrix = dense(model, graph.nodes) * np.where(groups[:, None] == groups[None, :], 0.25, 1.0)
    values = np.random.default_rng(1).random(graph.nodes)
    kin = Kin(groups, 0.25)
    assert np.allclose(graph.push(values, kin), matrix.T @ values)
    assert np.allclose(graph.pull(values, kin), matrix @ values)


def test_replaced_links_give_their_room_back() -> None:
    graph, row = Links(), list(range(1, 101))
    tracemalloc.start()
    try:
        for _ in range(500):
            graph.set(0, row)
        assert tracemalloc.get_traced_memory()[0] < 20_000
    finally:
        tracemalloc.stop()
    assert len(graph) == 100


def test_rows_and_their_marks_are_found_again_though_others_were_replaced() -> None:
    graph, model = random_graph(2)
    marks = np.arange(2, dtype=np.int32)
    for _ in range(3):
        graph.set(7, [1, 2], marks + 5)
    model[7] = [1, 2]
    for node in range(graph.nodes):
        assert graph.out(node)[0].tolist() == model.get(node, [])
        assert sorted(graph.sources_of(node).tolist()) == sorted(one for one, row in model.items() if node in row)
    assert graph.out(7)[1].tolist() == [5, 6]
    assert graph.out(graph.nodes + 9)[0].tolist() == []


def test_distances_are_those_of_a_search_step_by_step() -> None:
    for seed in range(5):
        graph, model = random_graph(seed, rows=40)
        goals = np.random.default_rng(seed).random(graph.nodes) < 0.05
        expected, reached = np.where(goals, 0, 4), set(np.flatnonzero(goals).tolist())
        for step in (1, 2, 3):
            reached |= {one for one, row in model.items() if reached & set(row)}
            expected = np.where((expected == 4) & np.isin(np.arange(graph.nodes), list(reached)), step, expected)
        assert graph.distances(goals, 3).tolist() == expected.tolist()


def test_an_empty_graph_has_sums_too() -> None:
    graph = Links()
    assert graph.push(np.zeros(0)).tolist() == graph.pull(np.zeros(0)).tolist() == []
    graph.set(0, [])
    assert graph.push(np.ones(1)).tolist() == graph.pull(np.ones(1)).tolist() == [0.0]
