"""Guide: each signal by itself, reasons people understand, and webs on which names or links say nothing."""

from __future__ import annotations

import random

import numpy as np
import pytest

from honeyguide.page.digest import Digest, Link
from honeyguide.page.parse import Parser
from honeyguide.strategies.contract import PracticeWeb, Walk, check, check_resumes, practice_web
from honeyguide.strategies.guide import SIGNALS, Guide
from honeyguide.strategies.guide_rows import GONE, UNREAD, Rows
from honeyguide.strategies.guide_shares import Shares
from honeyguide.topic import Topic

PARTS = tuple(dict.fromkeys(part for _, part in SIGNALS))
TOPIC = Topic(name="bees", keywords={"hive": 1.0}, examples=("http://a.test/bees.html",))


def web(pages: dict[str, tuple[str, float]], topic: Topic = TOPIC) -> PracticeWeb:
    """Pages by address: their HTML, and how relevant they are."""
    parser = Parser(structure=False)
    made = {}
    for url, (html, relevance) in pages.items():
        page = made[url] = parser.html(html.encode(), url, fetched=0.0)
        page.relevance, page.on_topic = relevance, relevance > 0.5
    return PracticeWeb(topic, made, {})


def links(*urls: str) -> str:
    return "".join(f"<p>see <a href='{url}'>this</a> there</p>" for url in urls)


def order(strategy: Guide, practice: PracticeWeb, count: int = 100) -> list[str]:
    return list(Walk(strategy, practice).steps(count))


GOOD = "honey_bee beehive queen_bee nectar beeswax apiary pollination swarming bumblebee mead".split()
BAD = "supreme_court steam_engine tariff gearbox bond_market football piano glacier parliament cement".split()


def named_web(count: int = 240) -> PracticeWeb:
    """Pages whose addresses say what they are about; the words on them do not."""
    dice = random.Random(3)
    urls = [
        f"http://a.test/{(GOOD if n % 3 == 0 else BAD)[n // 3 % 10]}_{'abcdefghij'[n // 30 % 10]}{n % 2 * 'x'}"
        for n in range(count)
    ]
    urls[0] = "http://a.test/bees.html"
    return web({url: (links(*dice.sample(urls, 12)), 0.9 if n % 3 == 0 else 0.1) for n, url in enumerate(urls)})


def test_it_keeps_the_contract() -> None:
    check(Guide)


@pytest.mark.parametrize("part", [*PARTS, "meaning"])
def test_every_part_can_be_switched_off(part: str) -> None:
    assert len(order(Guide(**{part: False}), practice_web(structure=False), 30)) == 30


def test_a_name_like_the_example_s_goes_first() -> None:
    start = links("http://a.test/ledger.html", "http://a.test/court.html", "http://a.test/honey_bees.html")
    found = order(Guide(meaning=False), web({"http://a.test/bees.html": (start, 0.9)}))
    assert found[1] == "http://a.test/honey_bees.html"


def test_a_link_called_by_a_keyword_goes_first_where_the_examples_names_say_nothing() -> None:
    start = links("http://a.test/ledger.html", "http://a.test/hives.html", "http://a.test/court.html")
    topic = Topic(name="x", keywords={"hive": 1.0}, examples=("http://a.test/17.html",))
    assert (
        order(Guide(around=False), web({"http://a.test/17.html": (start, 0.9)}, topic))[1] == "http://a.test/hives.html"
    )


def test_a_keyword_in_the_anchor_speaks_for_a_link() -> None:
    words = ("law", "hive", "bond")
    told = "".join(f"<p>river <a href='/{at}.html'>{word}</a> valley</p>" for at, word in enumerate(words))
    topic = Topic(name="x", keywords={"hive": 1.0}, examples=("http://a.test/bees.html",))
    walk = Walk(strategy := Guide(names=False, reach=1), web({"http://a.test/bees.html": (told, 0.9)}, topic))
    list(walk.steps(1))
    ranks = strategy.revise()  # by each other, not by the mean and spread of the starts
    assert int(ranks.ids[ranks.priorities.argmax()]) == strategy._graph.find("http://a.test/1.html")


