"""All there is to learn a topic from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from honeyguide.topic.shown import Shown
from honeyguide.topic.vector import Ints, TermCounts

__all__ = ["Known"]


class Known:
    """Examples, pages met, pages labelled wrong, and keywords with what they are about.

    The pages are numbered in this order, and their words read once for all that is learnt from them. Of the examples
    the last `rights` are pages that people labelled right.
    """

    def __init__(
        self,
        own: Sequence[Shown],
        met: Sequence[Shown],
        keywords: Mapping[str, float],
        meant: NDArray[np.float32],
        wrongs: Sequence[Shown] = (),
        rights: int = 0,
        texts: TermCounts | None = None,
    ) -> None:
        self.own, self.met, self.wrongs, self.rights = list(own), list(met), list(wrongs), rights
        self.keywords, self.meant = keywords, meant
        self.texts = texts or TermCounts([page.terms for page in (*own, *met, *wrongs)], keywords)

    def by(self, part: slice, meant: NDArray[np.float32]) -> Known:
        """The same pages with one part of what their meanings hold, and what the keywords are about in the same way."""
        own, met, wrongs = (
            [page._replace(meaning=page.meaning[part]) for page in pages] for pages in (self.own, self.met, self.wrongs)
        )
        return Known(own, met, self.keywords, meant, wrongs, self.rights, self.texts)

    def places_of_own(self) -> Ints:
        """The numbers of the examples."""
        return np.arange(len(self.own))

    def places_of_met(self) -> Ints:
        """The numbers of the pages met."""
        return len(self.own) + np.arange(len(self.met))

    def places_of_wrongs(self) -> Ints:
        """The numbers of the pages labelled wrong."""
        return len(self.own) + len(self.met) + np.arange(len(self.wrongs))
