"""The gate of what is read of a page: on news pages of today it tells what their articles are about."""

from __future__ import annotations

from pathlib import Path

from benchmarks.meaning import measure


def test_the_article_nearest_to_what_is_read_of_a_page_is_its_own(shared: Path) -> None:
    found = measure(shared)
    size, own, like = found["page"]
    assert size > 150
    assert own >= 0.98
    assert like >= 0.85
    assert own > found["title"][1]
