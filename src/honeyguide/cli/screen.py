"""What a person sees: a progress bar on a terminal, plain lines elsewhere, JSON on request."""

from __future__ import annotations

import sys
import time
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from honeyguide.crawling import Progress as Standing

__all__ = ["Meter", "console", "plain", "print_json"]

_EVERY = 5.0  # seconds between two plain lines


def console(*, err: bool = False) -> Console:
    """A console that colours only on a terminal."""
    return Console(stderr=err, highlight=False, soft_wrap=True)


def plain(text: str) -> str:
    """Text from the web made safe for a terminal: no control characters, no escape sequences.

    >>> plain("evil\\x1b[2Jtitle")
    'evil [2Jtitle'
    """
    return "".join(sign if sign.isprintable() else " " for sign in text)


def print_json(value: Any) -> None:
    """A result for programs."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


class Meter:
    """Shows how a crawl is getting on."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._bar: Progress | None = None
        self._last = 0.0
        self._task: Any = None

    def __enter__(self) -> Meter:
        if not self._quiet and sys.stderr.isatty():
            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                TextColumn("{task.fields[told]}"),
                TimeElapsedColumn(),
                console=console(err=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("starting", total=None, told="")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, now: Standing) -> None:
        told = (
            f"{now.rate:.1f}/s · {now.on_topic} on topic · harvest {now.harvest:.0%} · "
            f"{now.queued} queued · {now.hosts} hosts"
        )
        if self._bar is not None:
            self._bar.update(self._task, description=now.phase, completed=now.pages, total=now.budget, told=told)
        elif not self._quiet and time.monotonic() - self._last >= _EVERY:
            self._last = time.monotonic()
            click.echo(f"{now.phase}: {now.pages}/{now.budget} pages · {told} · {now.seconds:.0f} s", err=True)
