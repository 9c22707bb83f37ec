"""Fish search (De Bra & Post, "Information retrieval in the World-Wide Web: making client-based searching feasible",
WWW 1994; the list ordered by potential scores as in Hersovici et al., WWW 1998).

A school of fish: each page is a fish that has young, its links. Where there is food (a page on topic) the young are
strong and many; where there is none they are weaker and fewer, and after a depth of hungry generations they die.

    potential(child) = 1     of the first alpha * width links of a relevant page
                       0.5   of the first width links of an irrelevant page
                       0     of all other links
    depth(child)     = D     under a relevant page,   depth(page) - 1   under any other

A URL found again keeps the better potential and the greater depth.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from honeyguide.frontier import Graph
from honeyguide.graph import Column
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranks, Strategy, setting
from honeyguide.strategies.given import Given
from honeyguide.strategies.texts import within

__all__ = ["DEAD", "DEAD_END", "Depths", "Fish"]

DEAD = -1000.0  # added to what a dead branch is worth: below all that lives, still in order among themselves
DEAD_END = "dead end: too many pages off topic in a row on the way here"
_LATE = 1e-9  # what each further page adds, too little to weigh against anything but a tie
_UNTOLD = -1  # of a start: no page has said how far its branch may go


class Depths:
    """How many generations the links of each URL may still go without food; a start has all.

    >>> from honeyguide.frontier import GraphWriter
    >>> writer = GraphWriter()
    >>> start, child = writer.add("http://a.test/"), writer.add("http://a.test/b")
    >>> depths = Depths(writer.graph, 3)
    >>> depths.below(start, relevant=False), depths.below(start, relevant=True)
    (2, 3)
    """

    def __init__(self, graph: Graph, full: int) -> None:
        self._graph = graph
        self._full = full
        self.column: Column[np.int16] = graph.column(np.int16, _UNTOLD)

    def below(self, page: int, *, relevant: bool) -> int:
        """What is left below a page; 0 for nothing."""
        own = int(self.column.raw[page])
        return self._full if relevant else max(0, (self._full if own == _UNTOLD else own) - 1)

    def moved(self, number: int) -> None:
        """A URL turned out to be another, if it did: that one is as far from food."""
        target = self._graph.moved_to(number)
        if target is not None:
            self.column.raw[target] = max(self.column.raw[target], self.column.raw[number])

    def save(self) -> bytes:
        """All depths."""
        return self.column.save()

    def load(self, state: bytes) -> None:
        """Go on from them."""
        self.column.load(state)


class Fish(Strategy):
    """Follows the first links of pages on topic; branches die when topic pages stay away.

    Width, depth and grading come from a sweep over visible topics of the schools web (near and far starts,
    twice the number of relevant pages). Grading is a deviation that measured better, far better from far starts:
    `graded=false` gives the printed 1 and 0.5. Dead branches wait at the end of the frontier, since a crawl that has
    budget left may as well spend it; `drop=true` kills them as printed.
    """

    name: ClassVar[str] = "fish"
    keeps: ClassVar[tuple[str, ...]] = ("_depths", "_given", "_pages")
    width: int = setting(10, "How many of an irrelevant page's links are followed by preference; 0 for all.")
    alpha: float = setting(1.5, "How many times the width a relevant page may have; 1.5 as printed.")
    depth: int = setting(6, "After how many irrelevant pages in a row a branch dies.")
    graded: bool = setting(True, "Whether links are worth their page's relevance, not 1 or 0.5.")
    newest: bool = setting(
        True,
        "Whether among links of the same worth those found last go first, as young fish joined the head of the list.",
    )
    drop: bool = setting(False, "Whether links of dead branches are left out, not put last.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, width=(0, 1e9), alpha=(0, 1e9), depth=(0, 10_000))

    def start(self, brief: Brief, seed: int) -> None:
        """No URL is known, so none is weak."""
        self._graph = brief.graph
        self._depths = Depths(brief.graph, self.depth)
        self._given = Given(brief.graph)
        self._pages = 0

    def page(self, page: Digest) -> Ranks:
        """Strong young where there is food, weak ones where there is none."""
        self._pages += 1
        numbers, _, places = self._graph.out(page.id)
        depths = self._depths.column.raw
        depths[numbers] = np.maximum(depths[numbers], self._depths.below(page.id, relevant=page.on_topic))
        printed, width = (1.0, self.alpha * self.width) if page.on_topic else (0.5, self.width)
        strength = page.relevance if self.graded else printed
        values = np.where(places < (width if self.width else math.inf), strength, 0.0)
        values = values + np.where(depths[numbers] == 0, DEAD, 0.0) + (_LATE * self._pages if self.newest else 0.0)
        ids = numbers.astype(np.int64)
        if self.drop:
            ids, values = ids[depths[ids] > 0], values[depths[ids] > 0]
        self._given.give(page.id, ids, values)
        return Ranks(ids, values)

    def missed(self, number: int, outcome: str) -> None:
        """Where a redirect leads is as far from food as what led there."""
        self._depths.moved(number)

    def reason(self, number: int) -> str:
        """The page that had it as its young."""
        if self._depths.column.raw[number] == 0:
            return DEAD_END
        page = self._given.from_page(number)
        side = "on" if self._graph.on_topic[page] else "off"
        return f"linked from a page {side} topic (relevance {self._graph.relevance[page]:.2f})"
