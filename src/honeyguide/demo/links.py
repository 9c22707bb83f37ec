"""Who links to whom: topical, but not too topical, like a real web."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from honeyguide.demo.dice import Dice
from honeyguide.demo.hosts import HOSTS, Spot

__all__ = ["FAR_END", "Around", "DemoLink", "around", "bridge"]

_VAGUE = {
    "en": ["Read more", "The full story", "See here", "An earlier report", "More on this"],
    "zh": ["阅读全文", "更多", "点击查看", "此前报道"],
}

RELATED = 5
SAME_TOPIC = 0.6  # of the related links of an article, those to its own topic
STRAY = 0.04  # of the related links of any other article, those to the default topic
POPULAR = 6
VAGUE = 0.12
FAR_END = "http://slow.demo.test/doc/19003.htm"  # of the bridge to the coast


class DemoLink(NamedTuple):
    """A link as a page shows it."""

    url: str
    text: str


@dataclass(slots=True)
class Around:
    """The links that stand around one article."""

    inline: list[DemoLink] = field(default_factory=list)
    related: list[DemoLink] = field(default_factory=list)
    popular: list[DemoLink] = field(default_factory=list)
    beside: list[DemoLink] = field(default_factory=list)  # the article before and the one after, on the same host


def bridge(spots: list[Spot]) -> tuple[str, str]:
    """The only way to the coast: an article in the town, then one in the archive that nobody else links."""
    town = [spot for spot in spots if spot.host is HOSTS["city"] and spot.article.topic == "council"]
    return town[len(town) // 2].url, FAR_END


class _Map:
    """The articles by host and by topic, the coast apart: nothing but the bridge may lead there."""

    def __init__(self, spots: list[Spot]) -> None:
        self.by_host: dict[str, list[Spot]] = defaultdict(list)
        self.by_topic: dict[tuple[str, bool], list[Spot]] = defaultdict(list)
        for spot in spots:
            self.by_host[spot.host.name].append(spot)
            self.by_topic[spot.article.topic, _coast(spot)].append(spot)
        self.kin = {spot.url: self._kin(spot) for spot in spots}

    def _kin(self, spot: Spot) -> tuple[list[Spot], list[Spot]]:
        """Articles of the same topic: those on the same host, and those elsewhere."""
        others = [other for other in self.by_topic[spot.article.topic, _coast(spot)] if other is not spot]
        near = [other for other in others if other.host is spot.host]
        return near or others, [other for other in others if other.host is not spot.host] or near

    def related(self, dice: Dice, spot: Spot) -> Spot:
        near, far = self.kin[spot.url]
        if dice.chance(SAME_TOPIC):
            return dice.pick(near if dice.chance(0.55) else far)
        if spot.article.language == "en" and not _coast(spot) and dice.chance(STRAY):
            return dice.pick(self.by_topic["bees", False])
        return dice.pick(self.by_host[spot.host.name])


def _coast(spot: Spot) -> bool:
    return spot.host is HOSTS["coast"]


def around(seed: int, spots: list[Spot]) -> dict[str, Around]:
    """The links around every article."""
    known = _Map(spots)
    popular = {name: _popular(Dice(seed, "popular", name), there) for name, there in known.by_host.items()}
    result = {spot.url: _one(Dice(seed, "around", spot.url), spot, known, popular) for spot in spots}
    for there in known.by_host.values():
        for earlier, later in pairwise(there):
            result[earlier.url].beside.append(DemoLink(later.url, later.article.title))
            result[later.url].beside.insert(0, DemoLink(earlier.url, earlier.article.title))
    _ring(seed, known, result)
    first, second = bridge(spots)
    result[first].inline = [DemoLink(second, "something similar, from the archive")]
    return result


def _one(dice: Dice, spot: Spot, known: _Map, popular: dict[str, list[Spot]]) -> Around:
    picked: list[Spot] = []
    while len(picked) < RELATED:
        other = known.related(dice, spot)
        if other is not spot and other not in picked:
            picked.append(other)
    found = Around(related=[link_to(dice, other) for other in picked])
    if dice.chance(0.7):
        near, far = known.kin[spot.url]
        found.inline = [link_to(dice, dice.pick(near if dice.chance(0.5) else far))]
    shown = dice.some(popular[spot.host.name], POPULAR)
    found.popular = [DemoLink(other.url, other.article.title) for other in shown if other is not spot]
    return found


def _popular(dice: Dice, there: list[Spot]) -> list[Spot]:
    """What the crowd reads on a host; seldom the default topic."""
    crowd = [spot for spot in there if spot.article.topic != "bees" or dice.chance(0.1)]
    return dice.some(crowd, 14)


def _ring(seed: int, known: _Map, result: dict[str, Around]) -> None:
    """Every article is linked from one of its own topic, so that no page is left to chance."""
    for (topic, coast), spots in known.by_topic.items():
        dice = Dice(seed, "ring", topic, coast)
        order = dice.mixed(spots)
        for spot, other in zip(order, order[1:] + order[:1], strict=True):
            links = result[spot.url].related
            if other.url not in {link.url for link in links}:
                links[dice.number(0, RELATED - 1)] = link_to(dice, other)


def link_to(dice: Dice, spot: Spot) -> DemoLink:
    """A link to an article, mostly by its headline."""
    title = spot.article.title
    if dice.chance(VAGUE):
        return DemoLink(spot.url, dice.pick(_VAGUE[spot.article.language]))
    if dice.chance(0.15):
        return DemoLink(spot.url, title[: max(12, len(title) * 2 // 3)].rstrip() + "…")
    return DemoLink(spot.url, title)
