"""From a score to a probability that can be used as one.

A page's score is its likeness to the topic. What a score is worth depends on the topic: so it is measured in standard
deviations from what off-topic pages of this crawl score, and held against what each example scores when it is left
out. The shape of the curve between the two is shared by all topics, and was fitted to the forty of the schools web
(`benchmarks/judge.py` shows how well it holds); only its place, its width and the share of on-topic pages are
learnt in the crawl, the share by expectation maximisation (Saerens et al. 2002) within bounds.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = ["USUALLY_ALIKE", "Calibration", "Floats", "by_examples", "by_keywords", "logistic"]

Floats = NDArray[np.float64]

_STEEP = 1.5  # log-odds per standard deviation of the off-topic scores
_MIDDLE, _MIDDLE_PER_GAP, _MIDDLE_BOUNDS = 1.2, 0.24, (1.5, 6.0)  # where on and off topic are equally likely
_USUAL = 4.0  # pages' worth of trust in what off-topic pages score elsewhere
_OFF_COLD, _OFF_WARM = 0.59, 0.10  # their mean, in units of the examples' mean: with no background, with plenty
_WIDTH_COLD, _WIDTH_WARM = 0.16, 0.25
USUALLY_ALIKE = 0.227  # the cosine of two pages of one topic
_ALIKE_WARM = 0.08  # the same when a background has been taken away
_ALIKE_TRUST = 0.7  # examples' worth of trust in that
_LONE_GAP = 3.0  # standard deviations that usually part on and off topic, where one example cannot tell
_KEYWORD_STEEP, _KEYWORD_MIDDLE = 45.0, 0.027  # keywords alone: log-odds per unit of cosine, and where they are even
_SHARE_ON, _SHARE_OFF = 1.0, 5.0  # pages' worth of belief that one page in six near the starts is on topic
_SHARE_BOUNDS = (0.005, 0.7)
_KEYWORD_SHARE_BOUNDS = (0.1, 0.7)  # words alone prove little: a page full of them is given the benefit of the doubt
_ROUNDS = 60
_SUREST = 12.0  # log-odds; beyond, only the order of pages would still tell


class Calibration(msgspec.Struct, frozen=True):
    """How a score becomes log-odds: where off-topic pages lie, how widely, and how many pages are on topic.

    >>> steady = Calibration(centre=0.0, width=0.05, middle=2.0, steep=1.6, share=0.5)
    >>> round(logistic(steady.log_odds(0.1)), 3), round(logistic(steady.log_odds(0.2)), 3)
    (0.5, 0.961)
    """

    centre: float
    width: float
    middle: float
    steep: float
    share: float

    def log_odds(self, score: float) -> float:
        """The log-odds that a page of this score is on topic."""
        odds = self.steep * ((score - self.centre) / self.width - self.middle) + _logit(self.share)
        return min(max(odds, -_SUREST), _SUREST)

    @property
    def per_score(self) -> float:
        """How much log-odds one unit of score is worth."""
        return self.steep / self.width


def logistic(odds: float) -> float:
    """Log-odds as a probability."""
    return 1.0 / (1.0 + math.exp(-odds))


def _logit(share: float) -> float:
    return math.log(share / (1.0 - share))


def _on_topic_mean(own: Floats, examples: int, cold: float) -> float:
    """What a page on the topic scores, from the examples left out one by one.

    A topic made of all examples fits a new page somewhat better than one made of all but one; by how much follows
    from how like each other the pages of a topic are.
    """
    alike = cold * USUALLY_ALIKE + (1.0 - cold) * _ALIKE_WARM
    if not len(own):
        return _fit_of(max(examples, 1), alike)
    usual = _fit_of(examples - 1, alike)
    seen = (float(own.mean()) * len(own) + usual * _ALIKE_TRUST) / (len(own) + _ALIKE_TRUST)
    return seen * _fit_of(examples, alike) / usual


def _fit_of(examples: int, alike: float) -> float:
    """The cosine of a page with the mean of some others, when any two of them have the cosine `alike`."""
    return alike * math.sqrt(examples / (1.0 + (examples - 1) * alike))


def by_examples(own: Floats, examples: int, others: Floats, off: Floats, cold: float) -> Calibration:
    """A calibration from the scores of examples and background, both left out of what scored them.

    `off` says how surely each background page is off topic, `cold` (1 to 0) how little background there was to
    learn words from.
    """
    on = _on_topic_mean(own, examples, cold)
    mass = float(off.sum())
    usual = on * (cold * _OFF_COLD + (1.0 - cold) * _OFF_WARM)
    centre = (float(off @ others) + _USUAL * usual) / (mass + _USUAL)
    spread = abs(on) * (cold * _WIDTH_COLD + (1.0 - cold) * _WIDTH_WARM)
    variance = (float(off @ (others - centre) ** 2) + _USUAL * spread**2) / (mass + _USUAL)
    width = max(math.sqrt(variance), 0.08 * abs(on), 1e-3)
    gap = (on - centre) / width if len(own) else _LONE_GAP
    middle = min(max(_MIDDLE + _MIDDLE_PER_GAP * gap, _MIDDLE_BOUNDS[0]), _MIDDLE_BOUNDS[1])
    return _with_share(Calibration(centre, width, middle, _STEEP, 0.5), others, _SHARE_BOUNDS)


def by_keywords(others: Floats) -> Calibration:
    """A calibration where there are keywords alone: how much of the page they make up decides."""
    return _with_share(Calibration(0.0, 1.0, _KEYWORD_MIDDLE, _KEYWORD_STEEP, 0.5), others, _KEYWORD_SHARE_BOUNDS)


def _with_share(bare: Calibration, others: Floats, bounds: tuple[float, float]) -> Calibration:
    evidence = np.clip(bare.steep * ((others - bare.centre) / bare.width - bare.middle), -30.0, 30.0)
    share = _SHARE_ON / (_SHARE_ON + _SHARE_OFF)
    for _ in range(_ROUNDS):
        believed = 1.0 / (1.0 + np.exp(-(evidence + _logit(share))))
        found = (float(believed.sum()) + _SHARE_ON) / (len(others) + _SHARE_ON + _SHARE_OFF)
        share = min(max(found, bounds[0]), bounds[1])
    return msgspec.structs.replace(bare, share=share)
