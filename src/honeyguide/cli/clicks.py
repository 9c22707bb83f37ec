"""clicks: the user's own click log, to be begun, looked at and erased."""

from __future__ import annotations

import click

from honeyguide.cli.screen import plain
from honeyguide.topic import own_clicks
from honeyguide.topic.click_lines import Tally, sessions
from honeyguide.wording import command, counted

__all__ = ["clicks"]

_LAST = 10


@click.command()
@click.option("--on", is_flag=True, help="Keep a log from now on.")
@click.option("--erase", is_flag=True, help="Erase it, and keep none from now on.")
def clicks(on: bool, erase: bool) -> None:
    """Your own click log: begin it, look at it, erase it.

    With it, 'honeyguide search … --read N' notes what you searched for and what you read, on this machine alone, and
    'honeyguide crawl --strategy semrank --clicks own' goes by it.
    """
    if on and erase:
        raise click.UsageError("--on and --erase do not go together")
    if erase:
        click.echo("your click log is erased, and none is kept" if own_clicks.erase() else "no click log is kept")
        return
    if on:
        click.echo(f"your searches are noted from now on in {own_clicks.begin()}")
        return
    path = own_clicks.own_log()
    if not own_clicks.is_kept():
        click.echo(f"no click log is kept; begin one with: {command('clicks', '--on')}")
        return
    found = list(sessions(path, Tally())) if path.stat().st_size else []
    click.echo(f"{path}: {counted(len(found), 'search', 'searches')}")
    for one in found[-_LAST:]:
        click.echo(f"  {plain(one.query)} -> {plain(' '.join(one.clicks))}")
