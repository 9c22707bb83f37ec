"""params: the settings of a strategy, explained."""

from __future__ import annotations

import click
import msgspec
from rich.table import Table
from rich.text import Text

from honeyguide.cli.screen import console, print_json
from honeyguide.strategies import find
from honeyguide.wording import command

__all__ = ["params"]


@click.command()
@click.argument("strategy")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def params(strategy: str, as_json: bool) -> None:
    """The settings of a strategy: what each does, its default, its other names.

    STRATEGY is a name, or FILE.py:CLASS. Where a paper calls a setting by another name, that name is taken as well.
    """
    kind = find(strategy)
    settings = kind.parameters()
    if as_json:
        rows = [
            {"name": name, "also": one.also, "default": msgspec.to_builtins(one.default), "about": one.about}
            for name, one in settings.items()
        ]
        print_json({"strategy": kind.name, "settings": rows})
        return
    if not settings:
        click.echo(f"{kind.name} has no settings")
        return
    table = Table("setting", "also", "default", "what it does", box=None, pad_edge=False)
    for name, one in settings.items():
        default = str(one.default).lower() if isinstance(one.default, bool) else str(one.default)
        table.add_row(name, ", ".join(one.also), default, Text(" ".join(one.about.split())))
    console().print(table)
    name = next(iter(settings))
    click.echo(f"set one with: {command('crawl', '--strategy', strategy, '--set', f'{name}=VALUE')}")
