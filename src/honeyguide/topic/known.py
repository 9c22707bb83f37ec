"""All there is to learn a topic from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from honeyguide.topic.shown import Shown
from honeyguide.topic.vector import TermCounts

__all__ = ["Known"]


class Known:
    """Examples, pages met, pages labelled wrong, and keywords with what they are about.

    The words of all pages are read once for all that is learnt from them; `places_of_…` says under which numbers. Of
    the examples the last `rights` are pages that people labelled right, the first `starts` starts of the crawl.
    """

    def __init__(
        self,
        own: Sequence[Shown],
        met: Sequence[Shown],
        keywords: Mapping[str, float],
        meant: NDArray[np.float32],
        wrongs: Sequence[Shown] = (),
        rights: int = 0,
    ) -> None:
        self.own, self.met, self.wrongs, self.rights = list(own), list(met), list(wrongs), rights
        self.starts = 0
        self.keywords, self.meant = keywords, meant
        self.texts = TermCounts([page.terms for page in (*own, *met, *wrongs)], keywords)
        ends = np.cumsum([len(self.own), len(self.met), len(self.wrongs)])
        self.places_of_own, self.places_of_met, self.places_of_wrongs = np.split(np.arange(ends[-1]), ends[:-1])

    @property
    def labelled(self) -> list[Shown]:
        """The pages that people labelled, the right ones first."""
        return [*self.own[len(self.own) - self.rights :], *self.wrongs]

    @property
    def said(self) -> list[bool]:
        """What they said of these."""
        return [True] * self.rights + [False] * len(self.wrongs)

    def by(self, part: slice, meant: NDArray[np.float32]) -> Known:
        """The same pages with one part of what their meanings hold, and what the keywords are about in the same way."""
        known = copy(self)
        known.own, known.met, known.wrongs = (
            [page._replace(meaning=page.meaning[part]) for page in pages] for pages in (self.own, self.met, self.wrongs)
        )
        known.meant = meant
        return known

    def of_first(self, most: int) -> Known:
        """The same, but that of the pages met only the first so many are known."""
        known = copy(self)
        known.met, known.places_of_met = self.met[:most], self.places_of_met[:most]
        return known

    def with_examples(self, places: Sequence[int]) -> Known:
        """The same pages, some of those met, which are starts, as examples in front of the others."""
        chosen = np.array(places, np.int64)
        known = copy(self)
        known.starts = len(chosen)
        known.own = [*(self.met[place] for place in places), *self.own]
        known.met = [page for place, page in enumerate(self.met) if place not in set(places)]
        known.places_of_own = np.concatenate([self.places_of_met[chosen], self.places_of_own])
        known.places_of_met = np.delete(self.places_of_met, chosen)
        return known
