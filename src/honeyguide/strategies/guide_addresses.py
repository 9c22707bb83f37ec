"""What became of URLs of like addresses: of the same host or ending, in folders side by side, in the same folder.

    dead(widest)        = (dead + doubt * share of all) / (answers + doubt)              by ending, side by side, folder
    dead(narrower kind) = (dead + doubt * rate of the next wider) / (answers + doubt)
    good(...)           = the same of relevance                                          by host, side by side

The examples of a topic count as good answers of their kinds: where they lie is where more of the topic may be. What is
said of a URL is the logarithm of how much better than usual addresses like it were: nothing on a web whose folders say
nothing, which a z-score would have made as much of as of any other signal.

Not by the folder itself: what few pages of it were like is mostly chance, and crawls with one example kept less for it.

Kinds of address are numbers of 16 bits, hashed: what is kept of them does not grow with what is met.
"""

from __future__ import annotations

from collections.abc import Sequence
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
_DOUBT = 3.0  # answers of the usual sort that are counted in, of what is dead
_DOUBT_GOOD = 10.0  # and of what is good: pages differ more than dead links do
_LONGEST = 5  # signs of an ending: what is longer is part of the name
_USUAL = 0.1  # what is relevant of all there is, before anything is known
_MOST = 2.0  # log-odds; no address is so good or bad that nothing else could count
# The kinds, the widest first, and what people are told of them.
_KINDS = (
    "pages of its site",
    "addresses that end like it",
    "addresses in folders beside its own",
    "addresses in its folder",
)
_TELL_DEAD, _TELL_GOOD = (1, 2, 3), (0, 2)  # which of them say what


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


def kinds_of(folder: str, ending: str) -> tuple[str, str, str, str]:
    """The kinds an address is of, the widest first.

    >>> kinds_of("http://a.test/people/ann", ".ps")
    ('http://a.test', '.ps', 'http://a.test/people/*/.ps', 'http://a.test/people/ann/.ps')
    """
    beside = folder.rpartition("/")[0] if folder.count("/") > 2 else folder
    return "/".join(folder.split("/", 3)[:3]), ending, f"{beside}/*/{ending}", f"{folder}/{ending}"


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
        self._site: Column[np.uint16] = graph.column(np.uint16)  # of each URL the widest kind, and the narrowest
        self._kind: Column[np.uint16] = graph.column(np.uint16)
        self._wider = np.zeros((len(_KINDS) - 1, _SLOTS), np.uint16)  # of each of the narrowest, all but the widest
        self._counts = np.zeros((len(_KINDS), 3, _SLOTS), np.float32)  # of each kind: answers, dead ones, relevance
        self._all = np.zeros(3)

    def meet(self, numbers: Ints, urls: list[str]) -> npt.NDArray[np.uint8]:
        """URLs are met for the first time; returns how far from the front of its site each lies."""
        kinds, steps = read(urls)
        self._place(kinds[:, 1:])
        self._site.raw[numbers], self._kind.raw[numbers] = kinds[:, 0], kinds[:, -1]
        return steps

    def example(self, url: str) -> None:
        """A page of the topic was given."""
        kinds, _ = read([url])
        self._place(kinds[:, 1:])
        self._count(kinds[0].tolist(), (1.0, 0.0, 1.0))

    def answered(self, number: int, *, dead: float, relevance: float) -> None:
        """What became of a URL."""
        told = (1.0, dead, relevance)
        self._all += told  # examples were chosen: they do not tell what is usual
        self._count(self._slots(np.array([number]))[:, 0].tolist(), told)

    def _count(self, slots: list[int], told: tuple[float, float, float]) -> None:
        for place, slot in enumerate(slots):
            self._counts[place, :, slot] += told

    def _slots(self, numbers: Ints) -> npt.NDArray[np.uint16]:
        """The kinds that URLs are of, a column each."""
        return np.concatenate([self._site.raw[numbers][None, :], self._wider[:, self._kind.raw[numbers]]])

    def _place(self, slots: npt.NDArray[np.uint16]) -> None:
        """Remember of which kinds the narrowest are; of two that share a number the first stays, after a resume too."""
        fresh = slots[~self._wider[:, slots[:, -1]].any(axis=0)][::-1]
        self._wider[:, fresh[:, -1]] = fresh.T

    def dead(self, numbers: Ints) -> Floats:
        """How likely URLs are to be dead."""
        if not self._all[1]:
            return np.zeros(len(numbers))
        return self._rates(numbers, 1, _TELL_DEAD, self._all[1] / self._all[0], _DOUBT)

    def good(self, numbers: Ints) -> Floats:
        """How much better than usual addresses like these were, as a logarithm."""
        usual = (self._all[2] + _DOUBT_GOOD * _USUAL) / (self._all[0] + _DOUBT_GOOD)
        rates = self._rates(numbers, 2, _TELL_GOOD, usual, _DOUBT_GOOD)
        found: Floats = np.log(rates / usual).clip(-_MOST, _MOST)
        return found

    def _rates(self, numbers: Ints, what: int, kinds: Sequence[int], usual: float, doubt: float) -> Floats:
        """From what is usual of all to what was so of the narrowest kind."""
        rate: Floats = np.full(len(numbers), usual)
        slots = self._slots(numbers)
        for place in kinds:
            answers, so = self._counts[place, 0], self._counts[place, what]
            rate = (so[slots[place]] + doubt * rate) / (answers[slots[place]] + doubt)
        return rate

    def told(self, number: int, *, dead: bool) -> str:
        """The narrowest kind of which anything is known, in words."""
        slots = self._slots(np.array([number]))[:, 0].tolist()
        what, how = (1, "dead") if dead else (2, "good")
        for place in reversed(_TELL_DEAD if dead else _TELL_GOOD):
            if answers := self._counts[place, 0, slots[place]]:
                return (
                    f"{_KINDS[place]} were {how} {self._counts[place, what, slots[place]]:.0f} of {answers:.0f} times"
                )
        return ""

    def save(self) -> bytes:
        """All counts, of kinds that were met."""
        used = np.flatnonzero(self._wider.any(axis=0) | self._counts.any(axis=(0, 1)))
        fields = [used.tobytes(), self._wider[:, used].tobytes(), self._counts[:, :, used].tobytes()]
        return msgspec.msgpack.encode((self._site.save(), self._kind.save(), fields, self._all.tobytes()))

    def load(self, state: bytes) -> None:
        """Go on from saved counts."""
        saved = msgspec.msgpack.decode(state, type=tuple[bytes, bytes, list[bytes], bytes])
        site, kind, (used, wider, counts), every = saved
        self._site.load(site)
        self._kind.load(kind)
        places: npt.NDArray[np.int64] = np.frombuffer(used, np.int64)
        self._wider[:, places] = np.frombuffer(wider, np.uint16).reshape(-1, len(places))
        self._counts[:, :, places] = np.frombuffer(counts, np.float32).reshape(-1, 3, len(places))
        self._all = np.frombuffer(every, np.float64).copy()
