"""Words and their relations: the rules of ISA and Part-Of, what counts and what does not, and the cold start."""

from __future__ import annotations

import pytest

from honeyguide.strategies.lexicon import Lexicon
from honeyguide.topic.click_lines import Session
from honeyguide.topic.clicks import ClickLog

from .tiny import A, B, C, D, Web, digest


def told(
    log: ClickLog | None,
    *pages: tuple[str, tuple[str, ...], list[str]],
    support: int = 1,
    apart: bool = False,
    parts: bool = True,
) -> tuple[Lexicon, Web]:
    """A lexicon that has met pages: address, links, keywords."""
    web = Web()
    lexicon = Lexicon(web.graph, log, support, beside=False, apart=apart, parts=parts)
    for url, links, words in pages:
        lexicon.learn(web.visit(digest(url, 0.5, links)), words)
    return lexicon, web


def pairs(lexicon: Lexicon, kind: str) -> set[tuple[str, str]]:
    return {(one.one, one.other) for one in lexicon.relations() if one.kind == kind}


def test_words_of_one_user_that_led_to_the_same_page_are_alike() -> None:
    log = ClickLog.of([Session("ann", "", "bee", [A]), Session("ann", "", "wasp", [A])])
    lexicon, _ = told(log, (A, (), ["bee", "wasp"]))
    assert pairs(lexicon, "isa") == {("bee", "wasp")}


def test_words_of_users_of_one_group_are_alike_and_those_of_strangers_are_not() -> None:
    log = ClickLog.of(
        [Session("ann", "g", "bee", [A]), Session("bob", "g", "wasp", [A]), Session("cem", "h", "hornet", [A])]
    )
    lexicon, _ = told(log, (A, (), ["bee", "wasp", "hornet"]))
    assert pairs(lexicon, "isa") == {("bee", "wasp")}


def test_a_page_must_have_the_word_itself() -> None:
    log = ClickLog.of([Session("ann", "", "bee", [A]), Session("ann", "", "zebra", [A])])
    lexicon, _ = told(log, (A, (), ["bee", "wasp"]))
    assert lexicon.relations() == []


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_page_of_the_whole_links_to_that_of_the_part(order: tuple[int, int]) -> None:
    log = ClickLog.of([Session("ann", "", "hive", [A]), Session("ann", "", "comb", [B])])
    pages = [(A, (B,), ["hive"]), (B, (), ["comb"])]
    lexicon, web = told(log, *(pages[place] for place in order))
    assert pairs(lexicon, "part-of") == {("hive", "comb")}
    (one,) = lexicon.relations()
    assert one.pages == [(web.number(A), web.number(B))]


def test_where_both_hold_words_are_alike() -> None:
    log = ClickLog.of([Session("ann", "", "hive", [A, B, C]), Session("ann", "", "comb", [B, C])])
    lexicon, _ = told(log, (A, (B,), ["hive"]), (B, (), ["hive", "comb"]))
    assert pairs(lexicon, "isa") == {("comb", "hive")}
    assert pairs(lexicon, "part-of") == set()


def test_a_relation_counts_once_it_was_seen_often_enough() -> None:
    log = ClickLog.of([Session("ann", "", word, [A, B]) for word in ("bee", "wasp")])
    once, _ = told(log, (A, (), ["bee", "wasp"]), support=2)
    twice, _ = told(log, (A, (), ["bee", "wasp"]), (B, (), ["bee", "wasp"]), support=2)
    again, _ = told(log, (A, (), ["bee", "wasp"]), (A, (), ["bee", "wasp"]), support=2)
    assert once.relations() == again.relations() == []
    assert [one.support for one in twice.relations()] == [2]


def test_words_of_one_query_alone_may_be_kept_apart() -> None:
    names = [Session("ann", "", "queen bee", [A]), Session("ann", "", "bee queen", [A]), Session("ann", "", "wax", [A])]
    page = (A, (), ["queen", "bee", "wax"])
    assert pairs(told(ClickLog.of(names), page)[0], "isa") == {("bee", "queen"), ("bee", "wax"), ("queen", "wax")}
    assert pairs(told(ClickLog.of(names), page, apart=True)[0], "isa") == {("bee", "wax"), ("queen", "wax")}
    both = ClickLog.of([*names, Session("ann", "", "bee", [A]), Session("ann", "", "queen", [A])])
    assert ("bee", "queen") in pairs(told(both, page, apart=True)[0], "isa")


