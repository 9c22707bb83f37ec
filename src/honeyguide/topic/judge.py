"""The one judge of a crawl: is this page on the topic, how probably, and what decided it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import overload

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.page.articles import ARTICLE
from honeyguide.text.about import direction
from honeyguide.text.encoder import encoder, has_encoder
from honeyguide.text.terms import terms as terms_of
from honeyguide.text.terms import words as words_of
from honeyguide.text.vectors import SIZE
from honeyguide.topic.beside import BESIDE, PagesBeside, learn_beside
from honeyguide.topic.calibrate import Floats, chances_of, greatest_promise, log_odds_of, logistic
from honeyguide.topic.company import STRANGE, Company, Speaking, learn_company
from honeyguide.topic.corrections import LABELS, UNSURE, Correction, learn_correction
from honeyguide.topic.keyword_terms import keyword_terms
from honeyguide.topic.known import Known
from honeyguide.topic.linked import NO_LINK, SharedLinks, learn_shared_links
from honeyguide.topic.neighbours import NEIGHBOURS
from honeyguide.topic.shown import Shown, Verdict
from honeyguide.topic.stand_ins import stand_ins, telling_starts
from honeyguide.topic.stuffed import stuffed
from honeyguide.topic.topic import Topic
from honeyguide.topic.views import ENCODED_PART, WORDS_PART, Fit, Told, View, WordTables, learn_view
from honeyguide.wording import counted

__all__ = ["MEANING", "Judge", "standing"]

MEANING = "(title and text, by their meaning)"  # named among the words that decided
_WORTH = 2.0  # examples that the pages which stand in for others are worth
_MANY = 20  # examples beside which they say nothing new
# Examples given that tell enough by themselves: starts that join five have nothing to add, and where a crawl begins off
# the topic some that joined led `hits` astray (.11 of what an oracle finds, for .14).
_ENOUGH = 5
# What the views say they say too surely: taken at its word, probabilities are off by .11 to .15 on topics that nothing
# was chosen on, and by a tenth less like this (benchmarks/judge.py).
_BELIEVED, _DOUBT = 0.7, 0.5  # of their log-odds; log-odds taken off
_BAR = (0.1, 0.38)  # where it may lie
_MOST = 2_048  # background pages learnt from; more change nothing and cost time
_SHOWN = 10  # words shown of those that decided
_AGAINST = 3  # words against a page that are shown at any rate
_TELLING = 0.01  # log-odds; a word that has less to say decided nothing
_ARTICLE = 80  # terms that make a text an article where the page does not say that it is one
_STUB = 25  # terms below which nothing is an article, whatever it says
_UNMARKED = 1.0  # log-odds against a page of a news topic that bears neither date nor mark
_FAR_APART = 3.0  # standard deviations between examples and background, below which they hardly part
_WORTH_NAMING = 0.02
_UNLIKE = 1.5  # log-odds, by the other examples, that one lies behind all of them that is unlike them
_HELD_BACK = {
    "": "",
    "meaning": "held back: its words speak for the topic, but not what its title and text are about",
    "words": "held back: it is about something near the topic, but says few of the topic's words",
}
_GLANCED = "its words alone decided: they are farther from the topic than those of any page met that came near it"
_NEAR = 0.5  # of the threshold: a page of at least that chance came near the topic
_ENOUGH_NEAR = 12  # such pages met, before the one whose words are farthest off tells where hope ends
_BELOW_IT = 0.25  # of the spread of all others, by which hope ends below that one
_AMISS = 0.1  # what is left of the probability of a page of the wrong kind or language


class _State(msgspec.Struct, dict=True):
    views: list[View]
    examples: int
    background: int
    lowest: float = -math.inf  # the least score of words, in the first view, with which a page met came near the topic
    starts: int = 0  # of the examples, those that are starts of the crawl
    linked: SharedLinks | None = None
    beside: PagesBeside | None = None
    correction: Correction | None = None  # by labels
    odd: str = ""  # what an example is called that the others know nothing of, and what they give it
    company: Company | None = None  # that words keep

    @cached_property
    def words(self) -> WordTables:
        """The words of all views."""
        return WordTables(self.views)


class Judge:
    """Judges pages by their terms and their meaning, from what a topic says and what its examples hold.

    >>> topic = Topic.from_flags(keywords=["honey", "bees"], starts=["http://a.test/"])
    >>> judge = Judge(topic)
    >>> verdict = judge(Shown({"bee": 9, "honey": 4, "hive": 3, "summer": 2, "valley": 1}))
    >>> verdict.on_topic, verdict.words[0][0]
    (True, 'bees')
    """

    def __init__(self, topic: Topic, *, heed_starts: bool = True) -> None:
        self.topic = topic
        self._heed_starts = heed_starts  # whether the starts were chosen for the topic
        self._threshold, self._pinned = 0.5, False
        self._keywords, self._surface = keyword_terms(topic)
        self._about = " ".join(topic.keywords)
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

        The background may hold pages on the topic; those that fit examples and keywords best stand in for other
        examples, chosen anew each time, so that the topic does not drift. Beside one example they decide; beside
        several they are a second view of the topic, worth two examples, and beside keywords alone worth as much as
        these. Starts of the crawl that are like the examples, or fit the keywords where there is none, join them.
        """
        known = self._known(examples, background, labelled)
        fits = self._all_views(known)
        linked, beside, odds, unlabelled = _placed(known, fits)
        believed, unsure = _believed(odds), UNSURE
        meanings, about = ([page.meaning[WORDS_PART] for page in pages] for pages in (known.met, known.labelled))
        correction = learn_correction(_believed(unlabelled), known.said, about, meanings, SIZE)
        if correction is not None:
            believed, unsure = believed + correction.odds_of(believed, meanings), correction.unsure
        if not self._pinned:
            # A bar that is good however far off all of them are loses less where they are.
            self._threshold = greatest_promise(believed, _BAR, unsure)
        lowest = _lowest(fits[0], chances_of(believed) >= _NEAR * self._threshold)
        odd = _odd_one(known, _believed(fits[0].own_odds), self._threshold) if examples and known.met else ""
        views, sizes = [fit.view for fit in fits], (len(known.own), len(known.met))
        self._state = _State(views, *sizes, lowest, known.starts, linked, beside, correction, odd)
        speaking, rest = Speaking(views, self._state.words), [*known.met, *known.wrongs]
        self._state.company = learn_company(known.own, rest, known.texts.names, speaking, self._keywords)

    def _known(
        self, examples: Sequence[Shown], background: Sequence[Shown], labelled: Sequence[tuple[Shown, bool]]
    ) -> Known:
        """What there is to learn from; of the background, starts that tell what is meant are examples."""
        rights = [page for page, right in labelled if right and page.terms]
        wrongs = [page for page, right in labelled if not right and page.terms]
        given = [page for page in examples if page.terms]
        own = [*given, *rights]
        met = _others(background, (*own, *wrongs))
        known = Known(own, met, self._keywords, direction(self._about), wrongs, len(rights))
        if not self._heed_starts or len(given) >= _ENOUGH or len(own) > _MANY:
            return known
        return known.with_examples(telling_starts(known.by(WORDS_PART, known.meant)))

    def _all_views(self, known: Known) -> list[Fit]:
        """The views of the topic; those by a sentence encoder's reading, too, where it has read pages."""
        fits = _views(known.by(WORDS_PART, known.meant))
        # Where its package is gone since, what it read counts no more.
        if has_encoder() and any(len(page.meaning) > SIZE for page in (*known.own, *known.met)):
            encoded = _views(known.by(ENCODED_PART, encoder().encode([self._about])[0]))
            for fit in encoded:
                fit.view.encoded = True
            fits += encoded
            for fit in fits:
                fit.view.share *= 0.5
        return fits

    def __call__(self, page: Shown) -> Verdict:
        """Judge a page."""
        terms = page.terms
        if not terms:
            return Verdict(0.0, False, [], "no words to judge by")
        counts = np.fromiter(terms.values(), np.float64, len(terms))
        size = int(counts.sum())
        views, words = self._state.views, self._state.words
        found = words.find(terms, counts, size)
        first = words.score(0, *found)
        hopeless = first[0] < self._state.lowest  # no page met whose words score so little came near the topic
        if page.read is not None and not hopeless:
            return self(page.read())
        told = [views[0].tell(page, *first)]
        told += [views[place].tell(page, *words.score(place, *found)) for place in range(1, len(views))]
        note, burden, amiss = self.fits(size, page)
        if repeats := stuffed(size, len(terms), float(counts @ counts)):
            note, amiss = repeats, True
        linked, link = self._state.linked.tell(page) if self._state.linked is not None else (0.0, NO_LINK)
        beside, place = self._state.beside.tell(page.url) if self._state.beside is not None else (0.0, BESIDE)
        odds = _believed(sum(one.odds for one in told) + linked + beside - burden)
        corrected = correction.tell(odds, page.meaning[WORDS_PART]) if (correction := self._state.correction) else 0.0
        probability = logistic(odds + corrected)
        if page.glanced and hopeless:
            probability = min(probability, _NEAR * self._threshold)
        # Only of a page that is about to get in is it worth asking what its words stand next to.
        company = self._state.company if probability >= self._threshold and not amiss else None
        if company is not None and company.is_strange(page):
            note, amiss = STRANGE, True
        if amiss:
            probability = min(_AMISS * probability, 0.5 * self._threshold)
        on_topic = probability >= self._threshold
        if not note and not on_topic:
            note = _GLANCED if page.glanced else _HELD_BACK[views[0].curve.held_back(first[0], told[0].meaning)]
        also = [(link, _BELIEVED * linked), (place, _BELIEVED * beside), (LABELS, corrected)]
        return Verdict(probability, on_topic, self._shown(page, probability, told, also), note)

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
        self, page: Shown, probability: float, told: Sequence[Told], also: Sequence[tuple[str, float]]
    ) -> list[tuple[str, float]]:
        """What decided, strongest first; of a page worth it, words against it too, however weak they are."""
        # Only a page that may be on topic is worth finding out how its title spells the words.
        title = page.title if probability >= _WORTH_NAMING else ""
        parts = _BELIEVED * sum((one.by_words for one in told), np.zeros(len(page.terms)))
        places: Iterable[int] = range(len(parts))
        if len(parts) > _SHOWN:
            places = np.argpartition(np.abs(parts), -_SHOWN)[-_SHOWN:].tolist()
            if title:
                places = {*places, *np.argpartition(parts, _AGAINST)[:_AGAINST].tolist()}
        every = list(page.terms)
        found = [(every[place], float(parts[place])) for place in places]
        found.append((MEANING, _BELIEVED * sum(one.by_meaning for one in told)))
        found.append((NEIGHBOURS, _BELIEVED * sum(one.around for one in told)))
        found += also
        found.sort(key=_strongest)
        named = self._surface
        if title:
            named = {**_named(title[:300], self.topic.languages), **named}
        return [(named.get(term, term), part) for term, part in found if part > _TELLING or part < -_TELLING]

    @property
    def advice(self) -> str:
        """One sentence for the user where the topic is too thin to be judged well; empty when all is fine."""
        state = self._state
        if not state.examples and not self._keywords:
            return "No keyword carries meaning and no example page could be read: nothing can be found on topic."
        if state.starts and state.examples == state.starts:
            taken = counted(state.starts, "start")
            return f"No example is given, so {taken} of the crawl stood in, by the keywords; real ones would tell more."
        if not state.examples:
            return "Pages are judged by keywords alone; an example page or two would sharpen the topic a lot."
        if state.examples == 1:
            return "One example page says little about a topic; two or three more, or some labels, would sharpen it."
        if state.odd:
            return f"One example page is unlike the others: {state.odd}. If it was not meant, leave it out."
        if state.background >= 8 and state.views[0].apart < _FAR_APART:
            return "The example pages have little in common that other pages lack; label some results to sharpen it."
        return ""


