"""What a link is called, against what the topic's pages are called.

    q       = .85 * (mean of the examples' names, three times each, and of fetched pages' by their relevance - m)
            + .15 * (name of the topic - m) - .1 * (mean of the names of fetched pages, by how irrelevant they are - m)
    score   = (name - m) . q / |name - m|

with m the mean over all URLs met, which is what makes names tell: the frontier is a free sample of the background.
The name of a link is that of its URL's last segment, and half as much that of its folders and that of its anchor.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.strategies.base import Brief
from honeyguide.text.vectors import SIZE, Vectors
from honeyguide.web.urls import name_words

__all__ = ["Names", "name_of"]

Floats = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float32]

_BY_CHANCE = 2 / SIZE**0.5  # how alike two directions drawn by chance are at most, but for one in twenty
_KEPT = 1_000  # folders whose vectors are remembered
_OTHERS = 0.5  # what folders and anchor weigh against the last segment


def name_of(url: str) -> tuple[str, str]:
    """The words of a URL's last segment, and those of the folders it lies in.

    >>> name_of("http://a.test/wp/Stained_glass.htm"), name_of("http://a.test/bees/index.html")
    (('Stained glass', 'wp'), ('index', 'bees'))
    """
    folders = url[url.find("/", 8) + 1 :].partition("?")[0].rstrip("/").rpartition("/")[0]
    return name_words(url), folders.replace("/", " ").replace("_", " ") if folders else ""


class Names:
    """The topic as a direction among names, learnt from the names of examples and fetched pages."""

    def __init__(self, brief: Brief, *, meaning: bool) -> None:
        self.vectors = Vectors(meaning=meaning)
        self._folders: dict[str, Vector] = {}
        self._sums = np.zeros((3, SIZE))  # of all URLs met, of relevant ones, of irrelevant ones
        self._weights = np.zeros(3)
        self._topic = self.vectors.name(brief.topic.name).astype(np.float64)
        for example in brief.examples:
            self.learn(self.of(example.url), 3.0, 0.0)
        self.look()

    def of(self, url: str, anchor: str = "", language: str = "en") -> Vector:
        """The direction of a link's name: of its URL's last segment, its folders and its anchor."""
        last, folders = name_of(url)
        name = self.vectors.name(last, language)
        if folders:
            where = self._folders.get(folders)
            if where is None:
                if len(self._folders) >= _KEPT:
                    self._folders.clear()
                where = self._folders[folders] = np.float32(_OTHERS) * self.vectors.name(folders)
            name = name + where
        if anchor:
            name = name + np.float32(_OTHERS) * self.vectors.name(anchor, language)
        size = float(np.sqrt(name @ name))
        return name / np.float32(size) if size else name

    def meet(self, name: Vector) -> None:
        """A URL is met for the first time."""
        if name.any():
            self._sums[0] += name
            self._weights[0] += 1

    def learn(self, name: Vector, relevant: float, irrelevant: float) -> None:
        """A page of this name turned out to be so relevant."""
        if name.any():
            self._sums[1] += relevant * name.astype(np.float64)
            self._sums[2] += irrelevant * name.astype(np.float64)
            self._weights[1:] += (relevant, irrelevant)

    def look(self) -> None:
        """Compare by what is known now."""
        every, good, bad = self._sums / np.maximum(self._weights, 1e-9)[:, None]
        query = 0.85 * (good - every) if self._weights[1] else np.zeros(SIZE)
        if self._topic.any():
            query += 0.15 * (self._topic - every)
        if self._weights[2]:
            query -= 0.1 * self._weights[2] / (self._weights[2] + 5) * (bad - every)
        self._look = np.stack([query, every], axis=1)

    def scores(self, names: npt.NDArray[np.int8]) -> Floats:
        """How like the topic names are; nan for those without a word."""
        query, mean = self._look.T
        both = names.astype(np.float32) @ (self._look / 127).astype(np.float32)
        size = np.sqrt(np.maximum(1.0 - 2.0 * both[:, 1] + mean @ mean, 1e-6))
        score = (both[:, 0] - mean @ query) / size
        if (
            not self.vectors.meaning
        ):  # directions by chance are alike by chance; what is more than that comes from words
            chance = _BY_CHANCE * float(np.sqrt(query @ query))
            score = np.sign(score) * np.maximum(np.abs(score) - chance, 0.0)
        return np.where(both.any(axis=1), score, np.nan).astype(np.float64)

    def save(self) -> bytes:
        """The sums."""
        return msgspec.msgpack.encode((self._sums.tobytes(), self._weights.tobytes(), self._look.tobytes()))

    def load(self, state: bytes) -> None:
        """Go on from saved sums."""
        sums, weights, look = msgspec.msgpack.decode(state, type=tuple[bytes, bytes, bytes])
        self._sums = np.frombuffer(sums, np.float64).reshape(3, SIZE).copy()
        self._weights = np.frombuffer(weights, np.float64).copy()
        self._look = np.frombuffer(look, np.float64).reshape(SIZE, 2).copy()
