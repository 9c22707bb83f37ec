"""Which pages read alike: a spherical k-means over TF-IDF hashed into few dimensions, the same on every run."""

from __future__ import annotations

import numpy as np

from honeyguide.strategies.base import Floats, Ints
from honeyguide.strategies.texts import Bag, Sample, Texts

__all__ = ["Clusters", "gather", "spread_out"]

_TURNS = 5  # of k-means, each time it goes on
_SIGN = 1 << 19  # the highest bit of a term's number, which few dimensions leave free


def _unit(rows: Floats) -> Floats:
    """Rows brought to length 1; those of zeros stay as they are."""
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    scaled: Floats = rows / np.where(lengths > 0.0, lengths, 1.0)
    return scaled


def spread_out(rows: Floats, centres: Floats, count: int) -> Floats:
    """These centres and new ones up to `count`: each time the row least like all there are, the first of equals.

    >>> rows = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    >>> spread_out(rows, rows[:0], 2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    chosen = list(centres[:count])
    likest = (rows @ centres.T).max(axis=1) if len(centres) else np.full(len(rows), -1.0)
    while len(chosen) < min(count, len(rows)):
        place = int(likest.argmin())
        chosen.append(rows[place])
        likest = np.maximum(likest, rows @ rows[place])
    return np.array(chosen).reshape(len(chosen), rows.shape[1])


def gather(rows: Floats, centres: Floats, turns: int = _TURNS) -> Floats:
    """Move each centre to the mean direction of the rows it is nearest to, some times over.

    >>> gather(np.array([[1.0, 0.0], [0.6, 0.8], [0.0, -1.0]]), np.array([[1.0, 0.0], [0.0, -1.0]])).round(3).tolist()
    [[0.894, 0.447], [0.0, -1.0]]
    """
    if not len(rows) or not len(centres):
        return centres
    for _ in range(turns):
        nearest = (rows @ centres.T).argmax(axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, rows)
        moved = _unit(np.where(sums.any(axis=1, keepdims=True), sums, centres))
        if np.array_equal(moved, centres):
            break
        centres = moved
    return centres


class Clusters:
    """Puts texts into clusters, numbered from 0.

    Parameters
    ----------
    count
        How many clusters there may be.
    dimensions
        Into how many dimensions the terms are hashed.
    """

    def __init__(self, count: int, dimensions: int) -> None:
        self._count = count
        self._dimensions = dimensions
        self._centres: Floats = np.zeros((0, dimensions))

    def learn(self, sample: Sample, texts: Texts, chosen: Ints) -> Ints:
        """Go on gathering with these rows of the kept texts; returns the cluster of each."""
        rows = self._vectors(sample, texts)[chosen]
        self._centres = gather(rows, spread_out(rows, self._centres, self._count))
        return self._nearest(rows)

    def of(self, sample: Sample, bag: Bag) -> int:
        """The cluster of a page; a page without words is in the first."""
        rows = np.zeros(len(bag.ids), np.int64)
        one = Texts(np.zeros(1, np.int64), np.zeros(1), rows, bag.ids, bag.counts)
        return int(self._nearest(self._vectors(sample, one))[0])

    def _nearest(self, rows: Floats) -> Ints:
        if not len(self._centres):
            return np.zeros(len(rows), np.int64)
        nearest: Ints = (rows @ self._centres.T).argmax(axis=1)
        return nearest

    def _vectors(self, sample: Sample, texts: Texts) -> Floats:
        """Texts as unit vectors; a term's sign is a bit of its hash, so that chance meetings cancel out."""
        size = self._dimensions
        weights = np.sqrt(texts.counts) * sample.rarity(texts.ids)
        signed = np.where(texts.ids & _SIGN, weights, -weights)
        flat = np.asarray(
            np.bincount(texts.rows * size + texts.ids % size, signed, len(texts.pages) * size), np.float64
        )
        return _unit(flat.reshape(-1, size))

    def save(self) -> bytes:
        """The centres, as bytes."""
        return self._centres.tobytes()

    def load(self, state: bytes) -> None:
        """Go on from saved centres."""
        self._centres = np.frombuffer(state, np.float64).reshape(-1, self._dimensions)
