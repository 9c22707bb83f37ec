"""Becoming again what a crawl was when it was stopped or killed: last saved state, and replay."""

from __future__ import annotations

import math
import time

import msgspec
import numpy as np

from honeyguide.crawling.brain import Brain
from honeyguide.crawling.forget import finish_forgetting
from honeyguide.page.digest import Digest, decode
from honeyguide.store import Folder, Store
from honeyguide.strategies import Brief, blamed
from honeyguide.web.urls import key_of

__all__ = ["mend", "restore"]


def mend(folder: Folder, store: Store) -> list[str]:
    """Put right what a run that was cut short left undone, or the disk has lost since; says what was lost."""
    finish_forgetting(folder, store)
    store.begin()
    good: int = store.meta("warc", 0)
    there = folder.warc.stat().st_size if folder.warc.exists() else 0
    if there >= good:
        return []
    pages, still = store.cut_archive(there)
    lost = f"{folder.warc} had lost its last {good - there} bytes, and with them the answers of {pages} pages"
    store.set_meta(warc=still, mended=[*store.meta("mended", []), lost])
    return [lost]


def restore(brain: Brain) -> bool:
    """Fill a new brain from its store; False if the crawl had not learnt its topic yet and begins anew."""
    if not brain.store.meta("learnt", False):
        brain.store.wipe()
        # The pace a host asked for holds. Its robots.txt is read again, for the sitemaps it names were forgotten.
        _restore_hosts(brain, math.inf)
        return False
    _restore_frontier(brain)
    examples = {number for url in brain.topic.examples if (number := brain.frontier.find(key_of(url))) is not None}
    examples |= _moved(brain, examples)
    brain.jury.restore(brain.store, examples)
    _restore_counts(brain)
    with blamed(brain.settings.strategy, "at taking up what it had learnt"):
        _replay_strategy(brain, examples)
    _want_records(brain)
    return True


def _restore_frontier(brain: Brain) -> None:
    store, frontier = brain.store, brain.frontier
    _restore_hosts(brain, time.time())
    total = store.counts()["urls"]
    priorities, log = np.zeros(total), np.zeros(total, dtype=np.int32)
    for number, urls, values in store.ranks():
        places = np.frombuffer(urls, dtype=np.int64)
        priorities[places] = np.frombuffer(values, dtype=np.float64)
        log[places] = number
    done = np.zeros(total, dtype=bool)
    done[np.fromiter(store.done_urls(), dtype=np.int64)] = True
    brain.traps.crowded.update(store.meta("crowded", {}))
    for number, url, host, depth, hops in store.urls():
        brain.traps.full(host)
        frontier.restore(
            key_of(url),
            host,
            depth,
            hops,
            done=bool(done[number]),
            priority=float(priorities[number]),
            row=int(log[number]),
        )
    for host, taken in store.taken().items():
        frontier.hosts[host].taken = taken
    frontier.rebuild(time.monotonic())


def _restore_hosts(brain: Brain, wall: float) -> None:
    """The hosts, with their pace and, while it is fresh by the wall clock, their robots.txt."""
    rows = brain.store.hosts()
    for row in rows:
        brain.frontier.host(row.name)
    for row in rows:
        brain.manners.restore(row, wall)


def _moved(brain: Brain, examples: set[int]) -> set[int]:
    """Where examples were redirected to."""
    targets: set[int] = set()
    for visit in brain.store.visits("redirect"):
        if visit.url in examples | targets:
            target = brain.frontier.find(key_of(visit.detail.partition(" ")[0]))
            if target is not None:
                targets.add(target)
    return targets


class _Sketched(msgspec.Struct):
    """Of a digest, what its copies are told by."""

    sketch: bytes = b""


def _restore_counts(brain: Brain) -> None:
    counts = brain.store.counts()
    brain.visits, brain.on_topic, brain.kept = counts["visits"], counts["on_topic"], counts["records"]
    originals = {visit.id for visit in brain.store.visits("page", originals=True)}
    sketched = msgspec.msgpack.Decoder(_Sketched).decode
    for number, blob in brain.store.digests():
        if number in originals:
            brain.near.add(sketched(blob).sketch, number)
    for visit in brain.store.visits():
        brain.met(visit)
    for host in brain.frontier.hosts:
        if host.parked:
            brain.traps.failed(host.number)


def _replay_strategy(brain: Brain, examples: set[int]) -> None:
    """Start the strategy as it was started, load what it saved, and show it again what came after."""
    store, strategy = brain.store, brain.strategy
    pages = {visit.id: visit for visit in store.visits("page", "feed", "pdf")}
    given: list[Digest] = []
    for visit in pages.values():
        if visit.url in examples and visit.outcome == "page" and (blob := store.digest(visit.id)) is not None:
            given.append(decode(blob))
    strategy.start(Brief(brain.topic, given), brain.settings.seed)
    saved = store.load_state("strategy")
    after = 0
    if saved is None and strategy.revise_every:  # as the lessons do: what it thinks of the starts
        list(strategy.revise())
    if saved is not None:
        after, state = saved
        strategy.load(state)
        brain.ranked_pages = sum(visit.role == "page" for number, visit in pages.items() if number <= after)
    for number, blob in store.digests(after):
        met = pages.get(number)
        if met is None or met.role != "page":
            continue
        page = decode(blob)
        page.relevance, page.on_topic = met.first_relevance, met.first_on_topic
        list(strategy.page(page))
        brain.ranked_pages += 1
        if strategy.revise_every and brain.ranked_pages % strategy.revise_every == 0:
            list(strategy.revise())


def _want_records(brain: Brain) -> None:
    """Order the records that were wanted but not made."""
    made = brain.records.visits()
    for visit in brain.store.visits("page", on_topic=True, originals=True):
        if visit.id not in made and (blob := brain.store.digest(visit.id)) is not None:
            brain.keep(visit, decode(blob))
