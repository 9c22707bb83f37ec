"""The Hopfield-net spider (Chau & Chen, "Comparison of three vertical search spiders", IEEE Computer 2003; the net of
Li, Chen & Xu with the whole page as one block).

Starts are fully active. A page passes activation on to the URLs it links to, more where the anchor speaks of the topic;
a URL is as active as all its parents make it, and is judged anew by its own words once it has been visited
(`activation` has the formulas). As printed, the net moves in layers: all URLs of a layer over a threshold are visited,
the most active first, before any of the next, and the crawl ends when a layer's mean activation is next to nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import ClassVar

import msgspec

from honeyguide.page.digest import Digest
from honeyguide.strategies.activation import Net
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.strategies.likeness import Likeness, Look
from honeyguide.strategies.notes import pages

__all__ = ["Hopfield"]

_NO_MORE = "no more active than it was before"
_UNDER = -1_000_000.0  # added to what a URL under the threshold is worth: after every layer, still in order


class _State(msgspec.Struct):
    likeness: bytes
    net: bytes


class Hopfield(Strategy):
    """Lets activation spread from page to page along links that speak of the topic.

    The papers print no values; they come from a sweep over visible topics of the schools web (near and far
    starts, twice the number of relevant pages). Four deviations measured better there and are the defaults. The most
    active URL goes first whatever its layer (`layered=true` as printed). A node's input is the average over its
    parents, not their sum, so that a page linked from everywhere gains nothing by it (`average=false`). The words
    around an anchor count beside it (`around=0`), and every link carries a little (`least=0`).

    Parameters
    ----------
    theta_j
        The input at which a node is half active.
    theta_0
        How gently a node turns from still to active.
    layered
        Whether a layer is visited to its end before the next one is begun.
    threshold
        URLs less active than this are not worth a visit; they come last.
    epsilon
        In layers: the mean activation of a layer's pages under which the net has died out; what is found after that
        comes last.
    average
        Whether a node's input is the average over its parents, not their sum.
    doubt
        How many silent parents are counted into each average: one active parent alone is no proof.
    around
        What the words around an anchor weigh against those in it.
    reach
        How many terms on either side count as around.
    closely
        Pages less relevant than this are not read closely: what stands around their links does not count.
    least
        The weight of a link that says nothing.
    words
        How many of the examples' best terms join the topic's own words.
    judged
        Whether a page's relevance is the judge's, not its cosine with the topic's words.
    """

    name: ClassVar[str] = "hopfield"
    revise_every: ClassVar[int] = 5

    def __init__(
        self,
        theta_j: float = 0.05,
        theta_0: float = 0.08,
        layered: bool = False,
        threshold: float = 0.5,
        epsilon: float = 0.37,
        average: bool = True,
        doubt: float = 0.7,
        around: float = 0.5,
        reach: int = 6,
        closely: float = 0.001,
        least: float = 0.05,
        words: int = 80,
        judged: bool = True,
    ) -> None:
        self.theta_j = theta_j
        self.theta_0 = theta_0
        self.layered = layered
        self.threshold = threshold
        self.epsilon = epsilon
        self.average = average
        self.doubt = doubt
        self.around = around
        self.reach = reach
        self.closely = closely
        self.least = least
        self.words = words
        self.judged = judged

    def start(self, brief: Brief, seed: int) -> None:
        """The query, and a net with nothing in it."""
        self._likeness = Likeness(brief, self.words)
        self._net = Net(
            self.theta_j,
            self.theta_0,
            average=self.average,
            doubt=self.doubt,
            layered=self.layered,
            epsilon=self.epsilon,
        )

    def page(self, page: Digest) -> Iterable[Ranked]:
        """Judge the page, spread its activation, and rank by how active each link is by now."""
        self._likeness.learn(page)
        look = self._likeness.look()
        relevance = page.relevance if self.judged else self._likeness.page(page, look)[0]
        node = self._net.visit(page.url, relevance)
        last = f", last from one on topic with {relevance:.2f} by a link worth "
        spread, tell = self._net.spread, self._net.told.tell
        rows = self._net.waiting(link.url for link in page.links)
        ranked = []
        reach = self.reach if self.around and relevance >= self.closely else 0
        for url, weight in self._weights(page, look, reach, rows).items():
            row = rows[url]
            spread(node, row, weight)
            priority = self._priority(row)
            # Few links make a URL more active than it was; of the others nobody will ask why they did not.
            about = self._about(row, f"{last}{weight:.2f}") if tell(url, row, priority) else _NO_MORE
            ranked.append(Ranked(url, priority, about))
        return ranked

    def revise(self) -> Iterable[Ranked]:
        """URLs that have calmed down since the frontier was told."""
        ranked = []
        for url in self._net.told.fallen():
            row = self._net.notes.find(url)
            priority = self._priority(row)
            if self._net.told.revise(row, priority):
                ranked.append(Ranked(url, priority, self._about(row)))
        return ranked

    def _weights(self, page: Digest, look: Look, reach: int, among: Container[str]) -> dict[str, float]:
        """The edge to each of these URLs, by the best of a page's links to it."""
        found: dict[str, float] = {}
        links = [link for link in page.links if link.url in among]
        for link, own, beside in look.links(page, reach, links):
            weight = self.least + own + self.around * beside
            if weight >= found.get(link.url, 0.0):
                found[link.url] = min(1.0, weight)
        return found

    def _priority(self, row: int) -> float:
        activation = self._net.activation(row)
        if activation < self.threshold:
            return activation + _UNDER
        if not self.layered:
            return activation
        return activation + _UNDER if self._net.died else activation - self._net.layer(row)

    def _about(self, row: int, last: str = "") -> str:
        activation = self._net.activation(row)
        about = f"activation {activation:.2f} from {pages(self._net.parents(row))}{last}"
        if activation < self.threshold:
            return f"{about}, under the threshold of {self.threshold}"
        if not self.layered:
            return about
        return f"{about}, in layer {self._net.layer(row)}{', after the net had died out' if self._net.died else ''}"

    def save(self) -> bytes:
        """The collection's statistics and all activations."""
        return msgspec.msgpack.encode(_State(self._likeness.save(), self._net.save()))

    def load(self, state: bytes) -> None:
        """Go on from saved activations."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self._likeness.load(saved.likeness)
        self._net.load(saved.net)
