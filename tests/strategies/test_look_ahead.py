"""Immediate and future value, and the proportion in which they are mixed: by hand where a hand can reckon."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from honeyguide.errors import SettingError
from honeyguide.page.digest import Digest
from honeyguide.strategies import Brief, Earlier, Strategy
from honeyguide.strategies.bloch import Bloch
from honeyguide.strategies.contract import Walk, practice_web
from honeyguide.strategies.future import Future
from honeyguide.strategies.immediate import Immediate
from honeyguide.strategies.lessons import TERMS, Lessons, bags
from honeyguide.strategies.mixing import Mixing, ordered

from .tiny import TOPIC, A, B, C, Crawl, D, E, Web, begun, digest, inside

MIX = {
    "fitness": "order",
    "window": 200,
    "first": 0.5,
    "last": 0.5,
    "doubt": 0.0,
    "delta": 0.02,
    "mutation": 0.05,
    "generations": 200,
}


# -- immediate value --------------------------------------------------------------------------------------------


def test_a_link_is_worth_its_parents_and_its_own_words() -> None:
    crawl = begun(Immediate(rank=0.0, parent=0.6, doubt=0.0, around=0.0))
    ranked = crawl.show(digest(A, 0.5, {B: "hive", C: "road"}))
    assert ranked == {B: pytest.approx(0.6 * 0.5 + 0.4), C: pytest.approx(0.6 * 0.5)}


def test_parents_count_by_their_mean_with_a_worthless_one_in_doubt() -> None:
    crawl = begun(Immediate(rank=0.0, parent=1.0, doubt=1.0))
    assert crawl.show(digest(A, 0.8, [C])) == {C: pytest.approx(0.8 / 2)}
    assert crawl.show(digest(B, 0.2, [C])) == {C: pytest.approx(1.0 / 3)}


def test_what_links_say_counts_by_its_mean() -> None:
    crawl = begun(Immediate(rank=0.0, parent=0.0, around=0.0))
    assert crawl.show(digest(A, 0.5, {C: "hive"})) == {C: pytest.approx(1.0)}
    assert crawl.show(digest(B, 0.5, {C: "road"})) == {C: pytest.approx(0.5)}


def test_words_around_a_link_count_by_their_share() -> None:
    crawl = begun(Immediate(rank=0.0, parent=0.0, around=0.3))
    assert crawl.show(inside(A, 0.5, B, ["hive", "road"], anchor=1)) == {B: pytest.approx(0.3)}


def test_pagerank_lifts_what_many_link_to() -> None:
    crawl = begun(Immediate(rank=1.0))
    crawl.show(digest(A, 0.0, [C, D]))
    crawl.show(digest(B, 0.0, [C, E]))
    ranked = crawl.revise()
    # ranks 0.15 of A and B; C has 0.15 + 2 * 0.85 * 0.15 / 2, as r / (1 + r)
    assert ranked[C] == pytest.approx(0.2775 / 1.2775, abs=1e-4)
    assert ranked[C] > ranked[D] == pytest.approx(ranked[E])
    assert crawl.revise() == {}  # not grown since


def test_where_a_url_moved_to_is_worth_what_it_was() -> None:
    crawl = begun(Immediate(rank=0.0, doubt=0.0))
    before = crawl.show(digest(A, 0.5, {B: "hive"}))[B]
    crawl.moved(B, C)
    closeness = crawl.strategy._closeness  # type: ignore[attr-defined]
    assert closeness.values(np.array([crawl.number(C)]))[0] == pytest.approx(before)


def test_its_reason_says_what_is_known() -> None:
    crawl = begun(Immediate())
    crawl.show(digest(A, 0.5, {B: "hive", C: "road"}))
    told = crawl.reason(B)
    assert told.startswith("worth 0.")
    assert "the page linking there is 0.50 relevant" in told
    assert "what its links say is 0.60 like the topic" in told
    assert "its links say nothing of the topic" in crawl.reason(C)


# -- future value -----------------------------------------------------------------------------------------------


def places(count: int, kind: str) -> list[str]:
    return [f"http://{kind}{number}.test/" for number in range(count)]


def shown_a_web(strategy: Strategy, ways: int = 12) -> Crawl:
    """A start whose links say "gate" or "wall"; behind a gate there is a page on topic, behind a wall nothing is."""
    crawl = begun(strategy)
    gates, walls = places(ways, "g"), places(ways, "w")
    crawl.show(digest(A, 0.0, {**dict.fromkeys(gates, "old gate"), **dict.fromkeys(walls, "old wall")}))
    for number, (gate, wall) in enumerate(zip(gates, walls, strict=True)):
        behind, beyond = f"http://on{number}.test/", f"http://off{number}.test/"
        crawl.show(digest(gate, 0.0, {behind: "inside"}))
        crawl.show(digest(wall, 0.0, {beyond: "outside"}))
        crawl.show(digest(behind, 1.0, ()))
        crawl.show(digest(beyond, 0.0, ()))
    return crawl


@pytest.mark.parametrize("kind", [Future, Bloch])
def test_it_learns_that_one_must_pass_through_what_is_off_topic(kind: type[Strategy]) -> None:
    crawl = shown_a_web(kind())
    crawl.revise()
    ranked = crawl.show(digest(B, 0.0, {C: "new gate", D: "new wall"}))
    assert ranked[C] > ranked[D]
    # It is the long run that tells them apart: both are off topic at once.
    blind = shown_a_web(Immediate(rank=0.0))
    plain = blind.show(digest(B, 0.0, {C: "new gate", D: "new wall"}))
    assert plain[C] == pytest.approx(plain[D])


def test_what_leads_there_at_once_is_worth_more_than_what_leads_there_later() -> None:
    crawl = shown_a_web(Future())
    crawl.revise()
    ranked = crawl.show(digest(B, 0.0, {C: "inside", D: "gate", E: "wall"}))
    assert ranked[C] > ranked[D] > ranked[E]
    assert "lead to the topic at once" in crawl.reason(C)


@pytest.mark.parametrize(("strategy", "once"), [(Future(once=True), True), (Future(), False), (Bloch(), True)])
def test_a_page_next_to_the_topic_is_not_on_it(strategy: Strategy, once: bool) -> None:
    crawl = begun(strategy)
    gates, behind = places(12, "g"), places(12, "on")
    crawl.show(digest(A, 0.0, dict.fromkeys(gates, "gate")))
    for number, gate in enumerate(gates):
        crawl.show(digest(gate, 0.0, {behind[number]: "inside"}))
        crawl.show(digest(behind[number], 1.0, [behind[number - 1]]))  # pages on topic link to one another
    crawl.revise()
    crawl.show(digest(B, 0.0, {C: "gate", D: "inside"}))
    found = [float(one) for one in re.findall(r"(\d+)% lead to the topic at once", crawl.reason(C) + crawl.reason(D))]
    assert (found[0] < 50) == once  # added up, what lies behind a gate is worth as much as what is on topic
    assert found[1] > 50


def test_queued_urls_are_ranked_anew_when_their_words_prove_good() -> None:
    crawl = begun(Future())
    late = {C: "gate", D: "wall"}
    before = crawl.show(digest(B, 0.0, late))
    assert before[C] == pytest.approx(before[D])
    for number in range(12):
        gate, wall = f"http://g{number}.test/", f"http://w{number}.test/"
        crawl.show(digest(f"http://s{number}.test/", 0.0, {gate: "gate", wall: "wall"}))
        crawl.show(digest(gate, 1.0, ()))
        crawl.show(digest(wall, 0.0, ()))
    after = crawl.revise()
    assert after[C] > before[C]
    assert after[C] > after[D]


def test_dead_links_are_lessons_and_moved_ones_are_not() -> None:
    crawl = begun(Future())
    dead, moved, fine = places(12, "d"), places(12, "m"), places(12, "f")
    crawl.show(
        digest(A, 0.0, {**dict.fromkeys(dead, "wall"), **dict.fromkeys(moved, "gate"), **dict.fromkeys(fine, "door")})
    )
    for number, (gone, gate, door) in enumerate(zip(dead, moved, fine, strict=True)):
        crawl.writer.answered(crawl.number(gone), "missing")
        crawl.strategy.missed(crawl.number(gone), "missing")
        target = f"http://t{number}.test/"
        crawl.moved(gate, target)
        crawl.show(digest(target, 1.0, ()))
        crawl.show(digest(door, 0.5, ()))
    crawl.revise()
    ranked = crawl.show(digest(B, 0.0, {C: "gate", D: "door", E: "wall"}))
    assert ranked[C] > ranked[D] > ranked[E]


def test_a_verdict_that_turns_is_learnt_with_the_next_lesson() -> None:
    crawl = shown_a_web(Future())
    crawl.revise()
    before = crawl.show(digest(B, 0.0, {C: "gate"}))[C]
    for number in range(12):
        crawl.writer.judged(crawl.number(f"http://on{number}.test/"), 0.0, False)
    crawl.strategy._prospects.recount()  # type: ignore[attr-defined]
    assert crawl.show(digest(D, 0.0, {E: "gate"}))[E] < before


def earlier_pages(web: Web) -> Iterator[Digest]:
    for number in range(20):
        gate, wall, inner = (f"http://{name}{number}.test/" for name in ("g", "w", "i"))
        yield web.visit(digest(f"http://s{number}.test/", 0.0, {gate: "gate", wall: "wall"}))
        yield web.visit(digest(gate, 0.0, {inner: "inner"}))
        yield web.visit(digest(inner, 1.0, ()))
        yield web.visit(digest(wall, 0.0, ()))


@pytest.mark.parametrize("kind", [Future, Bloch])
def test_it_learns_from_an_earlier_crawl_before_the_first_page(kind: type[Strategy]) -> None:
    assert kind.learns_from
    assert not Immediate.learns_from
    web, earlier = Web(), Web()
    strategy = kind()
    strategy.start(Brief(TOPIC, [], web.graph, [Earlier(earlier.graph, earlier_pages(earlier))]), 0)
    page = web.visit(digest(A, 0.0, {B: "gate", C: "wall"}))
    ids, priorities = strategy.page(page)  # type: ignore[misc]
    ranked = dict(zip(np.asarray(ids).tolist(), np.asarray(priorities).tolist(), strict=True))
    assert ranked[web.number(B)] > ranked[web.number(C)]


def test_a_draw_of_links_is_bounded_and_even() -> None:
    lessons = Lessons(1)
    texts = bags(np.arange(1, 10_001) % 65_535, np.ones(10_000, np.int64))
    for part in range(0, 10_000, 100):
        lessons.follow(np.arange(part, part + 100), texts[part : part + 100], np.zeros(100))
    kept, worth, weights = lessons.all(np.arange(10_000.0))
    assert kept.shape == (2_048, TERMS)
    assert weights.sum() == pytest.approx(10_000)
    assert worth.mean() == pytest.approx(5_000, rel=0.06)
    fresh = Lessons(1)
    fresh.load(lessons.save())
    assert all(
        (one == other).all() for one, other in zip(fresh.all(np.arange(10_000.0)), (kept, worth, weights), strict=True)
    )


# -- the mix ----------------------------------------------------------------------------------------------------


def test_ordered_is_the_share_of_pairs_in_the_right_order() -> None:
    chance = np.random.default_rng(3)
    values, relevance = chance.random((4, 30)), chance.random(30)
    for row, found in zip(values, ordered(values, relevance), strict=True):
        weight = np.outer(relevance, 1 - relevance)
        np.fill_diagonal(weight, 0.0)
        right = (weight * (row[:, None] > row[None, :])).sum()
        assert found == pytest.approx(right / weight.sum())
    assert ordered(values, np.zeros(30)).tolist() == [0.5] * 4


def answered(mixing: Mixing, good: int, count: int = 300) -> None:
    """Answers whose relevance one of the two values foretells, the other being chance."""
    chance = np.random.default_rng(5)
    for number in range(count):
        both = chance.normal(size=2)
        mixing.learn(both, float(both[good] > 0.5))
        if number % 10 == 9:
            mixing.tune()


@pytest.mark.parametrize(("good", "low", "high"), [(0, 0.8, 1.0), (1, 0.0, 0.2)])
def test_the_proportion_goes_to_the_value_that_foretells(good: int, low: float, high: float) -> None:
    mixing = Mixing(0, **MIX)  # type: ignore[arg-type]
    assert mixing.share == pytest.approx(0.5)
    answered(mixing, good)
    assert low <= mixing.share <= high
    assert "of the last 200 answers' pairs were in the right order" in mixing.told()


def test_what_both_values_speak_for_goes_before_what_one_speaks_for_loudly() -> None:
    mixing = Mixing(0, **MIX)  # type: ignore[arg-type]
    both, one, none = mixing.values(np.array([[2.0, 2.0], [4.2, 0.0], [-1.0, -1.0]])).tolist()
    assert both > one > none
    assert both == pytest.approx(np.arcsinh(2.0))
    assert none == pytest.approx(-np.arcsinh(1.0))


def test_the_window_forgets() -> None:
    mixing = Mixing(0, **MIX)  # type: ignore[arg-type]
    answered(mixing, 0)
    answered(mixing, 1)
    assert mixing.share < 0.2


def test_with_doubt_a_few_answers_move_little() -> None:
    sure, doubting = (Mixing(0, **{**MIX, "doubt": doubt}) for doubt in (0.0, 50.0))  # type: ignore[arg-type]
    for mixing in (sure, doubting):
        answered(mixing, 1, 40)
    assert abs(doubting.share - 0.5) < abs(sure.share - 0.5)
    assert abs(doubting.share - 0.5) < 0.15


def test_the_more_was_found_the_more_is_believed_of_what_was_learnt() -> None:
    mixing = Mixing(0, **{**MIX, "first": 0.8, "last": 0.2, "doubt": 30.0})  # type: ignore[arg-type]
    believed = [mixing.belief]
    for _ in range(60):
        mixing.learn(np.array([0.2, 0.4]), 1.0)
        believed.append(mixing.belief)
    assert believed[0] == pytest.approx(0.8)
    assert believed[30] == pytest.approx(0.5)
    assert believed[60] == pytest.approx(0.4)
    for _ in range(300):
        mixing.learn(np.array([0.2, 0.4]), 0.0)  # and where nothing is found any more, what links look like is no guide
    assert mixing.belief == 0.0
    assert "brought little" in mixing.told()


def test_the_printed_fitness_finds_an_end() -> None:
    mixing = Mixing(0, **{**MIX, "fitness": "printed"})  # type: ignore[arg-type]
    for _ in range(100):
        mixing.learn(np.array([0.2, 0.4]), 1.0)
    for _ in range(5):
        mixing.tune()
    assert mixing.share < 0.05


def test_the_past_is_bounded_and_sums_to_one() -> None:
    mixing = Mixing(0, **MIX)  # type: ignore[arg-type]
    answered(mixing, 0, 2_500)
    past = mixing.past()
    assert 50 <= len(past) <= 100
    assert [at for at, _ in past] == sorted(at for at, _ in past)
    walk = Walk(Bloch(), practice_web())
    list(walk.steps(100))
    history = walk.strategy.history()
    assert len(history) == 2
    now, later = history.values()
    assert all(one + other == pytest.approx(1.0, abs=1e-3) for (_, one), (_, other) in zip(now, later, strict=True))


def test_a_resumed_crawl_has_the_learnt_proportion() -> None:
    walk = Walk(Bloch(), practice_web())
    list(walk.steps(80))
    fresh = Bloch()
    fresh.start(Brief(walk.web.topic, [], walk.writer.graph), 7)
    before = fresh.history()
    fresh.load(walk.strategy.save())
    assert fresh.history() == walk.strategy.history() != before
    number = walk.frontier.best(1)[0]
    assert fresh.reason(number) == walk.strategy.reason(number)
    assert "immediate value" in fresh.reason(number)
    assert "in the long run" in fresh.reason(number)


@pytest.mark.parametrize(
    ("strategy", "told"),
    [
        (Bloch(fitness="best"), "must be one of order, printed, not 'best'"),
        (Bloch(delta=0.5), "'delta' of strategy 'bloch' must lie between 0 and 0.05"),
        (Bloch(first=1.5), "'first'"),
        (Future(gamma=1.0), "'gamma'"),
        (Future(bins=1), "'bins'"),
        (Immediate(rank=2.0), "'rank'"),
    ],
)
def test_settings_that_make_no_sense_are_told(strategy: Strategy, told: str) -> None:
    with pytest.raises(SettingError, match=told):
        strategy.check()
