"""Where links lead: whatever was met before, the same as if each were worked out by itself."""

from __future__ import annotations

import sys
from urllib.parse import quote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from honeyguide.page.addresses import NOWHERE, Addresses
from honeyguide.web.urls import Base

PAGES = (
    "http://a.test/",
    "http://a.test/x/y.html",
    "http://a.test/x/z?q=1",
    "http://a.test/x//w",
    "https://a.test/x/y.html",
    "http://b.test:8080/x/y",
)
PIECES = "/ // . .. ./ ../ ? # : a b.html x= http: https: http:// b.test mailto: \\ % %2e \t \n é 茶 @ &".split(" ")
LINKS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=5).map("".join),
    st.text(max_size=8),
    st.sampled_from(
        ["", "#", "#top", "?page=2", "http:?x", "http:x", "/y.html", "y.html", "//b.test/", "/" + "p" * 400]
    ),
)


def keep(url: str) -> bool:
    return "b.html" not in url


@given(st.lists(st.tuples(st.sampled_from(PAGES), st.lists(LINKS, max_size=8)), max_size=8))
@example(
    [
        ("http://a.test/x/y.html", ["http:?x", "?x", "#x", "", "z"]),
        ("http://a.test/x/z?q=1", ["http:?x", "?x", "#x", "", "z"]),
    ]
)
@settings(max_examples=500, deadline=None)
def test_a_link_leads_to_the_same_place_whatever_was_met_before(visits: list[tuple[str, list[str]]]) -> None:
    addresses = Addresses(keep)
    for page, links in visits:
        base = Base(page)
        expected = {link: url if (url := base.join(link)) and keep(url) else NOWHERE for link in links}
        assert addresses.of(base, links) == expected


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["honeyguide.page.addresses"], "_MOST", 10)
    addresses = Addresses()
    for number in range(50):
        addresses.of(Base(f"http://a.test/{number}/"), [f"/{number}", f"y{number}", "z", "/" + quote("é") * 100])
        assert sum(map(len, addresses._met.values())) <= 10 + 3
