"""The launcher `./go`: it becomes its command, says how far setting up is, and installs what a command needs.

It is tried as a copy in a folder of its own, with an environment that leads to this one and a pip that only pretends.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from proofs.again_signals import group

from honeyguide.native import has_native

REPO = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="processes are told as Linux tells them")

# Stands for the environment's Python: as pip it fetches and installs by name only, else it is the real one.
PYTHON = """\
    #!{python}
    import os, pathlib, sys, time
    words = sys.argv[1:]
    if words[:2] != ["-m", "pip"]:
        os.execv({python!r}, [{python!r}, *words])
    place = pathlib.Path(__file__).resolve().parents[1]
    with (place / "pip.log").open("a") as log:
        log.write(" ".join(word for word in words[3:] if "/" in word) + "\\n")
    if (place / "slow").exists():
        time.sleep(600)
    if (place / "broken").exists():
        sys.exit("no such package, says pip")
    names = [line.split("==")[0] for line in open(words[-1])] if "--requirement" in words else ["honeyguide"]
    for name in names:
        print(f"Collecting {{name}}==1.0 (from somewhere)", flush=True)
    print("Installing collected packages: " + ", ".join(names), flush=True)
    site = next(place.glob("lib/*/site-packages"))
    for name in names:
        (site / f"{{name}}-1.0.dist-info").mkdir(exist_ok=True)
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A copy of the launcher, with an environment in which nothing is installed yet."""
    place = tmp_path / "repo"
    (place / ".venv" / "bin").mkdir(parents=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (place / ".venv" / "lib" / version / "site-packages" / "pip-1.0.dist-info").mkdir(parents=True)
    shutil.copy(REPO / "go", place / "go")
    shutil.copy(REPO / "pyproject.toml", place / "pyproject.toml")
    (place / "requirements").mkdir()
    for kind in ("run", "dev", "bench", "parquet", "database", "meaning"):
        lines = [f"{kind}-package-{number}==1.0\n" for number in range(8)]
        (place / "requirements" / f"{kind}.txt").write_text("".join(lines))
    for name, text in (
        ("python", PYTHON),
        ("honeyguide", "#!{python}\nfrom honeyguide.__main__ import main\nmain()\n"),
    ):
        file = place / ".venv" / "bin" / name
        file.write_text(textwrap.dedent(text).format(python=sys.executable))
        file.chmod(0o755)
    return place


def go(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(place / "go"), *words], cwd=place, capture_output=True, text=True)


def pip_calls(place: Path) -> list[str]:
    """What pip was asked for, by the names of its files; and forget it."""
    log = place / ".venv" / "pip.log"
    calls = [Path(line).stem for line in log.read_text().splitlines()] if log.exists() else []
    log.unlink(missing_ok=True)
    return calls


def minds(pid: int, number: int) -> bool:
    """Whether a process has a handler for a signal."""
    try:
        mask = Path(f"/proc/{pid}/status").read_text().partition("SigCgt:")[2].split()[0]
    except OSError:  # gone meanwhile
        return False
    return bool(int(mask, 16) >> (number - 1) & 1)


def under_way(leader: int, folder: Path) -> bool:
    """Whether a crawl has begun, and its two workers are there; they may only just have begun."""
    return (folder / "crawl.db").exists() and minds(leader, signal.SIGTERM) and len(group(leader)) == 3


@pytest.fixture
def crawling(place: Path) -> Iterator[subprocess.Popen[str]]:
    """A crawl of the demo web through the launcher, in a group of its own as in a terminal, that has begun."""
    assert go(place, "--version").returncode == 0
    command = [sys.executable, str(place / "go"), "crawl", "--pages", "100000", "--delay", "0.2", "--workers", "2"]
    with subprocess.Popen(
        command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            while not under_way(process.pid, place / "demo-crawl"):
                assert process.poll() is None, process.communicate()
                time.sleep(0.01)
            yield process
        finally:
            if group(process.pid):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("whom", ["the group, as a terminal does", "the launcher alone"])
def test_ctrl_c_ends_a_crawl_with_its_report_and_its_advice(
    crawling: subprocess.Popen[str], place: Path, whom: str
) -> None:
    if whom == "the launcher alone":
        os.kill(crawling.pid, signal.SIGINT)
    else:
        os.killpg(crawling.pid, signal.SIGINT)
    out, err = crawling.communicate()
    assert (crawling.returncode, "Traceback" in err) == (0, False), out + err
    assert "ended: stopped by the user" in out
    assert "/go resume demo-crawl" in out
    assert (place / "demo-crawl" / "report.html").exists()
    assert group(crawling.pid) == []


def test_a_request_to_end_reaches_the_crawl_and_leaves_nobody_behind(
    crawling: subprocess.Popen[str], place: Path
) -> None:
    assert len(group(crawling.pid)) == 3
    os.kill(crawling.pid, signal.SIGTERM)
    out, err = crawling.communicate()
    assert (crawling.returncode, "Traceback" in err) == (0, False), out + err
    assert "ended: stopped by the system" in out
    assert group(crawling.pid) == []


def test_setting_up_shows_how_far_it_is_and_happens_once(place: Path) -> None:
    first = go(place, "--version")
    assert first.returncode == 0
    assert first.stdout.startswith("honeyguide, version")
    told = first.stderr.splitlines()
    assert told[0] == "setting up: packages of requirements/run.txt, 8 of them"
    assert "setting up: fetching 2 of 8: run-package-1==1.0" in told
    assert "setting up: fetching 8 of 8: run-package-7==1.0" in told
    assert "setting up: installing 0 of 8: run-package-0" in told
    assert "setting up: Honeyguide itself" in told
    assert len(told) < 15
    assert pip_calls(place) == ["run", "repo"]
    again = go(place, "--version")
    assert (again.stdout, again.stderr) == (first.stdout, "")
    (place / "requirements" / "run.txt").write_text("other==2.0\n")
    assert "1 of 1: other==1.0" in go(place, "--version").stderr
    assert pip_calls(place) == ["run"]


def test_a_set_up_that_fails_is_told_with_what_pip_said_and_tried_again(place: Path) -> None:
    (place / ".venv" / "broken").touch()
    failed = go(place, "--version")
    assert failed.returncode == 2
    assert failed.stderr.endswith("its last words:\nno such package, says pip\n\n")
    assert "Traceback" not in failed.stderr
    (place / ".venv" / "broken").unlink()
    assert go(place, "--version").returncode == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_set_up_that_is_stopped_leaves_no_pip_behind(place: Path, number: int, code: int) -> None:
    (place / ".venv" / "slow").touch()
    command = [sys.executable, str(place / "go"), "--version"]
    with subprocess.Popen(
        command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            while not (place / ".venv" / "pip.log").exists():
                assert process.poll() is None, process.communicate()
                time.sleep(0.01)
            os.kill(process.pid, number)
            _, err = process.communicate()
            assert (process.returncode, "Traceback" in err) == (code, False), err
            assert group(process.pid) == []
        finally:
            if group(process.pid):
                os.killpg(process.pid, signal.SIGKILL)


def test_a_python_file_is_run_in_the_environment_with_what_its_folder_needs(place: Path) -> None:
    for folder in ("benchmarks", "proofs", "own"):
        (place / folder).mkdir()
        (place / folder / "say.py").write_text("import sys, honeyguide\nprint('said', sys.argv[1:])\nsys.exit(7)\n")
    for folder, kinds in (("own", ["run", "repo"]), ("benchmarks", ["bench"]), ("proofs", ["dev"]), ("proofs", [])):
        ran = go(place, "python", f"{folder}/say.py", "--some", "words")
        assert (ran.returncode, ran.stdout) == (7, "said ['--some', 'words']\n"), ran.stderr
        assert pip_calls(place) == kinds


def test_what_only_databases_need_is_installed_when_one_is_asked(place: Path) -> None:
    go(place, "--version")
    assert pip_calls(place) == ["run", "repo"]
    go(place, "topic", "import", "t.toml", "sites", "sqlite:///x.db", "--query", "SELECT 1")
    assert pip_calls(place) == ["database"]


def test_what_only_parquet_needs_is_installed_when_it_is_asked_for(place: Path) -> None:
    go(place, "export", "nowhere", "--to", "xlsx")
    assert pip_calls(place) == ["run", "repo"]
    for way in (["--to", "parquet"], ["--to=parquet"]):
        failed = go(place, "export", "nowhere", *way)
        assert failed.returncode == 2
        assert pip_calls(place) == (["parquet"] if way[1:] else [])


def test_what_only_the_encoder_needs_is_installed_when_it_is_wanted(place: Path) -> None:
    go(place, "crawl", "--set", "encoder=false", "--help")
    assert pip_calls(place) == ["run", "repo"]
    for way in (["--set", "encoder=true"], ["--set=encoder=true"], ["--encoder"]):
        go(place, "crawl", *way, "--help")
        assert pip_calls(place) == (["meaning"] if way[1:] else [])


@pytest.mark.skipif(
    not shutil.which("cc") or not Path(sysconfig.get_path("include"), "Python.h").exists(),
    reason="nothing to compile with",
)
@pytest.mark.skipif(os.environ.get("HONEYGUIDE_PURE", "0") not in ("", "0"), reason="asked to do without")
def test_what_can_be_compiled_was() -> None:
    assert has_native  # else its tests would be left out, and nobody would notice
