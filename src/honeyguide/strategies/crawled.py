"""The crawl so far as a graph, for strategies that work on the whole of it.

Every URL that was met is a node, a page's links become known with its visit, and each node remembers the value that
its place in the queue stands for, so that only real changes are told.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.graph import Column, Links, Names
from honeyguide.page.digest import Digest

__all__ = ["Crawled", "Visit", "times"]


_NEVER = -1.0  # values are never negative


class Visit(NamedTuple):
    """A page just fetched: its node, and the different URLs it links to, other than itself."""

    node: int
    urls: list[str]
    targets: NDArray[np.int64]


class _State(msgspec.Struct):
    names: bytes
    links: bytes
    told: bytes


class Crawled:
    """Known URLs and the links between them, in about a hundred bytes each."""

    def __init__(self) -> None:
        self.names = Names()
        self.links = Links()
        self._told: Column[np.float64] = Column(np.float64)

    def visit(self, page: Digest) -> Visit:
        """A page was fetched: its links join the graph."""
        urls = list(dict.fromkeys(link.url for link in page.links))
        if page.url in urls:
            urls.remove(page.url)
        numbers = self.names.numbers([page.url, *urls])
        node, targets = int(numbers[0]), numbers[1:]
        self.links.reach(len(self.names))
        self.links.set(node, targets)
        self._told.grow(len(self.names), fill=_NEVER)
        return Visit(node, urls, targets)

    def tell(self, targets: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """These values go to the queue, where a URL is only ever raised."""
        told = self._told.values
        told[targets] = np.maximum(told[targets], values)

    def changes(self, values: NDArray[np.float64], least: float, most: int = 0) -> NDArray[np.int64]:
        """The queued nodes whose value differs from the one told by more than this share; it counts as told now.

        With `most`, only changes among the best so many are told: the others will not be reached before the next time.
        """
        told = self._told.values
        queued = ~self.links.told(self.links.all) & (told != _NEVER)
        differ = queued & (np.abs(values - told) > least * np.maximum(told, values))
        waiting = values[queued]
        if most and len(waiting) > most:
            differ &= np.maximum(values, told) >= np.partition(waiting, len(waiting) - most)[len(waiting) - most]
        found: NDArray[np.int64] = np.flatnonzero(differ)
        told[found] = values[found]
        return found

    def save(self) -> bytes:
        """The whole graph as bytes."""
        return msgspec.msgpack.encode(_State(self.names.save(), self.links.save(), self._told.save()))

    def load(self, state: bytes) -> None:
        """The graph these bytes came from."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self.names.load(saved.names)
        self.links.load(saved.links)
        self._told.load(saved.told)


def times(count: int) -> str:
    """A number of pages, for a reason.

    >>> times(1), times(3)
    ('1 page', '3 pages')
    """
    return "1 page" if count == 1 else f"{count} pages"
