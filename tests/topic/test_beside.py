"""What the pages that lie beside a page say of it."""

from __future__ import annotations

import numpy as np

from honeyguide.topic import Judge, Shown, Topic
from honeyguide.topic.beside import BESIDE, PagesBeside, learn_beside

SURE, UNSURE = 1.5, -1.5  # log-odds by words of pages that lie among bees, and of all others


def site(folder: str, count: int, ending: str = ".html") -> list[str]:
    return [f"http://a.test/{folder}/page{number}{ending}" for number in range(count)]


def learnt(bees: list[str], others: list[str], told: dict[str, bool] | None = None) -> PagesBeside | None:
    odds = np.array([SURE] * len(bees) + [UNSURE] * len(others))
    return learn_beside([*bees, *others], odds, told)


def test_a_page_shares_the_luck_of_its_folder_and_is_told_which() -> None:
    found = learnt(site("bees", 40), site("stars", 120))
    assert found is not None
    for_it, place = found.tell("http://a.test/bees/new.html")
    against, _ = found.tell("http://a.test/stars/new.html")
    assert for_it > 1.0
    assert against < -0.2
    assert place == f"{BESIDE}, in a.test/bees/: 33 of 40 on topic)"


def test_a_folder_nobody_has_seen_says_what_the_one_around_it_does() -> None:
    met = [*site("garden/bees", 30), *site("garden/flowers", 30)]
    found = learnt(met, site("stars", 120))
    assert found is not None
    new, place = found.tell("http://a.test/garden/wasps/1.html")
    assert new > 0.5
    assert "a.test/garden/:" in place


def test_one_by_one_and_all_at_once_say_the_same() -> None:
    met = site("bees", 40)
    found = learnt(met, site("stars", 120))
    assert found is not None
    pages = [met[3], "http://a.test/bees/new.html", "http://b.test/", ""]
    assert found.odds_of(pages).tolist() == [found.tell(url)[0] for url in pages]
    assert found.tell("") == (0.0, f"{BESIDE})")  # without an address it lies nowhere


def test_a_page_does_not_speak_for_itself() -> None:
    lone = "http://a.test/alone/1.html"
    found = learnt([*site("bees", 40), lone], site("stars", 120))
    assert found is not None
    assert found.tell(lone)[0] <= found.tell("http://a.test/another/1.html")[0]


def test_folders_by_the_alphabet_say_nothing() -> None:
    bees = [f"http://a.test/{'abcdefgh'[number % 8]}/{number}.html" for number in range(40)]
    others = [f"http://a.test/{'abcdefgh'[number % 8]}/{number}.html" for number in range(40, 200)]
    assert learnt(bees, others) is None


def test_too_few_pages_say_nothing() -> None:
    assert learnt(site("bees", 20), site("stars", 100)) is None


def test_folders_side_by_side_of_one_form_are_one_kind() -> None:
    homes = [f"http://a.test/people/{number}/home.html" for number in range(60)]
    papers = [f"http://a.test/people/{number}/paper.ps" for number in range(100)]
    found = learnt(homes, papers)
    assert found is not None
    assert found.tell("http://a.test/people/999/index.html")[0] > found.tell("http://a.test/people/999/cv.ps")[0] + 1.0


def test_what_is_asked_of_a_script_is_a_form() -> None:
    topics = [f"http://a.test/show?topic={number}" for number in range(60)]
    users = [f"http://a.test/show?user={number}" for number in range(100)]
    found = learnt(topics, users)
    assert found is not None
    for_it, place = found.tell("http://a.test/show?topic=999")
    assert for_it > found.tell("http://a.test/show?user=999")[0] + 1.0
    assert "a.test/…?topic:" in place


def test_examples_and_labels_count_as_what_they_are() -> None:
    bees, stars = site("bees", 40), site("stars", 120)
    new = "http://a.test/moths/9.html"
    moths = site("moths", 10)
    met = [*stars, *moths]
    plain = learnt(bees, met)
    praised, scorned = (learnt(bees, met, dict.fromkeys(moths, said)) for said in (True, False))
    assert plain is not None
    assert praised is not None
    assert scorned is not None
    assert praised.tell(new)[0] > plain.tell(new)[0] > scorned.tell(new)[0]


def test_the_judge_hears_it_and_says_so() -> None:
    """Pages about bees lie in one folder; one there that says hardly a word of them gains, one elsewhere loses."""
    judge = Judge(Topic.from_flags(keywords=["bees"], starts=["http://a.test/"]))
    vague = {"bee": 1, "summer": 6, "valley": 5, "garden": 4}
    bees = [
        Shown({"bee": 6, "hive": 5, "honey": 4, f"one{number}": 2}, url=url)
        for number, url in enumerate(site("bees", 40))
    ]
    stars = [
        Shown({"star": 6, "comet": 5, "summer": 4, f"two{number}": 2}, url=url)
        for number, url in enumerate(site("stars", 160))
    ]
    judge.learn([Shown({"bee": 5, "hive": 5, "queen": 4}, url="http://a.test/bees/example.html")], [*bees, *stars])
    here, there, nowhere = (
        judge(Shown(vague, url=url)) for url in ("http://a.test/bees/x.html", "http://a.test/stars/x.html", "")
    )
    assert here.probability > nowhere.probability > there.probability
    told = dict(here.words)
    (place,) = [name for name in told if name.startswith(BESIDE)]
    assert "a.test/bees/" in place
    assert told[place] > 0.5
