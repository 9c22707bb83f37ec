"""The examples of a topic as URLs of the crawl: they were given, so what is found is what else is relevant."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from honeyguide.frontier import Graph

__all__ = ["Examples"]


class Examples:
    """The numbers of the examples, as far as anything has led to them."""

    def __init__(self, graph: Graph, urls: Iterable[str]) -> None:
        self._graph = graph
        self._unmet = list(urls)
        self._numbers: list[int] = []

    @property
    def numbers(self) -> list[int]:
        """Those of the examples that are known by now."""
        if self._unmet:
            found = {url: self._graph.find(url) for url in self._unmet}
            self._numbers += [number for number in found.values() if number is not None]
            self._unmet = [url for url, number in found.items() if number is None]
        return self._numbers

    def relevance(self, seen: npt.NDArray[np.float32]) -> float:
        """The relevance of those that were fetched, of that of all URLs; below 0 stands for one that was not."""
        return sum(max(float(seen[number]), 0.0) for number in self.numbers)
