"""Q values: discounted rewards computed backwards, against the fixed point they stand for."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from honeyguide.graph import Links, q_values

from .test_links import dense, random_graph


def chain(*order: int) -> Links:
    links = Links()
    for one, other in pairwise(order):
        links.set(one, [other])
    return links


def test_each_link_before_the_reward_is_worth_gamma_less() -> None:
    links = chain(0, 1, 2, 3)
    assert q_values(links, np.array([0.0, 0, 0, 1]), 0.5).tolist() == [0.125, 0.25, 0.5, 1.0]
    assert q_values(links, np.array([0.0, 0, 0, 1]), 0.1) == pytest.approx([0.001, 0.01, 0.1, 1.0])


def test_a_page_on_topic_that_leads_on_is_worth_more_than_one_that_does_not() -> None:
    assert q_values(chain(0, 1), np.array([1.0, 1.0])).tolist() == [1.5, 1.0]


def test_a_ring_of_rewards_comes_to_the_sum_of_all_discounts() -> None:
    assert q_values(chain(0, 1, 0), np.array([1.0, 1.0])) == pytest.approx([2.0, 2.0], abs=1e-2)


def test_a_ring_of_rewards_that_can_be_had_once_is_worth_one_of_them() -> None:
    links = chain(0, 1, 2, 1)
    rewards = np.array([0.0, 1.0, 1.0])
    assert q_values(links, rewards, once=True).tolist() == [0.5, 1.0, 1.0]
    assert q_values(links, rewards)[0] == pytest.approx(1.0, abs=1e-2)  # as much as a page on topic


def test_a_poor_page_that_leads_on_is_worth_what_it_leads_to() -> None:
    assert q_values(chain(0, 1), np.array([0.1, 1.0]), once=True).tolist() == [0.5, 1.0]
    assert q_values(chain(0, 1), np.array([0.7, 1.0]), once=True).tolist() == [0.7, 1.0]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("once", [False, True])
def test_they_are_the_fixed_point(seed: int, once: bool) -> None:
    graph, model = random_graph(seed)
    matrix = dense(model, graph.nodes)
    rewards = np.random.default_rng(seed).random(graph.nodes)
    values = q_values(graph, rewards, 0.5, once=once, most=100)
    best = np.where(matrix > 0, values[None, :], 0.0).max(axis=1)
    assert values == pytest.approx(np.maximum(rewards, 0.5 * best) if once else rewards + 0.5 * best, abs=2e-3)


def test_the_mean_is_over_what_is_known_and_one_more_worth_nothing() -> None:
    links = Links()
    links.set(0, [1, 2, 3])
    known = np.array([True, True, True, False])
    assert q_values(links, np.array([0.0, 1, 0, 1]), 0.6, known=known)[0] == pytest.approx(0.6 * 1 / 3)


def test_a_graph_without_links_has_its_rewards() -> None:
    links = Links()
    assert q_values(links, np.zeros(0)).tolist() == []
    links.reach(2)
    assert q_values(links, np.array([0.5, 0.0])).tolist() == [0.5, 0.0]
