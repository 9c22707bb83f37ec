"""What the crawl knows of the web, and the order in which it goes there: graph, frontier and strategy.

Every URL that is found gets a number here, every answer is told to the strategy here, and what the strategy says of
the order goes from here to the frontier. The order is saved now and then as a checkpoint; between two of them it
follows from what was visited, which `replay` shows to the strategy again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, repeat

import msgspec
import numpy as np
from numpy.typing import NDArray

from honeyguide.crawling.earlier import read_earlier
from honeyguide.crawling.settings import Settings
from honeyguide.crawling.traps import Traps
from honeyguide.errors import StrategyError
from honeyguide.frontier import EXAMPLE, LINK, NOBODY, START, Frontier, GraphWriter
from honeyguide.page.digest import Digest, Link
from honeyguide.store import Checkpoint, Store, UrlRow
from honeyguide.strategies import Adapted, Brief, Pairs, Ranks, Strategy, blamed
from honeyguide.topic import Topic
from honeyguide.topic.clicks import log_stamp
from honeyguide.topic.stand_ins import MOST_STARTS
from honeyguide.web.urls import host_of, keys_of

__all__ = ["Ranking"]

_LATELY = 20_000  # URLs whose numbers are remembered by their text: menus name the same ones on every page
_BLOCKS = 32_767  # a link that stands further down counts as in this block
_Fresh = tuple[list[int], list[str], list[int]]  # URLs to be taken in: their keys, their texts and their hosts
_NONE: _Fresh = ([], [], [])
_WHY = {EXAMPLE: "an example of the topic", START: "a start of the crawl"}


class Ranking:
    """Numbers URLs, tells the strategy what became of them, and keeps the order it wants."""

    def __init__(self, settings: Settings, store: Store, strategy: Strategy, *, polite: bool, watch: bool) -> None:
        self.settings = settings
        self._store = store
        self.strategy = strategy
        self.writer = GraphWriter(lambda number: store.url(number).url)
        self.graph = self.writer.graph
        self.frontier = Frontier(
            self.graph, delay=settings.delay if polite else 0.0, slots=settings.at_once if polite else 10**9
        )
        self.traps = Traps(self.frontier, watch=watch, pages=settings.pages)
        self.shown = 0  # answers the strategy was told of
        self._log: tuple[int, ...] = ()  # what tells the click log from others
        self._begun = False  # whether the strategy has learnt the topic: before that it can say nothing
        self._untaught = False  # whether there is no example
        self._lately: dict[str, int] = {}
        self._origins: dict[str, int] = {}  # the number of the host that a scheme and authority name

    @property
    def name(self) -> str:
        """The strategy's name, as the user gave it."""
        return self.settings.strategy

    @property
    def identity(self) -> str:
        """The strategy with all that makes its state its own."""
        told = [self.settings.strategy, self.strategy.version, self.strategy.settings]
        return msgspec.json.encode([*told, *filter(None, [self.settings.learn_from, self._log])]).decode()

    def heed(self, topic: Topic) -> None:
        """Note the click log a crawl goes by: what was learnt from another, or one that has grown, is learnt anew."""
        self._log = log_stamp(topic.clicks) if topic.clicks else ()

    # -- finding URLs ---------------------------------------------------------------------------------------

    def host(self, url: str) -> int:
        """The number of a URL's host, which is stored when it is new."""
        origin = url[: url.find("/", 8)]
        number = self._origins.get(origin)
        if number is None:
            before = len(self.frontier.hosts)
            number = self._origins[origin] = self.frontier.host(host_of(url))
            if number == before:
                self._store.add_host(number, self.frontier.hosts[number].name)
        return number

    def add(
        self, urls: Sequence[str], anchors: Sequence[str] = (), *, parent: int | None, depth: int, hops: int = 0
    ) -> list[int]:
        """The numbers of URLs, given with their anchors if they have any; -1 for one that is new and not taken in."""
        lately = self._lately
        unmet = [url for url in dict.fromkeys(urls) if url not in lately]
        keys, found, hosts = self._number(unmet, deep=0 < self.settings.depth < depth) if unmet else _NONE
        if keys:
            first = len(self.graph)
            self.writer.add_all(keys, hosts, found, depth=depth, hops=hops, parent=parent)
            said = dict(zip(reversed(urls), reversed(anchors), strict=True)) if anchors else {}  # by its first link
            same = (repeat(depth), repeat(hops), repeat(parent))
            names = map(said.get, found, repeat(""))
            self._store.add_urls(zip(range(first, first + len(found)), found, keys, hosts, *same, names, strict=False))
        numbers = list(map(lately.get, urls, repeat(-1)))
        if len(lately) > _LATELY:
            lately.clear()
        if self.traps.crowded:
            self._store.set_meta(crowded=self.traps.crowded)
        return numbers

    def _number(self, unmet: list[str], *, deep: bool) -> _Fresh:
        """Find the numbers of URLs, and give the next ones to those to be taken in, which are returned.

        They are remembered by their text, for a while.
        """
        lately, keys, urls = self._lately, keys_of(unmet), unmet
        numbers = list(map(self.writer.find, keys))
        if numbers.count(None) < len(numbers):
            lately.update((url, number) for url, number in zip(urls, numbers, strict=True) if number is not None)
            urls = [url for url, number in zip(urls, numbers, strict=True) if number is None]
            keys = [key for key, number in zip(keys, numbers, strict=True) if number is None]
        if deep or not urls:
            return _NONE
        if len(set(keys)) < len(keys):  # two that share a key are taken for one
            new = dict(zip(reversed(keys), reversed(urls), strict=True))
            keys, urls = list(reversed(new)), list(reversed(new.values()))
        origins = self._origins
        found = [origins.get(url[: url.find("/", 8)]) for url in urls]
        hosts = [self.host(url) if host is None else host for url, host in zip(urls, found, strict=True)]
        if not self.traps.take_in(hosts):
            room = [not self.traps.full(host) for host in hosts]
            keys, urls, hosts = list(compress(keys, room)), list(compress(urls, room)), list(compress(hosts, room))
        first = len(self.graph)
        lately.update(zip(urls, range(first, first + len(urls)), strict=True))
        return keys, urls, hosts

    def fill(self, rows: Sequence[UrlRow]) -> None:
        """Let the graph know new URLs, in the order of their numbers."""
        self.writer.add_all(
            [row.key for row in rows],
            [row.host for row in rows],
            [row.url for row in rows],
            depth=[row.depth for row in rows],
            hops=[row.hops for row in rows],
            parent=[NOBODY if row.parent is None else row.parent for row in rows],
        )

    def queue(self, urls: Iterable[str], kind: int) -> list[int]:
        """Queue examples or starts, which no page has led to; returns their numbers."""
        numbers = [number for number in self.add(list(urls), parent=None, depth=0) if number >= 0]
        self.frontier.offer(numbers, np.zeros(len(numbers)), kind=kind)
        return numbers

    def starts(self, urls: Sequence[str]) -> None:
        """Queue the starts of the crawl, and let the strategy say what it thinks of them.

        Where no example is given, the judge learns from starts, unless they are too many to have been chosen for that.
        """
        first = self.strategy.starts_first
        if first == "untaught":
            first = self._untaught and len(urls) <= MOST_STARTS
        self.queue(urls, START if first else LINK)
        if self.strategy.revise_every:
            self.revise()

    # -- telling the strategy -------------------------------------------------------------------------------

    def begin(self, topic: Topic, examples: list[Digest], *, teach: bool = True) -> None:
        """Have the strategy learn the topic, and what earlier crawls teach; not that if its state is there already."""
        self.heed(topic)
        for example in examples:
            number = self.graph.find(example.url)
            example.id = -1 if number is None else number
        with blamed(self.settings.strategy, "at learning the topic"):
            taught = teach and self.strategy.learns_from
            earlier = read_earlier(self.settings, topic, examples) if taught else []
            self.strategy.start(Brief(topic, examples, self.graph, earlier), self.settings.seed)
        self._begun, self._untaught = True, not examples

    def met(self, page: Digest, number: int, visit: int) -> None:
        """A page was visited: number its links."""
        depth = self.graph.depth[number] + 1
        urls, anchors = [link.url for link in page.links], [link.anchor for link in page.links]
        found = self.add(urls, anchors, parent=number, depth=int(depth))
        targets = np.array(found, dtype=np.int32)
        blocks = self.attach(page, number, targets)
        short = np.minimum(blocks, _BLOCKS).astype(np.int16) if blocks.max(initial=0) > 0 else None
        self._store.add_links(visit, targets, short)

    def attach(self, page: Digest, number: int, targets: NDArray[np.int32]) -> NDArray[np.int64]:
        """Give a page and its links their numbers, in the graph as well; links without one are left out.

        Returns the block of each link, of those left out, too.
        """
        page.id = number
        page.__dict__.pop("ids", None)
        for link, target in zip(page.links, targets.tolist(), strict=True):
            link.id = target
        blocks = np.array([link.block for link in page.links], dtype=np.int64)
        if (kept := targets >= 0).all():
            page.__dict__["targets"] = self.writer.link(number, targets, blocks)
        else:
            page.links = [link for link in page.links if link.id >= 0]
            page.__dict__["targets"] = self.writer.link(number, targets[kept], blocks[kept])
        return blocks

    def worth_cutting(self, page: Digest) -> bool:
        """Whether the strategy wants the blocks of a page that was skimmed."""
        with blamed(self.settings.strategy, f"at choosing whether to cut {page.url}"):
            return self.strategy.worth_cutting(page)

    def rank(self, page: Digest) -> None:
        """Have the strategy rank the links of a page that stands in the graph."""
        with blamed(self.settings.strategy, f"on {page.url}"):
            ranks = self._arrays(self.strategy.page(page), best=self.strategy.best)
        self.frontier.offer(*ranks, best=self.strategy.best)
        self._told()

    def _told(self) -> None:
        """After every few answers, pages or not, the strategy may change its mind: on an aged web most are not."""
        self.shown += 1
        every = self.strategy.revise_every
        if every and self.shown % every == 0:
            self.revise()

    def named(self, robots: str, urls: Sequence[str]) -> None:
        """A robots.txt names sitemaps: they are ranked like the links of any page."""
        page = Digest(url=robots, fetched=0.0, kind="sitemap")
        page.links = [Link(url, "", -1, rel="sitemap") for url in urls]
        (number,) = self.add([robots], parent=None, depth=0)
        if number < 0:
            return
        found = self.add(urls, parent=None, depth=0)
        targets = np.array(found, dtype=np.int32)
        self._store.add_named(self._store.last_visit(), number, targets)
        self.announce(page, number, targets)

    def announce(self, page: Digest, number: int, targets: NDArray[np.int32]) -> None:
        """Let the strategy rank what a robots.txt names."""
        self.writer.answered(number, "feed")
        self.attach(page, number, targets)
        self.rank(page)

    def moved(self, number: int, target: int) -> None:
        """A URL redirects to another, which takes its place in the queue."""
        self.writer.moved(number, target)
        self.frontier.offer([target], [self.frontier.priority(number)], kind=self.frontier.kind(number), best=True)

    def missed(self, number: int, outcome: str) -> None:
        """A URL brought no page."""
        self.writer.answered(number, outcome)
        with blamed(self.settings.strategy, f"over a URL that was {outcome}"):
            self.strategy.missed(number, outcome)
        if outcome != "refused":  # which is no answer of anybody's
            self._told()

    def turned(self, verdicts: Iterable[tuple[int, float, bool]]) -> None:
        """Verdicts changed: (URL, relevance, on topic)."""
        numbers = []
        for number, relevance, on_topic in verdicts:
            self.writer.judged(number, relevance, on_topic)
            numbers.append(number)
        if numbers:
            with blamed(self.settings.strategy, "over verdicts that turned"):
                self.strategy.turned(np.array(numbers, dtype=np.int64))

    def revise(self) -> None:
        """Let the strategy change its mind about queued URLs."""
        with blamed(self.settings.strategy, "at ranking queued URLs anew"):
            ranks = self._arrays(self.strategy.revise(), best=False)
        self.frontier.revise(*ranks)

    def reason(self, number: int) -> str:
        """Why a URL is visited, or waits where it does."""
        kind = self.frontier.kind(number)
        row = self._store.url(number)
        if row.hops and row.parent is not None:
            return f"redirect from {self._store.url(row.parent).url}"
        if kind in _WHY:
            return _WHY[kind]
        if row.parent is None and not self.graph.in_degree[number]:
            return _WHY[START]
        with blamed(self.settings.strategy, f"at giving a reason for {row.url}"):
            return self.strategy.reason(number)

    def history(self) -> dict[str, list[tuple[int, float]]]:
        """How what the strategy goes by has changed; nothing of a crawl that ended before it began."""
        if not self._begun:
            return {}
        with blamed(self.settings.strategy, "at telling what it went by"):
            return self.strategy.history()

    def remark(self) -> str:
        """Why what the strategy goes by is as it is, in words."""
        if not self._begun:
            return ""
        with blamed(self.settings.strategy, "at telling why it went by that"):
            return self.strategy.remark()

    def adapted(self) -> list[Adapted]:
        """Every change the strategy made to what it goes by."""
        if not self._begun:
            return []
        with blamed(self.settings.strategy, "at telling how it adapted"):
            return self.strategy.adapted()

    def _arrays(self, ranks: Ranks | Pairs, *, best: bool) -> Ranks:
        """What a strategy said, as arrays that can be used: numbers it was given, each once, and finite priorities."""
        name = self.settings.strategy
        if not isinstance(ranks, Ranks):
            found: dict[int, float] = {}
            for number, priority in ranks:
                if not best or number not in found or priority > found[number]:
                    found[number] = priority
            try:
                ranks = Ranks(
                    np.fromiter(found, np.int64, len(found)), np.array(list(found.values()), dtype=np.float64)
                )
            except (TypeError, ValueError):
                raise StrategyError(
                    f"strategy '{name}' ranked {next(iter(found))!r}: links are ranked by their id"
                ) from None
        ids, priorities = ranks
        if best and len(ids) > 1 and len(np.unique(ids)) < len(ids):  # each once, by the best it was given
            ids, places = np.unique(ids, return_inverse=True)
            merged = np.full(len(ids), -np.inf)
            np.maximum.at(merged, places, priorities)
            ranks = Ranks(ids, merged)
            priorities = merged
        if len(ids) and not (ids.min() >= 0 and ids.max() < len(self.graph)):
            raise StrategyError(f"strategy '{name}' ranked a number that no URL has")
        if not (fine := np.isfinite(priorities)).all():
            wrong = int(np.flatnonzero(~fine)[0])
            raise StrategyError(
                f"strategy '{name}' gave {self.graph.url(int(ids[wrong]))} the priority {priorities[wrong]}; "
                "a priority must be a finite number"
            )
        return ranks

    # -- over a resume --------------------------------------------------------------------------------------

    def save(self) -> None:
        """Make a checkpoint."""
        with blamed(self.settings.strategy, "at saving what it has learnt"):
            state = self.strategy.save()
        self._store.save_checkpoint(
            Checkpoint(
                visit=self._store.last_visit(),
                known=len(self.graph),
                shown=self.shown,
                strategy=self.identity,
                order=self.frontier.save(),
                state=state,
            )
        )
