"""In which proportion immediate and future value are mixed: found out while crawling, on the Bloch sphere.

    value = a * I + (1 - a) * F

I and F are the two values of a URL as they stood when it was ranked last, each as a multiple x of its spread over the
queue, from the mean, and of that arsinh(x), which is x up to one and goes on like a logarithm: values have long tails,
and a link that one of the two praises beyond measure should not go before one that both speak for. A proportion is as
good as it would have put the last answers in order: the share of pairs of a relevant answer and an irrelevant one that
it has the right way round. What a handful of answers say is chance, so a proportion b is believed in as if some
relevant answers had spoken for it:

    fitness(a) = (n * ordered(a) + doubt * (1 - ((a - b) / max(b, 1 - b))^2)) / (n + doubt)
    b          = (last + (first - last) * doubt / (N + doubt)) * min(1, relevance lately / relevance of all answers)

with n the relevance of the last answers, summed, N that of all answers, and means in the last term. Future value is
learnt, so it is believed in the more the more has been found; and a crawl that starves, where nothing in sight looks
like the topic any more, has to go by where links lead. As printed, the fitness is the mixed value itself; that is a
straight line in a, so it finds one of the two ends.
"""

from __future__ import annotations

import msgspec
import numpy as np

from honeyguide.graph.bloch import evolve, qubits, shares
from honeyguide.strategies.base import Floats

__all__ = ["FITNESS", "Mixing"]

FITNESS = ("order", "printed")
_QUBITS = 9
_PAST = 100  # moments of which the proportion is remembered
_PATIENCE = 40  # generations without a rise after which a search ends: the next one goes on from there
_FEW = 10  # answers before which there is nothing to go by
_STARVING = 0.5  # where the last answers brought no more than this share of what all did, that is the reason


def ordered(values: Floats, relevance: Floats) -> Floats:
    """Of each row of values, the share of pairs of a relevant answer and an irrelevant one that it has in order.

    >>> ordered(np.array([[3.0, 2.0, 1.0], [1.0, 3.0, 2.0]]), np.array([1.0, 0.0, 0.0])).tolist()
    [1.0, 0.0]
    """
    order = np.argsort(values, axis=1, kind="stable")
    good = relevance[order]
    bad = 1.0 - good
    right = (good * (np.cumsum(bad, axis=1) - bad)).sum(axis=1)
    pairs = relevance.sum() * (1.0 - relevance).sum() - (relevance * (1.0 - relevance)).sum()
    found: Floats = right / pairs if pairs > 1e-9 else np.full(len(values), 0.5)
    return found


