"""How signals are scaled: by their mean and spread over the queue, so that they can be weighed against each other.

Weights stay as they are. That they follow from how well each signal has ordered what was fetched was tried in two ways,
by the share of pairs in the right order and by logistic regression around the first weights: the one brought nothing on
either web, the other nothing where it was held close and a loss where it was not. What was fetched was chosen by these
very signals, and a page that leads to many good ones is often none itself.
"""

from __future__ import annotations

import msgspec
import numpy as np

from honeyguide.strategies.base import Floats

__all__ = ["Scales"]

_LEAST, _MOST = -4.0, 6.0  # no signal says more than this


class Scales:
    """The mean and the spread of each signal, as they were when the whole queue was ranked last."""

    def __init__(self, signals: int) -> None:
        self._mean = np.zeros(signals)
        self._spread = np.ones(signals)

    def measure(self, raw: Floats) -> None:
        """Mean and spread of each signal over the queue."""
        said = ~np.isnan(raw)
        for place in np.flatnonzero(said.sum(axis=0) > 1).tolist():
            values = raw[said[:, place], place]
            self._mean[place] = values.mean()
            self._spread[place] = max(float(values.std()), 1e-6)

    def scaled(self, raw: Floats) -> Floats:
        """Signals as z-scores; 0 where one has nothing to say."""
        scaled: Floats = ((raw - self._mean) / self._spread).clip(_LEAST, _MOST)
        scaled[np.isnan(scaled)] = 0.0
        return scaled

    def unscaled(self, place: int, value: float) -> float:
        """What a signal said that has this z-score."""
        return float(value * self._spread[place] + self._mean[place])

    def save(self) -> bytes:
        """Means and spreads."""
        return msgspec.msgpack.encode((self._mean.tobytes(), self._spread.tobytes()))

    def load(self, state: bytes) -> None:
        """Go on from saved ones."""
        parts = msgspec.msgpack.decode(state, type=tuple[bytes, bytes])
        self._mean, self._spread = (np.frombuffer(part, np.float64).copy() for part in parts)
