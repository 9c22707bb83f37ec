"""Writing a file whole or not at all: the one way it is done in this house."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["whole_or_nothing", "write_whole"]

_LONGEST = 100  # characters of the target's name in that of the unfinished file: names have an end


@contextlib.contextmanager
def whole_or_nothing(target: Path) -> Iterator[Path]:
    """A fresh file beside the target, to be written to, that takes its place at the end, or vanishes."""
    fresh = target.with_name(f".{target.name[:_LONGEST]}.{os.getpid()}.part")
    fresh.open("xb").close()  # made here, so that nothing older of that name is ever written into or removed
    try:
        yield fresh
        fresh.replace(target)
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)


def write_whole(target: Path, content: bytes) -> None:
    """Replace a file in one step, so that no reader ever sees half of it."""
    with whole_or_nothing(target) as fresh:
        fresh.write_bytes(content)
