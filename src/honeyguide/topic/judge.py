"""The one judge of a crawl: is this page on the topic, how probably, and which words decided it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.text.terms import terms as terms_of
from honeyguide.text.terms import words as words_of
from honeyguide.topic.calibrate import Calibration, Floats, by_examples, by_keywords, logistic
from honeyguide.topic.labels import WRONG_COUNTS, best_threshold
from honeyguide.topic.topic import Topic
from honeyguide.topic.vector import QUIET, Learnt, learn
from honeyguide.wording import counted

__all__ = ["Judge", "Judging", "Verdict"]

_MOST = 2_048  # background pages learnt from; more change nothing and cost time
_SHOWN = 10  # words shown of those that decided
_AGAINST = 3  # words against a page that are shown at any rate
_TELLING = 0.01  # log-odds; a word that has less to say decided nothing
_UNKNOWN = repeat(0)  # where the weight of every unknown term stands
_VECTOR = 400  # terms of the topic's vector
_ARTICLE = 80  # terms that make a text an article where the page does not say that it is one
_STUB = 25  # terms below which nothing is an article, whatever it says
_UNMARKED = 1.0  # log-odds against a page of a news topic that bears neither date nor mark
_FAR_APART = 3.0  # standard deviations between examples and background, below which they hardly part
_SATURATED = 0.05  # of a page's words: said more often than that, a word says no more
_REPEATED, _EVEN = 5, 7.0  # times each word is said on average; words said equally often that would be as uneven
_ENOUGH, _MANY = 120, 2_000  # words of a page from which on, and up to which, these two are looked at
_WORTH_NAMING = 0.02
_MET = 8  # pages met, before they may move the threshold
_LOWEST, _HIGHEST = 0.15, 0.5  # where they may move it to
_AMISS = 0.1  # what is left of the probability of a page of the wrong kind or language


class Verdict(msgspec.Struct):
    """What the judge says of a page; the words' signed parts are in log-odds."""

    probability: float
    on_topic: bool
    words: list[tuple[str, float]]
    note: str = ""


class Judging(Protocol):
    """What the crawl asks of a judge, be it its own or one that a strategy brings."""

    threshold: float

    @property
    def advice(self) -> str:
        """One sentence for the user where the topic is too thin to be judged well."""

    def learn(
        self,
        examples: Sequence[Mapping[str, int]],
        background: Sequence[Mapping[str, int]],
        labelled: Sequence[tuple[Mapping[str, int], bool]] = (),
    ) -> None:
        """Learn the topic anew from term counts: examples, pages met, and pages people have labelled."""

    def __call__(
        self,
        terms: Mapping[str, int],
        *,
        title: str = "",
        article: bool = False,
        published: str = "",
        language: str = "",
    ) -> Verdict:
        """Judge a page."""


class _State(msgspec.Struct):
    terms: list[str]
    rarity: list[float]
    weight: list[float]
    unknown: float
    curve: Calibration
    threshold: float
    pinned: bool
    examples: int
    background: int
    apart: float


