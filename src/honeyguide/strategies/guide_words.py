"""The words around links, against the words around links that led to relevant pages.

    q     = mean of the words around fetched URLs, by relevance (examples count 1) - mean over all URLs
    score = words . q,  its z-score times S / (S + 3), S the sum of those relevances

The words of a link are a bag of unit length, weighted by how rare each is on the pages met; the k-th link to a URL
counts 1 / k. Terms are numbers of 16 bits, hashed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash

__all__ = ["Surroundings", "term_numbers"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_SLOTS = 1 << 16


@lru_cache(maxsize=1 << 17)
def _number(term: str) -> int:
    return xxhash.xxh3_64_intdigest(term.encode("utf-8", "surrogatepass")) % (_SLOTS - 1) + 1


def term_numbers(terms: Iterable[str]) -> list[int]:
    """A number from 1 to 65,535 for each term."""
    return list(map(_number, terms))


class Surroundings:
    """What stands around links, and around those that led to relevant pages."""

    def __init__(self) -> None:
        self._pages = 0
        self._frequency = np.zeros(_SLOTS)  # pages each term stood on
        self._logs = np.full(_SLOTS, np.log(0.5), np.float32)  # of those, half a page added
        self._sums = np.zeros((2, _SLOTS))  # over links to relevant pages, and over all
        self._weights = np.zeros(2)
        self._parts = np.zeros((_SLOTS, 2), np.float32)  # the topic, and the square of how rare a term is

    def count(self, terms: Iterable[str]) -> None:
        """The terms of a page that was met."""
        self._pages += 1
        ids = np.array(term_numbers(terms), np.int64)
        self._frequency[ids] += 1
        self._logs[ids] = np.log(self._frequency[ids] + 0.5)

    def learn(self, ids: Ints, links: Ints, relevance: Floats, every: Floats) -> None:
        """Words around links: terms, the link each belongs to, the weight of each as relevant and among all."""
        if not len(ids):
            return
        values = np.log(self._pages + 1.0) - self._logs[ids]
        sizes = np.sqrt(np.bincount(links, weights=values * values, minlength=len(relevance)))
        values /= np.maximum(sizes, 1e-9)[links]
        if every.any():
            np.add.at(self._sums[1], ids, every[links] * values)
            self._weights[1] += every[sizes > 0].sum()
        good = relevance[links] > 0
        if good.any():
            np.add.at(self._sums[0], ids[good], (relevance[links] * values)[good])
            self._weights[0] += relevance[sizes > 0].sum()

    @property
    def sure(self) -> float:
        """How much there is to go by, from 0 to 1."""
        return float(self._weights[0] / (self._weights[0] + 3.0))

    def look(self) -> None:
        """Compare by what is known now."""
        rarity = np.float32(np.log(self._pages + 1.0)) - self._logs
        rarity[0] = 0.0
        good, every = (self._weights.clip(1e-9) ** -1).tolist()
        np.multiply(self._sums[0] * good - self._sums[1] * every, rarity, out=self._parts[:, 0], casting="same_kind")
        np.multiply(rarity, rarity, out=self._parts[:, 1])

    def scores(self, bags: npt.NDArray[np.uint16]) -> Floats:
        """How like those that led to relevant pages surroundings are; nan where there are none."""
        if not self._weights.all() or not len(bags):
            return np.full(len(bags), np.nan)
        dot, square = self._parts[bags].sum(axis=1).T
        found = dot / np.sqrt(np.maximum(square, 1e-6))
        return np.where(square > 0, found, np.nan).astype(np.float64)

    def save(self) -> bytes:
        """All counts, of terms that were met."""
        fields = [self._frequency, *self._sums, *self._parts.T.astype(np.float64)]
        used = np.flatnonzero(np.stack(fields).any(axis=0))
        return msgspec.msgpack.encode(
            (self._pages, self._weights.tobytes(), used.tobytes(), [field[used].tobytes() for field in fields])
        )

    def load(self, state: bytes) -> None:
        """Go on from saved counts."""
        self._pages, weights, used, fields = msgspec.msgpack.decode(state, type=tuple[int, bytes, bytes, list[bytes]])
        self._weights = np.frombuffer(weights, np.float64).copy()
        places = np.frombuffer(used, np.int64)
        counts = np.zeros((5, _SLOTS))
        for row, packed in zip(counts, fields, strict=True):
            row[places] = np.frombuffer(packed, np.float64)
        self._frequency, self._sums, self._parts = counts[0], counts[1:3].copy(), counts[3:].T.astype(np.float32)
        self._logs = np.full(_SLOTS, np.log(0.5), np.float32)
        self._logs[places] = np.log(self._frequency[places] + 0.5)
