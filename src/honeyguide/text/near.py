"""Finding a near-duplicate among all that came before, without looking at all of them.

Two fingerprints at most three bits apart agree on at least one of four sixteen-bit quarters (Manku, Jain & Das
Sarma, WWW 2007), so only those that share a quarter are compared.
"""

from __future__ import annotations

from array import array

__all__ = ["NearDuplicates"]

_QUARTERS = (0, 16, 32, 48)
_MOST = 64  # candidates compared per quarter: mirrored templates must not make every look-up a scan


class NearDuplicates:
    """Fingerprints by number.

    >>> near = NearDuplicates()
    >>> near.add(0xFFFF0000FFFF0000, 7)
    >>> near.find(0xFFFF0000FFFF0001), near.find(0x0000FFFF0000FFFF)
    (7, None)
    """

    def __init__(self, bits: int = 3) -> None:
        self._bits = bits
        self._numbers = array("q")
        self._prints = array("Q")
        self._quarters: list[dict[int, array[int]]] = [{} for _ in _QUARTERS]

    def add(self, fingerprint: int, number: int) -> None:
        """Remember a fingerprint; 0 means the text was too short to tell."""
        if not fingerprint:
            return
        place = len(self._numbers)
        self._numbers.append(number)
        self._prints.append(fingerprint)
        for shift, quarter in zip(_QUARTERS, self._quarters, strict=True):
            key = (fingerprint >> shift) & 0xFFFF
            found = quarter.get(key)
            if found is None:
                quarter[key] = array("I", (place,))
            else:
                found.append(place)

    def find(self, fingerprint: int) -> int | None:
        """The number of the earliest text that is all but the same, if there is one near at hand."""
        if not fingerprint:
            return None
        best: int | None = None
        for shift, quarter in zip(_QUARTERS, self._quarters, strict=True):
            for place in quarter.get((fingerprint >> shift) & 0xFFFF, ())[:_MOST]:
                apart = (self._prints[place] ^ fingerprint).bit_count()
                if apart <= self._bits and (best is None or place < best):
                    best = place
        return None if best is None else self._numbers[best]
