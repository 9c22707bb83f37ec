"""Pages that stand in for more examples than a topic has: of those met, the ones that fit what is known best.

Keywords say little of a topic, and so does one page; the pages that are full of both say more. Where there are keywords
alone, what they say themselves counts as much as what such pages say: pages chosen by words like "home" and "links"
lead astray.

Several examples choose in turn, each those pages that are like itself above all: the pages that fit all of them best
lie in one corner of a wide topic, and taking that corner for the whole lost some of what five examples had told
(average precision .86 for .88 on unions of topics).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.about import pack
from honeyguide.text.terms import terms as terms_of
from honeyguide.text.vectors import unit
from honeyguide.topic.calibrate import Floats
from honeyguide.topic.known import Known
from honeyguide.topic.meaning import learn_meaning, rows_of
from honeyguide.topic.shown import Shown
from honeyguide.topic.vector import learn

__all__ = ["MOST_STARTS", "stand_ins", "telling_starts"]

_MET = 8  # pages met, before any of them stands in
_SHARE, _LEAST, _MOST = 0.08, 2, 16  # of the pages met
_SEVERAL_SHARE, _SEVERAL_MOST = 0.12, 32  # beside several examples
# Standard deviations by which a start fits better than pages met do: the keywords, by three measures added up; or these
# and the examples, by five, two of them how like the examples it is, which alone must make a part of it.
_FITS, _LIKE = 2.0, 1.0
MOST_STARTS = 16  # more are a list of addresses, not somebody's choice
# Pages met, beside which a start is to stand out: the better a crawl goes, the more of the later ones are like it.
_BESIDE = 256
_ITS_OWN = 3.0  # what it weighs that a page is like the example whose turn it is, beside each of five other reasons


def stand_ins(known: Known, like: Floats) -> list[int]:
    """Which of the pages met stand in for examples; none where too few pages are met.

    `like` says how like the examples the words of each are.
    """
    met, meant = known.met, known.meant
    if not (known.own or known.keywords) or len(met) < _MET:
        return []
    fit = _fit(known)
    if known.own:  # like the examples, too, where there are some
        fit += _beside(like)
        fit += _meant([page.meaning for page in known.own], met, meant)
    if len(known.own) > 1:
        size = min(max(round(_SEVERAL_SHARE * len(met)), _LEAST), _SEVERAL_MOST)
        return sorted(_in_turn(fit[:, None] + _ITS_OWN * _like_each(known), size))
    size = min(max(round(_SHARE * len(met)), _LEAST), _MOST)
    chosen = _best(fit, size)
    if not known.own:  # a second look: a page unlike the others chosen has the words, and is about something else
        chosen = _best(fit + _like_them(chosen, known), size)
    return sorted(chosen)


def telling_starts(known: Known) -> list[int]:
    """Which of the pages met are starts of the crawl that tell what is meant, as examples do.

    A person chose them for the topic, though maybe only as a way in. One that is like the examples, and fits the
    keywords, better than most pages met do is taken for one more; without an example, those that fit the keywords alone
    take its place: on half of the schools' topics .54 of pages on topic fit so well, and .07 of those off it. Starts
    that are like each other tell together what none of them tells alone, but for one that is unlike the examples.
    """
    known = known.of_first(_BESIDE)
    starts = [place for place, page in enumerate(known.met) if page.start]
    if not 0 < len(starts) <= MOST_STARTS or len(known.met) < _MET:
        return []
    fit = _fit(known)
    sure = {place for place in starts if fit[place] > _FITS} if not known.own else set()
    near = _like_them(set(), known) if known.own else np.full(len(fit), np.inf)
    if len(starts) > 1 and fit[starts].mean() > -_LIKE:
        mutual = _like_them(set(starts), known)
        fits, alike = fit[starts].mean(), mutual[starts].mean()
        if fits + alike > _FITS or (fits > 0.0 and alike > _LIKE):
            sure.update(place for place in starts if mutual[place] > _LIKE and near[place] > 0.0)
    if len(sure) == len(starts) or not (known.own or sure):
        return sorted(sure)
    like = _like_them(sure, known) if sure else near
    return [place for place in starts if place in sure or ((fit + like)[place] > _FITS and like[place] > _LIKE)]


def _fit(known: Known) -> Floats:
    """How well the pages met fit the keywords, beside each other: by their words, their titles and what they mean."""
    met = known.met
    fit = _beside(learn(known.texts, np.arange(0), known.places_of_met).others)
    fit += _beside(np.array([_in_title(page, known.keywords) for page in met]))
    return fit + _meant([pack(known.meant)], met, known.meant)


def _best(fit: Floats, size: int) -> set[int]:
    return set(np.argsort(-fit, kind="stable")[:size].tolist())


def _like_each(known: Known) -> Floats:
    """How like each of the examples each page is in meaning, a column each; nothing where either has none."""
    rows = [rows_of([page.meaning for page in pages], len(known.meant)) for pages in (known.met, known.own)]
    mean = rows[0].sum(axis=0) / np.float32(max(int(rows[0].any(axis=1).sum()), 1))
    met, own = (np.where(some.any(axis=1, keepdims=True), unit(some - mean), np.float32(0)) for some in rows)
    return np.stack([_beside(column) for column in (met @ own.T).T.astype(np.float64)], axis=1)


def _in_turn(fit: Floats, size: int) -> set[int]:
    """The best by each column in turn.

    >>> sorted(_in_turn(np.array([[9.0, 0.0], [8.0, 1.0], [7.0, 2.0], [0.0, 3.0]]), 3))
    [0, 1, 3]
    """
    orders = np.argsort(-fit, axis=0, kind="stable").ravel()  # the first of each, then the second of each
    return set(islice(dict.fromkeys(orders.tolist()), size))


def _like_them(chosen: set[int], known: Known) -> Floats:
    """How like the examples and the pages chosen each page met is, in words and in meaning; one of those chosen is
    compared with all but itself.
    """
    met, every, given = known.met, known.places_of_met, len(known.own)
    rest = [place for place in range(len(met)) if place not in chosen]
    places = [*chosen, *rest]
    own, others = [*known.own, *(met[place] for place in chosen)], [met[place] for place in rest]
    words = learn(known.texts, np.concatenate([known.places_of_own, every[list(chosen)]]), every[rest])
    by_words = np.full(len(own), np.nan)
    by_words[words.own_places] = words.own
    scores = [(by_words, words.others)]
    meaning = learn_meaning(
        [page.meaning for page in own], [page.meaning for page in others], np.ones(len(others)), 0, known.meant
    )
    if meaning is not None:
        scores.append((meaning.own, meaning.others))
    found = np.zeros(len(met))
    for by_others, score in scores:
        score = np.concatenate([by_others[given:], score])
        if (there := ~np.isnan(score)).any():
            found[places] += _beside(np.where(there, score, score[there].mean()))
    return found


def _meant(like: Sequence[bytes], met: Sequence[Shown], meant: NDArray[np.float32]) -> Floats:
    """How like something pages are in meaning, beside each other; nothing for pages without one."""
    found = np.zeros(len(met))
    meaning = learn_meaning(like, [page.meaning for page in met], np.ones(len(met)), 0, meant)
    if meaning is not None and (there := ~np.isnan(meaning.others)).any():
        found[there] = _beside(meaning.others[there])
    return found


def _beside(scores: Floats) -> Floats:
    """Scores as standard deviations from their mean."""
    found: Floats = (scores - scores.mean()) / (scores.std() or 1.0)
    return found


def _in_title(page: Shown, keywords: Mapping[str, float]) -> float:
    """How much of the keywords a page's title holds."""
    title = set(terms_of(page.title[:300], page.language or "en"))
    return sum(weight for term, weight in keywords.items() if term in title)
