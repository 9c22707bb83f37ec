"""Pages made by hand, small enough that every number on them can be worked out on paper.

The topic is the one word "hive". Addresses end in a slash, so they spell no words: a link that says "hive" is like the
topic by 1, one that says "hive" and another word by 1/√2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from honeyguide.frontier import GraphWriter
from honeyguide.page.digest import Block, Digest, Link, decode, encode
from honeyguide.strategies import Brief, Pairs, Ranks, Strategy
from honeyguide.strategies.contract import PracticeWeb
from honeyguide.topic import Topic
from honeyguide.web.urls import host_of

__all__ = ["TOPIC", "A", "B", "C", "Crawl", "D", "E", "Web", "begun", "digest", "inside", "ranks_by_verdict"]

A, B, C, D, E = (f"http://{name}.test/" for name in "abcde")
TOPIC = Topic(name="bees", keywords={"hive": 1.0})


class Web:
    """The graph of a crawl, filled page by page."""

    def __init__(self) -> None:
        self.writer = GraphWriter()
        self.graph = self.writer.graph
        self._hosts: dict[str, int] = {}

    def number(self, url: str, parent: int = -1) -> int:
        """The number of a URL; a new one for a new URL."""
        depth = 0 if parent < 0 else int(self.graph.depth[parent]) + 1
        host = self._hosts.setdefault(host_of(url), len(self._hosts))
        return self.writer.add(url, host, parent=parent, depth=depth)

    def numbers(self, *urls: str) -> list[int]:
        """The numbers of several."""
        return [self.number(url) for url in urls]

    def numbered(self, page: Digest) -> Digest:
        """A page as a crawl hands it over: it and its links have their numbers."""
        page = decode(encode(page))
        page.id = self.number(page.url)
        for link in page.links:
            link.id = self.number(link.url, parent=page.id)
        return page

    def visit(self, page: Digest) -> Digest:
        """A page was fetched: it and its links stand in the graph."""
        page = self.numbered(page)
        outcome = "page" if page.kind == "html" else "feed"
        self.writer.answered(page.id, outcome, relevance=page.relevance, on_topic=page.on_topic)
        self.writer.link(page.id, [link.id for link in page.links], [link.block for link in page.links])
        return page


class Crawl(Web):
    """A strategy, and the pages it is shown; examples are known to the crawl, if they are not said to be text alone."""

    def __init__(
        self, strategy: Strategy, examples: Iterable[Digest] = (), seed: int = 0, topic: Topic = TOPIC
    ) -> None:
        super().__init__()
        self.strategy = strategy
        self.brief = Brief(topic, [self.numbered(example) for example in examples], self.graph)
        strategy.start(self.brief, seed)

    def show(self, page: Digest) -> dict[str, float]:
        """Show a page; returns the priorities of its links, by URL."""
        return self._by_url(self.strategy.page(self.visit(page)))

    def revise(self) -> dict[str, float]:
        """What the strategy changes its mind about."""
        return self._by_url(self.strategy.revise())

    def _by_url(self, ranks: Ranks | Pairs) -> dict[str, float]:
        pairs = zip(ranks.ids.tolist(), ranks.priorities.tolist(), strict=True) if isinstance(ranks, Ranks) else ranks
        return {self.graph.url(number): priority for number, priority in pairs}

    def reason(self, url: str) -> str:
        """Why a URL has its rank."""
        return self.strategy.reason(self.number(url))

    def judge(self, url: str, relevance: float) -> None:
        """The judge changes its mind about a page."""
        number = self.number(url)
        self.writer.judged(number, relevance, relevance >= 0.5)
        self.strategy.turned(np.array([number]))

    def moved(self, url: str, target: str) -> None:
        """A URL redirects to another."""
        number = self.number(url)
        self.writer.moved(number, self.number(target, parent=number))
        self.writer.answered(number, "redirect")
        self.strategy.missed(number, "redirect")

    def resumed(self, fresh: Strategy, seed: int = 0) -> Strategy:
        """The crawl goes on with a new strategy that loads the state of the old one, which is returned."""
        state, old = self.strategy.save(), self.strategy
        fresh.start(self.brief, seed)
        fresh.load(state)
        self.strategy = fresh
        return old


def begun(strategy: Strategy, *examples: Digest, seed: int = 0) -> Crawl:
    """A crawl with this strategy, on the topic."""
    return Crawl(strategy, examples, seed)


def digest(url: str, relevance: float, links: Mapping[str, str] | Iterable[str], **more: object) -> Digest:
    """A page of this relevance; its links by URL with what each says, nothing if that is left out."""
    said = links if isinstance(links, Mapping) else dict.fromkeys(links, "")
    found = [Link(target, anchor, -1) for target, anchor in said.items()]
    page = Digest(url=url, fetched=0.0, kind="html", relevance=relevance, on_topic=relevance >= 0.5, links=found)
    for name, value in more.items():
        setattr(page, name, value)
    return page


def inside(url: str, relevance: float, target: str, terms: list[str], anchor: int) -> Digest:
    """A page with one block, in which one term is the anchor of its only link."""
    page = digest(url, relevance, ())
    page.blocks = [Block("p", 0, -1, True, terms)]
    page.links = [Link(target, terms[anchor], 0, anchor, anchor + 1)]
    return page


def ranks_by_verdict(strategy: Strategy, web: PracticeWeb) -> dict[bool, list[float]]:
    """What the links of pages on topic, and of others, are worth when the whole practice web is shown."""
    crawl = Crawl(strategy, [web.pages[url] for url in web.topic.examples], topic=web.topic)
    ranks: dict[bool, list[float]] = {True: [], False: []}
    for page in web.pages.values():
        ranks[page.on_topic] += crawl.show(page).values()
    return ranks
