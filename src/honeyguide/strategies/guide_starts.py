"""Where a crawl begins: pages that a person chose, and that no page leads to.

They are ranked like any link, which spares a crawl those that lead nowhere. But often they are front pages, whose names
say nothing, and among the many links of the first site there is always one with a better name. So while some still
wait, the crawl turns to the best of them as soon as five answers in a row have brought nothing on topic. Without that,
on a web of manuals, a crawl given the front pages of five sites spent all its pages on the first.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np

from honeyguide.frontier import Graph
from honeyguide.strategies.base import Floats, Ints, Ranks

__all__ = ["PATIENCE", "Starts"]

PATIENCE = 5  # answers in a row off the topic


class Starts:
    """The starts of a crawl, as numbers, and how long nothing was found."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._numbers: dict[int, None] = {}  # those that may still wait, in their order
        self._barren = 0  # answers since the last page on topic, or the last start

    def add(self, urls: Iterable[str]) -> list[tuple[int, str]]:
        """Take in the starts that the crawl knows; returns their numbers and addresses."""
        found = [(number, url) for url in urls if (number := self._graph.find(url)) is not None]
        self._numbers = dict.fromkeys(number for number, _ in found)
        return found

    def answered(self, number: int, *, on_topic: bool) -> None:
        """What became of a URL."""
        self._barren = 0 if on_topic or number in self._numbers else self._barren + 1

    def moved(self, number: int, target: int) -> None:
        """A URL redirects to another, which is a start if the first is one."""
        if number in self._numbers:
            self._numbers[target] = None

    def heed(self, ranks: Ranks) -> Ranks:
        """Ranks, with the best of the starts that wait above all others if it is time to turn to one."""
        if self._barren < PATIENCE or not self._numbers:
            return ranks
        waiting = self._graph.waiting(np.array(list(self._numbers), np.int64))
        self._numbers = dict.fromkeys(waiting.tolist())
        if not len(waiting):
            return ranks
        return _first(ranks, waiting)

    def save(self) -> bytes:
        """Those that may wait, and how long nothing was found."""
        return msgspec.msgpack.encode((list(self._numbers), self._barren))

    def load(self, state: bytes) -> None:
        """Go on from there."""
        numbers, self._barren = msgspec.msgpack.decode(state, type=tuple[list[int], int])
        self._numbers = dict.fromkeys(numbers)


def _first(ranks: Ranks, some: Ints) -> Ranks:
    """The best of some URLs above all others.

    >>> _first(Ranks(np.array([4, 5, 6]), np.array([2.0, -1.0, 0.5])), np.array([5, 6])).priorities.tolist()
    [2.0, -1.0, 3.0]
    """
    top = float(ranks.priorities.max(initial=0.0)) + 1.0
    among = np.flatnonzero(np.isin(ranks.ids, some))
    if not len(among):  # none has a row any more
        return Ranks(np.append(ranks.ids, some[0]), np.append(ranks.priorities, top))
    priorities: Floats = ranks.priorities.copy()
    priorities[among[priorities[among].argmax()]] = top
    return Ranks(ranks.ids, priorities)
