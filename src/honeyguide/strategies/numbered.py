"""Terms as numbers of 16 bits, by a hash that models of earlier crawls were learnt with."""

from __future__ import annotations

from collections.abc import Collection
from threading import local

import numpy as np
import xxhash

from honeyguide.strategies.base import Ints

__all__ = ["remembered_numbers"]

_SLOTS = 1 << 16
_MOST = 1 << 17  # terms whose numbers are remembered, and those of one page


class _Numbers(dict[str, int]):
    """The numbers of terms, each worked out when it is met."""

    def __missing__(self, term: str) -> int:
        number = self[term] = xxhash.xxh3_64_intdigest(term.encode("utf-8", "surrogatepass")) % (_SLOTS - 1) + 1
        return number


class _Remembered(local):
    """Those of one thread: what another lets go would be missed between two steps."""

    def __init__(self) -> None:
        self.numbers = _Numbers()


_REMEMBERED = _Remembered()


def remembered_numbers(terms: Collection[str]) -> Ints:
    """A number from 1 to 65,535 for each term."""
    numbers = _REMEMBERED.numbers
    if len(numbers) > _MOST:
        numbers.clear()
    return np.fromiter(map(numbers.__getitem__, terms), np.int64, len(terms))
