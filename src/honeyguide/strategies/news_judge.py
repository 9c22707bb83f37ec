"""The judge of the news model: the cosine of a page with a vector that learns from what was found, over a bar that
moves (Algorithm 1; see `news`).

The vector is that of the topic's examples and the expert's keywords (`class_weights`), and, as the crawl goes on, of
the pages it has found. Five things keep it from drifting. The keywords hold their share whatever is found, and so do
the examples. Only pages are learnt from that keywords and examples alone, with nothing learnt on the way, would take
for surely on topic. A word weighs in a page up to a twentieth of it, so that one said over and over gains nothing; a
page that does little else is off topic. And a word that pages off the topic say, too, weighs the less.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean

import msgspec

from honeyguide.strategies.base import Adapted
from honeyguide.strategies.news_threshold import ExtractionTally, Knobs
from honeyguide.topic import Judge, Shown, Topic, Verdict
from honeyguide.topic.class_weights import ClassCounts, mean_vector, steered, unit_vector
from honeyguide.topic.keyword_terms import keyword_terms
from honeyguide.topic.stuffed import stuffed
from honeyguide.wording import counted

__all__ = ["NewsJudge"]

# How far from pages at large to the topic's own: no bar is lower, a page is surely on topic, no bar is higher.
_LOWEST, _FIRM, _HIGHEST = 0.25, 0.5, 0.75
_SATURATED = 0.05  # of a page's words: said more often than that, a word says no more
_QUIET = 10  # unknown words added to every page, so that a page of three words is not all about one of them
_TERMS = 150  # of a text that are remembered, those said most often
_FOUND = 100  # pages found last that the vector is learnt from
_TRUST = 5.0  # pages found that count for half of what all can
_LEFT_OUT = 8  # examples that are compared with the others
_LATELY = 200  # pages whose likeness tells what pages at large are like
_AT_LARGE = 0.25  # which of them, by order of likeness
_AMISS = 0.1  # what is left of a page of the wrong kind or language
_UNMARKED = 0.8  # and of one of a news topic that bears neither date nor mark
_SHOWN, _TELLING = 10, 0.005  # words shown of those that decided; one with less decided nothing
_SHARE = 0.5  # of the keywords


class _Found(msgspec.Struct, array_like=True):
    page: int
    terms: dict[str, int]


class _NewsState(msgspec.Struct):
    threshold: float
    tally: ExtractionTally
    counts: ClassCounts
    vector: dict[str, float] = {}
    first: dict[str, float] = {}  # the vector the crawl began with
    given: dict[str, float] = {}  # the vector without what was learnt from pages found
    own: list[dict[str, int]] = []  # examples, and pages that people labelled right
    wrongs: list[dict[str, int]] = []
    found: list[_Found] = []
    lately: list[float] = []  # how like the vector the last pages were
    usual: float = 0.0  # how like it the topic's own pages are
    changes: list[Adapted] = []


class NewsJudge:
    """Judges pages by their likeness to the topic's vector; both the vector and the bar adapt to what is found."""

    def __init__(self, topic: Topic, threshold: float, feedback: float, knobs: Knobs) -> None:
        self.topic = topic
        self._start = threshold
        self._feedback = feedback
        self._knobs = knobs
        self._experts, self._surface = keyword_terms(topic)
        self._kinds = Judge(topic)  # knows what kind and language of page the topic asks for
        self._pinned: float | None = None
        self.begin()

    def begin(self, examples: Sequence[Shown] = ()) -> None:
        """Begin anew."""
        self._state = _NewsState(
            self._start if self._pinned is None else self._pinned, ExtractionTally(), ClassCounts()
        )
        self.learn(examples, ())
        if not self._state.threshold:
            self._state.threshold = self._towards(_FIRM)

    @property
    def threshold(self) -> float:
        """The likeness from which on a page is on topic; once set by hand, it is not moved."""
        return self._state.threshold

    @threshold.setter
    def threshold(self, value: float) -> None:
        if not 0.0 < value < 1.0:
            raise ValueError(f"a threshold lies between 0 and 1, not at {value!r}")
        self._state.threshold = self._pinned = value

    @property
    def vector(self) -> dict[str, float]:
        """The topic's words as they weigh now."""
        return self._state.vector

    @property
    def changes(self) -> list[Adapted]:
        """All changes so far."""
        return self._state.changes

    @property
    def advice(self) -> str:
        """One sentence for the user where there is nothing to judge by."""
        return "" if self._state.vector else "No keyword carries meaning and no example page could be read."

    # -- learning -------------------------------------------------------------------------------------------

    def learn(
        self, examples: Sequence[Shown], background: Sequence[Shown], labelled: Sequence[tuple[Shown, bool]] = ()
    ) -> None:
        """Learn from examples and labels; pages met are counted as they come, so the background is known already."""
        del background
        own = _in_order([*examples, *(page for page, right in labelled if right)])
        wrongs = _in_order([page for page, right in labelled if not right])
        state = self._state
        if state.vector and (own, wrongs) == (state.own, state.wrongs):
            return  # nothing new: a crawl that goes on keeps what it had learnt
        for text in own:
            if text not in state.own:
                state.counts.add(text, on_topic=True)
        state.own, state.wrongs = own, wrongs
        self._recompute(f"{counted(len(labelled), 'label')} of the user" if labelled else "the examples")

    def count(self, number: int, page: Shown, *, on_topic: bool) -> None:
        """A page was judged, maybe by another judge before this one came in: it is counted, and may be learnt from."""
        state = self._state
        state.lately = [*state.lately[1 - _LATELY :], self._like(page.terms, state.vector)[0]]
        state.counts.add(page.terms, on_topic=on_topic)
        if on_topic:
            sure = self._like(page.terms, state.given)[0] >= self._towards(_FIRM)
            state.tally.extract(sure=sure)
            if sure:
                state.found = [*state.found[1 - _FOUND :], _Found(number, _short(page.terms))]

    def turned_off(self, numbers: set[int]) -> None:
        """Pages are not on topic after all: nothing is learnt from them any more."""
        self._state.found = [one for one in self._state.found if one.page not in numbers]

    def answered(self) -> bool:
        """An order was answered; at the end of an interval the bar and the vector adapt, which it says."""
        state = self._state
        if not state.tally.answered(self._knobs):
            return False
        factor, reason = state.tally.close(self._knobs)
        self._move(state.threshold * factor, reason)
        self._recompute(f"{counted(len(state.found), 'page')} found last beside {counted(state.counts.texts, 'other')}")
        return True

    def _towards(self, share: float) -> float:
        """A likeness so far on the way from that of pages at large to that of the topic's own."""
        lately, usual = sorted(self._state.lately), self._state.usual
        at_large = lately[int(_AT_LARGE * len(lately))] if lately else 0.0
        return at_large + share * max(0.0, usual - at_large)

    def _move(self, wanted: float, reason: str) -> None:
        """Set the threshold, within bounds."""
        state, highest, lowest = self._state, self._towards(_HIGHEST), self._towards(_LOWEST)
        bound = min(max(wanted, lowest), highest)
        if self._pinned is not None or bound == state.threshold:
            return
        if bound != wanted:
            told = (
                f"no bar is {'higher' if bound < wanted else 'lower'}, by how like the vector the topic's own pages are"
            )
            reason = "; ".join(filter(None, [reason, told]))
        state.changes.append(Adapted(state.tally.answers, "threshold", state.threshold, bound, reason))
        state.threshold = bound

    def _recompute(self, reason: str) -> None:
        """Make the vector anew: examples, what was found, keywords; less what was labelled wrong."""
        state = self._state
        before = state.vector
        worth: dict[str, float] = {}  # of each term, worked out once for all texts
        own = [state.counts.weigh(text, worth) or _plain(text) for text in state.own]
        found = mean_vector(state.counts.weigh(one.terms, worth) for one in state.found)
        learnt = self._feedback * len(state.found) / (len(state.found) + _TRUST)
        wrong = mean_vector(_plain(text) for text in state.wrongs)

        def whole(examples: Mapping[str, float], share: float) -> dict[str, float]:
            said = {term: (1.0 - share) * weight for term, weight in examples.items()} if examples else {}
            for term, weight in found.items():
                said[term] = said.get(term, 0.0) + share * weight
            for term in said.keys() & wrong.keys():
                said[term] = max(0.0, said[term] - 0.5 * wrong[term])
            return steered(unit_vector(said), self._experts, _SHARE)

        state.vector, state.given = (whole(mean_vector(own), share) for share in (learnt, 0.0))
        state.first = state.first or state.vector
        if state.tally.answers and state.vector != before:
            self._note_vector(before, reason)
        left_out = (mean_vector(own[:place] + own[place + 1 :]) for place in _few(len(own)))
        state.usual = self._usual([whole(others, learnt) for others in left_out])

    def _note_vector(self, before: Mapping[str, float], reason: str) -> None:
        state = self._state
        news = sorted(state.vector, key=lambda term: (before.get(term, 0.0) - state.vector[term], term))[:3]
        gained = tuple(self._surface.get(term, term) for term in news if state.vector[term] > before.get(term, 0.0))
        told = f"learnt from {reason}" + ("; what gained most:" if gained else "")
        was, now = _dot(state.first, before), _dot(state.first, state.vector)
        state.changes.append(Adapted(state.tally.answers, "vector", round(was, 4), round(now, 4), told, gained))

    def _usual(self, left_out: Sequence[Mapping[str, float]]) -> float:
        """How like the vector the topic's own pages are: each example beside what the others make."""
        state = self._state
        likes = [self._like(state.own[place], left_out[at])[0] for at, place in enumerate(_few(len(state.own)))]
        if len(likes) > 1:
            return fmean(likes)
        lately = sorted(state.lately)  # nothing to compare an example with: the best of what was met
        return max(0.1, lately[int(0.9 * len(lately))] if lately else 0.3)

    # -- judging --------------------------------------------------------------------------------------------

    def __call__(self, page: Shown) -> Verdict:
        """Judge a page."""
        if not page.terms:
            return Verdict(0.0, False, [], "no words to judge by")
        like, parts = self._like(page.terms, self._state.vector)
        size = sum(page.terms.values())
        note, burden, amiss = self._kinds.fits(size, page)
        if repeats := stuffed(size, len(page.terms), sum(count * count for count in page.terms.values())):
            note, amiss = repeats, True
        like *= _UNMARKED if burden else 1.0
        threshold = self._state.threshold
        if amiss:
            like = min(_AMISS * like, 0.5 * threshold)
        told = f"likeness {like:.3f} to the topic's vector, threshold {threshold:.3f}"
        words = sorted((part for part in parts if part[1] >= _TELLING), key=lambda part: (-part[1], part[0]))[:_SHOWN]
        return Verdict(
            like,
            like >= threshold,
            [(self._surface.get(term, term), part) for term, part in words],
            f"{told}; {note}" if note else told,
        )

    def _like(self, terms: Mapping[str, int], vector: Mapping[str, float]) -> tuple[float, list[tuple[str, float]]]:
        """The cosine of a text with a vector, and what each word has in it."""
        counts = self._state.counts
        texts, held, log = counts.texts + 1, counts.held, math.log
        most = max(5.0, _SATURATED * sum(terms.values()))
        length = _QUIET * log(texts + 0.01) ** 2
        parts: list[tuple[str, float]] = []
        for term, count in terms.items():
            rarity = log(texts / held.get(term, 1) + 0.01)
            squared = min(count, most) * rarity * rarity
            length += squared
            if term in vector:
                parts.append((term, math.sqrt(squared) * vector[term]))
        if not parts:
            return 0.0, []
        length = math.sqrt(length)
        parts = [(term, part / length) for term, part in parts]
        return min(1.0, sum(part for _, part in parts)), parts

    # -- over a resume --------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """Everything learnt, as bytes."""
        return msgspec.msgpack.encode(self._state)

    def load(self, state: bytes) -> None:
        """Go on from what was saved; a threshold set by hand holds."""
        self._state = msgspec.msgpack.decode(state, type=_NewsState)
        if self._pinned is not None:
            self._state.threshold = self._pinned


def _few(size: int) -> list[int]:
    """Places of a few examples, evenly drawn; none where there is only one."""
    return [place * size // min(size, _LEFT_OUT) for place in range(min(size, _LEFT_OUT))] if size > 1 else []


def _short(terms: Mapping[str, int]) -> dict[str, int]:
    """The terms of a text that are said most often."""
    return dict(sorted(terms.items(), key=lambda item: (-item[1], item[0]))[:_TERMS])


def _in_order(pages: Sequence[Shown]) -> list[dict[str, int]]:
    """Texts in an order of their own: a resumed crawl is told of them in another, and is to take them for the same."""
    return sorted((_short(page.terms) for page in pages if page.terms), key=lambda text: sorted(text.items()))


def _plain(terms: Mapping[str, int]) -> dict[str, float]:
    """A text's vector where nothing is known of other texts."""
    return unit_vector({term: float(count) for term, count in terms.items()})


def _dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(weight * other.get(term, 0.0) for term, weight in one.items())
