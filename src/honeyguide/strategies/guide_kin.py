"""What became of a URL's like: rates by URL pattern, folder, kind of path and host, from the narrow to the wide.

Every answer, a page or a 404, counts for all families a URL belongs to. The rate of a family is drawn towards that of
the next wider one, as strongly as `doubt` answers would:

    rate(family) = (sum of outcomes + doubt * rate(wider family)) / (answers + doubt)

Families are rows of one table of fixed size, found by hash.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import xxhash

from honeyguide.frontier import Graph
from honeyguide.graph import Column

__all__ = ["Kin", "families"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_SLOTS = 1 << 18
_DOUBT = 2.0  # answers as which the rate of the wider family counts
_PATTERN = 0x85EBCA77  # an odd number that spreads those of patterns over the table


def _slot(text: str) -> int:
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) & (_SLOTS - 1)


def families(url: str) -> tuple[int, ...]:
    """The families a URL belongs to, wide to narrow: ending, host, kind of path, the folder above its own, folder."""
    begin = url.find("/", 8)
    origin, path = url[:begin], url[begin:].partition("?")[0]
    folder, _, last = path.rpartition("/")
    branch = folder.rpartition("/")[0]
    first = path[1:].partition("/")[0] if folder else ""
    ending = last.rpartition(".")[2].lower() if "." in last else ("/" if not last else "")
    shape = f"{origin} {first} {path.count('/')} {ending}"
    named = (f"*.{ending}", origin, shape, f"{origin}{branch}/*/", f"{origin}{folder}/")
    return tuple(map(_slot, named))


class Kin:
    """Counts what became of URLs by family."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._families: list[Column[np.int32]] = [graph.column(np.int32) for _ in range(5)]
        self.table = np.zeros((_SLOTS, 3), np.float32)  # answers, sum of relevance, dead
        self.all = np.zeros(3)
        self._depth: Column[np.uint8] = graph.column(np.uint8)  # how deep in its site a URL lies

    @property
    def _columns(self) -> list[Column[Any]]:
        return [*self._families, self._depth]

    def add(self, number: int, url: str) -> None:
        """A URL is met for the first time."""
        for column, slot in zip(self._families, families(url), strict=True):
            column.raw[number] = slot
        self._depth.raw[number] = min(url.count("/", 8) - url.endswith("/") + 2 * ("?" in url), 255)

    def example(self, url: str) -> None:
        """A URL that is known to be good."""
        self.all += (1.0, 1.0, 0.0)
        for slot in families(url):
            self.table[slot] += (1.0, 1.0, 0.0)

    def slots(self, numbers: Ints) -> list[Ints]:
        """The rows of the families of URLs, wide to narrow."""
        patterns = (self._graph.pattern[numbers].astype(np.int64) * _PATTERN + 2) & (_SLOTS - 1)
        return [*(column.raw[numbers].astype(np.int64) for column in self._families), patterns]

    def learn(self, number: int, answers: float, good: float, dead: float) -> None:
        """What became of a URL, or how that has changed."""
        change = np.array([answers, good, dead], np.float32)
        self.all += change
        for slots in self.slots(np.array([number])):
            self.table[slots] += change

    def rates(self, numbers: Ints) -> Floats:
        """The expected relevance of URLs by what became of their like, and the share of dead ones, as a minus."""
        good = np.full(len(numbers), (self.all[1] + 0.1) / (self.all[0] + 1.0))
        dead = np.full(len(numbers), (self.all[2] + 0.1) / (self.all[0] + 1.0))
        for slots in self.slots(numbers):
            answers, relevance, lost = self.table.take(slots, axis=0).T
            weight = 1.0 / (answers + _DOUBT)
            good = (relevance + _DOUBT * good) * weight
            dead = (lost + _DOUBT * dead) * weight
        return np.stack([good, -dead], axis=1)

    def shallow(self, numbers: Ints) -> Floats:
        """How near to the front page of its site each URL lies: there lists and indexes are, which lead on."""
        depth: Floats = -np.sqrt(self._depth.raw[numbers].astype(np.float64))
        return depth

    def told(self, number: int) -> tuple[float, float, float]:
        """Answers, their relevance and the dead among them, of the narrowest family that has any to speak of."""
        for slots in reversed(self.slots(np.array([number]))):
            answers, good, dead = self.table[slots[0]].tolist()
            if answers >= 2:
                return answers, good, dead
        return 0.0, 0.0, 0.0

    def save(self) -> bytes:
        """All counts; of the table only what is not empty."""
        used = np.flatnonzero(self.table[:, 0])
        columns = [column.save() for column in self._columns]
        return msgspec.msgpack.encode((columns, self.all.tobytes(), used.tobytes(), self.table[used].tobytes()))

    def load(self, state: bytes) -> None:
        """Go on from saved counts."""
        columns, every, used, counts = msgspec.msgpack.decode(state, type=tuple[list[bytes], bytes, bytes, bytes])
        for column, packed in zip(self._columns, columns, strict=True):
            column.load(packed)
        self.all = np.frombuffer(every, np.float64).copy()
        self.table = np.zeros((_SLOTS, 3), np.float32)
        self.table[np.frombuffer(used, np.int64)] = np.frombuffer(counts, np.float32).reshape(-1, 3)
