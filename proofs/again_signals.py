"""Ctrl-C and a request to end, through `./go` as in a terminal: the first ends a crawl in order, the second at once.

`./go` stands in a place of its own here, set up as far as it looks, so that nothing is installed for a proof.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from proofs.strain_server import Healthy

__all__ = ["SIGNALS"]

ROOT = Path(__file__).resolve().parents[1]
_ENTRY = "#!{python}\nfrom honeyguide.__main__ import main\nmain()\n"


def _launcher(place: Path) -> Path:
    """`./go` that finds all it needs."""
    shutil.copy(ROOT / "go", place / "go")
    shutil.copy(ROOT / "pyproject.toml", place)
    shutil.copytree(ROOT / "requirements", place / "requirements")
    entry = place / ".venv" / "bin" / "honeyguide"
    entry.parent.mkdir(parents=True)
    entry.write_text(_ENTRY.format(python=sys.executable))
    entry.chmod(0o755)
    loader = importlib.machinery.SourceFileLoader("launcher", str(place / "go"))
    spec = importlib.util.spec_from_loader("launcher", loader)
    assert spec is not None
    go = importlib.util.module_from_spec(spec)
    loader.exec_module(go)
    go.settle("run", place / "requirements" / "run.txt", place / "pyproject.toml")
    go.settle("honeyguide", place / "pyproject.toml")
    return place / "go"


def _begun(place: Path, *words: str) -> subprocess.Popen[str]:
    """A command through the launcher, in a group of its own as in a terminal."""
    return subprocess.Popen(
        [sys.executable, str(_launcher(place)), *words],
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def group(leader: int) -> list[int]:
    """Who is there of a group, and not only waited for."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, number, *_ = file.read_text().rpartition(")")[2].split()
        except OSError:  # gone meanwhile
            continue
        if int(number) == leader and state != "Z":
            found.append(int(file.parent.name))
    return found


def _until(condition: Callable[[], object], process: subprocess.Popen[str]) -> None:
    while not condition() and process.poll() is None:
        time.sleep(0.002)


def _verdict(place: Path, process: subprocess.Popen[str], begun: str = "") -> str:
    """How it ended: its code, what it left and who is left."""
    out = begun + process.communicate()[0]
    left = len(group(process.pid))
    if left:
        os.killpg(process.pid, signal.SIGKILL)
    report = (place / "crawl" / "report.html").exists()
    words = [f"code {process.returncode}", "a report" if report else "no report"]
    words += ["advice" if "go resume" in out else "no advice", f"{left} processes left"]
    return ", ".join([*words, "a traceback"] if "Traceback" in out else words)


def _demo(place: Path) -> subprocess.Popen[str]:
    words = ("--pages", "100000", "--delay", "0.2", "--workers", "2", "--out", "crawl")
    return _begun(place, "crawl", *words)


def _handles(pid: int, number: int) -> bool:
    try:
        mask = Path(f"/proc/{pid}/status").read_text().partition("SigCgt:")[2].split()[0]
    except (OSError, IndexError):
        return False
    return bool(int(mask, 16) >> (number - 1) & 1)


IN_ORDER = "code 0, a report, advice, 0 processes left"


def ctrl_c(place: Path) -> tuple[str, str]:
    """Ctrl-C to the whole group, as a terminal sends it, when pages have come."""
    one = _demo(place)
    _until(lambda: (place / "crawl" / "crawl.db").exists() and len(group(one.pid)) == 3, one)
    time.sleep(3.0)
    os.killpg(one.pid, signal.SIGINT)
    return _verdict(place, one), IN_ORDER


def while_starting(place: Path) -> tuple[str, str]:
    """Ctrl-C to the whole group at the moment the workers are born."""
    one = _demo(place)
    _until(lambda: _handles(one.pid, signal.SIGTERM) and len(group(one.pid)) > 1, one)
    os.killpg(one.pid, signal.SIGINT)
    return _verdict(place, one), IN_ORDER


def request_to_end(place: Path) -> tuple[str, str]:
    """SIGTERM to the launcher alone."""
    one = _demo(place)
    _until(lambda: (place / "crawl" / "crawl.db").exists() and len(group(one.pid)) == 3, one)
    os.kill(one.pid, signal.SIGTERM)
    return _verdict(place, one), IN_ORDER


def twice(place: Path) -> tuple[str, str]:
    """a second Ctrl-C while an answer hangs; then resumed, and stopped in order."""
    with Healthy(1, 2, slow=10_000.0) as server:
        words = ["crawl", "--keyword", "honey", "--start", f"http://127.0.0.1:{server.port}/page", "--delay", "0"]
        words += ["--open", "127.0.0.1", "--out", "crawl", "--timeout", "20000", "--workers", "2"]
        one = _begun(place, *words)
        assert one.stdout is not None
        _until(lambda: server.asked["127.0.0.1", "/page"], one)
        os.killpg(one.pid, signal.SIGINT)
        said = ""
        while "stopping" not in said and one.poll() is None:
            said += one.stdout.readline()
        os.killpg(one.pid, signal.SIGINT)
        first = _verdict(place, one, said)
        server.slow = 0.0
        again = subprocess.run(
            [sys.executable, str(place / "go"), "resume", "crawl"], cwd=place, capture_output=True, text=True
        )
        page = server.asked["127.0.0.1", "/page"]
    told = f"{first}; resumed: code {again.returncode}, page asked for {page} times"
    return told, "code 130, no report, no advice, 0 processes left; resumed: code 0, page asked for 2 times"


SIGNALS = {
    "signal Ctrl-C": ctrl_c,
    "signal Ctrl-C while starting": while_starting,
    "signal request to end": request_to_end,
    "signal Ctrl-C twice": twice,
}
