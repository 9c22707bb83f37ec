"""Cosine best-first (CosTFCrawler in Du & Hai, J. Systems and Software 2013).

A link is worth what the page it stands on, and the words in and around its anchor, have in common with the topic.
Terms weigh as in Robertson's formula (`likeness`). The paper prints "k + 1" outside the product; the form meant is
used.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.strategies.likeness import Likeness

__all__ = ["Cosine"]


class Cosine(Strategy):
    """Follows links from pages, and under anchors, that share words with the topic.

    The paper prints no values but k's and b's usual range; the others come from a sweep over the forty visible topics
    of the schools web (near and far starts, twice the number of relevant pages): the parent page alone finds far less.

    Parameters
    ----------
    k, b
        Robertson's saturation and length normalisation.
    anchor
        Share of the anchor and its URL's name in a link's priority; the paper has the parent page alone (0).
    around
        Share of the words around the anchor.
    reach
        How many terms on either side count as around.
    words
        How many of the examples' best terms join the topic's own words.
    """

    name: ClassVar[str] = "cosine"

    def __init__(
        self,
        k: float = 1.2,
        b: float = 0.75,
        anchor: float = 0.5,
        around: float = 0.3,
        reach: int = 6,
        words: int = 80,
    ) -> None:
        self.k = k
        self.b = b
        self.anchor = anchor
        self.around = around
        self.reach = reach
        self.words = words

    def start(self, brief: Brief, seed: int) -> None:
        """The query: the topic's keywords, and the terms its examples share."""
        self._likeness = Likeness(brief, self.words, self.k, self.b)

    def page(self, page: Digest) -> Iterable[Ranked]:
        """Rank by the parent's similarity and what the link says of itself."""
        self._likeness.learn(page)
        look = self._likeness.look()
        parent, shared = self._likeness.page(page, look)
        own = max(0.0, 1.0 - self.anchor - self.around) * parent
        about = f"page is {parent:.2f} like the topic" + (f" ({', '.join(shared)})" if shared else "")
        return [self._rank(link.url, own, about, *near) for link, *near in look.links(page, self.reach)]

    def _rank(self, url: str, own: float, about: str, anchor: float, beside: float) -> Ranked:
        if anchor:
            about = f"{about}; link text {anchor:.2f}"
        if beside:
            about = f"{about}; words around it {beside:.2f}"
        return Ranked(url, own + self.anchor * anchor + self.around * beside, about)

    def save(self) -> bytes:
        """The collection's statistics."""
        return self._likeness.save()

    def load(self, state: bytes) -> None:
        """Go on counting."""
        self._likeness.load(state)
