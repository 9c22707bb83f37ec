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

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from honeyguide.graph import Column, Links
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints, Ranks, Strategy, setting
from honeyguide.strategies.clusters import Clusters
from honeyguide.strategies.given import NOBODY, Given
from honeyguide.strategies.texts import Bag, Library, link_words, within

__all__ = ["Hmm", "forward", "order_key", "transitions"]

_ALIKE = 1e-9  # less than rounding may take from a share that is a whole number of tolerances


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


class Hmm(Strategy):
    """Follows links that a hidden Markov model of the crawl's paths expects to lead to targets.

    The paper's X-means finds the number of clusters, and its states were few. The defaults come from a sweep over the
    forty visible topics of the schools web (near and far starts, twice the number of relevant pages). One deviation
    does better there and is the default: the link's own words count too. The paper's form is `link=0`; it ranks all
    links of a page alike.
    """

    name: ClassVar[str] = "hmm"
    keeps: ClassVar[tuple[str, ...]] = (
        "_library", "_clusters", "_initial", "_transition", "_emission", "_alpha", "_given",
    )  # fmt: skip
    states: int = setting(3, "Number of hidden states, targets and all that is far included.")
    clusters: int = setting(6, "Into how many clusters the pages that are no targets fall.")
    first: int = setting(
        0, "The state to sort by first: 0 for links that lead to a target, 1 for links that lead to a page before one."
    )
    tolerance: float = setting(
        0.001, "By how much two probabilities must differ to decide; else those of the next state do."
    )
    smoothing: float = setting(1.0, "What is added to every count before shares are taken.")
    dimensions: int = setting(512, "Into how many dimensions the terms are hashed for the clusters.")
    link: float = setting(0.95, "Share of the link's own words in its priority; the paper has none (0).")
    around: float = setting(0.4, "Share of the words around the anchor among the link's own words.")
    reach: int = setting(6, "How many terms on either side count as around.")
    every: int = setting(3, "How few new pages are worth learning anew from; later it takes a tenth of the crawl.")

    def check(self) -> None:
        """Each setting lies within its bounds."""
        within(self, states=(2, 100), clusters=(1, 1_000), first=(0, self.states - 1), dimensions=(1, 1 << 16))
        within(self, smoothing=(1e-6, 1e9), link=(0, 1), around=(0, 1), reach=(0, 1_000), every=(1, 1e9))

    def start(self, brief: Brief, seed: int) -> None:
        """Begin with the examples, from which no path is known yet."""
        self._library = Library(brief, seed, self.every)
        self._clusters = Clusters(self.clusters, self.dimensions)
        self._given = Given(brief.graph)
        self._alpha: list[Column[np.float32]] = [brief.graph.column(np.float32) for _ in range(self.states)]
        self._learn()

    def _learn(self) -> None:
        """Count the chain anew: how likely each state is at first, what follows it, and what it shows."""
        library, states = self._library, self.states
        state = library.distances(states - 2)
        met = library.met
        initial = np.bincount(state[:-1][met], minlength=states) + self.smoothing
        if len(state) == 1:  # no page is known yet: the examples are all there is
            initial[0] += 1.0
        self._initial: Floats = initial / initial.sum()
        self._transition = transitions(library.graph.links, state[:-1], met, states, self.smoothing)
        texts = library.sample.texts()
        other = np.flatnonzero(~library.target[texts.pages])
        shown = np.zeros(len(texts.pages), np.int64)
        shown[other] = 1 + self._clusters.learn(library.sample, texts, other)
        counts = np.full((states, self.clusters + 1), self.smoothing)
        np.add.at(counts, (state[texts.pages], shown), 1.0)
        self._emission: Floats = counts / counts.sum(axis=1, keepdims=True)

    def page(self, page: Digest) -> Ranks:
        """Take the recursion one step on, and rank the links by where the next step leads."""
        bag = self._library.meet(page)
        if self._library.due:
            self._learn()
        key = order_key(self._step(page.id, bag, page.on_topic), self.first, self.tolerance)
        words = np.zeros(len(page.targets))
        if self.link:
            words = link_words(self._library.likeness.look(), page, self.around, self.reach)
        values = (1.0 - self.link) * key + self.link * words
        self._given.give(page.id, page.targets, values, words)
        return Ranks(page.targets, values)

    def _alpha_of(self, number: int) -> Floats:
        return np.array([column.raw[number] for column in self._alpha], dtype=np.float64)

    def _step(self, page: int, bag: Bag, target: bool) -> Floats:
        """Alpha of the page from that of the page before it; returns what it predicts for its links."""
        parent = self._given.from_page(page)
        before = self._initial if parent == NOBODY else self._alpha_of(parent) @ self._transition
        shown = 0 if target else 1 + self._clusters.of(self._library.sample, bag)
        alpha = forward(before, self._emission[:, shown])
        for column, value in zip(self._alpha, alpha.tolist(), strict=True):
            column.raw[page] = value
        ahead: Floats = self._alpha_of(page) @ self._transition
        return ahead

    def reason(self, number: int) -> str:
        """Where the chain expects a link of that page to lead."""
        shares = self._alpha_of(self._given.from_page(number)) @ self._transition
        about = f"leads to a target at {shares[0]:.2f}, to a page before one at {shares[1]:.2f}"
        return about + self._given.words(number)
