"""A topic's keywords as the terms that pages are counted by."""

from __future__ import annotations

import math

from honeyguide.text.terms import terms as terms_of
from honeyguide.text.terms import words as words_of
from honeyguide.topic.topic import Topic

__all__ = ["keyword_terms"]


def keyword_terms(topic: Topic) -> tuple[dict[str, float], dict[str, str]]:
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
