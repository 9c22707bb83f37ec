"""Algorithm 1's bar: each line of the rule, and where it comes to rest."""

from __future__ import annotations

import itertools

import pytest

from honeyguide.strategies.news_threshold import ExtractionTally, Knobs

KNOBS = Knobs(alpha=1.1, mu=0.5, beta=2.0, gamma=0.5, expected=10.0, every=20, first=0)


def closed(extracted: int, sure: int, *, before: int = 10, knobs: Knobs = KNOBS) -> tuple[float, str]:
    """What an interval of twenty answers brings, after one in which so many pages were extracted."""
    tally = ExtractionTally()
    for many, certain in ((before, before), (extracted, sure)):
        for place in range(many):
            tally.extract(sure=place < certain)
        ended = [tally.answered(knobs) for _ in range(knobs.every)]
        assert ended == [False] * (knobs.every - 1) + [True]
        found = tally.close(knobs)
    return found


@pytest.mark.parametrize(
    ("extracted", "sure", "factor"),
    [
        (15, 15, 1.1),  # plenty
        (15, 7, 2.0),  # plenty, too little of it on topic: the line that is printed second, and hidden there
        (15, 8, 1.1),
        (5, 5, 0.5),  # starving
        (5, 0, 0.5),
        (10, 0, 1.0),  # as expected
    ],
)
def test_each_line_of_the_rule(extracted: int, sure: int, factor: float) -> None:
    found, reason = closed(extracted, sure)
    assert found == factor
    assert (f"{extracted} pages extracted where 10 were expected" in reason) == (factor != 1.0)
    assert ("only 7 of them surely on topic" in reason) == (factor == 2.0)


@pytest.mark.parametrize(("extracted", "before"), [(15, 0), (5, 20)])
def test_an_interval_alone_moves_nothing_while_the_plan_says_otherwise(extracted: int, before: int) -> None:
    assert closed(extracted, extracted, before=before) == (1.0, "")


def test_nothing_moves_before_the_first_interval_begins() -> None:
    tally, knobs = ExtractionTally(), KNOBS._replace(first=7, every=3)
    assert [tally.answered(knobs) for _ in range(10)].index(True) == 9


def test_intervals_grow_with_the_crawl_and_so_does_what_is_expected() -> None:
    tally, ends = ExtractionTally(), []
    for answer in range(4_000):
        tally.extract(sure=True)
        if tally.answered(KNOBS):
            ends.append(answer + 1)
            tally.close(KNOBS)
    lengths = [after - before for before, after in itertools.pairwise(ends)]
    assert lengths[0] == 20
    assert lengths[-1] == pytest.approx(4_000 / 20, rel=0.1)
    assert tally.plan == pytest.approx(ends[-1] / 2)


@pytest.mark.parametrize("start", [0.01, 0.9])
def test_it_comes_to_rest_where_as_much_is_extracted_as_was_expected(start: float) -> None:
    tally, threshold = ExtractionTally(), start
    likes = [place / 100 for place in range(100)]  # half of the pages are over 0.5
    seen = []
    for interval in range(150):
        page = likes[interval % 5 :: 5]
        for like in page:
            if like >= threshold:
                tally.extract(sure=like >= 0.4)
        for _ in page:
            tally.answered(KNOBS._replace(gamma=0.95))
        threshold = min(0.95, threshold * tally.close(KNOBS._replace(gamma=0.95, beta=1.3))[0])
        seen.append(threshold)
    assert all(0.4 <= one <= 0.6 for one in seen[-30:])
