"""From scores to a probability that can be used as one.

A page has two scores: how like the topic its words are, and how like it its meaning is. What a score is worth depends
on the topic: so it is measured in standard deviations from what off-topic pages of this crawl score, and each of the
two counts by how far it sets the examples (each left out) apart from those pages. Where meaning does not tell a topic,
as with topics that are kinds of page, it hardly counts. Neither carries a page far beyond what the other allows, which
keeps pages out that are stuffed with words.

    place = (score - centre) / width                            of words w and of meaning m
    z     = (w + m * 2 apart_m / apart_w) / its own spread      at most apart * (the lesser of w / apart_w, m / apart_m)
                                                                  + half of apart
    odds  = steep * (z - middle) + logit(share on topic)        log-odds

The shape of the curve is shared by all topics, and was fitted to half of those of the schools web (`benchmarks/kept.py`
and `benchmarks/judge.py` show how well it holds); its place, its width and the share of on-topic pages are learnt in
the crawl, the share by expectation maximisation (Saerens et al. 2002) from a belief worth some pages.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Calibration",
    "Floats",
    "Scale",
    "by_examples",
    "by_keywords",
    "chances_of",
    "greatest_promise",
    "log_odds_of",
    "logistic",
    "odds_of",
    "scale_of_meaning",
    "scale_of_words",
]

Floats = NDArray[np.float64]
Scores = TypeVar("Scores", float, Floats)  # of one page, or of many

_STEEP = 1.5  # log-odds per standard deviation of the off-topic scores
_MIDDLE, _MIDDLE_PER_GAP, _MIDDLE_BOUNDS = 1.2, 0.24, (1.5, 6.0)  # where on and off topic are equally likely
_USUAL = 4.0  # pages' worth of trust in what off-topic pages score elsewhere
_OFF_COLD, _OFF_WARM = 0.59, 0.10  # their mean, in units of the examples' mean: with no background, with plenty
_WIDTH_COLD, _WIDTH_WARM = 0.16, 0.25
_ALIKE_COLD = 0.227  # the cosine of two pages of one topic
_ALIKE_WARM = 0.08  # the same when a background has been taken away
_ALIKE_TRUST = 0.7  # examples' worth of trust in that
_LONE_GAP = 2.0  # standard deviations that usually part on and off topic, where one example cannot tell
_MEANING_OFF, _MEANING_WIDTH = -0.05, 0.13  # what off-topic pages usually score in meaning
_MEANING_GAP = 2.0  # how far apart it usually sets on from off, and as much trust in that as in one example
_TRUSTED = 2.0  # times meaning counts by how far it sets apart: it was not made from the examples it is tried on
_LEAST_GAP = 0.5  # of words: less than that is no reason to trust meaning the more
_TELLS = 1.0  # how far meaning must set the topic apart to have a say in what the words may do
_LEEWAY = 0.5  # of the way from off to on topic: how far one of the two carries a page beyond the other
_ALIKE_PAGES, _MOST_ALIKE = 4.0, 0.9  # of the two scores: pages' worth of trust that they are half alike; at most
_KEYWORD_STEEP, _KEYWORD_MIDDLE = 45.0, 0.027  # keywords alone: log-odds per unit of cosine, and where they are even
_SHARE, _SHARE_TRUST = 1 / 6, 30.0  # one page in six near the starts is on topic: a belief worth so many pages
_SHARE_BOUNDS = (0.005, 0.7)
_KEYWORD_SHARE_BOUNDS, _KEYWORD_SHARE_TRUST = (0.1, 0.7), 6.0  # words alone prove little: the benefit of the doubt
_ROUNDS = 60
_MET = 8  # pages met, before they may move the threshold
_BOUNDS = (0.15, 0.5)  # where they may move it to
_SUREST = 12.0  # log-odds; beyond, only the order of pages would still tell


class Scale(msgspec.Struct, frozen=True):
    """Where off-topic pages lie in a score, how widely, and how many such widths apart the topic's own pages are."""

    centre: float
    width: float
    apart: float


