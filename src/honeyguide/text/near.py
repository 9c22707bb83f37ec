"""Finding a near-duplicate among all that came before, without looking at all of them.

Two texts that are nearly the same have nearly the same smallest shingle hashes: only texts that share one of their
anchors are compared, by the marks of their sketches. It takes about 200 bytes a text, whatever its length.
"""

from __future__ import annotations

from array import array

import numpy as np

from honeyguide.text.fingerprint import ANCHORS, BINS

__all__ = ["ALIKE", "NearDuplicates"]

ALIKE = 0.75
"""The share of shingles two texts must have in common to be all but the same."""

_ALIKE_SHORT = 0.9  # two captions under one template have as much in common as two copies of an article
_SHORT = 60  # bins filled by about 80 shingles
_CHAINS = 1 << 20
_MOST = 64  # texts compared per anchor: mirrored templates must not make every look-up a scan
_STEPS = 512  # and entries walked past to find them


class NearDuplicates:
    """Sketches by number.

    >>> from honeyguide.text.fingerprint import fingerprints
    >>> near, text = NearDuplicates(), [f"word{number}" for number in range(200)]
    >>> near.add(fingerprints(text)[1], 7)
    >>> near.find(fingerprints([*text, "and", "more"])[1]), near.find(fingerprints(text[::-1])[1])
    (7, None)
    """

    def __init__(self) -> None:
        self._numbers = array("q")
        self._marks = bytearray()
        # Texts by their anchors, in chains: of each chain its last entry, of each entry its anchor and the entry
        # before it. Six dictionaries would say the same in four times the memory.
        self._last = np.zeros(_CHAINS, dtype=np.uint32)  # taken from the system only where it is written to
        self._anchors = array("I", (0,))
        self._before = array("I", (0,))  # entry 0 is the end of every chain

    def add(self, sketch: bytes, number: int) -> None:
        """Remember a sketch; an empty one means the text was too short to tell."""
        if not sketch:
            return
        self._numbers.append(number)
        self._marks += sketch[4 * ANCHORS :]
        for anchor in _anchors(sketch):
            chain = anchor % _CHAINS
            self._before.append(int(self._last[chain]))
            self._last[chain] = len(self._anchors)
            self._anchors.append(anchor)

    def find(self, sketch: bytes) -> int | None:
        """The number of the earliest text that is all but the same, if there is one near at hand."""
        if not sketch:
            return None
        found: set[int] = set()
        for anchor in set(_anchors(sketch)):
            found.update(self._with(anchor))
        if not found:
            return None
        places = sorted(found)
        own = np.frombuffer(sketch, dtype=np.uint8, offset=4 * ANCHORS)
        others = np.frombuffer(self._marks, dtype=np.uint8).reshape(-1, BINS)[places]
        filled = np.minimum(np.count_nonzero(others, axis=1), np.count_nonzero(own))
        either = np.count_nonzero(others | own, axis=1)
        equal = np.count_nonzero(others == own, axis=1) - (BINS - either)  # two empty bins say nothing
        same = np.flatnonzero(equal >= np.where(filled < _SHORT, _ALIKE_SHORT, ALIKE) * either)
        return self._numbers[places[same[0]]] if len(same) else None

    def _with(self, anchor: int) -> list[int]:
        """The latest texts that have an anchor."""
        found: list[int] = []
        entry = int(self._last[anchor % _CHAINS])
        for _ in range(_STEPS):
            if not entry or len(found) >= _MOST:
                break
            if self._anchors[entry] == anchor:
                found.append((entry - 1) // ANCHORS)
            entry = self._before[entry]
        return found


def _anchors(sketch: bytes) -> array[int]:
    return array("I", sketch[: 4 * ANCHORS])
