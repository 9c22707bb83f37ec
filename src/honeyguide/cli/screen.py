"""What a person sees: a progress bar on a terminal, plain lines elsewhere, JSON on request."""

from __future__ import annotations

import json
import sys
import time
import unicodedata
from typing import Any

import click
import msgspec
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from honeyguide.bench import Result
from honeyguide.cli.plain import plain
from honeyguide.crawling import Progress as Standing
from honeyguide.wording import counted

__all__ = [
    "Meter",
    "RaceMeter",
    "console",
    "escaped",
    "plain",
    "print_json",
    "source_note",
    "standing_lines",
    "unkept_lines",
]

_EVERY = 5.0  # seconds between two plain lines


def console(*, err: bool = False) -> Console:
    """A console that colours only on a terminal."""
    return Console(stderr=err, highlight=False, soft_wrap=True, emoji=False)


def print_json(value: Any) -> None:
    """A result for programs; a person who looks at it is safe from what pages may have put into it."""
    try:
        text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    except UnicodeEncodeError:  # the name of a file that is no text
        text = json.dumps(msgspec.to_builtins(value), indent=2)
    wide = "utf" in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    click.echo(escaped(text, ascii_only=not wide))


def escaped(text: str, *, ascii_only: bool = False) -> str:
    """JSON in which signs that a terminal obeys, or that turn the text around, stand as escapes.

    >>> escaped('"evil\u202e\x9b title"')
    '"evil\\\\u202e\\\\u009b title"'
    """
    signs = (sign for sign in set(text) - {"\n"} if not _harmless(sign) or (ascii_only and not sign.isascii()))
    return text.translate({ord(sign): json.dumps(sign)[1:-1] if ord(sign) > 0x7F else "\\u007f" for sign in signs})


def _harmless(sign: str) -> bool:
    return sign.isprintable() or unicodedata.category(sign) == "Zs"  # the wide space of Chinese, and its like


def source_note(sources: dict[str, str], sure: dict[str, float], field: str) -> str:
    """Where a field of a record was found, and how sure that is.

    >>> source_note({"title": "heading"}, {"title": 0.95}, "title")
    'heading (0.95)'
    """
    return f"{sources[field]} ({sure[field]:.2f})" if field in sure else sources[field]


def unkept_lines(unkept: dict[str, int]) -> list[str]:
    """How many pages on topic have no record, and why.

    >>> unkept_lines({"it asks not to be kept (noindex)": 1})
    ['1 page on topic was not kept: it asks not to be kept (noindex)']
    """
    return [
        f"{counted(number, 'page')} on topic {'was' if number == 1 else 'were'} not kept: {reason}"
        for reason, number in unkept.items()
    ]


def standing_lines(now: Standing, columns: int) -> list[str]:
    """How a crawl is getting on, in lines no wider than the screen; what tells least is left out first."""
    told = [f"{now.phase}: {now.pages}/{max(now.budget, now.pages)} pages", f"{now.on_topic} on topic"]
    told += [f"{_span(now.left)} left"] if now.left is not None else []
    told += [f"{now.rate:.1f}/s", f"harvest {now.harvest:.0%}", f"{now.queued} queued", counted(now.hosts, "host")]
    line = told[0]
    for part in told[1:]:
        if cell_len(f"{line} · {part}") <= columns:
            line += f" · {part}"
    lines = [line]
    lines += [f"  at: {plain(now.url)}"] if now.url else []
    lines += [f"  last find: {plain(now.found)}"] if now.found else []
    return [one if cell_len(one) <= columns else f"{set_cell_size(one, columns - 1).rstrip()}…" for one in lines]


def _span(seconds: float) -> str:
    """A span of time in two figures at the most.

    >>> _span(42.4), _span(125), _span(7_500)
    ('42 s', '2 min 5 s', '2 h 5 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


class Meter:
    """Shows how a crawl is getting on: lines that are written over on a terminal, one now and then elsewhere."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._live: Live | None = None
        self._last = 0.0

    def __enter__(self) -> Meter:
        if not self._quiet and sys.stderr.isatty():
            screen = Console(stderr=True, highlight=False, emoji=False)
            self._live = Live(Text("starting"), console=screen, transient=True, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, now: Standing) -> None:
        if self._live is not None:
            lines = standing_lines(now, self._live.console.width - 1)
            self._live.update(Text("\n".join(lines), no_wrap=True, overflow="crop"))
        elif not self._quiet and time.monotonic() - self._last >= _EVERY:
            self._last = time.monotonic()
            click.echo(f"{standing_lines(now, 1_000)[0]} · {now.seconds:.0f} s", err=True)


class RaceMeter:
    """Shows how a race is getting on: a table that fills on a terminal, a line per strategy elsewhere."""

    def __init__(self, names: list[str], topics: int, start: str, *, quiet: bool) -> None:
        self._results: dict[str, list[Result]] = {name: [] for name in names}
        self._topics = topics
        self._start = start
        self._quiet = quiet
        self._live: Live | None = None
        self._parsed = ""
        self._last = 0.0

    def __enter__(self) -> RaceMeter:
        if not self._quiet and sys.stderr.isatty():
            self._live = Live(self._table(), console=console(err=True), transient=True, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def parsed(self, done: int, total: int) -> None:
        """Pages of the archive are being parsed."""
        self._parsed = f"parsing the archive, once: {done} of {total} pages" if done < total else ""
        self._show(self._parsed)

    def __call__(self, result: Result) -> None:
        own = self._results[result.strategy]
        own.append(result)
        whole = len(own) == self._topics
        self._show(f"{self._start}: {result.strategy}: AUC {self._mean(own):.3f}" if whole else "", now=whole)

    def _mean(self, own: list[Result]) -> float:
        return sum(one.auc for one in own) / len(own)

    def _show(self, line: str, *, now: bool = False) -> None:
        if self._live is not None:
            self._live.update(self._table())
        elif line and not self._quiet and (now or time.monotonic() - self._last >= _EVERY):
            self._last = time.monotonic()
            click.echo(line, err=True)

    def _table(self) -> Table:
        table = Table(title=self._parsed or f"racing from {self._start}", box=None, title_justify="left")
        for name in ("strategy", "topics", "AUC/oracle", "recall", "harvest", "ms/page"):
            table.add_column(name, justify="left" if name == "strategy" else "right")
        for name, own in sorted(self._results.items(), key=lambda item: -self._mean(item[1]) if item[1] else 0.0):
            figures = ["", "", "", ""]
            if own:
                pages = sum(one.pages for one in own) or 1
                figures = [
                    f"{self._mean(own):.3f}",
                    f"{sum(one.recall for one in own) / len(own):.3f}",
                    f"{sum(one.harvest for one in own) / len(own):.3f}",
                    f"{1_000 * sum(one.seconds for one in own) / pages:.2f}",
                ]
            table.add_row(name, f"{len(own)}/{self._topics}", *figures)
        return table
