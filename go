#!/usr/bin/env python3
"""Sets Honeyguide up in ./.venv on first use, then runs it: ./go crawl, ./go search …, and ./go test for the tests.

Needs only Python 3.11 or later. Versions are pinned in requirements/; a change there, or in pyproject.toml, sets up anew.
"""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")


def set_up(kind: str, extras: str) -> None:
    """Install what is pinned, unless it is installed already."""
    pins = HERE / "requirements" / f"{kind}.txt"
    wanted = hashlib.sha256(pins.read_bytes() + (HERE / "pyproject.toml").read_bytes()).hexdigest()
    mark = VENV / f"{kind}.installed"
    if mark.is_file() and mark.read_text() == wanted:
        return
    if not (BIN / "python").exists() and not (BIN / "python.exe").exists():
        print("setting up: a virtual environment in .venv", file=sys.stderr)
        venv.create(VENV, with_pip=True)
    print("setting up: installing packages (once)", file=sys.stderr)
    pip = [str(BIN / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--requirement", str(pins)], check=True)
    subprocess.run([*pip, "--no-deps", "--editable", f"{HERE}{extras}"], check=True)
    mark.write_text(wanted)


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - this file runs before anything is set up
        print("Honeyguide needs Python 3.11 or later; this is " + sys.version.split()[0], file=sys.stderr)
        return 2
    words = sys.argv[1:]
    try:
        if words[:1] == ["test"]:
            set_up("dev", "[dev]")
            command = [str(BIN / "python"), str(HERE / "tests" / "run.py"), *words[1:]]
        else:
            set_up("run", "")
            command = [str(BIN / "honeyguide"), *(words or ["--help"])]
    except subprocess.CalledProcessError as error:
        print(f"setting up failed: {' '.join(error.cmd[:4])} … ended with code {error.returncode}", file=sys.stderr)
        return 2
    try:
        return subprocess.run(command).returncode
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
