"""Cosine best-first (CosTFCrawler in Du & Hai, J. Systems and Software 2013).

A link is worth what the page it stands on, and the words in and around its anchor, have in common with the topic.
Terms weigh as in Robertson's formula (`likeness`). The paper prints "k + 1" outside the product; the form meant is
used.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.graph import Column
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranks, Strategy, setting
from honeyguide.strategies.given import Given
from honeyguide.strategies.likeness import Likeness
from honeyguide.strategies.texts import within

__all__ = ["Cosine"]


class Cosine(Strategy):
    """Follows links from pages, and under anchors, that share words with the topic.

    The paper prints no values but k's and b's usual range; the others come from a sweep over the forty visible topics
    of the schools web (near and far starts, twice the number of relevant pages): the parent page alone finds far less.
    """

    name: ClassVar[str] = "cosine"
    keeps: ClassVar[tuple[str, ...]] = ("_likeness", "_given", "_like")
    k: float = setting(1.2, "Robertson's saturation.")
    b: float = setting(0.75, "Robertson's length normalisation.")
    anchor: float = setting(
        0.5, "Share of the anchor and its URL's name in a link's priority; the paper has the parent page alone (0)."
    )
    around: float = setting(0.3, "Share of the words around the anchor.")
    reach: int = setting(6, "How many terms on either side count as around.")
    words: int = setting(80, "How many of the examples' best terms join the topic's own words.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, k=(0, 1e9), b=(0, 1), anchor=(0, 1), around=(0, 1), reach=(0, 1_000), words=(0, 100_000))

    def start(self, brief: Brief, seed: int) -> None:
        """The query: the topic's keywords, and the terms its examples share."""
        self._likeness = Likeness(brief, self.words, self.k, self.b)
        self._given = Given(brief.graph)
        self._like: Column[np.float32] = brief.graph.column(np.float32)  # of each page met, its likeness to the topic

    def page(self, page: Digest) -> Ranks:
        """Rank by the parent's similarity and what the link says of itself."""
        self._likeness.learn(page)
        look = self._likeness.look()
        parent = self._like.raw[page.id] = self._likeness.page(page, look)[0]
        said = np.zeros(len(page.targets))
        for number, own, beside in look.telling(page, self.reach, page.place):
            place = page.place[number]
            said[place] = max(said[place], self.anchor * own + self.around * beside)
        values = max(0.0, 1.0 - self.anchor - self.around) * parent + said
        self._given.give(page.id, page.targets, values, said)
        return Ranks(page.targets, values)

    def reason(self, number: int) -> str:
        """The page that ranked it best, and its own words."""
        return f"page is {self._like.raw[self._given.from_page(number)]:.2f} like the topic{self._given.words(number)}"
