"""The Hopfield net: activation by the printed formulas, layers, threshold and the end, worked out by hand."""

from __future__ import annotations

from math import exp

import pytest

from honeyguide.strategies.activation import Net
from honeyguide.strategies.hopfield import Hopfield

from .tiny import A, B, C, D, E, begun, by_url, digest, inside

LAST = -900_000.0


def f(value: float) -> float:
    """The sigmoid of the paper at theta_j = 0.5, theta_0 = 0.25."""
    return 1 / (1 + exp((0.5 - value) / 0.25))


def printed(**settings: object) -> Hopfield:
    """The printed net, in the order of activation alone."""
    given = {"theta_j": 0.5, "theta_0": 0.25, "threshold": 0.0, "epsilon": 0.0}
    plain = {"layered": False, "average": False, "doubt": 0.0, "around": 0.0, "least": 0.0}
    strategy = Hopfield(**{**given, **plain, **settings})  # type: ignore[arg-type]
    begun(strategy)
    return strategy


def test_the_sigmoid_has_its_middle_at_theta_j_and_its_slope_by_theta_0() -> None:
    net = Net(0.5, 0.25)
    assert net.squash(0.5) == 0.5
    assert net.squash(0.75) == pytest.approx(0.7310586)
    assert net.squash(0.0) == pytest.approx(0.1192029)
    assert Net(0.5, 0.0001).squash(-10.0) == pytest.approx(0.0)
    assert Net(0.5, 0.0001).squash(10.0) == 1.0
    assert Net(0.5, 0.0).squash(0.6) == 1.0


def test_a_start_is_fully_active_until_its_relevance_is_known() -> None:
    # f(1 * 1) = f(1) = 0.8808; through a link of weight 1 the child has f(0.8808) = 0.8211
    assert by_url(printed().page(digest(A, 1.0, {B: "hive"}))) == {B: pytest.approx(0.8210, abs=1e-4)}
    # f(1 * 0.5) = 0.5
    assert by_url(printed().page(digest(A, 0.5, {B: "hive"}))) == {B: pytest.approx(0.5)}


def test_a_link_weighs_what_its_anchor_has_of_the_topic() -> None:
    ranked = by_url(printed().page(digest(A, 0.5, {B: "hive", C: "hive road", D: "road"})))
    assert ranked == {B: pytest.approx(f(0.5)), C: pytest.approx(f(0.5 / 2**0.5)), D: pytest.approx(f(0.0))}


def test_words_around_and_the_least_weight_join_the_anchor_s_up_to_one() -> None:
    page = inside(A, 0.5, B, ["hive", "road"], anchor=1)
    assert by_url(printed(around=0.4).page(page)) == {B: pytest.approx(f(0.5 * 0.4))}
    assert by_url(printed(around=0.4, reach=0).page(page)) == {B: pytest.approx(f(0.0))}
    assert by_url(printed(around=0.4, least=0.1).page(page)) == {B: pytest.approx(f(0.5 * 0.5))}
    assert by_url(printed(around=0.8, least=0.3).page(page)) == {B: pytest.approx(f(0.5))}


def test_every_parent_adds_to_the_sum() -> None:
    strategy = printed()
    first = by_url(strategy.page(digest(A, 0.5, {C: "hive"})))[C]
    second = by_url(strategy.page(digest(B, 1.0, {C: "hive"})))[C]
    assert first == pytest.approx(f(0.5))
    assert second == pytest.approx(f(0.5 + f(1.0)))
    assert list(strategy.revise()) == []


def test_a_visited_page_passes_on_its_activation_times_its_relevance() -> None:
    strategy = printed()
    strategy.page(digest(A, 0.5, {B: "hive"}))  # B is active by f(0.5) = 0.5
    ranked = by_url(strategy.page(digest(B, 0.6, {C: "hive"})))
    assert ranked == {C: pytest.approx(f(f(0.5 * 0.6)))}


