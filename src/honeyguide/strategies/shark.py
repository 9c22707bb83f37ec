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

from collections.abc import Iterable
from typing import ClassVar

import msgspec

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.strategies.fish import DEAD, DEAD_END, depth_left
from honeyguide.strategies.likeness import Likeness, Look
from honeyguide.strategies.notes import NEVER_TOLD, Notes, Told, pages

__all__ = ["Shark"]

_TOTAL, _PARENTS, _NEAR, _DEPTH, _TOLD = range(5)


class _State(msgspec.Struct):
    likeness: bytes
    notes: bytes
    told: bytes


class Shark(Strategy):
    """Follows links whose parents and nearby words are on topic; branches die when topic pages stay away.

    The settings come from a sweep over visible topics of the schools web (near and far starts, twice the
    number of relevant pages). Two deviations from the printed form measured better there and are the defaults: a page's
    similarity is the judge's relevance (`judged=false` for the printed cosine), and a URL with many parents inherits
    their average, not the best of them, so that a page linked from everywhere gains nothing by it (`best=true`).

    Parameters
    ----------
    delta
        How much of a page's score its children inherit.
    beta
        Share of the anchor among the words near a link; the rest is its context.
    gamma
        Share of what a link inherits; the rest is what is said near it.
    depth
        After how many irrelevant pages in a row a branch dies.
    reach
        How many terms on either side of the anchor are its context.
    words
        How many of the examples' best terms join the topic's own words.
    judged
        Whether the judge says how like the topic a page is and whether it is relevant. Otherwise the topic's words
        do, and a page is relevant that has any of them.
    best
        Whether a URL inherits the best of its parents' scores, not their average.
    doubt
        How many parents worth nothing are counted into each average: one good parent alone is no proof.
    drop
        Whether links of dead branches are left out, not put last.
    """

    name: ClassVar[str] = "shark"
    revise_every: ClassVar[int] = 5

    def __init__(
        self,
        delta: float = 0.5,
        beta: float = 0.8,
        gamma: float = 0.65,
        depth: int = 6,
        reach: int = 6,
        words: int = 80,
        judged: bool = True,
        best: bool = False,
        doubt: float = 0.7,
        drop: bool = False,
    ) -> None:
        self.delta = delta
        self.beta = beta
        self.gamma = gamma
        self.depth = depth
        self.reach = reach
        self.words = words
        self.judged = judged
        self.best = best
        self.doubt = doubt
        self.drop = drop

    def start(self, brief: Brief, seed: int) -> None:
        """The query, and no URL known."""
        self._likeness = Likeness(brief, self.words)
        self._notes = Notes(0.0, 0.0, 0.0, 0.0, NEVER_TOLD)
        self._told = Told(self._notes, _TOLD)

    def page(self, page: Digest) -> Iterable[Ranked]:
        """Rank by the inherited score and what is said near each link."""
        self._likeness.learn(page)
        look = self._likeness.look()
        score = page.relevance if self.judged else self._likeness.page(page, look)[0]
        inherited, depth = self._own(page.url)
        passed_on = self.delta * (score if score > 0 else inherited)
        left = depth_left(depth, self.depth, relevant=page.on_topic if self.judged else score > 0)
        self._told.visited(page.url, self._notes.row(page.url))
        ranked = []
        for url, near in self._near(page, look).items():
            row = self._meet(url, passed_on, near, left)
            one = self._alone(url, row, passed_on, near) if self.best else self._among(url, row)
            if self.drop and one.priority < 0:
                continue
            if not self.best:
                self._told.tell(url, row, one.priority)
            ranked.append(one)
        return ranked

    def revise(self) -> Iterable[Ranked]:
        """URLs whose average has fallen since the frontier was told."""
        ranked = []
        for url in self._told.fallen():
            row = self._notes.find(url)
            one = self._among(url, row)
            if self._told.revise(row, one.priority):
                ranked.append(one)
        return ranked

    def _own(self, url: str) -> tuple[float, float]:
        """What a page had inherited itself, and the depth it had left; a start has all."""
        row = self._notes.find(url)
        return (self._inherited(row), self._notes.columns[_DEPTH][row]) if row >= 0 else (1.0, float(self.depth))

    def _inherited(self, row: int) -> float:
        total, parents = self._notes.columns[_TOTAL][row], self._notes.columns[_PARENTS][row]
        return total if self.best else total / (parents + self.doubt or 1.0)

    def _near(self, page: Digest, look: Look) -> dict[str, float]:
        """What is said near each URL of a page, by the best of its links."""
        found: dict[str, float] = {}
        for link, anchor, beside in look.links(page, self.reach):
            context = 1.0 if anchor > 0 else beside
            near = self.beta * anchor + (1 - self.beta) * context
            if near >= found.get(link.url, 0.0):
                found[link.url] = near
        return found

    def _meet(self, url: str, passed_on: float, near: float, left: float) -> int:
        """A page links to a URL: note what it inherits, and keep the best of the rest."""
        row = self._notes.row(url)
        totals, parents, nears, depths, _ = self._notes.columns
        totals[row] = max(totals[row], passed_on) if self.best else totals[row] + passed_on
        parents[row] += 1
        nears[row] = max(nears[row], near)
        depths[row] = max(depths[row], left)
        return row

    def _alone(self, url: str, row: int, passed_on: float, near: float) -> Ranked:
        """A URL by one page that links to it; the frontier keeps the best of these."""
        return self._rank(url, row, passed_on, near, f"inherits {passed_on:.2f} from its page")

    def _among(self, url: str, row: int) -> Ranked:
        """A URL by all pages that link to it."""
        parents = int(self._notes.columns[_PARENTS][row])
        inherited = self._inherited(row)
        about = f"inherits {inherited:.2f} from {pages(parents)}"
        return self._rank(url, row, inherited, self._notes.columns[_NEAR][row], about)

    def _rank(self, url: str, row: int, inherited: float, near: float, about: str) -> Ranked:
        potential = self.gamma * inherited + (1 - self.gamma) * near
        if not self._notes.columns[_DEPTH][row]:
            return Ranked(url, potential + DEAD, DEAD_END)
        return Ranked(url, potential, f"{about}; words near the link {near:.2f}" if near else about)

    def save(self) -> bytes:
        """The collection's statistics, the notes on all known URLs, and which have fallen."""
        return msgspec.msgpack.encode(_State(self._likeness.save(), self._notes.save(), self._told.save()))

    def load(self, state: bytes) -> None:
        """Go on from saved notes."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self._likeness.load(saved.likeness)
        self._notes.load(saved.notes)
        self._told.load(saved.told)
