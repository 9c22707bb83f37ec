"""Where a crawl could begin: search engines are asked, their rankings fused, and dead links dropped.

Rankings are fused by reciprocal ranks (Cormack, Clarke & Büttcher, SIGIR 2009): a page is worth the sum of
1 / (60 + its rank) over all answers that name it.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import urlsplit

import msgspec

from honeyguide.crawling.engines import Engine, EngineHit
from honeyguide.crawling.settings import Settings
from honeyguide.errors import HoneyguideError
from honeyguide.web import LiveWeb, Response
from honeyguide.web.guard import Guard
from honeyguide.web.urls import Base, host_of

__all__ = ["Seed", "Seeds", "find_seeds"]

Fetch = Callable[[str], Awaitable[Response]]
_LATE = 60  # what is added to a rank, as in the paper: the first is worth little more than the tenth
_HOPS = 5
_AT_ONCE = 8
_LARGEST = 2_000_000
_LONGEST = 20.0  # seconds for one answer


class Seed(msgspec.Struct, frozen=True):
    """A page to begin at."""

    url: str
    title: str
    score: float
    engines: list[str]


class Seeds(msgspec.Struct):
    """What came of asking."""

    seeds: list[Seed]
    queries: list[str]
    asked: int = 0  # answers that could be used
    dead: dict[str, str] = {}  # links that lead nowhere, and why
    failed: dict[str, str] = {}  # engines that gave no answer, and why


def find_seeds(
    queries: Sequence[str],
    engines: Sequence[Engine],
    *,
    most: int = 10,
    opened: Sequence[str] = (),
    contact: str = "",
    check: bool = True,
) -> Seeds:
    """Ask engines for pages; the first query is the user's own, the others are it with a word more."""
    return asyncio.run(_find(queries, engines, most, tuple(opened), contact, check))


async def _find(
    queries: Sequence[str], engines: Sequence[Engine], most: int, opened: tuple[str, ...], contact: str, check: bool
) -> Seeds:
    found = Seeds(seeds=[], queries=list(queries))
    rankings: list[tuple[str, list[EngineHit]]] = []
    agent = Settings(contact=contact).agent
    for engine in engines:
        for query in queries:  # one after the other: an engine is a host like any other
            try:
                rankings.append((engine.name, await _ask(engine, query, most, opened, agent)))
            except ValueError as error:
                found.failed[engine.name] = str(error)
    found.asked = len(rankings)
    if not rankings:
        told = "; ".join(f"{name}: {why}" for name, why in found.failed.items())
        raise HoneyguideError(f"no engine gave an answer: {told}")
    ranked = _fused(rankings)
    if check:
        web = LiveWeb(agent=agent, guard=Guard(opened), total_timeout=_LONGEST, largest=_LARGEST)
        try:
            ranked = await _alive(web.fetch, ranked, most, found.dead)
        finally:
            await web.close()
    found.seeds = ranked[:most]
    return found


async def _ask(engine: Engine, query: str, count: int, opened: tuple[str, ...], agent: str) -> list[EngineHit]:
    """What an engine answers; ValueError says why it gave none."""
    url, headers = engine.request(query, count)
    # The engine is the user's own word, and often runs on the user's own machine; what it names is not.
    guard = Guard((*opened, *_own_place(url)))
    headers = {"Accept": "application/json", **headers}
    web = LiveWeb(agent=agent, guard=guard, total_timeout=_LONGEST, largest=_LARGEST, headers=headers)
    try:
        answer = await web.fetch(url)
    finally:
        await web.close()
    if answer.error or answer.status != 200:
        raise ValueError(answer.error or f"it answered with status {answer.status}")
    try:
        return engine.answers(answer.body)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"its answer cannot be read: {error}") from None


def _own_place(url: str) -> list[str]:
    """The address of an engine on this machine or network, to be let through for it alone."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    if parts.hostname == "localhost":
        return [f"127.0.0.1:{port}", f"[::1]:{port}"]
    try:
        ip = ipaddress.ip_address(parts.hostname or "")
    except ValueError:
        return []
    return [f"[{ip}]:{port}" if ip.version == 6 else f"{ip}:{port}"]


def _fused(rankings: Sequence[tuple[str, list[EngineHit]]]) -> list[Seed]:
    scores: dict[str, float] = {}
    titles: dict[str, str] = {}
    named: dict[str, list[str]] = {}
    for name, pages in rankings:
        for rank, page in enumerate(pages, 1):
            scores[page.url] = scores.get(page.url, 0.0) + 1.0 / (_LATE + rank)
            titles[page.url] = titles.get(page.url) or page.title
            if name not in named.setdefault(page.url, []):
                named[page.url].append(name)
    order = sorted(scores, key=lambda url: (-scores[url], url))
    return [Seed(url, titles[url], round(scores[url], 6), named[url]) for url in order]


async def _alive(fetch: Fetch, seeds: Sequence[Seed], most: int, dead: dict[str, str]) -> list[Seed]:
    """The first seeds that are pages, looked at a few at a time, until there are enough; a host is asked in turn."""
    alive: list[Seed] = []
    hosts: dict[str, asyncio.Lock] = {}

    async def look(seed: Seed) -> tuple[Seed, str, str]:
        async with hosts.setdefault(host_of(seed.url), asyncio.Lock()):
            return seed, *await _look(fetch, seed.url)

    for begin in range(0, len(seeds), _AT_ONCE):
        for seed, url, trouble in await asyncio.gather(*map(look, seeds[begin : begin + _AT_ONCE])):
            if trouble:
                dead[seed.url] = trouble
            elif all(one.url != url for one in alive):
                alive.append(msgspec.structs.replace(seed, url=url))
        if len(alive) >= most:
            break
    return alive


async def _look(fetch: Fetch, url: str) -> tuple[str, str]:
    """Where an address leads, and why it is of no use, if it is."""
    for _ in range(_HOPS):
        answer = await fetch(url)
        target = answer.header("location")
        if not (300 <= answer.status < 400 and target):
            break
        url = Base(url).join(target) or url
    if answer.error or answer.status != 200:
        return url, answer.error or f"status {answer.status}"
    if not answer.media.startswith(("text/html", "application/xhtml")):
        return url, f"no page, but {answer.media or 'something without a type'}"
    return url, ""
