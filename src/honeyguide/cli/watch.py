"""watch and versions: a crawl that goes on, and what became of its articles."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import click
import msgspec

from honeyguide.api import Watching
from honeyguide.api import watch as begin_watch
from honeyguide.cli.read_page import address
from honeyguide.cli.screen import plain, print_json
from honeyguide.crawling.findings import Finding, WatchSummary
from honeyguide.errors import HoneyguideError
from honeyguide.page.record import Record
from honeyguide.store import Folder, Store
from honeyguide.wording import command, counted

__all__ = ["versions", "watch"]

_folder = click.argument("folder", type=click.Path(path_type=Path))
_json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


@click.command()
@_folder
@click.option("--seconds", type=float, default=0.0, help="How long to watch.  [default: until stopped]")
@click.option(
    "--least", type=float, default=60.0, show_default=True, help="Seconds between two visits of a page at least."
)
@click.option("--every", type=float, default=0.0, help="Visit all pages at this interval.  [default: as each changes]")
@click.option("--delay", type=float, help="Seconds a host rests between requests.  [default: as before]")
@click.option("--contact", help="Your mail address or page, told to every server. Please give one.")
@click.option("--open", "opened", multiple=True, metavar="IP[:PORT]|CIDR", help="A private address that may be asked.")
@click.option("--quiet", is_flag=True, help="Tell no findings, only the result.")
@_json
def watch(folder: Path, seconds: float, least: float, every: float, quiet: bool, as_json: bool, **given: Any) -> None:
    """Watch a crawl's sites: new articles, changed ones, those that vanish.

    Feeds, sitemaps and sections are read again as often as they bring something new, articles as often as they change;
    robots.txt, pace and scope are the crawl's. It runs until it is stopped (Ctrl-C), and goes on where it was when it
    is started again.
    """
    opened = given.pop("opened")
    changes = {name: value for name, value in given.items() if value is not None}
    if opened:
        changes["open"] = opened
    tell = None if quiet or as_json else _tell_finding
    watching = begin_watch(folder, on_finding=tell, least=least, every=every, seconds=seconds, **changes)
    with _interrupts(watching):
        found = watching.run()
    if as_json:
        print_json(found)
    else:
        _tell(found)


@contextmanager
def _interrupts(watching: Watching) -> Iterator[None]:
    """The first Ctrl-C ends the watch in order, the second at once."""
    before: dict[int, Any] = {}

    def on_signal(number: int, _frame: Any) -> None:
        watching.stop("stopped by the user" if number == signal.SIGINT else "stopped by the system")
        signal.signal(number, before[number])
        click.echo("\nstopping", err=True)

    for number in (signal.SIGINT, signal.SIGTERM):
        before[number] = signal.signal(number, on_signal)
    try:
        yield
    finally:
        for minded, handler in before.items():
            signal.signal(minded, handler)


def _tell_finding(found: Finding) -> None:
    side = "" if found.what != "new" else " (on topic)" if found.on_topic else " (off topic)"
    click.echo(f"{_moment(found.at)}  {found.what}{side}: {plain(found.title)}  {plain(found.url)}")


def _tell(found: WatchSummary) -> None:
    click.echo(
        f"{counted(found.new, 'new page')}, {found.new_on_topic} on topic; {found.changed} changed, {found.gone} gone; "
        f"{counted(found.requests, 'request')}, {found.unchanged} answered that nothing is newer"
    )
    click.echo(f"{counted(found.watched, 'page')} watched for {found.seconds:.0f} s; ended: {plain(found.stop_reason)}")
    click.echo(f"go on with: {command('watch', found.folder)}")


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


class ArticleVersion(msgspec.Struct, kw_only=True):
    """One version of an article, and until when it stood; empty for the one that stands."""

    fetched: str
    replaced: str
    record: Record


@click.command()
@_folder
@click.argument("url", required=False)
@click.option("--diff", is_flag=True, help="Show what each version changed, line by line.")
@_json
def versions(folder: Path, url: str | None, diff: bool, as_json: bool) -> None:
    """Show the versions of an article that has changed.

    Without a URL, all articles that have more than one.
    """
    store = Store.open(Folder(folder).database, read_only=True)
    try:
        if url is None:
            listed = {store.url(number).url: earlier + 1 for number, earlier in store.watching.changed().items()}
            _tell_changed(listed, as_json=as_json)
            return
        found = _versions(store, address(url))
    finally:
        store.close()
    if as_json:
        print_json(found)
        return
    for number, one in enumerate(found, 1):
        until = f", replaced {one.replaced}" if one.replaced else ", the newest"
        click.echo(f"version {number}: fetched {one.fetched}{until}: {plain(one.record.title)}")
        if diff and number > 1:
            _tell_difference(found[number - 2].record, one.record)


def _tell_changed(listed: dict[str, int], *, as_json: bool) -> None:
    if as_json:
        print_json(listed)
        return
    for url, count in listed.items():
        click.echo(f"{count} versions  {plain(url)}")
    if not listed:
        click.echo("no article has changed")


def _versions(store: Store, url: str) -> list[ArticleVersion]:
    row = store.find_url(url)
    visits = store.visits_of(row.id) if row is not None else []
    records = [(visit, record) for visit in visits if (record := store.records.get(visit.id)) is not None]
    if row is None or not (records or store.watching.versions(row.id)):
        raise HoneyguideError(f"{url} has no record in this crawl")
    found = [
        ArticleVersion(fetched=_moment(one.record.fetched), replaced=_moment(one.replaced), record=one.record)
        for one in store.watching.versions(row.id)
    ]
    found += [ArticleVersion(fetched=_moment(record.fetched), replaced="", record=record) for _, record in records[-1:]]
    return found


def _tell_difference(before: Record, after: Record) -> None:
    if before.title != after.title:
        click.echo(plain(f"  title was: {before.title}"))
    # Whole lines: to find out what changed within them takes hours where there are a thousand all but alike.
    old, new = before.text.splitlines(), after.text.splitlines()
    for _, first, last, begin, end in SequenceMatcher(None, old, new, autojunk=True).get_opcodes():
        if old[first:last] != new[begin:end]:
            for sign, lines in (("-", old[first:last]), ("+", new[begin:end])):
                for line in lines:
                    click.echo(plain(f"  {sign} {line}"))
