"""The one graph of a crawl: every URL it knows, what became of each, and which page links to which.

URLs are numbered in the order of finding, and everything about them stands in columns over those numbers. The crawl
fills it, once for every answer, through a `GraphWriter`; strategies, `why` and the report read it as a `Graph`. What a
strategy wants to know of a URL besides is a column of its own over the same numbers (`Graph.column`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from honeyguide.graph import Column, Links
from honeyguide.native import has_native
from honeyguide.web.urls import key_of

if has_native:
    from honeyguide import _native

__all__ = ["NOBODY", "OUTCOMES", "UNSEEN", "Graph", "GraphWriter", "pattern_of"]

Number = TypeVar("Number", bound=np.generic)
Ints = NDArray[np.int64]

# What became of a URL, by its code in the graph; the words are those of the store's visits.
OUTCOMES = ("", "page", "feed", "pdf", "missing", "failed", "refused", "redirect", "unwanted", "forgotten")
UNSEEN = 0
NOBODY = -1  # the parent of a URL that no page led to
_CODES = {name: code for code, name in enumerate(OUTCOMES)}
_PLACE = 0xFFFF  # places and blocks past this count as this

_FOLDED = re.compile(r"[0-9?]")
_VALUE = re.compile(r"=[^&;/]*")
# Begun only where a word begins, so that a long word is looked through once.
_NUMBER = re.compile(r"(?<![0-9A-Za-z])[A-Za-z]*+[0-9][0-9A-Za-z]*")


def pattern_of(path: str) -> str:
    """What the addresses of a family have in common: numbers, hashes and the values of a query are folded.

    >>> pattern_of("/cal/2024/03?day=7&sid=9f8e"), pattern_of("/shop;jsessionid=1A53B"), pattern_of("/about-us")
    ('/cal/#/#?day=#&sid=#', '/shop;jsessionid=#', '/about-us')
    """
    if _FOLDED.search(path) is None:  # most paths are nothing but words
        return path
    address, mark, query = path.partition("?")
    folded = _NUMBER.sub("#", address)  # which no address holds: a family's name is never one of its members
    return f"{folded}?{_VALUE.sub('=#', _NUMBER.sub('#', query))}" if mark else folded


def _unknown(number: int) -> str:
    raise LookupError(f"nobody knows the URL of number {number}")


class Graph:
    """The crawl so far, to be read. Arrays are views: good until the next page, and not to be written.

    >>> writer = GraphWriter()
    >>> page, other = writer.add("http://a.test/"), writer.add("http://a.test/p/7", parent=0, depth=1)
    >>> writer.answered(page, "page", relevance=0.9, on_topic=True)
    >>> targets = writer.link(page, [other], [0])
    >>> graph = writer.graph
    >>> len(graph), graph.relevance.tolist(), graph.in_degree.tolist(), graph.visited.tolist()
    (2, [0.8999999761581421, 0.0], [0, 1], [True, False])
    """

    def __init__(self) -> None:
        self._host: Column[np.int32] = Column(np.int32)
        self._depth: Column[np.uint16] = Column(np.uint16)
        self._hops: Column[np.uint8] = Column(np.uint8)
        self._parent: Column[np.int32] = Column(np.int32)
        self._pattern: Column[np.int32] = Column(np.int32)
        self._outcome: Column[np.uint8] = Column(np.uint8)
        self._relevance: Column[np.float32] = Column(np.float32)
        self._on_topic: Column[np.bool_] = Column(np.bool_)
        self._links = Links()
        self._moved: dict[int, int] = {}
        self._added: list[tuple[Column[Any], float]] = []  # columns of strategies, and what new rows of them hold
        self._folds = False  # whether somebody has asked for patterns
        self._url: Callable[[int], str] = _unknown
        self._find: Callable[[str], int | None] = _nothing

    def __len__(self) -> int:
        return len(self._host)

    def column(self, kind: type[Number], fill: float = 0) -> Column[Number]:
        """A column of one's own: a number for every URL, which grows with the graph; new URLs hold `fill`."""
        made: Column[Number] = Column(kind)
        made.grow(len(self), fill)
        self._added.append((made, fill))
        return made

    def url(self, number: int) -> str:
        """The address of a URL; asked of the store, so for reasons and for people."""
        return self._url(number)

    def find(self, url: str) -> int | None:
        """The number of a normal URL, if it is known."""
        return self._find(url)

    @property
    def host(self) -> NDArray[np.int32]:
        """The number of each URL's host."""
        return _read(self._host)

    @property
    def depth(self) -> NDArray[np.uint16]:
        """How many links lie between each URL and a start, along the way it was found first."""
        return _read(self._depth)

    @property
    def parent(self) -> NDArray[np.int32]:
        """The page that first led to each URL; -1 for starts and what no page named."""
        return _read(self._parent)

    @property
    def pattern(self) -> NDArray[np.int32]:
        """A number of 31 bits that names each URL's pattern on its host, digits and hashes folded (`pattern_of`).

        Not every strategy asks: the first time those known by then are worked out, from then on each as it is found.
        """
        if not self._folds:
            self._folds = True
            self._fold(self._host.values.tolist(), map(self._url, range(len(self))))
        return _read(self._pattern)

    def _fold(self, hosts: Iterable[int], urls: Iterable[str]) -> None:
        names = (f"{host} {pattern_of(url[url.find('/', 8) :])}" for host, url in zip(hosts, urls, strict=True))
        self._pattern.extend([key_of(name) >> 32 for name in names])

    @property
    def outcome(self) -> NDArray[np.uint8]:
        """What became of each URL: a place in `OUTCOMES`; 0 while it was not visited."""
        return _read(self._outcome)

    @property
    def visited(self) -> NDArray[np.bool_]:
        """Whether each URL is done with: visited, or refused."""
        done: NDArray[np.bool_] = self._outcome.values != UNSEEN
        return done

    def waiting(self, numbers: Ints) -> Ints:
        """Those of some URLs that are not done with."""
        left: Ints = numbers[self._outcome.raw[numbers] == UNSEEN]
        return left

    @property
    def relevance(self) -> NDArray[np.float32]:
        """The judge's present probability for each page; 0 for what is no page or not visited."""
        return _read(self._relevance)

    @property
    def on_topic(self) -> NDArray[np.bool_]:
        """Whether each page is on topic, by the present verdict."""
        return _read(self._on_topic)

    @property
    def in_degree(self) -> NDArray[np.int32]:
        """How many visited pages link to each URL."""
        return _read(self._links._in)

    @property
    def links(self) -> Links:
        """All links between known URLs, for computations over the whole graph."""
        return self._links

    def outcome_of(self, number: int) -> str:
        """What became of one URL, in a word; empty while it was not visited."""
        return OUTCOMES[self._outcome.values[number]]

    def moved_to(self, number: int) -> int | None:
        """Where a redirect led."""
        return self._moved.get(number)

    def out(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """Where a visited page's links lead, each URL once; the block each stands in, and its place on the page."""
        targets, marks = self._links.out(number)
        targets.flags.writeable = False
        return targets, marks >> 16, marks & _PLACE

    def parents(self, number: int) -> NDArray[np.int32]:
        """All visited pages that link to a URL: a search through all links, for people's questions."""
        return self._links.sources_of(number)


def _nothing(_: str) -> int | None:
    return None


def _read(column: Column[Number]) -> NDArray[Number]:
    view = column.values
    view.flags.writeable = False
    return view


def _firsts(numbers: Ints, besides: int) -> Ints:
    """Where each of some numbers stands first; one of them is left out.

    >>> _firsts(np.array([7, 5, 7, 3, 5]), 3).tolist()
    [0, 1]
    """
    if has_native:
        return np.frombuffer(_native.firsts(numbers, besides), np.int64)
    places: dict[int, int] = {}
    for place, number in enumerate(numbers.tolist()):
        places.setdefault(number, place)
    places.pop(besides, None)
    return np.fromiter(places.values(), np.int64, len(places))


def _extend(column: Column[Any], size: int, values: Sequence[int] | int, most: int | None = None) -> None:
    if isinstance(values, int):
        column.grow(size, values if most is None else min(values, most))
    else:
        column.extend(values if most is None else np.minimum(values, most))


class GraphWriter:
    """Fills the graph; belongs to the crawl alone.

    `url` gives the text of a number; without it texts are remembered here, which is for tests and small webs.
    """

    def __init__(self, url: Callable[[int], str] | None = None) -> None:
        self.graph = Graph()
        self._numbers: dict[int, int] = {}
        self.find: Callable[[int], int | None] = self._numbers.get  # the number of a URL by its key, if it is known
        self._texts: list[str] = []
        self._remembers = url is None
        self.graph._url = url or self._texts.__getitem__
        self.graph._find = self._look_up

    def _look_up(self, url: str) -> int | None:
        return self._numbers.get(key_of(url))

    def add(self, url: str, host: int = 0, *, depth: int = 0, hops: int = 0, parent: int = NOBODY) -> int:
        """A URL found for the first time, or known already; returns its number."""
        known = self._numbers.get(key := key_of(url))
        if known is not None:
            return known
        if self._remembers:
            self._texts.append(url)
        self.add_all([key], [host], [url], depth=[depth], hops=[hops], parent=[parent])
        return len(self.graph) - 1

    def add_all(
        self,
        keys: Sequence[int],
        hosts: Sequence[int],
        urls: Iterable[str],
        *,
        depth: Sequence[int] | int,
        hops: Sequence[int] | int,
        parent: Sequence[int] | int | None,
    ) -> None:
        """URLs found for the first time, each once; they get the next numbers. What is one number holds for all."""
        graph, numbers = self.graph, self._numbers
        first = len(graph)
        numbers.update(zip(keys, range(first, first + len(keys)), strict=True))
        if len(numbers) != first + len(keys):
            raise ValueError("a URL was added twice")
        graph._host.extend(hosts)
        size = len(graph)
        _extend(graph._depth, size, depth, most=65_535)
        _extend(graph._hops, size, hops, most=255)
        _extend(graph._parent, size, NOBODY if parent is None else parent)
        if graph._folds:
            graph._fold(hosts, urls)
        graph._outcome.grow(size)
        graph._relevance.grow(size)
        graph._on_topic.grow(size)
        graph._links.reach(size)
        for column, fill in graph._added:
            column.grow(size, fill)

    def link(self, page: int, targets: ArrayLike, blocks: ArrayLike) -> Ints:
        """A page's links in their order, with the block each stands in; returns the different ones, first place first.

        A link of a page to itself says nothing and is left out.
        """
        every = np.asarray(targets, dtype=np.int64)
        first = _firsts(every, page)
        marks = np.minimum(np.asarray(blocks, dtype=np.int64)[first].clip(0), _PLACE >> 1) << 16
        marks |= np.minimum(first, _PLACE)
        found = every[first]
        self.graph._links.set(page, found, marks.astype(np.int32))
        return found

    def answered(self, number: int, outcome: str, *, relevance: float = 0.0, on_topic: bool = False) -> None:
        """What became of a URL."""
        self.graph._outcome.raw[number] = _CODES[outcome]
        self.judged(number, relevance, on_topic)

    def judged(self, number: int, relevance: float, on_topic: bool) -> None:
        """A verdict, the first or one that turned."""
        self.graph._relevance.raw[number] = relevance
        self.graph._on_topic.raw[number] = on_topic

    def moved(self, number: int, target: int) -> None:
        """A URL redirects to another."""
        self.graph._moved[number] = target

    def known(self, number: int) -> tuple[int, int, int]:
        """Host, depth and redirects so far of a URL."""
        graph = self.graph
        return (
            int(graph._host.values[number]),
            int(graph._depth.values[number]),
            int(graph._hops.values[number]),
        )
