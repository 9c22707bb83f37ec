"""The `honeyguide` command: its groups, its errors, its exit codes."""

from __future__ import annotations

import sys

import click

from honeyguide import __version__
from honeyguide.cli.lazy import Home, LazyGroup
from honeyguide.cli.plain import plain
from honeyguide.cli.streams import Unwritable, open_streams
from honeyguide.errors import HoneyguideError
from honeyguide.wording import command

__all__ = ["cli", "main"]

_ABOUT = f"""Honeyguide leads you to the pages about your topic.

Give it a few words and a few example pages. It learns what you mean, walks the web best-first and politely,
keeps what is on topic as clean records, and says why it went where it went.

Begin with '{command("crawl")}': without a topic it crawls a small web of its own, no internet needed.
"""

_COMMANDS = {
    "crawl": Home("honeyguide.cli.run", "Crawl the web for a topic."),
    "resume": Home("honeyguide.cli.run", "Continue a crawl that was stopped or killed."),
    "watch": Home("honeyguide.cli.watch", "Watch a crawl's sites: new articles, changed ones, those that vanish."),
    "versions": Home("honeyguide.cli.watch", "Show the versions of an article that has changed."),
    "status": Home("honeyguide.cli.look", "How a crawl stands, also while it runs."),
    "why": Home("honeyguide.cli.look", "Why a link had its rank, and why its page was judged as it was."),
    "topic": Home("honeyguide.cli.topic", "Define a topic: words, example pages and sites, typed or imported."),
    "judge": Home("honeyguide.cli.judge", "Judge pages by a topic, before any crawl."),
    "label": Home("honeyguide.cli.change", "Mark pages right or wrong; the topic and its threshold relearn."),
    "forget": Home("honeyguide.cli.change", "Wipe a page, or all pages of a host, from all files of the crawl."),
    "results": Home("honeyguide.cli.look", "List a crawl's records, the surest on topic first."),
    "search": Home("honeyguide.cli.look", "Search a crawl's records."),
    "export": Home(
        "honeyguide.cli.change", "Write a crawl's records, or those you choose, to a file for other programs."
    ),
    "extract": Home("honeyguide.cli.change", "Make the careful record of one page, from a file or from the web."),
    "blocks": Home("honeyguide.cli.blocks", "Show how a page is cut into blocks, and what each is."),
    "report": Home(
        "honeyguide.cli.look", "Write a crawl's report: one HTML page that opens from disk and can be mailed."
    ),
    "lexicon": Home("honeyguide.cli.concepts", "How words are related, by what people searched for and opened."),
    "lattice": Home("honeyguide.cli.concepts", "Draw the concepts of an iteration of semrank, as SVG or as a page."),
    "seeds": Home("honeyguide.cli.seeds", "Ask search engines where a crawl could begin."),
    "clicks": Home("honeyguide.cli.clicks", "Your own click log: begin it, look at it, erase it."),
    "strategies": Home("honeyguide.cli.look", "List the strategies, or tell all about one of them."),
    "params": Home(
        "honeyguide.cli.params", "The settings of a strategy: what each does, its default, its other names."
    ),
    "bench": Home("honeyguide.cli.race", "Race strategies side by side on an offline web."),
    "sweep": Home("honeyguide.cli.race", "Find a strategy's best settings on an offline web."),
    "record": Home("honeyguide.cli.record", "Turn a crawl into an offline web, to race strategies on your own topic."),
}


@click.group(
    cls=LazyGroup,
    homes=_COMMANDS,
    help=_ABOUT,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="honeyguide")
def cli() -> None:
    """The group of all commands."""


def main() -> None:
    """Run the command; bad input ends in one sentence and exit code 2, never in a traceback."""
    open_streams()
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
        found = cli(prog_name=command(), standalone_mode=False)
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
