"""Fish search (De Bra & Post, "Information retrieval in the World-Wide Web: making client-based searching feasible",
WWW 1994; the list ordered by potential scores as in Hersovici et al., WWW 1998).

A school of fish: each page is a fish that has young, its links. Where there is food (a page on topic) the young are
strong and many; where there is none they are weaker and fewer, and after a depth of hungry generations they die.

    potential(child) = 1     of the first alpha * width links of a relevant page
                       0.5   of the first width links of an irrelevant page
                       0     of all other links
    depth(child)     = D     under a relevant page,   depth(page) - 1   under any other

A URL found again keeps the better potential and the greater depth.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import ClassVar

import msgspec

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.strategies.notes import Notes

__all__ = ["DEAD", "DEAD_END", "Fish", "depth_left"]

DEAD = -1000.0  # added to what a dead branch is worth: below all that lives, still in order among themselves
DEAD_END = "dead end: too many pages off topic in a row on the way here"
_PAST_WIDTH = "not among the first links of its page"
_LATE = 1e-9  # what each further page adds, too little to weigh against anything but a tie


def depth_left(own: float, full: int, *, relevant: bool) -> float:
    """How many generations the links of a page may still go without food; 0 for none.

    >>> depth_left(1.0, 3, relevant=True), depth_left(2.0, 3, relevant=False), depth_left(0.0, 3, relevant=False)
    (3.0, 1.0, 0.0)
    """
    return float(full) if relevant else max(0.0, own - 1)


class Fish(Strategy):
    """Follows the first links of pages on topic; branches die when topic pages stay away.

    Width, depth and grading come from a sweep over visible topics of the schools web (near and far starts,
    twice the number of relevant pages). Grading is a deviation that measured better, far better from far starts:
    `graded=false` gives the printed 1 and 0.5. Dead branches wait at the end of the frontier, since a crawl that has
    budget left may as well spend it; `drop=true` kills them as printed.

    Parameters
    ----------
    width
        How many of an irrelevant page's links are followed by preference; 0 for all.
    alpha
        How many times the width a relevant page may have; 1.5 as printed.
    depth
        After how many irrelevant pages in a row a branch dies.
    graded
        Whether links are worth their page's relevance, not 1 or 0.5.
    newest
        Whether among links of the same worth those found last go first, as young fish joined the head of the list.
    drop
        Whether links of dead branches are left out, not put last.
    """

    name: ClassVar[str] = "fish"

    def __init__(
        self,
        width: int = 10,
        alpha: float = 1.5,
        depth: int = 6,
        graded: bool = True,
        newest: bool = True,
        drop: bool = False,
    ) -> None:
        self.width = width
        self.alpha = alpha
        self.depth = depth
        self.graded = graded
        self.newest = newest
        self.drop = drop

    def start(self, brief: Brief, seed: int) -> None:
        """No URL is known, so none is weak."""
        self._depths = Notes(0.0)
        self._pages = 0

    def page(self, page: Digest) -> Iterable[Ranked]:
        """Strong young where there is food, weak ones where there is none."""
        self._pages += 1
        left = depth_left(self._depth_of(page.url), self.depth, relevant=page.on_topic)
        strength, width, why = self._brood(page)
        late = _LATE * self._pages if self.newest else 0.0
        depths = self._depths.columns[0]
        ranked = []
        for place, link in enumerate(page.links):
            row = self._depths.row(link.url)
            here = depths[row] = max(depths[row], left)
            potential, reason = (strength, why) if place < width else (0.0, _PAST_WIDTH)
            if not here:
                if self.drop:
                    continue
                potential, reason = potential + DEAD, DEAD_END
            ranked.append(Ranked(link.url, potential + late, reason))
        return ranked

    def _depth_of(self, url: str) -> float:
        row = self._depths.find(url)
        return self._depths.columns[0][row] if row >= 0 else float(self.depth)

    def _brood(self, page: Digest) -> tuple[float, float, str]:
        """What the first links of a page are worth, how many those are, and why."""
        printed, width, side = (1.0, self.alpha * self.width, "on") if page.on_topic else (0.5, self.width, "off")
        strength = page.relevance if self.graded else printed
        why = f"linked from a page {side} topic (relevance {page.relevance:.2f})"
        return strength, width if self.width else math.inf, why

    def save(self) -> bytes:
        """The depths of all known URLs, and how many pages there were."""
        return msgspec.msgpack.encode((self._pages, self._depths.save()))

    def load(self, state: bytes) -> None:
        """Go on from saved depths."""
        self._pages, depths = msgspec.msgpack.decode(state, type=tuple[int, bytes])
        self._depths.load(depths)
