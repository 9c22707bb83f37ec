"""The one graph of a crawl: filled by its writer, read by everyone else."""

from __future__ import annotations

import random

import numpy as np
import pytest

from honeyguide.frontier import OUTCOMES, Graph, GraphWriter, pattern_of
from honeyguide.web.urls import key_of

URLS = [f"http://a.test/{name}" for name in "abcdef"]


def filled(count: int = len(URLS)) -> GraphWriter:
    writer = GraphWriter()
    for url in URLS[:count]:
        writer.add(url)
    return writer


# -- patterns ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("/", "/"),
        ("/about-us", "/about-us"),
        ("/p/7", "/p/#"),
        ("/2024/03/14/a-walk", "/#/#/#/a-walk"),
        ("/article-00012345.html", "/article-#.html"),
        ("/v/9f8e7d6c5b4a", "/v/#"),
        ("/abc123def", "/#"),
        ("/page2?sort=asc&sid=9f8e", "/#?sort=#&sid=#"),
        ("/list?q=honey", "/list?q=#"),
        ("/list?q=", "/list?q=#"),
        ("/list?empty", "/list?empty"),
        ("/shop;jsessionid=1A53B", "/shop;jsessionid=#"),
        ("/?", "/?"),
    ],
)
def test_numbers_hashes_and_values_are_folded(path: str, pattern: str) -> None:
    assert pattern_of(path) == pattern


def test_a_family_s_name_is_a_family_of_its_own_and_folding_twice_changes_nothing() -> None:
    dice = random.Random(1)
    for _ in range(2_000):
        path = "/" + "".join(dice.choice("ab19/-_.?=&;%") for _ in range(dice.randrange(30)))
        assert pattern_of(pattern_of(path)) == pattern_of(path)


def test_a_long_word_is_looked_through_once() -> None:
    """A count, not a clock: with a quadratic search this would never end."""
    assert pattern_of("/" + "x" * 500_000) == "/" + "x" * 500_000
    assert pattern_of("/" + "x" * 500_000 + "1") == "/#"


def test_patterns_are_those_of_their_host_alone() -> None:
    writer = GraphWriter()
    for host, url in (
        (0, "http://a.test/p/1"),
        (0, "http://a.test/p/2"),
        (0, "http://a.test/q"),
        (1, "http://b.test/p/1"),
    ):
        writer.add(url, host)
    first, second, third, fourth = writer.graph.pattern.tolist()
    assert first == second
    assert len({first, third, fourth}) == 3


def test_patterns_asked_for_early_or_late_are_the_same() -> None:
    early, late = GraphWriter(), GraphWriter()
    assert early.graph.pattern.tolist() == []
    for writer in (early, late):
        for url in URLS:
            writer.add(url)
    assert early.graph.pattern.tolist() == late.graph.pattern.tolist()
    assert len(early.graph.pattern) == len(URLS)


def test_those_not_done_with_are_told_without_looking_at_all() -> None:
    writer = filled()
    writer.answered(2, "missing")
    assert writer.graph.waiting(np.array([3, 2, 1])).tolist() == [3, 1]


# -- URLs -------------------------------------------------------------------------------------------------------


def test_urls_are_numbered_in_the_order_of_finding_and_found_again() -> None:
    writer = filled()
    graph = writer.graph
    assert [writer.add(url) for url in URLS] == list(range(6))
    assert (len(graph), graph.find(URLS[3]), graph.find("http://new.test/")) == (6, 3, None)
    assert writer.find(key_of(URLS[4])) == 4
    assert graph.url(2) == URLS[2]


def test_where_and_how_a_url_was_found_is_told() -> None:
    writer = filled(2)
    number = writer.add("http://b.test/", 7, depth=3, hops=2, parent=1)
    graph = writer.graph
    assert (graph.host[number], graph.depth[number], graph.parent[number]) == (7, 3, 1)
    assert graph.parent[:2].tolist() == [-1, -1]
    assert writer.known(number) == (7, 3, 2)
    writer.add("http://b.test/", 8, depth=1, parent=0)  # the way it was found first is what counts
    assert writer.known(number) == (7, 3, 2)


