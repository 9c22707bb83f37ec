"""The Hopfield net on blocks: relevance by the printed formula, noise, and the kind of a link's target."""

from __future__ import annotations

from math import exp

import pytest

from honeyguide.page.digest import Block, Digest, Link, Part
from honeyguide.strategies.hopfield import Hopfield
from honeyguide.strategies.hopfield_blocks import HopfieldBlocks
from honeyguide.strategies.target_kinds import TargetKinds
from honeyguide.topic import Topic

from .tiny import TOPIC, A, B, C, Crawl, D, E, Web, digest

ARTICLES = Topic(name="bees", kind="article", keywords={"hive": 1.0})


def f(value: float) -> float:
    """The sigmoid at theta_j = 0.5, theta_0 = 0.25."""
    return 1 / (1 + exp((0.5 - value) / 0.25))


def crawl(topic: Topic = TOPIC, **settings: object) -> Crawl:
    """The printed net in the order of activation alone, each term as rare as any."""
    plain = {"theta_j": 0.5, "theta_0": 0.25, "average": False, "doubt": 0.0, "around": 0.0, "least": 0.0}
    return Crawl(HopfieldBlocks(**{**plain, "judged": False, **settings}), topic=topic)


def page(url: str, blocks: list[tuple[str, list[str]]], links: dict[str, tuple[int, str]], **more: object) -> Digest:
    """A page of blocks with a role and words each, and links with the block they stand in and what they say."""
    found = digest(url, 0.5, (), **more)
    found.parts = [Part(-1, "", "the page"), *(Part(0, role, "by hand") for role, _ in blocks)]
    found.blocks = [Block("p", 0, -1, True, terms, part=1 + place) for place, (_, terms) in enumerate(blocks)]
    found.links = [Link(target, anchor, block, 0, len(anchor.split())) for target, (block, anchor) in links.items()]
    return found


def relevance(strategy: HopfieldBlocks, shown: Digest) -> float:
    return strategy._relevance(shown, strategy._likeness.look())


def test_relevance_is_the_printed_sum_of_content_and_links() -> None:
    spider = crawl().strategy
    assert isinstance(spider, HopfieldBlocks)
    half = 2**-0.5  # the cosine of two equally rare words with one of them
    on_topic, mixed = ["hive"], ["hive", "road"]
    shown = page(A, [("title", on_topic), ("body", mixed), ("related", mixed), ("navigation", ["road"])], {})
    content, links = (1 + half) / 2, (half + 0) / 2
    assert relevance(spider, shown) == pytest.approx(0.7 * content + 0.3 * links)
    shown = page(A, [("abstract", on_topic), ("body", ["road"]), ("noise", on_topic)], {})
    assert relevance(spider, shown) == pytest.approx(
        2 / 3
    )  # an abstract weighs twice; noise and what is not there nothing


def test_shares_and_weights_are_settings_and_the_judge_may_stand_for_the_content() -> None:
    shown = page(A, [("abstract", ["hive"]), ("body", ["road"]), ("related", ["hive"])], {})
    for settings, expected in (
        ({"content": 0.5, "heavy": 1.0}, 0.5 * 0.5 + 0.5),
        ({"content": 1.0, "heavy": 3.0}, 0.75),
        ({"judged": True}, 0.7 * 0.5 + 0.3),  # the judge gave it one half
    ):
        spider = crawl(**settings).strategy
        assert isinstance(spider, HopfieldBlocks)
        assert relevance(spider, shown) == pytest.approx(expected)


def test_noise_is_left_behind_or_dropped_and_never_excites() -> None:
    blocks = [("body", ["hive"]), ("noise", ["hive"])]
    shown = page(A, blocks, {B: (0, "hive"), C: (1, "hive")})
    assert crawl(drop=True).show(shown).keys() == {B}
    ranked = crawl().show(shown)
    assert ranked[B] > ranked[C] == pytest.approx(f(0.0))
    spider = crawl()
    spider.show(shown)
    assert spider.reason(C) == "found only among advertising and furniture, which excites nothing"
    assert spider.reason(B).startswith("activation ")
    # What content has led to keeps its rank where it is met again in a menu.
    assert spider.show(page(D, blocks, {C: (0, "hive")}))[C] > f(0.0)
    assert B not in spider.show(page(E, blocks, {B: (1, "hive")}))


