"""What every strategy must keep to, as checks that anyone can run on a strategy of their own.

    from honeyguide.strategies.contract import check
    check(MyStrategy)

Built-ins go through the same checks. A failure is an AssertionError that says what was broken. The checks walk a small
web of made-up pages as a crawl would: pages come as a crawl hands them over, skimmed or cut as the strategy asks, some
addresses lead nowhere, some elsewhere, one is a feed, and verdicts turn on the way.
"""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from honeyguide.frontier import START, Frontier, GraphWriter
from honeyguide.page.digest import Digest, Link, decode, encode
from honeyguide.page.parse import Parser
from honeyguide.strategies.base import Brief, Pairs, Ranks, Strategy
from honeyguide.topic import Topic
from honeyguide.web.urls import host_of

__all__ = ["PracticeWeb", "Walk", "check", "practice_web"]

_TOPIC_WORDS = "hive honey nectar queen swarm comb pollen forager brood apiary".split()
_OTHER_WORDS = "engine road valve gear piston wheel brake fuel chassis bumper ledger court tariff bond".split()
_PAGES = 160
_NEXT = 100
_TURN = 40  # pages after which verdicts turn


class PracticeWeb(NamedTuple):
    """A small web: its topic, its pages, and the addresses that redirect; and pages that were cut as they were before,
    for a strategy that may not find them worth it."""

    topic: Topic
    pages: dict[str, Digest]
    moved: dict[str, str]
    skimmed: dict[str, Digest] = {}  # noqa: RUF012 - never changed


def practice_web(seed: int = 1, pages: int = _PAGES, *, structure: bool = True) -> PracticeWeb:
    """A small web of made-up pages with topical locality, as digests."""
    dice = random.Random(seed)
    parser = Parser(structure=structure)
    urls = [f"http://h{number % 7}.test/p/{number}" for number in range(pages)]
    themes = [dice.random() < 0.3 for _ in urls]
    themes[:3] = [True] * 3
    web: dict[str, Digest] = {}
    for number, url in enumerate(urls):
        html = _html(dice, number, urls, themes)
        page = parser.html(html.encode(), url, fetched=1_700_000_000.0 + number)
        page.relevance = 0.9 if themes[number] else 0.1
        page.on_topic = themes[number]
        web[url] = page
    feed = Digest(url="http://h0.test/feed", fetched=1_700_000_000.0, kind="feed")
    feed.links = [Link(url, "hive news", -1, rel="feed") for url in urls[40:60:4]]
    web[feed.url] = feed
    moved = {f"http://h1.test/old/{number}": urls[number] for number in range(60, 90)}
    for place, (old, _) in enumerate(moved.items()):
        web[urls[place]].links.append(Link(old, "brood moved", 0))
        web[urls[place]].links.append(Link(f"http://h2.test/gone/{place}", "comb gone", 0))
    web[urls[1]].links.append(Link(feed.url, "", -1, rel="alternate"))
    return PracticeWeb(Topic(name="bees", keywords={"hive": 2.0, "honey": 1.0}, examples=tuple(urls[:3])), web, moved)


def _html(dice: random.Random, number: int, urls: list[str], themes: list[bool]) -> str:
    words = _TOPIC_WORDS if themes[number] else _OTHER_WORDS
    text = " ".join(dice.choice(words) if dice.random() < 0.5 else dice.choice(_OTHER_WORDS) for _ in range(80))
    links = []
    for _ in range(dice.randrange(0, 12)):
        other = dice.randrange(len(urls))
        if dice.random() < 0.6 and themes[other] != themes[number]:
            other = dice.randrange(len(urls))
        anchor = dice.choice(_TOPIC_WORDS if themes[other] else _OTHER_WORDS)
        links.append(f'<li>{dice.choice(words)} <a href="{urls[other]}">{anchor} {other}</a> {dice.choice(words)}</li>')
    return f"<title>{dice.choice(words)} {number}</title><h1>{words[0]}</h1><p>{text}.</p><ul>{''.join(links)}</ul>"


