"""What a page is like, among all that were met: one that lies among pages on topic is likelier to be on topic itself.

Words and meaning hold a page against the examples, which are few. The pages met are many, and though nobody said what
they are, each has its chance by those two; a page that is much like ten others shares their luck.

    n    = mean chance of the ten pages most like it in meaning
    odds = log-odds by words and meaning + logit(n) - logit(usual) + shift

`usual` is the mean of n over the pages met. Examples and labelled pages are among the ten, too, and their chance is
known. The shift leaves the pages met as many on topic, all told, as they were before: neighbours say which pages are on
topic, not how many. Where fewer of them than before would pass the bar for it, it leaves as many above that: surer
chances that add up to too little, where pages on topic are taken to be fewer than they are, would lose some of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import msgspec
import numpy as np

from honeyguide.text.vectors import Matrix, unit
from honeyguide.topic.calibrate import Floats, chances_of
from honeyguide.topic.meaning import rows_of

__all__ = ["NEIGHBOURS", "PagesAround", "learn_neighbours"]

NEIGHBOURS = "(the pages it is most like)"  # named among the words that decided

_LIKE = 10  # pages asked
# Pages met, before any of them is asked. From 128 on it helped on schools (F1 .73 for .72), and lost on the demo web
# (.93 for .94), where those like a page are few: so it waits until it did no harm anywhere.
_MET = 200
_MOST = 512  # pages that can be asked; more change little and cost time
_SURE = 0.01  # no ten pages make it surer than that
_ITSELF = 1.0 - 1e-5  # the likeness of a page to itself, and to its copies
_TRUST = 2.0  # pages met, at which their mean counts half
_WIDEST = 10.0  # log-odds, within which the shift is looked for
_HALVINGS = 40


class PagesAround(msgspec.Struct, dict=True):
    """The pages met that others are held against, and what is to be said of those like them."""

    mean: bytes
    rows: bytes  # their meanings as they are kept
    chances: list[float]
    usual: float = 0.5
    shift: float = 0.0

    def odds(self, meaning: bytes) -> float:
        """What the pages most like a page add to its log-odds; nothing where it has no meaning."""
        if not meaning:
            return 0.0
        mean, directions, chances = self._arrays
        page = unit(rows_of([meaning], len(mean)) - mean)[0]
        # As `_around` has it of many: this is done for every page.
        like = np.einsum("ij,j->i", directions, page)
        like[like >= _ITSELF] = -2.0
        nearest = np.argpartition(-like, _LIKE - 1)[:_LIKE]
        return float(self._added(chances[nearest].mean(keepdims=True))[0])

    def odds_of(self, meanings: Sequence[bytes]) -> Floats:
        """The same of many pages."""
        mean, directions, chances = self._arrays
        rows = rows_of(meanings, len(mean))
        added = self._added(_around(unit(rows - mean) @ directions.T, chances))
        return np.where(rows.any(axis=1), added, 0.0)

    def settle(self, odds: Floats, bar: float) -> None:
        """Learn what is usual, and the shift, from the first of the pages: their log-odds by words and meaning alone,
        and those from which on a page is kept by these.
        """
        _, directions, chances = self._arrays
        around = _around(directions[: len(odds)] @ directions.T, chances)
        self.usual = float(around.mean())
        added = odds + self._added(around)
        self.shift = max(_as_likely(odds, added), _as_many(odds, added, bar))

    def _added(self, around: Floats) -> Floats:
        found: Floats = _logit(around) - _logit(np.array([self.usual])) + self.shift
        return found

    @cached_property
    def _arrays(self) -> tuple[Matrix, Matrix, Floats]:
        """The mean, the directions of all pages as seen from there, and their chances."""
        mean = np.frombuffer(self.mean, np.float32)
        rows = np.frombuffer(self.rows, np.int8).reshape(-1, len(mean)).astype(np.float32) / np.float32(127)
        return mean, unit(rows - mean), np.array(self.chances)


def _around(likeness: Matrix, chances: Floats) -> Floats:
    """The mean chance of the pages that pages are most like; none counts as like itself."""
    likeness = np.where(likeness < _ITSELF, likeness, np.float32(-2.0))
    nearest = np.argpartition(-likeness, _LIKE - 1, axis=1)[:, :_LIKE]
    mean: Floats = chances[nearest].mean(axis=1)
    return mean


def _as_likely(odds: Floats, added: Floats) -> float:
    """The shift of new log-odds that leaves the sum of all chances as it was."""
    wanted = chances_of(odds).sum()
    low, high = -_WIDEST, _WIDEST
    for _ in range(_HALVINGS):
        shift = 0.5 * (low + high)
        if chances_of(added + shift).sum() > wanted:
            high = shift
        else:
            low = shift
    return 0.5 * (low + high)


def _as_many(odds: Floats, added: Floats, bar: float) -> float:
    """The shift that leaves as many above a bar.

    >>> round(_as_many(np.array([-1.0, 0.0, 2.0]), np.array([-1.0, 3.0, 6.0]), bar=0.5), 3)
    -4.0
    """
    ordered = np.sort(added)[::-1]
    kept = int((odds >= bar).sum())
    last, below = np.concatenate([ordered[:1] + 1.0, ordered, ordered[-1:] - 1.0])[kept : kept + 2]
    return bar - 0.5 * float(last + below)


def learn_neighbours(
    met: Sequence[bytes], odds: Floats, bar: float, known: Sequence[bytes], right: Sequence[bool]
) -> PagesAround | None:
    """The pages met as neighbours of others, by their meanings and log-odds, with those from which on they are kept;
    beside them the pages of which it is known whether they are right. None where too few have a meaning.
    """
    there = [place for place, meaning in enumerate(met) if meaning]
    if len(there) < _MET:
        return None
    if len(there) > _MOST:
        there = [there[place * len(there) // _MOST] for place in range(_MOST)]
    told = [(meaning, float(said)) for meaning, said in zip(known, right, strict=True) if meaning][-_MOST:]
    own = [met[place] for place in there]
    found = PagesAround(
        mean=(rows_of(own, len(own[0])).sum(axis=0) / np.float32(len(own) + _TRUST)).tobytes(),
        rows=b"".join([*own, *(meaning for meaning, _ in told)]),
        chances=[*chances_of(odds[there]).tolist(), *(said for _, said in told)],
    )
    found.settle(odds[there], bar)
    return found


def _logit(chances: Floats) -> Floats:
    within = np.clip(chances, _SURE, 1.0 - _SURE)
    found: Floats = np.log(within / (1.0 - within))
    return found