def test_rows_of_urls_ranked_last_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honeyguide.strategies.guide._ROWS", 16)
    walk = Walk(strategy := Guide(), practice_web(structure=False))
    assert len(list(walk.steps(100))) == 100
    rows: Rows = strategy._rows
    queued = rows.ids[: rows.count]
    assert (rows.place.raw[queued] == np.arange(rows.count)).all()
    assert (rows.place.values == GONE).any()


def test_reasons_are_words() -> None:
    walk = Walk(strategy := Guide(), practice_web(structure=False))
    list(walk.steps(60))
    told = [strategy.reason(int(number)) for number in strategy._rows.ids[: strategy._rows.count]]
    assert any("of" in one and "pages linking to it are on topic" in one for one in told)
    assert any("links of the pages that link to it were" in one for one in told)
    assert any("named" in one for one in told)


def test_what_was_given_is_not_found() -> None:
    near = {"http://a.test/bees.html": (links("http://a.test/x/y/one.html", "http://a.test/"), 1.0)}
    walk = Walk(strategy := Guide(), web(near))
    list(walk.steps(1))
    strategy.revise()
    discovery = strategy._rows.signals[: strategy._rows.count, 5]
    assert discovery.tolist() == pytest.approx([-1.0, 1.0])  # nothing was found yet that fades it


def test_what_is_refused_is_not_taken_for_dead() -> None:
    pages = {"http://a.test/bees.html": (links("http://a.test/old/a.ps", "http://a.test/old/b.ps"), 0.9)}
    walk = Walk(strategy := Guide(), web(pages))
    list(walk.steps(1))
    one, other = (strategy._graph.find(f"http://a.test/old/{name}.ps") for name in "ab")
    assert one is not None
    assert other is not None
    strategy.missed(one, "refused")
    assert strategy._rows.place.raw[one] == GONE
    assert float(strategy._addresses.dead(np.array([other]))[0]) == 0.0
    strategy.missed(other, "missing")
    assert float(strategy._addresses.dead(np.array([other]))[0]) > 0.0


def test_a_page_of_ten_thousand_links_is_taken_in() -> None:
    start = links(*(f"http://a.test/p/{number:x}f3a9" for number in range(10_000)))
    walk = Walk(strategy := Guide(), web({"http://a.test/bees.html": (start, 0.9)}))
    assert len(list(walk.steps(20))) == 20
    assert strategy._rows.count > 4_900  # a page shows no more than 5,000


def test_a_topic_in_chinese_is_found_by_its_words() -> None:
    topic = Topic(name="蜜蜂", keywords={"蜜蜂": 1.0}, languages=("zh",), examples=("http://a.test/1",))
    start = "".join(
        f"<p><a href='/{number}'>{text}</a></p>"
        for number, text in ((2, "法院判决书"), (3, "蜜蜂养殖技术"), (4, "汽车发动机"), (5, "天气预报"))
    )
    found = order(Guide(), web({"http://a.test/1": (f"<html lang=zh>{start}", 0.9)}, topic))
    assert found[1] == "http://a.test/3"


def test_an_empty_frontier_and_examples_that_contradict_each_other() -> None:
    assert Guide().summary()
    both = Topic(name="x", examples=("http://a.test/bees.html", "http://b.test/engines.html"))
    pages = {"http://a.test/bees.html": ("<p>hive", 0.9), "http://b.test/engines.html": ("<p>valve", 0.1)}
    walk = Walk(strategy := Guide(), web(pages, both))
    assert len(list(walk.steps(10))) == 2
    assert len(strategy.revise().ids) == 0  # type: ignore[union-attr]