def test_numbers_too_great_for_their_columns_are_cut() -> None:
    writer = GraphWriter()
    assert writer.known(writer.add(URLS[0], 70_000, depth=70_000, hops=300)) == (70_000, 65_535, 255)


def test_a_url_added_twice_is_refused() -> None:
    writer = filled()
    same = {"depth": [0, 0], "hops": [0, 0], "parent": [-1, -1]}
    with pytest.raises(ValueError, match="twice"):
        writer.add_all([12345, 12345], [0, 0], URLS[:2], **same)


def test_the_text_of_a_url_may_be_asked_of_someone_else() -> None:
    writer = GraphWriter(lambda number: f"text {number}")
    writer.add(URLS[0])
    assert writer.graph.url(0) == "text 0"
    with pytest.raises(LookupError, match="number 0"):
        Graph().url(0)
    assert Graph().find(URLS[0]) is None


# -- outcomes ---------------------------------------------------------------------------------------------------


def test_what_became_of_urls() -> None:
    writer = filled()
    graph = writer.graph
    writer.answered(0, "page", relevance=0.75, on_topic=True)
    writer.answered(1, "missing")
    writer.answered(2, "refused")
    assert [graph.outcome_of(number) for number in range(4)] == ["page", "missing", "refused", ""]
    assert [OUTCOMES[code] for code in graph.outcome[:3]] == ["page", "missing", "refused"]
    assert graph.visited.tolist() == [True, True, True, False, False, False]
    assert (graph.relevance[0], graph.on_topic.tolist()) == (0.75, [True] + 5 * [False])
    writer.judged(0, 0.25, False)
    assert (graph.relevance[0], graph.on_topic[0], graph.outcome_of(0)) == (0.25, False, "page")


@pytest.mark.parametrize("outcome", OUTCOMES[1:])
def test_every_outcome_has_its_code(outcome: str) -> None:
    writer = filled(1)
    writer.answered(0, outcome)
    assert writer.graph.outcome_of(0) == outcome
    assert writer.graph.visited[0]


def test_where_a_redirect_led() -> None:
    writer = filled()
    writer.moved(2, 4)
    assert [writer.graph.moved_to(number) for number in (2, 3, 4)] == [4, None, None]


# -- links ------------------------------------------------------------------------------------------------------


def test_links_have_their_block_and_their_place_on_the_page_each_url_once() -> None:
    writer = filled()
    found = writer.link(0, [3, 1, 0, 3, 2], [5, 5, 5, 9, -1])  # 0 is the page itself
    assert found.tolist() == [3, 1, 2]
    targets, blocks, places = writer.graph.out(0)
    assert targets.tolist() == [3, 1, 2]
    assert blocks.tolist() == [5, 5, 0]  # what stands in no block counts as in the first
    assert places.tolist() == [0, 1, 4]
    assert [part.tolist() for part in writer.graph.out(1)] == [[], [], []]


def test_a_page_without_links_or_with_one_to_itself_alone_has_none() -> None:
    writer = filled()
    assert writer.link(0, [], []).tolist() == []
    assert writer.link(1, [1, 1], [0, 0]).tolist() == []
    assert len(writer.graph.links) == 0
    assert writer.graph.links.told(np.array([0, 1, 2])).tolist() == [True, True, False]


def test_blocks_and_places_too_great_are_cut_and_mix_with_nothing() -> None:
    writer = GraphWriter()
    count = 70_000
    none = [0] * count
    writer.add_all(range(count), none, [""] * count, depth=none, hops=none, parent=none)
    writer.link(0, np.arange(1, count), np.full(count - 1, 10**6))
    _, blocks, places = writer.graph.out(0)
    assert set(blocks.tolist()) == {0x7FFF}
    assert places[:3].tolist() == [0, 1, 2]
    assert places.max() == 0xFFFF
    assert (blocks >= 0).all()


