"""The iterations of a crawl by `semrank`, shown to it once more: its contexts, its words, and how it ranked a page.

Any crawl can be looked at so: one that another strategy has led is shown to `semrank` as it went.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import msgspec

from honeyguide.crawling.questions import load_settings, load_topic
from honeyguide.crawling.ranking import Ranking
from honeyguide.crawling.reading import spellings
from honeyguide.crawling.resume import restore_order
from honeyguide.errors import HoneyguideError
from honeyguide.lattice import Context, Rank
from honeyguide.store import Folder, Store
from honeyguide.strategies import make
from honeyguide.strategies.semrank import SemRank
from honeyguide.strategies.semrank_turn import Member
from honeyguide.web.urls import normalise

__all__ = ["Iteration", "iteration", "place_of", "replayed"]


class Iteration(NamedTuple):
    """One iteration: its pages and those they were compared with."""

    number: int  # from 1
    base: list[Member]
    current: list[Member]
    base_context: Context
    context: Context
    ranks: list[Rank]


class _Recording(SemRank):
    """Takes down one iteration: by its number, by a page of it, or the last."""

    name = ""
    version = -1  # no saved state is its own, so that it sees the whole crawl
    wanted = 0
    url = ""
    found: Iteration | None = None

    def _turn(self) -> None:
        number, members = self.turn.turns + 1, self.turn.batch
        hit = any(one.url == self.url for one in members) if self.url else self.wanted in (0, number)
        if hit and (self.found is None or not self.url):
            self.take_down(number)
        super()._turn()

    def take_down(self, number: int) -> None:
        """Note how the iteration stands."""
        members, base = list(self.turn.batch), list(self.turn.base)
        meeting, ranks = self.ranked(members)
        self.found = Iteration(number, base, members, meeting.base, meeting.current, ranks)


@contextmanager
def replayed(folder: Folder, kind: type[SemRank] = SemRank, **given: object) -> Iterator[SemRank]:
    """The strategy as the crawl left it, its graph open to be asked for addresses."""
    store = Store.open(folder.database, read_only=True)
    try:
        settings = load_settings(store)
        own = settings.strategy_settings if settings.strategy == "semrank" else {}
        settings = msgspec.structs.replace(settings, strategy="semrank", strategy_settings=own)
        strategy = make("semrank", own)
        if kind is not SemRank:
            strategy = kind(**strategy.settings)
        for name, value in given.items():
            setattr(strategy, name, value)
        assert isinstance(strategy, SemRank)
        ranking = Ranking(settings, store, strategy, polite=False, watch=False)
        restore_order(ranking, store, load_topic(folder))
        yield strategy
    finally:
        store.close()


def iteration(folder: Folder, number: int = 0, url: str = "") -> Iteration:
    """An iteration by its number, or that of a page; the last, if neither is given."""
    address = normalise(url) if url else ""
    if address is None:
        raise HoneyguideError(f"'{url}' is not the address of a web page")
    with replayed(folder, _Recording, wanted=number, url=address) as strategy:
        assert isinstance(strategy, _Recording)
        state = strategy.turn
        under_way = any(one.url == address for one in state.batch) if address else number in (0, state.turns + 1)
        if state.batch and under_way and (strategy.found is None or not address):
            strategy.take_down(state.turns + 1)
        if strategy.found is None:
            told = (
                f"no page {address} was visited" if address else f"it has {state.turns + bool(state.batch)} iterations"
            )
            raise HoneyguideError(f"{folder.path} has no such iteration: {told}")
        return _as_written(folder, strategy.found)


def _as_written(folder: Folder, found: Iteration) -> Iteration:
    """The same with words as pages write them: contexts know stems, which nobody writes."""
    store = Store.open(folder.database, read_only=True)
    try:
        known = spellings(folder, store, {*found.base_context.attributes, *found.context.attributes})
    finally:
        store.close()

    def spelled(context: Context) -> Context:
        return Context(context.objects, [known.get(term, term) for term in context.attributes], context.rows)

    return found._replace(base_context=spelled(found.base_context), context=spelled(found.context))


def place_of(members: Sequence[Member], url: str) -> int | None:
    """Where a page stands among the members of a context."""
    return next((place for place, one in enumerate(members) if one.url == url), None)
