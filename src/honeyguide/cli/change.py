"""label, forget, export, extract: changing a crawl, and taking things out of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import msgspec

from honeyguide.cli.choose import choosing, selection, topping
from honeyguide.cli.labelling import ask
from honeyguide.cli.read_page import address, read_page
from honeyguide.cli.screen import console, plain, print_json, source_note
from honeyguide.corpus import FORMATS
from honeyguide.corpus import export as write_export
from honeyguide.crawling.forget import find_copies, find_visits, left_behind
from honeyguide.crawling.forget import forget as wipe
from honeyguide.crawling.labels import Labelled, doubtful, read_labels
from honeyguide.crawling.labels import label as keep_labels
from honeyguide.errors import HoneyguideError
from honeyguide.page.record import divided
from honeyguide.store import Folder
from honeyguide.wording import counted

__all__ = ["export", "extract", "forget", "label"]

_folder = click.argument("folder", type=click.Path(path_type=Path))
_json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
_TOGETHER = 5  # pages asked about before the judge learns from what was said
_words = click.option("--words", is_flag=True, help="With title and text divided into words, Chinese too.")


@click.command()
@_folder
@click.option("--right", multiple=True, metavar="URL", help="This page is on topic. Repeat it.")
@click.option("--wrong", multiple=True, metavar="URL", help="This page is not. Repeat it.")
@click.option("--undo", multiple=True, metavar="URL", help="Take a label back. Repeat it.")
@click.option(
    "--file", "file", type=click.Path(path_type=Path), help="Labels from a file: URL and right or wrong a line."
)
@_json
def label(
    folder: Path,
    right: tuple[str, ...],
    wrong: tuple[str, ...],
    undo: tuple[str, ...],
    file: Path | None,
    as_json: bool,
) -> None:
    """Mark pages right or wrong; the topic and its threshold relearn.

    Without options, on a terminal, pages are shown one by one, those first of which a label teaches most; after every
    five the judge learns, and asks anew.
    """
    place = Folder(folder)
    labels: dict[str, bool | None] = dict(read_labels(file)) if file else {}
    for urls, said in ((right, True), (wrong, False), (undo, None)):
        for url in urls:
            clean = address(url)
            if labels.setdefault(clean, said) is not said:
                raise HoneyguideError(f"{clean} is given twice, and each time something else is said of it")
    found: Labelled | None = None

    def keep(said: Mapping[str, bool | None]) -> None:
        nonlocal found
        found = keep_labels(place, dict(said))
        if not as_json:
            _tell(found)

    if labels:
        keep(labels)
    elif sys.stdin.isatty():
        ask(lambda shown: doubtful(place, _TOGETHER, shown), keep)
    else:
        raise click.UsageError("give --right, --wrong, --undo or --file, or run it on a terminal")
    if found is None:
        click.echo("nothing was labelled")
    elif as_json:
        print_json(found)


def _tell(found: Labelled) -> None:
    out = console()
    out.print(
        f"{counted(found.labels, 'label')}; {counted(found.turned, 'page')} changed sides; "
        f"{found.on_topic} {'is' if found.on_topic == 1 else 'are'} on topic now"
    )
    if found.precision is not None and found.low is not None and found.high is not None:
        out.print(
            f"precision of the corpus on labelled pages: {found.precision:.0%} "
            f"({found.right} of {found.right + found.wrong}; 95 % interval {found.low:.0%} to {found.high:.0%})"
        )
    out.print(f"threshold: {found.threshold:.3f}")


@click.command()
@_folder
@click.argument("what", metavar="URL|HOST")
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(folder: Path, what: str, yes: bool) -> None:
    """Wipe a page, or all pages of a host, from all files of the crawl. It cannot be undone."""
    place = Folder(folder)
    found = find_visits(place, what)
    numbers = [number for number, _ in found]
    copies = find_copies(place, numbers)
    if not yes:
        click.confirm(f"forget {counted(len(found), 'URL')} of '{what}' for good?", abort=True)
    wiped = wipe(place, numbers, None if "://" in what else what)
    click.echo(f"{counted(wiped, 'visited page')} wiped, {counted(len(found), 'URL')} will not be visited again")
    if copies:
        told = (
            "1 copy at another address stays" if len(copies) == 1 else f"{len(copies)} copies at other addresses stay"
        )
        click.echo(f"note: {told}: {plain(copies[0])}{', …' if len(copies) > 1 else ''}")
    for path in left_behind(place):
        click.echo(f"note: {plain(path.name)} was written before and may still hold it")


@click.command()
@_folder
@click.option("--to", "to", type=click.Choice(FORMATS), required=True, help="The format.")
@click.option("--out", type=click.Path(path_type=Path), help="The file.  [default: in the crawl's folder]")
@click.option("--overwrite", is_flag=True, help="Replace the file if it is there.")
@_words
@topping
@choosing
def export(folder: Path, to: str, out: Path | None, overwrite: bool, words: bool, **chosen: Any) -> None:
    """Write a crawl's records, or those you choose, to a file for other programs."""
    done = write_export(folder, to, out, only=selection(chosen), words=words, overwrite=overwrite)
    click.echo(f"{done.count} written to {done.path}")
    for note in done.notes:
        click.echo(f"note: {plain(note)}")
    if done.damaged:
        sys.exit(1)  # it was written, but not all of it could be


@click.command()
@click.argument("what", metavar="FILE|URL")
@click.option("--open", "opened", multiple=True, metavar="IP[:PORT]|CIDR", help="A private address that may be asked.")
@_words
@_json
def extract(what: str, opened: tuple[str, ...], words: bool, as_json: bool) -> None:
    """Make the careful record of one page, from a file or from the web."""
    from honeyguide.page.extract import extract as make_record  # its libraries are slow to import

    body, url = read_page(what, opened)
    record = make_record(body, url)
    if words:
        record = divided(record)
    if as_json:
        print_json(record)
        return
    for name, value in msgspec.structs.asdict(record).items():
        if value and name not in ("text", "relevance", "fetched", "sources", "sure"):
            between = " " if name.endswith("_words") else ", "
            click.echo(f"{name}: {plain(between.join(value) if isinstance(value, list) else str(value))}")
    known = (f"{field} by {source_note(record.sources, record.sure, field)}" for field in record.sources)
    click.echo(f"found: {plain(', '.join(known))}")
    click.echo("\n" + "\n".join(plain(line) for line in record.text.splitlines()))
