"""What every strategy must keep to, as checks that anyone can run on a strategy of their own.

    from honeyguide.strategies.contract import check
    check(MyStrategy)

Built-ins go through the same checks. A failure is an AssertionError that says what was broken.
"""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Iterable, Iterator

from honeyguide.page.digest import Digest, decode, encode
from honeyguide.page.parse import Parser
from honeyguide.strategies.base import Brief, Ranked, Strategy
from honeyguide.topic import Topic

__all__ = ["check", "practice_web"]

_TOPIC_WORDS = "hive honey nectar queen swarm comb pollen forager brood apiary".split()
_OTHER_WORDS = "engine road valve gear piston wheel brake fuel chassis bumper ledger court tariff bond".split()
_PAGES = 160
_NEXT = 100


def practice_web(seed: int = 1, pages: int = _PAGES) -> tuple[Brief, dict[str, Digest]]:
    """A small web of made-up pages with topical locality, as digests, and the brief for it."""
    dice = random.Random(seed)
    parser = Parser()
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
    topic = Topic(name="bees", keywords={"hive": 2.0, "honey": 1.0}, examples=tuple(urls[:3]))
    return Brief(topic, [web[url] for url in urls[:3]]), web


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


class _Walk:
    """A crawl in miniature: best first over the practice web, ties by order of finding."""

    def __init__(self, strategy: Strategy, web: dict[str, Digest]) -> None:
        self.strategy = strategy
        self.web = web
        self.queue: dict[str, tuple[float, int]] = {}
        self.done: list[str] = []
        self.found = 0

    def take(self, ranked: Iterable[Ranked], *, absolute: bool = False) -> None:
        for url, priority, reason in ranked:
            assert isinstance(reason, str), f"the reason for {url} must be text"
            assert reason, f"the reason for {url} must not be empty"
            assert math.isfinite(priority), f"the priority of {url} must be a finite number, not {priority}"
            if url in self.done or url not in self.web:
                continue
            if url not in self.queue:
                if absolute:
                    continue
                self.queue[url] = (priority, -self.found)
                self.found += 1
            elif absolute or priority > self.queue[url][0]:
                self.queue[url] = (priority, self.queue[url][1])

    def steps(self, count: int) -> Iterator[str]:
        for _ in range(count):
            if not self.queue:
                return
            url = max(self.queue, key=lambda one: self.queue[one])
            del self.queue[url]
            yield url
            self.done.append(url)
            self.visit(url)

    def visit(self, url: str) -> None:
        page = decode(encode(self.web[url]))
        before = encode(page)
        ranked = list(self.strategy.page(page))
        assert encode(page) == before, "a strategy must not change the page it is shown"
        offered = {link.url for link in page.links}
        assert {one.url for one in ranked} <= offered, "page() may only rank links of the page it is shown"
        self.take(ranked)
        every = self.strategy.revise_every
        if every and len(self.done) % every == 0:
            self.take(self.strategy.revise(), absolute=True)


def _walk(kind: type[Strategy], brief: Brief, web: dict[str, Digest], seed: int = 7) -> _Walk:
    strategy = kind()
    strategy.start(brief, seed)
    walk = _Walk(strategy, web)
    for example in brief.examples:
        walk.done.append(example.url)
        walk.visit(example.url)
    return walk


def check(kind: type[Strategy]) -> None:
    """Run every check on a strategy."""
    check_made(kind)
    brief, web = practice_web()
    check_deterministic(kind, brief, web)
    check_resumes(kind, brief, web)
    check_odd_pages(kind, brief)


def check_made(kind: type[Strategy]) -> None:
    """It has a name and a description, and its constructor only stores."""
    assert kind.name, f"{kind.__name__} needs a name"
    assert kind.summary(), f"{kind.__name__} needs a docstring"
    for name, parameter in kind.parameters().items():
        assert parameter.default is not inspect.Parameter.empty, f"setting '{name}' needs a default"
        assert getattr(kind(), name) == parameter.default, f"the constructor must store '{name}' as it is given"


def check_deterministic(kind: type[Strategy], brief: Brief, web: dict[str, Digest]) -> None:
    """The same seed and pages give the same choices."""
    first = list(_walk(kind, brief, web).steps(_NEXT))
    second = list(_walk(kind, brief, web).steps(_NEXT))
    assert first, "it must find something to visit"
    assert first == second, "two runs with the same seed chose differently"


def check_resumes(kind: type[Strategy], brief: Brief, web: dict[str, Digest]) -> None:
    """Killed and resumed from a saved state, it makes the same next choices."""
    walk = _walk(kind, brief, web)
    list(walk.steps(20))
    state = walk.strategy.save()
    assert isinstance(state, bytes), "save() must return bytes"
    fresh = kind()
    fresh.start(brief, 7)
    fresh.load(state)
    resumed = _Walk(fresh, web)
    resumed.queue, resumed.done, resumed.found = dict(walk.queue), list(walk.done), walk.found
    assert list(walk.steps(_NEXT)) == list(resumed.steps(_NEXT)), "after save() and load() it chose differently"


def check_odd_pages(kind: type[Strategy], brief: Brief) -> None:
    """No page is too odd: empty ones, feeds, links outside blocks, a topic without examples."""
    parser = Parser()
    for given in (brief, Brief(brief.topic, [])):
        strategy = kind()
        strategy.start(given, 0)
        for html in ("", "<a href=/x></a>", "<p>" + "hive " * 5_000 + "<a href=/y>y</a>"):
            page = parser.html(html.encode(), "http://odd.test/")
            _Walk(strategy, {}).take(strategy.page(page))
        feed = Digest(url="http://odd.test/feed", fetched=0.0, kind="feed")
        _Walk(strategy, {}).take(strategy.page(feed))
