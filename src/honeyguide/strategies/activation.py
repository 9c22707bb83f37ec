"""The Hopfield net of a crawl: pages are nodes, links are weighted edges, activation spreads along them.

    mu_i(t+1) = f( sum over parents b of w_bi * mu_b(t) )      when a URL is found
    mu_i      <- f( mu_i * R_i )                               when it has been visited
    f(x)      = 1 / (1 + exp((theta_j - x) / theta_0))

A URL not yet visited needs no list of its parents: each of them is visited once, and adds to one sum.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np

from honeyguide.frontier import Graph
from honeyguide.graph import Column
from honeyguide.strategies.base import Floats, Ints

__all__ = ["Net", "Node"]

_SHARPEST = 1e-9  # with no gentleness at all there would be a division by nothing
_STEEP = 700.0  # beyond this an exponential is more than a float can hold


class Node(NamedTuple):
    """A page of the net once it has been visited."""

    page: int
    activation: float
    layer: int  # links from the nearest start, along the way it was found first


class _Clock(msgspec.Struct):
    """The layer that is being visited, and how active its pages were."""

    layer: int = 0
    total: float = 0.0
    pages: int = 0
    died: bool = False


class Net:
    """Keeps the activation of every URL, and spreads it from each page that is visited.

    Parameters
    ----------
    graph
        The graph of the crawl, whose URLs are the nodes.
    theta_j
        The input at which a node is half active.
    theta_0
        How gently a node turns from still to active.
    average
        Whether a node's input is the average over its parents, not their sum.
    doubt
        How many silent parents are counted into each average.
    layered
        Whether time moves in layers: a node hears only the layer before its own.
    epsilon
        In layers: the mean activation of a layer under which the net has died out.
    """

    def __init__(
        self,
        graph: Graph,
        theta_j: float,
        theta_0: float,
        *,
        average: bool = False,
        doubt: float = 0.0,
        layered: bool = False,
        epsilon: float = 0.0,
    ) -> None:
        self._graph = graph
        self._theta_j = theta_j
        self._theta_0 = max(theta_0, _SHARPEST)
        self._average = average
        self._doubt = doubt
        self._layered = layered
        self._epsilon = epsilon
        self._input: Column[np.float64] = graph.column(np.float64)
        self.parents: Column[np.int32] = graph.column(np.int32)  # how many pages a URL was heard from
        self.layer: Column[np.int32] = graph.column(np.int32)
        self._clock = _Clock()

    def squash(self, value: Floats | float) -> Floats:
        """The sigmoid that keeps an activation between 0 and 1.

        >>> from honeyguide.frontier import Graph
        >>> Net(Graph(), 0.5, 0.1).squash(np.array([0.5, 0.7])).round(2).tolist()
        [0.5, 0.88]
        """
        squashed: Floats = 1.0 / (1.0 + np.exp(np.minimum(_STEEP, (self._theta_j - value) / self._theta_0)))
        return squashed

    def activation(self, numbers: Ints) -> Floats:
        """How active URLs are that have been found and not visited."""
        total = self._input.raw[numbers]
        return self.squash(total / (self.parents.raw[numbers] + self._doubt) if self._average else total)

    def visit(self, number: int, relevance: float) -> Node:
        """A page was fetched and judged; a start, which nobody linked to, was fully active before."""
        before = float(self.activation(np.array([number]))[0]) if self.parents.raw[number] else 1.0
        node = Node(number, float(self.squash(before * relevance)), int(self.layer.raw[number]))
        if self._layered:
            self._tick(node)
        return node

    def _tick(self, node: Node) -> None:
        """With the first page of a new layer the one before is complete: see whether it was alive."""
        clock = self._clock
        if node.layer > clock.layer:
            clock.died = clock.died or clock.total < self._epsilon * clock.pages
            clock.layer, clock.total, clock.pages = node.layer, 0.0, 0
        if node.layer == clock.layer:
            clock.total += node.activation
            clock.pages += 1

    @property
    def died(self) -> bool:
        """Whether a whole layer was next to still."""
        return self._clock.died

    def spread(self, node: Node, numbers: Ints, weights: Floats) -> None:
        """A visited page excites the URLs it links to, each once."""
        found = self.parents.raw[numbers] == 0
        self.layer.raw[numbers[found]] = node.layer + 1
        if self._layered:
            hears = self.layer.raw[numbers] == node.layer + 1
            numbers, weights = numbers[hears], weights[hears]
        self._input.raw[numbers] += weights * node.activation
        self.parents.raw[numbers] += 1

    def moved(self, number: int) -> None:
        """A URL turned out to be another, if it did: what excited the one excites the other."""
        target = self._graph.moved_to(number)
        if target is None or not self.parents.raw[number]:
            return
        if not self.parents.raw[target]:
            self.layer.raw[target] = self.layer.raw[number]
        self._input.raw[target] += self._input.raw[number]
        self.parents.raw[target] += self.parents.raw[number]

    def save(self) -> bytes:
        """All activations."""
        columns = [self._input.save(), self.parents.save(), self.layer.save()]
        return msgspec.msgpack.encode((columns, self._clock))

    def load(self, state: bytes) -> None:
        """Go on from saved activations."""
        columns, self._clock = msgspec.msgpack.decode(state, type=tuple[list[bytes], _Clock])
        self._input.load(columns[0])
        self.parents.load(columns[1])
        self.layer.load(columns[2])
