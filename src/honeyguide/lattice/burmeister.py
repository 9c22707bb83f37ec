"""Formal contexts in Burmeister's format (.cxt): a B, a name, two counts, the names, and a table of X and dots."""

from __future__ import annotations

from pathlib import Path

from honeyguide.errors import HoneyguideError
from honeyguide.lattice.context import Context

__all__ = ["read_context", "write_context"]


def read_context(path: str | Path) -> Context:
    """The context a .cxt file holds."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise HoneyguideError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise HoneyguideError(f"{path} is not UTF-8 text; save it as UTF-8") from None
    try:
        return _context(text.splitlines())
    except (ValueError, IndexError) as error:
        told = str(error) if isinstance(error, ValueError) else "it ends too soon"
        raise HoneyguideError(f"{path} is no formal context in Burmeister's format: {told}") from None


def _context(lines: list[str]) -> Context:
    if lines[0].strip() != "B":
        raise ValueError("its first line is not 'B'")
    # The name stands on the second line; an empty line may follow it, and another the two counts.
    place = 2
    while not lines[place].strip():
        place += 1
    objects, attributes = _count(lines[place]), _count(lines[place + 1])
    place += 2
    if len(lines) > place + objects + attributes and not lines[place].strip():
        place += 1
    names = lines[place : place + objects + attributes]
    table = [line.strip() for line in lines[place + objects + attributes :] if line.strip() or not attributes]
    table = table[:objects]
    if len(names) < objects + attributes or len(table) < objects:
        raise ValueError("it ends too soon")
    for number, line in enumerate(table, 1):
        if len(line) != attributes or line.strip("Xx."):
            raise ValueError(f"row {number} of its table is not {attributes} signs, each an X or a dot")
    rows = [sum(1 << at for at, sign in enumerate(line) if sign in "Xx") for line in table]
    return Context(names[:objects], names[objects:], rows)


def _count(line: str) -> int:
    if not line.strip().isdecimal():
        raise ValueError(f"'{line.strip()[:40]}' stands where a count should")
    return int(line)


def write_context(context: Context) -> str:
    """A context as the text of a .cxt file."""
    for name in (*context.objects, *context.attributes):
        if not name.strip() or len(name.splitlines()) > 1:
            raise ValueError(f"a name must be one line that is not empty, not {name!r}")
    width = len(context.attributes)
    table = ["".join("X" if row >> place & 1 else "." for place in range(width)) for row in context.rows]
    counts = [str(len(context.objects)), str(width)]
    return "\n".join(["B", "", *counts, "", *context.objects, *context.attributes, *table, ""])
