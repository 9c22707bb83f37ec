"""The random order is fair, is set by its seed, and asks nothing of a page."""

from __future__ import annotations

from itertools import pairwise

from honeyguide.strategies.random_order import Random

from .tiny import A, B, begun, digest

URLS = [f"http://h.test/{number}" for number in range(10_000)]


def test_lots_are_spread_evenly_whatever_the_order_of_the_links() -> None:
    lots = list(begun(Random()).show(digest(A, 1.0, URLS)).values())
    assert all(0.0 <= lot < 1.0 for lot in lots)
    for part in range(10):
        assert 880 < sum(part <= lot * 10 < part + 1 for lot in lots) < 1120  # four times the spread chance allows
    rising = sum(first < second for first, second in pairwise(lots))
    assert 4880 < rising < 5120


def test_a_url_draws_the_same_lot_wherever_it_is_found() -> None:
    strategy = begun(Random())
    first = strategy.show(digest(A, 1.0, URLS))
    assert strategy.show(digest(B, 0.0, reversed(URLS))) == first
    assert begun(Random()).show(digest(B, 0.0, URLS)) == first


def test_another_seed_gives_another_order() -> None:
    orders = []
    for seed in (0, 1, -1, 2**63):
        lots = begun(Random(), seed=seed).show(digest(A, 1.0, URLS[:50]))
        orders.append(sorted(lots, key=lots.__getitem__))
    assert len({tuple(order) for order in orders}) == 4
