"""The words in and around links, against those of links that led to relevant pages, of the examples, and the keywords.

    q     = mean over links to fetched URLs, by relevance (to examples 1), and the words of the examples, as 10 links
            - mean over all links
    score = words . q,  its z-score times S / (S + 3), S the sum of those relevances and the 10

The words of a link are a bag of unit length, weighted by how rare each is on the pages met; the k-th link to a URL
counts 1 / k. The topic's keywords are one example more. Terms are numbers of 16 bits, hashed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from zlib import crc32

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.native import has_native
from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Floats, Ints
from honeyguide.strategies.guide_rows import TERMS, Rows

if has_native:
    from honeyguide import _native

__all__ = ["Surroundings", "windows"]

Reals = npt.NDArray[np.float32]

_SLOTS = 1 << 16
_EXAMPLE = 10.0  # links to relevant pages as which the words of examples count
_COMPARED = 256  # rows that are compared at once


def term_numbers(terms: Collection[str]) -> Ints:
    """A number from 1 to 65,535 for each term."""
    if has_native and isinstance(terms, list | dict):
        return np.frombuffer(_native.hashed(terms), np.int64)
    numbers = (crc32(term.encode("utf-8", "surrogatepass")) % (_SLOTS - 1) + 1 for term in terms)
    return np.fromiter(numbers, np.int64, len(terms))


def windows(
    page: Digest, links: Ints, reach: int, numbered: Callable[[list[str]], Ints] = term_numbers
) -> tuple[Ints, Ints]:
    """The terms of links, given by their places on the page, and those on either side, `reach` of each: as numbers, and
    how many of them each link has."""
    terms, spans = page.spans
    if has_native:
        found, counts = _native.windows(numbered(terms), spans, links, reach)
        return np.frombuffer(found, np.int64), np.frombuffer(counts, np.int64)
    return windows_in_python(numbered(terms), spans, links, reach)


def windows_in_python(terms: Ints, spans: Ints, links: Ints, reach: int) -> tuple[Ints, Ints]:
    """The same, where it was not compiled."""
    low, before, after, high = spans[:, links]
    begins = np.maximum(before - reach, low)
    counts = np.minimum(after + reach, high) - begins
    places = np.arange(counts.sum()) + np.repeat(begins - np.cumsum(counts) + counts, counts)
    if (after - before > reach).any():  # of a long anchor the first terms are taken
        kept = (places < np.repeat(before + reach, counts)) | (places >= np.repeat(after, counts))
        counts = np.bincount(np.repeat(np.arange(len(links)), counts)[kept], minlength=len(links))
        places = places[kept]
    return terms[places], counts


class Surroundings:
    """What stands around links, and around those that led to relevant pages."""

    def __init__(self) -> None:
        self._pages = 0
        self._frequency = np.zeros(_SLOTS, np.float32)  # pages each term stood on
        self._logs = np.full(_SLOTS, np.log(0.5), np.float32)  # of those, half a page added
        self._sums = np.zeros((2, _SLOTS), np.float32)  # over links to relevant pages, and over all
        self._weights = np.zeros(2)
        self._examples: list[
            tuple[Ints, npt.NDArray[np.float32]]
        ] = []  # terms of each, and their counts, as logarithms
        self._query = np.zeros(_SLOTS, np.float32)  # what each term tells, times how rare it is

    def example(self, terms: Mapping[str, float]) -> None:
        """A text on the topic: links that lead on are expected to stand among its words."""
        if terms:
            self._examples.append((term_numbers(terms), np.log1p(np.fromiter(terms.values(), np.float32))))

    def count(self, terms: Collection[str]) -> None:
        """The terms of a page that was met."""
        self._pages += 1
        ids = term_numbers(terms)
        self._frequency[ids] += 1
        self._logs[ids] = np.log(self._frequency[ids] + 0.5)

    def learn(self, ids: Ints, counts: Ints, relevance: Floats, every: Floats) -> None:
        """Words around links: terms, how many each link has, the weight of each link as relevant and among all."""
        if not len(ids):
            return
        pages = float(np.log(self._pages + 1.0))
        if has_native:
            found = _native.learn_words(ids, counts, relevance, every, pages, self._logs, self._sums)
            told = np.frombuffer(found, np.float64) > 0
        else:
            told = learn_in_python(ids, counts, relevance, every, pages, self._logs, self._sums) > 0
        self._weights += (relevance[told].sum(), every[told].sum())

    @property
    def sure(self) -> float:
        """How much there is to go by, from 0 to 1."""
        good = self._weights[0] + self._expected
        return float(good / (good + 3.0))

    @property
    def _expected(self) -> float:
        return _EXAMPLE * bool(self._examples)

    def squares(self, ids: Ints) -> npt.NDArray[np.float32]:
        """The squares of how rare terms are."""
        rarity: npt.NDArray[np.float32] = np.float32(np.log(self._pages + 1.0)) - self._logs[ids]
        return rarity * rarity

    def look(self) -> None:
        """Compare by what is known now."""
        rarity = np.float32(np.log(self._pages + 1.0)) - self._logs
        rarity[0] = 0.0
        good = self._sums[0].copy()
        for ids, counts in self._examples:
            values = counts * rarity[ids]
            size = float(np.sqrt((values * values).sum()))
            np.add.at(good, ids, values * np.float32(self._expected / len(self._examples) / max(size, 1e-9)))
        good /= np.float32(max(self._weights[0] + self._expected, 1e-9))
        good -= self._sums[1] / np.float32(max(self._weights[1], 1e-9))
        np.multiply(good, rarity, out=self._query)

    def scores(self, rows: Rows, places: Ints) -> Floats:
        """How like those that led to relevant pages the surroundings of rows are; nan where there are none."""
        if not self._weights[1] or not self.sure or not len(places):
            return np.full(len(places), np.nan)
        if has_native:
            packed = _native.sums_of_words(self._query, places, TERMS, rows.terms, rows.held)
            found = np.frombuffer(packed, np.float32)
        else:
            found = sums_in_python(self._query, places, rows.terms, rows.held)
        squares = np.where(places >= 0, rows.squares[places], np.float32(0.0))
        likeness = found / np.sqrt(np.maximum(squares, np.float32(1e-6)))
        return np.where(squares > 0, likeness, np.nan).astype(np.float64)

    def save(self) -> bytes:
        """All counts, of terms that were met."""
        fields = [self._frequency, *self._sums, self._query]
        used = np.flatnonzero(np.stack(fields).any(axis=0))
        return msgspec.msgpack.encode(
            (self._pages, self._weights.tobytes(), used.tobytes(), [field[used].tobytes() for field in fields])
        )

    def load(self, state: bytes) -> None:
        """Go on from saved counts."""
        self._pages, weights, used, fields = msgspec.msgpack.decode(state, type=tuple[int, bytes, bytes, list[bytes]])
        self._weights = np.frombuffer(weights, np.float64).copy()
        places = np.frombuffer(used, np.int64)
        counts = np.zeros((4, _SLOTS), np.float32)
        for row, packed in zip(counts, fields, strict=True):
            row[places] = np.frombuffer(packed, np.float32)
        self._frequency, self._sums, self._query = counts[0], counts[1:3].copy(), counts[3]
        self._logs = np.full(_SLOTS, np.log(0.5), np.float32)
        self._logs[places] = np.log(self._frequency[places] + 0.5)


def learn_in_python(
    ids: Ints, counts: Ints, relevance: Floats, every: Floats, pages: float, logs: Reals, sums: Reals
) -> Floats:
    """Add words around links to both sums; returns how long those of each link are as a vector."""
    links = np.repeat(np.arange(len(counts)), counts)
    # All in single precision: `add.at` is slow where it must convert.
    values = np.float32(pages) - logs[ids]
    sizes: Floats = np.sqrt(np.bincount(links, weights=values * values, minlength=len(counts)))
    values /= np.maximum(sizes, 1e-9).astype(np.float32)[links]
    if every.any():
        np.add.at(sums[1], ids, every.astype(np.float32)[links] * values)
    good = relevance[links] > 0
    if good.any():
        np.add.at(sums[0], ids[good], relevance.astype(np.float32)[links[good]] * values[good])
    return sizes


def sums_in_python(tell: Reals, places: Ints, bags: npt.NDArray[np.uint16], held: npt.NDArray[np.uint8]) -> Reals:
    """What the terms of rows tell, summed up, 0 for a row that is none; where it was not compiled."""
    found = np.zeros(len(places), np.float32)
    for begin in range(0, len(places), _COMPARED):
        part = places[begin : begin + _COMPARED]
        widest = max(int(held[part].max()), 1)  # what is not held of a row is 0, which no term is
        # One after another, as the compiled loop does it: `sum` goes by pairs, and may end in other bits.
        summed = tell.take(bags[part, :widest]).cumsum(axis=1, dtype=np.float64)[:, -1]
        found[begin : begin + _COMPARED] = np.where(part >= 0, summed, 0.0)
    return found
