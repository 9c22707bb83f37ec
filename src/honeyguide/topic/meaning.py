"""The topic as a direction among the meanings of pages.

Each page brings the direction of its title and text (`text.about`). All are taken from the mean of the pages met that
are off topic, which is what makes them tell: what any page of this web has in common says nothing about the topic. Were
those on it counted, the better a crawl goes, the less it would know of its topic.

    m     = mean of the pages met, each as surely as it is off topic by its words, * n / (n + 2), n the sum of these
    query = unit( mean of the examples + .5 / sqrt(k) * keywords - .5 * mean of the pages labelled wrong )
    score = unit(page - m) . query

A page without a direction (in a language that has no vectors, or without text) has no score: nan.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.text.vectors import unit
from honeyguide.topic.calibrate import Floats

__all__ = ["Meaning", "learn_meaning", "rows_of"]

Matrix = NDArray[np.float32]

_TRUST = 2.0  # pages met, at which their mean counts half
_KEYWORDS = 0.5  # what the keywords weigh beside one example
_WRONG = 0.5  # what pages labelled wrong weigh against the examples


class Meaning(msgspec.Struct):
    """The direction of a topic, and what the pages it was learnt from score under it."""

    mean: Matrix
    query: Matrix
    own: Floats  # examples, each scored by the others; nan for a lone one
    others: Floats  # of these, too, each of those labelled wrong

    def score(self, meaning: bytes) -> float | None:
        """How like the topic a page is in what it says."""
        if not meaning:
            return None
        # As `_scores` has it of many: this is done for every page.
        row = np.frombuffer(meaning, np.int8).astype(np.float32)[None, :]
        row /= np.float32(127)
        if not row.any():
            return math.nan
        row -= self.mean
        size = np.sqrt(np.einsum("ij,ij->i", row, row))
        if size[0]:
            row /= size
        return float(np.einsum("ij,j->i", row, self.query)[0])


def learn_meaning(
    examples: Sequence[bytes],
    others: Sequence[bytes],
    off: Floats,
    wrong: int,
    keywords: Matrix,
    unread: int = 0,
) -> Meaning | None:
    """The direction of a topic; None where fewer than half of the examples have one, those that are unread apart.

    `off` says how surely each of the others is off topic; of the last `wrong` it is known.
    """
    own, met = (rows_of(meanings, len(keywords)) for meanings in (examples, others))
    known = np.flatnonzero(own.any(axis=1))
    if not len(known) or 2 * len(known) < len(examples) - unread:
        return None
    there = float(off[met.any(axis=1)].sum())
    mean: Matrix = (np.einsum("i,ij->j", off, met) / (there + _TRUST)).astype(np.float32)
    steering = _KEYWORDS * _centred(keywords[None, :], mean)[0]
    directions, wrongs = _centred(own[known], mean), _centred(met[len(met) - wrong :], mean)
    total, against, size = directions.sum(axis=0), wrongs.sum(axis=0), len(known)

    def query(total: Matrix, size: int, against: Matrix, wrong: int) -> Matrix:
        held = _WRONG / max(wrong, 1) * against
        made: Matrix = unit((total / size + steering / math.sqrt(size) - held)[None, :])[0]
        return made

    def score(page: Matrix, without: Matrix) -> float:
        return float(np.einsum("i,i->", page, without))

    left_out = np.full(len(examples), np.nan)
    if size > 1:
        left_out[known] = [score(one, query(total - one, size - 1, against, wrong)) for one in directions]
    found = query(total, size, against, wrong)
    scores = _scores(met, mean, found)
    for place, one in enumerate(wrongs, start=len(met) - wrong):
        if one.any():
            scores[place] = score(one, query(total, size, against - one, wrong - 1))
    return Meaning(mean, found, left_out, scores)


def rows_of(meanings: Sequence[bytes], size: int) -> Matrix:
    """Directions of so many numbers as they are kept, a row each; zeros for a page that has none."""
    nothing = bytes(size)
    packed = b"".join(one or nothing for one in meanings)
    return np.frombuffer(packed, np.int8).reshape(len(meanings), size).astype(np.float32) / np.float32(127)


def _centred(rows: Matrix, mean: Matrix) -> Matrix:
    """Directions as seen from the mean; what has none gets none."""
    there = np.any(rows, axis=1, keepdims=True)
    return unit(np.where(there, rows - mean, np.float32(0)))


def _scores(rows: Matrix, mean: Matrix, query: Matrix) -> Floats:
    scores = np.einsum("ij,j->i", _centred(rows, mean), query).astype(np.float64)
    return np.where(rows.any(axis=1), scores, np.nan)
