"""The options by which search and export choose records, and a command whose words may begin with a minus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from honeyguide.store import KINDS, Selection

__all__ = ["QueryCommand", "choosing", "selection", "topping"]

Command = TypeVar("Command", bound=Callable[..., Any])

_MINUS = "\N{MINUS SIGN}"  # what a query takes for a minus, and click does not take for an option

_OPTIONS = (
    click.option("--since", default="", metavar="DATE", help="Only records of this day, month or year, or later."),
    click.option("--until", default="", metavar="DATE", help="Only records of this day, month or year, or earlier."),
    click.option(
        "--host", "hosts", multiple=True, metavar="HOST", help="Only of this host and those below. Repeat it."
    ),
    click.option("--language", "languages", multiple=True, metavar="CODE", help="Only in this language. Repeat it."),
    click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only of this kind. Repeat it."),
)


topping = click.option(
    "--top", "-k", default="", metavar="K|P%", help="Only the best: so many, or a share. The best come first."
)


def choosing(command: Command) -> Command:
    """Give a command the options that choose records."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def selection(chosen: dict[str, Any]) -> Selection:
    """What these options say."""
    return Selection(**chosen)


class QueryCommand(click.Command):
    """A command with a query: `-word` is part of that, though it looks like options in one heap."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Set words that begin with a minus apart from options; one with two must be an option there is."""
        named = {name: option for option in self.params if isinstance(option, click.Option) for name in option.opts}
        kept: list[str] = []
        value = False  # whether the next word belongs to the option before it
        for place, word in enumerate(args):
            if word == "--":
                return super().parse_args(ctx, [*kept, *args[place:]])
            option = named.get(word)
            if not value and word.startswith("-") and not word.startswith("--") and word not in ("-", "-h"):
                word = _MINUS + word[1:]
            value = not value and option is not None and not option.is_flag
            kept.append(word)
        return super().parse_args(ctx, kept)
