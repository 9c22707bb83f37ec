"""The news model's links: what is inherited through pages on and off the topic, by numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.errors import SettingError
from honeyguide.strategies import make
from honeyguide.strategies.news import News

from .tiny import A, B, C, Crawl, D, E, begun, digest

EASY = {"doubt": 0.0, "own": 0.0, "words": 1.0, "rho": 0.0, "sigma": 0.5}


def news(**settings: object) -> Crawl:
    """With settings that make sums easy: Val alone counts, and half of it is lost behind a page off the topic."""
    return begun(News(**{**EASY, **settings}))


def test_a_page_on_topic_passes_its_val_on_whole_and_one_off_topic_a_share() -> None:
    assert news().show(digest(A, 1.0, [B])) == {B: 1.0}
    assert news().show(digest(A, 0.0, [B])) == {B: 0.5}
    assert news(val=4.0).show(digest(A, 1.0, [B])) == {B: 4.0}


def test_the_walk_goes_on_through_blocked_pages_and_sinks_with_each() -> None:
    crawl = news()
    crawl.show(digest(A, 1.0, [B]))
    crawl.show(digest(B, 0.0, [C]))
    assert crawl.show(digest(C, 0.0, [D])) == {D: 0.25}
    assert "Val 0.25 from one page, all off the topic" in crawl.reason(D)


def test_a_page_found_behind_a_blocked_one_begins_a_channel_of_its_own() -> None:
    crawl = news()
    crawl.show(digest(A, 0.0, [B]))
    assert crawl.show(digest(B, 1.0, [C])) == {C: 1.0}
    assert "off the topic" not in crawl.reason(C)


def test_a_url_has_the_mean_of_its_parents_and_doubt_counts_as_worthless_ones() -> None:
    crawl = news(doubt=1.0)
    assert crawl.show(digest(A, 1.0, [C])) == {C: 0.5}
    assert crawl.show(digest(B, 0.0, [C])) == {C: 0.5}  # (1 + 0.5) / (2 + 1)


def test_a_link_whose_own_priority_is_under_rho_inherits_a_share() -> None:
    crawl = news(rho=0.5)
    assert crawl.show(digest(A, 1.0, {B: "hive", C: "road"})) == {B: 1.0, C: 0.5}
    assert "under rho 0.5" in crawl.reason(C)
    assert "under" not in crawl.reason(B)


def test_what_its_links_say_has_a_share_in_the_order() -> None:
    assert news(own=0.25).show(digest(A, 0.0, {B: "hive", C: "road"})) == {B: 0.75 * 0.5 + 0.25, C: 0.75 * 0.5}


def test_a_feed_blocks_nothing() -> None:
    assert news().show(digest(A, 0.0, [B], kind="feed")) == {B: 1.0}


def test_where_a_redirect_leads_inherits_what_its_source_did_and_keeps_it() -> None:
    crawl = news(t=1)
    crawl.show(digest(A, 0.0, [B]))
    crawl.moved(B, C)
    priorities = crawl.revise()
    assert priorities[C] == 0.5


def test_as_printed_content_blocks_nothing_and_the_best_parent_counts() -> None:
    crawl = news(printed=True, sigma=0.5, rho=0.9)
    crawl.show(digest(A, 0.0, [B, C]))  # nothing is known of any PageRank: all stand above all that waited
    assert crawl.show(digest(B, 0.0, [C, D])) == {C: 1.0, D: 1.0}
    assert "links say" not in crawl.reason(D)


def test_pagerank_gives_a_link_its_own_priority_anew_at_intervals() -> None:
    crawl = news(printed=True, rho=0.9, t=3)
    crawl.show(digest(A, 1.0, [C, D, E]))
    assert crawl.revise() == {}
    crawl.show(digest(B, 1.0, [E]))
    crawl.strategy.missed(crawl.number("http://gone.test/", parent=0), "missing")
    found = crawl.revise()
    assert found[E] == 1.0
    assert found[C] == found[D] == 0.5


def test_verdicts_that_turned_count_at_the_next_interval() -> None:
    crawl = news(t=2)
    crawl.show(digest(A, 0.0, [B]))
    number = crawl.number(A)
    crawl.writer.judged(number, 1.0, True)
    crawl.strategy.turned(np.array([number]))
    crawl.show(digest(C, 0.0, [D]))
    assert crawl.revise() == {B: 1.0, D: 0.5}


def test_what_was_learnt_is_the_same_after_a_resume() -> None:
    crawl = news(t=2, rho=0.3, own=0.5, doubt=0.5)
    crawl.show(digest(A, 1.0, {B: "hive", C: "road"}, terms={"hive": 3, "queen": 2}, words=5))
    crawl.show(digest(B, 0.6, [D], terms={"hive": 1, "comb": 2}, words=3))
    crawl.revise()
    old = crawl.resumed(News(**{**EASY, "t": 2, "rho": 0.3, "own": 0.5, "doubt": 0.5}))
    page = digest(C, 0.9, {E: "queen", D: "comb hive"}, terms={"comb": 1}, words=1)
    fresh = crawl.show(page)
    assert old.adapted() != []
    numbered = crawl.numbered(page)
    numbered.__dict__["targets"] = np.array([link.id for link in numbered.links])
    again = old.page(numbered)
    assert fresh == {crawl.graph.url(int(a)): b for a, b in zip(*again, strict=True)}
    assert crawl.strategy.adapted() == old.adapted()


@pytest.mark.parametrize(("told", "name"), [("T", "t"), ("Sum(T)", "sum_t"), ("σ", "sigma"), ("Val", "val")])
def test_settings_go_by_the_names_of_the_paper_too(told: str, name: str) -> None:
    assert make("news", {told: "1"}).settings[name] == 1


def test_settings_that_make_no_sense_are_refused_before_the_crawl() -> None:
    for name, value in (("gamma", "1.5"), ("alpha", "0.9"), ("t", "0"), ("sigma", "-1"), ("threshold", "2")):
        with pytest.raises(SettingError, match=f"setting '{name}' of strategy 'news' must lie between"):
            make("news", {name: value})
    with pytest.raises(SettingError, match="given twice, the second time as 'σ'"):
        make("news", {"sigma": "0.1", "σ": "0.2"})