def _views(known: Known) -> list[Fit]:
    """The views of a topic, the surest first."""
    size = len(known.own)
    alone = learn_view(known)
    assert alone is not None  # where nothing stands in for examples, there is always a view
    chosen = stand_ins(known, alone.words) if size <= _MANY else []
    helped = learn_view(known, chosen) if chosen else None
    if helped is None:
        return [alone]
    if size == 1:  # it tells nothing alone
        return [helped]
    if not size:
        helped.view.share = alone.view.share = 0.5
        return [helped, alone]
    alone.view.share, helped.view.share = size / (size + _WORTH), _WORTH / (size + _WORTH)
    return [alone, helped]


def _placed(known: Known, fits: Sequence[Fit]) -> tuple[SharedLinks | None, PagesBeside | None, Floats, Floats]:
    """What it tells where pages are filed and where they lie; with that the log-odds of the pages met, and those of
    labelled pages without their labels.
    """
    odds = sum((fit.view.share * fit.odds for fit in fits), np.zeros(len(known.met)))
    unlabelled = sum((fit.view.share * fit.labelled for fit in fits), np.zeros(len(known.said)))
    off = np.concatenate([1.0 - chances_of(_believed(odds)), np.ones(len(known.wrongs))])
    linked = learn_shared_links(known.own, [*known.met, *known.wrongs], off)
    if linked is not None:
        odds += linked.odds_of(known.met)
        unlabelled += [*linked.own[len(known.own) - known.rights :], *linked.odds_of(known.wrongs)]
    addresses = [page.url for page in known.met]
    said = {page.url: True for page in known.own} | {page.url: False for page in known.wrongs}
    beside = learn_beside(addresses, _believed(odds), said)
    if beside is not None:
        odds += beside.odds_of(addresses)
        unlabelled += beside.odds_of([page.url for page in known.labelled])
    return linked, beside, odds, unlabelled


