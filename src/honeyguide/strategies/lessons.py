"""Links that were followed, kept to learn from: the words in and around each, and where it led.

What a link was worth changes as the graph behind it becomes known, so the words are kept and learnt anew. All of it is
bounded: of links to relevant pages and of others an even draw is kept, each standing for as many as it was drawn from.
So it is with the links of earlier crawls, which count for no more than a few thousand, however many they were.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.strategies.base import Floats, Ints

__all__ = ["TERMS", "Bags", "Lessons", "bags"]

TERMS = 64  # kept of one link
_MOST = 2_048  # links kept of each group
_EXAMPLES = 64
_EXAMPLE = 10.0  # links to relevant pages as which all examples together count
_GOOD = 0.5  # the relevance from which a page is one of the good
_TAUGHT = 2_000.0  # links of this crawl as which those of earlier ones count at the most

Bags = npt.NDArray[np.uint16]


def bags(terms: Ints, counts: Ints) -> Bags:
    """Rows of terms, so many each, as far as there is room; 0 fills up.

    >>> bags(np.array([5, 6, 7]), np.array([1, 0, 2]))[:, :3].tolist()
    [[5, 0, 0], [0, 0, 0], [6, 7, 0]]
    """
    rows = np.repeat(np.arange(len(counts)), counts)
    columns = np.arange(len(terms)) - np.repeat(np.cumsum(counts) - counts, counts)
    fits = columns < TERMS
    made = np.zeros((len(counts), TERMS), np.uint16)
    made[rows[fits], columns[fits]] = terms[fits]
    return made


class Draw:
    """An even draw of links: their words, and a number for each."""

    def __init__(self, most: int, seed: int) -> None:
        self._most = most
        self._seed = seed
        self.seen = 0
        self.texts: Bags = np.zeros((0, TERMS), np.uint16)
        self.about: Floats = np.zeros(0)

    def add(self, texts: Bags, about: Floats) -> None:
        """Links, of which some may be kept; the draw follows from the count itself: a resumed crawl draws alike.

        >>> draw = Draw(2, 0)
        >>> draw.add(np.ones((5, TERMS), np.uint16), np.arange(5.0))
        >>> draw.seen, len(draw.texts)
        (5, 2)
        """
        free = min(self._most - len(self.about), len(texts))
        if free:
            self.texts = np.concatenate([self.texts, texts[:free]])
            self.about = np.concatenate([self.about, about[:free]])
        rest = len(texts) - free
        if rest:
            chance = np.random.default_rng([self._seed, self.seen])
            places = chance.integers(0, self.seen + free + 1 + np.arange(rest))
            for drawn in np.flatnonzero(places < self._most).tolist():
                self.texts[places[drawn]] = texts[free + drawn]
                self.about[places[drawn]] = about[free + drawn]
        self.seen += len(texts)

    def save(self) -> bytes:
        """What is kept."""
        return msgspec.msgpack.encode((self.seen, self.texts.tobytes(), self.about.tobytes()))

    def load(self, state: bytes) -> None:
        """Go on from what was kept."""
        self.seen, texts, about = msgspec.msgpack.decode(state, type=tuple[int, bytes, bytes])
        self.texts = np.frombuffer(texts, np.uint16).reshape(-1, TERMS).copy()
        self.about = np.frombuffer(about, np.float64).copy()


class Lessons:
    """Keeps links that were followed, to relevant pages and to others, and what was taught before the crawl."""

    def __init__(self, seed: int) -> None:
        self._followed = (Draw(_MOST, seed), Draw(_MOST, seed + 1))  # with the page each led to
        self._taught = (Draw(_MOST, seed), Draw(_MOST, seed + 1))  # with what each was worth
        self._examples = Draw(_EXAMPLES, seed)

    @property
    def _all(self) -> Iterator[Draw]:
        yield from (*self._followed, *self._taught, self._examples)

    def follow(self, numbers: Ints, texts: Bags, relevance: Floats) -> None:
        """Links to these URLs, which were fetched, with the words in and around each."""
        fine = relevance >= _GOOD
        for draw, members in zip(self._followed, (~fine, fine), strict=True):
            draw.add(texts[members], numbers[members].astype(np.float64))

    def teach(self, texts: Bags, values: Floats) -> None:
        """Links of an earlier crawl, and what they led to."""
        fine = values >= _GOOD
        for draw, members in zip(self._taught, (~fine, fine), strict=True):
            draw.add(texts[members], values[members])

    def example(self, text: Bags) -> None:
        """Words of an example, as those of a link to it would be."""
        self._examples.add(text, np.ones(1))

    def all(self, values: Floats) -> tuple[Bags, Floats, Floats]:
        """The words of each link, what it led to by the values of URLs, and for how many it stands."""
        worth = [values[draw.about.astype(np.int64)] for draw in self._followed]
        worth += [draw.about for draw in (*self._taught, self._examples)]
        taught = sum(draw.seen for draw in self._taught)
        stands = [float(draw.seen) for draw in self._followed]
        stands += [draw.seen * min(1.0, _TAUGHT / max(taught, 1)) for draw in self._taught]
        stands.append(_EXAMPLE)
        draws = list(self._all)
        counts = [len(draw.about) for draw in draws]
        weights = np.repeat(np.array(stands) / np.maximum(counts, 1), counts)
        return np.concatenate([draw.texts for draw in draws]), np.concatenate(worth), weights

    def save(self) -> bytes:
        """All links that are kept."""
        return msgspec.msgpack.encode([draw.save() for draw in self._all])

    def load(self, state: bytes) -> None:
        """Go on from saved links."""
        for draw, packed in zip(self._all, msgspec.msgpack.decode(state, type=list[bytes]), strict=True):
            draw.load(packed)
