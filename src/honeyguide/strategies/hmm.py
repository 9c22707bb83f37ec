"""A hidden Markov model of the way to a target (Liu, Janssen & Milios, "Using HMM to learn user browsing patterns for
focused Web crawling", Data & Knowledge Engineering 59, 2006).

Walking along links, the hidden state is the distance to the nearest target: T0 is a target, the last state all that is
far. What is observed of a page is the cluster its text falls into, targets being a cluster of their own. With a(i, j)
the share of links from pages of state i that lead to state j, and b(j, c) the share of the pages of state j that are
of cluster c, the forward recursion along the path on which a page was reached is

    alpha(page, j) = b(j, cluster of page) * sum over i of alpha(parent, i) a(i, j)

and the same sum, taken from the page itself, predicts how far from a target its links lead. Links are sorted by the
predicted probability of the nearest state, then of the next; two that hardly differ count as equal.

The paper learns from a user's browsing, all of it known beforehand; here it is the crawl so far, counted anew whenever
it has grown by a tenth. Targets are the topic's examples and the pages judged on topic. For the paper's X-means over
latent semantic features there is a k-means over hashed TF-IDF that goes on from its last centres. Of several pages
that link to a URL, the path is followed from the one that ranked it best.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.graph import Column, Links
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.strategies.clusters import Clusters
from honeyguide.strategies.memory import Floats, Ints, LinkWords, Memory, Met, within

__all__ = ["Hmm", "forward", "order_key", "transitions"]

_ALIKE = 1e-9  # less than rounding may take from a share that is a whole number of tolerances
_NO_PARENT = -1


def transitions(links: Links, state: Ints, met: npt.NDArray[np.bool_], states: int, smoothing: float) -> Floats:
    """a(i, j): the share of links from pages of state i, to pages met, that lead to state j.

    From a page i links away no link can lead nearer than i - 1, so nothing is added to those counts.
    """
    counts = np.triu(np.full((states, states), smoothing), -1)
    for goal in range(states):
        leading = links.pull((met & (state == goal)).astype(np.float64))
        counts[:, goal] += np.bincount(state[met], leading[met], states)
    shares: Floats = counts / counts.sum(axis=1, keepdims=True)
    return shares


def forward(before: Floats, shown: Floats) -> Floats:
    """Alpha of a page: what was expected before it was seen, by how well each state shows what was seen.

    It is brought to sum 1, which changes no order and keeps long paths from vanishing.

    >>> forward(np.array([0.5, 0.5]), np.array([0.9, 0.1])).tolist()
    [0.9, 0.1]
    """
    alpha = before * shown
    scaled: Floats = alpha / alpha.sum()
    return scaled


def order_key(shares: Floats, first: int, tolerance: float) -> float:
    """One number that sorts by the share of state `first`, then of the next, shares within a tolerance being equal.

    >>> key = [order_key(np.array(shares), 0, 0.1) for shares in ([0.31, 0.1, 0.59], [0.35, 0.0, 0.65], [0.4, 0, 0.6])]
    >>> [round(one, 6) for one in key]
    [0.315, 0.306, 0.406]
    """
    if tolerance <= 0.0:
        return float(shares[first])
    key, unit = 0.0, 1.0
    for share in shares[first:].tolist():
        key += np.floor(share / tolerance + _ALIKE) * tolerance * unit
        unit *= tolerance
    return float(key)


class _State(msgspec.Struct):
    memory: bytes
    clusters: bytes
    model: list[bytes]
    columns: list[bytes]


class Hmm(Strategy):
    """Follows links that a hidden Markov model of the crawl's paths expects to lead to targets.

    The paper's X-means finds the number of clusters, and its states were few. The defaults come from a sweep over the
    forty visible topics of the schools web (near and far starts, twice the number of relevant pages). One deviation
    does better there and is the default: the link's own words count too. The paper's form is `link=0`; it ranks all
    links of a page alike.

    Parameters
    ----------
    states
        Number of hidden states, targets and all that is far included.
    clusters
        Into how many clusters the pages that are no targets fall.
    first
        The state to sort by first: 0 for links that lead to a target, 1 for links that lead to a page before one.
    tolerance
        By how much two probabilities must differ to decide; else those of the next state do.
    smoothing
        What is added to every count before shares are taken.
    dimensions
        Into how many dimensions the terms are hashed for the clusters.
    link
        Share of the link's own words in its priority; the paper has none (0).
    around
        Share of the words around the anchor among the link's own words.
    reach
        How many terms on either side count as around.
    every
        How few new pages are worth learning anew from; later it takes a tenth of the crawl.
    """

    name: ClassVar[str] = "hmm"

    def __init__(
        self,
        states: int = 3,
        clusters: int = 6,
        first: int = 0,
        tolerance: float = 0.001,
        smoothing: float = 1.0,
        dimensions: int = 512,
        link: float = 0.95,
        around: float = 0.4,
        reach: int = 6,
        every: int = 3,
    ) -> None:
        self.states = states
        self.clusters = clusters
        self.first = first
        self.tolerance = tolerance
        self.smoothing = smoothing
        self.dimensions = dimensions
        self.link = link
        self.around = around
        self.reach = reach
        self.every = every

    def start(self, brief: Brief, seed: int) -> None:
        """Begin with the examples, from which no path is known yet."""
        within(self, states=(2, 100), clusters=(1, 1_000), first=(0, self.states - 1), dimensions=(1, 1 << 16))
        within(self, smoothing=(1e-6, 1e9), link=(0, 1), around=(0, 1), reach=(0, 1_000), every=(1, 1e9))
        self._memory = Memory(brief, seed, self.every)
        self._clusters = Clusters(self.clusters, self.dimensions)
        self._alpha: Column[np.float64] = Column(np.float64)  # of each known URL, `states` numbers
        self._best: Column[np.float64] = Column(np.float64)  # of each known URL, the best rank it was given, and
        self._parent: Column[np.int32] = Column(np.int32)  # the page that gave it
        self._learn()

    def _learn(self) -> None:
        """Count the chain anew: how likely each state is at first, what follows it, and what it shows."""
        memory, states = self._memory, self.states
        met = memory.met
        state = memory.distances(states - 2)
        initial = np.bincount(state[met], minlength=states) + self.smoothing
        self._initial: Floats = initial / initial.sum()
        self._transition = transitions(memory.links, state, met, states, self.smoothing)
        texts = memory.sample.texts()
        other = np.flatnonzero(~memory.target[texts.pages])
        shown = np.zeros(len(texts.pages), np.int64)
        shown[other] = 1 + self._clusters.learn(memory.sample, texts, other)
        counts = np.full((states, self.clusters + 1), self.smoothing)
        np.add.at(counts, (state[texts.pages], shown), 1.0)
        self._emission: Floats = counts / counts.sum(axis=1, keepdims=True)

    def page(self, page: Digest) -> Iterable[Ranked]:
        """Take the recursion one step on, and rank the links by where the next step leads."""
        met = self._memory.meet(page)
        self._grow()
        if self._memory.due:
            self._learn()
        shares = self._step(met)
        key = order_key(shares, self.first, self.tolerance)
        about = f"leads to a target at {shares[0]:.2f}, to a page before one at {shares[1]:.2f}"
        words = LinkWords(self._memory.likeness.look(), self.around, self.reach)
        found = words.ranked(page, about, key, self.link)
        best: dict[str, float] = {}
        for url, value, _ in found:
            best[url] = max(value, best.get(url, 0.0))
        self._hand_on(met, list(best.values()))
        return found

    def _grow(self) -> None:
        size = len(self._memory)
        self._alpha.grow(size * self.states)
        self._best.grow(size, fill=-1.0)
        self._parent.grow(size, fill=_NO_PARENT)

    def _step(self, met: Met) -> Floats:
        """Alpha of the page from that of the page before it; returns what it predicts for its links."""
        alphas = self._alpha.values.reshape(-1, self.states)
        parent = int(self._parent.values[met.number])
        before = self._initial if parent == _NO_PARENT else alphas[parent] @ self._transition
        memory = self._memory
        shown = 0 if memory.is_target(met.number) else 1 + self._clusters.of(memory.sample, met.bag)
        alphas[met.number] = forward(before, self._emission[:, shown])
        ahead: Floats = alphas[met.number] @ self._transition
        return ahead

    def _hand_on(self, met: Met, values: list[float]) -> None:
        """Let the links that are ranked best from here be reached from here."""
        given = np.array(values[: len(met.links)])
        better = given > self._best.values[met.links]
        self._best.values[met.links[better]] = given[better]
        self._parent.values[met.links[better]] = met.number

    def save(self) -> bytes:
        """The pages met, the chain, and how each URL was reached."""
        model = [one.tobytes() for one in (self._initial, self._transition, self._emission)]
        columns = [self._alpha.save(), self._best.save(), self._parent.save()]
        return msgspec.msgpack.encode(_State(self._memory.save(), self._clusters.save(), model, columns))

    def load(self, state: bytes) -> None:
        """Go on from there."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self._memory.load(saved.memory)
        self._clusters.load(saved.clusters)
        initial, transition, emission = (np.frombuffer(one, np.float64) for one in saved.model)
        self._initial = initial
        self._transition = transition.reshape(self.states, -1)
        self._emission = emission.reshape(self.states, -1)
        alpha, best, parent = saved.columns
        self._alpha.load(alpha)
        self._best.load(best)
        self._parent.load(parent)