class Judge:
    """Judges pages by their term counts, from what a topic says and what its examples hold.

    >>> topic = Topic.from_flags(keywords=["honey", "bees"], starts=["http://a.test/"])
    >>> judge = Judge(topic)
    >>> verdict = judge({"bee": 9, "honey": 4, "hive": 3, "summer": 2, "valley": 1})
    >>> verdict.on_topic, verdict.words[0][0]
    (True, 'bees')
    """

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self._threshold, self._pinned = 0.5, False
        self._keywords, self._surface = _steering(topic)
        self.learn((), ())

    @property
    def threshold(self) -> float:
        """The probability from which on a page is on topic; once set by hand, labels no longer move it."""
        return self._threshold

    @threshold.setter
    def threshold(self, value: float) -> None:
        if not 0.0 < value < 1.0:
            raise ValueError(f"a threshold lies between 0 and 1, not at {value!r}")
        self._threshold, self._pinned = value, True

    @property
    def vector(self) -> dict[str, float]:
        """The topic as weighted terms of unit length: what speaks for it, heaviest first."""
        return self._vector

    def learn(
        self,
        examples: Sequence[Mapping[str, int]],
        background: Sequence[Mapping[str, int]],
        labelled: Sequence[tuple[Mapping[str, int], bool]] = (),
    ) -> None:
        """Learn the topic anew from term counts: examples, pages fetched so far, and pages people have labelled.

        The background may hold pages on the topic; they are never taken for examples, which would let the topic
        drift, only kept from speaking against it.
        """
        rights = [page for page, right in labelled if right and page]
        wrongs = [page for page, right in labelled if not right and page]
        own = [*filter(None, examples), *rights]
        unknown = _others(background, (*own, *wrongs))
        learnt = learn(own, [*unknown, *wrongs], [WRONG_COUNTS] * len(wrongs), self._keywords)
        unlabelled = len(unknown)
        if own:
            curve = by_examples(learnt.own, len(own), learnt.others[:unlabelled], learnt.off[:unlabelled], learnt.cold)
        else:
            curve = by_keywords(learnt.others[:unlabelled])
        self._take(_state(learnt, curve, self._threshold, self._pinned, len(own), unlabelled))
        if not self._pinned:
            self._threshold = self._most_expected(learnt.others[:unlabelled])
            scored = zip(learnt.own_places, learnt.own.tolist(), strict=True)
            right = [score for place, score in scored if place >= len(own) - len(rights)]
            self._place(right, learnt.others[unlabelled:].tolist())

    def _place(self, right: list[float], wrong: list[float]) -> None:
        """Set the threshold that suits the labels best, by pages scored as if they had not been learnt."""
        judged = [(self._probability(score), True) for score in right]
        judged += [(self._probability(score), False) for score in wrong]
        self._threshold = best_threshold(judged) or self._threshold

    def _most_expected(self, scores: Floats) -> float:
        """The threshold that promises the greatest F1 among the pages met, within bounds.

        A topic whose pages are told apart well, but carefully, is not to lose them to a bar of one half.
        """
        if len(scores) < _MET:
            return _HIGHEST
        odds = np.array([self._probability(score) for score in scores.tolist()])
        odds[::-1].sort()
        promised = np.cumsum(odds) / (np.arange(1, len(odds) + 1) + odds.sum())
        return float(min(max(odds[int(promised.argmax())], _LOWEST), _HIGHEST))

    def _probability(self, score: float) -> float:
        return logistic(self._curve.log_odds(score))

    def _take(self, state: _State) -> None:
        self._state = state
        self._curve = state.curve
        self._threshold, self._pinned = state.threshold, state.pinned
        self._places = dict(zip(state.terms, range(1, len(state.terms) + 1), strict=True))
        self._rarity: Floats = np.array([state.unknown, *state.rarity])
        self._weight: Floats = np.array([0.0, *state.weight])
        heavy = sorted(zip(state.weight, state.terms, strict=True), key=lambda pair: (-pair[0], pair[1]))[:_VECTOR]
        length = math.sqrt(sum(weight * weight for weight, _ in heavy if weight > 0)) or 1.0
        self._vector = {term: weight / length for weight, term in heavy if weight > 0}

    def __call__(
        self,
        terms: Mapping[str, int],
        *,
        title: str = "",
        article: bool = False,
        published: str = "",
        language: str = "",
    ) -> Verdict:
        """Judge a page by the counts of its terms; the rest is needed for topics that ask for a kind or a language."""
        if not terms:
            return Verdict(0.0, False, [], "no words to judge by")
        score, parts, counts = self._score(terms)
        size = int(counts.sum())
        note, burden, amiss = self._fits(size, article, published, language)
        if size >= _ENOUGH and (len(terms) * _REPEATED < min(size, _MANY) or size * size < _EVEN * (counts @ counts)):
            # Of 1,366 real pages none comes near: they say a word three times at the most, and no few words so often.
            note, amiss = f"stuffed: it repeats a few of its {len(terms)} words over and over", True
        probability = logistic(self._curve.log_odds(score) - burden)
        if amiss:
            probability = min(_AMISS * probability, 0.5 * self._threshold)
        # Only a page that may be on topic is worth finding out how its title spells the words.
        named = title if probability >= _WORTH_NAMING else ""
        return Verdict(probability, probability >= self._threshold, self._shown(terms, parts, named), note)

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

    def _fits(self, size: int, article: bool, published: str, language: str) -> tuple[str, float, bool]:
        """Whether a page is of the kind and language asked for: a note, log-odds against it, and whether it is not."""
        topic = self.topic
        if language and topic.languages and language[:2].lower() not in topic.languages:
            return f"language {language}; the topic asks for {', '.join(topic.languages)}", 0.0, True
        if topic.kind == "any":
            return "", 0.0, False
        marked = article or bool(published)
        if size < (_STUB if marked else _ARTICLE):
            return f"too short for an article: {counted(size, 'term')}", 0.0, True
        if topic.kind == "news" and not marked:
            return "bears neither a date nor the mark of an article", _UNMARKED, False
        return "", 0.0, False

    def _shown(self, terms: Mapping[str, int], parts: Floats, title: str) -> list[tuple[str, float]]:
        """The words that decided, strongest first; of a page worth it, those against it too, however weak they are."""
        places: Iterable[int] = range(len(parts))
        if len(parts) > _SHOWN:
            places = np.argpartition(np.abs(parts), -_SHOWN)[-_SHOWN:].tolist()
            if title:
                places = {*places, *np.argpartition(parts, _AGAINST)[:_AGAINST].tolist()}
        every, unit = list(terms), self._curve.per_score
        told = [(every[place], float(parts[place]) * unit) for place in places]
        told.sort(key=_strongest)
        named = self._surface
        if title and told:
            named = {**_named(title[:300], self.topic.languages), **named}
        return [(named.get(term, term), part) for term, part in told if part > _TELLING or part < -_TELLING]

    def similarity(self, terms: Mapping[str, int] | Iterable[str]) -> float:
        """The cosine (0 to 1) of a short text, such as an anchor, with the topic's vector.

        >>> judge = Judge(Topic.from_flags(keywords=["honey"], starts=["http://a.test/"]))
        >>> judge.similarity(["honey"]), judge.similarity(["chess"]), judge.similarity([])
        (1.0, 0.0, 0.0)
        """
        find = self._vector.get
        dot = size = 0.0
        if isinstance(terms, Mapping):
            for term, times in terms.items():
                size += times
                weight = find(term)
                if weight is not None:
                    dot += weight * math.sqrt(times)
        else:
            for term in terms:
                size += 1
                weight = find(term)
                if weight is not None:
                    dot += weight
        return min(dot / math.sqrt(size), 1.0) if size else 0.0

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
        judge._keywords, judge._surface = _steering(topic)
        judge._take(msgspec.msgpack.decode(blob, type=_State))
        return judge


