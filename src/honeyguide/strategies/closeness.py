"""The immediate value of a URL: how like the topic all is that is known of it, mixed with its PageRank.

    value = (1 - w) * S + w * PR,   S = parent * P + (1 - parent) * N

P is the mean relevance of the pages that link there, N the mean likeness to the topic of what their links say: the
anchor and the words that the URL spells, and a share of the words around it. It was that of the best link once, but of
many links one will say something of the topic, wherever they lead. PR is the PageRank in the graph so
far, as r / (r + 1), so that it lies between 0 and 1. It is computed anew when the graph has grown by a tenth; in
between a page just met hands its share on at once.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from honeyguide.graph import Column, pagerank
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints
from honeyguide.strategies.likeness import Likeness, Usual
from honeyguide.strategies.texts import link_words

__all__ = ["Closeness"]

_DAMPING = 0.85
_GROWTH = 0.1


class Closeness:
    """Keeps the immediate value of every known URL.

    Parameters
    ----------
    brief
        The topic, its examples and the graph.
    rank
        The share of PageRank, the w of the formula.
    parent
        The share of the pages that link there, in what is left.
    doubt
        How many worthless parents are counted into their mean.
    around
        The share of the words around a link, against its own.
    reach
        How many terms on either side are around it.
    """

    def __init__(self, brief: Brief, *, rank: float, parent: float, doubt: float, around: float, reach: int) -> None:
        self._graph = graph = brief.graph
        self._rank = rank
        self._parent = parent
        self._doubt = doubt
        self._around = around
        self._reach = reach
        self._likeness = Likeness(brief)
        self._usual = Usual()
        self._passed: Column[np.float32] = graph.column(np.float32)  # the relevance of those that link there, summed
        self._parents: Column[np.int32] = graph.column(np.int32)
        self._said: Column[np.float32] = graph.column(np.float32)  # how like the topic what they say of it is, summed
        self._ranks: Column[np.float32] = graph.column(np.float32, 1.0 - _DAMPING)
        self._settled = 0  # links there were when PageRank was last computed

    @property
    def _fields(self) -> tuple[Column[Any], ...]:
        return self._passed, self._parents, self._said, self._ranks

    def meet(self, page: Digest) -> None:
        """A page was fetched: what it says of its links counts."""
        self._likeness.learn(page)
        numbers = page.targets
        if not len(numbers):
            return
        self._passed.raw[numbers] += page.relevance
        self._parents.raw[numbers] += 1
        hopeless = self._usual.hopeless(page.relevance)
        self._said.raw[numbers] += link_words(
            self._likeness.look(), page, 0.0 if hopeless else self._around, self._reach
        )
        self._ranks.raw[numbers] += _DAMPING * self._ranks.raw[page.id] / len(numbers)

    def moved(self, number: int, target: int) -> None:
        """What was known of a URL that moved is known of where it moved to."""
        for column in (self._passed, self._parents, self._said):
            column.raw[target] += column.raw[number]

    @property
    def due(self) -> bool:
        """Whether the graph has grown by a tenth since PageRank was computed."""
        return self._rank > 0 and len(self._graph.links) > self._settled * (1.0 + _GROWTH)

    def recount(self) -> None:
        """Compute PageRank anew."""
        links = self._graph.links
        self._settled = len(links)
        self._ranks.replace(pagerank(links, _DAMPING, start=self._ranks.values.astype(np.float64)))

    def values(self, numbers: Ints) -> Floats:
        """What URLs are worth at once."""
        ranks = self._ranks.raw[numbers].astype(np.float64)
        like = self._parent * self._mean(numbers) + (1.0 - self._parent) * self._near(numbers)
        return (1.0 - self._rank) * like + self._rank * ranks / (1.0 + ranks)

    def _mean(self, numbers: Ints) -> Floats:
        count = self._parents.raw[numbers] + self._doubt
        mean: Floats = self._passed.raw[numbers] / np.where(count > 0, count, 1.0)
        return mean

    def _near(self, numbers: Ints) -> Floats:
        mean: Floats = self._said.raw[numbers] / np.maximum(self._parents.raw[numbers], 1)
        return mean

    def told(self, number: int) -> str:
        """What a URL's value comes from, in words."""
        linked = int(self._parents.raw[number])
        if not linked:
            return "no page that links there was met"
        relevance = float(self._passed.raw[number]) / linked
        about = "the page linking there is" if linked == 1 else f"the {linked} pages linking there are on average"
        near = float(self._said.raw[number]) / linked
        said = f"; what its links say is {near:.2f} like the topic" if near else "; its links say nothing of the topic"
        ranked = f"; PageRank {self._ranks.raw[number]:.2f}" if self._rank else ""
        return f"{about} {relevance:.2f} relevant{said}{ranked}"

    def save(self) -> bytes:
        """All columns, and how rare terms are."""
        columns = [column.save() for column in self._fields]
        return msgspec.msgpack.encode((columns, self._likeness.save(), self._usual.save(), self._settled))

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        kind = tuple[list[bytes], bytes, bytes, int]
        columns, likeness, usual, self._settled = msgspec.msgpack.decode(state, type=kind)
        for column, packed in zip(self._fields, columns, strict=True):
            column.load(packed)
        self._likeness.load(likeness)
        self._usual.load(usual)
