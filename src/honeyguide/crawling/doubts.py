"""The pages of a crawl of which a label would teach most."""

from __future__ import annotations

import numpy as np

from honeyguide.page.digest import decode
from honeyguide.store import Store
from honeyguide.store.summary import JudgedPage
from honeyguide.topic.asking import worth_asking

__all__ = ["to_ask_about"]

_COMPARED = 100  # pages on either side of the bar that are compared with each other


def to_ask_about(store: Store, threshold: float, most: int) -> list[JudgedPage]:
    """Pages that nobody has labelled, near to the bar and unlike each other, in the order to ask about them."""
    said = store.labels()
    each = max(_COMPARED, most) + len(said)
    near = [*store.summary.doubtful(True, each), *store.summary.doubtful(False, each)]
    near = [page for page in near if page.url not in said]
    blobs = (store.digest(page.visit) for page in near)
    meanings = [decode(blob).meaning if blob is not None else b"" for blob in blobs]
    doubts = np.array([abs(page.relevance - threshold) for page in near])
    return [near[place] for place in worth_asking(doubts, meanings, most)]
