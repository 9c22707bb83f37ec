"""Relevancy context graphs: layers by similarity and their worth by hand, and the two word distributions."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.strategies.contract import practice_web
from honeyguide.strategies.layers import Layers
from honeyguide.strategies.relevancy_graph import RelevancyGraph
from honeyguide.strategies.texts import Bag, Sample

from .tiny import A, B, C, Crawl, D, E, begun, digest, ranks_by_verdict


def three(**settings: object) -> Crawl:
    """Three layers, each worth half of the one inside it, and no example."""
    return begun(RelevancyGraph(**{"layers": 3, "a": 0.5, "link": 0.0, **settings}))


def test_a_page_lies_in_the_layer_whose_worth_is_nearest_to_its_similarity() -> None:
    strategy = three(layers=4)
    for url, relevance in ((A, 0.9), (B, 0.1), (C, 0.1), (D, 0.1), (E, 0.1)):
        strategy.show(digest(url, relevance, [], terms={"hive": 1}))
    strategy.strategy._similarity.values[:] = [0.1, 0.8, 0.3, 0.2, 0.0]  # of A to E
    assert strategy.strategy._layers().tolist() == [
        0,
        1,
        1,
        2,
        3,
        0,
    ]  # the last stands for the topic's words; A is on topic however unlike, B is not however like


def test_the_examples_own_similarity_is_the_measure() -> None:
    example = digest(E, 0.9, [], terms={"hive": 3, "nectar": 3, "road": 1}, words=7)
    crawl = begun(RelevancyGraph(layers=4, a=0.5), example)
    crawl.show(digest(A, 0.1, [], terms={"hive": 1, "road": 8}, words=9))
    strategy = crawl.strategy
    likeness = strategy._library.likeness
    assert strategy._full() == pytest.approx(likeness.page(example, likeness.look())[0])
    assert 0.5 < strategy._full() <= 1.0


def test_links_are_worth_the_layer_that_fits_best() -> None:
    crawl = three()
    crawl.show(digest(A, 0.1, [B], terms={"road": 1}))
    strategy, page = crawl.strategy, crawl.number(A)
    low, high, fits = strategy._worth(page, np.array([0.2, 0.7, 0.1]))
    assert (low, high, fits) == (0.25, 0.5, 0.7)
    assert crawl.reason(B) == "page fits layer 1 of 2, worth 0.50 (0.70 sure)"
    low, high, fits = strategy._worth(page, np.array([0.1, 0.1, 0.8]))
    assert (low, high, fits) == (0.125, 0.25, pytest.approx(0.2))


def test_expected_worth_is_the_mean_over_all_layers() -> None:
    crawl = three(expected=True)
    low, high, fits = crawl.strategy._worth(crawl.number(A), np.array([0.2, 0.7, 0.1]))
    assert (low, high, fits) == (0.0, 1.0, pytest.approx(0.2 + 0.35 + 0.025))


def test_the_link_s_own_words_never_lift_a_link_out_of_its_layer() -> None:
    strategy = three(link=1.0, around=0.0)
    for number in range(5):
        strategy.show(digest(f"http://off{number}.test/", 0.1, [], terms={"road": 30}))
    said = strategy.show(digest(A, 0.1, {B: "hive", C: ""}, terms={"road": 30}))
    assert said == {B: pytest.approx(0.25), C: pytest.approx(0.125)}


def test_general_words_tell_layers_apart_where_the_topic_s_own_do_not() -> None:
    sample = Sample(0)
    sample.add(0, Bag.of({"hive": 9, "summer": 2}), True)
    sample.add(1, Bag.of({"hive": 9, "winter": 2}), False)
    summer, winter = Bag.of({"hive": 9, "summer": 2}), Bag.of({"hive": 9, "winter": 2})
    alone, both = (Layers(2, 1, general, True, 10.0, 100.0) for general in (0, 2))
    for model in (alone, both):
        model.learn(sample, np.array([0, 1]))
    assert alone.shares(summer).tolist() == alone.shares(winter).tolist()
    assert both.shares(summer)[0] > 0.5 > both.shares(winter)[0]


def test_links_of_pages_on_topic_are_worth_more_on_the_practice_web() -> None:
    ranks = ranks_by_verdict(RelevancyGraph(link=0.0), practice_web())
    assert np.mean(ranks[True]) > 2 * np.mean(ranks[False])
