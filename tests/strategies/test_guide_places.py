"""Guide: what became of addresses like one, and the starts that a person chose."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np

from honeyguide.crawling import Crawl, Settings
from honeyguide.frontier import GraphWriter
from honeyguide.store import Folder, Store
from honeyguide.strategies.base import Ranks
from honeyguide.strategies.guide_addresses import Addresses
from honeyguide.strategies.guide_starts import PATIENCE, Starts
from honeyguide.topic import Topic
from honeyguide.web import Response
from honeyguide.web.warc import response_record


def met(*urls: str) -> tuple[GraphWriter, Addresses, np.ndarray]:
    writer = GraphWriter()
    numbers = np.array([writer.add(url) for url in urls])
    addresses = Addresses(writer.graph)
    addresses.meet(numbers, list(urls))
    return writer, addresses, numbers


def test_addresses_like_dead_ones_are_expected_to_be_dead() -> None:
    urls = [f"http://a.test/notes/{name}" for name in ("a.ps", "b.ps", "c.ps", "d.ps", "e.html")]
    writer, addresses, numbers = met(*urls, "http://b.test/x/f.ps")
    for number in numbers[:3].tolist():
        addresses.answered(number, dead=1.0, relevance=0.0)
    addresses.answered(int(numbers[4]), dead=0.0, relevance=0.5)
    near, page, far = addresses.dead(numbers[3:]).tolist()
    assert near > far > page
    assert addresses.told(int(numbers[3]), dead=True) == "addresses in its folder were dead 3 of 3 times"
    assert addresses.told(int(numbers[5]), dead=True) == "addresses that end like it were dead 3 of 3 times"
    other = Addresses(writer.graph)
    other.load(addresses.save())
    assert other.dead(numbers).tolist() == addresses.dead(numbers).tolist()
    assert other.good(numbers).tolist() == addresses.good(numbers).tolist()


def test_what_lies_where_the_examples_lie_is_expected_to_be_good() -> None:
    urls = ("http://a.test/art/2/x.html", "http://a.test/law/1/y.html", "http://b.test/z.html", "http://c.test/1.html")
    _, addresses, numbers = met(*urls)
    assert not addresses.good(numbers).any()  # nothing is known of any
    addresses.example("http://a.test/art/1/example.html")
    addresses.answered(int(numbers[3]), dead=0.0, relevance=0.0)
    beside, site, elsewhere, bad = addresses.good(numbers).tolist()
    assert beside > site > elsewhere > bad
    assert addresses.told(int(numbers[0]), dead=False) == "addresses in folders beside its own were good 1 of 1 times"
    assert addresses.told(int(numbers[1]), dead=False) == "pages of its site were good 1 of 1 times"
    assert addresses.told(int(numbers[2]), dead=False) == ""


def test_no_address_is_so_bad_that_nothing_else_counts() -> None:
    _, addresses, numbers = met("http://a.test/x.html", "http://b.test/x.html")
    addresses.example("http://b.test/y.html")
    for _ in range(1_000):
        addresses.answered(int(numbers[0]), dead=0.0, relevance=0.0)
    assert addresses.good(numbers).tolist() == [-2.0, 2.0]


def test_a_start_is_turned_to_when_the_links_of_another_bring_nothing(tmp_path: Path) -> None:
    """The first of three leads to pages of many sites, with fine names, that are all off the topic."""
    words = "beehive queen_bee nectar beeswax apiary pollination swarm bumblebee mead honeycomb".split()
    off = [f"http://{name}.off.test/{word}.html" for word in words for name in "abcdef"]
    on = [f"http://c.test/{number}.html" for number in range(100, 110)]
    fronts = {"http://a.test/": off, "http://b.test/7": [], "http://c.test/8": on}
    with (tmp_path / "pages.warc.gz").open("wb") as archive:
        for url in (*fronts, *off, *on):
            told = "The honey bee lives in a hive." if url in on else "The court heard the case of the estate."
            linked = "".join(f"<p>see <a href='{target}'>this</a></p>" for target in fronts.get(url, ()))
            body = f"<title>{url[7:9]}</title><p>{20 * told}</p>{linked}".encode()
            archive.write(response_record(Response(url, 200, [("Content-Type", "text/html")], body, fetched=1.0)))
    topic = Topic(name="bees", keywords={"honey bee": 1.0, "hive": 1.0}, starts=tuple(fronts))
    folder = Folder(tmp_path / "crawl")
    crawl = Crawl(folder, topic, Settings(web=str(tmp_path), pages=30, careful=False, warc=False))
    crawl.create()
    asyncio.run(crawl.run())
    store = Store.open(folder.path / "crawl.db", read_only=True)
    found = [store.url(visit.url).url for visit in store.visits("page")]
    store.close()
    assert set(fronts) <= set(found)
    assert set(on) & set(found)


def test_a_start_waits_while_pages_on_topic_are_found() -> None:
    writer = GraphWriter()
    one, other = (writer.add(url) for url in ("http://a.test/", "http://b.test/"))
    starts = Starts(writer.graph)
    assert starts.add(["http://a.test/", "http://b.test/", "http://unknown.test/"]) == [
        (one, "http://a.test/"),
        (other, "http://b.test/"),
    ]
    links = [writer.add(f"http://a.test/{number}") for number in range(20)]
    ranks = Ranks(np.array([other, *links]), np.linspace(0.0, 1.0, 21))
    for number in links[:PATIENCE]:
        assert starts.heed(ranks) is ranks
        starts.answered(number, on_topic=False)
    assert starts.heed(ranks).priorities.argmax() == 0
    starts.answered(links[9], on_topic=True)
    assert starts.heed(ranks) is ranks


def test_where_a_start_moved_to_is_a_start() -> None:
    writer = GraphWriter()
    start, target, link = (writer.add(f"http://{name}.test/") for name in "abc")
    starts = Starts(writer.graph)
    starts.add(["http://a.test/"])
    writer.moved(start, target)
    writer.answered(start, "redirect")
    starts.moved(start, target)
    for _ in range(PATIENCE):
        starts.answered(link, on_topic=False)
    other = Starts(writer.graph)
    other.load(starts.save())
    assert other.heed(Ranks(np.array([link]), np.ones(1))).ids.tolist() == [link, target]  # it has lost its row
