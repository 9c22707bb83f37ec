"""The Hopfield net: activation by the printed formulas, layers, threshold and the end, worked out by hand."""

from __future__ import annotations

from math import exp

import pytest

from honeyguide.frontier import Graph
from honeyguide.strategies.activation import Net
from honeyguide.strategies.hopfield import Hopfield
from honeyguide.strategies.likeness import _HOPELESS

from .tiny import A, B, C, Crawl, D, E, begun, digest, inside

LAST = -900_000.0


def f(value: float) -> float:
    """The sigmoid of the paper at theta_j = 0.5, theta_0 = 0.25."""
    return 1 / (1 + exp((0.5 - value) / 0.25))


def printed(**settings: object) -> Crawl:
    """The printed net, in the order of activation alone."""
    given = {"theta_j": 0.5, "theta_0": 0.25, "threshold": 0.0, "epsilon": 0.0}
    plain = {"layered": False, "average": False, "doubt": 0.0, "around": 0.0, "least": 0.0}
    return begun(Hopfield(**{**given, **plain, **settings}))


def test_the_sigmoid_has_its_middle_at_theta_j_and_its_slope_by_theta_0() -> None:
    graph = Graph()
    net = Net(graph, 0.5, 0.25)
    assert net.squash(0.5) == 0.5
    assert net.squash(0.75) == pytest.approx(0.7310586)
    assert net.squash(0.0) == pytest.approx(0.1192029)
    assert Net(graph, 0.5, 0.0001).squash(-10.0) == pytest.approx(0.0)
    assert Net(graph, 0.5, 0.0001).squash(10.0) == 1.0
    assert Net(graph, 0.5, 0.0).squash(0.6) == 1.0


def test_a_start_is_fully_active_until_its_relevance_is_known() -> None:
    # f(1 * 1) = f(1) = 0.8808; through a link of weight 1 the child has f(0.8808) = 0.8211
    assert printed().show(digest(A, 1.0, {B: "hive"})) == {B: pytest.approx(0.8210, abs=1e-4)}
    # f(1 * 0.5) = 0.5
    assert printed().show(digest(A, 0.5, {B: "hive"})) == {B: pytest.approx(0.5)}


def test_a_link_weighs_what_its_anchor_has_of_the_topic() -> None:
    ranked = printed().show(digest(A, 0.5, {B: "hive", C: "hive road", D: "road"}))
    assert ranked == {B: pytest.approx(f(0.5)), C: pytest.approx(f(0.5 / 2**0.5)), D: pytest.approx(f(0.0))}


def test_words_around_and_the_least_weight_join_the_anchor_s_up_to_one() -> None:
    page = inside(A, 0.5, B, ["hive", "road"], anchor=1)
    assert printed(around=0.4).show(page) == {B: pytest.approx(f(0.5 * 0.4))}
    assert printed(around=0.4, reach=0).show(page) == {B: pytest.approx(f(0.0))}
    assert printed(around=0.4, least=0.1).show(page) == {B: pytest.approx(f(0.5 * 0.5))}
    assert printed(around=0.8, least=0.3).show(page) == {B: pytest.approx(f(0.5))}


def test_every_parent_adds_to_the_sum() -> None:
    strategy = printed()
    first = strategy.show(digest(A, 0.5, {C: "hive"}))[C]
    second = strategy.show(digest(B, 1.0, {C: "hive"}))[C]
    assert first == pytest.approx(f(0.5))
    assert second == pytest.approx(f(0.5 + f(1.0)))


def test_a_visited_page_passes_on_its_activation_times_its_relevance() -> None:
    strategy = printed()
    strategy.show(digest(A, 0.5, {B: "hive"}))  # B is active by f(0.5) = 0.5
    ranked = strategy.show(digest(B, 0.6, {C: "hive"}))
    assert ranked == {C: pytest.approx(f(f(0.5 * 0.6)))}


def test_unjudged_the_page_s_words_are_its_relevance() -> None:
    page = digest(A, 0.0, {B: "hive"}, terms={"hive": 2}, words=2)
    assert printed(judged=False).show(page) == {B: pytest.approx(f(f(1.0)))}


