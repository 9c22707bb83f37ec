"""A group of commands that are loaded when they are given: a list of them costs none of their imports."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import click

__all__ = ["Home", "LazyGroup"]


class Home(NamedTuple):
    """Where a command is found, and what it does in one sentence."""

    module: str
    summary: str


class LazyGroup(click.Group):
    """Commands by their names, each an attribute of that name in its module."""

    def __init__(self, *given: Any, homes: dict[str, Home] | None = None, **more: Any) -> None:
        super().__init__(*given, **more)
        self.homes = homes or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click has it
        """All commands, in the order of a crawl's life."""
        return list(self.homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as click has it
        """A command, loaded now."""
        home = self.homes.get(cmd_name)
        if home is None:
            return None
        found: click.Command = getattr(import_module(home.module), cmd_name)
        from honeyguide.crawling.worker import collect_seldom

        collect_seldom()  # all that is imported is there to stay
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without loading one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, home.summary) for name, home in self.homes.items()])
