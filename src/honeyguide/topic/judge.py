"""The one judge of a crawl: is this page on the topic, how probably, and what decided it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.page.articles import ARTICLE
from honeyguide.text.about import direction
from honeyguide.text.terms import terms as terms_of
from honeyguide.text.terms import words as words_of
from honeyguide.topic.calibrate import (
    Calibration,
    Floats,
    by_examples,
    by_keywords,
    chances_of,
    greatest_promise,
    log_odds_of,
    logistic,
    odds_of,
    scale_of_meaning,
    scale_of_words,
)
from honeyguide.topic.keyword_terms import keyword_terms
from honeyguide.topic.labels import WRONG_COUNTS, fitted
from honeyguide.topic.meaning import Meaning, learn_meaning
from honeyguide.topic.neighbours import NEIGHBOURS, PagesAround, learn_neighbours
from honeyguide.topic.shown import Shown, Verdict
from honeyguide.topic.stand_ins import stand_ins
from honeyguide.topic.stuffed import stuffed
from honeyguide.topic.topic import Topic
from honeyguide.topic.vector import QUIET, Learnt, learn
from honeyguide.wording import counted

__all__ = ["MEANING", "Judge"]

MEANING = "(title and text, by their meaning)"  # named among the words that decided
_FEW = 1  # examples that are helped out by pages met
_MOST = 2_048  # background pages learnt from; more change nothing and cost time
_SHOWN = 10  # words shown of those that decided
_AGAINST = 3  # words against a page that are shown at any rate
_TELLING = 0.01  # log-odds; a word that has less to say decided nothing
_UNKNOWN = repeat(0)  # where the weight of every unknown term stands
_ARTICLE = 80  # terms that make a text an article where the page does not say that it is one
_STUB = 25  # terms below which nothing is an article, whatever it says
_UNMARKED = 1.0  # log-odds against a page of a news topic that bears neither date nor mark
_FAR_APART = 3.0  # standard deviations between examples and background, below which they hardly part
_SATURATED = 0.05  # of a page's words: said more often than that, a word says no more
_WORTH_NAMING = 0.02
_STANDS_OUT = 2.25  # standard deviations by which stand-ins chosen for being alike differ from the rest
_HELD_BACK = {
    "": "",
    "meaning": "held back: its words speak for the topic, but not what its title and text are about",
    "words": "held back: it is about something near the topic, but says few of the topic's words",
}
_GLANCED = "its words alone decided: they are farther from the topic than those of any page met that came near it"
_NEAR = 0.5  # of the threshold: a page of at least that chance came near the topic
_ENOUGH_NEAR = 20  # such pages met, before the one whose words are farthest off tells where hope ends
_AMISS = 0.1  # what is left of the probability of a page of the wrong kind or language


class _State(msgspec.Struct):
    terms: list[str]
    rarity: list[float]
    weight: list[float]
    unknown: float
    mean: bytes  # of the pages' meanings, and the topic's direction from there; empty where meaning tells nothing
    query: bytes
    curve: Calibration
    threshold: float
    pinned: bool
    examples: int
    background: int
    apart: float
    lowest: float = -math.inf  # the least score of words with which a page met came near the topic
    near: PagesAround | None = None


class _Known(NamedTuple):
    """All there is to learn from."""

    also: list[Shown]  # pages met that stand in for examples
    own: list[Shown]  # examples, those that people labelled right last
    unknown: list[Shown]  # pages met
    wrongs: list[Shown]
    rights: int


class Judge:
    """Judges pages by their terms and their meaning, from what a topic says and what its examples hold.

    >>> topic = Topic.from_flags(keywords=["honey", "bees"], starts=["http://a.test/"])
    >>> judge = Judge(topic)
    >>> verdict = judge(Shown({"bee": 9, "honey": 4, "hive": 3, "summer": 2, "valley": 1}))
    >>> verdict.on_topic, verdict.words[0][0]
    (True, 'bees')
    """

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self._threshold, self._pinned = 0.5, False
        self._keywords, self._surface = keyword_terms(topic)
        self.learn((), ())

    @property
    def threshold(self) -> float:
        """The probability from which on a page is on topic; once set by hand, it is not moved."""
        return self._threshold

    @threshold.setter
    def threshold(self, value: float) -> None:
        if not 0.0 < value < 1.0:
            raise ValueError(f"a threshold lies between 0 and 1, not at {value!r}")
        self._threshold, self._pinned = value, True
        self._state.lowest = -math.inf  # what came near the old one tells nothing of this one

    def learn(
        self, examples: Sequence[Shown], background: Sequence[Shown], labelled: Sequence[tuple[Shown, bool]] = ()
    ) -> None:
        """Learn the topic anew from examples, pages fetched so far, and pages people have labelled.

        The background may hold pages on the topic; they are never taken for examples where there are several, which
        would let the topic drift, only kept from speaking against it. Beside one example or none, those of the pages
        met that fit it and the keywords best stand in for others, chosen anew each time.
        """
        rights = [page for page, right in labelled if right and page.terms]
        wrongs = [page for page, right in labelled if not right and page.terms]
        own = [*(page for page in examples if page.terms), *rights]
        unknown = _others(background, (*own, *wrongs))
        also: list[Shown] = []
        if len(own) <= _FEW:
            also, unknown = stand_ins(unknown, self._keywords, self._meant(), own)
        self._fit(_Known(also, own, unknown, wrongs, len(rights)))

    def _fit(self, known: _Known) -> None:
        own, unknown, wrongs, rights = [*known.also, *known.own], known.unknown, known.wrongs, known.rights
        given = bool(known.own) and not known.also
        others, many = [*unknown, *wrongs], len(unknown)
        known_off = [WRONG_COUNTS] * len(wrongs)
        learnt = learn(
            [page.terms for page in own], [page.terms for page in others], known_off, self._keywords, given=given
        )
        if known.also and not _stand_out(learnt, many, given=bool(known.own)):
            self._fit(known._replace(also=[], unknown=[*known.also, *unknown]))
            return
        meaning = None
        if own:
            meanings = [page.meaning for page in own], [page.meaning for page in others]
            unread = sum(page.glanced for page in own)
            meaning = learn_meaning(*meanings, np.minimum(learnt.off, 1.0), len(wrongs), self._meant(), unread)
            curve = _curve(learnt, meaning, len(own), many, given=given)
        else:
            curve = by_keywords(learnt.others[:many])
        left_out = learnt.own, meaning.own[learnt.own_places] if meaning is not None else None
        meant = meaning.others if meaning is not None else None
        if known.own or wrongs:
            told = rights if len(learnt.own) >= rights else 0
            right = odds_of(curve, *left_out)[len(learnt.own) - told :]
            wrong = odds_of(curve, learnt.others[many:], meant[many:] if meant is not None else None)
            curve = _labelled(curve, right, wrong)
        odds = odds_of(curve, learnt.others[:many], meant[:many] if meant is not None else None)
        near = None
        if given and len(own) > _FEW:
            near, odds = _among(known, odds)
        elif known.also:  # pages that stand in for examples were met, too
            odds = np.concatenate([odds, odds_of(curve, *left_out)])
        if not self._pinned:
            self._threshold = greatest_promise(odds)
        state = _state(learnt, meaning, curve, self._threshold, self._pinned, len(known.own), many)
        came_near = chances_of(odds[:many]) >= _NEAR * self._threshold
        lowest = _lowest(learnt.others[:many], came_near, learnt.own)
        self._take(msgspec.structs.replace(state, near=near, lowest=lowest))

    def _meant(self) -> NDArray[np.float32]:
        """The direction of the keywords."""
        return direction(" ".join(self.topic.keywords))

    def _take(self, state: _State) -> None:
        self._state = state
        self._curve = state.curve
        self._meaning = None
        if state.query:
            mean, query = (np.frombuffer(one, np.float32) for one in (state.mean, state.query))
            self._meaning = Meaning(mean, query, np.zeros(0), np.zeros(0))
        self._threshold, self._pinned = state.threshold, state.pinned
        self._places = dict(zip(state.terms, range(1, len(state.terms) + 1), strict=True))
        self._rarity: Floats = np.array([state.unknown, *state.rarity])
        self._weight: Floats = np.array([0.0, *state.weight])

    def __call__(self, page: Shown) -> Verdict:
        """Judge a page."""
        terms = page.terms
        if not terms:
            return Verdict(0.0, False, [], "no words to judge by")
        score, parts, counts = self._score(terms)
        if page.read is not None and not self._hopeless(score):
            return self(page.read())
        meaning = self._meaning.score(page.meaning) if self._meaning is not None else None
        size = int(counts.sum())
        note, burden, amiss = self.fits(size, page)
        if repeats := stuffed(size, len(terms), float(counts @ counts)):
            note, amiss = repeats, True
        around = self._state.near.odds(page.meaning) if self._state.near is not None else 0.0
        probability = logistic(self._curve.log_odds(score, meaning) + around - burden)
        if page.glanced and self._hopeless(score):
            probability = min(probability, _NEAR * self._threshold)
        if amiss:
            probability = min(_AMISS * probability, 0.5 * self._threshold)
        on_topic = probability >= self._threshold
        if not note and not on_topic:
            note = _GLANCED if page.glanced else _HELD_BACK[self._curve.held_back(score, meaning)]
        return Verdict(probability, on_topic, self._shown(page, probability, parts, (meaning, around)), note)

    def _hopeless(self, score: float) -> bool:
        """Whether no page met whose words score so little came near the topic: then it need not be read."""
        return score < self._state.lowest

    def _score(self, terms: Mapping[str, int]) -> tuple[float, Floats, NDArray[np.int64]]:
        """A page's score, what each of its terms had in it, and their counts; the fastest way from a dict to a sum.

        A word counts up to a twentieth of its page: few honest pages say one more often, and stuffing is nothing else.
        """
        size = len(terms)
        counts = np.fromiter(terms.values(), np.int64, size)
        places = np.fromiter(map(self._places.get, terms, _UNKNOWN), np.int64, size)
        length = math.sqrt(float(counts @ self._rarity[places]) + QUIET * self._rarity[0])
        parts = np.sqrt(np.minimum(counts, max(5.0, _SATURATED * float(counts.sum())))) * self._weight[places]
        parts *= 1.0 / length
        return float(parts.sum()), parts, counts

    def fits(self, size: int, page: Shown) -> tuple[str, float, bool]:
        """Whether a page is of the kind and language asked for: a note, log-odds against it, and whether it is not."""
        topic = self.topic
        if page.language and topic.languages and page.language[:2].lower() not in topic.languages:
            return f"language {page.language}; the topic asks for {', '.join(topic.languages)}", 0.0, True
        if topic.kind == "any":
            return "", 0.0, False
        marked = page.article or bool(page.published)
        if size < (_STUB if marked else _ARTICLE):
            return f"too short for an article: {counted(size, 'term')}", 0.0, True
        if topic.kind == "article" and 0 <= page.article_score < ARTICLE:
            return f"not built as an article is: {page.article_why}", 0.0, True
        if topic.kind == "news" and not marked:
            return "bears neither a date nor the mark of an article", _UNMARKED, False
        return "", 0.0, False

    def _shown(
        self, page: Shown, probability: float, parts: Floats, besides: tuple[float | None, float]
    ) -> list[tuple[str, float]]:
        """What decided, strongest first; of a page worth it, words against it too, however weak they are."""
        # Only a page that may be on topic is worth finding out how its title spells the words.
        title = page.title if probability >= _WORTH_NAMING else ""
        places: Iterable[int] = range(len(parts))
        if len(parts) > _SHOWN:
            places = np.argpartition(np.abs(parts), -_SHOWN)[-_SHOWN:].tolist()
            if title:
                places = {*places, *np.argpartition(parts, _AGAINST)[:_AGAINST].tolist()}
        every = list(page.terms)
        meaning, around = besides
        unit, meant = self._curve.parts(meaning)
        told = [(every[place], float(parts[place]) * unit) for place in places]
        told += [(MEANING, meant), (NEIGHBOURS, around)]
        told.sort(key=_strongest)
        named = self._surface
        if title:
            named = {**_named(title[:300], self.topic.languages), **named}
        return [(named.get(term, term), part) for term, part in told if part > _TELLING or part < -_TELLING]

    @property
    def advice(self) -> str:
        """One sentence for the user where the topic is too thin to be judged well; empty when all is fine."""
        state = self._state
        if not state.examples and not self._keywords:
            return "No keyword carries meaning and no example page could be read: nothing can be found on topic."
        if not state.examples:
            return "Pages are judged by keywords alone; an example page or two would sharpen the topic a lot."
        if state.examples == 1:
            return "One example page says little about a topic; two or three more, or some labels, would sharpen it."
        if state.background >= 8 and state.apart < _FAR_APART:
            return "The example pages have little in common that other pages lack; label some results to sharpen it."
        return ""

    def save(self) -> bytes:
        """Everything learnt, as bytes."""
        state = msgspec.structs.replace(self._state, threshold=self._threshold, pinned=self._pinned)
        return msgspec.msgpack.encode(state)

    @classmethod
    def load(cls, topic: Topic, blob: bytes) -> Judge:
        """The judge that `save` was asked of."""
        judge = cls.__new__(cls)
        judge.topic = topic
        judge._keywords, judge._surface = keyword_terms(topic)
        judge._take(msgspec.msgpack.decode(blob, type=_State))
        return judge


def _stand_out(learnt: Learnt, met: int, *, given: bool) -> bool:
    """Whether pages that stand in for examples are others than the rest: on a web that is all topic, none are.

    Those beside no example were chosen for being like each other, too, and stand out the more for it.
    """
    others = learnt.others[:met]
    least = (1.0 if given else _STANDS_OUT) * others.std() if len(others) else 0.0
    return bool(len(learnt.own) and len(others) and learnt.own.mean() - others.mean() > least)


def _strongest(told: tuple[str, float]) -> tuple[float, str]:
    return -abs(told[1]), told[0]


def _labelled(curve: Calibration, right: Floats, wrong: Floats) -> Calibration:
    """A curve that suits labelled pages, by the log-odds they had without their labels."""
    slope, shift = fitted([*right.tolist(), *wrong.tolist()], [True] * len(right) + [False] * len(wrong))
    return msgspec.structs.replace(curve, slope=slope, shift=shift)


def _among(known: _Known, odds: Floats) -> tuple[PagesAround | None, Floats]:
    """The pages met as neighbours, and their log-odds with what their own neighbours make of them.

    Not where pages stand in for examples: others like them would only bear out what may be a wrong guess.
    """
    met = [page.meaning for page in known.unknown]
    rights = [True] * len(known.own) + [False] * len(known.wrongs)
    bar = log_odds_of(greatest_promise(odds))
    near = learn_neighbours(met, odds, bar, [page.meaning for page in (*known.own, *known.wrongs)], rights)
    return near, odds if near is None else odds + near.odds_of(met)


def _lowest(scores: Floats, near: NDArray[np.bool_], own: Floats) -> float:
    """The score of words below which no page may hope: less, by the spread of all others, than any that came near.

    A few that came near tell nothing. Of 4,430 pages on topic that judges of 150 pages had not met none lies below.
    """
    every = np.concatenate([scores[near], own])
    if len(every) < _ENOUGH_NEAR or near.all():
        return -math.inf
    return float(every.min() - scores[~near].std())


def _curve(learnt: Learnt, meaning: Meaning | None, examples: int, met: int, *, given: bool) -> Calibration:
    """The curve that follows from examples and the pages met, of which the first so many are not labelled."""
    others, off = learnt.others[:met], learnt.off[:met]
    words = scale_of_words(learnt.own, examples, others, off, learnt.cold, given=given)
    if meaning is None:
        return by_examples(words, None, others, None, off)
    meant = meaning.others[:met]
    return by_examples(words, scale_of_meaning(meaning.own, meant, off, given=given), others, meant, off)


def _state(
    learnt: Learnt,
    meaning: Meaning | None,
    curve: Calibration,
    threshold: float,
    pinned: bool,
    examples: int,
    background: int,
) -> _State:
    return _State(
        terms=learnt.terms,
        rarity=learnt.rarity,
        weight=learnt.weight,
        unknown=learnt.unknown,
        mean=meaning.mean.tobytes() if meaning is not None else b"",
        query=meaning.query.tobytes() if meaning is not None else b"",
        curve=curve,
        threshold=threshold,
        pinned=pinned,
        examples=examples,
        background=background,
        apart=(float(learnt.own.mean()) - curve.words.centre) / curve.words.width if len(learnt.own) else 0.0,
    )


def _others(background: Sequence[Shown], known: Sequence[Shown]) -> list[Shown]:
    """The background less empty pages and those known already, thinned evenly where it is more than needed."""
    seen: dict[tuple[int, int], list[Mapping[str, int]]] = {}
    for page in known:
        seen.setdefault(_size(page), []).append(page.terms)
    left = [page for page in background if page.terms and page.terms not in seen.get(_size(page), ())]
    if len(left) <= _MOST:
        return left
    return [left[place * len(left) // _MOST] for place in range(_MOST)]


def _size(page: Shown) -> tuple[int, int]:
    return len(page.terms), sum(page.terms.values())


def _named(title: str, languages: tuple[str, ...]) -> dict[str, str]:
    """The terms of a title as its words spell them."""
    named: dict[str, str] = {}
    for word in words_of(title):
        for term in terms_of(word, languages[0] if languages else "en"):
            named.setdefault(term, word.lower())
    return named
