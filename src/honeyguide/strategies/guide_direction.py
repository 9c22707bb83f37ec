"""The topic as a direction among names.

    q       = .85 * (mean of the examples' names, three times each, and of fetched pages' by their relevance - m)
            + .15 * (name and keywords of the topic - m)
            - .1 * (mean of the names of fetched pages, by how irrelevant they are - m)
    score   = (name - m) . q / |name - m|

with m the mean over all URLs met, or over a sample of them, which is what makes names tell: the frontier is a free
sample of the background.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.strategies.base import Floats
from honeyguide.text.vectors import some

__all__ = ["EXAMPLE", "TopicDirection"]

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]

EXAMPLE = 3.0  # relevant pages as which an example counts
_AT_ONCE = 128  # names that are compared at once: as many as lie near at hand, unpacked
_ALIKE = 0.2  # how far from the mean a name must lie: nearer, what is left is mostly rounding


class TopicDirection:
    """Learnt from the names of examples and fetched pages, as vectors of unit length."""

    def __init__(self, topic: Vector) -> None:
        size = len(topic)
        self._topic = topic.astype(np.float64)
        self._sums = np.zeros((3, size))  # of URLs met, of relevant ones, of irrelevant ones
        self._weights = np.zeros(3)
        self._look = np.zeros((2, size), np.float32)  # where to look, and from where

    def meet(self, names: Matrix, counts: Vector | None = None) -> None:
        """URLs are met for the first time; each counts as one, or as so many."""
        if counts is None:
            counts = np.ones(len(names), np.float32)
        self._sums[0] += np.einsum("ij,i->j", names, counts)
        self._weights[0] += (some(names) * counts).sum()

    def learn(self, name: Vector, relevant: float, irrelevant: float) -> None:
        """A page of this name turned out to be so relevant."""
        if name.any():
            self._sums[1] += relevant * name.astype(np.float64)
            self._sums[2] += irrelevant * name.astype(np.float64)
            self._weights[1:] += (relevant, irrelevant)

    def look(self) -> None:
        """Compare by what is known now."""
        every, good, bad = self._sums / np.maximum(self._weights, 1e-9)[:, None]
        query = 0.85 * (good - every) if self._weights[1] else np.zeros(len(every))
        if self._topic.any():
            query += 0.15 * (self._topic - every)
        if self._weights[2]:
            query -= 0.1 * self._weights[2] / (self._weights[2] + 5) * (bad - every)
        self._look = np.stack([query, every]).astype(np.float32)

    @property
    def known(self) -> bool:
        """Whether there is anything to compare with."""
        return bool(self._weights[1] > 0 or self._topic.any())

    def scores(self, names: npt.NDArray[np.int8], by_chance: float = 0.0) -> Floats:
        """How like the topic names are; nan for those without a word, and for those called like nearly all others.

        Directions drawn by chance are alike by chance, and so far are not taken to be.
        """
        query, mean = self._look
        # Not by `@`: on a busy machine its threads wait for each other twenty times as long as this takes.
        look = self._look / np.float32(127)
        both = np.empty((len(names), 2), np.float32)
        for begin in range(0, len(names), _AT_ONCE):
            part = names[begin : begin + _AT_ONCE].astype(np.float32)
            np.einsum("ij,kj->ik", part, look, out=both[begin : begin + _AT_ONCE])
        size = np.sqrt(np.maximum(1.0 - 2.0 * both[:, 1] + mean @ mean, 1e-6))
        score = (both[:, 0] - mean @ query) / size
        if by_chance:
            chance = by_chance * np.sqrt(query @ query)
            score = np.sign(score) * np.maximum(np.abs(score) - chance, 0.0)
        return np.where(both.any(axis=1) & (size > _ALIKE), score, np.nan).astype(np.float64)

    def save(self) -> bytes:
        """The sums."""
        return msgspec.msgpack.encode((self._sums.tobytes(), self._weights.tobytes(), self._look.tobytes()))

    def load(self, state: bytes) -> None:
        """Go on from saved sums."""
        sums, weights, look = msgspec.msgpack.decode(state, type=tuple[bytes, bytes, bytes])
        self._sums = np.frombuffer(sums, np.float64).reshape(3, -1).copy()
        self._weights = np.frombuffer(weights, np.float64).copy()
        self._look = np.frombuffer(look, np.float32).reshape(2, -1).copy()
