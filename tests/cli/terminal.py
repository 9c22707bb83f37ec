"""A terminal for tests: a command in a pseudo terminal, typed at, and what it shows."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

__all__ = ["in_terminal"]


def in_terminal(*words: str | Path, typed: str = "", columns: int = 100, cwd: Path | None = None) -> tuple[int, str]:
    """Give a command in a terminal so many columns wide; returns its exit code and all it wrote, as it wrote it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    plain = {"TERM": "xterm", "COLUMNS": "", "LINES": ""}
    environment = {**os.environ, **plain}
    for name in ("COLUMNS", "LINES"):
        environment.pop(name)
    command = [sys.executable, "-m", "honeyguide", *map(str, words)]
    child = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env=environment)
    os.close(theirs)
    os.write(ours, typed.encode())
    shown = bytearray()
    try:
        while piece := os.read(ours, 65_536):
            shown += piece
    except OSError:  # the other end is closed: the command is over
        pass
    finally:
        os.close(ours)
    return child.wait(timeout=60), shown.decode("utf-8", "replace")
