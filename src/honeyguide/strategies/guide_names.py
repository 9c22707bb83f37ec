"""What a link is called, against what the topic's pages are called.

    q       = .85 * (mean of the examples' names, three times each, and of fetched pages' by their relevance - m)
            + .15 * (name of the topic - m) - .1 * (mean of the names of fetched pages, by how irrelevant they are - m)
    score   = (name - m) . q / |name - m|

with m the mean over all URLs met, which is what makes names tell: the frontier is a free sample of the background.
The name of a link is that of its URL's last segment, and half as much that of its folders and that of its anchor. Where
the last segment is but a number, or a query is put to it, the anchors of the first links to it stand in its place.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats
from honeyguide.text.vectors import SIZE, Vectors, unit, without_hashes
from honeyguide.web.urls import name_words

__all__ = ["NAMED", "Names", "name_of"]

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]
Taken = npt.NDArray[np.int8]

_BY_CHANCE = 2 / SIZE**0.5  # how alike two directions drawn by chance are at most, but for one in twenty
NAMED = -1  # said of a URL whose address has words: it needs no anchors
_KEPT = 1_000  # folders whose vectors are remembered
_ALIKE = 0.2  # how far from the mean a name must lie: nearer, what is left is mostly rounding
_OTHERS = np.float32(0.5)  # what folders and anchor weigh against the last segment


def name_of(url: str) -> tuple[str, str]:
    """The words of a URL's last segment, and those of the folders it lies in.

    What a query is put to is no name: all its answers share it. Nor is a hash.

    >>> name_of("http://a.test/wp/Stained_glass.htm"), name_of("http://a.test/show/item?id=7")
    (('Stained glass', 'wp'), ('', 'show item'))
    >>> name_of("http://a.test/7858019e54bcee7.htm"), name_of("http://a.test/2e6e46b5-stained-glass")
    (('', ''), ('stained glass', ''))
    """
    path, query, _ = url[url.find("/", 8) + 1 :].partition("?")
    front, _, last = path.rstrip("/").rpartition("/")
    named = "" if query else without_hashes(last)
    if named != last:  # what is left of it is read like an address of its own, if anything is before its ending
        url = f"http://a.test/{named}" if named.partition(".")[0] else ""
    folders = path if query else front
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
            self.learn(self._called(example), 3.0, 0.0)
        self.look()

    def of(self, urls: Sequence[str], anchors: Sequence[str], language: str = "en") -> Matrix:
        """The directions of links' names: of each URL's last segment, its folders and its anchor."""
        return self.met(urls, anchors, language)[0]

    def met(self, urls: Sequence[str], anchors: Sequence[str], language: str = "en") -> tuple[Matrix, Taken]:
        """The same, and how many anchors each has in place of a name; `NAMED` where its address has words."""
        parts = list(map(name_of, urls))
        told = [last for last, _ in parts]
        # An anchor often says what the URL is called: each text is read once.
        texts = {text: place for place, text in enumerate(dict.fromkeys((*told, *anchors)))}
        read = self.vectors.names(list(texts), language)
        names, shown = read[[texts[text] for text in told]], read[[texts[text] for text in anchors]]
        named = names.any(axis=1)
        names += np.where(named, _OTHERS, np.float32(1.0))[:, None] * shown
        names += self._where([folders for _, folders in parts])
        return unit(names), np.where(named, NAMED, shown.any(axis=1)).astype(np.int8)

    def called_too(self, name: npt.NDArray[np.int8], taken: int, anchor: Vector) -> npt.NDArray[np.int8]:
        """A name made of so many anchors, and one more."""
        total = name.astype(np.float32) * np.float32(max(taken, 0.5) / 127) + anchor
        called: npt.NDArray[np.int8] = np.rint(unit(total[None, :])[0] * 127).astype(np.int8)
        return called

    def _called(self, example: Digest) -> Vector:
        """The direction of an example's name, its title in place of an anchor where the address is but a number."""
        language = example.language or "en"
        plain = self.vectors.name(name_of(example.url)[0], language).any()
        called: Vector = self.of([example.url], ["" if plain else example.title], language)[0]
        return called

    def _where(self, folders: Sequence[str]) -> Matrix:
        """The share of folders in names; they are few, and remembered."""
        known = self._folders
        if len(known) > _KEPT:
            known.clear()
        new = [one for one in dict.fromkeys(folders) if one not in known]
        if new:
            known.update(zip(new, _OTHERS * self.vectors.names(new), strict=True))
        return np.stack([known[one] for one in folders])

    def meet(self, names: Matrix) -> None:
        """URLs are met for the first time."""
        self._sums[0] += names.sum(axis=0)
        self._weights[0] += names.any(axis=1).sum()

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
        self._look = np.stack([query, every]).astype(np.float32)

    def scores(self, names: npt.NDArray[np.int8]) -> Floats:
        """How like the topic names are; nan for those without a word, and for those called like nearly all others."""
        query, mean = self._look
        # Not by `@`: on a busy machine its threads wait for each other twenty times as long as this takes.
        both = np.einsum("ij,kj->ik", names.astype(np.float32), self._look / np.float32(127))
        size = np.sqrt(np.maximum(1.0 - 2.0 * both[:, 1] + mean @ mean, 1e-6))
        score = (both[:, 0] - mean @ query) / size
        if not self.vectors.meaning:
            # Directions by chance are alike by chance; what is more than that comes from words.
            chance = _BY_CHANCE * np.sqrt(query @ query)
            score = np.sign(score) * np.maximum(np.abs(score) - chance, 0.0)
        return np.where(both.any(axis=1) & (size > _ALIKE), score, np.nan).astype(np.float64)

    def save(self) -> bytes:
        """The sums."""
        return msgspec.msgpack.encode((self._sums.tobytes(), self._weights.tobytes(), self._look.tobytes()))

    def load(self, state: bytes) -> None:
        """Go on from saved sums."""
        sums, weights, look = msgspec.msgpack.decode(state, type=tuple[bytes, bytes, bytes])
        self._sums = np.frombuffer(sums, np.float64).reshape(3, SIZE).copy()
        self._weights = np.frombuffer(weights, np.float64).copy()
        self._look = np.frombuffer(look, np.float32).reshape(2, SIZE).copy()
