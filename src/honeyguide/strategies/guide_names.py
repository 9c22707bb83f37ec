"""What a link is called, by word vectors, against what the topic's pages are called (`guide_direction`).

The name of a link is that of its URL's last segment, and half as much that of its folders and that of its anchor. Where
the last segment is but a number, or a query is put to it, the anchors of the first links to it stand in its place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints
from honeyguide.strategies.guide_direction import EXAMPLE, TopicDirection
from honeyguide.strategies.guide_rows import Rows
from honeyguide.text.vectors import SIZE, Vectors, unit, without_hashes
from honeyguide.web.urls import name_words

__all__ = ["ANCHORS", "NAMED", "Names", "Taken", "name_of"]

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]
Taken = npt.NDArray[np.int8]

_BY_CHANCE = 2 / SIZE**0.5  # how alike two directions drawn by chance are at most, but for one in twenty
ANCHORS = 5  # that stand for a name
NAMED = -1  # said of a URL whose address has words: it needs no anchors
_KEPT = 1_000  # folders whose vectors are remembered
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
    """Names of queued URLs as directions, in their rows, and the topic as a direction among them."""

    def __init__(self, brief: Brief, rows: Rows, *, meaning: bool) -> None:
        self.vectors = Vectors(meaning=meaning)
        self._graph = brief.graph
        self._rows = rows
        self._folders: dict[str, Vector] = {}
        self._direction = TopicDirection(self.vectors.name(brief.topic.name))
        for example in brief.examples:
            self._direction.learn(self._called(example), EXAMPLE, 0.0)
        self._direction.look()

    def of(self, urls: Sequence[str], anchors: Sequence[str], language: str = "en") -> tuple[Matrix, Taken]:
        """The directions of links' names: of each URL's last segment, its folders and its anchor; and how many anchors
        each has in place of a name, `NAMED` where its address has words."""
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

    def meet(self, numbers: Ints, urls: Sequence[str], anchors: Sequence[str], language: str) -> Taken:
        """URLs are met for the first time, and get a row; returns what `of` says of anchors."""
        names, taken = self.of(urls, anchors, language)
        self._direction.meet(names)
        self._rows.add(numbers, names, taken)
        return taken

    def call(self, numbers: Sequence[int], anchors: Sequence[str], language: str) -> None:
        """URLs without a name of their own have one more anchor each, as far as there is room."""
        rows = self._rows
        for number, anchor, read in zip(numbers, anchors, self.vectors.names(anchors, language), strict=True):
            row = int(rows.place.raw[number])
            taken = int(rows.anchors[row])
            if read.any() and taken < ANCHORS:
                total = rows.names[row].astype(np.float32) * np.float32(max(taken, 0.5) / 127) + read
                rows.names[row] = np.rint(unit(total[None, :])[0] * 127)
                rows.anchors[row] += 1
                self._called_too(number, anchor)

    def _called_too(self, number: int, anchor: str) -> None:
        """A URL has one more anchor in place of a name."""

    def learn(self, number: int, relevance: float) -> None:
        """A queued URL turned out to be so relevant."""
        name = self._rows.names[self._rows.place.raw[number]].astype(np.float32) / np.float32(127)
        self._direction.learn(name, relevance, 1.0 - relevance)

    def turned(self, numbers: Ints, changes: Floats) -> None:
        """The relevance of fetched URLs has changed by so much."""
        urls = [self._graph.url(number) for number in numbers.tolist()]
        for name, change in zip(self.of(urls, [""] * len(urls))[0], changes.tolist(), strict=True):
            self._direction.learn(name, change, -change)

    def look(self) -> None:
        """Compare by what is known now."""
        self._direction.look()

    def _called(self, example: Digest) -> Vector:
        """The direction of an example's name, its title in place of an anchor where the address is but a number."""
        language = example.language or "en"
        plain = self.vectors.name(name_of(example.url)[0], language).any()
        called: Vector = self.of([example.url], ["" if plain else example.title], language)[0][0]
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

    def scores(self, rows: Ints) -> Floats:
        """How like the topic the names of rows are; nan for those that say nothing."""
        return self._direction.scores(self._rows.names[rows], 0.0 if self.vectors.meaning else _BY_CHANCE)

    def told(self, number: int, good: bool) -> str:
        """How like the topic a queued URL is called, in words."""
        like = "like" if self.vectors.meaning else "in the words of"
        return f"named {like if good else 'unlike'} the topic's pages ({self._score(number):.2f})"

    def _score(self, number: int) -> float:
        return float(self.scores(np.array([self._rows.place.raw[number]]))[0])

    def save(self) -> bytes:
        """What was learnt."""
        return self._direction.save()

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        self._direction.load(state)
