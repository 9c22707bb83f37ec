"""A few numbers about every URL a strategy has heard of.

A crawl may hear of millions of URLs, so none is kept as text: a URL is its 64-bit hash, its numbers stand in plain
arrays. Two URLs sharing a hash would share their numbers, which for any crawl of this size will not happen.
"""

from __future__ import annotations

import math
from array import array

import msgspec

from honeyguide.web.urls import key_of

__all__ = ["NEVER_TOLD", "Notes", "Told", "pages"]

NEVER_TOLD = -math.inf
_VISITED = math.nan  # neither more nor less than any priority, so nothing is told again


def pages(count: int) -> str:
    """So many pages, in words.

    >>> pages(1), pages(3)
    ('one page', '3 pages')
    """
    return "one page" if count == 1 else f"{count} pages"


class _State(msgspec.Struct):
    keys: bytes
    columns: list[bytes]


class Notes:
    """One row of numbers per URL.

    Parameters
    ----------
    *fills
        What each number of a new row is at first; as many as there are columns.

    >>> notes = Notes(0.0, 1.0)
    >>> row = notes.row("http://a.test/")
    >>> notes.columns[1][row] = 0.5
    >>> notes.row("http://a.test/") == row, notes.find("http://b.test/")
    (True, -1)
    """

    def __init__(self, *fills: float) -> None:
        self._fills = fills
        self.columns = [array("d") for _ in fills]
        self._rows: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def find(self, url: str) -> int:
        """The row of a URL, -1 for one never heard of."""
        return self._rows.get(key_of(url), -1)

    def row(self, url: str) -> int:
        """The row of a URL, made now if it is new."""
        key = key_of(url)
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = len(self._rows)
            for column, fill in zip(self.columns, self._fills, strict=True):
                column.append(fill)
        return row

    def save(self) -> bytes:
        """All rows as bytes."""
        keys = array("Q", self._rows)  # a dictionary keeps its order, so the row numbers need no room
        return msgspec.msgpack.encode(_State(keys.tobytes(), [column.tobytes() for column in self.columns]))

    def load(self, state: bytes) -> None:
        """Go on from saved rows."""
        saved = msgspec.msgpack.decode(state, type=_State)
        keys = array("Q", saved.keys)
        self._rows = {key: row for row, key in enumerate(keys)}
        self.columns = [array("d", column) for column in saved.columns]


class Told:
    """What the frontier was told of each URL, and which URLs are worth less by now.

    A page only ever raises a queued URL. What has fallen waits here, a few pages' worth, for the next `revise`.

    Parameters
    ----------
    notes
        Where the rows are; one column, filled with `NEVER_TOLD`, holds what was told.
    column
        Which column that is.
    """

    def __init__(self, notes: Notes, column: int) -> None:
        self._notes = notes
        self._column = column
        self._fallen: dict[str, None] = {}

    def tell(self, url: str, row: int, priority: float) -> bool:
        """A page offers a URL at this priority; says whether that is more than it was told before."""
        told = self._notes.columns[self._column]
        if priority > told[row]:
            told[row] = priority
            return True
        if priority < told[row]:
            self._fallen[url] = None
        return False

    def revise(self, row: int, priority: float) -> bool:
        """A revision offers this priority; says whether it is news."""
        told = self._notes.columns[self._column]
        if priority == told[row] or math.isnan(told[row]):
            return False
        told[row] = priority
        return True

    def visited(self, url: str, row: int) -> None:
        """A URL left the frontier."""
        self._notes.columns[self._column][row] = _VISITED
        self._fallen.pop(url, None)

    def fallen(self) -> list[str]:
        """The URLs to revise, in the order of their falling; each is given once."""
        urls = list(self._fallen)
        self._fallen = {}
        return urls

    def save(self) -> bytes:
        """Which URLs have fallen; what was told is saved with the notes."""
        return msgspec.msgpack.encode(list(self._fallen))

    def load(self, state: bytes) -> None:
        """Go on from a saved state."""
        self._fallen = dict.fromkeys(msgspec.msgpack.decode(state, type=list[str]))
