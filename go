#!/usr/bin/env python3
"""Sets Honeyguide up in ./.venv on first use, then becomes the command:

    ./go crawl, ./go search …      Honeyguide's own commands; ./go alone lists them
    ./go test                      the tests
    ./go python FILE …             a Python file in this environment: one of benchmarks/ or proofs/, or your own

Needs only Python 3.11 or later. Versions are pinned in requirements/; a change there, or in pyproject.toml, sets up
anew. What only some commands need is installed when such a command is first given. Where there is a C compiler, a few
loops are compiled; without one, Python does the same, slower.
"""

import hashlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
import venv
from collections import deque
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
COMPILED = [HERE / "hatch_build.py", HERE / "src" / "honeyguide" / "_native.c"]  # where there is a C compiler
PIP = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--progress-bar", "off"]


class SetupError(Exception):
    """What could not be set up, and why."""


def kinds(words: list[str]) -> list[str]:
    """Which of the lists in requirements/ a command needs."""
    if words[:1] == ["test"]:
        return ["dev"]
    if words[:1] == ["python"] and len(words) > 1:
        around = Path(words[1]).resolve().parents
        if HERE / "benchmarks" in around:
            return ["run", "bench"]
        if HERE / "proofs" in around:
            return ["dev", "bench"]
    if words[:1] == ["export"] and any(word.removeprefix("--to=") == "parquet" for word in words):
        return ["run", "parquet"]
    if any(word.removeprefix("--set=").lower() in ("encoder=true", "encoder=1", "--encoder") for word in words):
        return ["run", "meaning"]
    if words[:2] == ["topic", "import"] and any(word.startswith("--query") for word in words):
        return ["run", "database"]
    return ["run"]


def command(words: list[str]) -> list[str]:
    """What is to be run."""
    if words[:1] == ["test"]:
        return [str(PYTHON), str(HERE / "tests" / "run.py"), *words[1:]]
    if words[:1] == ["python"]:
        return [str(PYTHON), *words[1:]]
    return [str(BIN / "honeyguide"), *(words or ["--help"])]


# -- setting up ---------------------------------------------------------------------------------------------------


def set_up(wanted: list[str]) -> None:
    """Install what is pinned, unless it is installed already."""
    project = HERE / "pyproject.toml"
    missing = [kind for kind in wanted if not installed(kind, HERE / "requirements" / f"{kind}.txt", project)]
    itself = not installed("honeyguide", project, *COMPILED)
    if not missing and not itself:
        return
    begun = time.monotonic()
    if not any(site_packages().glob("pip-*.dist-info")):  # there is none, or its making was broken off
        say("a virtual environment in .venv")
        venv.create(VENV, with_pip=True)
    for kind in missing:
        pins = HERE / "requirements" / f"{kind}.txt"
        # The lists are whole: what a package asks for besides, and we do not use, stays out.
        install(f"packages of requirements/{kind}.txt", count(pins), "--no-deps", "--requirement", str(pins))
        settle(kind, pins, project)
    if itself:
        install("Honeyguide itself", 0, "--no-deps", "--editable", str(HERE))
        settle("honeyguide", project, *COMPILED)
    say(f"done, in {time.monotonic() - begun:.0f} s; this was for once")


def fingerprint(*files: Path) -> str:
    """A mark of what files say, of those that are there."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in files if file.is_file())).hexdigest()


def installed(kind: str, *files: Path) -> bool:
    """Whether this was installed, as these files have it now."""
    mark = VENV / f"{kind}.installed"
    return mark.is_file() and mark.read_text() == fingerprint(*files)


def settle(kind: str, *files: Path) -> None:
    """Remember that this is installed."""
    (VENV / f"{kind}.installed").write_text(fingerprint(*files))


def count(pins: Path) -> int:
    """How many packages a list has."""
    return sum("==" in line for line in pins.read_text(encoding="utf-8").splitlines())


def site_packages() -> Path:
    """Where packages are installed."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return VENV / "Lib" / "site-packages" if os.name == "nt" else VENV / "lib" / version / "site-packages"


