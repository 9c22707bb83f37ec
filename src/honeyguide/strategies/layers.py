"""Which layer a page belongs to by its words: naive Bayes over the few terms that tell targets best."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.strategies.base import Floats, Ints
from honeyguide.strategies.texts import Bag, Sample, Texts

__all__ = ["Layers", "best_terms", "common_terms", "posterior", "word_table"]


def best_terms(ids: Ints, counts: Floats, rarity: Floats, most: int) -> Ints:
    """The terms that tell some pages best, all of them read as one master document: tf / max tf * log(n / n_i).

    >>> best_terms(np.array([7, 4, 7, 9]), np.array([2.0, 3.0, 2.0, 1.0]), np.array([1.0, 0.1, 1.0, 3.0]), 2).tolist()
    [7, 9]
    """
    if not len(ids):
        return ids
    unique, first, places = np.unique(ids, return_index=True, return_inverse=True)
    total = np.bincount(places, counts)
    weight = total / total.max() * rarity[first]
    best: Ints = np.sort(unique[np.lexsort((unique, -weight))[:most]])
    return best


def common_terms(ids: Ints, but: Ints, most: int) -> Ints:
    """The terms that stand on most pages, but for some.

    >>> common_terms(np.array([1, 2, 3, 2, 3, 3]), np.array([3]), 1).tolist()
    [2]
    """
    unique, pages = np.unique(ids, return_counts=True)
    left = ~np.isin(unique, but)
    best: Ints = unique[left][np.lexsort((unique[left], -pages[left]))[:most]]
    return best


def word_table(counts: Floats, smoothing: float) -> Floats:
    """log P(word | layer) from how often each word stands in each layer.

    With a smoothing of 0 one is added to every count, P = (1 + N(w, c)) / (|V| + N(c)). Otherwise that many words,
    spread as they are over all pages but the targets of layer 0, are added to every layer: a layer of which little
    is known then looks like the web at large, where adding one would have it say every word alike.

    >>> np.exp(word_table(np.array([[3.0, 0.0], [1.0, 2.0]]), 0.0)).round(2).tolist()
    [[0.8, 0.2], [0.4, 0.6]]
    >>> np.exp(word_table(np.array([[3.0, 0.0], [1.0, 2.0]]), 5.0)).round(3).tolist()
    [[0.625, 0.375], [0.375, 0.625]]
    """
    total = counts.sum(axis=1, keepdims=True)
    if not smoothing:
        plain: Floats = np.log((1.0 + counts) / (counts.shape[1] + total))
        return plain
    spread = 1.0 + counts[1:].sum(axis=0)
    drawn: Floats = np.log((smoothing * spread / spread.sum() + counts) / (smoothing + total))
    return drawn


def posterior(likelihood: Floats, words: float, evidence: float, known: npt.NDArray[np.bool_]) -> Floats:
    """The layers' probabilities, all alike at the outset, a page counting for `evidence` words at the most.

    The words of a page are far from independent: taken as such, every long page would be certain of its layer.

    >>> both = np.array([True, True])
    >>> posterior(np.log([0.09, 0.01]), 2.0, 9.0, both).round(2), posterior(np.log([0.09, 0.01]), 2.0, 1.0, both)
    (array([0.9, 0.1]), array([0.75, 0.25]))
    """
    scaled = likelihood * (min(words, evidence) / words) if words else np.zeros(len(likelihood))
    odds = np.where(known, np.exp(scaled - scaled[known].max()), 0.0)
    shares: Floats = odds / odds.sum()
    return shares


class _Counts(msgspec.Struct):
    vocabulary: bytes
    table: bytes
    known: bytes


class Layers:
    """Sorts pages into layers, layer 0 being the targets and the last one all that is far from them.

    Parameters
    ----------
    count
        Number of layers.
    features
        How many terms tell layers apart: those that tell the targets best.
    general
        How many of the most common other terms are features too.
    rest
        Whether the words that are no features count together as one more.
    smoothing
        How many words each layer borrows from the web at large; 0 to add one to every count instead.
    evidence
        How many of its words a page counts for at the most.
    """

    def __init__(self, count: int, features: int, general: int, rest: bool, smoothing: float, evidence: float) -> None:
        self._count = count
        self._features = features
        self._general = general
        self._rest = rest
        self._smoothing = smoothing
        self._evidence = evidence
        self._vocabulary: Ints = np.zeros(0, np.int64)  # sorted
        self._table: Floats = np.zeros((count, int(rest)))
        self._known = np.ones(count, np.bool_)

    def learn(self, sample: Sample, layer: Ints) -> None:
        """Learn from the kept texts, given the layer of every page."""
        texts = sample.texts()
        of_page = layer[texts.pages]
        of_term = of_page[texts.rows]
        core = of_term == 0
        ids = texts.ids[core]
        vocabulary = best_terms(ids, texts.counts[core], sample.rarity(ids), self._features)
        if self._general:
            vocabulary = np.union1d(vocabulary, common_terms(texts.ids, vocabulary, self._general))
        self._vocabulary = vocabulary
        self._table = word_table(self._tally(texts, of_page, of_term), self._smoothing)
        self._known = np.bincount(layer, minlength=self._count) > 0
        self._known[[0, -1]] = True

    def _tally(self, texts: Texts, of_page: Ints, of_term: Ints) -> Floats:
        """How often each feature stands in each layer."""
        places, found = self._places(texts.ids)
        size = len(self._vocabulary)
        flat = np.asarray(
            np.bincount(of_term[found] * size + places, texts.counts[found], self._count * size), np.float64
        )
        counts = flat.reshape(self._count, size)
        if not self._rest:
            return counts
        words = np.bincount(of_page, texts.words, self._count)
        return np.column_stack([counts, words - counts.sum(axis=1)])

    def _places(self, ids: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Where in the vocabulary those terms stand that are there, and which they are."""
        if not len(self._vocabulary):
            return np.zeros(0, np.int64), np.zeros(len(ids), np.bool_)
        places = np.minimum(np.searchsorted(self._vocabulary, ids), len(self._vocabulary) - 1)
        found = self._vocabulary[places] == ids
        return places[found], found

    def shares(self, bag: Bag) -> Floats:
        """The probability of each layer for a page; one without a word we know may belong to any."""
        places, found = self._places(bag.ids)
        counts = bag.counts[found]
        words = float(counts.sum())
        likelihood: Floats = self._table[:, places] @ counts
        if self._rest:
            every = float(bag.counts.sum())
            likelihood = likelihood + (every - words) * self._table[:, -1]
            words = every
        return posterior(likelihood, words, self._evidence, self._known)

    def save(self) -> bytes:
        """What was learnt, as bytes."""
        parts = (self._vocabulary.tobytes(), self._table.tobytes(), self._known.tobytes())
        return msgspec.msgpack.encode(_Counts(*parts))

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        saved = msgspec.msgpack.decode(state, type=_Counts)
        self._vocabulary = np.frombuffer(saved.vocabulary, np.int64)
        self._table = np.frombuffer(saved.table, np.float64).reshape(self._count, -1)
        self._known = np.frombuffer(saved.known, np.bool_)
