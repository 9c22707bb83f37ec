"""What labels tell of other pages: how far off the judge is, and where.

A label says of one page what the judge should have said, and so something of others: of all of them together (it is too
bold, or too careful), of the sure ones beside the doubtful (it is too sure, or not sure enough), and most of all of
those that are about the same. By how much the judge is off is taken for a Gaussian process over pages (Rasmussen and
Williams 2006, chapter 3), each with its log-odds o and the direction of its title and text:

    k(p, q) = 2^2 + .3^2 * o_p * o_q + 1^2 * exp((cos(p, q) - 1) / .3)
    off(p)  = sum of k(p, q) * pull_q over labelled pages q,  pull = weight * (label - chance), at the most probable
    weight  = 4 * chance * (1 - chance), by the judge that did not know the label

Pages in doubt, as those people are asked about, tell what others in doubt are worth. Who labels a page unasked chose it
because the judge was wrong there, or slipped: taken for one of many, a single page that was missed, and was hardly
thought possible, brought twice as many pages in, and .20 of F1 down. Such pages are heard as examples, and hardly here.

The log-odds of a labelled page must come from a judge that did not learn from it. 2 is how far off all probabilities
together are believed to be before anybody was asked, as the bar has it, too; every label takes some of that doubt away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import msgspec
import numpy as np

from honeyguide.text.vectors import Matrix, unit
from honeyguide.topic.calibrate import Floats, chances_of
from honeyguide.topic.meaning import rows_of

__all__ = ["LABELS", "UNSURE", "Correction", "directions", "in_common", "learn_correction"]

LABELS = "(what labels tell)"  # named among the words that decided

# How many of the pages met are on topic scores hardly tell: what is believed of all of them was off by a factor of two
# to three, either way.
UNSURE = 2.0  # log-odds
_SLOPE = 0.3  # by how much of themselves log-odds are too great or too small
_LOCAL, _NEAR = 1.0, 0.3  # log-odds by which pages about one thing are off for themselves; how near those are
_MOST = 256  # labels heard; more change little and cost time
_ROUNDS, _HALVINGS, _CLOSE = 40, 10, 1e-7
_LEAST = 1e-9  # a page's share of doubt, however sure the judge is of it


class Correction(msgspec.Struct, dict=True):
    """How far off the judge is, by labelled pages."""

    odds: list[float]  # of each labelled page, by a judge that did not know its label
    rows: bytes  # what each is about, as it is kept
    mean: bytes  # of what pages are about
    pull: list[float]
    unsure: float  # log-odds by which all pages together may still be off

    def tell(self, odds: float, meaning: bytes) -> float:
        """What labels add to the log-odds of a page."""
        return float(self.odds_of(np.array([odds]), [meaning])[0])

    def odds_of(self, odds: Floats, meanings: Sequence[bytes]) -> Floats:
        """The same of many pages."""
        known, others, mean, pull = self._arrays
        found: Floats = np.einsum("ij,j->i", in_common(odds, directions(meanings, mean), known, others), pull)
        return found

    @cached_property
    def _arrays(self) -> tuple[Floats, Matrix, Matrix, Floats]:
        mean = np.frombuffer(self.mean, np.float32)
        size = len(mean)
        rows = [self.rows[place : place + size] for place in range(0, len(self.rows), size)]
        return np.array(self.odds), directions(rows, mean), mean, np.array(self.pull)


def learn_correction(
    odds: Floats, rights: Sequence[bool], meanings: Sequence[bytes], met: Sequence[bytes], size: int
) -> Correction | None:
    """What is to be learnt from pages that people labelled: their log-odds (nan where nobody knows them without the
    label), and what they are about, in so many numbers; `met` is what the pages met are about. None where no label is
    heard.
    """
    heard = np.flatnonzero(~np.isnan(odds))
    if not len(heard):
        return None
    if len(heard) > _MOST:
        heard = heard[np.arange(_MOST) * len(heard) // _MOST]
    rows = rows_of(met, size)
    mean: Matrix = rows.sum(axis=0) / np.float32(max(int(rows.any(axis=1).sum()), 1))
    about = [meanings[place] or bytes(size) for place in heard.tolist()]
    seen, known = directions(about, mean), odds[heard]
    said = np.array(rights, np.float64)[heard]
    common = in_common(known, seen, known, seen)
    before = chances_of(known)
    weight = 4.0 * before * (1.0 - before)
    pull = _most_probable(known, said, common, weight)
    there = chances_of(known + common @ pull)
    unsure = 1.0 / math.sqrt(1.0 / UNSURE**2 + float((weight * there * (1.0 - there)).sum()))
    return Correction(known.tolist(), b"".join(about), mean.tobytes(), pull.tolist(), unsure)


def directions(meanings: Sequence[bytes], mean: Matrix) -> Matrix:
    """What pages are about, as seen from the mean; zeros for a page that has no meaning."""
    rows = rows_of(meanings, len(mean))
    found: Matrix = np.where(rows.any(axis=1, keepdims=True), unit(rows - mean), np.float32(0))
    return found


def in_common(odds: Floats, seen: Matrix, known: Floats, others: Matrix) -> Floats:
    """What two pages have in common that the judge may be off by (k above), a row for each page."""
    cosines = np.einsum("ij,kj->ik", seen, others).astype(np.float64)
    local = _LOCAL**2 * np.exp((np.minimum(cosines, 1.0) - 1.0) / _NEAR)
    local[~seen.any(axis=1)] = 0.0
    local[:, ~others.any(axis=1)] = 0.0
    found: Floats = UNSURE**2 + _SLOPE**2 * np.outer(odds, known) + local
    return found


def _most_probable(odds: Floats, said: Floats, kernel: Floats, weight: Floats) -> Floats:
    """What pulls at each labelled page where labels and belief are most probable together, by Newton's method."""
    pull = np.zeros(len(odds))
    best = _likelihood(odds, said, weight, pull, kernel @ pull)
    for _ in range(_ROUNDS):
        off = kernel @ pull
        there = chances_of(odds + off)
        sure = np.maximum(weight * there * (1.0 - there), _LEAST)
        root = np.sqrt(sure)
        wanted = sure * off + weight * (said - there)
        inner = np.eye(len(odds)) + root[:, None] * kernel * root
        step = wanted - root * np.linalg.solve(inner, root * (kernel @ wanted)) - pull
        for _ in range(_HALVINGS):  # where labels are far from what was believed, a whole step goes too far
            if (found := _likelihood(odds, said, weight, pull + step, kernel @ (pull + step))) >= best:
                break
            step = 0.5 * step
        else:
            break
        pull, gained, best = pull + step, found - best, found
        if gained < _CLOSE:
            break
    settled: Floats = weight * (said - chances_of(odds + kernel @ pull))
    return settled


def _likelihood(odds: Floats, said: Floats, weight: Floats, pull: Floats, off: Floats) -> float:
    """How probable labels and belief are together."""
    sides = np.where(said > 0.5, odds + off, -odds - off)
    return -float((weight * np.logaddexp(0.0, -sides)).sum() + 0.5 * (pull @ off))
