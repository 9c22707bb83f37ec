"""The judge of the news model: what it goes by, what it learns, and what it does not let itself be taught."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest

from honeyguide.strategies.news_judge import NewsJudge
from honeyguide.strategies.news_threshold import Knobs
from honeyguide.topic import Shown, Topic

BEES = "hive honey nectar queen swarm comb pollen forager brood apiary wax drone larva smoker frame".split()
CARS = "engine road valve gear piston wheel brake fuel chassis bumper clutch axle diesel tyre garage".split()
BETS = "casino poker roulette jackpot bet dealer chip blackjack slot odds croupier ante payout wager bonus".split()
USUAL = [f"usual{place}" for place in range(200)]
TOPIC = Topic(name="bees", keywords={"hive": 2.0, "honey": 1.0})
KNOBS = Knobs(alpha=1.05, mu=0.5, beta=1.5, gamma=0.8, expected=10.0, every=20, first=0)


def text(dice: random.Random, *words: list[str], share: float = 0.3, size: int = 200) -> Shown:
    """A page of which a share is words of its own, the rest such as every page has."""
    own = [word for some in words for word in some]
    said = (dice.choice(own) if dice.random() < share else dice.choice(USUAL) for _ in range(size))
    return Shown(dict(Counter(said)))


def stuffed(dice: random.Random) -> Shown:
    """A page on betting that was stuffed with words of the topic, none so often that it would be noticed."""
    return text(dice, [*BETS, *BEES], share=0.6, size=300)


def judge(topic: Topic = TOPIC, *, threshold: float = 0.0, feedback: float = 0.3, examples: int = 4) -> NewsJudge:
    dice = random.Random(1)
    one = NewsJudge(topic, threshold, feedback, KNOBS)
    one.begin([text(dice, BEES) for _ in range(examples)])
    return one


def crawl(one: NewsJudge, pages: list[Shown]) -> list[bool]:
    """Judge pages as a crawl does; returns the verdicts."""
    said = []
    for number, page in enumerate(pages):
        verdict = one(page)
        one.count(number, page, on_topic=verdict.on_topic)
        one.answered()
        said.append(verdict.on_topic)
    return said


def mixed(dice: random.Random, size: int, *, attack: bool = False) -> list[tuple[Shown, bool]]:
    """Pages on and off the topic; under attack, a third of them betting pages stuffed with the topic's words."""
    kinds = [(BEES, True), (CARS, False), (BETS if not attack else [], False)]
    chosen = [dice.choice(kinds) for _ in range(size)]
    return [(text(dice, words) if words else stuffed(dice), on) for words, on in chosen]


def test_it_tells_pages_apart_and_says_by_which_words() -> None:
    one, dice = judge(), random.Random(2)
    pages = mixed(dice, 300)
    said = crawl(one, [page for page, _ in pages])
    right = [verdict == on for verdict, (_, on) in zip(said[60:], pages[60:], strict=True)]
    assert sum(right) > 0.95 * len(right)
    verdict = one(text(dice, BEES))
    assert {word for word, _ in verdict.words[:5]} <= set(BEES)
    assert f"threshold {one.threshold:.3f}" in verdict.note
    assert sum(part for _, part in one(Shown({"hive": 3})).words) == pytest.approx(one(Shown({"hive": 3})).probability)


@pytest.mark.parametrize("start", [0.01, 0.9])
def test_it_settles_from_a_bad_start(start: float) -> None:
    pages = mixed(random.Random(3), 600)
    good, bad = judge(), judge(threshold=start)
    crawl(good, [page for page, _ in pages])
    said = crawl(bad, [page for page, _ in pages])
    late = [verdict == on for verdict, (_, on) in zip(said[200:], pages[200:], strict=True)]
    assert sum(late) > 0.95 * len(late)
    assert good.threshold / 2 < bad.threshold < 2 * good.threshold
    first = next(change for change in bad.changes if change.what == "threshold")
    assert first.before == start
    assert first.reason


def test_every_change_is_on_record_and_they_follow_from_each_other() -> None:
    one = judge(threshold=0.01)
    crawl(one, [page for page, _ in mixed(random.Random(4), 300)])
    for what in ("threshold", "vector"):
        mine = [change for change in one.changes if change.what == what]
        assert mine
        assert all(change.reason for change in mine)
        assert all(a.after == b.before for a, b in itertools.pairwise(mine))
    assert one.threshold == [change.after for change in one.changes if change.what == "threshold"][-1]


def test_words_that_pages_found_say_join_the_vector_and_the_experts_keep_their_share() -> None:
    one, dice = judge(), random.Random(5)
    before = dict(one.vector)
    crawl(one, [text(dice, [*BEES, "varroa"], share=0.4) if place % 2 else text(dice, CARS) for place in range(300)])
    assert "varroa" not in before
    assert one.vector["varroa"] > 0.02
    floor = (
        0.5 * 2 / 5**0.5 / 2
    )  # the share, times the keyword's part among the expert's, over the longest there can be
    assert one.vector["hive"] > floor
    assert one.vector["hive"] > one.vector["honey"] > one.vector["varroa"]


def test_without_feedback_it_learns_nothing_from_what_was_found() -> None:
    one, dice = judge(feedback=0.0), random.Random(5)
    crawl(one, [text(dice, [*BEES, "varroa"], share=0.4) if place % 2 else text(dice, CARS) for place in range(300)])
    assert "varroa" not in one.vector


