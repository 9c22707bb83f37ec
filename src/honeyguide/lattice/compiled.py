"""All concepts by compiled code, where numba is installed: Close-by-One (Kuznetsov 1993) on words of 64 bits.

Each concept is made once: from the one it grew out of, by its first new attribute, if that adds none before itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

__all__ = ["all_concepts"]

Words = NDArray[np.uint64]
_FIRST = 1_024  # concepts there is room for at first


def all_concepts(rows: Sequence[int], columns: Sequence[int], support: int) -> Iterator[tuple[int, int]]:
    """Pairs of extent and intent, in the order they are made."""
    if len(rows) < support:
        return
    everything = (1 << len(rows)) - 1
    packed = _words([everything, *columns], len(rows))
    extents, intents, count = _grow(packed[0], packed[1:], support)
    for extent, intent in zip(extents[:count], intents[:count], strict=True):
        yield int.from_bytes(extent.tobytes(), "little"), int.from_bytes(intent.tobytes(), "little")


def _words(sets: Sequence[int], size: int) -> Words:
    width = max(1, -(-size // 64))
    data = b"".join(one.to_bytes(8 * width, "little") for one in sets)
    return np.frombuffer(data, dtype=np.uint64).reshape(len(sets), width)


@numba.njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _within(first: Any, second: Any) -> bool:
    """Whether the first set is within the second."""
    for word in range(len(first)):  # noqa: SIM110 - compiled
        if first[word] & ~second[word]:
            return False
    return True


@numba.njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _size(one: Any) -> int:
    total = 0
    for word in one:
        left = word
        while left:
            left &= left - np.uint64(1)
            total += 1
    return total


@numba.njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _wider(held: Any) -> Any:
    wider = np.zeros((2 * held.shape[0], held.shape[1]), np.uint64)
    wider[: held.shape[0]] = held
    return wider


@numba.njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _closed(extent: Any, columns: Any, first: int, above: Any, intent: Any) -> bool:
    """Fill in the intent of an extent; False if it has an attribute before `first` that the one above has not."""
    intent[:] = 0
    for place in range(len(columns)):
        if _within(extent, columns[place]):
            bit = np.uint64(1) << np.uint64(place % 64)
            if place < first and not above[place // 64] & bit:
                return False
            intent[place // 64] |= bit
    return True


@numba.njit(cache=True)  # type: ignore[untyped-decorator, unused-ignore]
def _grow(everything: Any, columns: Any, support: int) -> Any:
    attributes = len(columns)
    extents = np.zeros((_FIRST, len(everything)), np.uint64)
    intents = np.zeros((_FIRST, max(1, (attributes + 63) // 64)), np.uint64)
    firsts = np.zeros(attributes + 2, np.int64)  # of each concept on the way down, the attribute to try next
    way = np.zeros(attributes + 2, np.int64)
    extents[0] = everything
    _closed(everything, columns, 0, intents[0], intents[0])
    count, depth = 1, 0
    while depth >= 0:
        here, place = way[depth], firsts[depth]
        if place == attributes:
            depth -= 1
            continue
        firsts[depth] += 1
        if intents[here, place // 64] >> np.uint64(place % 64) & np.uint64(1):
            continue
        if count == len(extents):
            extents, intents = _wider(extents), _wider(intents)
        extents[count] = extents[here] & columns[place]
        if support and _size(extents[count]) < support:
            continue
        if _closed(extents[count], columns, place, intents[here], intents[count]):
            depth += 1
            way[depth], firsts[depth] = count, place + 1
            count += 1
    return extents, intents, count
