"""What the graph says of a URL: how relevant the pages are that link to it, and what became of their other links.

    parents(t)  = (sum over parents p of w_p * rel_p + doubt * mean) / (sum of w_p + doubt),   w_p = 1 / sqrt(outdegree)
    siblings(t) = (sum over parents p of good_p + doubt * mean) / (sum over parents of answers_p + doubt)
    alive(t)    = log(1 - (sum of dead_p + doubt * what is expected by its address) / (sum of answers_p + doubt))

good_p, dead_p and answers_p count the links of p that were followed. Sums grow with every page and every answer; where
a link was followed that several pages share, only the page that showed it first is told at once, and all of them when
the graph has grown by a tenth.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.frontier import Graph
from honeyguide.graph import Column
from honeyguide.strategies.base import Floats, Ints

__all__ = ["Neighbours"]

Reals = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


_DOUBT = 1.0  # parents of the usual relevance that are counted in
_DOUBT_SIBLINGS = 3.0  # answers of the usual relevance that are counted in
_LEAST = 0.02  # nothing is so surely dead that nothing could speak for it


class Neighbours:
    """Sums over the parents of every URL."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._weight: Column[np.float32] = graph.column(np.float32)  # of parents
        self._passed: Column[np.float32] = graph.column(np.float32)  # their relevance, weighed
        self._on_topic: Column[np.uint16] = graph.column(np.uint16)  # how many of them are
        self._answers: Column[np.float32] = graph.column(np.float32)  # of siblings
        self._good: Column[np.float32] = graph.column(np.float32)
        self._dead: Column[np.float32] = graph.column(np.float32)
        self._met = np.zeros(3)  # pages met, their relevance, and the weight of one
        self._all = np.zeros(3)  # answers, relevance, dead
        self._counted = 0  # links in the graph when all was counted

    @property
    def _fields(self) -> tuple[Column[Any], ...]:
        return self._weight, self._passed, self._on_topic, self._answers, self._good, self._dead

    def meet(self, targets: Ints, relevance: float, on_topic: bool, seen: Reals, dead: Flags) -> None:
        """A page was fetched: its relevance is passed on, and what its links have come to already."""
        if not len(targets):
            return
        weight = 1.0 / np.sqrt(len(targets))
        self._met += (1.0, relevance, weight)
        self._weight.raw[targets] += weight
        self._passed.raw[targets] += weight * relevance
        self._on_topic.raw[targets] += on_topic
        told = seen[targets]
        known = told >= 0
        if known.any():
            self._answers.raw[targets] += known.sum()
            self._good.raw[targets] += told[known].sum()
            self._dead.raw[targets] += dead[targets].sum()

    def answered(self, number: int, good: float, dead: float) -> None:
        """What became of a URL: told to the other links of the page that showed it first."""
        self._all += (1.0, good, dead)
        parent = int(self._graph.parent[number])
        if parent >= 0:
            targets = self._graph.out(parent)[0]
            self._answers.raw[targets] += 1
            self._good.raw[targets] += good
            self._dead.raw[targets] += dead

    def changed(self, change: float) -> None:
        """A verdict turned: all is counted anew when it is time to."""
        self._met[1] += change
        self._all[1] += change
        self._counted = 0

    @property
    def relevance(self) -> float:
        """That of all pages fetched."""
        return float(self._all[1])

    @property
    def due(self) -> bool:
        """Whether the graph has grown by a tenth since all was counted."""
        return len(self._graph.links) > self._counted * 1.1

    def recount(self, seen: Reals, dead: Flags) -> None:
        """Count what became of all links anew, and what pages pass on, if verdicts turned: else that is right."""
        links = self._graph.links
        relevance = np.maximum(seen, 0.0).astype(np.float64)
        if not self._counted:
            degrees = links.out_degree
            weights = np.where(degrees > 0, 1.0 / np.sqrt(np.maximum(degrees, 1)), 0.0)
            self._weight.values[:] = links.push(weights)
            self._passed.values[:] = links.push(weights * relevance)
            self._on_topic.values[:] = np.minimum(links.push(self._graph.on_topic.astype(np.float64)), 65_535)
        self._counted = len(links)
        self._answers.values[:] = links.push(links.pull((seen >= 0).astype(np.float64)))
        self._good.values[:] = links.push(links.pull(relevance))
        self._dead.values[:] = links.push(links.pull(dead.astype(np.float64)))

    def parents(self, numbers: Ints) -> Floats:
        """How relevant the pages are that link to URLs; nan where there are none."""
        pages, total, weights = self._met.tolist()
        doubt = _DOUBT * weights / pages if pages else 1.0
        weight = self._weight.raw[numbers].astype(np.float64)
        value = (self._passed.raw[numbers] + doubt * total / max(pages, 1.0)) / (weight + doubt)
        return np.where(weight > 0, value, np.nan)

    def siblings(self, numbers: Ints) -> Floats:
        """The relevance of what else the parents of URLs link to; nan where nothing of it was followed."""
        good = self._all[1] / max(self._all[0], 1.0)
        count = self._answers.raw[numbers].astype(np.float64)
        found = (self._good.raw[numbers] + _DOUBT_SIBLINGS * good) / (count + _DOUBT_SIBLINGS)
        return np.where(count > 0, found, np.nan)

    def alive(self, numbers: Ints, expected: Floats) -> Floats:
        """How likely URLs are not dead, by what else their parents link to, from what is expected; as a logarithm."""
        count = self._answers.raw[numbers].astype(np.float64)
        dead = (self._dead.raw[numbers] + _DOUBT_SIBLINGS * expected) / (count + _DOUBT_SIBLINGS)
        found: Floats = np.log(np.maximum(1.0 - dead, _LEAST))
        return found

    def told(self, number: int) -> str:
        """Who links to a URL, in words."""
        linked, on_topic = int(self._graph.in_degree[number]), int(self._on_topic.raw[number])
        if linked == 1:
            return f"the page linking to it is {'on' if on_topic else 'off'} topic"
        return f"{on_topic} of {linked} pages linking to it are on topic"

    def siblings_told(self, number: int) -> tuple[float, float, float]:
        """How many other links of its parents were followed, their relevance, and the dead among them."""
        return float(self._answers.raw[number]), float(self._good.raw[number]), float(self._dead.raw[number])

    def save(self) -> bytes:
        """All sums."""
        columns = [column.save() for column in self._fields]
        return msgspec.msgpack.encode((columns, self._met.tobytes(), self._all.tobytes(), self._counted))

    def load(self, state: bytes) -> None:
        """Go on from saved sums."""
        columns, met, every, self._counted = msgspec.msgpack.decode(state, type=tuple[list[bytes], bytes, bytes, int])
        for column, packed in zip(self._fields, columns, strict=True):
            column.load(packed)
        self._met, self._all = np.frombuffer(met, np.float64).copy(), np.frombuffer(every, np.float64).copy()
