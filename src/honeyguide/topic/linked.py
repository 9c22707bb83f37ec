"""Where pages are filed: a page that links to what the examples link to, and hardly any other page does.

Sites file their pages: under a category, a tag, a chapter, a desk. Each page of such a set bears a link to where it is
filed, and what a judge is shown of a page else says nothing of it. No address is read and no folder guessed: any link
is taken that several examples share and few of the pages met that are off topic have.

    k_u  = examples that link to u, of k                 at least 2
    q_u  = (pages off topic that link to u + .5) / (pages off topic + 1), each page as surely as it is off topic
    w_u  = (k_u - 1) / k * log( k_u / (k + .5) / q_u )   where that is above zero
    S    = the greatest w_u of a page's links
    odds = those of S between what pages off topic score and what examples score, each by the others; -3 to 3

One page says nothing of what it shares, and two nothing of how much examples usually do: three are needed, and enough
pages met to say what is usual.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np

from honeyguide.topic.calibrate import Floats
from honeyguide.topic.shown import Shown

__all__ = ["A_LINK", "SharedLinks", "learn_shared_links"]

A_LINK = "(a link"  # how what decided begins, where it is that
NO_LINK = f"{A_LINK} the examples have: none)"
_LEAST = 3  # examples that have links
# Pages met that have links. Beside fewer, what hardly any page has is still much, and crawls were led astray by it: in
# the race `immediate` found .477 of what an oracle does, for .490.
_MET = 128
_SUREST = 3.0  # log-odds
_TRUST = 2.0  # examples, beside which the pages off topic say half of what examples score
_NO_WIDTH = 1e-4


class SharedLinks(msgspec.Struct):
    """The links that tell a topic, and what they tell."""

    weights: dict[int, float]
    names: dict[int, str]
    slope: float  # log-odds for a unit of the score
    middle: float  # the score that tells nothing
    own: list[float]  # what the others' links add to the log-odds of each example

    def tell(self, page: Shown) -> tuple[float, str]:
        """What the links of a page add to its log-odds, and which of them did; nothing where it has no links."""
        if not page.links:
            return 0.0, NO_LINK
        weights = self.weights
        found = weights.keys() & _numbers(page)
        if not found:
            return self.odds(0.0), NO_LINK
        best = max(found, key=lambda number: (weights[number], self.names.get(number, "")))
        name = self.names.get(best, "")
        return self.odds(weights[best]), f"{A_LINK} the examples have{name and ': '}{name})"

    def odds_of(self, pages: Sequence[Shown]) -> Floats:
        """The same of many pages, without the names."""
        weights = self.weights
        found = (weights.keys() & _numbers(page) for page in pages)
        scores = (max(map(weights.__getitem__, shared), default=0.0) for shared in found)
        odds = (self.odds(score) if page.links else 0.0 for page, score in zip(pages, scores, strict=True))
        return np.fromiter(odds, np.float64, len(pages))

    def odds(self, score: float) -> float:
        """What a score adds."""
        return min(max(self.slope * (score - self.middle), -_SUREST), _SUREST)


def learn_shared_links(own: Sequence[Shown], others: Sequence[Shown], off: Floats) -> SharedLinks | None:
    """What the links of examples tell, beside other pages, each as surely off topic as `off` has it.

    None where too few examples or other pages have links, or where they share no more than other pages have of it.
    """
    linked = [set(_numbers(page)) for page in own if page.links]
    size = len(linked)
    if size < _LEAST or sum(bool(page.links) for page in others) < _MET:
        return None
    counts = Counter(number for links in linked for number in links)
    shared = {number: count for number, count in counts.items() if count > 1}
    off = np.where([bool(page.links) for page in others], off, 0.0)
    having = [shared.keys() & _numbers(page) for page in others]
    usual = dict.fromkeys(shared, 0.0)
    for links, weight in zip(having, off.tolist(), strict=True):
        for number in links:
            usual[number] += weight
    total = float(off.sum())
    rates = {number: (seen + 0.5) / (total + 1.0) for number, seen in usual.items()}
    weights = {number: found for number, count in shared.items() if (found := _worth(count, size, rates[number])) > 0.0}
    scores = np.array([max((weights.get(number, 0.0) for number in links), default=0.0) for links in having])
    worth = (
        (_worth(shared[number] - 1, size - 1, rates[number]) for number in links & shared.keys()) for links in linked
    )
    left_out = np.array([max(0.0, max(found, default=0.0)) for found in worth])
    centre, width = _spread(scores, off)
    parts = _parted(left_out, centre, width)
    if not weights or parts is None:
        return None
    named = {number: name for page in own for number, name in zip(_numbers(page), page.addresses, strict=False)}
    learnt = SharedLinks(weights, {number: named[number] for number in weights if number in named}, *parts, [])
    by_others = iter(left_out.tolist())
    learnt.own = [learnt.odds(next(by_others)) if page.links else 0.0 for page in own]
    return learnt


def _worth(count: int, size: int, rate: float) -> float:
    """What a link says that so many of the examples have, and that share of the pages off topic.

    >>> round(_worth(4, 5, 0.01), 2), _worth(1, 5, 0.01)
    (2.57, 0.0)
    """
    return (count - 1) / size * math.log(count / (size + 0.5) / rate) if count > 1 else 0.0


def _spread(scores: Floats, weights: Floats) -> tuple[float, float]:
    """The mean and the variance of scores that count so much each."""
    total = float(weights.sum()) + 1e-9
    mean = float(weights @ scores) / total
    return mean, float(weights @ (scores - mean) ** 2) / total


def _parted(own: Floats, centre: float, width: float) -> tuple[float, float] | None:
    """The slope and the middle of the log-odds between pages off topic and the examples, which are few.

    >>> [round(one, 2) for one in _parted(np.array([2.0, 2.0, 2.0]), 0.0, 0.25)]
    [1.83, 0.6]
    """
    size = len(own) + _TRUST
    mean = (float(own.sum()) + _TRUST * centre) / size
    if mean <= centre:
        return None
    around = float(((own - mean) ** 2).sum()) + _TRUST * ((mean - centre) ** 2 + width)
    return (mean - centre) / (0.5 * (width + around / size) + _NO_WIDTH), 0.5 * (mean + centre)


def _numbers(page: Shown) -> memoryview:
    return memoryview(page.links).cast("q")
