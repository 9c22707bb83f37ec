"""Immediate and future value, mixed by a search on the Bloch sphere that goes on while crawling.

A link is worth a * I + (1 - a) * F: what it looks like (`immediate`, `closeness`) and what links like it have led to
(`future`, `prospects`). Nine qubits propose proportions a; the one that would have put the last answers best in order
is used, and the others turn towards it (`mixing`, `graph.bloch`).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.errors import SettingError
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints, Ranks, Strategy, setting
from honeyguide.strategies.closeness import Closeness
from honeyguide.strategies.future import Future
from honeyguide.strategies.immediate import Immediate
from honeyguide.strategies.mixing import FITNESS, Mixing
from honeyguide.strategies.prospects import Prospects
from honeyguide.strategies.texts import within

__all__ = ["Bloch"]

_BEST = 1_024  # queued URLs ranked first, which are ranked anew each time


class Bloch(Strategy):
    """Mixes what a link looks like with what links like it have led to, in a proportion that it learns.

    The two values are those of `immediate` and `future` with their defaults, but for `once`: where immediate value has
    a say of its own, what lies behind a page on topic is not added to it. The paper prints the angle of a turn
    and 200 generations; the chance of a redraw and the window are not readable and come from the half of the schools
    topics that settings are chosen on. Its fitness is as printed with `fitness=printed`.
    """

    name: ClassVar[str] = "bloch"
    version: ClassVar[int] = 4  # it believes in future value the more was found
    best: ClassVar[bool] = False
    revise_every: ClassVar[int] = 1
    learns_from: ClassVar[bool] = True
    keeps: ClassVar[tuple[str, ...]] = ("_closeness", "_prospects", "_mixing")
    fitness: str = setting("order", "What a good proportion is: one that orders the last answers, or `printed`.")
    window: int = setting(200, "How many of the last answers tell how good a proportion is.")
    first: float = setting(0.8, "The share of immediate value that is believed in at the outset.")
    last: float = setting(0.2, "The share that is believed in when much was found.")
    doubt: float = setting(30.0, "How many relevant answers a belief is worth; after as many it is halfway.")
    delta: float = setting(0.02, "By which angle qubits turn towards the best.")
    mutation: float = setting(0.05, "The chance of a qubit to be drawn anew.")
    generations: int = setting(200, "How many generations a search takes at the most.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(
            self,
            window=(10, 10_000),
            first=(0, 1),
            last=(0, 1),
            doubt=(0, 1e9),
            delta=(0, 0.05),
            mutation=(0, 1),
            generations=(1, 10_000),
        )
        if self.fitness not in FITNESS:
            raise SettingError(
                f"setting 'fitness' of strategy 'bloch' must be one of {', '.join(FITNESS)}, not '{self.fitness}'"
            )

    def start(self, brief: Brief, seed: int) -> None:
        """Learn what can be learnt before the crawl; a first proportion to begin with."""
        self._graph = brief.graph
        self._closeness = Closeness(brief, **Immediate().settings)
        self._prospects = Prospects(brief, seed, **Future(once=True).settings)
        self._mixing = Mixing(seed, **self.settings)

    def page(self, page: Digest) -> Ranks:
        """Learn from the page, and rank its links by both values."""
        listed = page.kind in ("feed", "sitemap")
        self._answered(page.id, "feed" if listed else "page", page.relevance)
        self._closeness.meet(page)
        self._prospects.meet(page)
        return self._ranks(self._graph.waiting(page.targets))

    def missed(self, number: int, outcome: str) -> None:
        """A link that led nowhere is a lesson; where a URL moved to is worth what it was."""
        self._answered(number, outcome, 0.0)
        if (target := self._graph.moved_to(number)) is not None:
            self._closeness.moved(number, target)

    def _answered(self, number: int, outcome: str, relevance: float) -> None:
        if outcome not in ("feed", "redirect", "refused") and self._graph.in_degree[number]:
            self._mixing.learn(self._both(np.array([number]))[0], relevance)
        self._prospects.answered(number, outcome)

    def _both(self, numbers: Ints) -> Floats:
        return np.stack([self._closeness.values(numbers), self._prospects.values(numbers)], axis=1)

    def revise(self) -> Ranks:
        """Find the proportion anew, and rank the best by it; the whole queue when the crawl has grown by a tenth."""
        prospects = self._prospects
        if not prospects.stale:
            return Ranks(np.zeros(0, np.int64), np.zeros(0))
        whole = prospects.due
        if self._closeness.due:
            self._closeness.recount()
        if whole:
            prospects.recount()
        else:
            prospects.look()
        ids = np.flatnonzero(~self._graph.visited) if whole else prospects.rows.best(_BEST)
        prospects.predict(ids)
        if whole or len(ids) == prospects.rows.count:  # all are ranked anew: no two by different measures
            self._mixing.measure(self._both(ids))
        self._mixing.tune()
        ranks = self._ranks(ids)
        prospects.rows.thin()
        return ranks

    def _ranks(self, numbers: Ints) -> Ranks:
        values = self._mixing.values(self._both(numbers))
        self._prospects.rows.rank(numbers, values)
        return Ranks(numbers, values)

    def history(self) -> dict[str, list[tuple[int, float]]]:
        """The proportion on the way."""
        past = self._mixing.past()
        return {
            "immediate value: what a link looks like": past,
            "future value: what links like it have led to": [(at, round(1.0 - share, 3)) for at, share in past],
        }

    def remark(self) -> str:
        """The proportion at the end, and why."""
        return f"At the end {self._mixing.told()}."

    def reason(self, number: int) -> str:
        """Both values, and the proportion they count by."""
        now, later = self._both(np.array([number]))[0].tolist()
        return (
            f"{self._mixing.told()}; {now:.2f} at once: {self._closeness.told(number)}; "
            f"{later:.2f} in the long run: {self._prospects.told(number)}"
        )
