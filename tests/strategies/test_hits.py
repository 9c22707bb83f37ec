"""Hubs and authorities: golden numbers of the estimates, and what the computation changes."""

from __future__ import annotations

import math

import pytest

from honeyguide.strategies import make

from .tiny import A, B, C, D, E, begun, digest

SUM = {"mean": "false"}


def test_the_first_page_is_a_hub_of_1_and_hands_on_its_relevance() -> None:
    strategy = begun(make("hits", SUM))
    assert strategy.show(digest(A, 0.8, [B, C])) == pytest.approx({B: 0.8, C: 0.8})


def test_a_new_page_is_a_hub_by_what_it_links_to_and_hands_that_on_at_once() -> None:
    strategy = begun(make("hits", SUM))
    strategy.show(digest(A, 0.8, [B, C]))
    # B and C have 1 now, A's sum was 1 * .8 + 1 * .8, theirs 1 * .8.
    assert strategy.revise() == pytest.approx({B: 1.0, C: 1.0})
    # B is expected to be (.8 + .5) / 2 relevant: D's hub score is .65 / 1.6, and half of it over .8 goes on.
    given = 0.5 * (0.65 / 1.6) / 0.8
    assert strategy.show(digest(D, 0.5, [B, E])) == pytest.approx({B: 1 + given, E: given})


def test_authority_is_divided_by_the_pages_that_link_there() -> None:
    strategy = begun(make("hits", {"few": "3"}))
    assert strategy.show(digest(A, 0.8, [B, C])) == pytest.approx({B: 0.8 / 4, C: 0.8 / 4})
    strategy.revise()
    given = 0.5 * (0.65 / 1.6) / 0.8
    assert strategy.show(digest(D, 0.5, [B, E])) == pytest.approx({B: (1 + given) / 5, E: given / 4})


def test_the_computation_finds_the_leading_vectors_of_the_weighted_graph() -> None:
    strategy = begun(make("hits", SUM | {"rounds": "200"}))
    for page in (digest(A, 1.0, [C, D]), digest(B, 0.5, [C])):
        strategy.show(page)
    # R(A) = 1, R(B) = 1/2; C is expected to be 3/4 relevant, D as A is. So c = h(A) + h(B) / 2, d = h(A),
    # h(A) = 3/4 c + d, h(B) = 3/4 c: (9/8 1; 3/4 1) has the eigenvalue x = (17 + sqrt(193)) / 16, d = c (x - 9/8).
    x = (17 + math.sqrt(193)) / 16
    assert strategy.revise() == pytest.approx({C: 1.0, D: x - 9 / 8}, rel=1e-3)


def test_each_computation_goes_on_from_the_one_before() -> None:
    strategy = begun(make("hits", SUM | {"rounds": "1", "weighted": "false"}))
    strategy.show(digest(B, 0.5, [C]))
    strategy.show(digest(A, 0.5, [C, D]))
    for number in range(30):  # one round of the computation each, with links that change nothing of it
        strategy.show(digest(f"http://{number}.test/", 0.5, []))
        strategy.strategy._settled = 0  # type: ignore[attr-defined]
        moved = strategy.revise()
    assert moved[D] == pytest.approx((math.sqrt(5) - 1) / 2, rel=1e-3)


def test_a_page_visited_again_does_not_count_twice() -> None:
    strategy = begun(make("hits", SUM))
    for _ in range(3):
        strategy.show(digest(A, 0.4, [B, C]))
    strategy.revise()
    given = 0.5 * (0.45 / 0.8) / 0.4
    assert strategy.show(digest(D, 0.5, [B, E])) == pytest.approx({B: 1 + given, E: given})


def test_plain_hits_takes_no_heed_of_relevance() -> None:
    strategy = begun(make("hits", SUM | {"rounds": "200", "weighted": "false"}))
    assert strategy.show(digest(A, 0.1, [C, D])) == {C: 1.0, D: 1.0}
    strategy.show(digest(B, 0.9, [C]))
    golden = (math.sqrt(5) - 1) / 2
    assert strategy.revise() == pytest.approx({C: 1.0, D: golden}, rel=1e-3)


def test_a_page_linked_from_good_hubs_goes_before_one_linked_from_poor_ones() -> None:
    strategy = begun(make("hits"))
    good, poor = [f"http://good.test/{n}" for n in range(6)], [f"http://poor.test/{n}" for n in range(6)]
    for number in range(3):
        strategy.show(digest(f"http://g.test/{number}", 0.9, [*good, f"http://fresh.test/{number}"]))
        strategy.show(digest(f"http://p.test/{number}", 0.1, [*poor, f"http://stale.test/{number}"]))
        strategy.revise()
    strategy.show(digest(A, 0.9, [*good, B]))
    priorities = strategy.show(digest(C, 0.9, [B, D]))
    assert priorities[B] > 10 * priorities[D]


def test_links_within_a_host_can_be_left_out() -> None:
    strategy = begun(make("hits", SUM | {"own_host": "0"}))
    inside = "http://a.test/inside"
    assert strategy.show(digest(A, 0.8, [inside, B])) == pytest.approx({inside: 0.0, B: 0.8})
    assert strategy.revise() == pytest.approx({inside: 0.0, B: 1.0})


def test_a_feed_is_worth_what_led_to_it() -> None:
    strategy = begun(make("hits", SUM))
    strategy.show(digest(A, 0.8, [B, C]))
    feed = strategy.show(digest(B, 0.0, [D], kind="feed"))
    assert feed == pytest.approx({D: 0.8})
    strategy = begun(make("hits", SUM))
    assert strategy.show(digest(A, 0.0, [B], kind="sitemap")) == pytest.approx({B: 0.5})


def test_nothing_is_computed_before_the_graph_has_grown_by_more_than_a_tenth() -> None:
    strategy = begun(make("hits", SUM))
    many = [f"http://many.test/{number}" for number in range(40)]
    strategy.show(digest(A, 0.5, many))
    assert len(list(strategy.revise())) == 40
    for number in range(4):
        strategy.show(digest(many[number], 0.9, [many[-1]]))
        assert list(strategy.revise()) == []
    strategy.show(digest(many[4], 0.9, [many[-1]]))
    assert len(list(strategy.revise())) > 30


def test_a_crawl_without_any_relevance_goes_on() -> None:
    strategy = begun(make("hits"))
    for page in (digest(A, 0.0, [B, C]), digest(B, 0.0, [C, D])):
        assert set(strategy.show(page).values()) == {0.0}
        assert set(strategy.revise().values()) == {0.0}


def test_reasons_name_the_best_hub() -> None:
    strategy = begun(make("hits"))
    strategy.show(digest(A, 0.8, [B, C]))
    strategy.revise()
    strategy.show(digest(D, 0.1, [B]))
    assert strategy.reason(B) == f"linked from 2 pages (best hub, 1.00: {A})"
    strategy = begun(make("hits"))
    long = "http://long.test/" + "x" * 1_900
    strategy.show(digest(long, 0.9, [B, C]))
    assert len(strategy.reason(B)) < 200
