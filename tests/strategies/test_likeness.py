"""What links say of the topic: told for all links of a page at once, as it is worked out for each alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.page.digest import Block, Digest, Link
from honeyguide.strategies import Brief
from honeyguide.strategies.likeness import Likeness, Look, Said
from honeyguide.topic import Topic

from .tiny import Web

TOPIC = Topic(name="bees", keywords={"hive": 1.0, "wax": 0.5, "2014": 0.5})
WORDS = st.sampled_from(["hive", "wax", "road", "rail", "bee", "2014"])
URLS = st.sampled_from(["http://a.test/", "http://b.test/the-hives", "http://c.test/Road_2014", "http://d.test/x1y2"])


@st.composite
def pages(draw: st.DrawFn) -> Digest:
    """Pages of a few blocks; some links stand in none of them."""
    blocks = [Block("body/p", 0, -1, True, draw(st.lists(WORDS, max_size=9))) for _ in range(draw(st.integers(0, 3)))]
    links = []
    for _ in range(draw(st.integers(0, 5))):
        block = draw(st.integers(-1, len(blocks) - 1))
        size = len(blocks[block].terms) if block >= 0 else 0
        start, end = sorted(draw(st.tuples(st.integers(0, size), st.integers(0, size))))
        links.append(Link(draw(URLS), draw(st.sampled_from(["", "wax", "a road"])), block, start, end))
    return Digest(url="http://z.test/", fetched=0.0, kind="html", language="en", blocks=blocks, links=links)


def _each(look: Look, page: Digest, reach: int, among: set[int]) -> list[Said]:
    """The definition: every link compared by itself, those kept that share anything."""
    found = []
    for link in page.links:
        if link.id not in among:
            continue
        (name,), (shown,) = page.named([link]), page.shown([link])
        inside = bool(reach) and link.block >= 0
        own = look.words((*(page.anchor_terms(link) if inside else shown), *name))
        beside = look.words(tuple(page.around(link, reach))) if inside else 0.0
        if own or beside:
            found.append(Said(link.id, own, beside))
    return found


@pytest.mark.parametrize("reach", [0, 1, 3])
@given(drawn=st.lists(pages(), min_size=1, max_size=3), left_out=st.integers(0, 4))
def test_all_links_are_told_as_each_would_be(reach: int, drawn: list[Digest], left_out: int) -> None:
    web = Web()
    likeness = Likeness(Brief(TOPIC, [], web.graph))
    other = Likeness(Brief(TOPIC, [], web.graph))
    for page in map(web.visit, drawn):
        likeness.learn(page)
        other.learn(page)
        among = {link.id for link in page.links if link.id != left_out}
        expected = _each(likeness.look(), page, reach, among)
        assert likeness.look().telling(page, reach, among) == expected
        alike = other.look_for(other._places, other._values)  # by words that may be others the next time
        assert alike.telling(page, reach, among) == expected


def test_when_many_pages_were_counted_one_in_four_is() -> None:
    likeness = Likeness(Brief(TOPIC, [], Web().graph))
    page = Digest(url="http://z.test/", fetched=0.0, kind="html", terms={"hive": 2, "road": 1})
    for _ in range(1_002):
        likeness.learn(page)
    assert likeness.pages == likeness.frequency["road"] == 1_000
    again = Likeness(Brief(TOPIC, [], Web().graph))
    again.load(likeness.save())
    for one in (likeness, again):
        one.learn(page)
        assert one.frequency["road"] == 1_000
        one.learn(page)
        assert one.pages == one.frequency["road"] == 1_001