class Walk:
    """A crawl in miniature, with the crawl's own graph and frontier, over a practice web."""

    def __init__(
        self, strategy: Strategy, web: PracticeWeb, examples: list[Digest] | None = None, seed: int = 7
    ) -> None:
        self.strategy = strategy
        self.web = web
        self.writer = GraphWriter()
        self.frontier = Frontier(self.writer.graph, delay=0.0)
        self.done: list[str] = []
        self.answers = 0
        starts = [self._number(url) for url in web.topic.examples]
        given = [self._page(url) for url in web.topic.examples] if examples is None else examples
        strategy.start(Brief(web.topic, given, self.writer.graph), seed)
        self.frontier.offer(starts, np.zeros(len(starts)), kind=START)

    def _number(self, url: str, **found: int) -> int:
        return self.writer.add(url, self.frontier.host(host_of(url)), **found)

    def _page(self, url: str) -> Digest:
        page = decode(encode(self.web.pages[url]))
        page.id = self._number(url)
        return page

    def _seen(self, url: str) -> Digest:
        """A page as a crawl shows it: cut into its blocks only if the strategy finds it worth that."""
        whole = self._page(url)
        if url not in self.web.skimmed:
            return whole
        page = decode(encode(self.web.skimmed[url]))
        page.id = whole.id
        if self.strategy.worth_cutting(page):
            page.take_blocks(whole)
        return page

    def steps(self, count: int) -> Iterator[str]:
        """Visit so many URLs, the best first."""
        for _ in range(count):
            number = self.frontier.next(now=0.0)
            if number is None:
                return
            told = self.strategy.reason(number) if self.writer.graph.in_degree[number] else "a start"
            assert isinstance(told, str), f"the reason for {self.writer.graph.url(number)} must be text"
            assert told, f"the reason for {self.writer.graph.url(number)} must not be empty"
            url = self.writer.graph.url(number)
            yield url
            self.frontier.answered(number, now=0.0)
            self.done.append(url)
            self._visit(number, url)
            if len(self.done) == _TURN:
                self._turn()

    def _visit(self, number: int, url: str) -> None:
        if url in self.web.moved:
            target = self._number(self.web.moved[url])
            self.writer.moved(number, target)
            self.frontier.offer([target], [self.frontier.priority(number)], best=True)
            self._missed(number, "redirect")
        elif url in self.web.pages:
            self._show(number, url)
        else:
            self._missed(number, "missing")

    def _missed(self, number: int, outcome: str) -> None:
        self.writer.answered(number, outcome)
        self.strategy.missed(number, outcome)
        self._told()

    def _show(self, number: int, url: str) -> None:
        page = self._seen(url)
        depth = int(self.writer.graph.depth[number]) + 1
        for link in page.links:
            link.id = self._number(link.url, parent=number, depth=depth)
        outcome = "feed" if page.kind == "feed" else "page"
        self.writer.answered(number, outcome, relevance=page.relevance, on_topic=page.on_topic)
        self.writer.link(number, [link.id for link in page.links], [link.block for link in page.links])
        before = encode(page)
        ranks = self._ranks(self.strategy.page(page))
        assert encode(page) == before, "a strategy must not change the page it is shown"
        offered = {link.id for link in page.links}
        assert set(ranks.ids.tolist()) <= offered, "page() may only rank links of the page it is shown"
        self.frontier.offer(*ranks, best=self.strategy.best)
        self._told()

    def _told(self) -> None:
        self.answers += 1
        every = self.strategy.revise_every
        if every and self.answers % every == 0:
            self.frontier.revise(*self._ranks(self.strategy.revise()))

    def _ranks(self, ranks: Ranks | Pairs) -> Ranks:
        if not isinstance(ranks, Ranks):
            best: dict[int, float] = {}
            for number, priority in ranks:
                best[number] = max(priority, best.get(number, -math.inf))
            ranks = Ranks(np.array(list(best), dtype=np.int64), np.array(list(best.values()), dtype=np.float64))
        assert np.isfinite(ranks.priorities).all(), "priorities must be finite numbers"
        known = np.isin(ranks.ids, np.arange(len(self.writer.graph)))
        assert known.all(), "only numbers of known URLs can be ranked"
        return ranks

    def _turn(self) -> None:
        """The judge changes its mind about some pages."""
        graph = self.writer.graph
        numbers = np.flatnonzero(graph.outcome == 1)[::5]
        for number in numbers.tolist():
            self.writer.judged(number, 1.0 - float(graph.relevance[number]), not graph.on_topic[number])
        self.strategy.turned(numbers)


def check(kind: type[Strategy]) -> None:
    """Run every check on a strategy."""
    check_made(kind)
    web = practice_web(structure=kind.structure)
    if kind.structure:
        skimmed = practice_web(structure=False).pages
        web = web._replace(skimmed={url: page for url, page in skimmed.items() if page.kind == "html"})
    check_deterministic(kind, web)
    check_resumes(kind, web)
    check_odd_pages(kind, web)


def check_made(kind: type[Strategy]) -> None:
    """It has a name and a description, and its constructor only stores."""
    assert kind.name, f"{kind.__name__} needs a name"
    assert kind.summary(), f"{kind.__name__} needs a docstring"
    for name, parameter in kind.parameters().items():
        assert parameter.default is not inspect.Parameter.empty, f"setting '{name}' needs a default"
        assert getattr(kind(), name) == parameter.default, f"the constructor must store '{name}' as it is given"


def check_deterministic(kind: type[Strategy], web: PracticeWeb) -> None:
    """The same seed and pages give the same choices."""
    first = list(Walk(kind(), web).steps(_NEXT))
    second = list(Walk(kind(), web).steps(_NEXT))
    assert len(first) > len(web.topic.examples), "it must find something to visit"
    assert first == second, "two runs with the same seed chose differently"


def check_resumes(kind: type[Strategy], web: PracticeWeb) -> None:
    """Killed and resumed from a saved state, it makes the same next choices."""
    for length in (20, _TURN + 20):
        walk = Walk(kind(), web)
        list(walk.steps(length))
        state = walk.strategy.save()
        assert isinstance(state, bytes), "save() must return bytes"
        other = Walk(kind(), web)  # becomes what the first one is, but for the strategy, which is a new one
        list(other.steps(length))
        fresh = kind()
        fresh.start(Brief(web.topic, [other._page(url) for url in web.topic.examples], other.writer.graph), 7)
        fresh.load(state)
        other.strategy = fresh
        assert list(walk.steps(_NEXT)) == list(other.steps(_NEXT)), "after save() and load() it chose differently"


def check_odd_pages(kind: type[Strategy], web: PracticeWeb) -> None:
    """No page is too odd: empty ones, feeds, links outside blocks, a topic without examples."""
    parser = Parser(structure=kind.structure)
    bodies = ("", "<a href=/x></a>", "<p>" + "hive " * 5_000 + "<a href=/y>y</a>")
    pages = {f"http://odd.test/{place}": body for place, body in enumerate(bodies)}
    odd = {url: parser.html(body.encode(), url) for url, body in pages.items()}
    odd["http://odd.test/feed"] = Digest(url="http://odd.test/feed", fetched=0.0, kind="feed")
    topic = Topic(name="bees", keywords=web.topic.keywords, examples=tuple(odd))
    list(Walk(kind(), PracticeWeb(topic, odd, {})).steps(_NEXT))
    list(Walk(kind(), PracticeWeb(topic, odd, {}), examples=[]).steps(_NEXT))
