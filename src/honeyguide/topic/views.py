"""A view of a topic: what is learnt of it in one way, and what it makes of a page.

A topic is known by its examples; or by these and by pages met that stand in for others (`stand_ins.py`). Examples
alone say too much of what they happen to share, pages chosen by a machine may be wrong all together; so a judge has
both views where it can, and goes by the mean of their log-odds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.text.lookup import numbers_of
from honeyguide.text.vectors import SIZE
from honeyguide.topic.calibrate import (
    Calibration,
    Floats,
    by_examples,
    by_keywords,
    greatest_promise,
    log_odds_of,
    odds_of,
    scale_of_meaning,
    scale_of_words,
)
from honeyguide.topic.known import Known
from honeyguide.topic.labels import WRONG_COUNTS
from honeyguide.topic.meaning import Meaning, learn_meaning
from honeyguide.topic.neighbours import PagesAround, learn_neighbours
from honeyguide.topic.shown import Shown
from honeyguide.topic.vector import QUIET, Learnt, learn

__all__ = ["ENCODED_PART", "WORDS_PART", "Fit", "Told", "View", "WordTables", "learn_view"]

WORDS_PART, ENCODED_PART = slice(SIZE), slice(SIZE, None)  # of a page's meaning

_SATURATED = 0.05  # of a page's words: said more often than that, a word says no more
_STANDS_OUT = 2.25  # standard deviations by which stand-ins chosen for being alike differ from the rest


class Told(NamedTuple):
    """What a view says of a page, in log-odds, as far as it has a share in what the judge says."""

    odds: float
    by_words: Floats  # what each of its terms had in that
    by_meaning: float
    around: float  # what the pages it is most like had
    meaning: float | None  # how like the topic its meaning is, if it has one


class View(msgspec.Struct, dict=True):
    """What was learnt of a topic in one way."""

    terms: list[str]
    rarity: list[float]
    weight: list[float]
    unknown: float
    mean: bytes  # of the pages' meanings, and the topic's direction from there; empty where meaning tells nothing
    query: bytes
    curve: Calibration
    apart: float  # standard deviations between examples and background
    near: PagesAround | None = None
    share: float = 1.0  # of what the judge says
    encoded: bool = False  # whether it goes by what a sentence encoder makes of pages

    def tell(self, page: Shown, score: float, parts: Floats) -> Told:
        """What it makes of a page whose words score so much."""
        said = page.meaning[ENCODED_PART if self.encoded else WORDS_PART]
        meaning = self._meaning.score(said) if self._meaning is not None else None
        around = self.near.odds(said) if self.near is not None else 0.0
        unit, meant = self.curve.parts(meaning)
        odds, share = self.curve.log_odds(score, meaning) + around, self.share
        return Told(share * odds, parts * (share * unit), share * meant, share * around, meaning)

    @cached_property
    def _meaning(self) -> Meaning | None:
        if not self.query:
            return None
        mean, query = (np.frombuffer(one, np.float32) for one in (self.mean, self.query))
        return Meaning(mean, query, np.zeros(0), np.zeros(0))


class WordTables:
    """The words of all views of a topic: those of a page are looked up once, however many views it has."""

    def __init__(self, views: Sequence[View]) -> None:
        every = dict.fromkeys(term for view in views for term in view.terms)
        self._places = dict(zip(every, range(1, len(every) + 1), strict=True))  # what is unknown stands in front
        self._tables: list[tuple[float, Floats, Floats]] = []
        for view in views:
            own = numbers_of(view.terms, self._places)
            rarity, weight = np.full(len(every) + 1, view.unknown), np.zeros(len(every) + 1)
            rarity[own], weight[own] = view.rarity, view.weight
            self._tables.append((QUIET * view.unknown, rarity, weight))

    def find(self, terms: Mapping[str, int], counts: Floats, size: float) -> tuple[NDArray[np.int64], Floats, Floats]:
        """The words of a page, of which there are so many each and so many in all, ready to be scored.

        A word counts up to a twentieth of its page: few honest pages say one more often, and stuffing is nothing else.
        """
        heard = np.sqrt(np.minimum(counts, max(5.0, _SATURATED * size)))
        return numbers_of(terms, self._places), counts, heard

    def score(self, view: int, places: NDArray[np.int64], counts: Floats, heard: Floats) -> tuple[float, Floats]:
        """What a page's words score in a view, and what each of them had in it."""
        quiet, rarity, weight = self._tables[view]
        parts = heard * weight[places]
        parts *= 1.0 / math.sqrt(float(counts @ rarity[places]) + quiet)
        return float(parts.sum()), parts


