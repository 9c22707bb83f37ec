"""How a crawl ends: when its budget is spent, and what is said of it then: what it brought, what not, and why."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

import msgspec

from honeyguide.crawling.doubts import to_ask_about
from honeyguide.crawling.progress import Summary
from honeyguide.crawling.settings import Settings
from honeyguide.page.digest import decode
from honeyguide.store import Store
from honeyguide.wording import counted

if TYPE_CHECKING:
    from honeyguide.crawling.crawl import Crawl

__all__ = ["NOTHING_LEFT", "spent", "sum_up", "worth_waiting"]

NOTHING_LEFT = "nothing left to visit"

_ARRIVED = ("page", "feed", "pdf")  # outcomes of visits that brought something to read
_TROUBLES = 5  # reasons told
_DOUBTFUL = 3  # pages asked about
_FEW = 20  # pages, with which a crawl did not get far
_GRACE = 5.0  # how long a stopped crawl waits for what is under way
_MOMENT = 0.5  # and how long any crawl that ends does


def spent(settings: Settings, visits: int, on_topic: int, seconds: float) -> str:
    """Which budget is spent; empty while none is.

    >>> spent(Settings(pages=400), 400, 7, 1.5)
    'the budget of 400 pages is spent'
    >>> spent(Settings(pages=100), 400, 7, 1.5)
    'the budget of 100 pages was spent before: it is counted over all runs, and they have fetched 400'
    """
    if visits > settings.pages:  # it was lowered when the crawl was resumed
        return (
            f"the budget of {counted(settings.pages, 'page')} was spent before: "
            f"it is counted over all runs, and they have fetched {visits}"
        )
    if visits == settings.pages:
        return f"the budget of {counted(settings.pages, 'page')} is spent"
    if settings.records and on_topic >= settings.records:
        return f"{counted(on_topic, 'page')} on topic found, and no more asked for"
    if settings.seconds and seconds >= settings.seconds:
        return f"the time of {settings.seconds:g} seconds is up"
    return ""


def worth_waiting(under_way: Set[str], waited: float, *, late: bool, stopped: bool) -> bool:
    """Whether a crawl that is to end waits for what is under way: for records, and for pages unless time is up.

    What hosts are just saying is heard for a moment in any case: one may ask to be left alone, and a robots.txt
    that was given need not be asked for again. What is not waited for is asked for again on resume.
    """
    if waited <= _MOMENT:
        return bool(under_way)
    if (late or stopped) and waited > _GRACE:
        return False
    wanted = {"record"} if late else {"record", "page", "robots"} if stopped else {"record", "page"}
    return not wanted.isdisjoint(under_way)


def sum_up(crawl: Crawl, reason: str, note: str) -> Summary:
    """The result of a crawl; `note` is what its hands have to say."""
    store = crawl.brain.store
    counts = store.counts()
    _, right, missed = store.summary.reckoned()
    failures = [f"{host.name}: {host.parked}" for host in crawl.brain.frontier.hosts if host.parked]
    return Summary(
        **msgspec.structs.asdict(crawl.progress()),
        stop_reason=reason,
        folder=str(crawl.folder.path),
        failures=[note, *failures] if note else failures,
        advice=crawl.brain.verdicts.judge.advice,
        right=right,
        missed=missed,
        doubtful=[page.url for page in to_ask_about(store, _DOUBTFUL)],
        mended=crawl.mended,
        unkept=store.unkept(),
        arrived=sum(counts.get(outcome, 0) for outcome in _ARRIVED),
        troubles=_troubles(store),
        dead_end=_dead_end(store) if reason == NOTHING_LEFT else "",
    )


def _dead_end(store: Store) -> str:
    """Why a crawl got nowhere: all pages it began at lead nowhere."""
    pages = store.page_count()
    if not 0 < pages <= _FEW:
        return ""
    met = [page for page in (decode(blob) for _, blob in store.digests()) if page.kind == "html"]
    closed = sum(page.nofollow for page in met)
    bare = sum(not page.nofollow and not page.links for page in met)
    if closed + bare < len(met):
        return ""
    told = [f"{closed} asked robots not to follow their links (nofollow)"] if closed else []
    told += [f"{bare} had no link that may be followed"] if bare else []
    return f"of {counted(pages, 'page')} {' and '.join(told)}; other starts would lead further"


def _troubles(store: Store) -> dict[str, int]:
    """Why visits brought nothing, and why there were none: the reasons met most often."""
    found = {detail or outcome: count for outcome, detail, count in store.summary.troubles(_TROUBLES)}
    found |= {f"refused: {reason}": count for reason, count in store.refusal_counts().items()}
    return dict(sorted(found.items(), key=lambda pair: -pair[1])[:_TROUBLES])
