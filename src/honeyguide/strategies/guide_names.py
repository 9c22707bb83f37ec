"""What a link is called, by word vectors, against what the topic's pages are called (`guide_direction`).

The name of a link is that of its URL's last segment, and half as much that of its folders and that of its anchor. Where
the last segment is but a number, or a query is put to it, the anchors of the first links to it stand in its place.

To read names is most of what links cost, and many a page of today has a hundred links that no other has, of which one
may be followed. So there is an allowance: 500 names as they come, and 10 more with every page. Where a page has more
than are left (`choose`), most of those read are the links with the best words in and around them, and one in four is
taken from the rest and stands for it among all URLs met. One that is not read is ranked by all else; its name is read
when one more page links to it, or when it is ranked among the first without.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from honeyguide.page.digest import Digest
from honeyguide.strategies.base import Brief, Floats, Ints
from honeyguide.strategies.guide_direction import EXAMPLE, TopicDirection
from honeyguide.strategies.guide_rows import UNREAD, Rows
from honeyguide.text.vectors import SIZE, Vectors, some, unit, without_hashes
from honeyguide.web.urls import name_words

__all__ = ["ANCHORS", "AT_FIRST", "A_PAGE", "NAMED", "Names", "Taken", "choose", "name_of"]

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]
Taken = npt.NDArray[np.int8]

_BY_CHANCE = 2 / SIZE**0.5  # how alike two directions drawn by chance are at most, but for one in twenty
ANCHORS = 5  # that stand for a name
NAMED = -1  # said of a URL whose address has words: it needs no anchors
AT_FIRST, A_PAGE = 500, 10  # names of links that are read at once, and those that may be read more with every page
_OTHERS_READ = 4  # one in so many of those read is none of the best
_RANKED_FIRST, _AT_A_REVISION = 256, 16  # URLs whose names are read after all, and of how many of them at a time
_SIGNS = 100  # of an anchor that are kept until then
_KEPT = 1_000  # anchors that are kept until then at the least
_OTHERS = np.float32(0.5)  # what folders and anchor weigh against the last segment


def name_of(url: str) -> tuple[str, str]:
    """The words of a URL's last segment, and those of the folders it lies in.

    What a query is put to is no name: all its answers share it. Nor is a hash. The index of a folder is called as the
    folder is: it is the same page, by another address.

    >>> name_of("http://a.test/wp/Stained_glass.htm"), name_of("http://a.test/show/item?id=7")
    (('Stained glass', 'wp'), ('', 'show item'))
    >>> name_of("http://a.test/wp/Stained_glass/index.html"), name_of("http://a.test/wp/Stained_glass/")
    (('Stained glass', 'wp'), ('Stained glass', 'wp'))
    >>> name_of("http://a.test/7858019e54bcee7.htm"), name_of("http://a.test/2e6e46b5-stained-glass")
    (('', ''), ('stained glass', ''))
    """
    begin = url.find("/", 8) + 1
    path, query, _ = url[begin:].partition("?")
    front, _, last = path.rstrip("/").rpartition("/")
    if not query and last.lower().startswith(("index.", "default.")):
        url = url[:begin] + front
        front, _, last = front.rpartition("/")
    named = "" if query else without_hashes(last)
    if named != last:  # what is left of it is read like an address of its own, if anything is before its ending
        url = f"http://a.test/{named}" if named.partition(".")[0] else ""
    folders = path if query else front
    return name_words(url), folders.replace("/", " ").replace("_", " ") if folders else ""


def choose(likely: Floats, most: int) -> tuple[Ints, Vector]:
    """Which names are read, at most so many, by how likely each link is to be a good one; and for how many each stands.

    >>> places, counts = choose(np.array([0.1, 0.9, np.nan, 0.2, 0.3, 0.0]), 4)
    >>> places.tolist(), counts.tolist()
    ([0, 1, 3, 4], [3.0, 1.0, 1.0, 1.0])
    """
    if len(likely) <= most:
        return np.arange(len(likely)), np.ones(len(likely), np.float32)
    order = np.argsort(np.where(np.isnan(likely), np.inf, -likely), kind="stable")
    others = most // _OTHERS_READ
    best, rest = order[: most - others], np.sort(order[most - others :])
    some = rest[np.arange(others) * len(rest) // max(others, 1)]
    places = np.concatenate([best, some])
    counts = np.repeat(np.array([1.0, len(rest) / max(len(some), 1)], np.float32), [len(best), len(some)])
    in_order = np.argsort(places)
    return places[in_order], counts[in_order]


class Names:
    """Names of queued URLs as directions, in their rows, and the topic as a direction among them."""

    def __init__(self, brief: Brief, rows: Rows, *, meaning: bool) -> None:
        self.vectors = Vectors(meaning=meaning)
        self._graph = brief.graph
        self._rows = rows
        self._unread: dict[int, str] = {}  # anchors of URLs whose names wait to be read
        # A link to what is looked for may be called by a keyword as well as by the topic's name.
        self._direction = TopicDirection(self.vectors.name(" ".join((brief.topic.name, *brief.topic.keywords))))
        for example in brief.examples:
            self._direction.learn(self._called(example), EXAMPLE, 0.0)
        self._direction.look()

    def of(self, urls: Sequence[str], anchors: Sequence[str], language: str = "en") -> tuple[Matrix, Taken]:
        """The directions of links' names: of each URL's last segment, its folders and its anchor; and how many anchors
        each has in place of a name, `NAMED` where its address has words."""
        parts = list(map(name_of, urls))
        told = [*(last for last, _ in parts), *anchors, *(folders for _, folders in parts)]
        # An anchor often says what the URL is called, and folders are few: each text is read once.
        texts = {text: place for place, text in enumerate(dict.fromkeys(told))}
        read = self.vectors.names(list(texts), language)
        names, shown, where = read[[texts[text] for text in told]].reshape(3, len(urls), SIZE)
        named = some(names)
        names += np.where(named, _OTHERS, np.float32(1.0))[:, None] * shown
        names += _OTHERS * where
        return unit(names), np.where(named, NAMED, some(shown)).astype(np.int8)

    def read(
        self, numbers: Ints, urls: Sequence[str], anchors: Sequence[str], language: str, counts: Vector | None = None
    ) -> None:
        """Read what URLs are called for the first time; each counts as so many among all that were met."""
        names, taken = self.of(urls, anchors, language)
        self._direction.meet(names, counts)
        self._rows.name(numbers, names, taken)
        for number in self._unread.keys() & numbers.tolist():
            del self._unread[number]

    def leave(self, numbers: Ints, anchors: Sequence[str]) -> None:
        """The names of URLs are not read, for now."""
        kept, rows = self._unread, self._rows
        kept.update(zip(numbers.tolist(), [anchor[:_SIGNS] for anchor in anchors], strict=True))
        if len(kept) > 2 * rows.count + _KEPT:
            self._unread = {number: anchor for number, anchor in kept.items() if rows.place.raw[number] >= 0}

    def read_first(self, best: Ints) -> None:
        """Read what some of the URLs are called that were ranked among the first without, of the best rows."""
        rows = self._rows
        if not self._unread:
            return
        if len(best) > _RANKED_FIRST:
            best = best[np.argpartition(rows.scores[best], -_RANKED_FIRST)[-_RANKED_FIRST:]]
        waits = best[rows.anchors[best] == UNREAD]
        numbers = rows.ids[waits[np.argsort(-rows.scores[waits], kind="stable")[:_AT_A_REVISION]]]
        if len(numbers):
            self._read_late(numbers)

    def _read_late(self, numbers: Ints) -> None:
        """Read what URLs are called for which others stood among all that were met."""
        urls = [self._graph.url(number) for number in numbers.tolist()]
        anchors = [self._unread.get(number, "") for number in numbers.tolist()]
        self.read(numbers, urls, anchors, "en", np.zeros(len(numbers), np.float32))

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
        if self._rows.anchors[self._rows.place.raw[number]] == UNREAD:
            self._read_late(np.array([number]))
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

    def scores(self, rows: Ints) -> Floats:
        """How like the topic the names of rows are; nan for those that say nothing."""
        found = np.full(len(rows), np.nan)
        read = self._rows.anchors[rows] != UNREAD
        if read.any():
            names = self._rows.names[rows[read]]
            found[read] = self._direction.scores(names, 0.0 if self.vectors.meaning else _BY_CHANCE)
        return found

    def told(self, row: int, good: bool, score: float) -> str:
        """How like the topic a queued URL is called, in words."""
        like = "like" if self.vectors.meaning else "in the words of"
        return f"named {like if good else 'unlike'} the topic's pages ({score:.2f})"

    def save(self) -> bytes:
        """What was learnt, and what waits."""
        return msgspec.msgpack.encode((self._direction.save(), self._unread))

    def load(self, state: bytes) -> None:
        """Go on from what was saved."""
        direction, self._unread = msgspec.msgpack.decode(state, type=tuple[bytes, dict[int, str]])
        self._direction.load(direction)