@overload
def _believed(odds: float) -> float: ...
@overload
def _believed(odds: Floats) -> Floats: ...
def _believed(odds: float | Floats) -> float | Floats:
    """What is believed of log-odds."""
    return _BELIEVED * odds - _DOUBT


def standing(probability: float) -> float:
    """What strategies rank by: a page's probability as the views of the topic have it, all of it believed.

    Ranked by what is believed of it, links lose some of what sets them apart: on the schools web `bloch` found .49 of
    what an oracle does, for .50, and from far .34 for .37.

    >>> round(standing(logistic(_believed(1.0))), 3), standing(1.0), standing(0.0)
    (0.731, 1.0, 0.0)
    """
    if not 0.0 < probability < 1.0:
        return probability
    return logistic((log_odds_of(probability) + _DOUBT) / _BELIEVED)


def _strongest(told: tuple[str, float]) -> tuple[float, str]:
    return -abs(told[1]), told[0]


def _lowest(fit: Fit, near: NDArray[np.bool_]) -> float:
    """The score of words below which no page may hope: less, by some of the spread of all others, than any that came
    near.

    A few that came near tell nothing. Of 7,318 pages on topic that judges of 512 pages had not met, and would have
    kept, 9 lie below; of those off topic more than three in four. By the whole of the spread 2 would, but half of those
    off topic would be read closely, for nothing.
    """
    every: Floats = np.concatenate([fit.words[near], fit.own])
    if len(every) < _ENOUGH_NEAR or near.all():
        return -math.inf
    return float(every.min() - _BELOW_IT * fit.words[~near].std())


def _odd_one(known: Known, odds: Floats, bar: float) -> str:
    """The one of the given examples that lies far behind all others, also starts and labelled pages, while these know
    each other.
    """
    if len(odds) < 3 or np.isnan(odds).any():
        return ""
    first, second = np.argsort(odds, kind="stable")[:2].tolist()
    chance = logistic(odds[first])
    if not known.starts <= first < len(known.own) - known.rights or odds[second] - odds[first] < _UNLIKE:
        return ""
    if not chance < bar <= logistic(np.median(odds)):
        return ""
    title = "".join(sign if sign.isprintable() else " " for sign in known.own[first].title[:300])
    name = " ".join(title.split())[:80] or "one without a title"
    return f"{name} (by them alone it would get {chance:.2f})"


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


@lru_cache(maxsize=1_024)  # of pages that are judged again
def _named(title: str, languages: tuple[str, ...]) -> dict[str, str]:
    """The terms of a title as its words spell them."""
    named: dict[str, str] = {}
    for word in words_of(title):
        for term in terms_of(word, languages[0] if languages else "en"):
            named.setdefault(term, word.lower())
    return named
