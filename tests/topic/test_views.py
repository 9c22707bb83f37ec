"""Two views of a topic: by its examples, and with pages met that stand in for more of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.text.about import direction
from honeyguide.topic import Judge, Shown, Topic, standing
from honeyguide.topic.known import Known
from honeyguide.topic.views import learn_view

TOPIC = Topic.from_flags(keywords=["bees"], starts=["http://a.test/"])
WORDS = ("swarm", "queen", "comb", "drone", "sting", "wax", "nectar", "pollen", "brood", "smoke")
EXAMPLES = [Shown({"bee": 5, "hive": 3, "honey": 2, word: 2}) for word in WORDS]
OTHERS = [Shown({"chess": 4, "rook": 2, f"word{number}": 3, "game": 1}) for number in range(40)]
# On topic, in words that the examples do not have: bumblebees.
MET = [Shown({"bee": 3, "bumble": 4, "nest": 3, "clover": 2, f"meadow{number}": 2}) for number in range(6)]
BUMBLEBEE = Shown({"bumble": 4, "nest": 3, "clover": 2, "day": 1})


def learnt(examples: int, *background: Shown) -> Judge:
    judge = Judge(TOPIC)
    judge.learn(EXAMPLES[:examples], background)
    return judge


def test_pages_met_teach_words_that_the_examples_lack() -> None:
    alone = learn_view(Known(EXAMPLES[:3], [*OTHERS, *MET], {"bee": 1.0}, direction("bees")))
    assert alone is not None
    assert alone.view.weight[alone.view.terms.index("bumble")] <= 0
    views = learnt(3, *OTHERS, *MET)._state.views
    assert len(views) == 2
    assert views[1].weight[views[1].terms.index("bumble")] > 0


def test_the_more_examples_the_less_pages_met_have_to_say() -> None:
    shares = [[view.share for view in learnt(size, *OTHERS, *MET)._state.views] for size in (2, 3, 5, 10)]
    assert shares == [pytest.approx([size / (size + 2), 2 / (size + 2)]) for size in (2, 3, 5, 10)]
    likes = [learnt(size, *OTHERS, *MET)(BUMBLEBEE).probability for size in (2, 10)]
    assert likes[0] > likes[1]


@pytest.mark.parametrize("more", [0, 7])
def test_keywords_few_or_many_say_half_and_the_pages_that_fit_them_the_other(more: int) -> None:
    words = ["bees", "honey", "wax", "comb", "queen", "swarm", "brood", "smoke"]
    judge = Judge(Topic.from_flags(keywords=words[: 1 + more], starts=["http://a.test/"]))
    judge.learn([], [*OTHERS, *MET, *EXAMPLES])
    helped, alone = judge._state.views
    assert (helped.share, alone.share) == (0.5, 0.5)
    spoken_for = [
        {term for term, weight in zip(view.terms, view.weight, strict=True) if weight > 0} for view in (helped, alone)
    ]
    assert "hive" in spoken_for[0] - spoken_for[1]  # a word that nobody gave
    assert judge(EXAMPLES[0]).on_topic
    assert not judge(OTHERS[0]).on_topic


def test_beside_one_example_pages_met_decide_and_beside_many_they_are_not_asked() -> None:
    assert [view.share for view in learnt(1, *OTHERS, *MET)._state.views] == [1.0]
    many = Judge(TOPIC)
    many.learn([Shown({**page.terms, f"more{number}": 1}) for page in EXAMPLES for number in range(3)], OTHERS)
    assert len(many._state.views) == 1


@given(st.floats(1e-6, 1 - 1e-6), st.floats(1e-6, 1 - 1e-6))
def test_strategies_rank_pages_as_their_probabilities_do(one: float, other: float) -> None:
    assert (standing(one) < standing(other)) == (one < other) or standing(one) == pytest.approx(standing(other))
    assert 0.0 < standing(one) < 1.0


def test_an_example_that_is_unlike_the_others_is_named() -> None:
    titled = [page._replace(title=f"Bees {number}") for number, page in enumerate(EXAMPLES[:4])]
    rook = Shown({"chess": 4, "rook": 2, "castle": 3, "game": 1}, title="Rooks\x1b[2J\n of\tall  kinds" + "!" * 500)
    judge = Judge(TOPIC)
    judge.learn([*titled, rook], [*OTHERS, *MET])
    assert "unlike the others: Rooks [2J of all kinds!!!" in judge.advice
    assert judge.advice.isprintable()
    assert len(judge.advice) < 250
    judge.learn(titled, [*OTHERS, *MET])
    assert "unlike" not in judge.advice
    judge.learn(titled, [*OTHERS, *MET], [(rook, True)])  # a person has looked at that one, and says so
    assert "unlike" not in judge.advice
    judge.learn([titled[0], rook], [*OTHERS, *MET])  # nobody can tell which of two is the odd one
    assert "unlike" not in judge.advice
