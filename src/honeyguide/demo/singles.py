"""Articles outside the common web of links: kept closed by robots.txt, unlisted, or known to a feed alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from honeyguide.demo.articles import Writer
from honeyguide.demo.dice import Dice
from honeyguide.demo.hosts import HOSTS, Spot
from honeyguide.demo.links import FAR_END, Around, DemoLink
from honeyguide.demo.words import ALL

__all__ = ["Single", "singles"]

UNLISTED = '<meta name="robots" content="noindex, nofollow">\n'
HIDDEN = "http://blog.demo.test/notes/2"  # linked only from a page that says nofollow

# where, on which topic, of what kind; `feed`, `sitemap` and `bridge` are ordinary articles that only those mention
PLACES = [
    ("http://news.demo.test/private/1.html", "bees", "closed"),
    ("http://news.demo.test/private/2.html", "bees", "closed"),
    ("http://news.demo.test/private/3.html", "council", "closed"),
    ("http://blog.demo.test/drafts/1", "bees", "closed"),
    ("http://city.demo.test/search?q=latest", "bridges", "closed"),
    ("http://blog.demo.test/notes/1", "bees", "unlisted"),
    (HIDDEN, "bees", "hidden"),
    ("http://news.demo.test/a/19001.html", "bees", "feed"),
    ("http://science.demo.test/p/2024/19002", "bees", "sitemap"),
    (FAR_END, "gardens", "bridge"),
]


class Single(NamedTuple):
    """One such article, with the links around it."""

    spot: Spot
    kind: str
    head: str
    around: Around


def singles(seed: int, spots: list[Spot]) -> Iterator[Single]:
    """All of them, each written for its place."""
    writers = {words.id: Writer(words) for words in ALL}
    for url, topic, kind in PLACES:
        dice = Dice(seed, "single", url)
        host = next(host for host in HOSTS.values() if url.startswith(host.front))
        article = writers[topic].write(dice, quiet=False)
        kin = [spot for spot in spots if spot.host is host and spot.article.topic == topic]
        links = Around(related=[DemoLink(spot.url, spot.article.title) for spot in dice.some(kin, 4)])
        if kind == "unlisted":
            links.related.append(DemoLink(HIDDEN, "A note that is nobody's business"))
        if kind == "bridge":
            links.inline = [DemoLink(HOSTS["coast"].front, "a small site on the far side of the bay")]
        yield Single(Spot(url, host, 0, article), kind, UNLISTED if kind == "unlisted" else "", links)
