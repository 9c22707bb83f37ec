"""SemRank as a strategy: what forms its base, how its links are ranked, with a log and without, at a flat cost."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from honeyguide.errors import SettingError, TopicError
from honeyguide.lattice import semrank
from honeyguide.page.digest import Digest
from honeyguide.strategies.contract import Walk, practice_web
from honeyguide.strategies.semrank import SemRank
from honeyguide.topic import Topic

from .tiny import TOPIC, A, B, C, Crawl, D, E, begun, digest, ranks_by_verdict


def page(url: str, words: str, links: object = (), relevance: float = 0.9) -> Digest:
    found = digest(url, relevance, links)  # type: ignore[arg-type]
    found.terms = dict.fromkeys(words.split(), 3)
    found.words = 3 * len(found.terms)
    return found


PAGE = {"anchor": 0.0, "ahead": 0.0, "parents": "best", "base": "surest"}  # a link is worth what its page is
PRINTED = {"w": 0.4, "worth": False, "least": 0.0, **PAGE}


def crawl(*examples: Digest, topic: Topic = TOPIC, **settings: object) -> Crawl:
    return Crawl(SemRank(**settings), examples, topic=topic)


def test_links_of_pages_like_the_examples_come_first() -> None:
    ranks = ranks_by_verdict(SemRank(), practice_web())
    assert np.mean(ranks[True]) > 1.1 * np.mean(ranks[False])


def test_a_page_is_worth_its_semrank_against_the_examples() -> None:
    run = crawl(page(A, "hive comb wax"), **PRINTED)
    near = run.show(page(B, "hive comb brood", [D]))[D]
    far = run.show(page(C, "road wheel gear", [E]))[E]
    assert near == pytest.approx(0.6 * 2 / 3, abs=1e-3)  # no links: 0.6 int; {hive, comb} of 3 words
    assert far == pytest.approx(0.0, abs=1e-3)


def test_a_word_is_worth_more_the_rarer_it_is_and_the_more_of_the_base_has_it() -> None:
    def rank(words: str, **settings: object) -> float:
        run = crawl(page(A, "hive comb wax"), page(D, "hive brood smoke"), **{**PAGE, **settings})
        for number in range(5):
            run.show(page(f"http://p.test/{number}", "wax road", relevance=0.1))
        return run.show(page(B, words, [E], relevance=0.1))[E]

    assert rank("hive gear") > rank("comb gear") > rank("wax gear")
    assert rank("comb gear", worth=False) == pytest.approx(rank("wax gear", worth=False), abs=1e-3)
    assert rank("hive comb wax gear", least=3.0) > 1.5 * rank("hive gear", least=3.0)


def test_a_page_on_topic_is_of_the_base_at_once_and_only_while_it_is_on_topic() -> None:
    run = crawl(page(A, "hive comb wax"), **{**PAGE, "parents": "mean", "base": "judged"})
    good, bad = run.show(page(B, "road wheel", [E]))[E], run.show(page(C, "road wheel", [D], relevance=0.1))[D]
    assert good == pytest.approx(1 / 1.7, abs=1e-3)
    assert bad == pytest.approx(0.0, abs=1e-3)
    run.judge(B, 0.1)
    run.judge(C, 0.9)
    ranks = run.revise()
    assert ranks[E] == pytest.approx(0.0, abs=1e-3)
    assert ranks[D] == pytest.approx(1 / 1.7, abs=1e-3)


def test_links_to_the_base_count_by_their_share() -> None:
    run = crawl(page(A, "hive comb", [B]), **PRINTED)
    run.show(page(A, "hive comb", [B]))
    found = run.show(page(B, "road wheel", [A, D]))[D]
    assert found == pytest.approx(0.4 * 2 / 4, abs=1e-3)  # one link each way, between one page and one


def test_under_the_threshold_links_wait_behind_all_others() -> None:
    run = crawl(page(A, "hive comb wax"), gamma=0.3, **PRINTED)
    assert run.show(page(B, "hive comb brood", [D]))[D] > 0.3
    assert run.show(page(C, "road wheel hive", [E]))[E] < 0
    assert "waits, under the threshold of 0.3" in run.reason(E)


def test_a_link_has_the_mean_of_its_pages_or_the_best() -> None:
    pages = [page(B, "hive comb wax", [D, E]), page(C, "road wheel gear", [D])]
    mean = crawl(page(A, "hive comb wax"), **{**PAGE, "parents": "mean"})
    best = crawl(page(A, "hive comb wax"), **PAGE)
    for run in (mean, best):
        run.show(pages[0])
    assert mean.show(pages[1])[D] < best.show(pages[1])[D]


@pytest.mark.parametrize(("base", "urls"), [("last", [B, C]), ("passed", [B]), ("surest", [A, B]), ("judged", [A, B])])
def test_what_the_next_iteration_is_compared_with(base: str, urls: list[str]) -> None:
    run = crawl(page(A, "hive comb wax"), base=base, gamma=0.3, batch=2, worth=False, least=0.0)
    run.show(page(B, "hive comb brood"))
    run.show(page(C, "road wheel gear", relevance=0.1))
    assert isinstance(run.strategy, SemRank)
    assert [one.url for one in run.strategy.turn.base] == urls
    assert run.strategy.turn.batch == []
    assert run.strategy.turn.turns == 1


def test_a_page_ranked_alone_is_ranked_as_with_all_its_iteration() -> None:
    run = begun(SemRank(batch=500), page(A, "hive comb wax honey"))
    strategy = run.strategy
    assert isinstance(strategy, SemRank)
    dice = np.random.default_rng(1)
    words = "hive comb wax honey road wheel gear brood queen".split()
    for number in range(30):
        chosen = " ".join(dice.choice(words, 4, replace=False))
        run.show(page(f"http://p.test/{number}", chosen, [A, f"http://p.test/{number - 1}"]))
        members = strategy.turn.batch
        alone = float(strategy._alone.raw[members[-1].page])
        assert alone == pytest.approx(strategy.ranked(members)[1][-1].value, abs=1e-6)
    assert semrank(strategy.ranked(members)[0], strategy._weighing)[-1].value == pytest.approx(alone, abs=1e-6)


def log(path: Path, *sessions: tuple[str, str, list[str]]) -> str:
    lines = (json.dumps({"user": user, "query": query, "clicks": clicks}) for user, query, clicks in sessions)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_words_that_people_searched_for_alike_count_as_the_same(tmp_path: Path) -> None:
    clicks = log(tmp_path / "log", *[("ann", word, [url]) for word in ("comb", "wheel") for url in (C, D)])
    topic = Topic(name="bees", keywords={"hive": 1.0}, clicks=clicks)
    found = {}
    for used in (True, False):
        run = crawl(page(A, "comb"), topic=topic, log=used, beside=False, **PRINTED)
        run.show(page(C, "comb wheel", relevance=0.1))
        run.show(page(D, "comb wheel", relevance=0.1))
        found[used] = run.show(page(B, "wheel", [E]))[E]
        assert ("no click log" in run.reason(E)) is not used or "page of SemRank" in run.reason(E)
    assert found[True] == pytest.approx(0.6, abs=1e-3)
    assert found[False] < 0.5


def test_steps_people_took_between_pages_count_like_links(tmp_path: Path) -> None:
    topic = Topic(name="bees", keywords={"hive": 1.0}, clicks=log(tmp_path / "log", ("ann", "x", [A, B])))
    run = crawl(page(A, "hive"), topic=topic, **PRINTED)
    assert run.show(page(B, "road", [E]))[E] == pytest.approx(0.4 * 1 / 4, abs=1e-3)


def test_a_url_is_ranked_by_its_own_names_and_who_links_to_it() -> None:
    run = crawl(page(A, "hive comb", [D]), anchor=0.0, ahead=1.0)
    ranks = run.show(page(B, "road", {D: "hive comb", E: "wheel", C: "hive"}))
    assert ranks[D] > ranks[C] > ranks[E]
    assert "its own SemRank" in run.reason(D)


def test_without_examples_the_topic_s_own_words_are_the_base() -> None:
    run = crawl()
    near = run.show(page(B, "hive comb", [D], relevance=0.1))[D]
    far = run.show(page(C, "road wheel", [E], relevance=0.1))[E]
    assert near > far


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"gamma": 2.0}, "'gamma' of strategy 'semrank' must lie between 0 and 1"),
        ({"base": "none"}, "'base' of strategy 'semrank' must be one of judged, surest, passed, last"),
        ({"parents": "all"}, "'parents'"),
        ({"anchor": 0.7, "ahead": 0.7}, "not be more than 1 together"),
    ],
)
def test_settings_that_make_no_sense_are_told(settings: dict[str, object], told: str) -> None:
    with pytest.raises(SettingError, match=told):
        SemRank(**settings).check()


def test_a_log_that_is_gone_is_told(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match=r"click log .* cannot be read"):
        crawl(topic=Topic(name="bees", keywords={"hive": 1.0}, clicks=str(tmp_path / "gone")))


def test_the_cost_of_a_page_does_not_grow_with_the_crawl() -> None:
    """Counted, not clocked: how many concepts and words a page is compared with."""
    web = practice_web(pages=400)
    strategy = SemRank()
    sizes = []
    walk = Walk(strategy, web)
    for _ in walk.steps(300):
        sizes.append((len(strategy.turn.base), len(strategy.turn.batch), len(strategy.turn.good)))
    assert len(sizes) > 250
    assert max(base for base, _, _ in sizes) <= 3 + strategy.batch
    assert max(batch for _, batch, _ in sizes) <= strategy.batch
