"""Honeyguide from Python: the same crawl as on the command line, record by record."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from honeyguide.crawling import Crawl, Progress, Settings, Summary, load_settings, load_topic
from honeyguide.demo import DemoServer, build
from honeyguide.demo import demo_topic as choose_topic
from honeyguide.errors import SettingError
from honeyguide.page.record import Record
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic

__all__ = ["Run", "crawl", "demo_topic", "resume"]


class Run(Iterator[Record]):
    """A crawl under way: iterate over it for its records, read `summary` when it is over.

    `close`, or leaving a `with` block, stops the crawl cleanly; `resume` continues it. The crawl goes on only while you
    wait for the next record: whoever takes long over each should collect them first.
    """

    def __init__(
        self, folder: Folder, topic: Topic, settings: Settings, *, fresh: bool, server: DemoServer | None
    ) -> None:
        self.folder = folder.path
        self.summary: Summary | None = None
        self._server = server
        self._records: deque[Record] = deque()
        self._runner: asyncio.Runner | None = None
        self._task: asyncio.Task[Summary] | None = None
        self._bell: asyncio.Event | None = None
        self._stopping = False
        names = dict(server.resolve) if server else {}
        opened = tuple({f"{ip}:{port}" for ip, port in names.values()})
        self._crawl = Crawl(folder, topic, settings, names=names, opened=opened)
        try:
            if fresh:
                self._crawl.create()
            else:
                self._crawl.open()
        except BaseException:
            folder.unlock()
            self._close_server()
            raise
        self._crawl.brain.on_record = self._kept

    def on_progress(self, listener: Callable[[Progress], None]) -> None:
        """Have somebody told how far the crawl is, about once a second."""
        self._crawl.on_progress = listener

    def stop(self, reason: str = "stopped by the user") -> None:
        """Ask the crawl to end soon."""
        self._stopping = True
        self._crawl.stop(reason)

    def _kept(self, record: Record) -> None:
        self._records.append(record)
        if self._bell is not None:
            self._bell.set()

    def _over(self, _: object) -> None:
        if self._bell is not None:
            self._bell.set()

    async def _step(self) -> None:
        """Let the crawl go on until it has kept a record or is over."""
        if self._task is None:
            self._bell = asyncio.Event()
            self._task = asyncio.create_task(self._crawl.run())
            self._task.add_done_callback(self._over)
        assert self._bell is not None
        await self._bell.wait()
        self._bell.clear()

    def __next__(self) -> Record:
        if self._runner is None:
            if self.summary is not None:
                raise StopIteration
            self._runner = asyncio.Runner()
        while not self._records:
            if self._task is not None and self._task.done():
                self._end()
                raise StopIteration
            self._runner.run(self._step())
        return self._records.popleft()

    def _end(self) -> None:
        assert self._task is not None
        assert self._runner is not None
        try:
            self.summary = self._task.result()
        finally:
            self._runner.close()
            self._runner = None
            self._close_server()

    def finish(self) -> Summary:
        """Run to the end without looking at the records."""
        for _ in self:
            pass
        assert self.summary is not None
        return self.summary

    def close(self) -> None:
        """Stop the crawl, wait for what is under way, and let go of the folder.

        Interrupted in that, or when the crawl is stopping already, it ends at once: what is not written down yet is
        asked for again on resume.
        """
        if self.summary is None and self._runner is not None:
            if self._stopping:
                self._break_off()
                return
            self.stop("stopped before its end by the program that ran it")
            try:
                self.finish()
            except BaseException:
                self._break_off()
                raise
        elif self.summary is None:
            self._crawl.close()
            self._close_server()

    def _break_off(self) -> None:
        """End now, waiting for nothing but the processes of our own."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None
        if self._task is not None and self._task.done() and not self._task.cancelled():
            self._task.exception()  # the interruption itself, told by whoever was interrupted
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


def crawl(topic: Topic | str | Path | None = None, *, out: str | Path, **settings: Any) -> Run:
    """Crawl the web for a topic (a `Topic`, or the path of a topic file) into the folder `out`.

    Iterate over the result for records as they are kept. Settings are those of `Settings`. Without a topic, the
    demo topic is crawled on the demo web.
    """
    _check_names(settings)
    try:
        chosen = msgspec.convert(settings, Settings)
    except msgspec.ValidationError as error:
        raise SettingError(f"a setting cannot be understood: {error}") from None
    if topic is None:
        chosen = msgspec.structs.replace(chosen, web=settings.get("web", "demo"))
        topic = demo_topic()
    elif not isinstance(topic, Topic):
        topic = Topic.load(Path(topic))
    return Run(Folder(out), topic, chosen, fresh=True, server=_server(chosen))


def resume(folder: str | Path, **changes: Any) -> Run:
    """Continue a crawl that was stopped or killed; a larger budget (`pages`) and the like may be given."""
    place = Folder(folder)
    _check_names(changes)
    store = Store.open(place.database, read_only=True)
    settings = load_settings(store)
    store.close()
    try:
        settings = msgspec.convert({**msgspec.to_builtins(settings), **changes}, Settings)
    except msgspec.ValidationError as error:
        raise SettingError(f"a setting cannot be understood: {error}") from None
    return Run(place, load_topic(place), settings, fresh=False, server=_server(settings))


def _check_names(settings: dict[str, Any]) -> None:
    unknown = set(settings) - set(Settings.__struct_fields__)
    if unknown:
        raise SettingError(f"unknown setting '{min(unknown)}'; known: {', '.join(Settings.__struct_fields__)}")


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