def test_a_feed_is_neither_good_nor_bad() -> None:
    walk = Walk(strategy := Guide(), practice_web(structure=False))
    number = walk._number("http://f.test/feed")
    feed = Digest(url="http://f.test/feed", fetched=0.0, kind="feed", id=number)
    feed.links = [Link("http://f.test/hive", "hive", -1, id=walk._number("http://f.test/hive"))]
    answers = strategy._near._all[0]
    assert len(strategy.page(feed).ids) == 1  # type: ignore[union-attr]
    assert strategy._near._all[0] == answers


@pytest.mark.parametrize("name", ["57858019e54bcee7", "2031", "%d0%bf7a4f"])
def test_where_names_say_nothing_the_words_around_do(name: str) -> None:
    addresses = [f"http://a.test/{name[:-2]}{number:02d}" for number in range(10, 40)]
    bad, good = addresses[:15], addresses[15:]
    start = "".join(f"<p>a court heard a case: <a href='{url}'>1</a> by law</p>" for url in bad)
    start += "".join(f"<p>bees swarm from a hive: <a href='{url}'>1</a> with honey</p>" for url in good)
    pages = {**dict.fromkeys(good, ("<p>hive of bees</p>", 0.9)), **dict.fromkeys(bad, ("<p>court</p>", 0.0))}
    pages["http://a.test/bees.html"] = (f"<p>bees swarm from a hive, honey</p>{links('http://a.test/list')}", 0.9)
    pages["http://a.test/list"] = (start, 0.4)
    found = order(Guide(), web(pages))
    assert sum(url in good for url in found[2:17]) >= 12


def test_all_anchors_are_the_name_of_a_numbered_address() -> None:
    first = "".join(f"<a href='/{number}'>read more</a> " for number in range(100, 110))
    second = "".join(
        f"<a href='/{number}'>{'honey bees' if number == 107 else 'court news'}</a> " for number in range(100, 110)
    )
    pages = {
        "http://a.test/bees.html": (first + links("http://a.test/more.html"), 0.9),
        "http://a.test/more.html": (second, 0.5),
    }
    both = Topic(name="bees", examples=tuple(pages))
    walk = Walk(strategy := Guide(meaning=False, around=False, discovery=False), web(pages, both))
    list(walk.steps(2))
    strategy.revise()
    ranked = sorted(range(strategy._rows.count), key=lambda row: -strategy._rows.scores[row])
    assert strategy._graph.url(int(strategy._rows.ids[ranked[0]])) == "http://a.test/107"


def test_contradictory_examples_leave_both_kinds_of_names_ahead_of_others() -> None:
    both = Topic(name="x", examples=("http://a.test/bees.html", "http://a.test/engines.html"))
    names = ("court", "honey_bees", "ledger", "steam_engines", "weather")
    start = links(*(f"http://a.test/{name}.html" for name in names))
    pages = {"http://a.test/bees.html": (start, 0.9), "http://a.test/engines.html": ("<p>valve", 0.9)}
    found = order(Guide(meaning=False), web(pages, both))
    assert set(found[2:4]) == {"http://a.test/honey_bees.html", "http://a.test/steam_engines.html"}


def test_the_shares_of_a_long_crawl_are_told_in_few_steps_and_add_up() -> None:
    shares = Shares(3)
    for number in range(2_000):
        shares.note(np.array([1.0, -number / 1_000, 0.0]))
    first, second, silent = shares.past()
    assert 40 < len(first) <= 101
    assert first[0] == (1, 1.0)
    assert first[-1][1] == pytest.approx(1 / 2.98, abs=0.01)
    assert all(one + other == pytest.approx(1.0, abs=0.002) for (_, one), (_, other) in zip(first, second, strict=True))
    assert silent == []
    again = Shares(3)
    again.load(shares.save())
    assert again.past() == shares.past()


def test_its_history_is_words_and_numbers() -> None:
    walk = Walk(strategy := Guide(around=False), practice_web(structure=False))
    list(walk.steps(30))
    history = strategy.history()
    assert "what links are called" in history
    assert "words in and around links" not in history
    assert all(at > 0 and 0.0 <= share <= 1.0 for points in history.values() for at, share in points)


# -- pages that are full of links ---------------------------------------------------------------------------------


