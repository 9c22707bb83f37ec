"""Pages that stand in for examples where a topic has one or none: of those met, the ones that fit what is known best.

One keyword or two say little of a topic, and so does one page; the pages that are full of both say more. A list of
keywords is a description by itself, which pages chosen by it only blur: on the campus web, whose topics are such lists,
average precision fell from .34 to .29. So without an example only a few keywords are helped out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.about import pack
from honeyguide.text.terms import terms as terms_of
from honeyguide.topic.calibrate import Floats
from honeyguide.topic.known import Known
from honeyguide.topic.meaning import learn_meaning
from honeyguide.topic.shown import Shown
from honeyguide.topic.vector import learn

__all__ = ["stand_ins"]

_FEW = 3  # keywords that are helped out where there is no example
_MET = 8  # pages met, before any of them stands in
_SHARE, _LEAST, _MOST = 0.08, 2, 16  # of the pages met


def stand_ins(known: Known, like: Floats) -> list[int]:
    """Which of the pages met stand in for examples; none where keywords must do, or too few pages are met.

    `like` says how like the examples the words of each are.
    """
    met, keywords, meant = known.met, known.keywords, known.meant
    if not (known.own or 0 < len(keywords) <= _FEW) or len(met) < _MET:
        return []
    fit = _beside(learn(known.texts, np.arange(0), known.places_of_met()).others)
    fit += _beside(np.array([_in_title(page, keywords) for page in met]))
    fit += _meant([pack(meant)], met, meant)
    if known.own:  # like the examples, too, where there are some
        fit += _beside(like)
        fit += _meant([page.meaning for page in known.own], met, meant)
    size = min(max(round(_SHARE * len(met)), _LEAST), _MOST)
    chosen = _best(fit, size)
    if not known.own:  # a second look: a page unlike the others chosen has the words, and is about something else
        chosen = _best(fit + _like_the_others(chosen, known), size)
    return sorted(chosen)


def _best(fit: Floats, size: int) -> set[int]:
    return set(np.argsort(-fit, kind="stable")[:size].tolist())


def _like_the_others(chosen: set[int], known: Known) -> Floats:
    """How like the pages chosen each page is, in words and in meaning; one of them is compared with all but itself."""
    met, every = known.met, known.places_of_met()
    rest = [place for place in range(len(met)) if place not in chosen]
    places = [*chosen, *rest]
    own, others = [met[place] for place in chosen], [met[place] for place in rest]
    words = learn(known.texts, every[list(chosen)], every[rest])
    by_words = np.full(len(own), np.nan)
    by_words[words.own_places] = words.own
    scores = [(by_words, words.others)]
    meaning = learn_meaning(
        [page.meaning for page in own], [page.meaning for page in others], np.ones(len(others)), 0, known.meant
    )
    if meaning is not None:
        scores.append((meaning.own, meaning.others))
    found = np.zeros(len(met))
    for pair in scores:
        score = np.concatenate(pair)
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
