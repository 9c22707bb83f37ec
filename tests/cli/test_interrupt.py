"""Ctrl-C: the first ends a crawl in order, the second at once; both can be resumed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from proofs.strain_server import Healthy

from honeyguide.store import Folder

ROOT = Path(__file__).resolve().parents[2]
# A grace without end: only a second Ctrl-C can end what is under way.
CODE = """
import sys
from honeyguide.crawling import ending
ending._GRACE = 1e9
from honeyguide.cli import main
sys.argv = ["honeyguide", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_the_second_ctrl_c_ends_a_crawl_at_once(tmp_path: Path, workers: str, second: signal.Signals) -> None:
    with Healthy(1, 2, slow=10_000.0) as server:
        words = ["crawl", "--keyword", "honey", "--start", f"http://127.0.0.1:{server.port}/page", "--delay", "0"]
        words += ["--open", "127.0.0.1", "--out", str(tmp_path / "crawl"), "--timeout", "20000", "--workers", workers]
        child = subprocess.Popen(
            [sys.executable, "-c", CODE, *words], cwd=ROOT, stderr=subprocess.PIPE, text=True, bufsize=1
        )
        assert child.stderr is not None
        try:
            while not server.asked["127.0.0.1", "/page"]:
                time.sleep(0.01)
            child.send_signal(signal.SIGINT)
            while "stopping" not in child.stderr.readline():
                pass
            child.send_signal(second)
            told = child.communicate(timeout=200)[1]
        finally:
            child.kill()
            child.wait()
    assert child.returncode == 130
    assert "Traceback" not in told
    folder = Folder(tmp_path / "crawl")
    folder.lock()  # nobody holds it any more
    folder.unlock()
    assert folder.is_crawl()
    assert not (folder.path / "manifest.json").exists()  # which an orderly end leaves behind
