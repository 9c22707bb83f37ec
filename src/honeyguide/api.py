"""Honeyguide from Python: the same crawl as on the command line, record by record."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from honeyguide.crawling import Crawl, Progress, Settings, Summary, load_settings, load_topic
from honeyguide.crawling.control import Control
from honeyguide.crawling.events import Listener, RecordKept
from honeyguide.crawling.findings import Finding, WatchSummary
from honeyguide.crawling.settings import changed
from honeyguide.crawling.watch import Watch
from honeyguide.demo import DemoServer, build
from honeyguide.demo import demo_topic as choose_topic
from honeyguide.errors import SettingError
from honeyguide.page.record import Record
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic

__all__ = ["Run", "Watching", "crawl", "demo_topic", "resume", "watch"]

_A_WHILE = 0.2  # seconds
_FIXED = frozenset(("web", "seed", "warc"))  # what makes a crawl that crawl


class Run(Iterator[Record]):
    """A crawl under way: iterate over it for its records, read `summary` when it is over.

    The crawl runs in a thread of its own, from the first record that is asked for (or `go`) to its end, however long
    you take over each. `listen` brings its events, `control` takes commands; `close`, or leaving a `with` block, stops
    it cleanly, and `resume` continues it.
    """

    def __init__(
        self,
        folder: Folder,
        topic: Topic,
        settings: Settings,
        *,
        fresh: bool,
        server: DemoServer | None,
        retry: bool = False,
    ) -> None:
        self.folder = folder.path
        self._folder = folder
        self._summary: Summary | None = None
        self._error: BaseException | None = None
        self._server = server
        self._thread: threading.Thread | None = None
        self._store: Store | None = None
        self._stopping = False
        self._break: Callable[[], object] = _nothing  # ends the crawl at once, from any thread
        names = dict(server.resolve) if server else {}
        opened = tuple({f"{ip}:{port}" for ip, port in names.values()})
        self._crawl = Crawl(folder, topic, settings, names=names, opened=opened)
        self._kept = self._crawl.events.listen(RecordKept)
        try:
            if fresh:
                self._crawl.create()
            else:
                self._crawl.open(retry=retry)
        except BaseException:
            folder.unlock()
            self._close_server()
            raise

    @property
    def summary(self) -> Summary | None:
        """How the crawl ended; None while it has not."""
        return self._summary

    @property
    def control(self) -> Control:
        """What may be said to the crawl while it runs: pause, go on, label, hosts, budget."""
        return self._crawl.control

    def listen(self, *kinds: type) -> Listener:
        """Events of these kinds, or all, for one more listener; iterate over it in a thread of its own."""
        return self._crawl.events.listen(*kinds)

    def on_progress(self, listener: Callable[[Progress], None]) -> None:
        """Have somebody told how far the crawl is, about once a second."""
        self._crawl.events.tell(listener, Progress)

    def stop(self, reason: str = "stopped by the user") -> None:
        """Ask the crawl to end soon."""
        self._stopping = True
        self._crawl.stop(reason)

    def go(self) -> None:
        """Let the crawl begin, if it has not."""
        if self._thread is None and self._summary is None and self._error is None:
            self._thread = threading.Thread(target=self._work, name="honeyguide crawl", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        async def run() -> Summary:
            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            assert task is not None
            self._break = lambda: loop.call_soon_threadsafe(task.cancel)
            return await self._crawl.run()

        try:
            self._summary = asyncio.run(run())
        except BaseException as error:  # raised again where the crawl is waited for
            self._error = error
        finally:
            self._break = _nothing
            self._crawl.events.close()

    def _break_off(self) -> None:
        """End now, waiting for nothing but the processes of our own."""
        self._break()
        if self._thread is not None:
            self._thread.join()
        self._close_server()

    def __next__(self) -> Record:
        self.go()
        while True:
            # A while at a time: a wait without an end would not hear Ctrl-C.
            event = self._kept.take(_A_WHILE)
            if isinstance(event, RecordKept):
                record = self._record(event.visit)
                if record is not None:  # else it was taken out again since: the judge learns on the way
                    return record
            elif self._thread is None or not self._thread.is_alive():
                self._end()
                raise StopIteration

    def _record(self, visit: int) -> Record | None:
        if self._store is None:
            self._store = Store.open(self._folder.database, read_only=True)
        return self._store.records.get(visit)

    def _end(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None
        self._close_server()
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def finish(self) -> Summary:
        """Run to the end without looking at the records."""
        self.go()
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(_A_WHILE)
        self._end()
        assert self._summary is not None, "the crawl ended before it began"
        return self._summary

    def close(self) -> None:
        """Stop the crawl, wait for what is under way, and let go of the folder.

        Interrupted in that, or when the crawl is stopping already, it ends at once: what is not written down yet is
        asked for again on resume.
        """
        if self._thread is not None and self._thread.is_alive():
            if self._stopping:
                self._break_off()
                return
            self.stop("stopped before its end by the program that ran it")
            try:
                self.finish()
            except BaseException:
                self._break_off()
                raise
        elif self._thread is not None:
            self._close_server()
        elif self._summary is None:
            self._crawl.close()
            self._close_server()

    def _close_server(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _nothing() -> None:
    """There is nothing to break off."""


def crawl(topic: Topic | str | Path | None = None, *, out: str | Path, **settings: Any) -> Run:
    """Crawl the web for a topic (a `Topic`, or the path of a topic file) into the folder `out`.

    Iterate over the result for records as they are kept. Settings are those of `Settings`. Without a topic, the
    demo topic is crawled on the demo web.
    """
    chosen = changed(Settings(), settings)
    if topic is None:
        chosen = msgspec.structs.replace(chosen, web=settings.get("web", "demo"))
        topic = demo_topic()
    elif not isinstance(topic, Topic):
        topic = Topic.load(Path(topic))
    return Run(Folder(out), topic, chosen, fresh=True, server=_server(chosen))


def resume(folder: str | Path, *, retry: bool = False, **changes: Any) -> Run:
    """Continue a crawl that was stopped or killed.

    Settings may be changed: a larger budget, another pace, scope, threshold or strategy; each change goes on record.
    With `retry` hosts that were given up are tried again.
    """
    place = Folder(folder)
    settings = _resumed(place, changes)
    return Run(place, load_topic(place), settings, fresh=False, server=_server(settings), retry=retry)


def _resumed(folder: Folder, changes: dict[str, Any]) -> Settings:
    """The settings of a crawl, with changes."""
    store = Store.open(folder.database, read_only=True)
    settings = load_settings(store)
    store.close()
    for name in _FIXED & changes.keys():
        raise SettingError(f"'{name}' cannot be changed when a crawl is resumed: begin another one")
    return changed(settings, changes)


class Watching:
    """A crawl's sites being watched: `run` does it until `stop` is called, from a signal or another thread."""

    def __init__(
        self,
        folder: Folder,
        settings: Settings,
        *,
        on_finding: Callable[[Finding], None] | None,
        least: float,
        every: float,
        seconds: float,
    ) -> None:
        self._server = _server(settings)
        names = dict(self._server.resolve) if self._server else {}
        opened = tuple({f"{ip}:{port}" for ip, port in names.values()})
        crawl = Crawl(folder, load_topic(folder), settings, names=names, opened=opened)
        try:
            crawl.open()
            try:
                self._watch = Watch(crawl, least=least, every=every, seconds=seconds)
            except BaseException:
                crawl.close()
                raise
        except BaseException:
            self._close()
            raise
        if on_finding is not None:
            self._watch.on_finding = on_finding

    def stop(self, reason: str = "stopped by the user") -> None:
        """Ask it to end soon."""
        self._watch.stop(reason)

    def run(self) -> WatchSummary:
        """Watch until stopped, or until the time given is over."""
        try:
            return asyncio.run(self._watch.run())
        finally:
            self._close()

    def _close(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None


def watch(
    folder: str | Path,
    *,
    on_finding: Callable[[Finding], None] | None = None,
    least: float = 60.0,
    every: float = 0.0,
    seconds: float = 0.0,
    **changes: Any,
) -> Watching:
    """Watch the sites of a crawl: new articles, changed ones, those that vanish; `run()` of the result begins.

    `least` seconds lie between two visits of a page; with `every` all pages are visited at that interval, and not by
    how often each changes; `seconds` is how long to watch, 0 for ever. Settings may be changed as in `resume`.
    """
    place = Folder(folder)
    settings = _resumed(place, changes)
    return Watching(place, settings, on_finding=on_finding, least=least, every=every, seconds=seconds)


def demo_topic() -> Topic:
    """The topic of the demo web that is crawled when none is given."""
    chosen = choose_topic(build())
    return Topic(
        name=chosen.name,
        kind="article",
        languages=tuple(chosen.languages),
        keywords=dict(chosen.keywords),
        examples=tuple(chosen.examples),
        starts=tuple(chosen.starts),
    )


def _server(settings: Settings) -> DemoServer | None:
    if settings.web != "demo":
        return None
    server = DemoServer()
    server.start()
    return server
