"""Vectors for words and names: what a link is called, as a direction that like names share.

Static word vectors come with the package `wordllama`: a table of token vectors (float16, 32,000 x 256) and a byte-pair
vocabulary. The package itself is never imported, for it would bring much along; its two files are read as they lie.

    word(w) = unit( sum of the vectors of its tokens )
    name(n) = unit( sum of word(w) over its words )

What whole texts are about is told by `about.py`.

A word the table cannot read (Chinese, say), and every word where there is no table, has a direction of its own, drawn
from its hash: names that share such words are alike, others are not.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice, repeat
from operator import add
from pathlib import Path

import numpy as np
import numpy.typing as npt
import xxhash

from honeyguide.native import has_native
from honeyguide.text.pieces import unit
from honeyguide.text.terms import MARKS, terms_of_many

if has_native:
    from honeyguide import _native

__all__ = [
    "LONGEST", "SIZE", "Matrix", "Vector", "Vectors", "readable", "some", "unit", "without_hashes", "word_table",
]  # fmt: skip

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]  # a vector a row

SIZE = 256  # numbers in a vector
_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TOKENS = "tokenizers/l2_supercat_tokenizer_config.json"
_KEPT = 16_384  # words whose vectors are remembered, 1 KB each
_NONE = 1 << 30  # the number of a token that is none, past all others
_BEGIN = "\u2581"  # what a token that begins a word begins with
_READ = re.compile(r"[a-z\u00df-\u024f']+")  # words the table was made for
_LETTERS = re.compile(r"[^\W\d_]{2,}")  # the words of a name; numbers tell nothing, even where they stand in words
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")  # written without spaces
_TURNS = re.compile(r"\d[^\W\d_]+\d")  # a digit, letters and a digit again: few texts have that, and it is soon told
_HASH = re.compile(r"\b(?=[^\W_]{6})[^\W_]*?\d[^\W\d_]+\d[^\W_]*")
_NO_BREAK = "\u00a0".encode()
LONGEST = 40  # letters of a word that are read
_BETWEEN = MARKS[0]  # between names that are read together
# Sets lower-case letters of ASCII, and that mark, apart from all other signs.
_OTHERS = bytes(one for one in range(128) if not (97 <= one <= 122 or chr(one) == _BETWEEN))
_APART = bytes.maketrans(_OTHERS, b" " * len(_OTHERS))
_MOST = 24  # words of a name that are read
_FIRST = 259  # the number of the commonest token; those below are signs and bytes


class _TokenVectors:
    """The token vectors of a package, and the byte-pair code that cuts words into its tokens."""

    def __init__(self, folder: Path) -> None:
        weights = folder / _WEIGHTS
        with weights.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            (entry,) = json.loads(file.read(length)).values()
        if entry["dtype"] != "F16" or entry["shape"][1] != SIZE:
            raise ValueError(f"{weights} holds no float16 vectors of {SIZE} numbers")
        begin = 8 + length + entry["data_offsets"][0]
        self._packed = np.asarray(np.memmap(weights, np.float16, "r", offset=begin, shape=tuple(entry["shape"])))
        # As far as they were asked for, in numbers that need not be unpacked each time; what is not, takes no memory.
        self._rows = np.empty(self._packed.shape, np.float32)
        self._there = np.zeros(len(self._packed), np.bool_)
        self._numbers: dict[str, int] = json.loads((folder / _TOKENS).read_bytes())["model"]["vocab"]
        self._pairs = _native.Pairs(self._numbers, int.from_bytes(os.urandom(8), "little")) if has_native else None

    def tokens(self, word: str) -> list[int]:
        """The tokens of a word: of all neighbours that make a token together, those of the oldest token merge first.

        What each pair would make is looked up once, and anew only where a merge has changed it: most words of names
        are rare ones, which no table has whole, so this is most of what a name costs.
        """
        number = self._numbers.get
        whole = number(_BEGIN + word)
        if whole is not None:
            return [whole]
        parts = [_BEGIN, *word]
        made = list(map(number, map(add, parts, word), repeat(_NONE)))
        while made and (best := min(made)) != _NONE:
            place = made.index(best)
            one = parts[place] = parts[place] + parts.pop(place + 1)
            del made[place]
            if place:
                made[place - 1] = number(parts[place - 1] + one, _NONE)
            if place < len(made):
                made[place] = number(one + parts[place + 1], _NONE)
        return [found for found in map(number, parts) if found is not None]

    def whole(self) -> Iterator[tuple[str, int]]:
        """The words that are tokens of their own, each with its rank; the commonest come first."""
        for token, number in self._numbers.items():
            if token[0] == _BEGIN and number >= _FIRST and _READ.fullmatch(token, 1):
                yield token[1:], number - _FIRST

    def vectors(self, words: Sequence[str]) -> Matrix:
        """The directions of words; zeros for one that cannot be read."""
        wanted, counts = self._cut(words)
        new = wanted[~self._there[wanted]]
        if len(new):
            self._rows[new] = self._packed[new]
            self._there[new] = True
        return unit(_sums(self._rows, wanted, counts))

    def _cut(self, words: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The tokens of words, one after another, and how many each has."""
        if self._pairs is not None and max(map(len, words), default=0) <= LONGEST:
            tokens, counts = self._pairs.tokens(words)
            return np.frombuffer(tokens, np.int64), np.frombuffer(counts, np.int64)
        cut = list(map(self.tokens, words))
        return np.array(list(chain.from_iterable(cut)), np.int64), np.array(list(map(len, cut)), np.int64)


