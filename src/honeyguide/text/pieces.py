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

Rows = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

PIECE = 15  # words of a piece
_FEWEST = 12  # pieces of a text: in a shorter one, as on a home page, there are too few to tell what belongs
_UNLIKE, _LESS_LIKE = 0.5, 0.8  # of how like a piece of the text is
_SENTENCES = 0.15  # of the words of sentences are such as "the" or "was"; of their 45 words in a row, nearly always


def foreign(words: Rows, common: Flags) -> Flags:
    """Which pieces of a text were put there, by the directions of its words and by which of these are the commonest.

    >>> bees, stars = np.eye(4, dtype=np.float32)[:2]
    >>> text = np.array([stars] * 30 + [bees] * 300)
    >>> foreign(text, np.arange(330) % 3 == 0).nonzero()[0].tolist()
    [0, 1]
    """
    rows = _pieces(words)
    size = len(rows)
    if size < _FEWEST:
        return np.zeros(size, np.bool_)
    read = unit(_around(rows))
    lists = _around(_pieces(common[:, None].astype(np.float32)))[:, 0] < _SENTENCES * _around(_sizes(len(words)))[:, 0]
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
    found: Flags = (like < _UNLIKE * usual) | (lists & (like < _LESS_LIKE * usual))
    return found


def unit(rows: Rows) -> Rows:
    """Rows of length 1; zeros stay zeros."""
    sizes = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    sizes[sizes == 0] = 1.0
    scaled: Rows = rows / sizes[:, None]
    return scaled


def _sizes(words: int) -> Rows:
    return _pieces(np.ones((words, 1), np.float32))


def _pieces(rows: Rows) -> Rows:
    """The sum of each so many rows."""
    found: Rows = np.add.reduceat(rows, np.arange(0, len(rows), PIECE))
    return found


def _around(rows: Rows) -> Rows:
    """Each row with the one before and the one after it added."""
    found = rows.copy()
    found[1:] += rows[:-1]
    found[:-1] += rows[1:]
    return found