class Mixing:
    """Scales the two values, and keeps the proportion in which they are mixed.

    Parameters
    ----------
    seed
        Where chance begins.
    fitness
        One of `FITNESS`.
    window
        How many of the last answers count.
    first, last, doubt
        The proportion that is believed in at the outset, that which it goes towards, and how many relevant answers such
        a belief is worth: after as many it is halfway.
    delta, mutation, generations
        Of the search on the sphere: the angle of a turn, the chance to be drawn anew, and how long it goes on.
    """

    def __init__(
        self,
        seed: int,
        *,
        fitness: str,
        window: int,
        first: float,
        last: float,
        doubt: float,
        delta: float,
        mutation: float,
        generations: int,
    ) -> None:
        self._seed = seed
        self._fitness = fitness
        self._first, self._last, self._doubt = first, last, doubt
        self._delta, self._mutation, self._generations = delta, mutation, generations
        self._answers = np.zeros((window, 3))  # immediate and future value, and the relevance it came to
        self._count = 0
        self._found = 0.0  # relevance of all answers, summed
        self._tuned = 0
        self._scale = np.array([[0.0, 0.0], [1.0, 1.0]])  # mean and spread of both
        phi = 2 * np.pi * np.random.default_rng([seed, 0]).random(_QUBITS)
        self._states = qubits(np.arccos(2 * np.linspace(0.1, 0.9, _QUBITS) - 1), phi)
        self._best = int(np.abs(shares(self._states) - first).argmin())
        self._right = 0.5  # the share of pairs that the best has in order
        self._past: list[tuple[int, float]] = []
        self._step = 1

    @property
    def share(self) -> float:
        """The proportion of immediate value now."""
        return float(shares(self._states[self._best : self._best + 1])[0])

    @property
    def belief(self) -> float:
        """The proportion that is believed in without proof: less where much was found, and where the crawl starves."""
        new = self._doubt / (self._found + self._doubt) if self._found else 1.0
        return (self._last + (self._first - self._last) * new) * self._fed

    @property
    def _fed(self) -> float:
        """What the last answers brought against all of them, 1 at the most."""
        if not self._found:
            return 1.0
        lately = self._answers[: self._count, 2].mean()
        return float(min(1.0, lately * self._count / self._found))

    def measure(self, both: Floats) -> None:
        """Mean and spread of the values over the queue: a row for each URL."""
        if len(both) > 1:
            self._scale = np.stack([both.mean(axis=0), np.maximum(both.std(axis=0), 1e-6)])

    def scaled(self, both: Floats) -> Floats:
        """Values as multiples of their spread, from the mean; long tails count by their logarithms."""
        found: Floats = np.arcsinh((both - self._scale[0]) / self._scale[1])
        return found

    def values(self, both: Floats) -> Floats:
        """The mixed values."""
        share = self.share
        mixed: Floats = self.scaled(both) @ np.array([share, 1.0 - share])
        return mixed

    def learn(self, both: Floats, relevance: float) -> None:
        """What the values said of a URL, and what it came to."""
        row = self._answers[self._count % len(self._answers)]
        row[:2] = self.scaled(both)
        row[2] = relevance
        self._count += 1
        self._found += relevance

    def tune(self) -> None:
        """Search for the best proportion by the last answers."""
        if self._count >= _FEW:
            self._tuned += 1
            chance = np.random.default_rng([self._seed, self._tuned])
            found = evolve(
                self._states,
                self._fit,
                chance,
                best=self._best,
                delta=self._delta,
                mutation=self._mutation,
                generations=self._generations,
                patience=_PATIENCE,
            )
            self._states, self._best = found.states, found.best
            answers = self._answers[: self._count]
            share = self.share
            self._right = float(ordered(answers[None, :, :2] @ [share, 1.0 - share], answers[:, 2])[0])
        self._remember()

    def _fit(self, proportions: Floats) -> Floats:
        answers = self._answers[: self._count]
        values: Floats = np.stack([proportions, 1.0 - proportions], axis=1) @ answers[:, :2].T
        if self._fitness != "order":
            return np.asarray(values.mean(axis=1))
        found = float(answers[:, 2].sum())
        belief = self.belief
        near = 1.0 - ((proportions - belief) / max(belief, 1.0 - belief)) ** 2
        fitness: Floats = (found * ordered(values, answers[:, 2]) + self._doubt * near) / (found + self._doubt)
        return fitness

    def _remember(self) -> None:
        if not self._past or self._count >= self._past[-1][0] + self._step:
            self._past.append((self._count, round(self.share, 3)))
            if len(self._past) > _PAST:  # a long crawl is told in larger steps
                self._past, self._step = self._past[::2], self._step * 2

    def past(self) -> list[tuple[int, float]]:
        """The proportion of immediate value after so many answers."""
        return list(self._past)

    def told(self) -> str:
        """Why the proportion is as it is, in words."""
        share = f"{self.share:.0%} immediate value and {1 - self.share:.0%} future value"
        if self._count < _FEW:
            return f"{share}, as long as little is known"
        lately = min(self._count, len(self._answers))
        if self._fitness != "order":
            return f"{share}: so the last {lately} answers were worth most"
        if self._fed < _STARVING:
            return f"{share}: the last {lately} answers brought little, so it goes by where links lead"
        return f"{share}: so {self._right:.0%} of the last {lately} answers' pairs were in the right order"

    def save(self) -> bytes:
        """The qubits, the last answers, and how it came to that."""
        arrays = [one.tobytes() for one in (self._answers, self._scale, self._states)]
        counts = (self._count, self._tuned, self._best, self._step)
        return msgspec.msgpack.encode((arrays, counts, (self._right, self._found), self._past))

    def load(self, state: bytes) -> None:
        """Go on from there."""
        kind = tuple[list[bytes], tuple[int, int, int, int], tuple[float, float], list[tuple[int, float]]]
        arrays, counts, (self._right, self._found), self._past = msgspec.msgpack.decode(state, type=kind)
        self._count, self._tuned, self._best, self._step = counts
        self._answers = np.frombuffer(arrays[0]).reshape(-1, 3).copy()
        self._scale = np.frombuffer(arrays[1]).reshape(2, 2).copy()
        self._states = np.frombuffer(arrays[2], np.complex128).reshape(-1, 2).copy()