def test_in_degree_counts_pages_not_links_and_parents_are_found() -> None:
    writer = filled()
    writer.link(0, [1, 1, 2], [0, 0, 0])
    writer.link(3, [1, 3], [0, 0])
    graph = writer.graph
    assert graph.in_degree.tolist() == [0, 2, 1, 0, 0, 0]
    assert sorted(graph.parents(1).tolist()) == [0, 3]
    assert graph.parents(5).tolist() == []


def test_a_page_visited_again_has_only_its_new_links() -> None:
    writer = filled()
    writer.link(3, [1], [0])
    for _ in range(3):
        writer.link(0, [1, 2], [7, 8])
    writer.link(0, [2, 4], [3, 4])
    graph = writer.graph
    assert graph.in_degree.tolist() == [0, 1, 1, 0, 1, 0]
    assert [part.tolist() for part in graph.out(0)] == [[2, 4], [3, 4], [0, 1]]
    assert [part.tolist() for part in graph.out(3)] == [[1], [0], [0]]
    assert graph.parents(1).tolist() == [3]


def test_links_agree_with_a_plain_model() -> None:
    dice = random.Random(2)
    writer, model = GraphWriter(), dict[int, list[int]]()
    for number in range(80):
        writer.add(f"http://a.test/{number}")
    for _ in range(300):
        page = dice.randrange(80)
        targets = [dice.randrange(80) for _ in range(dice.randrange(10))]
        writer.link(page, targets, [0] * len(targets))
        model[page] = [one for one in dict.fromkeys(targets) if one != page]
    graph = writer.graph
    for page in range(80):
        assert graph.out(page)[0].tolist() == model.get(page, [])
        assert sorted(graph.parents(page).tolist()) == sorted(one for one, row in model.items() if page in row)
    assert graph.in_degree.tolist() == [sum(page in row for row in model.values()) for page in range(80)]


# -- columns ----------------------------------------------------------------------------------------------------


def test_a_column_of_one_s_own_grows_with_the_graph() -> None:
    writer = filled(2)
    column = writer.graph.column(np.float32, -1)
    column.raw[1] = 5
    for number in range(1_000):
        writer.add(f"http://b.test/{number}")
    assert len(column) == len(writer.graph) == 1_002
    assert column.values[:3].tolist() == [-1, 5, -1]
    assert set(column.values[2:].tolist()) == {-1.0}


def test_columns_that_were_loaded_or_replaced_still_grow() -> None:
    writer = filled(2)
    one, other = writer.graph.column(np.int32, 7), writer.graph.column(np.int32, 7)
    one.raw[0] = 1
    other.load(one.save())
    one.replace(np.array([3, 4]))
    writer.add("http://b.test/")
    assert one.values.tolist() == [3, 4, 7]
    assert other.values.tolist() == [1, 7, 7]


@pytest.mark.parametrize(
    "name", ["host", "depth", "parent", "pattern", "outcome", "relevance", "on_topic", "in_degree"]
)
def test_readers_cannot_write(name: str) -> None:
    writer = filled()
    writer.link(0, [1, 2], [3, 4])
    with pytest.raises(ValueError, match="read-only"):
        getattr(writer.graph, name)[0] = 1
    writer.answered(0, "page", relevance=0.5, on_topic=True)  # its writer still can
    assert writer.graph.relevance[0] == 0.5


def test_readers_cannot_write_links() -> None:
    writer = filled()
    writer.link(0, [1, 2], [3, 4])
    with pytest.raises(ValueError, match="read-only"):
        writer.graph.out(0)[0][0] = 5
    for part in writer.graph.out(0)[1:]:
        part[0] = 5  # blocks and places are the reader's own
    assert [part.tolist() for part in writer.graph.out(0)] == [[1, 2], [3, 4], [0, 1]]
    writer.link(0, [2, 3], [3, 4])
    assert writer.graph.out(0)[0].tolist() == [2, 3]
