"""What each signal had in the ranks of the URLs that were fetched, over a crawl; for the report alone."""

from __future__ import annotations

import msgspec
import numpy as np

from honeyguide.strategies.base import Floats

__all__ = ["Shares"]

_LATELY = 50  # answers whose mean is told
_PAST = 100  # moments that are remembered


class Shares:
    """Shares of signals in what ranked a URL, as a mean of the last answers, remembered at some moments.

    >>> shares = Shares(2)
    >>> for parts in ([3.0, -1.0], [3.0, 1.0]):
    ...     shares.note(np.array(parts))
    >>> shares.past()
    [[(1, 0.75), (2, 0.75)], [(1, 0.25), (2, 0.25)]]
    """

    def __init__(self, signals: int) -> None:
        self._now = np.zeros(signals)
        self._count = 0
        self._past: list[tuple[int, list[float]]] = []  # answers so far, and the shares then
        self._step = 1  # answers between two rows of it

    def note(self, parts: Floats) -> None:
        """A URL was fetched: what each signal had in its rank, for it or against it."""
        sizes = np.abs(parts)
        total = float(sizes.sum())
        if not total:
            return
        self._count += 1
        self._now += (sizes / total - self._now) / min(self._count, _LATELY)
        if not self._past or self._count >= self._past[-1][0] + self._step:
            self._past.append((self._count, self._now.tolist()))
            if len(self._past) > _PAST:  # a long crawl is told in larger steps
                self._past, self._step = self._past[::2], self._step * 2

    def past(self) -> list[list[tuple[int, float]]]:
        """Of each signal, its share after so many answers; nothing of one that never had any."""
        told = [[(count, round(shares[place], 3)) for count, shares in self._past] for place in range(len(self._now))]
        return [past if any(share for _, share in past) else [] for past in told]

    def save(self) -> bytes:
        """All of it."""
        return msgspec.msgpack.encode((self._now.tobytes(), self._count, self._past, self._step))

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        now, self._count, self._past, self._step = msgspec.msgpack.decode(state, type=_State)
        self._now = np.frombuffer(now, np.float64).copy()


_State = tuple[bytes, int, list[tuple[int, list[float]]], int]