def test_a_link_both_in_noise_and_in_the_text_is_of_the_text() -> None:
    shown = page(A, [("body", ["hive"]), ("noise", ["hive"])], {B: (0, "hive")})
    shown.links.append(Link(B, "hive", 1, 0, 1))
    assert crawl(drop=True).show(shown) == crawl(drop=True).show(page(A, [("body", ["hive"])], {B: (0, "hive")}))


def test_pages_without_blocks_are_ranked_as_hopfield_does() -> None:
    feed = digest(A, 0.8, {B: "hive", C: "road"})
    settings = {"theta_j": 0.5, "theta_0": 0.25}
    assert Crawl(HopfieldBlocks(**settings)).show(feed) == Crawl(Hopfield(**settings)).show(feed)


def test_in_layers_noise_comes_after_everything() -> None:
    shown = page(A, [("body", ["hive"]), ("noise", ["hive"])], {B: (0, "road"), C: (1, "hive")})
    ranked = crawl(layered=True, threshold=0.9).show(shown)
    assert ranked[C] < ranked[B] < -900_000


def taught() -> tuple[Web, TargetKinds, dict[str, int]]:
    """Articles at /article/N, found in related lists; books at /book/N, found in noise."""
    web = Web()
    kinds = TargetKinds(web.graph)
    links = {f"http://j.test/article/{n}": (0, "How the bees of the valley dance") for n in range(6)}
    links |= {f"http://j.test/book/{n}": (1, "Bees of the valley, bound") for n in range(6)}
    start = web.visit(page("http://j.test/", [("related", ["hive"]), ("noise", ["hive"])], links))
    kinds.found(start)
    for n in range(3):
        for name, score in (("article", 0.9), ("book", 0.1)):
            one = web.visit(digest(f"http://j.test/{name}/{n}", 0.5, (), article_score=score))
            kinds.learn(one)
    return web, kinds, {link: web.number(link) for link in links}


def test_what_a_link_leads_to_is_told_by_its_like() -> None:
    import numpy as np

    web, kinds, known = taught()

    def chance(url: str) -> float:
        return float(kinds.chance(np.array([known.get(url, web.number(url))]))[0])

    # Three of three of the pattern, and of the sort (3 + 1) / (3 + 2): (3 + 2 * 0.8) / (3 + 2)
    assert chance("http://j.test/article/5") == pytest.approx(0.92)
    assert chance("http://j.test/book/5") == pytest.approx(0.08)
    assert chance("http://other.test/") == 0.5  # nothing is known of it
    fresh = TargetKinds(web.graph)
    fresh.load(kinds.save())
    numbers = np.array(sorted(known.values()))
    assert fresh.chance(numbers).tolist() == kinds.chance(numbers).tolist()


def test_a_topic_of_articles_prefers_links_that_lead_to_some_and_says_so() -> None:
    def spider(topic: Topic) -> Crawl:
        net = crawl(topic)
        first = {"http://j.test/article/1": (0, "hive"), "http://j.test/book/1": (0, "hive")}
        net.show(page(A, [("body", ["hive"])], first))
        net.show(page("http://j.test/article/1", [("body", ["hive"])], {}, article_score=0.9))
        net.show(page("http://j.test/book/1", [("body", ["hive"])], {}, article_score=0.1))
        return net

    links = {"http://j.test/article/2": (0, "hive"), "http://j.test/book/2": (0, "hive")}
    ranked = spider(TOPIC).show(page(B, [("body", ["hive"])], links))
    assert ranked["http://j.test/article/2"] == ranked["http://j.test/book/2"]
    net = spider(ARTICLES)
    ranked = net.show(page(B, [("body", ["hive"])], links))
    assert ranked["http://j.test/article/2"] > ranked["http://j.test/book/2"]
    assert "an article with a chance of 0." in net.reason("http://j.test/book/2")