def test_on_average_a_silent_parent_calms_a_url_down_at_once() -> None:
    strategy = printed(average=True, doubt=1.0)
    assert strategy.show(digest(A, 0.5, {C: "hive"})) == {C: pytest.approx(f(0.5 / 2))}
    assert strategy.show(digest(B, 0.5, {C: "road"})) == {C: pytest.approx(f(0.5 / 3))}
    assert strategy.reason(C) == "activation 0.21 from 2 pages"
    assert not Hopfield.best  # so that the frontier takes it


def test_what_was_visited_is_not_ranked_again() -> None:
    strategy = printed(average=True)
    strategy.show(digest(A, 0.5, {C: "hive"}))
    strategy.show(digest(C, 0.5, ()))
    assert list(strategy.show(digest(D, 0.5, {C: "road", A: "hive", E: "hive"}))) == [E]


def test_what_excited_a_url_that_moved_excites_the_one_it_moved_to() -> None:
    strategy = printed()
    strategy.show(digest(A, 0.5, {B: "hive", C: "hive"}))
    strategy.moved(B, C)
    assert strategy.reason(C) == f"activation {f(0.5 + 0.5):.2f} from 2 pages"
    strategy.moved(C, D)
    assert strategy.reason(D) == strategy.reason(C)


def test_words_around_links_are_read_unless_the_page_is_hopeless_beside_what_is_usual() -> None:
    strategy = printed(around=1.0)
    for number in range(3):
        strategy.show(digest(f"http://{number}.test/", 1.0, ()))
    hopeless = strategy.show(inside(A, 0.9 * _HOPELESS, B, ["hive", "road"], anchor=1))
    poor = strategy.show(inside(D, 1.1 * _HOPELESS, C, ["hive", "road"], anchor=1))
    assert hopeless[B] == pytest.approx(f(0.0))
    assert poor[C] > f(0.0) + 0.01


def test_urls_under_the_threshold_come_last_and_the_reason_says_so() -> None:
    strategy = printed(layered=True, threshold=0.4)
    ranked = strategy.show(digest(A, 0.5, {B: "hive", C: "road"}))
    assert ranked[B] == pytest.approx(0.5 - 1)  # of layer 1
    assert ranked[C] < LAST
    assert strategy.reason(B) == "activation 0.50 from one page, in layer 1"
    assert strategy.reason(C) == "activation 0.12 from one page, under the threshold of 0.4"
    assert strategy.show(digest(D, 1.0, {C: "hive"}))[C] > LAST


def test_in_layers_all_of_one_goes_before_any_of_the_next() -> None:
    strategy = printed(layered=True)
    first = strategy.show(digest(A, 0.5, {B: "hive", C: "road"}))
    second = strategy.show(digest(B, 1.0, {D: "hive"}))
    assert first[B] > first[C] > second[D]


def test_in_layers_a_url_hears_only_the_layer_before_its_own() -> None:
    strategy = printed(layered=True)
    found = strategy.show(digest(A, 0.5, {B: "hive", C: "hive"}))
    again = strategy.show(digest(B, 1.0, {C: "hive", D: "hive"}))
    assert again[C] == found[C]
    third = strategy.show(digest(C, 1.0, {D: "hive"}))
    assert third[D] > again[D]


def test_in_layers_the_net_dies_out_when_a_layer_was_next_to_still() -> None:
    strategy = printed(layered=True, epsilon=0.3)
    strategy.show(digest(A, 0.5, {B: "hive"}))
    alive = strategy.show(digest(B, 0.0, {C: "hive"}))  # B is active by f(0) = 0.12 after its visit
    assert alive[C] > LAST
    assert strategy.show(digest(C, 0.9, {D: "hive"}))[D] < LAST
    assert strategy.reason(D).endswith("in layer 3, after the net had died out")
    strategy.resumed(Hopfield(layered=True, epsilon=0.3, threshold=0.0))
    assert strategy.show(digest(D, 0.9, {E: "hive"}))[E] < LAST


def test_a_layer_alive_on_average_goes_on() -> None:
    strategy = printed(layered=True, epsilon=0.3)
    strategy.show(digest(A, 0.5, {B: "hive", C: "hive"}))
    strategy.show(digest(B, 0.0, {D: "hive"}))
    strategy.show(digest(C, 1.0, {D: "hive"}))  # (0.12 + f(0.5)) / 2 = 0.31
    assert strategy.show(digest(D, 0.9, {E: "hive"}))[E] > LAST
