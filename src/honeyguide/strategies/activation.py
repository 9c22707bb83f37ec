"""The Hopfield net of a crawl: pages are nodes, links are weighted edges, activation spreads along them.

    mu_i(t+1) = f( sum over parents b of w_bi * mu_b(t) )      when a URL is found
    mu_i      <- f( mu_i * R_i )                               when it has been visited
    f(x)      = 1 / (1 + exp((theta_j - x) / theta_0))

A URL not yet visited needs no list of its parents: each of them is visited once, and adds to one sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from honeyguide.strategies.notes import NEVER_TOLD, Notes, Told

__all__ = ["Net", "Node"]

_INPUT, _PARENTS, _LAYER, _TOLD = range(4)
_SHARPEST = 1e-9  # with no gentleness at all there would be a division by nothing
_STEEP = 700.0  # beyond this an exponential is more than a float can hold


class Node(NamedTuple):
    """A page of the net once it has been visited."""

    activation: float
    layer: int  # links from the nearest start, along the way it was found first


class _Clock(msgspec.Struct):
    """The layer that is being visited, and how active its pages were."""

    layer: int = 0
    total: float = 0.0
    pages: int = 0
    died: bool = False


class _State(msgspec.Struct):
    notes: bytes
    told: bytes
    clock: _Clock


class Net:
    """Keeps the activation of every URL, and spreads it from each page that is visited.

    Parameters
    ----------
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
        theta_j: float,
        theta_0: float,
        *,
        average: bool = False,
        doubt: float = 0.0,
        layered: bool = False,
        epsilon: float = 0.0,
    ) -> None:
        self._theta_j = theta_j
        self._theta_0 = max(theta_0, _SHARPEST)
        self._average = average
        self._doubt = doubt
        self._layered = layered
        self._epsilon = epsilon
        self.notes = Notes(0.0, 0.0, 0.0, NEVER_TOLD)
        self.told = Told(self.notes, _TOLD)
        self._clock = _Clock()

    def squash(self, value: float) -> float:
        """The sigmoid that keeps an activation between 0 and 1.

        >>> round(Net(0.5, 0.1).squash(0.5), 2), round(Net(0.5, 0.1).squash(0.7), 2)
        (0.5, 0.88)
        """
        return 1.0 / (1.0 + math.exp(min(_STEEP, (self._theta_j - value) / self._theta_0)))

    def activation(self, row: int) -> float:
        """How active a URL is that has been found and not visited."""
        total = self.notes.columns[_INPUT][row]
        if self._average:
            total /= self.notes.columns[_PARENTS][row] + self._doubt
        return self.squash(total)

    def parents(self, row: int) -> int:
        """How many pages a URL was heard from."""
        return int(self.notes.columns[_PARENTS][row])

    def layer(self, row: int) -> int:
        """How many links a URL is from the nearest start, along the way it was found first."""
        return int(self.notes.columns[_LAYER][row])

    def visit(self, url: str, relevance: float) -> Node:
        """A page was fetched and judged; a start, which nobody linked to, was fully active before."""
        row = self.notes.row(url)
        before = self.activation(row) if self.parents(row) else 1.0
        node = Node(self.squash(before * relevance), self.layer(row))
        self.told.visited(url, row)
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

    def waiting(self, urls: Iterable[str]) -> dict[str, int]:
        """The rows of those URLs that have not been visited."""
        told, row_of = self.notes.columns[_TOLD], self.notes.row
        rows = {url: row_of(url) for url in dict.fromkeys(urls)}
        return {url: row for url, row in rows.items() if told[row] == told[row]}  # no number is left of a visited one

    def spread(self, node: Node, row: int, weight: float) -> None:
        """A visited page excites a URL it links to."""
        inputs, parents, layers, _ = self.notes.columns
        if not parents[row]:
            layers[row] = node.layer + 1
        elif self._layered and layers[row] != node.layer + 1:
            return
        inputs[row] += weight * node.activation
        parents[row] += 1

    def save(self) -> bytes:
        """All activations."""
        return msgspec.msgpack.encode(_State(self.notes.save(), self.told.save(), self._clock))

    def load(self, state: bytes) -> None:
        """Go on from saved activations."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self.notes.load(saved.notes)
        self.told.load(saved.told)
        self._clock = saved.clock
