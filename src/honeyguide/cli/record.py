"""record: a crawl becomes an offline web to race strategies on."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from honeyguide.bench.record import Recorded
from honeyguide.bench.record import record as write_web
from honeyguide.cli.screen import console, plain, print_json
from honeyguide.store import Folder
from honeyguide.wording import command, counted

__all__ = ["record"]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="WEB_DIR", help="Its folder.  [default: FOLDER-web]")
@click.option(
    "--threshold",
    type=float,
    metavar="P",
    help="Probability from which the judge's word counts as truth.  [default: the crawl's own]",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Chooses among starts that are equally far.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def record(folder: Path, out: Path | None, threshold: float | None, seed: int, as_json: bool) -> None:
    """Turn a crawl into an offline web, to race strategies on your own topic.

    Relevant are the pages you labelled right, and those the judge holds on topic that you did not label wrong. The
    more you label before, the less the race depends on the judge.
    """
    bar = Progress(
        TextColumn("recording"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        console=console(err=True),
        transient=True,
        disable=as_json or not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task("")
        made = write_web(
            Folder(folder),
            out,
            threshold=threshold,
            seed=seed,
            on_progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    if as_json:
        print_json(made)
    else:
        _tell(made)


def _tell(made: Recorded) -> None:
    click.echo(f"{made.folder}: {counted(made.pages, 'page')}, topic '{plain(made.name)}' ({made.topic})")
    click.echo(
        f"relevant: {counted(made.relevant, 'page')}, {made.labelled} by your labels, "
        f"{made.judged} by the judge (probability from {made.threshold:.3g})"
    )
    far = counted(made.far_starts, "far start")
    if made.far_starts:
        far += f", up to {counted(made.farthest, 'link')} away from the nearest relevant page"
    click.echo(f"{counted(made.examples, 'example')} to start from; {far}")
    for note in made.notes:
        click.echo(f"note: {note}")
    click.echo(f"race on it: {command('bench', made.folder)}")
