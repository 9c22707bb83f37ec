"""Shark search (Hersovici, Jacovi, Maarek, Pelleg, Shtalhaim & Ur, "The shark-search algorithm. An application:
tailored Web site mapping", WWW 1998).

Fish search made gradual. A link is worth what it inherits from the pages that lead to it and what is said near it:

    inherited(child)  = delta * sim(page)         if sim(page) > 0
                        delta * inherited(page)   otherwise
    context(link)     = 1                         if anchor(link) > 0
                        sim(words around it)      otherwise
    near(link)        = beta * anchor(link) + (1 - beta) * context(link)
    potential(child)  = gamma * inherited(child) + (1 - gamma) * near(link)

and a branch dies after a depth of irrelevant pages, as in fish search.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.graph import Column
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints, Ranks, Strategy, setting
from honeyguide.strategies.fish import DEAD, DEAD_END, Depths
from honeyguide.strategies.given import pages
from honeyguide.strategies.likeness import Likeness, Look
from honeyguide.strategies.texts import within

__all__ = ["Shark"]


class Shark(Strategy):
    """Follows links whose parents and nearby words are on topic; branches die when topic pages stay away.

    The settings come from a sweep over visible topics of the schools web (near and far starts, twice the
    number of relevant pages). Two deviations from the printed form measured better there and are the defaults: a page's
    similarity is the judge's relevance (`judged=false` for the printed cosine), and a URL with many parents inherits
    their average, not the best of them, so that a page linked from everywhere gains nothing by it (`highest=true`).
    """

    name: ClassVar[str] = "shark"
    best: ClassVar[bool] = False
    keeps: ClassVar[tuple[str, ...]] = ("_likeness", "_inherited", "_parents", "_near", "_depths")
    delta: float = setting(0.5, "How much of a page's score its children inherit.")
    beta: float = setting(0.8, "Share of the anchor among the words near a link; the rest is its context.")
    gamma: float = setting(0.65, "Share of what a link inherits; the rest is what is said near it.")
    depth: int = setting(6, "After how many irrelevant pages in a row a branch dies.")
    reach: int = setting(6, "How many terms on either side of the anchor are its context.")
    words: int = setting(80, "How many of the examples' best terms join the topic's own words.")
    judged: bool = setting(
        True,
        "Whether the judge says how like the topic a page is and whether it is relevant. Otherwise the topic's words "
        "do, and a page is relevant that has any of them.",
    )
    highest: bool = setting(False, "Whether a URL inherits the best of its parents' scores, not their average.")
    doubt: float = setting(
        0.7, "How many parents worth nothing are counted into each average: one good parent alone is no proof."
    )
    drop: bool = setting(False, "Whether links of dead branches are left out, not put last.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, delta=(0, 1), beta=(0, 1), gamma=(0, 1), depth=(0, 10_000), reach=(0, 1_000), words=(0, 100_000))

    def start(self, brief: Brief, seed: int) -> None:
        """The query, and no URL known."""
        self._graph = brief.graph
        self._likeness = Likeness(brief, self.words)
        self._inherited: Column[np.float64] = brief.graph.column(np.float64)  # the sum, or the best, of the parents'
        self._parents: Column[np.int32] = brief.graph.column(np.int32)
        self._near: Column[np.float64] = brief.graph.column(np.float64)
        self._depths = Depths(brief.graph, self.depth)

    def page(self, page: Digest) -> Ranks:
        """Rank by the inherited score and what is said near each link."""
        self._likeness.learn(page)
        look = self._likeness.look()
        score = page.relevance if self.judged else self._likeness.page(page, look)[0]
        passed_on = self.delta * (score if score > 0 else self._own(page.id))
        left = self._depths.below(page.id, relevant=page.on_topic if self.judged else score > 0)
        numbers = page.targets
        inherited, near, depths = self._inherited.raw, self._near.raw, self._depths.column.raw
        inherited[numbers] = (
            np.maximum(inherited[numbers], passed_on) if self.highest else inherited[numbers] + passed_on
        )
        self._parents.raw[numbers] += 1
        near[numbers] = np.maximum(near[numbers], self._said(page, look))
        depths[numbers] = np.maximum(depths[numbers], left)
        values = self._potential(numbers)
        alive = depths[numbers] > 0
        if self.drop:
            return Ranks(numbers[alive], values[alive])
        return Ranks(numbers, values + np.where(alive, 0.0, DEAD))

    def missed(self, number: int, outcome: str) -> None:
        """Where a redirect leads inherits what its source did."""
        self._depths.moved(number)
        target = self._graph.moved_to(number)
        if target is not None:
            for column in (self._inherited, self._parents, self._near):
                column.raw[target] = max(column.raw[target], column.raw[number])

    def _own(self, page: int) -> float:
        """What a page had inherited itself; a start has all."""
        return float(self._mean(np.array([page]))[0]) if self._parents.raw[page] else 1.0

    def _mean(self, numbers: Ints) -> Floats:
        total = self._inherited.raw[numbers]
        if self.highest:
            return total
        count = self._parents.raw[numbers] + self.doubt
        mean: Floats = total / np.where(count, count, 1.0)
        return mean

    def _said(self, page: Digest, look: Look) -> Floats:
        """What is said near each URL of a page, by the best of its links."""
        found = np.zeros(len(page.targets))
        for number, anchor, beside in look.telling(page, self.reach, page.place):
            context = 1.0 if anchor > 0 else beside
            place = page.place[number]
            found[place] = max(found[place], self.beta * anchor + (1 - self.beta) * context)
        return found

    def _potential(self, numbers: Ints) -> Floats:
        return self.gamma * self._mean(numbers) + (1 - self.gamma) * self._near.raw[numbers]

    def reason(self, number: int) -> str:
        """What it inherits, and what is said near it."""
        if self._depths.column.raw[number] == 0:
            return DEAD_END
        inherited = float(self._mean(np.array([number]))[0])
        near = float(self._near.raw[number])
        about = f"inherits {inherited:.2f} from {pages(int(self._parents.raw[number]))}"
        return f"{about}; words near the link {near:.2f}" if near else about
