"""Words that speak for a page, and the company they keep."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from honeyguide.page import Parser
from honeyguide.page.digest import decode, encode
from honeyguide.topic import Judge, Shown, Topic
from honeyguide.topic.company import STRANGE, Company, Speaking, _said, learn_company
from honeyguide.topic.views import WordTables

BEES = [
    "the queen bee lays eggs", "worker bees gather nectar", "a swarm leaves the hive", "honey is kept in combs",
    "beekeepers smoke the hive", "drones mate with the queen", "nectar becomes honey", "larvae hatch in wax cells",
    "the comb is made of wax", "pollen feeds the larvae", "bees dance for pollen", "mites kill worker bees",
]  # fmt: skip
CHESS = [
    "the rook takes the knight", "white opens with a pawn", "castling saves the king", "a bishop pins the knight",
    "black resigns the game", "the endgame was drawn", "pawns promote to queens", "players study openings",
    "a tournament has nine rounds", "the clock ran out", "masters play blindfold games", "the gambit wins a pawn",
]  # fmt: skip
PLACES = [f"{one}{two}{three}" for one in "bdfgklm" for two in "aeiou" for three in ("nton", "rford", "sham", "tville")]
TELLING = "honey hive swarm nectar pollen comb wax larvae drones mites worker beekeepers smoke dance eggs cells".split()


def page(number: int, sentences: Sequence[str], title: str = "") -> Shown:
    """A short page of the web."""
    text = ". ".join(sentence.capitalize() for sentence in sentences)
    body = f"<title>{title}</title><p>{text}."
    return Shown.of(Parser(structure=False).html(body.encode(), f"http://a.test/{number}"))


def said(number: int, of: Sequence[str], count: int = 10) -> list[str]:
    """Sentences, each of some place or other."""
    dice = random.Random(number)
    return [f"{sentence} in {dice.choice(PLACES)}" for sentence in dice.choices(of, k=count)]


def stuffed(number: int, count: int = 40) -> Shown:
    """A page on chess, with words of bees put in front in an order of its own."""
    dice = random.Random(number)
    return page(number, [" ".join(dice.choices(TELLING, k=count)), *said(number, CHESS)])


EXAMPLES = [page(number, said(number, BEES)) for number in range(5)]
MET = [page(100 + number, said(100 + number, CHESS if number % 4 else BEES)) for number in range(120)]


def terms_of(pages: Sequence[Shown]) -> list[str]:
    return list(dict.fromkeys(term for page in pages for term in page.terms))


def company_of(pages: Sequence[Shown], speaking: Speaking, keywords: Sequence[str] = ()) -> Company:
    numbers = dict(zip(terms_of(pages), count(1)))
    said = [_said(page, np.array([numbers[term] for term in page.terms])) for page in pages]
    return Company(numbers, said, speaking, keywords)


def learnt(met: Sequence[Shown] = MET) -> Judge:
    topic = Topic.from_flags(keywords=["bees", "honey"], examples=["http://a.test/0"], starts=["http://a.test/0"])
    judge = Judge(topic)
    judge.learn(EXAMPLES, met)
    return judge


def test_words_of_the_topic_in_a_heap_do_not_make_a_page_on_it() -> None:
    judge, young = learnt(), learnt(MET[:30])
    for number in range(500, 510):
        assert judge(page(number, said(number, BEES))).on_topic
        verdict = judge(stuffed(number))
        assert not verdict.on_topic
        assert verdict.note == STRANGE
        assert young(stuffed(number)).on_topic  # too few pages met to know any word's company


def test_a_page_read_from_the_store_is_judged_as_it_was() -> None:
    judge = learnt()
    digest = Parser().html(f"<p>{' '.join(TELLING * 3)}. {'. '.join(CHESS)}.".encode(), "http://a.test/x")
    assert judge(Shown.of(decode(encode(digest)))) == judge(Shown.of(digest))
    old = Shown.of(digest)._replace(order=b"")  # one stored before its order was
    assert judge(old).note != STRANGE


def test_one_list_on_many_pages_does_not_vouch_for_itself() -> None:
    heap = " ".join(TELLING)
    farm = [page(700 + number, [heap, *said(700 + number, CHESS)]) for number in range(20)]
    judge = learnt([*MET, *farm])
    assert not judge(page(800, [heap, *said(800, CHESS)])).on_topic
    company = company_of(farm, Speaking([], WordTables([])))
    assert company.share(farm[0]) == (0.0, 0.0)  # nothing speaks for any page


class Alike(Speaking):
    """Every word says as much as any other."""

    def __call__(self, page: Shown) -> NDArray[np.float64]:
        return np.ones(len(page.terms))


def test_what_is_said_a_second_time_in_the_same_words_has_no_company() -> None:
    company = company_of([*EXAMPLES, *MET], Alike([], WordTables([])))
    once, often = (page(1, ["worker bees gather nectar"] * times + said(1, CHESS)) for times in (1, 8))
    assert set(once.terms) == set(often.terms)
    assert company.share(once)[0] > company.share(often)[0]


def test_the_words_of_a_keyword_do_not_vouch_for_each_other() -> None:
    every, alike = [*EXAMPLES, *MET], Alike([], WordTables([]))
    plain, heedful = company_of(every, alike), company_of(every, alike, ["bee", "gather", "board"])
    named = page(1, ["bees gather"])  # as in "worker bees gather nectar", but between other words
    assert plain.share(named)[0] == 1.0
    assert heedful.share(named)[0] == 0.0
    assert heedful.share(page(2, ["worker bees gather nectar"]))[0] == 1.0  # they have other company there


def test_pages_that_a_person_gave_are_not_asked() -> None:
    odd = stuffed(900)
    judge = learnt()
    judge.learn([*EXAMPLES, odd], MET)
    assert judge(odd).note != STRANGE


def test_where_every_page_is_about_something_else_nothing_is_said() -> None:
    dice = random.Random(3)
    words = [f"{one}{two}{three}" for one in "bdfgklm" for two in "aeiou" for three in "nprst"]
    lone = [page(number, [" ".join(dice.choices(words, k=60))]) for number in range(80)]
    judge = learnt()
    speaking = Speaking(judge._state.views, judge._state.words)
    assert learn_company(EXAMPLES, lone, terms_of([*EXAMPLES, *lone]), speaking) is None
    terms = terms_of([*EXAMPLES, *MET])
    assert learn_company(EXAMPLES, [one._replace(order=b"") for one in MET], terms, speaking) is None
    assert learn_company(EXAMPLES, MET, terms, speaking) is not None


def test_lists_of_links_and_tables_of_the_topic_are_no_stuffing() -> None:
    judge, parser = learnt(), Parser(structure=False)
    for number in range(600, 610):
        sentences = said(number, BEES, 12)
        linked = "".join(f"<li><a href='/{place}'>{one}</a>" for place, one in enumerate(sentences))
        cells = "".join(f"<td>{one}" for one in sentences)
        for body in (f"<ul>{linked}</ul>", f"<table><tr>{cells}</table>"):
            assert judge(Shown.of(parser.html(body.encode(), "http://a.test/list"))).on_topic
