"""What may be said to a running crawl, from any thread: pause, go on, label, try a host again, change the budget.

A command is carried out by the crawl itself, between two answers and within a second, and is on disk with the batch
it belongs to. What comes of it can be waited for.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import msgspec

from honeyguide.crawling.events import HostChanged, Noted
from honeyguide.crawling.host_policy import DROPPED
from honeyguide.crawling.settings import Settings, changed
from honeyguide.errors import HoneyguideError

if TYPE_CHECKING:
    from honeyguide.crawling.crawl import Crawl

__all__ = ["CHANGEABLE", "Control"]

# What may be changed while a crawl runs; all the rest, and more, when it is resumed.
CHANGEABLE = ("pages", "seconds", "records", "delay", "retries", "patience", "per_host", "choosy")


class Control:
    """The way commands take into a crawl."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._waiting: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._over = ""
        self.paused = False

    def _say(self, command: Callable[[], Any]) -> Future[Any]:
        said: Future[Any] = Future()
        self._waiting.append((command, said))
        if self._over:
            self.obey()
        return said

    def obey(self) -> None:
        """Carry out what was said; for the crawl itself."""
        while self._waiting:
            command, said = self._waiting.popleft()
            try:
                if self._over:
                    raise HoneyguideError(self._over)
                said.set_result(command())
            except Exception as error:  # whoever said it is told; the crawl goes on
                said.set_exception(error)

    def close(self) -> None:
        """The crawl is over: nothing can be said to it any more."""
        self._over = "the crawl is over; resume it to go on"
        self.obey()

    # -- commands -------------------------------------------------------------------------------------------

    def pause(self) -> Future[None]:
        """Give no further orders until `go_on`; what is under way is taken in."""
        return self._say(lambda: self._pause(True))

    def go_on(self) -> Future[None]:
        """Give orders again."""
        return self._say(lambda: self._pause(False))

    def _pause(self, paused: bool) -> None:
        if paused != self.paused:
            self.paused = paused
            self._crawl.events.add(Noted("paused by the user" if paused else "going on"))

    def label(self, labels: Mapping[str, bool | None]) -> Future[int]:
        """Say of visited pages whether they are on topic (None takes it back); gives how many verdicts turned."""
        given = dict(labels)
        return self._say(lambda: self._label(given))

    def _label(self, labels: dict[str, bool | None]) -> int:
        brain = self._crawl.brain
        for url, said in labels.items():
            if not brain.label(url, said):
                raise HoneyguideError(f"{url} was not visited by this crawl, so it cannot be labelled")
        brain.verdicts.relearn()
        return brain.rejudge()

    def retry_host(self, name: str) -> Future[int]:
        """Go to a host again that was given up; gives how many of its URLs wait."""
        return self._say(lambda: self._each(name, self._retry))

    def _retry(self, number: int) -> int:
        crawl = self._crawl
        waiting = crawl.brain.policy.unpark(number, time.monotonic())
        crawl.events.add(HostChanged(crawl.brain.frontier.hosts[number].name, ""))
        return waiting

    def drop_host(self, name: str) -> Future[int]:
        """Stop going to a host; gives how many of its URLs are left unvisited."""
        return self._say(lambda: self._each(name, self._drop))

    def _drop(self, number: int) -> int:
        host = self._crawl.brain.frontier.hosts[number]
        left = host.live
        self._crawl.brain.policy.park(number, DROPPED)
        return left

    def _each(self, name: str, do: Callable[[int], int]) -> int:
        """Do something to a host, by its name with or without a port; gives the sum."""
        hosts = self._crawl.brain.frontier.hosts
        found = [host.number for host in hosts if name.lower() in (host.name, host.name.rpartition(":")[0])]
        if not found:
            raise HoneyguideError(f"this crawl knows no host '{name}'")
        return sum(do(number) for number in found)

    def change(self, **settings: Any) -> Future[Settings]:
        """Change the budget or the pace; gives the settings that hold from now on."""
        return self._say(lambda: self._change(settings))

    def _change(self, settings: dict[str, Any]) -> Settings:
        for name in settings:
            if name not in CHANGEABLE:
                raise HoneyguideError(
                    f"'{name}' cannot be changed while a crawl runs; these can: {', '.join(CHANGEABLE)}"
                )
        crawl = self._crawl
        before = crawl.settings
        crawl.settings = changed(before, settings)
        crawl.brain.change(crawl.settings)
        note_changes(crawl, before)
        return crawl.settings


def note_changes(crawl: Crawl, before: Settings) -> None:
    """Put on record which settings are others now."""
    old, new = msgspec.to_builtins(before), msgspec.to_builtins(crawl.settings)
    store = crawl.brain.store
    differ = [
        {"when": time.time(), "after": store.last_visit(), "name": name, "from": old[name], "to": new[name]}
        for name in old
        if old[name] != new[name]
    ]
    if differ:
        store.set_meta(settings=new, changes=[*store.meta("changes", []), *differ])
