"""What a crawl tells: events, once they are on disk, to any number of listeners, none of which can hold it up."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from honeyguide.crawling.progress import Progress

__all__ = ["Event", "Events", "HostChanged", "Listener", "Noted", "PageVisited", "RecordKept", "VerdictTurned"]

_MOST = 100_000  # events that wait for a listener; then the oldest are dropped, and counted


class PageVisited(msgspec.Struct, frozen=True, tag="page"):
    """An order was answered, by a page or not."""

    url: str
    outcome: str
    title: str = ""
    relevance: float = 0.0
    on_topic: bool = False
    reason: str = ""


class RecordKept(msgspec.Struct, frozen=True, tag="record"):
    """A record was made; its text is in the corpus, under the number of its visit."""

    visit: int
    url: str
    title: str


class VerdictTurned(msgspec.Struct, frozen=True, tag="verdict"):
    """A page that was visited before is on topic now, or is so no longer."""

    url: str
    relevance: float
    on_topic: bool


class HostChanged(msgspec.Struct, frozen=True, tag="host"):
    """We stopped going to a host, or go there again."""

    host: str
    parked: str  # why; empty if we go there


class Noted(msgspec.Struct, frozen=True, tag="note"):
    """Something a person should know of."""

    text: str


Event = Progress | PageVisited | RecordKept | VerdictTurned | HostChanged | Noted


class Listener:
    """Events for one listener, which takes them in a thread and at a pace of its own.

    Iterate over it until the crawl is over, or ask for what there is with `take`. Of several reports of progress that
    wait, only the last is kept.
    """

    def __init__(self, kinds: tuple[type, ...] = ()) -> None:
        self._kinds = kinds
        self._waiting: deque[Event] = deque()
        self._changed = threading.Condition()
        self._over = False
        self.missed = 0  # events dropped because too many waited

    def wants(self, kind: type) -> bool:
        """Whether it listens to events of a kind."""
        return not self._kinds or kind in self._kinds

    def put(self, events: list[Event]) -> None:
        """Events happened; never waits."""
        with self._changed:
            for event in events:
                if not self.wants(type(event)):
                    continue
                if isinstance(event, Progress) and self._waiting and isinstance(self._waiting[-1], Progress):
                    self._waiting.pop()
                if len(self._waiting) >= _MOST:
                    self._waiting.popleft()
                    self.missed += 1
                self._waiting.append(event)
            self._changed.notify_all()

    def close(self) -> None:
        """There will be no more."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def take(self, patience: float | None = None) -> Event | None:
        """The next event; waits for it, but not longer than told. None if none came, or none will."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._over, patience)
            return self._waiting.popleft() if self._waiting else None

    def __iter__(self) -> Iterator[Event]:
        while (event := self.take()) is not None:
            yield event


class Events:
    """Collects what happens in a batch, and tells it when the batch is on disk."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._batch: list[Event] = []
        self._lock = threading.Lock()

    def listen(self, *kinds: type) -> Listener:
        """A new listener, to events of these kinds or to all."""
        listener = Listener(kinds)
        with self._lock:
            self._listeners = [*self._listeners, listener]
        return listener

    def tell(self, whom: Callable[[Any], object], *kinds: type) -> None:
        """Call somebody with every event of these kinds, or all, in a thread of its own."""
        listener = self.listen(*kinds)

        def work() -> None:
            for event in listener:
                whom(event)

        threading.Thread(target=work, daemon=True).start()

    def wanted(self, kind: type) -> bool:
        """Whether anybody listens to events of a kind; if not, they need not be made."""
        return any(listener.wants(kind) for listener in self._listeners)

    def add(self, event: Event) -> None:
        """Something happened, to be told when it is on disk."""
        if self._listeners:
            self._batch.append(event)

    def settled(self) -> None:
        """The batch is on disk: tell of it."""
        batch, self._batch = self._batch, []
        for listener in self._listeners:
            listener.put(batch)

    def close(self) -> None:
        """The crawl is over; what was not settled never happened."""
        for listener in self._listeners:
            listener.close()
