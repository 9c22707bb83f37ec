"""Words in a weighted hierarchy, and how much information two of them share.

    path(n)    = edges of the longest path from the root to n
    W(n1, n2)  = 1 / (max(path(n1), path(n2)) + alpha)                  of an edge "n2 is part of n1"
    w(n)       = sum of W along the longest path from the root to n
    ics(a, b)  = 1                                                      if a = b, or ISA(a, b)
                 2 log p(n*) / (w(a) log p(a) + w(b) log p(b))     n*: the shared ancestor with the most information

within 0 and 1; 0 where two words share no ancestor, or one was never submitted, and for any 0/0. A word is its own
ancestor. Words that are not below the root have no place in it. (Du & Hai, J. Systems and Software 2013; the longest
path is taken from the root, the only reading that gives both of its printed results.)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

__all__ = ["TOP", "Hierarchy"]

TOP = ""  # the artificial root; no word is empty


class Hierarchy:
    """Words below what was submitted.

    Parameters
    ----------
    submitted
        The words asked for. One alone that is like no other is the root; else an artificial root stands above them
        and what is like them.
    probability
        How often each word is submitted, as a share of all.
    isa
        Pairs of words that are alike. They stand side by side.
    part_of
        Pairs of a word and a part of it, with how often that was seen. Where two words are part of each other they are
        alike; of a circle the edge that was seen least is left out.
    alpha
        Keeps the weight of the first edge below one.
    top
        The probability of the artificial root; the greatest in the hierarchy, if it is not given.
    """

    def __init__(
        self,
        submitted: Sequence[str],
        probability: Mapping[str, float],
        isa: Iterable[tuple[str, str]],
        part_of: Mapping[tuple[str, str], float],
        *,
        alpha: float = 0.2,
        top: float | None = None,
    ) -> None:
        self.alpha = alpha
        self._alike: dict[str, set[str]] = {}
        for one, other in isa:
            self._be_alike(one, other)
        for one, other in part_of:
            if (other, one) in part_of:
                self._be_alike(one, other)
        self.parts: dict[str, list[str]] = {}
        self._hang(part_of)
        self.root = self._rooted(list(dict.fromkeys(submitted)))
        self.path: dict[str, int] = {}
        self._ancestors: dict[str, frozenset[str]] = {}
        self._descend()
        self._p = {word: probability.get(word, 0.0) for word in self.path if word != TOP}
        if self.root == TOP:
            self._p[TOP] = max(self._p.values(), default=0.0) if top is None else top
        self._logs = {word: math.log(p) for word, p in self._p.items() if p > 0}
        self._weights = [0.0]
        for step in range(1, max(self.path.values(), default=0) + 1):
            self._weights.append(self._weights[-1] + 1.0 / (step + alpha))

    def _be_alike(self, one: str, other: str) -> None:
        if one != other:
            self._alike.setdefault(one, set()).add(other)
            self._alike.setdefault(other, set()).add(one)

    def alike(self, word: str) -> set[str]:
        """The words a word is like."""
        return self._alike.get(word, set())

    def _hang(self, part_of: Mapping[tuple[str, str], float]) -> None:
        """Take the edges in, those seen most often first; one that would close a circle is its least seen."""
        for (one, other), _ in sorted(part_of.items(), key=lambda item: (-item[1], item[0])):
            if one != other and other not in self.alike(one) and not self._leads(other, one):
                self.parts.setdefault(one, []).append(other)

    def _leads(self, start: str, goal: str) -> bool:
        seen, ways = {start}, [start]
        while ways:
            word = ways.pop()
            if word == goal:
                return True
            fresh = [part for part in self.parts.get(word, ()) if part not in seen]
            seen.update(fresh)
            ways += fresh
        return False

    def _rooted(self, submitted: list[str]) -> str:
        if len(submitted) == 1 and not self.alike(submitted[0]):
            root = submitted[0]
        else:
            root = TOP
            partners = sorted({other for word in submitted for other in self.alike(word)} - set(submitted))
            self.parts[TOP] = [*submitted, *partners]
        self._put_beside(root)
        return root

    def _put_beside(self, root: str) -> None:
        """Words that are part of nothing stand beside those they are like."""
        above: dict[str, list[str]] = {}
        for word, parts in self.parts.items():
            for part in parts:
                above.setdefault(part, []).append(word)
        lone = [word for word in sorted(self._alike) if word not in above and word not in (root, TOP)]
        for word in lone:
            for parent in sorted({one for other in self.alike(word) for one in above.get(other, ())}):
                if not self._leads(word, parent):
                    self.parts.setdefault(parent, []).append(word)

    def _descend(self) -> None:
        """The longest path to each word below the root, and all that is above it."""
        order: list[str] = []
        seen: set[str] = set()
        ways: list[tuple[str, int]] = [(self.root, 0)]
        while ways:  # without recursion: a chain of words may be long
            word, place = ways.pop()
            if not place:
                if word in seen:
                    continue
                seen.add(word)
            parts = self.parts.get(word, ())
            if place < len(parts):
                ways += [(word, place + 1), (parts[place], 0)]
            else:
                order.append(word)
        self.path = dict.fromkeys(reversed(order), 0)
        above: dict[str, set[str]] = {word: {word} for word in order}
        for word in self.path:
            for part in self.parts.get(word, ()):
                self.path[part] = max(self.path[part], self.path[word] + 1)
                above[part] |= above[word]
        self._ancestors = {word: frozenset(words) for word, words in above.items()}

    def weight(self, word: str) -> float:
        """The sum of the weights along the longest path to a word of the hierarchy."""
        return self._weights[self.path[word]]

    def shared(self, one: str, other: str) -> str | None:
        """The shared ancestor of two words with the most information."""
        if one not in self.path or other not in self.path:
            return None
        known = [word for word in self._ancestors[one] & self._ancestors[other] if word in self._logs]
        return min(known, key=lambda word: (self._logs[word], word)) if known else None

    def ics(self, one: str, other: str) -> float:
        """The information two words share, from 0 to 1."""
        if one == other or other in self.alike(one):
            return 1.0
        ancestor = self.shared(one, other)
        if ancestor is None or one not in self._logs or other not in self._logs:
            return 0.0
        below = self.weight(one) * self._logs[one] + self.weight(other) * self._logs[other]
        return min(1.0, max(0.0, 2.0 * self._logs[ancestor] / below)) if below else 0.0
