"""Pages made by hand, small enough that every number on them can be worked out on paper.

The topic is the one word "hive". Addresses end in a slash, so they spell no words: a link that says "hive" is like the
topic by 1, one that says "hive" and another word by 1/√2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from honeyguide.page.digest import Block, Digest, Link
from honeyguide.strategies import Brief, Ranked, Strategy
from honeyguide.topic import Topic

__all__ = ["A", "B", "C", "D", "E", "begun", "by_url", "digest", "inside"]

A, B, C, D, E = (f"http://{name}.test/" for name in "abcde")


def begun(strategy: Strategy, seed: int = 0) -> Strategy:
    """The strategy, started on the topic."""
    strategy.start(Brief(Topic(name="bees", keywords={"hive": 1.0}), []), seed)
    return strategy


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


def by_url(ranked: Iterable[Ranked]) -> dict[str, float]:
    """The priorities, by URL."""
    return {one.url: one.priority for one in ranked}
