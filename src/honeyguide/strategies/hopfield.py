"""The Hopfield-net spider (Chau & Chen, "Comparison of three vertical search spiders", IEEE Computer 2003; the net of
Li, Chen & Xu with the whole page as one block).

Starts are fully active. A page passes activation on to the URLs it links to, more where the anchor speaks of the topic;
a URL is as active as all its parents make it, and is judged anew by its own words once it has been visited
(`activation` has the formulas). As printed, the net moves in layers: all URLs of a layer over a threshold are visited,
the most active first, before any of the next, and the crawl ends when a layer's mean activation is next to nothing.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from honeyguide.page.digest import Digest
from honeyguide.strategies.activation import Net
from honeyguide.strategies.base import Brief, Floats, Ints, Ranks, Strategy, setting
from honeyguide.strategies.given import pages
from honeyguide.strategies.likeness import Likeness, Look, Usual

__all__ = ["Hopfield"]

_LAST = (
    -1_000_000.0
)  # in layers: added to what is not worth a visit, so that it comes after every layer, still in order


class Hopfield(Strategy):
    """Lets activation spread from page to page along links that speak of the topic.

    The papers print no values; they come from a sweep over visible topics of the schools web (near and far
    starts, twice the number of relevant pages). Four deviations measured better there and are the defaults. The most
    active URL goes first whatever its layer (`layered=true` as printed). A node's input is the average over its
    parents, not their sum, so that a page linked from everywhere gains nothing by it (`average=false`). The words
    around an anchor count beside it (`around=0`), and every link carries a little (`least=0`). The words around the
    links of pages far less relevant than is usual are not read.
    """

    name: ClassVar[str] = "hopfield"
    best: ClassVar[bool] = False
    keeps: ClassVar[tuple[str, ...]] = ("_likeness", "_net", "_usual")
    theta_j: float = setting(0.05, "The input at which a node is half active.")
    theta_0: float = setting(0.08, "How gently a node turns from still to active.")
    layered: bool = setting(False, "Whether a layer is visited to its end before the next one is begun.")
    threshold: float = setting(0.5, "In layers: URLs less active than this are not worth a visit; they come last.")
    epsilon: float = setting(
        0.37,
        "In layers: the mean activation of a layer's pages under which the net has died out; what is found after that "
        "comes last.",
    )
    average: bool = setting(True, "Whether a node's input is the average over its parents, not their sum.")
    doubt: float = setting(
        0.7, "How many silent parents are counted into each average: one active parent alone is no proof."
    )
    around: float = setting(0.5, "What the words around an anchor weigh against those in it.")
    reach: int = setting(6, "How many terms on either side count as around.")
    least: float = setting(0.05, "The weight of a link that says nothing.")
    words: int = setting(80, "How many of the examples' best terms join the topic's own words.")
    judged: bool = setting(True, "Whether a page's relevance is the judge's, not its cosine with the topic's words.")

    def start(self, brief: Brief, seed: int) -> None:
        """The query, and a net with nothing in it."""
        self._graph = brief.graph
        self._likeness = Likeness(brief, self.words)
        self._usual = Usual()
        self._net = Net(
            brief.graph,
            self.theta_j,
            self.theta_0,
            average=self.average,
            doubt=self.doubt,
            layered=self.layered,
            epsilon=self.epsilon,
        )

    def page(self, page: Digest) -> Ranks:
        """Judge the page, spread its activation, and rank by how active each link is by now."""
        self._likeness.learn(page)
        look = self._likeness.look()
        relevance = self._relevance(page, look)
        node = self._net.visit(page.id, relevance)
        waiting = self._graph.waiting(self._targets(page))
        self._net.spread(node, waiting, self._weights(page, look, waiting, relevance))
        return Ranks(waiting, self._priority(waiting))

    def _relevance(self, page: Digest, look: Look) -> float:
        return page.relevance if self.judged else self._likeness.page(page, look)[0]

    def _targets(self, page: Digest) -> Ints:
        return page.targets

    def _weights(self, page: Digest, look: Look, waiting: Ints, relevance: float) -> Floats:
        """What each link carries: by the best of those that lead to the same."""
        weights = np.full(len(waiting), self.least)
        place = dict(zip(waiting.tolist(), range(len(waiting)), strict=True))
        for number, own, beside in look.telling(page, self._reach(page, relevance), place):
            weights[place[number]] = max(weights[place[number]], self.least + own + self.around * beside)
        capped: Floats = np.minimum(weights, 1.0)
        return capped

    def _reach(self, page: Digest, relevance: float) -> int:
        """How far around links words are read."""
        return self.reach if self.around and not self._usual.hopeless(relevance) else 0

    def missed(self, number: int, outcome: str) -> None:
        """What excited a URL that moved excites the one it moved to."""
        self._net.moved(number)

    def _priority(self, numbers: Ints) -> Floats:
        activation = self._net.activation(numbers)
        if not self.layered:
            return activation
        spent = (activation < self.threshold) | self._net.died
        return activation + np.where(spent, _LAST, -self._net.layer.raw[numbers])

    def reason(self, number: int) -> str:
        """How active it is, and how many pages made it so."""
        activation = float(self._net.activation(np.array([number]))[0])
        about = f"activation {activation:.2f} from {pages(int(self._net.parents.raw[number]))}"
        if not self.layered:
            return about
        if activation < self.threshold:
            return f"{about}, under the threshold of {self.threshold}"
        return (
            f"{about}, in layer {self._net.layer.raw[number]}{', after the net had died out' if self._net.died else ''}"
        )