class Fit(NamedTuple):
    """A view, and what it says of the pages it was learnt from, none of which it was shown as that."""

    view: View
    words: Floats  # the scores of the words of the pages met
    odds: Floats  # and their log-odds
    own: Floats  # the scores of the words of the examples, and of what stands in for them
    own_odds: Floats  # the log-odds of each of these by the others; nan where that was not tried
    labelled: Floats  # and of labelled pages, the right ones first, each without its label; nan likewise


def learn_view(known: Known, stand_ins: Sequence[int] = ()) -> Fit | None:
    """Learn a topic, with some of the pages met as examples; nothing where these are hardly other than the rest."""
    chosen = np.array(stand_ins, np.int64)
    rest = np.setdiff1d(np.arange(len(known.met)), chosen)
    also, unknown = ([known.met[place] for place in places.tolist()] for places in (chosen, rest))
    own, others, many = [*also, *known.own], [*unknown, *known.wrongs], len(unknown)
    given, met = bool(known.own) and not also, known.places_of_met
    learnt = learn(
        known.texts,
        np.concatenate([met[chosen], known.places_of_own]),
        np.concatenate([met[rest], known.places_of_wrongs]),
        [WRONG_COUNTS] * len(known.wrongs),
        given=given,
    )
    if also and not _stand_out(learnt, many, given=bool(known.own)):
        return None
    meaning = None
    if own:
        meanings = [page.meaning for page in own], [page.meaning for page in others]
        unread = sum(page.glanced for page in own)
        meaning = learn_meaning(*meanings, np.minimum(learnt.off, 1.0), len(known.wrongs), known.meant, unread)
        curve = _curve(learnt, meaning, len(own), many, given=given)
    else:
        curve = by_keywords(learnt.others[:many])
    by_meaning = meaning.others if meaning is not None else np.full(len(others), np.nan)
    left_out = meaning.own[learnt.own_places] if meaning is not None else np.full(len(learnt.own), np.nan)
    words, odds = np.empty(len(known.met)), np.empty(len(known.met))
    words[rest], odds[rest] = learnt.others[:many], odds_of(curve, learnt.others[:many], by_meaning[:many])
    words[chosen] = learnt.own[: len(also)]
    own_odds = np.full(len(own), np.nan)
    own_odds[learnt.own_places] = by_others = odds_of(curve, learnt.own, left_out)
    odds[chosen] = by_others[: len(also)]
    wrong_odds = odds_of(curve, learnt.others[many:], by_meaning[many:])
    labelled = np.concatenate([own_odds[len(own) - known.rights :], wrong_odds])
    near = _neighbours(known, odds) if given and len(own) > 1 else None
    if near is not None:
        odds = odds + near.odds_of([page.meaning for page in known.met])
        labelled = labelled + near.odds_of([page.meaning for page in known.labelled])
    return Fit(_view(learnt, meaning, curve, near), words, odds, learnt.own, own_odds, labelled)


def _stand_out(learnt: Learnt, met: int, *, given: bool) -> bool:
    """Whether pages that stand in for examples are others than the rest: on a web that is all topic, none are.

    Those beside no example were chosen for being like each other, too, and stand out the more for it.
    """
    others = learnt.others[:met]
    least = (1.0 if given else _STANDS_OUT) * others.std() if len(others) else 0.0
    return bool(len(learnt.own) and len(others) and learnt.own.mean() - others.mean() > least)


def _curve(learnt: Learnt, meaning: Meaning | None, examples: int, met: int, *, given: bool) -> Calibration:
    """The curve that follows from examples and the pages met, of which the first so many are not labelled."""
    others, off = learnt.others[:met], learnt.off[:met]
    words = scale_of_words(learnt.own, examples, others, off, learnt.cold, given=given)
    if meaning is None:
        return by_examples(words, None, others, None, off)
    meant = meaning.others[:met]
    return by_examples(words, scale_of_meaning(meaning.own, meant, off, given=given), others, meant, off)


def _neighbours(known: Known, odds: Floats) -> PagesAround | None:
    """The pages met as neighbours of others.

    Not where pages stand in for examples: others like them would only bear out what may be a wrong guess.
    """
    met = [page.meaning for page in known.met]
    rights = [True] * len(known.own) + [False] * len(known.wrongs)
    bar = log_odds_of(greatest_promise(odds))
    return learn_neighbours(met, odds, bar, [page.meaning for page in (*known.own, *known.wrongs)], rights)


def _view(learnt: Learnt, meaning: Meaning | None, curve: Calibration, near: PagesAround | None) -> View:
    return View(
        terms=learnt.terms,
        rarity=learnt.rarity,
        weight=learnt.weight,
        unknown=learnt.unknown,
        mean=meaning.mean.tobytes() if meaning is not None else b"",
        query=meaning.query.tobytes() if meaning is not None else b"",
        curve=curve,
        apart=(float(learnt.own.mean()) - curve.words.centre) / curve.words.width if len(learnt.own) else 0.0,
        near=near,
    )
