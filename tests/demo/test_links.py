"""How the demo web hangs together, checked by simple walks over it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from urllib.parse import urljoin

import pytest
from selectolax.lexbor import LexborHTMLParser

from honeyguide.demo import DemoPage, DemoTopic, DemoWeb
from honeyguide.demo.specials import trap_page
from honeyguide.text import terms
from tests.demo.graph import harvest, links, reached

BUDGET = 150


@pytest.fixture(scope="module")
def graph(web: DemoWeb) -> dict[str, tuple[str, ...]]:
    return links(web)


def test_every_link_is_answered_but_the_dead_ones(web: DemoWeb, graph: dict[str, tuple[str, ...]]) -> None:
    missing = set()
    for found in graph.values():
        for link in found:
            trap = link.startswith("http://trap.demo.test") and trap_page(link.removeprefix("http://trap.demo.test"))
            if link not in web.pages and not trap:
                missing.add(link)
    assert missing == web.dead
    assert 5 <= len(web.dead) <= 20


def test_every_page_is_linked_from_somewhere(web: DemoWeb, graph: dict[str, tuple[str, ...]]) -> None:
    linked = {link for found in graph.values() for link in found}
    assert set(web.pages) - linked <= {"http://old.demo.test/robots.txt"}


def test_every_page_on_a_topic_can_be_reached(web: DemoWeb, graph: dict[str, tuple[str, ...]]) -> None:
    # what a polite crawler does not enter, and what it does not follow
    closed = frozenset(url for url, page in web.pages.items() if page.kind in {"closed", "unlisted"})
    for topic in web.topics:
        assert topic.relevant <= reached(graph, topic.starts, closed).keys()
        assert topic.relevant & reached(graph, topic.far_starts, closed).keys() == topic.relevant


def test_what_nofollow_hides_stays_hidden(web: DemoWeb, topic: DemoTopic, graph: dict[str, tuple[str, ...]]) -> None:
    hidden = {url for url, page in web.pages.items() if page.kind == "hidden"}
    unlisted = frozenset(url for url, page in web.pages.items() if page.kind == "unlisted")
    everything = reached(graph, topic.starts, frozenset())
    assert hidden <= everything.keys()
    assert not hidden & reached(graph, topic.starts, unlisted).keys()


def test_closed_pages_are_linked_from_open_ones(web: DemoWeb) -> None:
    closed = {url for url, page in web.pages.items() if page.kind == "closed"}
    tempting = {link for page in web.pages.values() if page.kind == "article" for link in page.links}
    assert closed
    assert closed <= tempting


def test_far_starts_are_off_topic_and_not_next_to_it(web: DemoWeb) -> None:
    for topic in web.topics:
        for url in topic.far_starts:
            assert web.pages[url].topic != topic.id
            assert not topic.relevant & set(web.pages[url].links)


def test_the_coast_can_be_reached_over_the_bridge_alone(
    web: DemoWeb, topic: DemoTopic, graph: dict[str, tuple[str, ...]]
) -> None:
    coast = {url for url in topic.relevant if web.pages[url].host == "coast.demo.test"}
    assert 0.05 <= len(coast) / len(topic.relevant) <= 0.11
    assert all(web.pages[url].topic != topic.id for url in web.bridge)
    for closed in web.bridge:
        assert not coast & reached(graph, topic.starts, frozenset([closed])).keys()


def test_few_pages_need_a_long_walk_off_topic(
    web: DemoWeb, topic: DemoTopic, graph: dict[str, tuple[str, ...]]
) -> None:
    def off_topic(url: str) -> bool:
        return url not in web.pages or web.pages[url].topic != topic.id

    # From what the starts show directly, follow links only from pages on the topic.
    first = set(topic.starts) | {link for start in topic.starts for link in graph[start]}
    on_path = {url: found for url, found in graph.items() if url in topic.starts or not off_topic(url)}
    found = reached(on_path, sorted(first), frozenset())
    assert len(topic.relevant - found.keys()) <= 0.13 * len(topic.relevant)


def test_pages_link_mostly_to_other_topics_but_lean_to_their_own(web: DemoWeb, topic: DemoTopic) -> None:
    def share(pages: list[DemoPage]) -> float:
        to = Counter(web.pages[link].topic == topic.id for page in pages for link in page.links if link in web.pages)
        return to[True] / to.total()

    on = [web.pages[url] for url in topic.relevant]
    off = [page for page in web.pages.values() if page.kind == "article" and page.topic != topic.id]
    assert 0.12 <= share(on) <= 0.4
    assert share(off) <= 0.12
    assert share(on) >= 3 * share(off)


def test_a_focused_walk_harvests_far_more_than_a_blind_one(web: DemoWeb, topic: DemoTopic) -> None:
    def share(rank: Callable[[DemoPage, str], float]) -> float:
        return len(harvest(web, topic.starts, BUDGET, rank) & topic.relevant) / BUDGET

    vocabulary = words_of_examples(web, topic)
    anchors = {url: anchors_of(page) for url, page in web.pages.items()}

    def by_parent(page: DemoPage, _: str) -> float:
        return 0.0 if page.topic == topic.id else 1.0

    def by_anchor(page: DemoPage, link: str) -> float:
        found = anchors[page.url].get(link, [])
        return by_parent(page, link) / 2 - sum(term in vocabulary for term in found) / (len(found) + 1)

    blind = share(lambda *_: 0.0)
    assert 0.12 <= blind <= 0.25
    assert share(by_parent) >= 1.5 * blind
    assert share(by_anchor) >= 2 * blind
    assert share(by_anchor) >= 0.42
    assert share(lambda _, link: float(link not in topic.relevant)) >= 0.55


def words_of_examples(web: DemoWeb, topic: DemoTopic) -> set[str]:
    """Terms that two of the examples share and few other articles use."""
    sample = [page for page in web.pages.values() if page.kind == "article"][::7]
    usual = Counter(term for page in sample for term in set(terms(page.article.text)))
    shared = Counter(term for url in topic.examples for term in set(terms(web.pages[url].article.text)))
    return {term for term, count in shared.items() if count > 1 and usual[term] < len(sample) / 4}


def anchors_of(page: DemoPage) -> dict[str, list[str]]:
    """The terms of the anchors of each link."""
    found: dict[str, list[str]] = defaultdict(list)
    for node in LexborHTMLParser(page.text).css("a[href]") if page.is_html else ():
        found[urljoin(page.url, node.attributes["href"])] += terms(node.text())
    return found


def test_redirects_chain_loop_and_leave_the_host(web: DemoWeb) -> None:
    to = {url: page.links[0] for url, page in web.pages.items() if page.kind == "redirect"}
    hops = []
    for start in to:
        seen, here = [], start
        while here in to and here not in seen:
            seen.append(here)
            here = to[here]
        hops.append((len(seen), here in seen))
    assert max(length for length, loop in hops if not loop) >= 3
    assert any(loop for _, loop in hops)
    assert any(web.pages[url].host != link.split("/")[2] for url, link in to.items())


def test_the_trap_has_no_bottom() -> None:
    seen, path = set(), "/"
    for _ in range(200):
        page = trap_page(path)
        assert page is not None
        new = [link for link in page.links if (link not in seen and "/cal/" in link) or "/x/" in link]
        seen.update(page.links)
        path = new[-1].removeprefix("http://trap.demo.test")
    assert len(seen) > 400
    assert trap_page("/cal/2024/13") is None
    assert trap_page("/elsewhere") is None
