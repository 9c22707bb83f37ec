"""No strategy's page costs more as the crawl grows, nor takes more than a little memory for each known URL."""

from __future__ import annotations

import pytest
from benchmarks.growth import MOST_MS, grow, held

from honeyguide.strategies import known

NAMES = [name for name, kind in known().items() if kind.__module__.startswith("honeyguide.")]
PAGES = {"guide": 2_000, "semrank": 1_000}  # their queues soon are larger than what they rank anew; others 3,000
A_MILLISECOND = 10  # measures of work; six to nine where the benchmark's limits were set

pytestmark = [
    pytest.mark.gate,
    pytest.mark.no_cover,  # what is measured is the strategy, not the watch over its lines
]


@pytest.mark.parametrize("name", NAMES)
def test_the_cost_of_a_page_does_not_grow_with_the_crawl(name: str) -> None:
    # By a piece of work done beside every page, so that a slow machine and a busy moment count for nothing.
    runs = []
    for _ in range(3):
        runs.append(grow(name, PAGES.get(name, 3_000)))
        # Whole queues are ranked anew when the crawl has grown by a tenth; by guide, its best 4,096 every 5 answers.
        assert runs[-1]["moved"] < (1_200 if name == "guide" else 250)
        tenths = runs[-1]["measures"]
        if tenths[-1] < 2 * tenths[1] and sum(tenths) / 10 < A_MILLISECOND * MOST_MS.get(name, 1.0):
            return
    pytest.fail(f"it grows, or costs too much: {[run['measures'] for run in runs]}")


@pytest.mark.parametrize("name", NAMES)
def test_a_known_url_takes_little_memory(name: str) -> None:
    # From half of these pages on, when the tables that are bounded have their size: soon with guide, whose pages cost
    # most, later with the others' samples of texts, last where links that were followed are sampled too.
    count = {"guide": 800, "future": 2_000, "bloch": 2_000}.get(name, 1_500)
    assert held(name, count) < 600 or held(name, count) < 600  # what is loaded once is there at the second time
