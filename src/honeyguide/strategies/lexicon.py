"""Which words belong together, learnt from a click log and the pages of a crawl (Du & Hai 2013).

Two words are alike (ISA) where users of one group submitted them and opened the same page. One is part of another
(Part-Of) where such users opened, for the whole, a page that links to a page they opened for the part. Both only count
if the page has the word among its own keywords: one popular page is opened for nearly everything. Without a log, words
are as alike as the pages that share them are many.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import msgspec
import numpy as np

from honeyguide.frontier import Graph
from honeyguide.lattice import Hierarchy
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Floats
from honeyguide.topic.clicks import ClickLog
from honeyguide.web.urls import key_of

__all__ = ["Lexicon", "Relation"]

_PAIRS = 500_000  # pairs of words that are remembered; those seen once go when there are more
_WITNESSES = 3  # pages remembered of each relation


class Relation(NamedTuple):
    """Why two words are related: how, how often it was seen, and on which pages."""

    kind: str  # "isa" or "part-of"
    one: str
    other: str
    support: int
    pages: list[tuple[int, int]]  # what was opened for the one, and for the other


class _Seen(msgspec.Struct, array_like=True):
    support: int = 0
    pages: list[tuple[int, int]] = []


Pairs = dict[str, dict[str, _Seen]]
Asked = dict[str, frozenset[tuple[int, int]]]  # of words, the groups that submitted them, and in which queries


class _LexiconState(msgspec.Struct):
    isa: Pairs
    parts: Pairs
    words: dict[int, list[str]]
    leads: dict[int, list[int]]
    pages: int
    often: dict[str, int]
    together: dict[str, dict[str, int]]


class Lexicon:
    """Words and their relations, learnt page by page.

    Parameters
    ----------
    graph
        The graph of the crawl, which knows the addresses of pages.
    log
        What people searched for and opened; None for a cold start.
    support
        How often a relation must have been seen to count.
    beside
        Whether words that a log does not relate are as alike as the pages that share them are many, too.
    parts
        Whether words are compared by what they are part of, too, and not by what they are like alone.
    apart
        Whether words that were only ever submitted in one query, such as the words of a name, are not alike by that.
    """

    def __init__(
        self,
        graph: Graph,
        log: ClickLog | None,
        support: int = 2,
        *,
        beside: bool = True,
        parts: bool = True,
        apart: bool = False,
    ) -> None:
        self._graph = graph
        self.log = log
        self.support = support
        self.beside = beside
        self.parts = parts
        self.apart = apart
        self.frequency: Mapping[str, int] = log.frequency if log is not None else {}
        self._isa: Pairs = {}
        self._parts: Pairs = {}
        self._words: dict[int, Asked] = {}  # of pages of the log, their words and who came by them
        self._leads: dict[int, list[int]] = {}  # pages of the log that lead to another of its pages
        self._pages = 0
        self._often: dict[str, int] = {}
        self._together: dict[str, dict[str, int]] = {}
        self._pairs = 0

    def learn(self, page: Digest, words: Sequence[str]) -> None:
        """A page was met, and these are its keywords."""
        if page.id not in self._words:
            self._meet(words)
        if self.log is None:
            return
        own = self._own(page.url, words)
        targets = [link.id for link in page.links if link.id != page.id and key_of(link.url) in self.log.pages]
        if not own or page.id in self._words:
            return
        self._words[page.id] = own
        for one, other in combinations(sorted(own), 2):
            if shared := self._shared(own[one], own[other]):
                self._saw(self._isa, one, other, shared, (page.id, page.id))
                self._saw(self._isa, other, one, shared, (page.id, page.id))
        for target in dict.fromkeys(targets):
            self._leads.setdefault(target, []).append(page.id)
            if target in self._words:
                self._part(page.id, target)
        for source in self._leads.get(page.id, ()):
            if source != page.id:
                self._part(source, page.id)

    def _shared(self, one: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> int:
        """How many groups came to a page by both of two words, by each without the other if they are to be apart."""
        if self.apart:
            one, other = one - other, other - one
        return len(_groups(one) & _groups(other))

    def _own(self, url: str, words: Iterable[str]) -> Asked:
        assert self.log is not None
        clicked = self.log.clicked(url)
        return {word: clicked[word] for word in words if word in clicked}

    def _part(self, whole: int, part: int) -> None:
        theirs = {other: _groups(asked) for other, asked in self._words[part].items()}
        for one, asked in self._words[whole].items():
            mine = _groups(asked)
            for other, groups in theirs.items():
                if one != other and (shared := len(mine & groups)):
                    self._saw(self._parts, one, other, shared, (whole, part))

    def _saw(self, pairs: Pairs, one: str, other: str, times: int, pages: tuple[int, int]) -> None:
        seen = pairs.setdefault(one, {}).setdefault(other, _Seen())
        seen.support += times
        if len(seen.pages) < _WITNESSES:
            seen.pages.append(pages)

    def _meet(self, words: Sequence[str]) -> None:
        """Count which words stand together; the rare half goes when they are too many."""
        self._pages += 1
        for word in words:
            self._often[word] = self._often.get(word, 0) + 1
        for one, other in combinations(words, 2):
            for first, second in ((one, other), (other, one)):
                beside = self._together.setdefault(first, {})
                self._pairs += second not in beside
                beside[second] = beside.get(second, 0) + 1
        if self._pairs > 2 * _PAIRS:
            kept = {
                word: {other: count for other, count in beside.items() if count > 1}
                for word, beside in self._together.items()
            }
            self._together = {word: beside for word, beside in kept.items() if beside}
            self._often = {word: count for word, count in self._often.items() if count > 1}
            self._pairs = sum(map(len, self._together.values()))

    # -- how alike words are --------------------------------------------------------------------------------

    def alike(
        self, words: Sequence[str], base: Sequence[str], submitted: Sequence[str], alpha: float, *, deep: bool = True
    ) -> Floats:
        """How alike each of some words is to each of the base, from 0 to 1.

        Without `deep` only words that are the same, or that people submitted alike, are.
        """
        table = np.zeros((len(words), len(base)))
        places = {word: place for place, word in enumerate(base)}
        for row, word in enumerate(words):
            if word in places:
                table[row, places[word]] = 1.0
        if deep and (self.log is None or self.beside):
            self._fall_back(table, words, places)
        if self.log is not None and not (deep and self.parts):
            for row, word in enumerate(words):
                for other in self._told(self._isa, word):
                    if other in places:
                        table[row, places[other]] = 1.0
        elif self.log is not None:
            self._by_log(table, words, places, self.hierarchy(words, base, submitted, alpha))
        return table

    def kin(self, words: Sequence[str]) -> set[str]:
        """Some words, and all that the log says are like one of them."""
        found = set(words)
        for word in words if self._isa else ():
            found.update(self._told(self._isa, word))
        return found

    def hierarchy(self, words: Sequence[str], base: Sequence[str], submitted: Sequence[str], alpha: float) -> Hierarchy:
        """The hierarchy of the words of two contexts; parts lead from a word of the base to one of the other."""
        every = dict.fromkeys((*base, *words, *submitted))
        known = set(words)
        total = sum(self.frequency.get(word, 0) for word in dict.fromkeys((*base, *words))) or 1
        chances = {word: min(1.0, self.frequency.get(word, 0) / total) for word in every}
        isa = [(one, other) for one in every for other in self._told(self._isa, one) if other in every]
        parts = {
            (one, other): float(seen.support)
            for one in dict.fromkeys(base)
            for other, seen in self._told(self._parts, one).items()
            if other in known
        }
        return Hierarchy(submitted, chances, isa, parts, alpha=alpha)

    def _told(self, pairs: Pairs, word: str) -> dict[str, _Seen]:
        return {other: seen for other, seen in pairs.get(word, {}).items() if seen.support >= self.support}

    def _by_log(self, table: Floats, words: Sequence[str], places: Mapping[str, int], tree: Hierarchy) -> None:
        below = [other for other in places if other in tree.path]
        for row, word in enumerate(words):
            for other in tree.alike(word):
                if other in places:
                    table[row, places[other]] = 1.0
            if word in tree.path:
                for other in below:
                    table[row, places[other]] = max(table[row, places[other]], tree.ics(word, other))

    def _fall_back(self, table: Floats, words: Sequence[str], places: Mapping[str, int]) -> None:
        often, cells, counts, met = self._often, [], [], []
        for row, word in enumerate(words):
            beside = self._together.get(word, {})
            # By the fewer of the two: what a common word has stood beside grows with the crawl, the base does not.
            for other in beside.keys() & places.keys():
                count = beside[other]
                if count >= self.support:
                    cells.append((row, places[other]))
                    counts.append(count)
                    met.append(often.get(word, count) * often.get(other, count))
        if cells:
            table[tuple(np.transpose(cells))] = np.minimum(1.0, np.array(counts) / np.sqrt(met))

    # -- for people -----------------------------------------------------------------------------------------

    def relations(self) -> list[Relation]:
        """All relations that count, those seen most often first. Where both hold, words are alike."""
        found = [
            Relation("isa", one, other, seen.support, seen.pages)
            for one in self._isa
            for other, seen in self._told(self._isa, one).items()
            if one < other
        ]
        found += [
            Relation("part-of", one, other, seen.support, seen.pages)
            for one in self._parts
            for other, seen in self._told(self._parts, one).items()
            if other not in self._told(self._isa, one)
        ]
        return sorted(found, key=lambda one: (-one.support, one.kind, one.one, one.other))

    def companions(self) -> list[tuple[str, str, int, float]]:
        """Without a log: words that stand together on pages, how often, and how alike that makes them."""
        found = [
            (
                one,
                other,
                count,
                min(1.0, count / math.sqrt(self._often.get(one, count) * self._often.get(other, count))),
            )
            for one, beside in self._together.items()
            for other, count in beside.items()
            if one < other and count >= self.support
        ]
        return sorted(found, key=lambda row: (-row[3], -row[2], row[0], row[1]))

    # -- over a resume --------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """All that was learnt; what the log says of each page is asked of it again."""
        words = {page: list(own) for page, own in self._words.items()}
        state = _LexiconState(self._isa, self._parts, words, self._leads, self._pages, self._often, self._together)
        return msgspec.msgpack.encode(state)

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        saved = msgspec.msgpack.decode(state, type=_LexiconState)
        self._isa, self._parts, self._leads = saved.isa, saved.parts, saved.leads
        self._pages, self._often, self._together = saved.pages, saved.often, saved.together
        self._pairs = sum(map(len, self._together.values()))
        self._words = {page: self._own(self._graph.url(page), words) for page, words in saved.words.items()}


def _groups(asked: frozenset[tuple[int, int]]) -> set[int]:
    return {group for group, _ in asked}