class Calibration(msgspec.Struct, frozen=True):
    """How the scores of a page become log-odds.

    >>> steady = Calibration(Scale(0.0, 0.05, 4.0), None, 1.0, 0.0, middle=2.0, steep=1.6, share=0.5)
    >>> round(logistic(steady.log_odds(0.1)), 3), round(logistic(steady.log_odds(0.2)), 3)
    (0.5, 0.961)
    >>> vague = Calibration(Scale(0.0, 0.05, 4.0), Scale(0.0, 0.1, 0.0), 1.0, 0.0, middle=2.0, steep=1.6, share=0.5)
    >>> vague.held_back(0.0, 0.5), round(logistic(vague.log_odds(0.1, 0.5)), 3)
    ('', 0.5)
    """

    words: Scale
    meaning: Scale | None
    by_words: float  # what each of the two counts
    by_meaning: float
    middle: float
    steep: float
    share: float

    def log_odds(self, words: float, meaning: float | None = None) -> float:
        """The log-odds that a page of these scores is on topic."""
        odds = self.evidence(words, meaning, min) + log_odds_of(self.share)
        return min(max(odds, -_SUREST), _SUREST)

    def parts(self, meaning: float | None) -> tuple[float, float]:
        """How much log-odds one unit of the words' score is worth, and what the meaning brings."""
        unit = self.steep / self.words.width
        if self.meaning is None or meaning is None:
            return unit, 0.0
        place = (meaning - self.meaning.centre) / self.meaning.width
        return unit * self.by_words, self.steep * self.by_meaning * place

    def held_back(self, words: float, meaning: float | None) -> Literal["", "words", "meaning"]:
        """Which of the two keeps a page from where both together would carry it: "words", "meaning", or neither."""
        if self.meaning is None or meaning is None:
            return ""
        whole, most = self._places(words, meaning, self.meaning, min)
        if whole <= most:  # as where meaning tells nothing: then it has no way to go
            return ""
        first, second = self._ways(words, meaning, self.meaning)
        return "words" if first < second else "meaning"

    def evidence(self, words: Scores, meaning: Scores | None, least: Callable[[Scores, Scores], Scores]) -> Scores:
        """The log-odds as they would be if half of the pages were on topic: of one page, or of many at once."""
        if self.meaning is None or meaning is None:
            gap = self.words.apart if self.meaning is not None else None
            place = (words - self.words.centre) / self.words.width
            return self.steep * (place - (self.middle if gap is None else _middle(gap)))
        return self.steep * (least(*self._places(words, meaning, self.meaning, least)) - self.middle)

    def _places(
        self, words: Scores, meaning: Scores, scale: Scale, least: Callable[[Scores, Scores], Scores]
    ) -> tuple[Scores, Scores]:
        """Where a page lies by both scores together, and how far it may at most."""
        first = (words - self.words.centre) / self.words.width
        second = (meaning - scale.centre) / scale.width
        whole = self.by_words * first + self.by_meaning * second
        if scale.apart <= _TELLS:
            return whole, whole
        apart = self.by_words * self.words.apart + self.by_meaning * scale.apart
        return whole, apart * (least(*self._ways(words, meaning, scale)) + _LEEWAY)

    def _ways(self, words: Scores, meaning: Scores, scale: Scale) -> tuple[Scores, Scores]:
        """How much of the way to the topic's own pages a page has gone by its words, and by its meaning."""
        first = (words - self.words.centre) / self.words.width / max(self.words.apart, 1.0)
        return first, (meaning - scale.centre) / scale.width / scale.apart


def logistic(odds: float) -> float:
    """Log-odds as a probability."""
    return 1.0 / (1.0 + math.exp(-odds))


def log_odds_of(chance: float) -> float:
    """A probability as log-odds."""
    return math.log(chance / (1.0 - chance))


def chances_of(odds: Floats) -> Floats:
    """Many log-odds as probabilities."""
    found: Floats = 1.0 / (1.0 + np.exp(-odds))
    return found


def greatest_promise(odds: Floats, bounds: tuple[float, float] = _BOUNDS, unsure: float = 0.0) -> float:
    """The threshold that promises the greatest F1 among the pages met, within bounds.

    A topic whose pages are told apart well, but carefully, is not to lose them to a bar of one half. Where all odds may
    be too high or too low together, by `unsure`, what counts is the mean of what they promise so, and so, and as given.

    >>> odds = np.array([1.0, 0.0, -1.0, -1.5, -2.0, -2.0, -2.0, -2.0])
    >>> [round(greatest_promise(odds, unsure=unsure), 2) for unsure in (0.0, 1.5)]
    [0.5, 0.27]
    """
    if len(odds) < _MET:
        return bounds[1]
    odds = np.sort(odds)[::-1]
    promised = np.zeros(len(odds))
    for off in {-unsure, 0.0, unsure}:
        chances = chances_of(odds + off)
        promised += np.cumsum(chances) / (np.arange(1, len(odds) + 1) + chances.sum())
    return min(max(logistic(odds[int(promised.argmax())]), bounds[0]), bounds[1])


def _middle(gap: float) -> float:
    return min(max(_MIDDLE + _MIDDLE_PER_GAP * gap, _MIDDLE_BOUNDS[0]), _MIDDLE_BOUNDS[1])


def _on_topic_mean(own: Floats, examples: int, cold: float) -> float:
    """What a page on the topic scores, from the examples left out one by one.

    A topic made of all examples fits a new page somewhat better than one made of all but one; by how much follows
    from how like each other the pages of a topic are.
    """
    alike = cold * _ALIKE_COLD + (1.0 - cold) * _ALIKE_WARM
    if not len(own):
        return _fit_of(max(examples, 1), alike)
    usual = _fit_of(examples - 1, alike)
    seen = (float(own.mean()) * len(own) + usual * _ALIKE_TRUST) / (len(own) + _ALIKE_TRUST)
    return seen * _fit_of(examples, alike) / usual


def _fit_of(examples: int, alike: float) -> float:
    """The cosine of a page with the mean of some others, when any two of them have the cosine `alike`."""
    return alike * math.sqrt(examples / (1.0 + (examples - 1) * alike))


