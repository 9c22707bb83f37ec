"""Numbers for names: each text that is met gets the next integer, and can be asked back by it.

A graph of a million nodes cannot afford a dictionary of a million strings. Here a name costs its own bytes and
about thirty more: all text lies in one stretch, and is found by a sorted array of 64-bit hashes, with a small
dictionary for the latest ones that is merged into it now and then. Two names that share a hash would share a number;
among a million names the odds of one such pair are one in thirty million.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import xxhash
from numpy.typing import NDArray

from honeyguide.graph.column import Column

__all__ = ["Names"]

_RECENT = 1_024


class _State(msgspec.Struct):
    text: bytes
    ends: bytes


class Names:
    """Texts by number, numbers by text.

    >>> names = Names()
    >>> names.numbers(["a", "b", "a"]).tolist(), names[1], len(names)
    ([0, 1, 0], 'b', 2)
    """

    def __init__(self) -> None:
        self._text = bytearray()
        self._ends: Column[np.int64] = Column(np.int64)
        self._hashes = np.zeros(0, dtype=np.uint64)  # sorted
        self._numbers = np.zeros(0, dtype=np.int32)  # the number of each, in the order of the hashes
        self._recent: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, number: int) -> str:
        ends = self._ends.values
        return self._text[ends[number - 1] if number else 0 : ends[number]].decode("utf-8", "surrogatepass")

    def numbers(self, names: Sequence[str]) -> NDArray[np.int64]:
        """The number of each name; a new one for one never met."""
        encoded = [name.encode("utf-8", "surrogatepass") for name in names]
        hashes = [xxhash.xxh3_64_intdigest(name) for name in encoded]
        found = self._look(np.array(hashes, dtype=np.uint64))
        recent = self._recent
        ends: list[int] = []
        for place in np.flatnonzero(found < 0).tolist():
            number = recent.get(hashes[place])
            if number is None:
                number = recent[hashes[place]] = len(self._ends) + len(ends)
                self._text += encoded[place]
                ends.append(len(self._text))
            found[place] = number
        self._ends.extend(ends)
        if len(recent) > max(_RECENT, len(self._hashes) // 8):
            self._merge()
        return found

    def _look(self, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The numbers of those among the sorted, -1 for the others."""
        if not len(self._hashes):
            return np.full(len(hashes), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self._hashes, hashes), len(self._hashes) - 1)
        return np.where(self._hashes[places] == hashes, self._numbers[places], -1).astype(np.int64)

    def _merge(self) -> None:
        hashes = np.concatenate((self._hashes, np.fromiter(self._recent, dtype=np.uint64, count=len(self._recent))))
        fresh = np.fromiter(self._recent.values(), dtype=np.int32, count=len(self._recent))
        self._recent = {}
        order = np.argsort(hashes)
        self._hashes = hashes[order]
        self._numbers = np.concatenate((self._numbers, fresh))[order]

    def save(self) -> bytes:
        """All names as bytes; the hashes are made again from them."""
        return msgspec.msgpack.encode(_State(bytes(self._text), self._ends.save()))

    def load(self, state: bytes) -> None:
        """The names these bytes came from."""
        saved = msgspec.msgpack.decode(state, type=_State)
        self._text = bytearray(saved.text)
        self._ends.load(saved.ends)
        digest = xxhash.xxh3_64_intdigest
        text, start = saved.text, 0
        hashes = np.empty(len(self._ends), dtype=np.uint64)
        for number, end in enumerate(self._ends.values.tolist()):
            hashes[number] = digest(text[start:end])
            start = end
        order = np.argsort(hashes)
        self._hashes, self._numbers, self._recent = hashes[order], order.astype(np.int32), {}
