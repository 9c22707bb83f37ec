"""A crawl that may only be read, on a disk that cannot be written or of another user: every look works on it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from proofs.again_hosts import COMMAND

__all__ = ["LOOKS"]

NOBODY = 65_534
ALONE = ["unshare", "--user", "--map-root-user", "--mount"]
# What a command needs of Python is loaded by a first look at a copy, for another user may not read where that lies.
OTHER = """
import contextlib, io, os, sys
from honeyguide.cli.main import cli
mine, theirs, out, *words = sys.argv[1:]
def look(folder, out):
    cli([word.replace("FOLDER", folder).replace("OUT", out) for word in words], standalone_mode=False)
with contextlib.redirect_stdout(io.StringIO()):
    look(mine, out + "-mine")
os.seteuid({nobody})
look(theirs, out)
"""
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def _crawled(place: Path) -> Path:
    folder = place / "crawl"
    words = ["crawl", "--pages", "40", "--delay", "0", "--out", str(folder)]
    subprocess.run([*COMMAND, *words], check=True, capture_output=True)
    return folder


def _looks(page: str) -> dict[str, list[str]]:
    return {
        "status": ["status", "FOLDER"],
        "search": ["search", "FOLDER", "the"],
        "why": ["why", "FOLDER", page],
        "export": ["export", "FOLDER", "--to", "csv", "--out", "OUT.csv"],
        "report": ["report", "FOLDER", "--out", "OUT.html"],
    }


def _prints(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def _page(folder: Path) -> str:
    """A page of the crawl, to ask about."""
    line = folder.parent / "records.jsonl"
    words = ["export", str(folder), "--to", "jsonl", "--out", str(line)]
    subprocess.run([*COMMAND, *words], check=True, capture_output=True)
    return str(json.loads(line.read_text(encoding="utf-8").splitlines()[0])["url"])


def _told(place: Path, command: dict[str, list[str]], folder: Path, before: dict[str, str]) -> tuple[str, str]:
    bad = []
    for name, words in command.items():
        done = subprocess.run(words, capture_output=True, text=True, cwd=place)
        if done.returncode or "Traceback" in done.stderr or not done.stdout:
            bad.append(f"{name}: code {done.returncode}, {done.stderr.strip()[-200:]}")
    if _prints(folder) != before:
        bad.append("the folder has changed")
    good = f"{', '.join(command)} work, and nothing has changed"
    return "; ".join(bad) or good, good


def read_only(place: Path) -> tuple[str, str]:
    """a folder on a disk that cannot be written."""
    if subprocess.run([*ALONE, "true"], capture_output=True).returncode:
        return "not tried: this machine lets nobody have mounts of their own", "every look works"
    folder = _crawled(place)
    looks = _looks(_page(folder))
    before = _prints(folder)
    commands = {}
    for name, words in looks.items():
        said = [word.replace("FOLDER", str(folder)).replace("OUT", str(place / name)) for word in words]
        commands[name] = [*ALONE, "sh", "-c", READ_ONLY, str(folder), *COMMAND, *said]
    return _told(place, commands, folder, before)


def another_user(place: Path) -> tuple[str, str]:
    """a folder of another user, who lets others read it."""
    if os.geteuid():
        return "not tried: only root can become another user", "every look works"
    folder = _crawled(place)
    looks = _looks(_page(folder))
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    mine, out = place / "mine", place / "out"
    subprocess.run(["cp", "-r", str(folder), str(mine)], check=True)
    out.mkdir()
    out.chmod(0o777)
    before = _prints(folder)
    commands = {
        name: [sys.executable, "-c", OTHER.format(nobody=NOBODY), str(mine), str(folder), str(out / name), *words]
        for name, words in looks.items()
    }
    return _told(place, commands, folder, before)


LOOKS = {"folder read-only": read_only, "folder of another user": another_user}
