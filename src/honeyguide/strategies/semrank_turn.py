"""An iteration of `semrank`: its pages as a context knows them, and those they are compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

__all__ = ["Member", "Turn", "spread"]


class Member(msgspec.Struct, array_like=True):
    """A page as a context knows it."""

    page: int
    url: str
    words: list[str]
    onward: list[int] = []  # the keys of what it links to


class Turn(msgspec.Struct):
    """The iteration under way."""

    base: list[Member] = []
    batch: list[Member] = []
    good: list[Member] = []  # pages on topic that are in the base, beside the examples
    told: dict[int, tuple[float, float, str]] = {}  # by which links and words pages were ranked
    turns: int = 0
    fresh: list[int] = []  # pages ranked anew since the last revision

    def save(self) -> bytes:
        """All of it, as bytes."""
        return msgspec.msgpack.encode(self)

    def load(self, state: bytes) -> None:
        """Go on from it."""
        saved = msgspec.msgpack.decode(state, type=Turn)
        for name in self.__struct_fields__:
            setattr(self, name, getattr(saved, name))


def spread(members: Iterable[Member]) -> Counter[str]:
    """Of each word, how many pages have it.

    >>> spread([Member(1, "", ["bee", "hive"]), Member(2, "", ["bee"])])["bee"]
    2
    """
    return Counter(word for member in members for word in member.words)
