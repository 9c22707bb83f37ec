"""The topic as weighted terms: what the examples say more often than the background, steered by the keywords.

A page is a vector of square roots of its term counts, each times the root of the term's rarity in the background,
of unit length. The topic is the mean of the examples, terms that many of them share held dearer, less the mean of
the background (Rocchio 1971), plus the keywords. Three things keep a background gathered by a crawl from spoiling
it, since such a background holds pages on the topic: a page that looks like the examples hardly counts in it, a
small background is subtracted only in part, and evidence against is held lighter than evidence for.

The weights below are one sweep over the forty topics of the schools web, over random backgrounds, backgrounds
walked breadth-first from the examples, and backgrounds of which half is on topic. How like a lone example, and how like
pages that stand in for examples, the pages of a topic are was chosen on crawls of half of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import count

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.topic.calibrate import Floats

__all__ = ["QUIET", "Ints", "Learnt", "TermCounts", "learn"]

Ints = NDArray[np.int64]

QUIET = 10  # unknown words added to every page, so that a page of three words is not all about one of them

_SUBTRACT = 1.1  # how much of the background is taken away
_AGAINST = 0.8  # what evidence against weighs beside evidence for
_SHARED = 0.7  # how much dearer a term is that more of the examples share
_KEYWORDS = 0.5  # the keywords' length beside that of all other weights
_TRUST = 2.0  # pages of background that count as half of what can be known
_LONE_ALIKE = 0.125  # how like it a page of the topic is, where one example cannot tell
_STAND_IN = 0.7  # what the likeness of pages that stand in for examples is worth: they were chosen by it
_ALIKE, _ALIKE_SHARP = 0.5, 8.0  # how like the examples a background page must be to be left out of it
_LEAST = 0.02
_COMMON = 0.05  # the rarity of a term that every page holds
_LONGEST = 5_000  # terms of one page
_LEFT_OUT = 200  # examples left out one by one; more tell no more


def _length(vector: Floats) -> float:
    """The Euclidean length, summed without the linear algebra library: its threads cost more than they save here."""
    return float(np.sqrt(np.square(vector).sum()))


class Learnt(msgspec.Struct):
    """Terms with their rarity and weight, and what the pages they were learnt from score under them."""

    terms: list[str]
    rarity: list[float]
    weight: list[float]  # per root of a count, rarity included
    unknown: float  # the rarity of every other term
    own: Floats  # examples, each scored by the others; none for a lone example
    own_places: list[int]  # which examples those are
    others: Floats  # each page of the background, scored without itself
    off: Floats  # how surely each of those is off topic
    cold: float  # 1 with no background, towards 0 with plenty


class TermCounts:
    """Term counts of many pages as flat arrays, page by page: read once, a topic is learnt from them several times."""

    def __init__(self, pages: Sequence[Mapping[str, int]], keywords: Mapping[str, float]) -> None:
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        number = numbers.__getitem__
        terms: list[int] = []
        counts: list[int] = []
        sizes: list[int] = []
        for page in pages:
            if len(page) > _LONGEST:
                page = dict(sorted(page.items(), key=lambda item: (-item[1], item[0]))[:_LONGEST])
            terms.extend(map(number, page))
            counts.extend(page.values())
            sizes.append(len(page))
        steering = [(numbers[term], weight) for term, weight in keywords.items()]
        self.names = list(numbers)
        self.steering = np.zeros(len(self.names))
        for place, weight in steering:
            self.steering[place] = weight
        self._terms: Ints = np.array(terms, dtype=np.int64)
        self._counts: Floats = np.array(counts, dtype=np.float64)
        self._sizes: Ints = np.array(sizes, dtype=np.int64)
        self._begins: Ints = np.cumsum(self._sizes) - self._sizes

    def some(self, places: Ints) -> _Pages:
        """Some of the pages, in this order."""
        sizes = self._sizes[places]
        ends = np.cumsum(sizes)
        every = np.repeat(self._begins[places] - (ends - sizes), sizes) + np.arange(ends[-1] if len(ends) else 0)
        return _Pages(self._terms[every], self._counts[every], sizes)


class _Pages:
    """Term counts of some pages: term numbers and counts, page by page."""

    def __init__(self, terms: Ints, counts: Floats, sizes: Ints) -> None:
        self.size = len(sizes)
        self.terms = terms
        self.counts = counts
        self.page: Ints = np.repeat(np.arange(self.size), sizes)
        self.ends = np.concatenate([[0], np.cumsum(sizes)])
        self.values: Floats = self.counts

    def weigh(self, rarity: Floats, unknown: float) -> None:
        """Turn counts into unit vectors."""
        squares = self.counts * rarity[self.terms]
        lengths = np.sqrt(self.sums(squares) + QUIET * unknown)
        self.values = np.sqrt(squares) / lengths[self.page]

    def sums(self, of: Floats) -> Floats:
        """One sum per page."""
        return np.bincount(self.page, weights=of, minlength=self.size).astype(np.float64, copy=False)

    def total(self, width: int, of: Floats) -> Floats:
        """One sum per term."""
        return np.bincount(self.terms, weights=of, minlength=width).astype(np.float64, copy=False)

    def scores(self, weight: Floats) -> Floats:
        """What each page scores."""
        return self.sums(self.values * weight[self.terms])


class _Examples:
    """The mean of the examples, and of all but one of them."""

    def __init__(self, pages: _Pages, width: int) -> None:
        self._pages = pages
        self._width = width
        self._sum = pages.total(width, pages.values)
        self._held: Ints = np.bincount(pages.terms, minlength=width)

    def mean(self) -> Floats:
        return self._dearer(self._sum, self._held, self._pages.size)

    def left_out(self, finish: Callable[[Floats], Floats]) -> Floats:
        """What each example scores under the topic that the others make."""
        size = self._pages.size
        scores = []
        for page in _left_out(size):
            place = slice(self._pages.ends[page], self._pages.ends[page + 1])
            terms, values = self._pages.terms[place], self._pages.values[place]
            total, held = self._sum.copy(), self._held.copy()
            total[terms] -= values
            held[terms] -= 1
            scores.append(float(values @ finish(self._dearer(np.maximum(total, 0.0), held, size - 1))[terms]))
        return np.array(scores, dtype=np.float64)

    @staticmethod
    def _dearer(total: Floats, held: Ints, size: int) -> Floats:
        mean = total / max(size, 1)
        dear = mean * ((np.arange(size + 1) / max(size, 1)) ** _SHARED)[held]  # few powers, looked up for many terms
        length = _length(dear)
        return dear * (_length(mean) / length) if length else mean


def learn(
    texts: TermCounts, examples: Ints, background: Ints, known_off: Sequence[float] = (), *, given: bool = True
) -> Learnt:
    """Weigh the terms of a topic, by which of the texts are examples, and which are the background.

    `known_off` gives, for the last pages of the background, the weight with which they are known to be off topic;
    `given` says whether a person gave the examples, or pages met stand in for them.
    """
    own, others = texts.some(examples), texts.some(background)
    steering = texts.steering
    width = len(steering)
    held = others.total(width, np.ones(len(others.terms)))
    rarity, unknown = _rarity(held, others.size)
    own.weigh(rarity, unknown)
    others.weigh(rarity, unknown)
    found, scored = _against(own, others, steering, known_off, 1.0 if given else _STAND_IN)
    # A term met on one page of the background alone is as good as unknown; leaving it out keeps the table small.
    kept = np.flatnonzero((held > 1 + others.size / 512) | (found > 0) | (steering > 0))
    return Learnt(
        terms=[texts.names[place] for place in kept.tolist()],
        rarity=rarity[kept].tolist(),
        weight=(found * np.sqrt(rarity))[kept].tolist(),
        unknown=unknown,
        own=scored[0],
        own_places=_left_out(len(examples)),
        others=scored[1],
        off=scored[2],
        cold=_TRUST / (_TRUST + float(scored[2].sum())),
    )


def _left_out(size: int) -> list[int]:
    return list(range(0, size, max(1, -(-size // _LEFT_OUT)))) if size > 1 else []


def _rarity(held: Floats, pages: int) -> tuple[Floats, float]:
    """How rare each term is in the background, and any term never met; all alike when there is none."""
    if pages == 0:
        return np.ones(len(held)), 1.0
    rare = np.log((pages + 1) / (np.maximum(held, 1.0) + 0.5))
    return np.maximum(rare, _COMMON), max(float(np.log((pages + 1) / 1.5)), _COMMON)


def _against(
    own: _Pages, others: _Pages, steering: Floats, known_off: Sequence[float], worth: float
) -> tuple[Floats, tuple[Floats, Floats, Floats]]:
    """The weights of the topic against the background, and the scores of the pages it was made of."""
    width = len(steering)
    examples = _Examples(own, width)
    mean = examples.mean()

    def steered(topic: Floats) -> Floats:
        held = np.where(topic < 0, _AGAINST * topic, topic)
        return held + _KEYWORDS * _length(held) * steering

    def finish(topic: Floats) -> Floats:
        whole = steered(topic)
        return whole / (_length(whole) or 1.0)

    if not own.size:  # keywords alone, already of unit length in each language: nothing to hold against the background
        return steering, (np.zeros(0), others.scores(steering), np.ones(others.size))
    left_out = examples.left_out(finish)
    if not others.size:
        return finish(mean), (left_out, np.zeros(0), np.zeros(0))
    typical = float(left_out.mean()) if len(left_out) else _LONE_ALIKE
    off = _surely_off(others.scores(finish(mean)), worth * typical)
    if known_off:
        off[-len(known_off) :] = known_off
    mass = float(off.sum()) + _TRUST
    taken = others.total(width, others.values * off[others.page]) * (_SUBTRACT / mass)
    bare = mean - taken
    weight = finish(bare)
    # What a page took from the topic by being in the background is given back to its own score.
    share = np.where(bare < 0, _AGAINST, 1.0)[others.terms]
    length = _length(steered(bare)) or 1.0
    given_back = others.sums(others.values**2 * share) * off * (_SUBTRACT / mass / length)
    scores = others.scores(weight) + given_back
    return weight, (examples.left_out(lambda topic: finish(topic - taken)), scores, off)


def _surely_off(likeness: Floats, typical: float) -> Floats:
    """How surely each background page is off topic, by how like the examples it is beside its fellows."""
    low = float(np.quantile(likeness, 0.2)) if len(likeness) > 4 else float(likeness.min())
    nearness = (likeness - low) / max(typical - low, 1e-3)
    alike = 1.0 / (1.0 + np.exp(-np.clip(_ALIKE_SHARP * (nearness - _ALIKE), -30.0, 30.0)))
    return np.maximum(1.0 - alike, _LEAST)
