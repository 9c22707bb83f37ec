"""`honeyguide blocks --browser`: a page from a file and from the web, and that no browser outlives the command."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.browser import bell, needs_browser, running_in
from tests.cli.test_bad_input import honeyguide
from tests.inert import assert_inert
from tests.page.looking import SENTENCE

pytestmark = needs_browser

PAGE = f"""<!doctype html><title>Waggle dances - Hive</title><link rel=stylesheet href=page.css>
<div class=one><h1>Waggle dances</h1><p>{SENTENCE * 4}<p>{SENTENCE * 4}</div>
<div class=two><p>{SENTENCE}Buy <a href=/x>a barrel</a> today.<script>alert(1)</script></div>"""
SHEET = ".one { float: left; width: 700px } .two { float: right; width: 160px }"
COLUMN = "a column 160 px wide at the right edge"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "page.css").write_text(SHEET, encoding="utf-8")
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


def test_a_file_is_cut_by_its_boxes_with_the_style_sheets_beside_it(page: Path) -> None:
    assert COLUMN not in honeyguide("blocks", "page.html", cwd=page.parent).stdout
    lines = honeyguide("blocks", "page.html", "--browser", cwd=page.parent).stdout.splitlines()
    assert lines[1].startswith("laid out on 1280 × ")
    assert lines[1].endswith(" px, 1 style sheet used")
    assert any(line.strip().startswith(f"noise ({COLUMN}, 1 link): ") for line in lines)


def test_it_tells_the_places_of_blocks_as_json_and_draws_them_in_place(page: Path) -> None:
    found = json.loads(honeyguide("blocks", "page.html", "--browser", "--json", cwd=page.parent).stdout)
    (column,) = [block for block in found["blocks"] if block["why"] == COLUMN]
    left, top, right, bottom = column["area"]
    assert 1_000 < left < right <= 1_280
    assert 0 <= top < bottom
    assert found["notes"] == ["1 style sheet used"]
    words = ["blocks", "page.html", "--browser", "--to", "html"]
    assert honeyguide(*words, cwd=page.parent).returncode == 0
    drawn = LexborHTMLParser((page.parent / "blocks.html").read_text(encoding="utf-8"))
    places = r"(left:-?\d+px;top:-?\d+px;)?width:\d+px;height:\d+px(;font-size:[\d.]+px)?"
    assert_inert(drawn, href="(?!)", style=places)
    (outline,) = drawn.css("div.noise")
    assert outline.attributes["style"] == f"left:{left}px;top:{top}px;width:{right - left}px;height:{bottom - top}px"
    assert outline.text() == f"noise: {COLUMN}"


def test_a_picture_of_it_has_the_size_of_the_page(page: Path) -> None:
    assert honeyguide("blocks", "page.html", "--browser", "--to", "png", cwd=page.parent).returncode == 0
    image = (page.parent / "blocks.png").read_bytes()
    assert image.startswith(b"\x89PNG")
    assert int.from_bytes(image[16:20], "big") == 1_280


def test_style_sheets_are_fetched_for_a_url_and_for_a_file_only_if_asked(page: Path) -> None:
    css = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
    with bell(css + SHEET.encode()) as (port, rung):
        away = page.with_name("away.html")
        site = f"http://127.0.0.1:{port}/"
        away.write_text(PAGE.replace("page.css", f"{site}a.css"), encoding="utf-8")
        alone = honeyguide("blocks", "away.html", "--browser", cwd=page.parent).stdout
        assert "1 style sheet left out: not beside the page" in alone
        shut = honeyguide("blocks", "away.html", "--browser", "--from", site, cwd=page.parent).stdout
        assert "is a loopback address and was not opened" in shut
        assert rung == []
        opened = ["--from", site, "--open", f"127.0.0.1:{port}"]
        assert COLUMN in honeyguide("blocks", "away.html", "--browser", *opened, cwd=page.parent).stdout
        assert rung == ["GET /robots.txt HTTP/1.1", "GET /a.css HTTP/1.1"]
    answer = css + PAGE.replace("page.css", "page.html").encode()
    with bell(answer) as (port, rung):  # robots.txt and the style sheet are the page again: neither forbids or styles
        url = f"http://127.0.0.1:{port}/page.html"
        done = honeyguide("blocks", url, "--browser", "--open", "127.0.0.1", cwd=page.parent)
        assert "1 style sheet used" in done.stdout
        assert [line.split()[1] for line in rung] == ["/page.html", "/robots.txt", "/page.html"]


class Site(BaseHTTPRequestHandler):
    """A page that moved to where its style sheet lies."""

    def do_GET(self) -> None:
        found = {"/there/page.html": PAGE, "/there/page.css": SHEET}.get(self.path)
        self.send_response(200 if found else 404 if "robots" in self.path else 302)
        self.send_header("Location", "/there/page.html")
        self.send_header("Content-Type", "text/css" if self.path.endswith("css") else "text/html")
        self.end_headers()
        self.wfile.write((found or "").encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_style_sheets_are_found_from_where_a_page_moved_to(tmp_path: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), Site) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        place = f"127.0.0.1:{server.server_port}"
        done = honeyguide("blocks", f"http://{place}/here.html", "--browser", "--open", place, cwd=tmp_path)
        server.shutdown()
        thread.join(5)
    assert COLUMN in done.stdout


def test_the_example_of_the_documentation_is_what_comes_out(tmp_path: Path) -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "blocks.md").read_text(encoding="utf-8")
    for name, content in re.findall(r"```(?:html|css) file=(hive\.\w+)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(content, encoding="utf-8")
    (shown,) = re.findall(r"```console norun\n\$ honeyguide (blocks hive.html --browser)\n(.*?)```", text, re.DOTALL)
    done = honeyguide(*shown[0].split(), cwd=tmp_path)
    fonts = re.compile(r"a band \d+ px")  # as high as the fonts of this machine make it
    assert fonts.sub("a band", done.stdout) == fonts.sub("a band", shown[1])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["page.html", "--from", "http://a.test/"], "give both"),
        (["http://a.test/", "--browser", "--from", "http://a.test/"], "give both"),
        (["page.html", "--browser", "--from", "nonsense"], "is not the address of a web page"),
        (["missing.html", "--browser"], "missing.html cannot be read"),
        (["http://127.0.0.1:9/x", "--browser"], "http://127.0.0.1:9/x gives no page"),
    ],
)
def test_bad_input_gets_one_sentence(page: Path, words: list[str], told: str) -> None:
    done = honeyguide("blocks", *words, cwd=page.parent)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_a_browser_there_is_one_sentence(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = honeyguide("blocks", "page.html", "--browser", cwd=page.parent)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "honeyguide: --browser needs Chromium, and there is none on the PATH: install it, or do without it\n"
    )


@pytest.fixture
def room() -> Iterator[Path]:
    """A folder for temporary files that even nobody may enter."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_browser_outlives_the_command(page: Path, room: Path, how: signal.Signals) -> None:
    """Ended while it waits for a style sheet that never comes."""
    with bell(None) as (port, rung):
        away = page.with_name("away.html")
        away.write_text(PAGE.replace("page.css", f"http://127.0.0.1:{port}/a.css"), encoding="utf-8")
        words = ["away.html", "--browser", "--from", "http://a.test/", "--open", "127.0.0.1"]
        child = subprocess.Popen(
            [sys.executable, "-m", "honeyguide", "blocks", *words],
            cwd=page.parent, env={**os.environ, "TMPDIR": str(room)}, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            while not rung:
                assert child.poll() is None
                time.sleep(0.05)
            assert running_in(room)
            assert list(room.iterdir())
            child.send_signal(how)
            told = child.communicate(timeout=200)[1]
        finally:
            child.kill()
            child.wait()
    end = time.monotonic() + 100
    while (running_in(room) or list(room.iterdir())) and time.monotonic() < end:  # one who was killed waits for nothing
        assert how != signal.SIGINT
        time.sleep(0.1)
    assert running_in(room) == []
    assert list(room.iterdir()) == []
    if how == signal.SIGINT:
        assert child.returncode == 130
        assert "Traceback" not in told
