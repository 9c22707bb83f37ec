"""Which parts of a text are no part of it: words put among those of a page that is about something else.

A text is cut into pieces of a few words, and each is read together with its two neighbours. The half of them most like
the others tell what the text is about; how like that the middle one of this half is, is the measure of the text. A
piece not half as like was put there. So was a piece without sentences that is somewhat less like than others: a list of
words. Where most of a text is lists, lists are what it is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["PIECE", "foreign", "unit"]

Rows = npt.NDArray[np.float32]  # a vector a row
Weights = npt.NDArray[np.float32]  # a number for each row
Flags = npt.NDArray[np.bool_]

PIECE = 15  # words of a piece
_FEWEST = 12  # pieces of a text: in a shorter one, as on a home page, there are too few to tell what belongs
_GUESTS = 1 / 3  # of a text: where more seems foreign, who is to say which part is the guest
_UNLIKE, _LESS_LIKE = 0.5, 0.8  # of how like a piece of the text is
_SENTENCES = 0.15  # of their words are such as "the" or "was"; where fewer of 45 in a row are, there are none


def foreign(words: Rows, counts: Weights, common: Flags) -> Flags:
    """Which pieces of a text were put there, by its words: directions, how much each counts, which are common.

    >>> bees, stars = np.eye(4, dtype=np.float32)[:2]
    >>> text, counts = np.array([stars] * 30 + [bees] * 300), np.ones(330, np.float32)
    >>> foreign(text, counts, np.arange(330) % 3 == 0).nonzero()[0].tolist()
    [0, 1]
    """
    size = -(-len(words) // PIECE)
    if size < _FEWEST:
        return np.zeros(size, np.bool_)
    rows = _pieces(words, counts)
    read = unit(_around(rows))
    each = np.ones((len(words), 1), np.float32)
    lists = (_around(_pieces(each, common)) < _SENTENCES * _around(_pieces(each, each[:, 0])))[:, 0]
    if 2 * lists.sum() > size:
        lists[:] = False
    # Every third is enough: with its neighbours it stands for all three.
    median = np.median(np.einsum("ij,kj->ik", read, read[~lists][::3]), axis=1)
    median[lists] = -np.inf
    core = np.zeros(size, np.bool_)
    core[np.argsort(-median, kind="stable")[: (int((~lists).sum()) + 1) // 2]] = True
    own = np.where(core[:, None], rows, np.float32(0))  # nothing is compared with itself
    like = np.einsum("ij,ij->i", read, unit(own.sum(axis=0) - _around(own)))
    usual = float(np.median(like[core]))
    unlike = (like < _UNLIKE * usual) & ~lists
    if unlike.sum() > _GUESTS * size:
        unlike[:] = False
    found: Flags = unlike | (lists & (like < _LESS_LIKE * usual))
    return found


def unit(rows: Rows) -> Rows:
    """Rows of length 1; zeros stay zeros."""
    sizes = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    sizes[sizes == 0] = 1.0
    scaled: Rows = rows / sizes[:, None]
    return scaled


def _pieces(rows: Rows, counts: Weights | Flags) -> Rows:
    """The sum of each so many rows, of which each counts so much."""
    size, short = len(rows), -len(rows) % PIECE
    weights = np.zeros(size + short, np.float32)
    weights[:size] = counts
    # The last piece is filled up with what counts nothing: `add.reduceat`, which takes it as it is, is far slower.
    filled = np.concatenate([rows, rows[:short]]) if short else rows
    found: Rows = np.einsum("pi,pij->pj", weights.reshape(-1, PIECE), filled.reshape(-1, PIECE, rows.shape[1]))
    return found


def _around(rows: Rows) -> Rows:
    """Each row with the one before and the one after it added."""
    found = rows.copy()
    found[1:] += rows[:-1]
    found[:-1] += rows[1:]
    return found
