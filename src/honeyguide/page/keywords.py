"""The words a text keeps coming back to, as it writes them."""

from __future__ import annotations

from collections import Counter

from honeyguide.text import words
from honeyguide.text.terms import tokenizer

__all__ = ["keywords"]

_LONGEST = 200_000  # characters read: a book's first chapters tell its words


def keywords(text: str, language: str = "en", *, title: str = "", most: int = 10) -> list[str]:
    """The most frequent terms of a text, each in its commonest spelling; words of the title count three more.

    >>> keywords("Bees dance. A bee's dance tells bees where honey is. Honey!", most=3)
    ['Bees', 'dance', 'honey']
    """
    fold = tokenizer(language).fold
    forms: dict[str, dict[str, int]] = {}
    for form, count in Counter(words(text[:_LONGEST])).items():
        for term in fold([form]):
            spelt = forms.setdefault(term, {})
            spelt[form] = spelt.get(form, 0) + count
    weights = {term: sum(spelt.values()) for term, spelt in forms.items() if _tells(term)}
    for term in set(fold(words(title))) & weights.keys():
        weights[term] += 3
    ranked = sorted(weights, key=lambda term: -weights[term])  # stable: what comes first in the text wins a tie
    return [max(forms[term], key=lambda form: forms[term][form]) for term in ranked[:most]]


def _tells(term: str) -> bool:
    return len(term) > 1 and not term.isdigit()
