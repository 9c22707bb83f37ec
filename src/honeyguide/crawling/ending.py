"""How a crawl ended, put together when it has: what it brought, what it did not, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from honeyguide.crawling.progress import Summary
from honeyguide.store import Store

if TYPE_CHECKING:
    from honeyguide.crawling.crawl import Crawl

__all__ = ["sum_up"]

_ARRIVED = ("page", "feed", "pdf")  # outcomes of visits that brought something to read
_TROUBLES = 5  # reasons told


def sum_up(crawl: Crawl, reason: str, note: str) -> Summary:
    """The result of a crawl; `note` is what its hands have to say."""
    store = crawl.brain.store
    counts = store.counts()
    failures = [f"{host.name}: {host.parked}" for host in crawl.brain.frontier.hosts if host.parked]
    return Summary(
        **msgspec.structs.asdict(crawl.progress()),
        stop_reason=reason,
        folder=str(crawl.folder.path),
        failures=[note, *failures] if note else failures,
        advice=crawl.brain.verdicts.judge.advice,
        mended=crawl.mended,
        unkept=store.unkept(),
        arrived=sum(counts.get(outcome, 0) for outcome in _ARRIVED),
        troubles=_troubles(store),
    )


def _troubles(store: Store) -> dict[str, int]:
    """Why visits brought nothing, and why there were none: the reasons met most often."""
    found = {detail or outcome: count for outcome, detail, count in store.summary.troubles(_TROUBLES)}
    found |= {f"refused: {reason}": count for reason, count in store.refusal_counts().items()}
    return dict(sorted(found.items(), key=lambda pair: -pair[1])[:_TROUBLES])
