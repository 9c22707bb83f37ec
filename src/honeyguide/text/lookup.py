"""The numbers of words, all at once."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from honeyguide.native import has_native

if has_native:
    from honeyguide import _native

__all__ = ["numbers_of"]


def numbers_of(words: list[str] | Mapping[str, int], places: dict[str, int], other: int = 0) -> NDArray[np.int64]:
    """The number that a dict has for each of some words (or of the keys of a dict), to be read only.

    >>> numbers_of(["bee", "wasp"], {"bee": 7}, other=-1).tolist()
    [7, -1]
    """
    if has_native and isinstance(words, list | dict):
        return np.frombuffer(_native.numbers_of(words, places, other), np.int64)
    return np.fromiter(map(places.get, words, repeat(other)), np.int64, len(words))