@cache
def word_table() -> _TokenVectors | None:
    """The table, if the package is there; it is looked for, not imported."""
    found = importlib.util.find_spec("wordllama")
    for folder in (found.submodule_search_locations or ()) if found else ():
        if (Path(folder) / _WEIGHTS).is_file() and (Path(folder) / _TOKENS).is_file():
            return _TokenVectors(Path(folder))
    return None


def _drawn(word: str) -> Vector:
    """A direction that belongs to a word alone: a sign for each dimension, from its hash."""
    seed = word.encode("utf-8", "surrogatepass")
    bits = b"".join(xxhash.xxh3_128_digest(seed, half) for half in range(SIZE // 128))
    signs = np.unpackbits(np.frombuffer(bits, np.uint8)).astype(np.float32)
    return (signs * 2 - 1) / np.float32(SIZE**0.5)


def without_hashes(text: str) -> str:
    """The text without words in which letters and digits take turns: those are names for machines.

    >>> without_hashes("57858019e54bcee7.htm"), without_hashes("cs414, MP3 player")
    ('.htm', 'cs414, MP3 player')
    """
    return _HASH.sub("", text) if _TURNS.search(text) else text


def _sums(known: Matrix, places: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> Matrix:
    """The sums of so many rows each, whose places lie one after another; zeros where there are none."""
    if has_native:
        return np.frombuffer(_native.sums_of(known, SIZE, places, counts), np.float32).reshape(-1, SIZE)
    return _sums_in_python(known, places, counts)


def _sums_in_python(known: Matrix, places: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> Matrix:
    """The first of each, then the second, and so on, those with the most in front: several times as fast as
    `add.reduceat`, for most are few."""
    order = np.argsort(-counts, kind="stable")
    begins = (np.cumsum(counts) - counts)[order]
    total = np.zeros((len(counts), SIZE), np.float32)
    left = np.cumsum(np.bincount(counts)[::-1])[::-1]  # how many have at least so many rows
    for nth, many in enumerate(left[1:].tolist()):
        total[:many] += known[places[begins[:many] + nth]]
    found = np.empty_like(total)
    found[order] = total
    return found


def some(rows: Matrix) -> npt.NDArray[np.bool_]:
    """Whether each row has anything but zeros; `any` takes five times as long."""
    found: npt.NDArray[np.bool_] = np.einsum("ij,ij->i", rows, rows) > 0
    return found


class Vectors:
    """Turns words and names into directions.

    Parameters
    ----------
    meaning
        Whether word vectors are used where the package has them; otherwise names are alike by their words alone.

    >>> vectors = Vectors(meaning=False)
    >>> one, two = vectors.names(["steam engine", "engine, steam"])
    >>> float(one @ two).__round__(3)
    1.0
    """

    def __init__(self, *, meaning: bool = True) -> None:
        self._table = word_table() if meaning else None
        self._places: dict[str, int] = {}  # of words whose vectors are remembered
        # Room for all that are remembered, and for those of a large page: what is not used of it takes no memory.
        self._known = np.empty((_KEPT + _KEPT // 2, SIZE), np.float32)

    @property
    def meaning(self) -> bool:
        """Whether there are word vectors."""
        return self._table is not None

    def name(self, text: str, language: str = "en") -> Vector:
        """The direction of one name."""
        found: Vector = self.names([text], language)[0]
        return found

    def names(self, texts: Sequence[str], language: str = "en") -> Matrix:
        """The directions of names, all at once; zeros for one that has no word."""
        words = [one[:_MOST] for one in self._words(texts, language)]
        places = np.array(self._find(list(chain.from_iterable(words))), np.int64)
        return unit(_sums(self._known, places, np.array(list(map(len, words)), np.int64)))

    def _words(self, texts: Sequence[str], language: str) -> Sequence[Sequence[str]]:
        if self._table is None:
            return terms_of_many(list(map(without_hashes, texts)), language)
        joined = without_hashes(
            f" {_BETWEEN} ".join(texts)
        )  # of all at once: a text alone is hardly longer than a call
        if joined.count(_BETWEEN) >= max(len(texts), 1):  # a mark of its own, which would be taken for ours
            return [_letters(without_hashes(text).lower().replace(_BETWEEN, " ")) for text in texts]
        found, start = [], 0
        read = _letters(joined.lower())
        for _ in texts[1:]:
            end = read.index(_BETWEEN, start)
            found.append(read[start:end])
            start = end + 1
        return [*found, read[start:]]

    def _find(self, words: Sequence[str]) -> list[int]:
        """Where the vectors of words lie; those that are not there yet are made."""
        places = self._places
        if len(places) > _KEPT:  # the words met first are those met most
            for word in list(islice(places, _KEPT // 2, None)):
                del places[word]
        new = list(set(words).difference(places))
        if new:
            first = len(places)
            if first + len(new) > len(self._known):
                self._known = np.concatenate([self._known[:first], np.empty((2 * len(new), SIZE), np.float32)])
            self._known[first : first + len(new)] = self._make(new)
            places.update(zip(new, range(first, first + len(new)), strict=True))
        return list(map(places.__getitem__, words))

    def _make(self, words: Sequence[str]) -> Matrix:
        made: Matrix = np.zeros((len(words), SIZE), np.float32)
        if self._table is not None:
            read = [place for place, word in enumerate(words) if _READ.fullmatch(word)]
            if len(read) == len(words):
                made = self._table.vectors([word[:LONGEST] for word in words])
            elif read:
                made[read] = self._table.vectors([words[place][:LONGEST] for place in read])
        for place in np.flatnonzero(~some(made)).tolist():
            made[place] = _drawn(words[place])
        return made


def readable(text: str) -> list[str]:
    """The words of a text that the table was made for."""
    return _native.letters(text, _readable) if has_native else _readable(text)


def _readable(text: str) -> list[str]:
    words = _letters(text.lower().replace(_BETWEEN, " "))
    return words if text.isascii() else [word for word in words if word.isascii() or _READ.fullmatch(word)]


def _letters(text: str) -> list[str]:
    """The words of a lower-case text, of letters alone, and its marks: by bytes, far faster than by a search.

    Where words are written without spaces, every two neighbours are taken for one: a name is soon read so, while the
    dictionary that would tell words takes longer to load than a hundred pages to rank, for a link to "中文" alone.

    >>> _letters("it's 3 bees, caf\u00e9s \u8336\u82b1 a-bc")
    ['it', 'bees', 'caf\u00e9s', '\u8336\u82b1', 'bc']
    >>> _letters("\u6570\u636e\u6316\u6398 \u86702d")
    ['\u6570\u636e', '\u636e\u6316', '\u6316\u6398']
    """
    utf8 = text.encode("utf-8", "replace").replace(_NO_BREAK, b" ").translate(_APART)
    words = utf8.decode().split()
    if utf8.isascii():
        return [word for word in words if len(word) > 1 or word == _BETWEEN]
    found: list[str] = []
    for word in words:
        if word.isascii():
            if len(word) > 1 or word == _BETWEEN:
                found.append(word)
        else:
            found += chain.from_iterable(map(_apart, _LETTERS.findall(word)))
    return found


def _apart(word: str) -> list[str]:
    """The parts of a word in scripts that have spaces, and the pairs of neighbours in those that have none."""
    runs = _HAN.findall(word)
    if not runs:
        return [word]
    return [
        *(part for part in _HAN.split(word) if len(part) > 1),
        *(pair for run in runs for pair in map(add, run, run[1:])),
    ]
