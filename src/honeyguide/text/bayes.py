"""Naive Bayes over hashed terms, learnt a text at a time: which of a few classes, in their order, a text belongs to.

    P(c | text) ~ P(c) * product over terms t of (P(t | c) / P(t)) ^ e
    P(t | c)    = (N_tc + s * P(t)) / (N_c + s)

P(t) is how often a term stands in all texts met, learnt from or not; a class of which little is known so looks like
the texts at large. The terms of a text are far from independent: together they count for so many at the most (e < 1 for
a longer text).
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

__all__ = ["Bayes"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Counts = npt.NDArray[np.float32]


class Bayes:
    """Counts terms by class; texts are rows of term numbers, 0 standing for none.

    Parameters
    ----------
    slots
        How many numbers there are for terms.
    classes
        How many classes.
    smoothing
        How many terms of the texts at large each class borrows.
    evidence
        How many of its terms a text counts for at the most.

    >>> bayes = Bayes(16, 2, smoothing=2.0, evidence=8.0)
    >>> bayes.meet(np.array([1, 2, 3, 4]))
    >>> for place in range(4):
    ...     bayes.learn(np.array([1, 2]), 0); bayes.learn(np.array([3, 4]), 1)
    >>> bayes.look()
    >>> bayes.shares(np.array([[1, 2], [4, 0], [9, 0]])).round(2).tolist()
    [[0.99, 0.01], [0.08, 0.92], [0.5, 0.5]]
    """

    def __init__(self, slots: int, classes: int, *, smoothing: float, evidence: float) -> None:
        self._smoothing = smoothing
        self._evidence = evidence
        self._counts: Counts = np.zeros((classes, slots), np.float32)
        self._texts = np.zeros(classes)
        self._met: Counts = np.zeros(slots, np.float32)
        self._table: Counts = np.zeros((slots, classes), np.float32)
        self._prior = np.zeros(classes)

    def meet(self, terms: Ints) -> None:
        """Terms of texts that are met."""
        np.add.at(self._met, terms, np.float32(1))

    def learn(self, terms: Ints, kind: int, weight: float = 1.0) -> None:
        """A text is of this class."""
        np.add.at(self._counts[kind], terms, np.float32(weight))
        self._texts[kind] += weight

    def learn_all(self, texts: npt.NDArray[np.uint16], kinds: Ints, weights: Floats) -> None:
        """Forget all texts, and learn these instead: a row, a class and a weight for each."""
        classes, slots = self._counts.shape
        places = kinds[:, None] * slots + texts
        heavy = np.broadcast_to(weights[:, None], texts.shape)
        counts = np.bincount(places.ravel(), heavy.ravel(), classes * slots)
        self._counts = counts.reshape(classes, slots).astype(np.float32)
        self._texts = np.bincount(kinds, weights, classes).astype(np.float64)

    def look(self) -> None:
        """Compare by what is known now."""
        counts, smoothing = self._counts, np.float32(self._smoothing)
        counts[:, 0] = 0
        self._met[0] = 0
        usual = self._met + counts.sum(axis=0) + np.float32(0.5)
        usual /= usual.sum()
        total = counts.sum(axis=1, keepdims=True)
        ratios = (counts / usual + smoothing) / (total + smoothing)
        ratios[:, 0] = 1.0
        self._table = np.ascontiguousarray(np.log(ratios).T)
        self._prior = np.log((self._texts + 1.0) / (self._texts.sum() + len(self._texts)))

    def shares(self, texts: npt.NDArray[np.integer]) -> Floats:
        """The probability of each class for each text."""
        odds = np.zeros((len(texts), len(self._prior)))
        for column in texts.T:  # a column at a time: all at once would take memory for every term of every text
            odds += self._table[column]
        held = np.count_nonzero(texts, axis=1)
        odds *= np.minimum(1.0, self._evidence / np.maximum(held, 1))[:, None]
        odds += self._prior
        odds = np.exp(odds - odds.max(axis=1, keepdims=True))
        found: Floats = odds / odds.sum(axis=1, keepdims=True)
        return found

    def save(self) -> bytes:
        """All counts, of terms that were met, and what it compares by."""
        fields = [self._met, *self._counts, *self._table.T]
        used = np.flatnonzero(np.stack(fields).any(axis=0))
        packed = [field[used].tobytes() for field in fields]
        return msgspec.msgpack.encode((used.tobytes(), packed, self._texts.tobytes(), self._prior.tobytes()))

    def load(self, state: bytes) -> None:
        """Go on from saved counts."""
        used, packed, texts, prior = msgspec.msgpack.decode(state, type=tuple[bytes, list[bytes], bytes, bytes])
        classes, slots = self._counts.shape
        fields = np.zeros((len(packed), slots), np.float32)
        fields[:, np.frombuffer(used, np.int64)] = [np.frombuffer(one, np.float32) for one in packed]
        self._met, self._counts = fields[0].copy(), fields[1 : 1 + classes].copy()
        self._table = np.ascontiguousarray(fields[1 + classes :].T)
        self._texts, self._prior = (np.frombuffer(one, np.float64).copy() for one in (texts, prior))
