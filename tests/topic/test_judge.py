"""What the judge says of small texts, of little knowledge, and of hostile pages."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from honeyguide.page import Parser
from honeyguide.text import terms
from honeyguide.text.about import pack
from honeyguide.text.vectors import SIZE
from honeyguide.topic import Judge, Shown, Topic, Verdict, standing
from honeyguide.topic.calibrate import Calibration, Scale, log_odds_of
from honeyguide.topic.corrections import LABELS
from honeyguide.topic.neighbours import NEIGHBOURS
from tests.clock import grows, takes_at_most

BEES = [
    "Honey bees live in a hive with one queen. The bees gather nectar and pollen and make honey and wax.",
    "A beekeeper opens the hive to look at the queen, the brood and the honey. Bees are calmed with smoke.",
    "Pollen and nectar are gathered by worker bees, which dance in the hive to show where the flowers are.",
    "The swarm leaves the hive with the old queen. A beekeeper may catch the swarm and give the bees a new hive.",
]
OTHERS = [
    "The railway was built to carry coal from the mine to the harbour, and a steam engine pulled the train.",
    "In chess the queen is the strongest piece, and a pawn that reaches the last rank becomes a queen.",
    "The council voted on the budget for roads and schools, and the mayor spoke about taxes and housing.",
    "Bread is made of flour, water, salt and yeast; the dough is kneaded, left to rise, and baked in an oven.",
    "A volcano erupts when magma rises; lava and ash cover the slopes and the villages below are cleared.",
    "The tide rises twice a day, drawn by the moon, and boats leave the harbour when the water is high.",
    "The orchestra played a symphony, and the pianist was praised for the slow movement of the concerto.",
    "The bridge over the river is made of steel and stone, and its towers carry cables from bank to bank.",
]
NEW_BEE = "In winter the bees cluster around the queen, and live on the honey and pollen stored in the hive."
NEW_OTHER = "The goalkeeper saved two penalties, and the team won the match in front of a large crowd of supporters."
CHINESE = [
    "蜜蜂采集花蜜和花粉，在蜂巢里酿造蜂蜜。蜂王产卵，工蜂照顾幼虫。",
    "养蜂人打开蜂箱，检查蜂王和蜂蜜。蜜蜂在花丛中采蜜。",
    "工蜂跳舞告诉同伴花蜜在哪里，蜂巢里储存着蜂蜜和花粉。",
]
CHINESE_OTHERS = [
    "火车沿着铁路行驶，把煤炭运到港口。车站里有很多旅客。",
    "市政府讨论了道路和学校的预算，市长发表了讲话。",
    "足球比赛昨天举行，主队以三比一获胜，观众非常高兴。",
    "面包由面粉、水和酵母制成，放进烤箱里烘烤。",
]


def count(text: str, language: str = "en", times: int = 4) -> Shown:
    """A text as long as a page, as a judge is shown it: by its terms alone."""
    return Shown(dict(Counter(terms(text, language) * times)))


def about(*, keywords: dict[str, float] | None = None, **more: object) -> Topic:
    return Topic(name="bees", keywords=keywords or {}, examples=("http://a.test/",), **more)  # type: ignore[arg-type]


def bee_judge(topic: Topic | None = None, others: list[str] = OTHERS) -> Judge:
    judge = Judge(topic or about(keywords={"bees": 1.0}))
    judge.learn([count(text) for text in BEES], [count(text) for text in others])
    return judge


def test_a_page_like_the_examples_is_on_topic_and_one_unlike_them_is_not() -> None:
    judge = bee_judge()
    bee, other = judge(count(NEW_BEE)), judge(count(NEW_OTHER))
    assert bee.on_topic
    assert bee.probability > 0.8
    assert not other.on_topic
    assert other.probability < 0.1


def test_the_words_that_decided_are_named_for_and_against() -> None:
    found = dict(
        bee_judge()(count(NEW_BEE + " The harbour and the queen.")._replace(title="Winter in the hives")).words
    )
    assert found["bees"] > 0  # as the user wrote the keyword, not as it is folded
    assert found["hives"] > 0  # as the title spells it
    assert found["harbour"] < 0
    assert all(abs(part) <= max(map(abs, found.values())) for part in found.values())
    assert len(found) <= 10


def test_the_parts_of_the_words_add_up_to_what_sets_two_pages_apart() -> None:
    judge = bee_judge()
    words = judge(count(NEW_BEE)).words
    assert [abs(part) for _, part in words] == sorted((abs(part) for _, part in words), reverse=True)


def test_keywords_alone_are_enough_to_begin_with() -> None:
    judge = Judge(about(keywords={"bees": 2.0, "honey": 1.0}))
    assert judge(count(NEW_BEE)).on_topic
    assert not judge(count(NEW_OTHER)).on_topic
    assert not judge(count(OTHERS[1])).on_topic
    assert "keywords alone" in judge.advice
    judge.learn([], [count(text) for text in OTHERS])
    assert judge(count(NEW_BEE)).probability > 10 * judge(count(NEW_OTHER)).probability


def test_examples_alone_are_enough_to_begin_with() -> None:
    judge = Judge(about())
    judge.learn([count(text) for text in BEES], [])
    assert judge(count(NEW_BEE)).on_topic
    assert not judge(count(NEW_OTHER)).on_topic


def test_a_single_example_is_enough_to_begin_with() -> None:
    judge = Judge(about())
    judge.learn([count(BEES[0])], [])
    assert judge(count(NEW_BEE)).probability > 0.5 > judge(count(NEW_OTHER)).probability
    assert "One example" in judge.advice
    judge.learn([count(BEES[0])], [count(text) for text in OTHERS])
    assert judge(count(NEW_BEE)).probability > 0.5 > judge(count(NEW_OTHER)).probability


def test_pages_on_the_topic_in_the_background_do_not_turn_the_judge_against_it() -> None:
    judge = Judge(about(keywords={"bees": 1.0}))
    judge.learn([count(text) for text in BEES[:2]], [count(text) for text in (*BEES[2:], *OTHERS)])
    assert judge(count(NEW_BEE)).on_topic
    assert not judge(count(NEW_OTHER)).on_topic


def test_a_background_of_a_page_or_two_does_no_harm() -> None:
    for size in (1, 2, 3, 5):
        judge = bee_judge(others=OTHERS[:size])
        assert judge(count(NEW_BEE)).on_topic, size
        assert not judge(count(NEW_OTHER)).on_topic, size


def test_examples_that_are_also_in_the_background_do_not_count_there() -> None:
    examples, others = [count(text) for text in BEES], [count(text) for text in OTHERS]
    plain, mixed = Judge(about()), Judge(about())
    plain.learn(examples, others)
    mixed.learn(examples, [*(Shown(dict(page.terms)) for page in examples), *others, Shown({})])
    assert msgspec.msgpack.encode(plain._state) == msgspec.msgpack.encode(mixed._state)


def test_chinese_pages_are_judged_like_others() -> None:
    judge = Judge(about(keywords={"蜜蜂": 1.0}, languages=("zh",)))
    new = count("冬天蜜蜂聚集在蜂王周围，靠蜂巢里储存的蜂蜜过冬。", "zh")
    other = count("音乐会上钢琴家演奏了一首协奏曲，观众热烈鼓掌。", "zh")
    assert judge(new._replace(language="zh")).on_topic  # by the keyword alone
    judge.learn([count(text, "zh") for text in CHINESE], [])
    assert judge(new._replace(language="zh")).on_topic
    judge.learn([count(text, "zh") for text in CHINESE], [count(text, "zh") for text in CHINESE_OTHERS])
    verdict = judge(new._replace(language="zh"))
    assert verdict.on_topic
    assert verdict.words[0][1] > 0
    assert "蜜蜂" in dict(verdict.words)
    assert not judge(other._replace(language="zh")).on_topic


def test_a_topic_of_two_languages_knows_pages_of_both() -> None:
    judge = Judge(about(keywords={"bees": 1.0, "蜜蜂": 1.0}, languages=("en", "zh")))
    examples = [*(count(text) for text in BEES[:3]), *(count(text, "zh") for text in CHINESE)]
    others = [*(count(text) for text in OTHERS), *(count(text, "zh") for text in CHINESE_OTHERS)]
    judge.learn(examples, others)
    assert judge(count(NEW_BEE)._replace(language="en")).on_topic
    assert judge(count("养蜂人从蜂箱里取出蜂蜜，蜜蜂飞来飞去。", "zh")._replace(language="zh")).on_topic
    assert not judge(count(NEW_OTHER)._replace(language="en")).on_topic
    assert not judge(count("医院里的医生为病人做了手术。", "zh")._replace(language="zh")).on_topic


def test_keywords_of_several_words_and_of_any_form_meet_the_page() -> None:
    judge = Judge(about(keywords={"data mining": 1.0}))
    assert judge(count("Mining large data sets: a miner of data mines for patterns.")).on_topic
    german = Judge(about(keywords={"Bienenzüchter": 1.0}, languages=("de",)))
    assert german(count("Die Bienenzüchtern und Bienenzüchter im Tal", "de")._replace(language="de")).on_topic


def test_a_page_in_a_language_not_asked_for_is_off_topic_and_says_so() -> None:
    judge = bee_judge(about(keywords={"bees": 1.0}, languages=("en", "zh")))
    verdict = judge(count(NEW_BEE)._replace(language="de"))
    assert not verdict.on_topic
    assert verdict.note == "language de; the topic asks for en, zh"
    assert judge(count(NEW_BEE)._replace(language="en")).on_topic
    assert judge(count(NEW_BEE)._replace(language="")).on_topic


def test_a_topic_of_articles_wants_a_text_long_enough_or_marked_as_one() -> None:
    judge = bee_judge(about(keywords={"bees": 1.0}, kind="article"))
    stub, text, article = count(NEW_BEE, times=1), count(NEW_BEE, times=4), count(NEW_BEE, times=12)
    assert not judge(stub._replace(article=True)).on_topic
    assert "too short for an article" in judge(stub).note
    assert not judge(text).on_topic
    assert judge(text._replace(article=True)).on_topic
    assert judge(article).on_topic
    assert judge(article).note == ""


def test_a_topic_of_news_prefers_pages_that_bear_a_date() -> None:
    judge = bee_judge(about(keywords={"bees": 1.0}, kind="news"))
    page = count(NEW_BEE, times=12)
    dated, bare = judge(page._replace(published="2026-01-02")), judge(page)
    assert dated.note == ""
    assert "neither a date" in bare.note
    assert bare.probability < dated.probability


def test_a_page_without_words_is_off_topic() -> None:
    assert bee_judge()(Shown({})) == Verdict(0.0, False, [], "no words to judge by")


def test_a_page_of_three_words_is_not_as_sure_as_a_whole_page() -> None:
    judge = bee_judge()
    assert judge(Shown({"bee": 1})).probability < judge(Shown({"bee": 20, "hive": 10})).probability


def test_a_judge_that_knows_nothing_says_so_and_finds_nothing() -> None:
    judge = Judge(about(keywords={"the": 1.0}))
    assert not judge(count(NEW_BEE)).on_topic
    assert "nothing can be found" in judge.advice


def test_hostile_pages_are_judged_in_bounded_time_and_never_raise() -> None:
    judge = bee_judge()
    huge = Shown({f"word{number}": 10**9 for number in range(50_000)})
    assert not judge(huge).on_topic
    judge.learn([count(BEES[0]), Shown({})], [huge, Shown({"x": 1}), Shown({})])
    assert 0.0 <= judge(count(NEW_BEE)).probability <= 1.0


def test_the_same_pages_make_the_same_judge_in_any_process() -> None:
    code = (
        "from tests.topic.test_judge import *; import hashlib; judge = bee_judge();"
        "print(hashlib.sha256(msgspec.msgpack.encode(judge._state) + repr(judge(count(NEW_BEE))).encode()).hexdigest())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_a_threshold_lies_between_none_and_all() -> None:
    judge = bee_judge()
    for wrong in (0.0, 1.0, -3.0, float("nan")):
        with pytest.raises(ValueError, match="between 0 and 1"):
            judge.threshold = wrong


def test_labels_turn_the_judge() -> None:
    chess = [
        count(OTHERS[1]),
        count("The queen takes the pawn, and the king is in check; white wins the game of chess."),
    ]
    queen = count("The queen and her court: the queen danced while the king slept and the swarm of guests left.")
    judge = bee_judge()
    before = judge(queen).probability
    judge.learn([count(text) for text in BEES], [count(text) for text in OTHERS], [(queen, False)])
    assert judge(queen).probability < before
    judge.learn([count(text) for text in BEES], [count(text) for text in OTHERS], [(page, True) for page in chess])
    assert judge(queen).probability > before
    assert standing(judge.threshold) == pytest.approx(0.5, abs=0.01)


def test_enough_labels_of_both_kinds_place_the_threshold_unless_it_was_set_by_hand() -> None:
    draw = random.Random(3)
    bee_words = sorted({term for text in BEES for term in terms(text)})
    other_words = sorted({term for text in OTHERS for term in terms(text)})

    def mixed(bees: int) -> Shown:
        return Shown(dict(Counter(draw.choices(bee_words, k=bees) + draw.choices(other_words, k=60 - bees))))

    labelled = [(mixed(draw.randint(18, 40)), True) for _ in range(8)]
    labelled += [(mixed(draw.randint(0, 16)), False) for _ in range(8)]
    examples, others = [count(text) for text in BEES], [count(text) for text in OTHERS]
    judge = Judge(about())
    judge.learn(examples, others, labelled)
    assert judge.threshold != 0.5
    assert sum(judge(page).on_topic == right for page, right in labelled) >= 14
    judge.threshold = 0.5
    judge.learn(examples, others, labelled)
    assert judge.threshold == 0.5


def test_labels_tell_of_pages_that_have_none_and_each_is_held_against_a_judge_that_does_not_know_it() -> None:
    draw = random.Random(4)
    bee_words, other_words = (sorted({term for text in texts for term in terms(text)}) for texts in (BEES, OTHERS))

    def mixed(bees: int) -> Shown:
        return Shown(dict(Counter(draw.choices(bee_words, k=bees) + draw.choices(other_words, k=60 - bees))))

    met, asked = [mixed(draw.randint(0, 40)) for _ in range(60)], [mixed(32) for _ in range(12)]
    judge, new = Judge(about()), mixed(32)

    def taught(said: list[bool]) -> tuple[float, float]:
        judge.learn([count(text) for text in BEES], met, list(zip(asked, said, strict=False)))
        verdict = judge(new)
        return verdict.probability, dict(verdict.words).get(LABELS, 0.0)

    untaught, wrongs, rights, both = (taught(said) for said in ([], [False] * 6, [True] * 6, [True, False] * 6))
    assert untaught[1] == 0.0
    assert wrongs[1] < -0.3  # each was as likely without the others, and was not on topic
    assert rights[1] > 0.3
    assert wrongs[0] < untaught[0] < rights[0]
    assert wrongs[1] < both[1] < rights[1]
    judge.learn([count(text) for text in BEES], met, [(page, False) for page in asked])
    assert judge._state.correction is not None
    by_others = judge._state.correction.odds
    judge.learn([count(text) for text in BEES], met, [(page, False) for page in asked[1:]])
    without = judge(asked[0])
    alone = log_odds_of(without.probability) - dict(without.words)[LABELS]
    assert by_others[0] == pytest.approx(alone, abs=0.7)  # as it is judged where nobody had labelled it


def test_examples_with_little_in_common_earn_advice() -> None:
    judge = Judge(about())
    judge.learn([count(text) for text in OTHERS[:4]], [count(text) for text in (*OTHERS[4:], *BEES)])
    assert "label some results" in judge.advice
    assert bee_judge().advice == ""


def test_judging_costs_less_than_reading_and_learning_little_more_than_judging() -> None:
    draw = random.Random(7)
    vocabulary = [f"term{number}" for number in range(20_000)]

    def page() -> Shown:
        return Shown({draw.choice(vocabulary): draw.randint(1, 9) for _ in range(400)}, draw.randbytes(SIZE))

    examples, background = [page() for _ in range(5)], [page() for _ in range(1024)]
    bodies = [("<p>" + " ".join(met.terms)).encode() for met in background[:100]]
    judge = Judge(about())

    def learning(count: int) -> Callable[[], object]:
        return lambda: judge.learn(examples, background[:count])

    def judging(count: int) -> Callable[[], object]:
        return lambda: [judge(met) for met in background[:count]]

    grows(learning, len(background))
    learning(len(background))()
    takes_at_most(6, learning(len(background)), than=judging(len(background)))  # measured: 1.1 times
    # Measured: 0.3 times; every page must be read anyway.
    takes_at_most(1, judging(100), than=lambda: [Parser().html(body, "http://a.test/") for body in bodies])


def test_what_holds_a_page_back_is_told() -> None:
    curve = Calibration(Scale(0.0, 1.0, 4.0), Scale(0.0, 1.0, 4.0), 0.5, 0.5, middle=2.0, steep=1.0, share=0.5)
    told = [curve.held_back(*scores) for scores in ((6.0, -1.0), (-1.0, 6.0), (4.0, 4.0), (6.0, None))]
    assert told == ["meaning", "words", "", ""]


def test_pages_it_is_most_like_speak_for_a_page_where_there_are_examples_to_go_by() -> None:
    draw = np.random.default_rng(3)

    def meaning(axis: int) -> bytes:
        row = np.eye(SIZE)[axis] + 0.02 * draw.standard_normal(SIZE)
        return pack((row / np.linalg.norm(row)).astype(np.float32))

    bees = [count(text)._replace(meaning=meaning(0)) for text in BEES]
    met = [count(f"{text} word{number}")._replace(meaning=meaning(0)) for number in range(24) for text in BEES]
    met += [count(f"{text} word{number}")._replace(meaning=meaning(1)) for number in range(24) for text in OTHERS]
    page = count("A short note on nothing that anybody would tell by its words alone")
    judge = Judge(about(keywords={"bees": 1.0}))
    judge.learn(bees, met)
    among, apart = (dict(judge(page._replace(meaning=meaning(axis))).words) for axis in (0, 1))
    assert among[NEIGHBOURS] > 0 > apart[NEIGHBOURS]
    judge.learn(bees[:1], met)  # beside one example, what pages are taken for is too much of a guess
    assert not any(word == NEIGHBOURS for one in met for word, _ in judge(one).words)


def test_a_page_is_left_unread_only_where_no_page_with_such_words_came_near_the_topic() -> None:
    met = [count(f"{text} word{number}") for number in range(8) for text in (*BEES, *OTHERS)]
    asked: list[Shown] = []

    def glanced(text: str) -> Shown:
        page = count(text)
        return page._replace(glanced=True, read=lambda: asked.append(page) or page)  # type: ignore[func-returns-value]

    judge = Judge(about(keywords={"bees": 1.0}))
    judge.learn([count(text) for text in BEES], met)
    far = judge(glanced(OTHERS[1]))
    assert not asked
    assert not far.on_topic
    assert "its words alone decided" in far.note
    assert judge(glanced(NEW_BEE)).on_topic
    assert len(asked) == 1
    judge.learn([count(text) for text in BEES[:2]], met[:12])  # a few pages tell nothing of what others may be
    judge(glanced(OTHERS[1]))
    assert len(asked) == 2
