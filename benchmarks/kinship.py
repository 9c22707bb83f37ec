"""How often what is related, by words, links or clicks, is of one topic; truth is for this alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from honeyguide.strategies.semrank_turn import Member

__all__ = ["Kinship"]


class Kinship:
    """How often what is related is of one topic: of pages two, of words a page of the one and a page of the other."""

    def __init__(self, topics: Sequence[frozenset[str]]) -> None:
        self._topics = topics
        self._pages: dict[str, Any] = {}
        self._words: dict[str, Any] = {}
        self._often: dict[str, int] = {}

    def meet(self, member: Member) -> None:
        """Count a page and its words."""
        own = self._pages[member.url] = np.array([member.url in topic for topic in self._topics], float)
        for word in member.words:
            self._words[word] = self._words.get(word, 0.0) + own
            self._often[word] = self._often.get(word, 0) + 1

    def words(self, pairs: Iterable[tuple[str, str]]) -> str:
        """The mean over pairs of words that stand on three pages or more."""
        known = [pair for pair in pairs if min(self._often.get(word, 0) for word in pair) > 2]
        return self._mean([self._shared(*pair) for pair in known])

    def _shared(self, one: str, other: str) -> float:
        mine, theirs = self._words[one], self._words[other]
        if one == other:
            return float((mine * (mine - 1)).sum() / (self._often[one] * (self._often[one] - 1)))
        return float((mine * theirs).sum() / (self._often[one] * self._often[other]))

    def pages(self, pairs: Iterable[tuple[str, str]]) -> str:
        """The mean over pairs of pages."""
        return self._mean([float((self._pages[one] * self._pages[other]).any()) for one, other in pairs])

    def _mean(self, found: Sequence[float]) -> str:
        return f"{np.mean(found):.3f} of {len(found)}" if found else "none"
