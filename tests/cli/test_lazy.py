"""The list of commands is at hand at once: it loads none of them, and says what they say."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from honeyguide.cli.main import _COMMANDS, cli

HEAVY = ("trafilatura", "aiohttp", "numpy", "rich", "lxml", "selectolax", "sqlite3", "jinja2", "msgspec")
LOOK = """
import sys
sys.argv = ["honeyguide", *sys.argv[1:]]
from honeyguide.__main__ import main
try:
    main()
except SystemExit:
    pass
print("loaded:", *sorted(name for name in sys.modules if "." not in name))
print("ours:", *sorted(name for name in sys.modules if name.startswith("honeyguide.")))
"""


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["nonsense"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", LOOK, *words], capture_output=True, text=True, timeout=60)
    loaded, ours = done.stdout.splitlines()[-2:]
    assert not set(HEAVY) & set(loaded.split()), loaded
    assert len(ours.split()) <= 12, ours


@pytest.mark.parametrize("name", list(_COMMANDS))
def test_the_list_says_of_a_command_what_it_says_itself(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert (command.help or "").partition("\n\n")[0].replace("\n", " ").startswith(_COMMANDS[name].summary)


def test_hints_name_the_command_the_user_has() -> None:
    script = f"import os; os.environ['HONEYGUIDE_COMMAND'] = './go'\n{LOOK}"
    done = subprocess.run([sys.executable, "-c", script, "--help"], capture_output=True, text=True, timeout=60)
    assert "Usage: ./go [OPTIONS] COMMAND" in done.stdout
    assert "Begin with './go crawl'" in done.stdout
