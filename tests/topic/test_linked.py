"""What examples link to and few other pages do."""

from __future__ import annotations

import numpy as np

from honeyguide.page.digest import Digest, Link
from honeyguide.topic import Judge, Shown, Topic
from honeyguide.topic.linked import A_LINK, SharedLinks, learn_shared_links

FILED = "http://a.test/topic/bees"
FRONT = "http://a.test/"  # every page links there


def page(number: int, *addresses: str, words: str = "summer valley", spelled: bool = True) -> Shown:
    """A page of a site, with a few links that nobody else has."""
    lone = [f"http://a.test/p/{number}/{place}" for place in range(3)]
    links = [Link(address, "", -1) for address in (FRONT, *lone, *addresses)]
    terms = dict.fromkeys(words.split(), 3)
    return Shown.of(Digest(f"http://a.test/{number}", 0.0, "html", terms=terms, links=links), spelled=spelled)


def examples(count: int = 5) -> list[Shown]:
    return [page(number, FILED) for number in range(count)]


def others(count: int = 130, *addresses: str) -> list[Shown]:
    return [page(1_000 + number, *addresses, spelled=False) for number in range(count)]


def learnt(own: list[Shown], met: list[Shown], off: float = 0.9) -> SharedLinks | None:
    return learn_shared_links(own, met, np.full(len(met), off))


def test_a_page_filed_where_the_examples_are_gains_and_one_that_is_not_loses() -> None:
    found = learnt(examples(), others())
    assert found is not None
    for_it, name = found.tell(page(7, FILED))
    against, none = found.tell(page(8))
    assert name == f"{A_LINK} the examples have: {FILED})"
    assert none == f"{A_LINK} the examples have: none)"
    assert for_it > 1.0
    assert against < -1.0
    assert found.tell(Shown({"bee": 1})) == (0.0, none)  # it has no links: nothing to go by


def test_one_by_one_and_all_at_once_say_the_same() -> None:
    found = learnt(examples(), others(130) + [page(number, FILED) for number in range(50, 60)])
    assert found is not None
    pages = [page(7, FILED), page(8), Shown({"bee": 1}), *examples()]
    assert found.odds_of(pages).tolist() == [found.tell(one)[0] for one in pages]


def test_what_stands_on_every_page_tells_nothing() -> None:
    assert learnt([page(number) for number in range(5)], others()) is None
    assert learnt(examples(), others(130, FILED)) is None


def test_a_link_that_pages_off_the_topic_have_too_tells_less() -> None:
    clear, blurred = learnt(examples(), others()), learnt(examples(), others(110) + others(20, FILED))
    assert clear is not None
    assert blurred is not None
    assert blurred.tell(page(7, FILED))[0] < clear.tell(page(7, FILED))[0]


def test_pages_on_the_topic_that_are_filed_there_do_not_count_against_it() -> None:
    met = others(110) + others(20, FILED)
    off = np.array([0.9] * 110 + [0.05] * 20)
    known, doubted = learn_shared_links(examples(), met, off), learnt(examples(), met)
    assert known is not None
    assert doubted is not None
    assert known.weights[hash(FILED)] > doubted.weights[hash(FILED)] + 0.5


def test_two_examples_tell_nothing_of_how_much_examples_share() -> None:
    assert learnt(examples(2), others()) is None
    without_links = [Shown({"bee": 1})] * 5
    assert learnt([*examples(2), *without_links], others()) is None
    assert learnt([*examples(3), *without_links], others()) is not None


def test_few_pages_met_tell_nothing_of_what_hardly_any_page_has() -> None:
    assert learnt(examples(), others(127)) is None
    assert learnt(examples(), [*others(127), *[Shown({"bee": 1})] * 50]) is None  # nor do pages without links
    assert learnt(examples(), others(128)) is not None


def test_a_page_is_not_filed_under_itself() -> None:
    itself = Digest(FILED, 0.0, "html", links=[Link(FILED, "", -1), Link(FRONT, "", -1)])
    assert Shown.of(itself, spelled=True).addresses == (FRONT,)
    assert Shown.of(itself).addresses == ()
    assert Shown.of(itself).links == Shown.of(itself, spelled=True).links


def test_the_judge_goes_by_it_and_names_the_link() -> None:
    judge = Judge(Topic.from_flags(keywords=["bees"], starts=["http://a.test/"]))
    own = [page(number, FILED, words="bee hive honey summer") for number in range(5)]
    judge.learn(own, [page(number, words="star moon orbit valley summer", spelled=False) for number in range(100, 240)])
    filed, loose = page(7, FILED, words="hive queen summer"), page(7, words="hive queen summer")
    assert judge(filed).probability > judge(loose).probability + 0.1
    told = dict(judge(filed).words)
    assert told[f"{A_LINK} the examples have: {FILED})"] > 0.5
    assert dict(judge(loose).words)[f"{A_LINK} the examples have: none)"] < 0.0


def test_a_page_labelled_wrong_speaks_against_the_link_it_shares() -> None:
    judge = Judge(Topic.from_flags(keywords=["bees"], starts=["http://a.test/"]))
    own = [page(number, *[FILED] * (number < 3), words="bee hive honey summer") for number in range(5)]
    met = [page(number, words="star moon orbit valley summer", spelled=False) for number in range(100, 240)]
    filed = page(7, FILED, words="hive summer")
    named = f"{A_LINK} the examples have: {FILED})"
    judge.learn(own, met)
    before = dict(judge(filed).words)[named]
    judge.learn(own, met, [(page(200 + number, FILED, words="sale cart price"), False) for number in range(20)])
    assert dict(judge(filed).words)[named] < before - 0.3
