"""Which parts of a text are no part of it: words put among those of a page that is about something else.

A text is cut into pieces of a few words, and each is read together with its two neighbours. The half of them most like
the others tell what the text is about; how like that the middle one of this half is, is the measure of the text. A
piece not half as like was put there. So was a piece without sentences that is somewhat less like than others: a list
of words. Where most of a text is lists, lists are what it is.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

__all__ = ["PIECE", "foreign", "unit"]

Rows = npt.NDArray[np.float32]  # a vector a row
Counts = npt.NDArray[np.int64]  # a number for each piece
Flags = npt.NDArray[np.bool_]

PIECE = 15  # words of a piece
_FEWEST = 12  # pieces of a text: in a shorter one, as on a home page, there are too few to tell what belongs
_GUESTS = 1 / 3  # of a text: where more seems foreign, who is to say which part is the guest
_UNLIKE, _LESS_LIKE = 0.5, 0.8  # of how like a piece of the text is
_SENTENCES = 0.15  # of their words are such as "the" or "was"; where fewer of 45 in a row are, there are none


def foreign(pieces: Rows, common: Counts, words: int) -> Flags:
    """Which pieces of a text of so many words were put there, by their directions and by how many are common words.

    >>> bees, stars = np.eye(4, dtype=np.float32)[:2]
    >>> foreign(np.array([stars] * 2 + [bees] * 20), np.full(22, 5), 330).nonzero()[0].tolist()
    [0, 1]
    """
    size = len(pieces)
    if size < _FEWEST:
        return np.zeros(size, np.bool_)
    read = unit(_around(pieces))
    sizes = np.full(size, PIECE)
    sizes[-1] -= size * PIECE - words
    lists = _around(common) < _SENTENCES * _around(sizes)
    if 2 * lists.sum() > size:
        lists[:] = False
    # Every third is enough: with its neighbours it stands for all three.
    median = _median(np.einsum("ij,kj->ik", read, read[~lists][::3]))
    median[lists] = -np.inf
    core = np.zeros(size, np.bool_)
    core[np.argsort(-median, kind="stable")[: (int((~lists).sum()) + 1) // 2]] = True
    own = np.where(core[:, None], pieces, np.float32(0))  # nothing is compared with itself
    like = np.einsum("ij,ij->i", read, unit(own.sum(axis=0) - _around(own)))
    usual = float(_median(like[core]))
    unlike = (like < _UNLIKE * usual) & ~lists
    if unlike.sum() > _GUESTS * size:
        unlike[:] = False
    found: Flags = unlike | (lists & (like < _LESS_LIKE * usual))
    return found


def _median(rows: Rows) -> Rows:
    """The median of each row; that of numpy takes ten times as long."""
    rows, size = np.sort(rows, axis=-1), rows.shape[-1]
    found: Rows = (rows[..., (size - 1) // 2] + rows[..., size // 2]) / np.float32(2)
    return found


def unit(rows: Rows) -> Rows:
    """Rows of length 1; zeros stay zeros."""
    sizes = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    sizes[sizes == 0] = 1.0
    scaled: Rows = rows / sizes[:, None]
    return scaled


_Some = TypeVar("_Some", Rows, Counts)


def _around(rows: _Some) -> _Some:
    """Each row with the one before and the one after it added."""
    found = rows.copy()
    found[1:] += rows[:-1]
    found[:-1] += rows[1:]
    return found
