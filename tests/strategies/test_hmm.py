"""The hidden Markov model: its shares, the forward recursion and the order, by numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from honeyguide.graph import Links
from honeyguide.page.digest import Digest
from honeyguide.strategies.clusters import Clusters, gather
from honeyguide.strategies.contract import practice_web
from honeyguide.strategies.hmm import Hmm, order_key, transitions
from honeyguide.strategies.texts import Bag, Sample

from .tiny import A, B, C, Crawl, D, E, begun, digest, ranks_by_verdict

EXAMPLE = digest(E, 0.9, [], terms={"hive": 3})


def printed(**settings: object) -> Crawl:
    """The paper's form, exact in its order, with three states and one cluster beside the targets."""
    form = {"states": 3, "clusters": 1, "tolerance": 0.0, "smoothing": 1.0, "link": 0.0, "every": 1}
    return begun(Hmm(**{**form, **settings}), EXAMPLE)


def page(url: str, relevance: float, links: list[str]) -> Digest:
    return digest(url, relevance, links, terms={"hive": 2} if relevance > 0.5 else {"road": 2})


def test_transitions_are_shares_of_links_between_pages_met() -> None:
    links = Links()
    links.set(1, [0, 2, 4])
    links.set(2, [1, 3])
    links.set(3, [2])
    state, met = np.array([0, 1, 2, 2, 2]), np.array([True, True, True, True, False])
    found = transitions(links, state, met, 3, 1.0)
    assert found.ravel().tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 2 / 5, 1 / 5, 2 / 5, 0, 2 / 5, 3 / 5])


def test_the_first_page_is_expected_as_states_are_spread() -> None:
    # The example is T0 and A far: initial (2, 1, 2) / 5. No link is known: rows of a are 1/3 each, and 0, 1/2, 1/2.
    # A state shows an ordinary page with 1/3, 1/2, 2/3. So alpha is (4, 3, 8) / 15, and P(T0) ahead (4 + 3) / 45.
    strategy = printed()
    assert strategy.show(page(A, 0.1, [B])) == {B: pytest.approx(7 / 45)}
    assert strategy.reason(B) == "leads to a target at 0.16, to a page before one at 0.42"
    assert printed(first=1).show(page(A, 0.1, [B]))[B] == pytest.approx(7 / 45 + 4 / 15)


def test_the_recursion_goes_on_along_the_path() -> None:
    strategy = printed()
    strategy.show(page(A, 0.1, [B]))
    # B is a target: A is T1 now, a(1, .) = (2, 1, 1) / 4. Before B is seen: alpha(A) a = (34, 73, 73) / 180; targets
    # are shown by the states with 3/4, 1/3, 1/2.
    alpha = np.array([34 * 3 / 4, 73 / 3, 73 / 2])
    alpha /= alpha.sum()
    ahead = strategy.show(page(B, 0.9, [C]))
    assert ahead[C] == pytest.approx(alpha[0] / 3 + alpha[1] / 2)


@pytest.mark.parametrize("order", [("on", "off"), ("off", "on")])
def test_of_two_pages_the_path_leads_from_the_one_that_ranked_best(order: tuple[str, str]) -> None:
    def after(linking: tuple[str, ...]) -> float:
        strategy = printed(every=1_000)
        strategy.show(page("http://begin.test/", 0.1, []))
        for which in order:
            relevance = 0.9 if which == "on" else 0.1
            strategy.show(page(f"http://{which}.test/", relevance, [C] if which in linking else []))
        return strategy.show(page(C, 0.1, [D]))[D]

    assert after(("on", "off")) == after(("on",))
    assert after(("on",)) > after(("off",))


def test_links_from_a_target_among_targets_come_before_those_from_afar() -> None:
    strategy = printed()
    for number in range(3):
        strategy.show(page(f"http://on{number}.test/", 0.9, [f"http://on{number + 1}.test/", E]))
        strategy.show(page(f"http://off{number}.test/", 0.1, [f"http://off{number + 1}.test/"]))
    near = strategy.show(page("http://on3.test/", 0.9, [C]))
    far = strategy.show(page("http://off3.test/", 0.1, [D]))
    assert near[C] > 2 * far[D]


def test_the_order_is_by_the_nearest_state_then_by_the_next() -> None:
    shares = [[0.3004, 0.2, 0.4996], [0.3001, 0.3, 0.3999], [0.302, 0.0, 0.698], [0.3002, 0.3, 0.3998]]
    keys = [order_key(np.array(one), 0, 0.001) for one in shares]
    assert sorted(range(4), key=lambda place: -keys[place]) == [2, 1, 3, 0]
    assert order_key(np.array([0.3, 0.7]), 0, 0.001) == pytest.approx(0.3 + 0.001 * 0.7)
    assert order_key(np.array([0.3, 0.7]), 1, 0.001) == pytest.approx(0.7)


def test_the_link_s_own_words_count_by_their_share() -> None:
    found = printed(link=0.5, around=0.0).show(digest(A, 0.1, {B: "hive", C: ""}, terms={"road": 2}))
    assert found[B] - found[C] == pytest.approx(0.5)
    assert found[C] == pytest.approx(0.5 * 7 / 45)


def test_pages_that_read_alike_fall_into_one_cluster() -> None:
    sample, clusters = Sample(0), Clusters(2, 64)
    kinds = [{"road": 3, "wheel": 2}, {"court": 2, "ledger": 4}]
    for number in range(8):
        sample.add(number, Bag.of({**kinds[number % 2], f"own{number}": 1}), False)
    found = clusters.learn(sample, sample.texts(), np.arange(8))
    assert found.tolist() == [0, 1] * 4
    assert [clusters.of(sample, Bag.of(kind)) for kind in kinds] == [0, 1]
    assert clusters.of(sample, Bag.of({})) == 0
    other = Clusters(2, 64)
    other.load(clusters.save())
    assert [other.of(sample, Bag.of(kind)) for kind in kinds] == [0, 1]


def test_a_centre_moves_to_the_middle_of_its_pages() -> None:
    sample, clusters = Sample(0), Clusters(1, 64)
    for number in range(3):
        sample.add(number, Bag.of({"road": 3, f"own{number}": 9}), False)
    clusters.learn(sample, sample.texts(), np.arange(3))
    rows = clusters._vectors(sample, sample.texts())
    middle = rows.sum(axis=0) / np.linalg.norm(rows.sum(axis=0))
    assert np.frombuffer(clusters.save()).tolist() == pytest.approx(middle.tolist())


def test_a_centre_that_no_page_is_nearest_to_stays_where_it_is() -> None:
    rows, centres = np.array([[1.0, 0.0], [0.8, 0.6]]), np.array([[1.0, 0.0], [0.0, -1.0]])
    assert gather(rows, centres)[1].tolist() == [0.0, -1.0]


def test_pages_on_topic_rank_their_links_higher_on_the_practice_web() -> None:
    ranks = ranks_by_verdict(Hmm(link=0.0), practice_web())
    assert np.mean(ranks[True]) > np.mean(ranks[False])
