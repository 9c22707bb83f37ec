"""How many URLs of like addresses were dead: of the same ending, in folders side by side, in the same folder.

    rate(ending)        = (dead + doubt * share of all) / (answers + doubt)
    rate(narrower kind) = (dead + doubt * rate of the next wider) / (answers + doubt)

Kinds of address are numbers of 16 bits, hashed: what is kept of them does not grow with what is met.
"""

from __future__ import annotations

from zlib import crc32

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.frontier import Graph
from honeyguide.graph import Column
from honeyguide.native import has_native
from honeyguide.strategies.base import Floats, Ints

if has_native:
    from honeyguide import _native

__all__ = ["Addresses"]

_SLOTS = 1 << 16
_DOUBT = 3.0  # answers of the usual sort that are counted in
_LONGEST = 5  # signs of an ending: what is longer is part of the name
# The kinds, the widest first, and what people are told of them.
_KINDS = ("addresses that end like it", "addresses in folders beside its own", "addresses in its folder")


def cut(url: str) -> tuple[str, str]:
    """The folder of a URL, and how it ends: by the kind of file, and by what is asked.

    >>> cut("http://a.test/people/ann/cv.PS"), cut("http://a.test/show?id=7")
    (('http://a.test/people/ann', '.ps'), ('http://a.test', '?id'))
    """
    query = ""
    if "?" in url:
        url, _, query = url.partition("?")
        query = f"?{query.partition('=')[0]}"
    slash = url.rfind("/")
    dot = url.rfind(".", max(slash, len(url) - _LONGEST))
    return url[:slash], url[dot:].lower() + query if dot >= 0 else query


def kinds_of(folder: str, ending: str) -> tuple[str, str, str]:
    """The kinds an address is of, the widest first.

    >>> kinds_of("http://a.test/people/ann", ".ps")
    ('.ps', 'http://a.test/people/*/.ps', 'http://a.test/people/ann/.ps')
    """
    beside = folder.rpartition("/")[0] if folder.count("/") > 2 else folder
    return ending, f"{beside}/*/{ending}", f"{folder}/{ending}"


def steps_inside(url: str) -> int:
    """How far from the front page of its site a URL lies; near to it lists and indexes are, which lead on.

    >>> [steps_inside(f"http://a.test/{path}") for path in ("", "people/ann/", "people/ann/cv.ps", "show?id=7")]
    [0, 2, 3, 3]
    """
    return min(max(url.count("/", 8) - (url[-1:] == "/"), 0) + 2 * ("?" in url), 255)


def read(urls: list[str]) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """The numbers of the kinds that addresses are of, a row each, and how far from the front of its site each lies."""
    found = _native.kinds_of(urls) if has_native else None
    if found is None:
        return read_in_python(urls)
    kinds, steps = found
    return np.frombuffer(kinds, np.uint16).reshape(-1, len(_KINDS)), np.frombuffer(steps, np.uint8)


def read_in_python(urls: list[str]) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """The same, where it was not compiled, and of addresses with signs beyond ASCII."""
    kinds = [crc32(kind.encode("utf-8", "surrogatepass")) % _SLOTS for url in urls for kind in kinds_of(*cut(url))]
    steps = np.fromiter(map(steps_inside, urls), np.uint8, len(urls))
    return np.array(kinds, np.uint16).reshape(-1, len(_KINDS)), steps


class Addresses:
    """What became of URLs, by kinds of address."""

    def __init__(self, graph: Graph) -> None:
        self._kind: Column[np.uint16] = graph.column(np.uint16)  # of each URL the narrowest
        self._wider = np.zeros((len(_KINDS), _SLOTS), np.uint16)  # of each of these, all
        self._counts = np.zeros((len(_KINDS), 2, _SLOTS), np.float32)  # of each kind: answers, and dead ones
        self._all = np.zeros(2)

    def meet(self, numbers: Ints, urls: list[str]) -> npt.NDArray[np.uint8]:
        """URLs are met for the first time; returns how far from the front of its site each lies."""
        kinds, steps = read(urls)
        self._place(kinds)
        self._kind.raw[numbers] = kinds[:, -1]
        return steps

    def _place(self, slots: npt.NDArray[np.uint16]) -> None:
        """Remember of which kinds the narrowest are; of two that share a number the first stays, after a resume too."""
        fresh = slots[~self._wider[:, slots[:, -1]].any(axis=0)][::-1]
        self._wider[:, fresh[:, -1]] = fresh.T

    def answered(self, number: int, dead: float) -> None:
        """What became of a URL."""
        self._all += (1.0, dead)
        for place, slot in enumerate(self._wider[:, self._kind.raw[number]].tolist()):
            self._counts[place, :, slot] += (1.0, dead)

    def dead(self, numbers: Ints) -> Floats:
        """How likely URLs are to be dead."""
        if not self._all[1]:
            return np.zeros(len(numbers))
        rate: Floats = self._all[1:] / self._all[0]
        for (answers, dead), slots in zip(self._counts, self._wider[:, self._kind.raw[numbers]], strict=True):
            rate = (dead[slots] + _DOUBT * rate) / (answers[slots] + _DOUBT)
        return rate

    def told(self, number: int) -> str:
        """The narrowest kind of which anything is known, in words."""
        slots = self._wider[:, self._kind.raw[number]].tolist()
        for name, (answers, dead), slot in reversed(list(zip(_KINDS, self._counts, slots, strict=True))):
            if answers[slot]:
                return f"{name} were dead {dead[slot]:.0f} of {answers[slot]:.0f} times"
        return ""

    def save(self) -> bytes:
        """All counts, of kinds that were met."""
        used = np.flatnonzero(self._wider.any(axis=0) | self._counts.any(axis=(0, 1)))
        fields = [used.tobytes(), self._wider[:, used].tobytes(), self._counts[:, :, used].tobytes()]
        return msgspec.msgpack.encode((self._kind.save(), fields, self._all.tobytes()))

    def load(self, state: bytes) -> None:
        """Go on from saved counts."""
        kind, (used, wider, counts), every = msgspec.msgpack.decode(state, type=tuple[bytes, list[bytes], bytes])
        self._kind.load(kind)
        places: npt.NDArray[np.int64] = np.frombuffer(used, np.int64)
        self._wider[:, places] = np.frombuffer(wider, np.uint16).reshape(-1, len(places))
        self._counts[:, :, places] = np.frombuffer(counts, np.float32).reshape(-1, 2, len(places))
        self._all = np.frombuffer(every, np.float64).copy()
