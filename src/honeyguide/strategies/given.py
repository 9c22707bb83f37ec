"""Which page gave a URL the rank it has, for strategies whose ranks come from one page at a time."""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.frontier import Graph
from honeyguide.graph import Column

__all__ = ["NOBODY", "Given", "pages"]

NOBODY = -1


def pages(count: int) -> str:
    """So many pages, in words.

    >>> pages(1), pages(3)
    ('one page', '3 pages')
    """
    return "one page" if count == 1 else f"{count} pages"


class Given:
    """Of each URL the best rank it was given, the page that gave it, and what the link there said of itself."""

    def __init__(self, graph: Graph) -> None:
        self._value: Column[np.float64] = graph.column(np.float64, -math.inf)
        self.by: Column[np.int32] = graph.column(np.int32, NOBODY)
        self._words: Column[np.float32] = graph.column(np.float32)

    def give(
        self,
        page: int,
        numbers: NDArray[np.int64],
        values: NDArray[np.float64],
        words: NDArray[np.float64] | float = 0.0,
    ) -> None:
        """A page ranks URLs, each once; what is better than before is kept."""
        better = values > self._value.raw[numbers]
        fresh = numbers[better]
        self._value.raw[fresh] = values[better]
        self.by.raw[fresh] = page
        self._words.raw[fresh] = words[better] if isinstance(words, np.ndarray) else words

    def value(self, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """The best ranks that URLs were given."""
        return self._value.raw[numbers]

    def from_page(self, number: int) -> int:
        """The page that gave a URL its rank; -1 if none did."""
        return int(self.by.raw[number])

    def words(self, number: int) -> str:
        """What the link said of itself, as the end of a reason."""
        said = float(self._words.raw[number])
        return f"; link text {said:.2f}" if said else ""

    def save(self) -> bytes:
        """All of it, as bytes."""
        return msgspec.msgpack.encode([self._value.save(), self.by.save(), self._words.save()])

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        value, by, words = msgspec.msgpack.decode(state, type=list[bytes])
        self._value.load(value)
        self.by.load(by)
        self._words.load(words)
