"""Context graphs: naive Bayes and the queues by numbers worked out by hand, and the layers the crawl makes."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.page.digest import Digest
from honeyguide.strategies.context_graph import ContextGraph
from honeyguide.strategies.contract import practice_web
from honeyguide.strategies.layers import Layers
from honeyguide.strategies.texts import Bag, Sample

from .tiny import A, B, C, Crawl, D, E, begun, digest, ranks_by_verdict

EXAMPLE = digest(E, 0.9, [], terms={"hive": 3, "nectar": 1})


def printed(**settings: object) -> Crawl:
    """The paper's form with one layer before the targets, knowing E as an example."""
    form = {"layers": 1, "link": 0.0, "rest": False, "smoothing": 0.0, "evidence": 1e9, "threshold": 0.4, "every": 1}
    return begun(ContextGraph(**{**form, **settings}), EXAMPLE)


def first() -> Digest:
    return digest(B, 0.1, [D], terms={"nectar": 1, "road": 2})


def second() -> Digest:
    return digest(C, 0.1, [D, E], terms={"hive": 2, "nectar": 1})


def test_a_page_unlike_the_examples_goes_to_no_layer() -> None:
    # Words of targets: P(hive) = 4/6, P(nectar) = 2/6; of others (B itself): 1/3 and 2/3. So B is 2/3 other.
    strategy = printed()
    assert strategy.show(first()) == {D: pytest.approx(0.999 / 3)}
    assert "no layer" in strategy.reason(D)


def test_a_page_goes_to_its_most_likely_layer() -> None:
    # C links to a target: layer 1 has P(hive) = 3/5, P(nectar) = 2/5. "hive hive nectar" is then as likely as
    # (4/6)^2 2/6 = 4/27 in layer 0, (3/5)^2 2/5 = 18/125 in layer 1, (1/3)^2 2/3 = 2/27 elsewhere.
    strategy = printed()
    strategy.show(first())
    ranked = strategy.show(second())
    sure = (4 / 27) / (4 / 27 + 18 / 125 + 2 / 27)
    assert ranked[D] == pytest.approx(2 + 0.999 * sure)
    assert strategy.reason(D) == f"page reads like a target ({sure:.2f} sure)"


def test_a_page_we_are_not_sure_of_goes_to_no_layer() -> None:
    strategy = printed(threshold=0.5)
    strategy.show(first())
    ranked = strategy.show(second())
    other = (2 / 27) / (4 / 27 + 18 / 125 + 2 / 27)
    assert ranked[D] == pytest.approx(0.999 * (1 - other))
    assert "for sure" in strategy.reason(D)


def test_a_page_without_a_known_word_goes_to_no_layer() -> None:
    for rest in (False, True):
        strategy = printed(rest=rest, threshold=0.6)
        assert max(strategy.show(digest(B, 0.1, [D], terms={})).values()) < 1.0


def test_the_layer_before_a_target_is_learnt_from_the_crawl() -> None:
    strategy = printed(rest=True)
    hub = {"nectar": 10, "garden": 20}
    for number in range(4):
        strategy.show(digest(f"http://off{number}.test/", 0.1, [D], terms={"road": 30, "hive": 1}))
    assert strategy.show(digest(A, 0.1, [B], terms=hub))[B] < 1.0  # it links to nothing known: of no layer
    for number in range(4):
        strategy.show(digest(f"http://hub{number}.test/", 0.1, [E], terms={**hub, f"own{number}": 1}))
    assert 1.0 <= strategy.show(digest(C, 0.1, [D], terms=hub))[D] < 2.0
    assert "1 link before a target" in strategy.reason(D)


def test_the_nearest_queue_is_emptied_first_however_sure() -> None:
    crawl = printed(layers=2, threshold=0.0)
    strategy, number = crawl.strategy, crawl.number(A)
    priorities = []
    for shares in ([0.35, 0.3, 0.3, 0.05], [0.0, 0.99, 0.0, 0.01], [0.0, 0.1, 0.9, 0.0], [0.0, 0.0, 0.4, 0.6]):
        priorities.append(sum(strategy._queue(number, np.array(shares))))
    assert priorities == pytest.approx([3.35, 2.99, 1.9, 0.4])


def test_within_a_queue_the_link_s_own_words_count_by_their_share() -> None:
    strategy = printed(link=0.5, around=0.0)
    strategy.show(first())
    page = second()
    page.links[0].anchor = "hive"
    alike = strategy.show(page)
    own = strategy.strategy._library.likeness.look().words(("hive",))
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
    strategy = begun(ContextGraph(link=0.0, threshold=0.0))
    for number in range(5):
        strategy.show(digest(f"http://off{number}.test/", 0.1, [], terms={"road": 30}))
    said = strategy.show(digest(A, 0.1, [D], terms={"hive": 10, "road": 20}))
    silent = strategy.show(digest(B, 0.1, [D], terms={"road": 30}))
    assert said[D] > 1.0 > silent[D]


def test_pages_on_topic_come_first_on_the_practice_web() -> None:
    ranks = ranks_by_verdict(ContextGraph(link=0.0), practice_web())
    assert np.mean(ranks[True]) > np.mean(ranks[False]) + 1.0
