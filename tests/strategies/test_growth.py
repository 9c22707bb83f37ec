"""No strategy's page costs more as the crawl grows, nor takes more than a little memory for each known URL."""

from __future__ import annotations

import pytest
from benchmarks.growth import MOST_MS, grow, held

from honeyguide.strategies import known

NAMES = [name for name, kind in known().items() if kind.__module__.startswith("honeyguide.")]


@pytest.mark.parametrize("name", NAMES)
def test_the_cost_of_a_page_does_not_grow_with_the_crawl(name: str) -> None:
    result = grow(name, 3_000)
    assert result["tenths"][-1] < 2 * result["tenths"][1] + 0.1
    assert result["ms"] < MOST_MS.get(name, 1.0)
    assert result["moved"] < 30


@pytest.mark.parametrize("name", NAMES)
def test_a_known_url_takes_little_memory(name: str) -> None:
    assert held(name, 1_500) < 600  # the vocabulary, which is bounded, included
