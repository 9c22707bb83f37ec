"""How things are put to the user everywhere alike: the command's own name, and numbers of things."""

from __future__ import annotations

import os
import shlex
from os import PathLike

__all__ = ["NAMED_BY", "command", "counted"]

NAMED_BY = "HONEYGUIDE_COMMAND"  # set by ./go, whose user has no other command


def command(*words: str | PathLike[str]) -> str:
    """A command as the user would type it.

    >>> command("resume", "my crawl")
    "honeyguide resume 'my crawl'"
    """
    return " ".join([os.environ.get(NAMED_BY) or "honeyguide", *(shlex.quote(os.fspath(word)) for word in words)])


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things, in the right grammatical number.

    >>> counted(1, "page"), counted(1_200, "page"), counted(2, "copy", "copies")
    ('1 page', '1200 pages', '2 copies')
    """
    return f"{number} {thing if number == 1 else things or thing + 's'}"