def _strongest(told: tuple[str, float]) -> tuple[float, str]:
    return -abs(told[1]), told[0]


def _state(
    learnt: Learnt, curve: Calibration, threshold: float, pinned: bool, examples: int, background: int
) -> _State:
    apart = (float(learnt.own.mean()) - curve.centre) / curve.width if len(learnt.own) else 0.0
    return _State(
        terms=learnt.terms,
        rarity=learnt.rarity,
        weight=learnt.weight,
        unknown=learnt.unknown,
        curve=curve,
        threshold=threshold,
        pinned=pinned,
        examples=examples,
        background=background,
        apart=apart,
    )


def _others(background: Sequence[Mapping[str, int]], known: Sequence[Mapping[str, int]]) -> list[Mapping[str, int]]:
    """The background less empty pages and those known already, thinned evenly where it is more than needed."""
    seen: dict[tuple[int, int], list[Mapping[str, int]]] = {}
    for page in known:
        seen.setdefault(_size(page), []).append(page)
    left = [page for page in background if page and not any(page == one for one in seen.get(_size(page), ()))]
    if len(left) <= _MOST:
        return left
    return [left[place * len(left) // _MOST] for place in range(_MOST)]


def _size(page: Mapping[str, int]) -> tuple[int, int]:
    return len(page), sum(page.values())


def _steering(topic: Topic) -> tuple[dict[str, float], dict[str, str]]:
    """The keywords as terms with weights, and how the user wrote each.

    A page is folded by the rules of its own language, so keywords are folded by those of every language asked for,
    each time to unit length; where none is named, by English.
    """
    weights: dict[str, float] = {}
    surface: dict[str, str] = {}
    for language in topic.languages or ("en",):
        once: dict[str, float] = {}
        for keyword, weight in topic.keywords.items():
            for word in words_of(keyword):
                for term in terms_of(word, language):
                    once[term] = max(once.get(term, 0.0), weight)
                    surface.setdefault(term, word)
        length = math.sqrt(sum(weight * weight for weight in once.values())) or 1.0
        for term, weight in once.items():
            weights[term] = max(weights.get(term, 0.0), weight / length)
    return weights, surface


def _named(title: str, languages: tuple[str, ...]) -> dict[str, str]:
    """The terms of a title as its words spell them."""
    named: dict[str, str] = {}
    for word in words_of(title):
        for term in terms_of(word, languages[0] if languages else "en"):
            named.setdefault(term, word.lower())
    return named
