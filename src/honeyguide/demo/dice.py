"""Chance that falls the same way on every machine."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

__all__ = ["Dice"]

T = TypeVar("T")


class Dice:
    """Seeded choices, built only on `random.random()`.

    Python promises that one method the same numbers for ever; `choice` and `shuffle` it does not, and the
    demo web must have the same bytes under every version.

    >>> Dice("a").pick("xyz") == Dice("a").pick("xyz")
    True
    """

    def __init__(self, *seed: object) -> None:
        self._next = random.Random("/".join(map(str, seed))).random

    def chance(self, share: float) -> bool:
        """True in that share of the throws."""
        return self._next() < share

    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + int(self._next() * (high - low + 1))

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices."""
        return choices[int(self._next() * len(choices))]

    def mixed(self, things: Iterable[T]) -> list[T]:
        """The same things in another order."""
        return [thing for _, _, thing in sorted((self._next(), i, thing) for i, thing in enumerate(things))]

    def some(self, things: Sequence[T], most: int) -> list[T]:
        """Up to that many of the things, none twice."""
        return self.mixed(things)[:most]