def test_unjudged_the_page_s_words_are_its_relevance() -> None:
    page = digest(A, 0.0, {B: "hive"}, terms={"hive": 2}, words=2)
    assert by_url(printed(judged=False).page(page)) == {B: pytest.approx(f(f(1.0)))}


def test_on_average_a_silent_parent_calms_a_url_down_and_the_next_revision_tells() -> None:
    strategy = printed(average=True, doubt=1.0)
    assert by_url(strategy.page(digest(A, 0.5, {C: "hive"}))) == {C: pytest.approx(f(0.5 / 2))}
    assert by_url(strategy.page(digest(B, 0.5, {C: "road"}))) == {C: pytest.approx(f(0.5 / 3))}
    [calmer] = strategy.revise()
    assert calmer == (C, pytest.approx(f(0.5 / 3)), "activation 0.21 from 2 pages")
    assert list(strategy.revise()) == []


def test_what_was_visited_is_not_revised() -> None:
    strategy = printed(average=True)
    strategy.page(digest(A, 0.5, {C: "hive"}))
    strategy.page(digest(B, 0.5, {C: "road"}))
    strategy.page(digest(C, 0.5, ()))
    strategy.page(digest(D, 0.5, {C: "road", A: "hive"}))
    strategy.page(digest(E, 0.5, {C: "road", A: "road"}))
    assert list(strategy.revise()) == []


def test_urls_under_the_threshold_come_last_and_the_reason_says_so() -> None:
    strategy = printed(threshold=0.4)
    ranked = {one.url: one for one in strategy.page(digest(A, 0.5, {B: "hive", C: "road"}))}
    assert ranked[B].priority == pytest.approx(0.5)
    assert ranked[C].priority < LAST
    assert ranked[C].reason.startswith("activation 0.12 from one page, last from one on topic with 0.50")
    assert ranked[C].reason.endswith("by a link worth 0.00, under the threshold of 0.4")
    assert by_url(strategy.page(digest(D, 1.0, {C: "hive"})))[C] > 0


def test_in_layers_all_of_one_goes_before_any_of_the_next() -> None:
    strategy = printed(layered=True)
    first = by_url(strategy.page(digest(A, 0.5, {B: "hive", C: "road"})))
    second = by_url(strategy.page(digest(B, 1.0, {D: "hive"})))
    assert first[B] > first[C] > second[D]


def test_in_layers_a_url_hears_only_the_layer_before_its_own() -> None:
    strategy = printed(layered=True)
    found = by_url(strategy.page(digest(A, 0.5, {B: "hive", C: "hive"})))
    again = by_url(strategy.page(digest(B, 1.0, {C: "hive", D: "hive"})))
    assert again[C] == found[C]
    third = by_url(strategy.page(digest(C, 1.0, {D: "hive"})))
    assert third[D] > again[D]


def test_in_layers_the_net_dies_out_when_a_layer_was_next_to_still() -> None:
    strategy = printed(layered=True, epsilon=0.3)
    strategy.page(digest(A, 0.5, {B: "hive"}))
    alive = by_url(strategy.page(digest(B, 0.0, {C: "hive"})))  # B is active by f(0) = 0.12 after its visit
    assert alive[C] > LAST
    [dead] = strategy.page(digest(C, 0.9, {D: "hive"}))
    assert dead.priority < LAST
    assert dead.reason.endswith("in layer 3, after the net had died out")
    again = printed(layered=True, epsilon=0.3)
    again.load(strategy.save())
    assert by_url(again.page(digest(D, 0.9, {E: "hive"})))[E] < LAST


def test_a_layer_alive_on_average_goes_on() -> None:
    strategy = printed(layered=True, epsilon=0.3)
    strategy.page(digest(A, 0.5, {B: "hive", C: "hive"}))
    strategy.page(digest(B, 0.0, {D: "hive"}))
    strategy.page(digest(C, 1.0, {D: "hive"}))  # (0.12 + f(0.5)) / 2 = 0.31
    assert by_url(strategy.page(digest(D, 0.9, {E: "hive"})))[E] > LAST
