"""topic: define a topic, take lists into it, look at what it is searched by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from honeyguide.cli.screen import console, plain, print_json
from honeyguide.errors import RowsError, SettingError, TopicError
from honeyguide.topic import Topic
from honeyguide.topic.files import new_topic, save_topic
from honeyguide.topic.imports import Imported, take_in
from honeyguide.topic.sources import read_list
from honeyguide.topic_words import TopicShown, show_topic
from honeyguide.wording import command, counted

__all__ = ["topic"]

_file = click.argument("file", type=click.Path(path_type=Path), metavar="TOPIC.toml")
_json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


@click.group()
def topic() -> None:
    """Define a topic: words, example pages and sites, typed or imported.

    'new' writes a topic file, 'import' takes a list into it (text, CSV, Excel, a database), 'show' prints its words
    with their weights and where each comes from.
    """


@topic.command("new")
@_file
@click.option("--name", help="The topic's name.  [default: the file's]")
@click.option("--kind", type=click.Choice(["any", "article", "news"]), help="Which pages count.")
@click.option("--language", "languages", multiple=True, metavar="CODE", help="Languages that count, e.g. en, zh.")
@click.option("--keyword", "keywords", multiple=True, metavar="WORD[:WEIGHT]", help="A word of the topic. Repeat it.")
@click.option("--example", "examples", multiple=True, metavar="URL", help="A page on the topic. Repeat it.")
@click.option("--site", "--start", "starts", multiple=True, metavar="URL", help="A site to begin at. Repeat it.")
def new(file: Path, name: str | None, languages: tuple[str, ...], **given: Any) -> None:
    """Write a new topic file.

    What is typed here may be little, or nothing: 'topic import' adds the rest.
    """
    made = Topic.from_flags(name=name or file.stem, languages=languages or None, complete=False, **given)
    new_topic(file, made)
    click.echo(f"{file}: {_held(made)}")
    _tell_missing(file)


@topic.command("import")
@_file
@click.argument("what", type=click.Choice(["keywords", "examples", "sites"]))
@click.argument("source", metavar="FILE|DATABASE_URL|-")
@click.option("--query", default="", metavar="SQL", help="What to read from a database.")
@click.option("--sheet", default="", metavar="NAME", help="The sheet of an Excel file.  [default: the first with rows]")
@click.option(
    "--column", "columns", multiple=True, metavar="keyword|weight|url=NAME", help="What a column is called. Repeat it."
)
@click.option("--encoding", default="", help="How a text or CSV file is encoded.  [default: it is found out]")
@click.option("--keep-good", is_flag=True, help="Leave out rows that cannot be used, and import the others.")
@_json
def import_list(
    file: Path,
    what: Any,
    source: str,
    query: str,
    sheet: str,
    columns: tuple[str, ...],
    encoding: str,
    keep_good: bool,
    as_json: bool,
) -> None:
    """Take a list of keywords, example pages or sites into a topic file.

    The list is a text file (one a line, a keyword with its weight as in MH17:2), a CSV or Excel file with a heading
    (keyword and weight, or url), a database by its SQLAlchemy URL with --query, or "-" for what is typed. A row that
    cannot be used is named, and then nothing is imported, unless --keep-good says otherwise.
    """
    before = Topic.load(file, complete=False)
    named = dict(_named(one) for one in columns)
    try:
        given = read_list(source, query=query, sheet=sheet, encoding=encoding)
        after, found = take_in(before, what, given, columns=named, keep_good=keep_good)
    except RowsError as error:
        for number, why in error.rows:
            click.echo(plain(f"row {number}: {why}"), err=True)
        raise
    save_topic(file, after)
    if as_json:
        print_json(found)
    else:
        _tell_import(file, found, after)


def _named(one: str) -> tuple[str, str]:
    ours, equals, theirs = one.partition("=")
    if not equals or not theirs.strip():
        raise SettingError(f"--column {one!r}: write it as in --column keyword=NAME")
    return ours.strip(), theirs


def _tell_import(file: Path, found: Imported, after: Topic) -> None:
    kind = found.what.removesuffix("s")
    parts = [f"{counted(len(found.added), kind)} added"]
    parts += [f"{found.known} known already"] if found.known else []
    parts += [f"{counted(len(found.changed), 'weight')} changed"] if found.changed else []
    parts += [f"{counted(len(found.left_out), 'row')} left out"] if found.left_out else []
    click.echo(plain(f"{found.source}: {', '.join(parts)}"))
    for word, (was, now) in found.changed.items():
        click.echo(plain(f"  {word}: {was:g} before, {now:g} now"))
    for row, why in found.left_out:
        click.echo(plain(f"  left out, row {row}: {why}"))
    if found.unused:
        click.echo(plain(f"note: columns that were not used: {', '.join(found.unused)}"))
    for note in found.notes:
        click.echo(plain(f"note: {note}"))
    click.echo(f"{file}: {_held(after)}")
    _tell_missing(file)


def _held(topic: Topic) -> str:
    counts = (topic.keywords, "keyword"), (topic.examples, "example"), (topic.starts, "site")
    return ", ".join(counted(len(held), name) for held, name in counts)


def _tell_missing(file: Path) -> None:
    """Say what a crawl would still miss, or how to begin one."""
    try:
        Topic.load(file)
    except TopicError as error:
        click.echo(plain(f"note: {error}"))
    else:
        click.echo(f"crawl with: {command('crawl', file)}")


@topic.command("show")
@click.argument("what", metavar="TOPIC.toml|DIR", type=click.Path(path_type=Path))
@click.option("--no-fetch", "fetch", flag_value=False, default=True, help="Show only what was given; fetch no page.")
@click.option("--most", default=40, show_default=True, help="Words of the examples at the most.")
@click.option("--web", metavar="live|demo|WARC|FOLDER", help="Where examples are fetched.  [default: live]")
@click.option("--delay", type=float, help="Seconds a host rests between requests.")
@click.option("--contact", help="Your mail address or page, told to every server. Please give one.")
@click.option("--open", "opened", multiple=True, metavar="IP[:PORT]|CIDR", help="A private address that may be asked.")
@_json
def show(what: Path, fetch: bool, most: int, as_json: bool, opened: tuple[str, ...], **given: Any) -> None:
    """Print a topic: all that was given, and the words it is searched by.

    Each word has its weight and where it comes from: the expert, which example pages, or both. The examples are fetched
    for it, politely, and held against the sites' front pages; of a crawl's folder the pages are at hand.
    """
    if most < 0:
        raise SettingError(f"most must not be negative, but is {most}")
    settings = {name: value for name, value in given.items() if value is not None}
    found = show_topic(what, fetch=fetch, most=most, open=opened, **settings)
    if as_json:
        print_json(found)
    else:
        _tell(found)


def _tell(found: TopicShown) -> None:
    out, given = console(), found.topic
    languages = f" in {', '.join(given.languages)}" if given.languages else ""
    out.print(plain(f"{given.name} (kind {given.kind}{languages})"), markup=False, style="bold")
    words = ", ".join(f"{word} {weight:g}" for word, weight in given.keywords.items())
    out.print(plain(f"keywords, as given: {words or 'none'}"), markup=False)
    numbers = {url: number for number, url in enumerate(given.examples, 1)}
    for title, urls in (("examples", given.examples), ("sites", given.starts)):
        out.print(f"{title}:" if urls else f"{title}: none")
        for number, url in enumerate(urls, 1):
            trouble = f"  (not read: {found.unread[url]})" if title == "examples" and url in found.unread else ""
            out.print(plain(f"{number:4}  {url}{trouble}"), markup=False)
    if not found.words:
        return
    learnt = counted(len(found.read), "example"), counted(found.against, "other page")
    out.print(f"words it is searched by, from the expert and {learnt[0]}, held against {learnt[1]}:")
    table = Table("weight", "word", "from", box=None, header_style="bold")
    for one in found.words:
        pages = ", ".join(str(numbers.get(url, url)) for url in one.pages)
        sources = ["expert"] if one.source != "example" else []
        sources += [f"example{'s' if len(one.pages) > 1 else ''} {pages}"] if pages else []
        table.add_row(f"{one.weight:.3f}", plain(one.word), plain(", ".join(sources)))
    out.print(table)