def install(what: str, total: int, *words: str) -> None:
    """Have pip install something, and show how far it is."""
    here = Progress(what, total)
    pip = subprocess.Popen(
        [*PIP, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    told: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=listen, args=(pip, told), daemon=True).start()
    last: deque[str] = deque(maxlen=12)
    try:
        while True:
            try:
                line = told.get(timeout=0.5)
            except queue.Empty:
                here.look()
                continue
            if line is None:
                break
            last.append(line)
            here.hear(line)
        pip.wait()
    finally:
        here.close()
        if pip.poll() is None:
            pip.terminate()
            pip.wait()
    if pip.returncode:
        raise SetupError(f"pip could not install {what} (code {pip.returncode}); its last words:\n" + "".join(last))


def listen(pip: subprocess.Popen[str], told: "queue.SimpleQueue[str | None]") -> None:
    """Pass on what pip says, and that it has said all."""
    assert pip.stdout is not None
    for line in pip.stdout:
        told.put(line)
    told.put(None)


class Progress:
    """How far pip is: one line that is written over in a terminal, elsewhere a line for every quarter."""

    def __init__(self, what: str, total: int) -> None:
        self.total = total
        self.fetched = 0
        self.names: list[str] = []  # of the packages that are being put in place
        self.before = set(self.placed())
        self.terminal = sys.stderr.isatty()
        self.quarter = ("", 0)
        say(f"{what}, {total} of them" if total else what)

    def placed(self) -> list[str]:
        """The packages that are in place."""
        return [folder.name.partition("-")[0].lower() for folder in site_packages().glob("*.dist-info")]

    def hear(self, line: str) -> None:
        """Take in a line of pip's."""
        first, _, rest = line.strip().partition(" ")
        if first in ("Collecting", "Processing"):  # from an index, or a file at hand
            self.fetched += 1
            self.show("fetching", self.fetched, self.total, rest.split(" ")[0].rpartition("/")[2])
        elif line.startswith("Requirement already satisfied: "):
            self.fetched += 1
        elif line.startswith("Installing collected packages: "):
            self.names = [name.strip() for name in line.partition(": ")[2].split(",")]
            self.show("installing", 0, len(self.names), self.names[0])

    def look(self) -> None:
        """Look what is in place, for pip does not say."""
        if self.names:
            done = min(len(set(self.placed()) - self.before), len(self.names) - 1)
            self.show("installing", done, len(self.names), self.names[done])

    def show(self, doing: str, done: int, total: int, name: str) -> None:
        """Tell how far it is."""
        text = f"setting up: {doing} {min(done, total)} of {total}: {name}" if total else f"setting up: {doing} {name}"
        if self.terminal:
            print("\r\033[K" + text[: shutil.get_terminal_size().columns - 1], end="", file=sys.stderr, flush=True)
        elif total and (quarter := (doing, 4 * done // total)) != self.quarter:
            self.quarter = quarter
            print(text, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Make room for others."""
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def say(text: str) -> None:
    """Tell the user."""
    print(f"setting up: {text}", file=sys.stderr, flush=True)


# -- running ------------------------------------------------------------------------------------------------------


def become(words: list[str]) -> int:
    """Become the command, so that Ctrl-C, the request to end and the exit code are its own."""
    typed = sys.argv[0] if os.sep in sys.argv[0] else f".{os.sep}{sys.argv[0]}"
    os.environ["HONEYGUIDE_COMMAND"] = typed  # there is no other command on the path, so hints name this one
    if os.name != "nt":
        os.execv(words[0], words)
    child = subprocess.Popen(words)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue  # it had the Ctrl-C too, and ends when it has cleared up


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - this file runs before anything is set up
        print("Honeyguide needs Python 3.11 or later; this is " + sys.version.split()[0], file=sys.stderr)
        return 2
    words = sys.argv[1:]
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that pip is not left behind
    try:
        set_up(kinds(words))
    except (SetupError, subprocess.CalledProcessError, OSError) as error:
        print(f"setting up failed: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped while setting up; ./go will go on with it", file=sys.stderr)
        return 130
    signal.signal(signal.SIGTERM, before)
    return become(command(words))


if __name__ == "__main__":
    sys.exit(main())
