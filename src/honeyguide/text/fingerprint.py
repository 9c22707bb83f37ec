"""Near-duplicate fingerprints over shingles of three words: the same vocabulary in another order is another text.

The *simhash* (Charikar, STOC 2002) is 64 bits, a few of them different where two texts share most of their shingles:
enough to see that the pages of one family repeat each other. It cannot tell one changed word in a hundred from another
page. The *sketch* can: one-permutation min-hashing (Li, Owen & Zhang, NIPS 2012) deals the shingles into bins by their
hash and keeps a mark of the smallest in each. The share of equal marks is the share of shingles two texts have in
common. The very smallest hashes are its anchors, by which texts that may be alike find each other.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import xxhash

from honeyguide.native import has_native

if has_native:
    from honeyguide import _native

__all__ = ["ANCHORS", "BINS", "distance", "fingerprints", "simhash"]

_KEEP = 200_000
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MIX2 = np.uint64(0xC2B2AE3D27D4EB4F)
_SHIFT = np.uint64(29)
_MOST = 256  # words a simhash looks at: enough to tell texts apart, bounded for books
_MOST_SKETCHED = 1_024

BINS = 128
"""Marks of a sketch, a byte each; 0 for a bin without a shingle."""

ANCHORS = 6
"""Anchors of a sketch, four bytes each, before its marks."""

_BIN = np.uint64(64 - BINS.bit_length() + 1)
_EDGES = np.arange(BINS, dtype=np.uint64) << _BIN
_HALF, _ANCHOR = np.uint64(32), np.uint64(8)


Hashes = npt.NDArray[np.uint64]


class _Hashes(dict[str, bytes]):
    """The hashes of words, the first byte the greatest, each worked out when it is first asked for."""

    def __missing__(self, word: str) -> bytes:
        if len(self) >= _KEEP:
            self.clear()
        found = self[word] = xxhash.xxh3_64_digest(word.encode())
        return found


_HASHES = _Hashes()


def fingerprints(words: list[str]) -> tuple[int, bytes]:
    """The simhash and the sketch of a sequence of words; 0 and nothing for too few to tell.

    >>> fingerprints("a few".split())
    (0, b'')
    >>> len(fingerprints("bees make honey in the hive".split())[1]) == 4 * ANCHORS + BINS
    True
    """
    if has_native:
        return _native.fingerprints(words, xxhash.xxh3_64_intdigest)
    return _fingerprints(words)


def _fingerprints(words: list[str]) -> tuple[int, bytes]:
    if len(words) < 4:
        return 0, b""
    shingles = _shingles(words[:_MOST_SKETCHED])
    return _simhash(shingles[: _MOST - 2]), _sketch(shingles)


def simhash(words: list[str]) -> int:
    """A 64-bit fingerprint of a sequence of words; 0 for too few to tell.

    >>> simhash("a few".split())
    0
    """
    return 0 if len(words) < 4 else _simhash(_shingles(words[:_MOST]))


def _shingles(words: list[str]) -> Hashes:
    # Bytes put one behind the other are an array in a third of the time that numbers take.
    single = np.frombuffer(b"".join(map(_HASHES.__getitem__, words)), ">u8").astype(np.uint64)
    shingle = single[:-2] * _MIX + single[1:-1] * _MIX2 + single[2:]
    return (shingle ^ (shingle >> _SHIFT)) * _MIX


def _simhash(shingles: Hashes) -> int:
    bits = np.unpackbits(shingles.view(np.uint8)).reshape(-1, 64)
    ones = np.add.reduce(bits, axis=0, dtype=np.uint8)  # a byte is enough for the most there are, and far faster
    return int.from_bytes(np.packbits(ones > len(shingles) // 2).tobytes(), "big")


def _sketch(shingles: Hashes) -> bytes:
    # A bin is a range of hashes: of sorted ones, the smallest of each is the first behind the range's beginning.
    hashes = shingles ^ (shingles >> _HALF)
    hashes.sort()
    firsts = hashes.take(hashes.searchsorted(_EDGES), mode="clip")
    marks = np.maximum(firsts.astype(np.uint8), 1)
    marks[firsts >> _BIN != _EDGES >> _BIN] = 0  # what comes first lies in a later bin, or there is nothing
    anchors = (hashes[:ANCHORS] >> _ANCHOR).astype(np.uint32)
    if len(anchors) < ANCHORS:
        anchors = np.resize(anchors, ANCHORS)  # said again
    return anchors.tobytes() + marks.tobytes()


def distance(one: int, other: int) -> int:
    """How many of the 64 bits differ.

    >>> distance(0b1011, 0b0001)
    2
    """
    return (one ^ other).bit_count()
