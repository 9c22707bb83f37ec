"""The pages of a crawl of which a label would teach most."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from honeyguide.crawling.verdicts import OWN, is_own
from honeyguide.page.digest import decode
from honeyguide.store import Store
from honeyguide.store.summary import JudgedPage
from honeyguide.topic.asking import COMPARED, worth_asking
from honeyguide.topic.calibrate import log_odds_of, logistic

__all__ = ["to_ask_about"]

_SUREST = 1e-6  # as near to none or all as a chance is taken


def to_ask_about(store: Store, most: int, but: Collection[str] = ()) -> list[JudgedPage]:
    """Pages that nobody has labelled, `but` for some, in the order in which to ask about them."""
    judge = store.meta("judge") or {}
    # What a strategy's own judge says is no probability: pages at its bar are as likely on topic as not.
    even = 0.5 if is_own(judge.get("name", OWN)) else float(judge.get("threshold", 0.5))
    said = store.labels()
    known = said.keys() | set(but)
    near = [page for page in store.summary.nearest(even, COMPARED + most + len(known)) if page.url not in known]
    chances = [logistic(_log_odds(page.relevance) - log_odds_of(even)) for page in near]
    labelled = (row.id for url in [*said][:COMPARED] if (row := store.find_url(url)) is not None)
    visits = (visit.id for url in labelled for visit in store.visits_of(url)[-1:])
    places = worth_asking(chances, _about(store, (page.visit for page in near)), most, _about(store, visits))
    return [near[place] for place in places]


def _about(store: Store, visits: Iterable[int]) -> list[bytes]:
    """What pages are about."""
    blobs = (store.digest(visit) for visit in visits)
    return [decode(blob).meaning if blob is not None else b"" for blob in blobs]


def _log_odds(chance: float) -> float:
    return log_odds_of(min(max(chance, _SUREST), 1.0 - _SUREST))
