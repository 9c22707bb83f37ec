"""lexicon and lattice: what a crawl has learnt of words, and the concepts it compared."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from honeyguide.atomic import write_whole
from honeyguide.cli.screen import console, plain, print_json
from honeyguide.errors import ExportError, SettingError
from honeyguide.store import Folder
from honeyguide.web.urls import normalise

__all__ = ["lattice", "lexicon"]

_folder = click.argument("folder", type=click.Path(path_type=Path))


@click.command()
@_folder
@click.argument("word", default="")
@click.argument("other", default="")
@click.option("--most", default=20, show_default=True, help="Rows to show at the most.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def lexicon(folder: Path, word: str, other: str, most: int, as_json: bool) -> None:
    """How words are related, by what people searched for and opened.

    With a WORD, its relations alone; with two, why they are related. Words are related by the topic's click log
    and the pages of the crawl; without a log, by the pages that share them.
    """
    from honeyguide.crawling.lexicon import show_lexicon

    found = show_lexicon(Folder(folder), word, other, most)
    if as_json:
        print_json(found)
        return
    out = console()
    for note in found.log or ["no click log: words are as alike as the pages that share them are many"]:
        out.print(plain(note), markup=False)
    if found.words:
        table = Table("word", "clicks", "p", box=None, header_style="bold")
        for one in found.words:
            table.add_row(plain(one.word), str(one.clicks), f"{one.probability:.5f}")
        out.print(table)
    if not found.relations:
        out.print("no relation is known" + (" of this word" if word else ""))
        return
    table = Table("relation", "word", "word", "seen", "alike", "because of", box=None, header_style="bold")
    for row in found.relations:
        why = "; ".join(row.why[: 1 if not other else 3])
        table.add_row(row.kind, plain(row.one), plain(row.other), str(row.support), f"{row.alike:.3f}", plain(why))
    out.print(table)


@click.command()
@_folder
@click.option("--to", type=click.Choice(["svg", "html"]), default="svg", show_default=True, help="The format.")
@click.option("--url", default="", help="A page whose rank is to be shown: what ranked it is red.")
@click.option("--iteration", "number", default=0, help="Which iteration.  [default: the page's, or the last]")
@click.option("--support", default=0, show_default=True, help="Leave out concepts of fewer pages.")
@click.option("--out", type=click.Path(path_type=Path), help="The file.  [default: lattice.svg in the crawl's folder]")
def lattice(folder: Path, to: str, url: str, number: int, support: int, out: Path | None) -> None:
    """Draw the concepts of an iteration of semrank, as SVG or as a page.

    First the base that pages were compared with, then the pages of the iteration: side by side, or below each other.
    """
    from honeyguide.crawling.iterations import iteration
    from honeyguide.crawling.lattice_page import draw, page, told
    from honeyguide.crawling.questions import load_topic

    for name, value in (("iteration", number), ("support", support)):
        if value < 0:
            raise SettingError(f"{name} must not be negative, but is {value}")
    place = Folder(folder)
    found = iteration(place, number, url)
    address = normalise(url) or "" if url else ""
    text = draw(found, address, support) if to == "svg" else page(found, load_topic(place).name, address, support)
    target = out or place.path / f"lattice.{to}"
    try:
        write_whole(target, text.encode())
    except OSError as error:
        raise ExportError(f"{target} cannot be written: {error.strerror or error}") from None
    if address:
        click.echo(plain(told(found, address)))
    click.echo(str(target))
