"""A numpy array that grows at its end: one number for each node, or for each link, of a growing graph."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Column"]

Number = TypeVar("Number", bound=np.generic)


class Column(Generic[Number]):
    """Numbers of one kind, side by side in memory.

    `values` is a view: what is written to it stays, but it is good only until the column grows.

    >>> column = Column(np.int32)
    >>> column.extend([5, 7])
    >>> column.grow(4, fill=1)
    >>> column.values.tolist(), len(column)
    ([5, 7, 1, 1], 4)
    """

    __slots__ = ("_size", "raw")

    def __init__(self, kind: type[Number]) -> None:
        self.raw: NDArray[Number] = np.zeros(16, dtype=kind)  # with room to spare at its end: quicker for one number
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[Number]:
        """All numbers so far."""
        return self.raw[: self._size]

    def extend(self, values: ArrayLike) -> None:
        """Put numbers at the end."""
        added = np.asarray(values, dtype=self.raw.dtype)
        self._room(self._size + len(added))
        self.raw[self._size : self._size + len(added)] = added
        self._size += len(added)

    def grow(self, size: int, fill: float = 0) -> None:
        """Reach at least this size; what is new holds `fill`."""
        if size > self._size:
            self._room(size)
            if fill:  # what was never used is zero
                self.raw[self._size : size] = np.asarray(fill).astype(self.raw.dtype)
            self._size = size

    def replace(self, values: NDArray[Any]) -> None:
        """Hold these numbers instead."""
        self.raw = np.array(values, dtype=self.raw.dtype)
        self._size = len(self.raw)

    def _room(self, size: int) -> None:
        if size > len(self.raw):  # an eighth to spare: growing stays cheap, and little memory lies idle
            wider: NDArray[Number] = np.zeros(size + size // 8 + 16, dtype=self.raw.dtype)
            wider[: self._size] = self.raw[: self._size]
            self.raw = wider

    def save(self) -> bytes:
        """The numbers as bytes."""
        return self.values.tobytes()

    def load(self, state: bytes) -> None:
        """The numbers these bytes came from."""
        self.replace(np.frombuffer(state, dtype=self.raw.dtype))