def few(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Let no more names be read than so many of a page."""
    monkeypatch.setattr("honeyguide.strategies.guide.AT_FIRST", most)
    monkeypatch.setattr("honeyguide.strategies.guide.A_PAGE", most)


def crowded(count: int = 200) -> str:
    """Links on one page; the words around tell that the last thirty are good ones."""
    good, bad = "swarm hive honey", "court law bond"
    return "".join(
        f"<p>{bad if number < count - 30 else good}: <a href='/{'xabcdefghi'[number % 10]}_{number}'>it</a></p>"
        for number in range(count)
    )


def test_of_a_page_full_of_links_the_names_of_those_in_good_company_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 20)
    start = "".join(f"<p>court law bond: <a href='/old/{'abcde'[number]}'>it</a></p>" for number in range(5))
    start = f"<p>swarm hive honey</p>{start}"
    pages = {"http://a.test/bees.html": (start, 0.9), "http://a.test/list.html": (crowded(), 0.9)}
    walk = Walk(strategy := Guide(), web(pages, Topic(name="bees", examples=tuple(pages))))
    list(walk.steps(1))
    strategy.revise()
    monkeypatch.setattr("honeyguide.strategies.guide_names._AT_A_REVISION", 0)  # of those ranked first none are added
    list(walk.steps(1))
    rows = strategy._rows
    read = [strategy._graph.url(int(rows.ids[row])) for row in range(5, rows.count) if rows.anchors[row] != UNREAD]
    assert rows.count == 205
    assert len(read) == 20
    good = [url for url in read if int(url.rpartition("_")[2]) >= 170]
    assert len(good) >= 15  # fifteen of the best, five of all others
    assert strategy._names._direction._weights[0] == pytest.approx(205 + 1)  # they stand for all, and a start waited


def test_a_name_that_was_not_read_is_read_when_its_url_is_among_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 4)
    monkeypatch.setattr(Guide, "revise_every", 1)
    walk = Walk(strategy := Guide(), web({"http://a.test/bees.html": (crowded(60), 0.9)}))
    with monkeypatch.context() as at_first:
        at_first.setattr("honeyguide.strategies.guide_names._AT_A_REVISION", 0)
        list(walk.steps(1))
    rows = strategy._rows
    before = int((rows.anchors[: rows.count] == UNREAD).sum())
    strategy.revise()
    assert int((rows.anchors[: rows.count] == UNREAD).sum()) == before - 16
    assert strategy._names._direction._weights[0] == pytest.approx(60)  # others stood for them
    for _ in range(before // 16 + 1):
        strategy.revise()
    assert not (rows.anchors[: rows.count] == UNREAD).any()
    assert not strategy._names._unread


def test_a_name_that_was_not_read_is_read_when_its_page_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 0)
    pages = {"http://a.test/bees.html": (links("http://a.test/honey.html"), 0.9), "http://a.test/honey.html": ("", 0.9)}
    walk = Walk(strategy := Guide(), web(pages))
    list(walk.steps(1))
    learnt = strategy._names._direction._weights[1]
    list(walk.steps(1))
    assert strategy._names._direction._weights[1] == pytest.approx(learnt + 0.9)


def test_killed_and_resumed_while_names_wait_it_goes_on_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 2)
    monkeypatch.setattr("honeyguide.strategies.guide_names._AT_A_REVISION", 2)
    check_resumes(Guide, named_web())
    walk = Walk(strategy := Guide(), named_web())
    list(walk.steps(20))
    assert strategy._names._unread


def test_what_is_remembered_of_names_that_wait_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, 0)
    monkeypatch.setattr("honeyguide.strategies.guide_names._KEPT", 10)
    monkeypatch.setattr("honeyguide.strategies.guide_names._AT_A_REVISION", 0)
    walk = Walk(strategy := Guide(), named_web())
    list(walk.steps(150))
    assert len(strategy._names._unread) <= 2 * strategy._rows.count + 10 + 12  # and those of one page
