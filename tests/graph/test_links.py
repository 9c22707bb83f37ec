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
        if chance.random() < 0.1:
            graph.settle()
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


def test_it_is_due_when_it_has_grown_by_the_share_asked_for() -> None:
    graph = Links()
    assert not graph.due(0.1)
    graph.set(0, list(range(1, 21)))
    assert graph.due(0.1)
    graph.settle()
    assert not graph.due(0.1)
    graph.set(1, [0])
    assert not graph.due(0.1)
    graph.set(2, [0])
    assert graph.due(0.1)


def test_replaced_links_give_their_room_back() -> None:
    graph, row = Links(), list(range(1, 101))
    tracemalloc.start()
    try:
        for _ in range(500):
            graph.set(0, row)
            graph.settle()
        assert tracemalloc.get_traced_memory()[0] < 20_000
    finally:
        tracemalloc.stop()
    assert len(graph) == 100


def test_a_saved_graph_goes_on_as_it_was() -> None:
    graph, model = random_graph(2)
    graph.set(7, [1, 2])
    fresh = Links()
    fresh.load(graph.save())
    model[7] = [1, 2]
    for one in (graph, fresh):
        one.set(9, [3])
    model[9] = [3]
    values = np.arange(graph.nodes, dtype=np.float64)
    for one in (graph, fresh):
        assert np.allclose(one.push(values), dense(model, graph.nodes).T @ values)
        assert one.in_degree.tolist() == dense(model, graph.nodes).sum(axis=0).tolist()
    assert [fresh.due(share) for share in (0.0, 0.02, 0.05, 1.0)] == [
        graph.due(share) for share in (0.0, 0.02, 0.05, 1.0)
    ]


def test_an_empty_graph_has_sums_too() -> None:
    graph = Links()
    assert graph.push(np.zeros(0)).tolist() == graph.pull(np.zeros(0)).tolist() == []
    graph.set(0, [])
    assert graph.push(np.ones(1)).tolist() == graph.pull(np.ones(1)).tolist() == [0.0]
