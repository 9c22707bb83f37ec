"""Runs a browser for `honeyguide.page.chromium` and sees that nothing of it is left in the end.

A process of its own: what it was told over standard input and output goes to the browser as it is (file descriptors 3
and 4, which is where Chromium's --remote-debugging-pipe looks for them). It ends the browser with all its children when
that took too long, grew too large, or when whoever asked is gone, and takes the browser's folder away with it. It
imports nothing of Honeyguide, so that it starts quickly.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["TOO_LARGE", "TOO_LONG", "main"]

TOO_LONG, TOO_LARGE = 3, 4  # exit codes
_GLANCE = 0.2  # seconds between two looks at how the browser does
_NOBODY = 65_534
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "FONTCONFIG_PATH", "FONTCONFIG_FILE")


def main(seconds: float, memory: int, command: list[str]) -> int:
    """Run the browser for at most so many seconds with so many bytes of memory of its own; gives the exit code."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for whoever asked, who then ends this process
    place = Path(tempfile.mkdtemp(prefix="honeyguide-browser-", dir=_room()))
    browser: subprocess.Popen[bytes] | None = None
    try:
        browser = _start(place, command)
        return _watch(browser, time.monotonic() + seconds, memory, place / "told")
    except OSError as error:
        print(error.strerror or error, file=sys.stderr)
        return 1
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if browser is not None:
            _end(browser)
        _take_away(place)


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _room() -> str:
    """A folder for temporary files; for root's browser, who will be nobody, one that others may enter."""
    usual = tempfile.gettempdir()
    if not _is_root():
        return usual
    for found in map(Path, (usual, "/tmp", "/var/tmp")):  # noqa: S108 - a folder of its own is made in it
        if found.is_dir() and all(step.stat().st_mode & 0o001 for step in (found, *found.resolve().parents)):
            return str(found)
    return usual


def _start(place: Path, command: list[str]) -> subprocess.Popen[bytes]:
    """Start the browser at home in its own folder, with nothing of the surroundings that it does not need."""
    home = place / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    kept |= {"HOME": str(home), "TMPDIR": str(home)}
    options: dict[str, Any] = {}
    if _is_root():
        # What reads pages of strangers must not be root; and Chromium makes no sandbox for root.
        place.chmod(0o755)
        os.chown(home, _NOBODY, _NOBODY)
        options = {"user": _NOBODY, "group": _NOBODY, "extra_groups": ()}
    os.dup2(0, 3)
    os.dup2(1, 4)
    with (place / "told").open("wb") as told:
        browser = subprocess.Popen(  # noqa: S603 - no shell
            [*command, f"--user-data-dir={home / 'profile'}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=told,
            pass_fds=(3, 4), env=kept, cwd=home, start_new_session=True, **options,
        )  # fmt: skip
    for number in (0, 1, 3, 4):  # so that its end is seen at the other end of the pipes
        os.close(number)
    return browser


def _watch(browser: subprocess.Popen[bytes], end: float, memory: int, told: Path) -> int:
    while True:
        with suppress(subprocess.TimeoutExpired):
            code = browser.wait(_GLANCE)
            lines = told.read_text("utf-8", "replace").strip().splitlines() if code else []
            if lines:  # after what was fatal come the calls that led there
                print(next((line for line in lines if "FATAL" in line), lines[-1])[:300], file=sys.stderr)
            return 1 if code else 0
        if time.monotonic() > end:
            return TOO_LONG
        if _memory(browser.pid) > memory:
            return TOO_LARGE


def _members(session: int) -> list[Path]:
    """The living processes of a session, as the system tells of them; none where it does not."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            # After the name, which may hold anything, come: state, parent, group, session.
            told = (place / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(told[3]) == session and told[0] not in ("Z", "X"):
                found.append(place)
    return found


def _memory(session: int) -> int:
    """Bytes that the processes of a session have for themselves; what they share with others is not counted."""
    total = 0
    for place in _members(session):
        with suppress(OSError, ValueError, IndexError):
            for line in (place / "status").read_text("utf-8", "replace").splitlines():
                if line.startswith("RssAnon:"):
                    total += 1_024 * int(line.split()[1])
    return total


def _end(browser: subprocess.Popen[bytes]) -> None:
    """End the browser and all it started."""
    with suppress(OSError):
        os.killpg(browser.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        browser.wait(10)
    for _ in range(100):
        left = _members(browser.pid)  # those that made a group of their own, and those that are just ending
        if not left:
            return
        for place in left:
            with suppress(OSError):
                os.kill(int(place.name), signal.SIGKILL)
        time.sleep(0.05)


def _take_away(place: Path) -> None:
    for _ in range(20):  # a process that is just ending may still write
        shutil.rmtree(place, ignore_errors=True)
        if not place.exists():
            return
        time.sleep(0.1)


def _stop(*_: object) -> None:
    raise SystemExit(0)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