def test_pages_stuffed_with_topic_words_do_not_pull_the_vector_away() -> None:
    plain, attacked = judge(), judge()
    crawl(plain, [page for page, _ in mixed(random.Random(6), 600)])
    pages = mixed(random.Random(6), 600, attack=True)
    said = crawl(attacked, [page for page, _ in pages])
    fooled = [verdict for verdict, (page, _) in zip(said, pages, strict=True) if page.terms.keys() & set(BETS)]
    assert sum(fooled) > 0.8 * len(fooled) > 100  # else nothing would have been tried
    assert sum(attacked.vector.get(term, 0.0) ** 2 for term in BETS) < 0.02
    assert sum(weight * attacked.vector.get(term, 0.0) for term, weight in plain.vector.items()) > 0.95
    dice = random.Random(7)
    assert not any(attacked(text(dice, BETS)).on_topic for _ in range(50))  # what they advertise is no nearer for it
    assert sum(attacked(text(dice, BEES)).on_topic for _ in range(50)) > 45


def test_a_page_that_only_repeats_topic_words_is_off_topic() -> None:
    verdict = judge()(Shown({"hive": 100, "honey": 100, "usual1": 1}))
    assert not verdict.on_topic
    assert "stuffed" in verdict.note


def test_a_threshold_set_by_hand_stays_and_must_make_sense() -> None:
    one = judge()
    one.threshold = 0.6
    crawl(one, [page for page, _ in mixed(random.Random(8), 100)])
    assert one.threshold == 0.6
    assert all(change.what == "vector" for change in one.changes)
    again = judge()
    again.threshold = 0.5
    again.load(one.save())
    assert again.threshold == 0.5
    with pytest.raises(ValueError, match="between 0 and 1"):
        one.threshold = 1.5


def test_labels_are_learnt_from() -> None:
    one, dice = judge(), random.Random(9)
    pages = [page for page, _ in mixed(dice, 100)]
    crawl(one, pages)
    wrong = [text(dice, BEES[:3], CARS) for _ in range(6)]
    before = one(wrong[0]).probability
    examples = [text(random.Random(1), BEES) for _ in range(4)]
    one.learn(examples, pages, [(page, False) for page in wrong])
    assert one(wrong[0]).probability < before
    assert one.changes[-1].reason.startswith("learnt from 6 labels of the user")
    right = [text(dice, ["mead", "cellar", "barrel"], share=0.5) for _ in range(6)]
    one.learn(examples, pages, [(page, True) for page in right])
    assert one.vector["mead"] > 0


def test_pages_that_turn_out_to_be_off_topic_are_no_longer_learnt_from() -> None:
    one, dice = judge(), random.Random(10)
    crawl(one, [text(dice, [*BEES, "varroa"], share=0.4) if place % 2 else text(dice, CARS) for place in range(40)])
    assert one.vector.get("varroa", 0.0) > 0
    one.turned_off(set(range(40)))
    crawl(one, [text(dice, CARS) for _ in range(20)])
    assert "varroa" not in one.vector


def test_saved_and_loaded_it_goes_on_as_if_nothing_had_happened() -> None:
    pages = [page for page, _ in mixed(random.Random(11), 150)]
    one, other = judge(), judge()
    crawl(one, pages[:70])
    other.load(one.save())
    dice = random.Random(1)
    other.learn([text(dice, BEES) for _ in range(4)][::-1], pages[:64])  # as a resumed crawl does, in its own order
    assert crawl(one, pages[70:]) == crawl(other, pages[70:])
    assert other.changes == one.changes
    assert other.vector == one.vector


def test_kind_and_language_are_heeded() -> None:
    one = judge(Topic(name="bees", keywords={"hive": 1.0}, kind="article", languages=("en",)))
    good = text(random.Random(12), BEES)
    assert one(good._replace(article_score=0.9)).on_topic
    assert not one(good._replace(article_score=0.0, article_why="a front page")).on_topic
    foreign = one(good._replace(language="de"))
    assert not foreign.on_topic
    assert "language de" in foreign.note


def test_chinese_works_as_well() -> None:
    topic = Topic(name="茶", keywords={"茶叶": 1.0}, languages=("zh",))
    one = NewsJudge(topic, 0.0, 0.3, KNOBS)
    tea = {"茶叶": 6, "绿茶": 4, "采摘": 3, "今天": 5, "我们": 4}
    one.begin([Shown({**tea, "茶园": 3}), Shown({**tea, "红茶": 3})])
    for number in range(30):
        page = Shown({"桥梁": 5, "施工": 4, "今天": 5, "我们": 4, f"词{number}": 2})
        one.count(number, page, on_topic=False)
    assert one(Shown({**tea, "茶壶": 2})).on_topic
    assert not one(Shown({"桥梁": 6, "今天": 5, "我们": 4})).on_topic


def test_without_anything_to_go_by_it_says_so() -> None:
    one = NewsJudge(Topic(name="nothing", keywords={}, starts=("http://a.test/",)), 0.0, 0.3, KNOBS)
    assert one.advice
    assert not one(Shown({"hive": 3})).on_topic
    assert not judge().advice
