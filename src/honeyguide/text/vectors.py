"""Vectors for words and names: what a link is called, as a direction that like names share.

Static word vectors come with the package `wordllama`: a table of token vectors (float16, 32,000 x 256) and a byte-pair
vocabulary. The package itself is never imported, for it would bring much along; its two files are read as they lie.

    word(w) = unit( sum of the vectors of its tokens )
    name(n) = unit( sum of word(w) over its words )

A word the table cannot read (Chinese, say), and every word where there is no table, has a direction of its own, drawn
from its hash: names that share such words are alike, others are not.
"""

from __future__ import annotations

import importlib.util
import json
import re
import struct
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import xxhash

from honeyguide.text.terms import spaced, terms

__all__ = ["SIZE", "Vectors"]

Vector = npt.NDArray[np.float32]

SIZE = 256  # numbers in a vector
_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENS = "tokenizers/l2_supercat_tokenizer_config.json"
_KEPT = 50_000  # words whose vectors are remembered
_BEGIN = "\u2581"  # what a token that begins a word begins with
_READ = re.compile(r"[a-z\u00df-\u024f']+")  # words the table was made for
_LETTERS = re.compile(r"[^\W\d_]{2,}")  # the words of a name; numbers tell nothing, even where they stand in words
_LONGEST = 40  # letters of a word that are read
_MOST = 24  # words of a name that are read


class _Table:
    """The token vectors of a package, and the byte-pair code that cuts words into its tokens."""

    def __init__(self, folder: Path) -> None:
        weights = folder / _WEIGHTS
        with weights.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            (entry,) = json.loads(file.read(length)).values()
        if entry["dtype"] != "F16" or entry["shape"][1] != SIZE:
            raise ValueError(f"{weights} holds no float16 vectors of {SIZE} numbers")
        begin = 8 + length + entry["data_offsets"][0]
        self._rows = np.asarray(np.memmap(weights, np.float16, "r", offset=begin, shape=tuple(entry["shape"])))
        self._numbers: dict[str, int] = json.loads((folder / _TOKENS).read_bytes())["model"]["vocab"]

    def tokens(self, word: str) -> list[int]:
        """The tokens of a word: of all neighbours that make a token together, those of the oldest token merge first."""
        numbers = self._numbers
        whole = numbers.get(_BEGIN + word)
        if whole is not None:
            return [whole]
        parts = [_BEGIN, *word]
        while len(parts) > 1:
            best, place = min((numbers.get(one + two, 1 << 30), at) for at, (one, two) in enumerate(pairwise(parts)))
            if best == 1 << 30:
                break
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        return [numbers[part] for part in parts if part in numbers]

    def vector(self, word: str) -> Vector | None:
        """The direction of a word; None if it cannot be read."""
        found = self.tokens(word)
        if not found:
            return None
        total: Vector = self._rows[found].astype(np.float32).sum(axis=0)
        size = float(np.sqrt(total @ total))
        return total / np.float32(size) if size else None


@cache
def _table() -> _Table | None:
    """The table, if the package is there; it is looked for, not imported."""
    found = importlib.util.find_spec("wordllama")
    for folder in (found.submodule_search_locations or ()) if found else ():
        if (Path(folder) / _WEIGHTS).is_file() and (Path(folder) / _TOKENS).is_file():
            return _Table(Path(folder))
    return None


def _drawn(word: str) -> Vector:
    """A direction that belongs to a word alone: a sign for each dimension, from its hash."""
    seed = word.encode("utf-8", "surrogatepass")
    bits = b"".join(xxhash.xxh3_128_digest(seed, half) for half in range(SIZE // 128))
    signs = np.unpackbits(np.frombuffer(bits, np.uint8)).astype(np.float32)
    return (signs * 2 - 1) / np.float32(SIZE**0.5)


class Vectors:
    """Turns words and names into directions.

    Parameters
    ----------
    meaning
        Whether word vectors are used where the package has them; otherwise names are alike by their words alone.

    >>> vectors = Vectors(meaning=False)
    >>> float(vectors.name("steam engine") @ vectors.name("engine, steam")).__round__(3)
    1.0
    """

    def __init__(self, *, meaning: bool = True) -> None:
        self._table = _table() if meaning else None
        self._known: dict[str, Vector] = {}

    @property
    def meaning(self) -> bool:
        """Whether there are word vectors."""
        return self._table is not None

    def name(self, text: str, language: str = "en") -> Vector:
        """The direction of a name; zeros if it has no word."""
        total = np.zeros(SIZE, np.float32)
        for word in self._words(text, language)[:_MOST]:
            vector = self._known.get(word)
            if vector is None:
                vector = self._make(word)
            total += vector
        size = float(np.sqrt(total @ total))
        return total / np.float32(size) if size else total

    def _words(self, text: str, language: str) -> list[str]:
        if self._table is None:
            return terms(text, language)
        return _LETTERS.findall(spaced(text.lower()))

    def _make(self, word: str) -> Vector:
        vector = None
        if self._table is not None and _READ.fullmatch(word):
            vector = self._table.vector(word[:_LONGEST])
        if vector is None:
            vector = _drawn(word)
        if len(self._known) >= _KEPT:
            self._known.clear()
        self._known[word] = vector
        return vector
