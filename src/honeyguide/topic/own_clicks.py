"""The user's own click log: what was searched for in one's crawls, and which results were opened.

Nothing is written unless the user has asked for it; then it is one file of lines of JSON on this machine, in the same
format as any click log, to be looked at, given to a crawl, and erased.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from honeyguide.errors import HoneyguideError

__all__ = ["OWN", "begin", "erase", "is_kept", "note", "own_log"]

OWN = "own"  # what stands for one's own log where the path of a log is asked for


def own_log() -> Path:
    """Where one's own log is: in the user's data, or where HONEYGUIDE_CLICKS says."""
    told = os.environ.get("HONEYGUIDE_CLICKS")
    if told:
        return Path(told)
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "honeyguide" / "clicks.jsonl"


def is_kept() -> bool:
    """Whether the user has asked for a log."""
    return own_log().is_file()


def begin() -> Path:
    """Begin to keep a log, which others on this machine cannot read."""
    path = own_log()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    except OSError as error:
        raise HoneyguideError(f"your click log cannot be kept at {path}: {error.strerror or error}") from None
    return path


def erase() -> bool:
    """Erase the log, and keep none from now on; whether there was one."""
    path = own_log()
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise HoneyguideError(f"your click log {path} cannot be erased: {error.strerror or error}") from None
    return True


def note(query: str, url: str) -> bool:
    """Add a search and the result that was opened, if a log is kept; whether it was."""
    if not is_kept():
        return False
    line = json.dumps({"user": "me", "time": int(time.time()), "query": query, "clicks": [url]}, ensure_ascii=False)
    path = own_log()
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(file, f"{line}\n".encode("utf-8", "replace"))
        finally:
            os.close(file)
    except OSError as error:
        raise HoneyguideError(f"your click log {path} cannot be written: {error.strerror or error}") from None
    return True
