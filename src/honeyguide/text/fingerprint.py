"""Near-duplicate fingerprints: Charikar's simhash over word shingles (STOC 2002).

Two texts that share most of their three-word shingles get fingerprints a few bits apart; two texts of the
same vocabulary in another order do not.
"""

from __future__ import annotations

import numpy as np
import xxhash

__all__ = ["distance", "simhash"]

_KEEP = 200_000
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MIX2 = np.uint64(0xC2B2AE3D27D4EB4F)
_SHIFT = np.uint64(29)
_MOST = 256  # words looked at: enough to tell texts apart, bounded for books; two more and a byte could not count them


class _Hashes(dict[str, int]):
    def __missing__(self, word: str) -> int:
        if len(self) > _KEEP:
            self.clear()
        value = self[word] = xxhash.xxh3_64_intdigest(word.encode())
        return value


_hash = _Hashes().__getitem__


def simhash(words: list[str]) -> int:
    """A 64-bit fingerprint of a sequence of words; 0 for too few to tell.

    >>> simhash("a few".split())
    0
    """
    if len(words) < 4:
        return 0
    words = words[:_MOST]
    single = np.fromiter(map(_hash, words), np.uint64, len(words))
    shingle = single[:-2] * _MIX + single[1:-1] * _MIX2 + single[2:]
    shingle = (shingle ^ (shingle >> _SHIFT)) * _MIX
    bits = np.unpackbits(shingle.view(np.uint8)).reshape(-1, 64)
    ones = np.add.reduce(bits, axis=0, dtype=np.uint8)  # a byte is enough for the most there are, and far faster
    return int.from_bytes(np.packbits(ones > len(shingle) // 2).tobytes(), "big")


def distance(one: int, other: int) -> int:
    """How many of the 64 bits differ.

    >>> distance(0b1011, 0b0001)
    2
    """
    return (one ^ other).bit_count()
