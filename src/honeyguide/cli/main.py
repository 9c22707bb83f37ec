"""The `honeyguide` command: its groups, its errors, its exit codes."""

from __future__ import annotations

import sys

import click

from honeyguide import __version__
from honeyguide.cli.change import export, extract, forget, label
from honeyguide.cli.look import report, search, status, strategies, why
from honeyguide.cli.race import bench, sweep
from honeyguide.cli.record import record
from honeyguide.cli.run import crawl, resume
from honeyguide.cli.screen import plain
from honeyguide.cli.streams import Unwritable, open_streams
from honeyguide.crawling.worker import collect_seldom
from honeyguide.errors import HoneyguideError

__all__ = ["cli", "main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="honeyguide")
def cli() -> None:
    """Honeyguide leads you to the pages about your topic.

    Give it a few words and a few example pages. It learns what you mean, walks the web best-first and politely,
    keeps what is on topic as clean records, and says why it went where it went.

    Begin with 'honeyguide crawl': without a topic it crawls a small web of its own, no internet needed.
    """


for _command in (
    crawl,
    resume,
    status,
    why,
    label,
    forget,
    search,
    export,
    extract,
    report,
    strategies,
    bench,
    sweep,
    record,
):
    cli.add_command(_command)


def main() -> None:
    """Run the command; bad input ends in one sentence and exit code 2, never in a traceback."""
    open_streams()
    collect_seldom()
    sys.exit(_run())


def _run() -> int:
    """Run the command and see its output off; returns the exit code."""
    try:
        code = _carry_out()
        sys.stdout.flush()
    except Unwritable as error:
        if error.nobody_reads:
            return 0  # the reader had enough; there is nobody left to tell
        click.echo(f"honeyguide: {error}", err=True)
        return 2
    return code


def _carry_out() -> int:
    try:
        found = cli(standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        return 130
    except click.ClickException as error:
        error.show()
        return 2
    except Unwritable:
        raise
    except HoneyguideError as error:
        # What is wrong is often a name from the web, or from a file somebody else has written.
        click.echo(f"honeyguide: {plain(str(error))}", err=True)
        return 2
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return found if isinstance(found, int) else 0
