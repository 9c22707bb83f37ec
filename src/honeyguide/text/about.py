"""What a text is about: a direction that texts about the same thing share.

    about(t) = unit( sum of word(w) * r / (r + 1000) / n * 100 / (100 + i) )

over the words of the text, with r the rank of w in the table of `vectors.py`, n how often it has stood there so far,
and i its place. The first words of a text tell most of what it is about, all of them tell something, and each less
every time it is said. Words that were put there (`pieces.py`) do not count.
"""

from __future__ import annotations

import threading
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from honeyguide.native import has_native
from honeyguide.text.lookup import numbers_of
from honeyguide.text.pieces import PIECE, foreign, unit
from honeyguide.text.vectors import LONGEST, SIZE, Matrix, Vector, readable, word_table

if has_native:
    from honeyguide import _native

__all__ = ["about", "direction", "pack"]

Places = npt.NDArray[np.int64]

_WORDS, _SIGNS = 800, 8_000  # of a text that are read; where so many signs hold fewer words, all signs are
_FADES = 100.0  # the place from which on a word counts less than half
_COMMON = 1_000  # a word of this rank counts half
_FUNCTION_WORD = 0.3  # what a word counts less than that sentences are made of, whatever they are about
_LEAD = 64  # words with which a text begins: as many as a sentence encoder reads
_KEPT = 20_000  # words that the table has in parts whose directions are remembered, 1 KB each


class _Words(NamedTuple):
    """The words that the table has whole, with their directions; behind them the row of no word."""

    places: dict[str, int]
    rows: Matrix
    counts: npt.NDArray[np.float32]  # what each counts in a text


@cache
def _words() -> _Words | None:
    """The words of the table, if there is one."""
    table = word_table()
    if table is None:
        return None
    found = dict(table.whole())
    rows = np.zeros((len(found) + 1, SIZE), np.float32)
    rows[:-1] = table.vectors(list(found))
    ranks = np.array([*found.values(), 0], np.float32)
    counts = ranks / (ranks + _COMMON)
    counts[-1] = 1.0  # what the table has in parts is rare
    return _Words(dict(zip(found, range(len(found)), strict=True)), rows, counts)


class _WordReader(threading.local):
    """Finds the directions of words, in memory of its own: to be given fresh memory takes longer than to fill it."""

    def __init__(self) -> None:
        self._laid = np.zeros((-(-_WORDS // PIECE) * PIECE, SIZE), np.float32)
        self._rare: dict[str, int] = {}
        self._rows = np.zeros((_KEPT, SIZE), np.float32)

    def read(self, known: _Words, words: list[str]) -> tuple[Matrix, Places]:
        """The direction of each word, and a number that belongs to it; filled up with no word to whole pieces."""
        other, end = len(known.places), len(words)
        places = np.full(-(-end // PIECE) * PIECE, other, np.int64)
        places[:end] = numbers_of(words, known.places, other)
        rows = np.take(known.rows, places, axis=0, out=self._laid[: len(places)], mode="clip")
        rare = np.flatnonzero(places[:end] == other)
        if len(rare):
            found = self._find([words[place] for place in rare.tolist()])
            rows[rare] = self._rows[found]
            places[rare] = found + (other + 1)
        return rows, places

    def _find(self, words: list[str]) -> Places:
        """Where the directions of words lie that the table has in parts."""
        new = list(set(words).difference(self._rare))
        table = word_table()
        if new and table is not None:
            if len(self._rare) + len(new) > _KEPT:  # the words met first are those met most
                self._rare = dict(islice(self._rare.items(), _KEPT // 2))
                new = list(set(words).difference(self._rare))
            first = len(self._rare)
            self._rows[first : first + len(new)] = table.vectors([word[:LONGEST] for word in new])
            self._rare.update(zip(new, range(first, first + len(new)), strict=True))
        return numbers_of(words, self._rare)


_READER = _WordReader()


def about(text: str, *, lead: bool = False) -> tuple[Vector, list[str], str]:
    """What a text is about, by its words, the first above all; those that were put there; and, where `lead` asks
    for it, how it begins without them.

    Zeros where there are no vectors, or none for its words.

    >>> about("")[0].any()
    np.False_
    """
    known = _words()
    words = _split(text) if known is not None else []
    if known is None or not words:
        return np.zeros(SIZE, np.float32), [], ""
    rows, places = _READER.read(known, words)
    end, size = len(words), len(places) // PIECE
    counts = known.counts[np.minimum(places, len(known.places))]
    counts[end:] = 0.0
    common = (counts < _FUNCTION_WORD).reshape(size, PIECE).sum(axis=1)
    common[-1] -= len(places) - end
    pieces = np.einsum("pi,pij->pj", counts.reshape(size, PIECE), rows.reshape(size, PIECE, SIZE))
    put_there = np.repeat(foreign(pieces, common, end), PIECE)[:end]
    weights = np.where(put_there, 0, counts[:end] / (_nth(places[:end]) * (1.0 + np.arange(end) / _FADES)))
    found: Vector = unit(np.einsum("i,ij->j", weights.astype(np.float32), rows[:end])[None, :])[0]
    begins = " ".join([words[place] for place in np.flatnonzero(~put_there)[:_LEAD].tolist()]) if lead else ""
    return found, [words[place] for place in np.flatnonzero(put_there).tolist()], begins


def _split(text: str) -> list[str]:
    """The words with which a text begins."""
    words = readable(text[:_SIGNS])
    if len(words) <= _WORDS and len(text) > _SIGNS:
        words = readable(text)
    return words[:_WORDS]


def _nth(numbers: Places) -> Places:
    """The how manieth of its kind each number is.

    >>> _nth(np.array([7, 5, 7, 7, 5])).tolist()
    [1, 1, 2, 3, 2]
    """
    if has_native:
        return np.frombuffer(_native.nth(numbers), np.int64)
    order = np.argsort(numbers, kind="stable")
    first = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    found = np.empty(len(numbers), np.int64)
    found[order] = np.arange(1, len(numbers) + 1) - np.repeat(first, np.diff(first, append=len(numbers)))
    return found


def direction(text: str) -> Vector:
    """What a text is about alone."""
    return about(text)[0]


def pack(found: Vector) -> bytes:
    """A direction as one signed byte a number; nothing where there is none.

    >>> pack(np.zeros(SIZE, np.float32))
    b''
    """
    return np.rint(found * 127).astype(np.int8).tobytes() if found.any() else b""
