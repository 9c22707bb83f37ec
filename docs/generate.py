"""Writes the pages of the documentation that the code knows better: python docs/generate.py [--check] [--race [NAMES]]

commands.md is made from the commands themselves; reliability.md from what the proofs left in proofs/results;
strategies.md from the registered strategies and the figures of the standard race (race-near.json, race-far.json), which
--race runs anew over ../shared/webs/schools, for all strategies (some minutes) or for those named. A test compares the
pages with what stands there, so none can grow old unnoticed.
"""

from __future__ import annotations

import inspect
import os
import sys
import textwrap
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path

import click

from honeyguide.wording import NAMED_BY

os.environ.pop(NAMED_BY, None)  # pages name the command by its own name, also when ./go runs this
from honeyguide.cli.main import cli  # noqa: E402

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))  # its neighbours, also when it is run from elsewhere
from reliability_page import reliability  # noqa: E402
from strategies_page import run_race, strategies  # noqa: E402


_HEAD = """\
# Commands

Every command with all its options. This page is generated from the commands (`python docs/generate.py`); the same
texts come with `honeyguide COMMAND --help` (or `-h`). What the words mean is in [the other pages](README.md).

All commands end with exit code 0 when all went well, 1 when an export was written but some of what belongs into it could
not be read, 2 when the input was bad or the output could not be written (one sentence says what and where), and 130 when
they were interrupted for good. A crawl that ends for any reason of its own ends with 0 and says that reason.
"""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _paragraphs(text: str | None) -> str:
    """A help text as Markdown: paragraphs stay, lines flow anew."""
    parts = inspect.cleandoc(text or "").split("\n\n")
    return "\n\n".join(textwrap.fill(" ".join(part.split()), 115) for part in parts)


def _options(command: click.Command, context: click.Context) -> str:
    """What can be set; arguments are in the usage line, and --help is the same everywhere."""
    chosen = [one for one in command.params if isinstance(one, click.Option)]
    rows = [record for one in chosen if (record := one.get_help_record(context)) is not None]
    if not rows:
        return "It has no options of its own."
    lines = ["| option | meaning |", "|---|---|"]
    lines += [f"| `{_cell(names)}` | {_cell(meaning)} |" for names, meaning in rows]
    return "\n".join(lines)


def _section(command: click.Command, context: click.Context) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    text = _paragraphs(command.help)
    return f"## {context.command_path}\n\n    {usage}\n\n{text}\n\n{_options(command, context)}\n"


def _sections(name: str, command: click.Command, above: click.Context) -> list[str]:
    """A command's section, and those of the commands below it."""
    context = click.Context(command, info_name=name, parent=above, **cli.context_settings)
    below = command.commands.items() if isinstance(command, click.Group) else ()
    return [_section(command, context), *(text for one in below for text in _sections(*one, context))]


def commands() -> str:
    """The whole of commands.md."""
    whole = click.Context(cli, info_name="honeyguide", **cli.context_settings)
    names = cli.list_commands(whole)
    found = [(name, command) for name in names if (command := cli.get_command(whole, name)) is not None]
    listed = ["| command | what it does |", "|---|---|"]
    for name, command in found:
        first = _paragraphs(command.help).partition("\n\n")[0]
        listed.append(f"| [`{name}`](#honeyguide-{name}) | {_cell(first)} |")
    sections = [text for name, command in found for text in _sections(name, command, whole)]
    return "\n".join([_HEAD, "\n".join(listed) + "\n", _section(cli, whole), *sections])


def pages() -> dict[Path, str]:
    """Every generated page as it should be."""
    return {
        DOCS / "commands.md": commands(),
        DOCS / "strategies.md": strategies(DOCS),
        DOCS / "reliability.md": reliability(DOCS),
    }


def main() -> int:
    """Write what is stale; with --check only say so."""
    words = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    words.add_argument("--check", action="store_true", help="write nothing; say what is stale, and fail if anything is")
    words.add_argument(
        "--race",
        nargs="?",
        const="",
        metavar="NAMES",
        help="run the standard race anew first, of all or of these alone",
    )
    given = words.parse_args()
    check = given.check
    if given.race is not None:
        run_race(DOCS, given.race)
    stale = 0
    for place, text in pages().items():
        if place.is_file() and place.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        print(f"{place.name} {'is stale' if check else 'written'}")
        if not check:
            place.write_text(text, encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
