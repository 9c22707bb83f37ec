"""What a strategy may learn from before a crawl begins: earlier crawls, and recorded webs.

Their pages are judged by the topic of today, whatever they were gathered for; what else such a folder may say of their
worth, verdicts or truth, is not looked at.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import islice

import numpy as np

from honeyguide.crawling.hands import Hand
from honeyguide.crawling.settings import Settings
from honeyguide.errors import SettingError
from honeyguide.frontier import GraphWriter
from honeyguide.page.digest import Digest, decode
from honeyguide.store import Folder, Store
from honeyguide.strategies import Earlier, Strategy
from honeyguide.topic import Judge, Shown, Topic, standing
from honeyguide.web import ArchiveWeb, Scope, ScopeRules, check_archive

__all__ = ["check_earlier", "read_earlier"]

_BACKGROUND = 512  # pages that the judge is held against


def check_earlier(settings: Settings, strategy: Strategy) -> None:
    """See that there is something to learn from, and somebody to learn, before a crawl is begun."""
    if not settings.learn_from:
        return
    if not strategy.learns_from:
        raise SettingError(f"strategy '{settings.strategy}' does not learn from earlier crawls; leave learn-from out")
    for place in settings.learn_from:
        if Folder(place).is_crawl():
            Store.open(Folder(place).database, read_only=True).close()
        else:
            check_archive(place)


def read_earlier(settings: Settings, topic: Topic, examples: Sequence[Digest]) -> list[Earlier]:
    """All that the user named, ready to be learnt from."""
    return [_read(place, topic, examples) for place in settings.learn_from]


def _read(place: str, topic: Topic, examples: Sequence[Digest]) -> Earlier:
    judge = Judge(topic)
    with closing(_pages(place)) as pages:
        met = [Shown.of(page) for page in islice((page for page in pages if page.kind == "html"), _BACKGROUND)]
    judge.learn([Shown.of(page) for page in examples], met)
    writer = GraphWriter(lambda _: "")  # nobody asks for the addresses
    return Earlier(writer.graph, _judged(place, judge, writer))


def _judged(place: str, judge: Judge, writer: GraphWriter) -> Iterator[Digest]:
    for page in _pages(place):
        page.id = writer.add(page.url)
        for link in page.links:
            link.id = writer.add(link.url)
        if page.kind == "html":
            verdict = judge(Shown.of(page))
            page.relevance, page.on_topic = standing(verdict.probability), verdict.on_topic
        outcome = "page" if page.kind == "html" else "feed"
        writer.answered(page.id, outcome, relevance=page.relevance, on_topic=page.on_topic)
        blocks = np.array([link.block for link in page.links], dtype=np.int64)
        writer.link(page.id, [link.id for link in page.links], blocks)
        yield page
    for url, outcome in _dead(place):
        writer.answered(writer.add(url), outcome)


def _pages(place: str) -> Generator[Digest, None, None]:
    with closing(_of_crawl(place) if Folder(place).is_crawl() else _of_archive(place)) as found:
        yield from (page for page in found if page.kind in ("html", "feed", "sitemap"))


def _of_crawl(place: str) -> Generator[Digest, None, None]:
    store = Store.open(Folder(place).database, read_only=True)
    try:
        for _, blob in store.digests():
            yield decode(blob)
    finally:
        store.close()


def _dead(place: str) -> Iterator[tuple[str, str]]:
    """What brought no page; an archive does not know."""
    if not Folder(place).is_crawl():
        return
    store = Store.open(Folder(place).database, read_only=True)
    try:
        for visit in store.visits("missing", "failed"):
            yield store.url(visit.url).url, visit.outcome
    finally:
        store.close()


def _of_archive(place: str) -> Generator[Digest, None, None]:
    web = ArchiveWeb(check_archive(place))
    hand = Hand(web, Scope(ScopeRules()), text=False, structure=False, warc=None, bodies=0)
    try:
        for url in web.urls():
            response = web.answer(url)
            if response.status != 200 or not response.body:
                continue
            try:
                page = hand.digest(url, response)
            except Exception:  # noqa: S112 - whatever a page does to a parser, it is one lesson less
                continue
            yield page
    finally:
        web.let_go()