def test_parts_may_be_left_out_and_what_is_alike_stays() -> None:
    log = ClickLog.of(
        [Session("ann", "", word, [A]) for word in ("hive", "skep")]
        + [Session("ann", "", word, [B]) for word in ("comb", "hive")]
    )
    pages = [(A, (B,), ["hive", "skep"]), (B, (), ["comb"])]
    tables = [
        told(log, *pages, parts=parts)[0].alike(["comb", "skep"], ["hive"], ["hive"], 0.2) for parts in (True, False)
    ]
    assert tables[0][0, 0] > 0.0 == tables[1][0, 0]
    assert tables[0][1, 0] == tables[1][1, 0] == 1.0
    assert told(log, *pages)[0].kin(["hive", "comb"]) == {"hive", "skep", "comb"}


def test_a_word_s_probability_is_its_share_of_the_clicks_of_both_contexts() -> None:
    sessions = [Session("ann", "", "hive", [A]), Session("ann", "", "comb", [B, D]), Session("ann", "", "road", [C])]
    lexicon, _ = told(ClickLog.of(sessions), (A, (B,), ["hive"]), (B, (), ["comb"]))
    tree = lexicon.hierarchy(["comb"], ["hive"], ["hive"], 0.2)
    assert tree.root == "hive"
    assert tree.path == {"hive": 0, "comb": 1}
    # p(hive) = 1/3, p(comb) = 2/3; "road" is in neither context. Ancestor-or-self: hive; w(hive) = 0, w(comb) = 1/1.2.
    assert tree.shared("hive", "comb") == "hive"
    assert lexicon.alike(["comb"], ["hive"], ["hive"], 0.2)[0, 0] == 1.0  # 2 log 1/3 / (log 2/3 / 1.2) is above 1


def test_parts_lead_from_words_of_the_base_to_words_of_the_current_pages_alone() -> None:
    log = ClickLog.of([Session("ann", "", "hive", [A]), Session("ann", "", "comb", [B])])
    lexicon, _ = told(log, (A, (B,), ["hive"]), (B, (), ["comb"]))
    assert lexicon.hierarchy(["comb"], ["hive"], ["hive"], 0.2).parts == {"hive": ["comb"]}
    assert lexicon.hierarchy(["hive"], ["comb"], ["hive"], 0.2).parts == {}


def test_a_cold_start_goes_by_the_pages_that_share_words() -> None:
    lexicon, _ = told(None, (A, (), ["bee", "hive"]), (B, (), ["bee", "hive"]), (C, (), ["bee", "road"]), support=2)
    table = lexicon.alike(["bee", "road"], ["hive", "bee"], [], 0.2)
    assert table[0].tolist() == pytest.approx([2 / (3 * 2) ** 0.5, 1.0])
    assert table[1].tolist() == [0.0, 0.0]
    assert lexicon.relations() == []
    assert lexicon.companions()[0][:3] == ("bee", "hive", 2)


def test_what_was_learnt_comes_back() -> None:
    log = ClickLog.of([Session("ann", "", "hive", [A]), Session("ann", "", "comb", [B])])
    lexicon, web = told(log, (A, (B,), ["hive", "bee"]))
    again = Lexicon(web.graph, log, 1)
    again.load(lexicon.save())
    for one in (lexicon, again):
        one.learn(web.visit(digest(B, 0.5, ())), ["comb"])
    assert again.relations() == lexicon.relations() != []


def test_pairs_of_words_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honeyguide.strategies.lexicon._PAIRS", 50)
    web = Web()
    lexicon = Lexicon(web.graph, None, 2)
    for number in range(100):
        page = web.visit(digest(f"http://a.test/{number}", 0.5, ()))
        lexicon.learn(page, ["bee", "hive", *(f"w{number}-{at}" for at in range(6))])
    assert sum(map(len, lexicon._together.values())) <= 2 * 50 + 56
    assert lexicon.companions()[0][:2] == ("bee", "hive")
