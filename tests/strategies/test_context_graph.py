"""Context graphs: naive Bayes and the queues by numbers worked out by hand, and the layers the crawl makes."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.page.digest import Digest
from honeyguide.strategies import Brief
from honeyguide.strategies.context_graph import ContextGraph
from honeyguide.strategies.contract import practice_web
from honeyguide.strategies.layers import Layers
from honeyguide.strategies.memory import Bag, Sample
from honeyguide.topic import Topic

from .tiny import A, B, C, D, E, by_url, digest

TOPIC = Topic(name="bees", keywords={"hive": 1.0})
EXAMPLE = digest(E, 0.9, [], terms={"hive": 3, "nectar": 1})


def printed(**settings: object) -> ContextGraph:
    """The paper's form with one layer before the targets, knowing E as an example."""
    form = {"layers": 1, "link": 0.0, "rest": False, "smoothing": 0.0, "evidence": 1e9, "threshold": 0.4, "every": 1}
    strategy = ContextGraph(**{**form, **settings})  # type: ignore[arg-type]
    strategy.start(Brief(TOPIC, [EXAMPLE]), 0)
    return strategy


def first() -> Digest:
    return digest(B, 0.1, [D], terms={"nectar": 1, "road": 2})


def second() -> Digest:
    return digest(C, 0.1, [D, E], terms={"hive": 2, "nectar": 1})


def test_a_page_unlike_the_examples_goes_to_no_layer() -> None:
    # Words of targets: P(hive) = 4/6, P(nectar) = 2/6; of others (B itself): 1/3 and 2/3. So B is 2/3 other.
    ranked = list(printed().page(first()))
    assert ranked[0].priority == pytest.approx(0.999 / 3)
    assert "no layer" in ranked[0].reason


def test_a_page_goes_to_its_most_likely_layer() -> None:
    # C links to a target: layer 1 has P(hive) = 3/5, P(nectar) = 2/5. "hive hive nectar" is then as likely as
    # (4/6)^2 2/6 = 4/27 in layer 0, (3/5)^2 2/5 = 18/125 in layer 1, (1/3)^2 2/3 = 2/27 elsewhere.
    strategy = printed()
    list(strategy.page(first()))
    ranked = list(strategy.page(second()))
    sure = (4 / 27) / (4 / 27 + 18 / 125 + 2 / 27)
    assert ranked[0].priority == pytest.approx(2 + 0.999 * sure)
    assert ranked[0].reason == f"page reads like a target ({sure:.2f} sure)"


def test_a_page_we_are_not_sure_of_goes_to_no_layer() -> None:
    strategy = printed(threshold=0.5)
    list(strategy.page(first()))
    ranked = list(strategy.page(second()))
    other = (2 / 27) / (4 / 27 + 18 / 125 + 2 / 27)
    assert ranked[0].priority == pytest.approx(0.999 * (1 - other))
    assert "for sure" in ranked[0].reason


def test_a_page_without_a_known_word_goes_to_no_layer() -> None:
    for rest in (False, True):
        strategy = printed(rest=rest, threshold=0.6)
        assert max(by_url(strategy.page(digest(B, 0.1, [D], terms={}))).values()) < 1.0


def test_the_layer_before_a_target_is_learnt_from_the_crawl() -> None:
    strategy = printed(rest=True)
    hub = {"nectar": 10, "garden": 20}
    for number in range(4):
        list(strategy.page(digest(f"http://off{number}.test/", 0.1, [D], terms={"road": 30, "hive": 1})))
    before = list(strategy.page(digest(A, 0.1, [B], terms=hub)))
    assert before[0].priority < 1.0  # it links to nothing known: of no layer
    for number in range(4):
        list(strategy.page(digest(f"http://hub{number}.test/", 0.1, [E], terms={**hub, f"own{number}": 1})))
    after = list(strategy.page(digest(C, 0.1, [D], terms=hub)))
    assert 1.0 <= after[0].priority < 2.0
    assert "1 link before a target" in after[0].reason


def test_the_nearest_queue_is_emptied_first_however_sure() -> None:
    strategy = printed(layers=2, threshold=0.0)
    priorities = []
    for shares in ([0.35, 0.3, 0.3, 0.05], [0.0, 0.99, 0.0, 0.01], [0.0, 0.1, 0.9, 0.0], [0.0, 0.0, 0.4, 0.6]):
        band, within, _ = strategy._place(np.array(shares))
        priorities.append(band + within)
    assert priorities == pytest.approx([3.35, 2.99, 1.9, 0.4])


def test_within_a_queue_the_link_s_own_words_count_by_their_share() -> None:
    strategy = printed(link=0.5, around=0.0)
    list(strategy.page(first()))
    page = second()
    page.links[0].anchor = "hive"
    alike = by_url(strategy.page(page))
    own = strategy._memory.likeness.look().words(("hive",))
    assert alike[D] - alike[E] == pytest.approx(0.999 * 0.5 * own)
    assert 2.0 < alike[E] < alike[D] < 3.0


def test_layers_borrow_from_the_web_at_large_when_smoothed() -> None:
    sample = Sample(0)
    sample.add(0, Bag.of({"hive": 4}), True)
    sample.add(1, Bag.of({"hive": 1, "road": 5}), False)
    model = Layers(3, 1, 0, True, 10.0, 1e9)
    model.learn(sample, np.array([0, 2]))
    # At large P(hive) = 2/8. Targets: (10/4 + 4) / 14, the far: (10/4 + 1) / 16; the layer between is not known.
    near, far = 6.5 / 14, 3.5 / 16
    assert model.shares(Bag.of({"hive": 1})).tolist() == pytest.approx([near / (near + far), 0.0, far / (near + far)])
    near, far = 1 - near, 1 - far
    assert model.shares(Bag.of({"piston": 1}))[0] == pytest.approx(near / (near + far))


def test_a_topic_of_words_alone_prefers_pages_that_say_them() -> None:
    strategy = ContextGraph(link=0.0, threshold=0.0)
    strategy.start(Brief(TOPIC, []), 0)
    for number in range(5):
        list(strategy.page(digest(f"http://off{number}.test/", 0.1, [], terms={"road": 30})))
    said = by_url(strategy.page(digest(A, 0.1, [D], terms={"hive": 10, "road": 20})))
    silent = by_url(strategy.page(digest(B, 0.1, [D], terms={"road": 30})))
    assert said[D] > 1.0 > silent[D]


def test_pages_on_topic_come_first_on_the_practice_web() -> None:
    brief, web = practice_web()
    strategy = ContextGraph(link=0.0)
    strategy.start(brief, 0)
    ranks: dict[bool, list[float]] = {True: [], False: []}
    for page in web.values():
        ranks[page.on_topic] += by_url(strategy.page(page)).values()
    assert np.mean(ranks[True]) > np.mean(ranks[False]) + 1.0