def scale_of_words(own: Floats, examples: int, others: Floats, off: Floats, cold: float, *, given: bool) -> Scale:
    """The scale of the words' score, from examples and background, both left out of what scored them.

    `off` says how surely each background page is off topic, `cold` (1 to 0) how little background there was to learn
    words from, `given` whether a person gave the examples: pages that stand in for them were chosen by their words, so
    these say too much of them.
    """
    on = _on_topic_mean(own, examples, cold)
    usual = on * (cold * _OFF_COLD + (1.0 - cold) * _OFF_WARM)
    spread = abs(on) * (cold * _WIDTH_COLD + (1.0 - cold) * _WIDTH_WARM)
    centre, width = _spread(others, off, usual, spread)
    width = max(width, 0.08 * abs(on), 1e-3)
    return Scale(centre, width, (on - centre) / width if len(own) and given else _LONE_GAP)


def scale_of_meaning(own: Floats, others: Floats, off: Floats, *, given: bool) -> Scale:
    """The scale of the meaning's score; pages that have none are nan."""
    there = ~np.isnan(others)
    centre, width = _spread(others[there], off[there], _MEANING_OFF, _MEANING_WIDTH)
    known = (own[~np.isnan(own)] - centre) / width if given else np.zeros(0)
    return Scale(centre, width, max(0.0, (float(known.sum()) + _MEANING_GAP) / (len(known) + 1)))


def _spread(scores: Floats, off: Floats, usual: float, usual_width: float) -> tuple[float, float]:
    mass = float(off.sum()) + _USUAL
    centre = (float(off @ scores) + _USUAL * usual) / mass
    return centre, math.sqrt((float(off @ (scores - centre) ** 2) + _USUAL * usual_width**2) / mass)


def by_examples(words: Scale, meaning: Scale | None, others: Floats, meant: Floats | None, off: Floats) -> Calibration:
    """The curve of a topic that has examples, from the scores of the pages met."""
    if meaning is None or meant is None:
        return _with_share(Calibration(words, None, 1.0, 0.0, _middle(words.apart), _STEEP, 0.5), others, meant)
    first, second = (others - words.centre) / words.width, (meant - meaning.centre) / meaning.width
    both = np.nan_to_num(off * first * second)
    alike = (float(both.sum()) + 0.5 * _ALIKE_PAGES) / (float(off[~np.isnan(second)].sum()) + _ALIKE_PAGES)
    alike = min(max(alike, 0.0), _MOST_ALIKE)
    share = _TRUSTED * meaning.apart / max(words.apart, _LEAST_GAP)
    length = math.sqrt(1.0 + share * share + 2.0 * alike * share)
    middle = _middle((words.apart + share * meaning.apart) / length)
    return _with_share(Calibration(words, meaning, 1.0 / length, share / length, middle, _STEEP, 0.5), others, meant)


def by_keywords(others: Floats) -> Calibration:
    """The curve where there are keywords alone: how much of the page they make up decides."""
    bare = Calibration(Scale(0.0, 1.0, 0.0), None, 1.0, 0.0, _KEYWORD_MIDDLE, _KEYWORD_STEEP, 0.5)
    return _with_share(bare, others, None, _KEYWORD_SHARE_TRUST, _KEYWORD_SHARE_BOUNDS)


def _with_share(
    bare: Calibration,
    others: Floats,
    meant: Floats | None,
    trust: float = _SHARE_TRUST,
    bounds: tuple[float, float] = _SHARE_BOUNDS,
) -> Calibration:
    evidence = odds_of(bare, others, meant)  # of a share of one half, whose log-odds are none
    share = _SHARE
    for _ in range(_ROUNDS):
        believed = chances_of(evidence + log_odds_of(share))
        found = (float(believed.sum()) + _SHARE * trust) / (len(others) + trust)
        share = min(max(found, bounds[0]), bounds[1])
    return msgspec.structs.replace(bare, share=share)


def odds_of(curve: Calibration, words: Floats, meant: Floats | None) -> Floats:
    """The log-odds of many pages, as `log_odds` has them of one; a meaning that is nan is none.

    >>> curve = Calibration(Scale(0.0, 0.1, 4.0), Scale(0.0, 0.2, 3.0), 0.6, 0.7, middle=2.0, steep=1.5, share=0.2)
    >>> words, meant = [0.1, 0.5, 0.5], [0.3, 0.0, math.nan]
    >>> one_by_one = [curve.log_odds(0.1, 0.3), curve.log_odds(0.5, 0.0), curve.log_odds(0.5)]
    >>> odds_of(curve, np.array(words), np.array(meant)).tolist() == one_by_one
    True
    """
    odds = curve.evidence(words, None, np.minimum)
    if meant is not None:
        odds = np.where(np.isnan(meant), odds, curve.evidence(words, meant, np.minimum))
    found: Floats = np.minimum(np.maximum(odds + log_odds_of(curve.share), -_SUREST), _SUREST)
    return found
