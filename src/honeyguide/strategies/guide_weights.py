"""How signals are scaled, and weighed against each other.

A signal is scaled by its mean and spread over the queue. Its weight is its first one, more or less by how well it has
ordered the last answers: with A the share of pairs of a relevant answer and an irrelevant one that it had in the right
order when they were ranked, n the number of answers,

    weight = first * (1 + (2 A - 1) * n / (n + 100))

so a signal that orders no better than chance keeps its weight, for what was fetched was chosen by these very signals
and shows their worth only dimly; none is ever more than doubled.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.strategies.base import Floats

__all__ = ["Weights"]

_LATELY = 200  # answers that count
_PAST = 100  # moments of which the weights are remembered
_DOUBT = 100.0  # answers by which weights have moved half of the way
_LEAST, _MOST = -4.0, 6.0  # no signal says more than this


class Weights:
    """Scales signals over the queue, and weighs them."""

    def __init__(self, first: list[float], *, learns: bool) -> None:
        self._first = np.array(first)
        self._learns = learns
        self.now = self._first.copy()
        self._mean = np.zeros(len(first))
        self._spread = np.ones(len(first))
        self._answers = np.zeros((_LATELY, len(first) + 1), np.float32)  # what signals said, and what it came to
        self._count = 0
        self._past = np.zeros((0, len(first) + 1), np.float32)  # answers so far, and the weights then
        self._step = 1  # answers between two rows of it

    def measure(self, raw: Floats) -> None:
        """Mean and spread of each signal over the queue."""
        said = ~np.isnan(raw)
        for place in np.flatnonzero(said.sum(axis=0) > 1).tolist():
            values = raw[said[:, place], place]
            self._mean[place] = values.mean()
            self._spread[place] = max(float(values.std()), 1e-6)

    def weigh(self) -> None:
        """Let weights follow from the last answers."""
        if self._learns and self._count:
            trust = self._count / (self._count + _DOUBT)
            self.now = self._first * (1.0 + trust * (2.0 * self._ordered() - 1.0))
        if not len(self._past) or self._count >= self._past[-1, 0] + self._step:
            self._past = np.vstack([self._past, np.append(self._count, self.now).astype(np.float32)])
            if len(self._past) > _PAST:  # a long crawl is told in larger steps
                self._past, self._step = self._past[::2], self._step * 2

    def past(self) -> list[list[tuple[int, float]]]:
        """Of each signal, what it weighed after so many answers; nothing of one that never counted."""
        return [
            [(int(count), round(float(weight), 3)) for count, weight in self._past[:, [0, place + 1]]] if first else []
            for place, first in enumerate(self._first.tolist())
        ]

    def scaled(self, raw: Floats) -> Floats:
        """Signals as z-scores; 0 where one has nothing to say."""
        scaled: Floats = ((raw - self._mean) / self._spread).clip(_LEAST, _MOST)
        scaled[np.isnan(scaled)] = 0.0
        return scaled

    def unscaled(self, place: int, value: float) -> float:
        """What a signal said that has this z-score."""
        return float(value * self._spread[place] + self._mean[place])

    def learn(self, scaled: npt.NDArray[np.float32], relevance: float) -> None:
        """What signals said of a URL, and what it came to."""
        row = self._answers[self._count % _LATELY]
        row[:-1] = scaled
        row[-1] = relevance
        self._count += 1

    def _ordered(self) -> Floats:
        """Of each signal, the share of pairs it had in the right order; one half for equals."""
        answers = self._answers[: self._count]
        relevance = answers[:, -1]
        pairs = np.outer(relevance, 1.0 - relevance)
        total = pairs.sum() - np.diag(pairs).sum()
        if total < 1.0:
            return np.full(len(self._first), 0.5)
        right = [np.einsum("ij,ij", np.sign(one[:, None] - one[None, :]), pairs) for one in answers[:, :-1].T]
        ordered: Floats = 0.5 + 0.5 * np.array(right) / total
        return ordered

    def save(self) -> bytes:
        """Scales, weights and the last answers."""
        parts = [part.tobytes() for part in (self.now, self._mean, self._spread)]
        past = (self._past.tobytes(), self._step)
        return msgspec.msgpack.encode((parts, self._answers.tobytes(), self._count, past))

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        parts, answers, self._count, (past, self._step) = msgspec.msgpack.decode(
            state, type=tuple[list[bytes], bytes, int, tuple[bytes, int]]
        )
        self._past = np.frombuffer(past, np.float32).reshape(-1, len(self._first) + 1).copy()
        self.now, self._mean, self._spread = (np.frombuffer(part, np.float64).copy() for part in parts)
        self._answers = np.frombuffer(answers, np.float32).reshape(-1, len(self._first) + 1).copy()
