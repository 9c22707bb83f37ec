"""A real browser in our hands: what it is given, what it is refused, and that nothing of it is left."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from honeyguide.errors import ExtractError
from honeyguide.page import chromium
from honeyguide.page.boxes import lay_out
from honeyguide.page.chromium import Chromium
from honeyguide.page.sheets import SAVED, FolderSheets, Sheets, WebSheets
from honeyguide.page.snapshot import Boxes, read_snapshot
from honeyguide.page.structure import structure
from honeyguide.web import LiveWeb
from honeyguide.web.guard import Guard
from tests.browser import bell, needs_browser, running_in
from tests.page.looking import SENTENCE

pytestmark = needs_browser

CSS = b"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nConnection: close\r\n\r\n"
WIDE = "div { width: 321px }"


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files that even nobody may enter."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        Path(name).chmod(0o755)
        monkeypatch.setenv("TMPDIR", name)
        yield Path(name)


def boxes_of(body: bytes, url: str, **how: Any) -> Boxes:
    return asyncio.run(lay_out(body, url, **how))


def over_the_web(body: str, url: str, opened: tuple[str, ...] = (), seconds: float = 60.0) -> Boxes:
    async def look() -> Boxes:
        web = LiveWeb(agent="test", guard=Guard(opened))
        try:
            return await lay_out(body.encode(), url, sheets=WebSheets(web), seconds=seconds)
        finally:
            await web.close()

    return asyncio.run(look())


def test_every_element_has_the_box_that_the_browser_gives_it() -> None:
    page = b"""<!doctype html><title>x</title><body style='margin:0'>
    <div style='width:200px;height:50px;background:red'>Words</div>
    <p style='position:fixed;top:300px;left:10px;margin:0;font:bold 20px/20px sans-serif'>Up</p>
    <ul><li style='opacity:0'>Gone</ul>"""
    boxes = boxes_of(page, SAVED)
    assert boxes.tags == ["body", "div", "p", "ul", "li"]
    div, fixed, _, gone = boxes.boxes[1:]
    assert (div.left, div.top, div.width, div.height, div.right, div.bottom) == (0, 0, 200, 50, 200, 50)
    assert (div.shown, div.colour, div.fixed) == (True, "rgb(255, 0, 0)", False)
    assert (fixed.left, fixed.top, fixed.font, fixed.bold, fixed.fixed) == (10, 300, 20.0, True, True)
    assert (gone.shown, gone.own) == (False, None)


def test_one_browser_lays_out_pages_in_turn_even_if_asked_at_once() -> None:
    async def look() -> list[int]:
        async with Chromium(seconds=60) as browser:
            pages = [f"<div style='width:{width}px'>x</div>".encode() for width in (111, 222, 333)]
            found = await asyncio.gather(*(lay_out(page, SAVED, browser=browser) for page in pages))
            return [boxes.boxes[1].width for boxes in found]

    assert asyncio.run(look()) == [111, 222, 333]


def test_a_saved_page_has_the_style_sheets_beside_it_and_no_others(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    (folder / "files").mkdir(parents=True)
    (tmp_path / "secret.css").write_text("p { width: 9px }")
    (folder / "files" / "a b.css").write_text(WIDE)
    (folder / "link.css").symlink_to(tmp_path / "secret.css")
    (folder / "notes.txt").write_text("p { width: 8px }")
    links = ["files/a%20b.css", "../secret.css", "/etc/passwd", "link.css", "notes.txt", "..%2Fsecret.css", "no.css"]
    links += [(tmp_path / "secret.css").as_uri(), "http://127.0.0.1:1/x.css", "%00.css"]
    (folder / "paper.css").write_text("p { width: 7px }")
    page = "".join(f"<link rel=stylesheet href='{link}'>" for link in links) + "<div>x</div><p>y</p>"
    page = f"<html><head class=x><base href=/><link rel=stylesheet media=print href=paper.css>{page}"
    boxes = boxes_of(page.encode(), f"{SAVED}deep/er/page.html", sheets=FolderSheets(folder))
    assert boxes.boxes[1].width == 321
    assert boxes.boxes[2].width > 1_000
    assert boxes.notes[0] == "1 style sheet used"


def test_style_sheets_of_the_web_go_past_the_guard_and_robots_txt() -> None:
    with bell(CSS + WIDE.encode()) as (port, rung):
        page = f"<link rel=stylesheet href=http://127.0.0.1:{port}/x.css><div>x</div>"
        closed = over_the_web(page, "http://site.test/")
        assert rung == []
        assert closed.boxes[1].width > 1_000
        assert "is a loopback address and was not opened" in closed.notes[0]
        opened = over_the_web(page, "http://site.test/", (f"127.0.0.1:{port}",))
        assert rung == ["GET /robots.txt HTTP/1.1", "GET /x.css HTTP/1.1"]
        assert opened.boxes[1].width == 321
        assert opened.notes == ["1 style sheet used"]
    with bell(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nUser-agent: *\nDisallow: /x") as (port, rung):
        page = f"<link rel=stylesheet href=http://127.0.0.1:{port}/x.css><div>x</div>"
        forbidden = over_the_web(page, "http://site.test/", (f"127.0.0.1:{port}",))
        assert rung == ["GET /robots.txt HTTP/1.1"]
        assert "robots.txt line 2" in forbidden.notes[0]
    with bell(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2:9/x.css\r\nConnection: close\r\n\r\n") as (port, rung):
        page = f"<link rel=stylesheet href=http://127.0.0.1:{port}/x.css><div>x</div>"
        assert "127.0.0.2" in over_the_web(page, "http://site.test/", (f"127.0.0.1:{port}",)).notes[0]


@pytest.mark.parametrize(("delay", "rest"), [(0.1, 0.4), (0.6, 0.6)])
def test_a_site_rests_between_its_style_sheets_as_long_as_its_robots_txt_asks(delay: float, rest: float) -> None:
    async def two(port: int) -> float:
        web = LiveWeb(agent="test", guard=Guard((f"127.0.0.1:{port}",)))
        sheets, begun = WebSheets(web, delay=delay), time.monotonic()
        try:
            for name in "ab":
                assert (await sheets.sheet(f"http://127.0.0.1:{port}/{name}.css", 1_000))[1] == ""
        finally:
            await web.close()
        return time.monotonic() - begun

    with bell(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nUser-agent: *\nCrawl-delay: 0.4") as (port, rung):
        assert asyncio.run(two(port)) >= 2 * rest
        assert rung == [f"GET /{name} HTTP/1.1" for name in ("robots.txt", "a.css", "b.css")]


def hostile(port: int, folder: Path) -> str:
    """A page that wants out by every way there is."""
    home, secret = f"http://127.0.0.1:{port}", (folder / "secret.css").as_uri()
    links = "".join(
        f"<link rel='{rel}' href='{home}/{rel.replace(' ', '')}' as=style>"
        for rel in (
            "preconnect", "dns-prefetch", "prefetch", "preload", "modulepreload", "icon", "manifest", "prerender",
            "import", "alternate stylesheet", "stylesheet preload", "STYLESHEET",
        )
    )  # fmt: skip
    run = f"new Image().src='{home}/ran';location='{home}/moved';while(1);"
    return f"""<!doctype html><html manifest={home}/m onload="{run}"><head><title>x</title>
    <meta http-equiv=refresh content="0;url={home}/refresh"><meta http-equiv=refresh content="0;url={secret}">
    <meta http-equiv=Link content="<{home}/header>; rel=preload">{links}
    <script src={home}/script></script><script>{run}</script><script type=speculationrules>{{"prefetch":
    [{{"source":"list","urls":["{home}/spec"]}}],"prerender":[{{"source":"list","urls":["{home}/spec"]}}]}}</script>
    <link rel=stylesheet href={secret}><link rel=stylesheet href="data:text/css,@import '{home}/data';">
    <style>@import "{home}/import"; @import "{secret}"; @font-face {{ font-family: f; src: url({home}/font) }}
    body {{ background: url({home}/ground); cursor: url({home}/cursor), auto; font-family: f }}
    li {{ list-style-image: url({home}/list) }} p::after {{ content: url({home}/after) }}
    div {{ mask-image: url({home}/mask); filter: url({home}/filter#x); clip-path: url({home}/clip#y) }}</style></head>
    <body background={home}/body onload="{run}" onpageshow="{run}"><noscript><img src={home}/noscript></noscript>
    <img src={home}/img srcset="{home}/srcset 2x" onerror="{run}"><picture><source srcset={home}/source><img></picture>
    <iframe src={home}/frame></iframe><iframe srcdoc="<img src={home}/srcdoc><script>{run}</script>"></iframe>
    <iframe src="{secret}"></iframe><iframe src="javascript:{run}"></iframe><object data={home}/object></object>
    <embed src={home}/embed><video src={home}/video poster={home}/poster autoplay><track src={home}/track></video>
    <audio src={home}/audio autoplay></audio><input type=image src={home}/input><svg onload="{run}">
    <image href={home}/svg /><use href="{home}/use#a" /><script>{run}</script><style>@import "{home}/svgstyle";</style>
    </svg><math href="javascript:{run}"></math><form action={home}/form><input autofocus onfocus="{run}"></form>
    <table background={home}/table><tr><td>x</table><template><img src={home}/template></template>
    <a href={home}/a ping={home}/ping>a</a><details open ontoggle="{run}">d</details>
    <marquee onstart="{run}">m</marquee>
    <div style="background:url({home}/inline)"><p>{SENTENCE}</p></div><li>x<plaintext><script>{run}</script>"""


@pytest.mark.parametrize("locked", [True, False], ids=["as it is", "by our hands alone"])
def test_a_page_that_wants_out_gets_nowhere(tmp_path: Path, locked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not locked:  # nor would it if the browser itself could reach the network
        open_ways = tuple(flag for flag in chromium._FLAGS if not flag.startswith(("--host-resolver", "--proxy")))
        assert len(open_ways) == len(chromium._FLAGS) - 3
        monkeypatch.setattr(chromium, "_FLAGS", open_ways)
    (tmp_path / "secret.css").write_text("p { width: 9px }")
    with bell(CSS + b"p { width: 9px }") as (port, rung):
        page = hostile(port, tmp_path)
        for boxes in (boxes_of(page.encode(), SAVED), over_the_web(page, "http://site.test/")):
            place = boxes.tags.index("p")
            assert boxes.boxes[place].width > 1_000  # no style sheet came through
            assert boxes.boxes[place].shown
            assert "style sheet" in boxes.notes[0]
        assert rung == []


def test_an_ordinary_browser_would_have_let_it_out(room: Path, tmp_path: Path) -> None:
    with bell(CSS) as (port, rung):
        page = room / "page.html"
        page.write_text(hostile(port, tmp_path), encoding="utf-8")
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        flags += [f"--user-data-dir={room / 'profile'}", "--dump-dom", page.as_uri()]
        browser = [chromium.find_browser("this test", "skip it"), *flags]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(browser, start_new_session=True, **quiet) as loose:  # type: ignore[call-overload]
            end = time.monotonic() + 120
            while len(set(rung)) < 8 and time.monotonic() < end:
                time.sleep(0.1)
            os.killpg(loose.pid, signal.SIGKILL)
        assert len(set(rung)) >= 8  # ways out


def test_a_browser_left_to_itself_finds_no_way_to_the_network() -> None:
    """Were a request to slip through our hands, it would still lead nowhere: here none is held back."""

    async def let_loose(port: int) -> str:
        async with Chromium() as browser:
            target = await browser.ask("Target.createTarget", {"url": f"http://127.0.0.1:{port}/"})
            told = await browser.ask("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
            session = told["sessionId"]
            for url in (f"http://localhost:{port}/", f"http://127.0.0.1:{port}/", f"http://[::ffff:127.0.0.1]:{port}/"):
                gone = await browser.ask("Page.navigate", {"url": url}, session=session)
                assert gone["errorText"]
            return str(gone["errorText"])

    with bell() as (port, rung):
        assert asyncio.run(let_loose(port)).startswith("net::ERR_")
        assert rung == []


class Endless:
    """Style sheets that each ask for two more."""

    def __init__(self) -> None:
        self.asked = 0

    async def sheet(self, url: str, most: int) -> tuple[bytes, str]:
        self.asked += 1
        return f"@import 'a{self.asked}.css'; @import 'b{self.asked}.css'; {WIDE}".encode()[:most], ""


class Slow:
    """Style sheets that never come."""

    async def sheet(self, url: str, most: int) -> tuple[bytes, str]:
        await asyncio.sleep(3_600)
        return b"", ""


class Huge:
    """Style sheets as long as they may be, full of what swells when it is worked out."""

    async def sheet(self, url: str, most: int) -> tuple[bytes, str]:
        laughs = "".join(f"--v{n}: var(--v{n + 1}) var(--v{n + 1}) var(--v{n + 1});" for n in range(40))
        rules = f":root {{ {laughs} --v40: x }} div {{ {WIDE[6:-2]}; content: var(--v0) }} "
        return (rules + "div > p ~ p:has(a) { color: red } " * (most // 34))[:most].encode(), ""


@pytest.mark.parametrize(
    ("sheets", "note"),
    [(Endless(), "past the first 40"), (Slow(), "not there within 20 seconds"), (Huge(), "past 4000000 bytes")],
    ids=["endless", "slow", "huge"],
)
def test_style_sheets_without_end_are_done_without(sheets: Sheets, note: str) -> None:
    page = b"<link rel=stylesheet href=1.css><link rel=stylesheet href=2.css><div>x</div>"
    boxes = boxes_of(page, SAVED, sheets=sheets, seconds=40 if isinstance(sheets, Slow) else 120)
    assert any(note in one for one in boxes.notes), boxes.notes
    assert boxes.boxes[1].shown
    if isinstance(sheets, Endless):
        assert sheets.asked == 40
        assert boxes.boxes[1].width == 321


def test_an_endless_answer_is_cut() -> None:
    served = 0

    def pour(listening: socket.socket) -> None:
        nonlocal served
        while True:
            try:
                caller, _ = listening.accept()
            except OSError:
                return
            with caller, suppress(OSError):
                asked = caller.recv(4_000)
                if b"/robots.txt" in asked:
                    caller.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    continue
                caller.sendall(CSS)
                for _ in range(10_000):
                    caller.sendall(b"p { color: red } " * 1_000)
                    served += 17_000

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=pour, args=(listening,), daemon=True)
        thread.start()
        place = f"127.0.0.1:{listening.getsockname()[1]}"
        boxes = over_the_web(f"<link rel=stylesheet href=http://{place}/x.css><div>x</div>", "http://a.test/", (place,))
        listening.shutdown(socket.SHUT_RDWR)
        thread.join(10)
    assert boxes.notes == ["1 style sheet used"]
    assert served < 40_000_000  # some more may lie in the pipes between


def test_ten_thousand_blocks_have_ten_thousand_boxes(room: Path) -> None:
    page = "".join(f"<div><p>Bees of hive {n} fly out.</p></div>" for n in range(5_000)).encode()
    boxes = boxes_of(page, SAVED, seconds=120)
    assert len(boxes.boxes) == 10_001
    assert all(box.shown for box in boxes.boxes)
    tops = [box.top for box in boxes.boxes[2::2]]
    assert tops == sorted(tops)
    assert len(structure(page, boxes=boxes).pieces) == 5_000


@pytest.mark.parametrize(
    ("bounds", "told"),
    [({"seconds": 0.05}, "not laid out within 0.05 seconds"), ({"memory": 1_000_000}, "more than 1 MB of memory")],
    ids=["time", "memory"],
)
def test_past_its_bounds_the_browser_is_ended_and_nothing_is_left(
    room: Path, bounds: dict[str, float], told: str
) -> None:
    with pytest.raises(ExtractError, match=told):
        boxes_of(b"<link rel=stylesheet href=x.css><p>x", SAVED, sheets=Slow(), **bounds)
    assert list(room.iterdir()) == []
    assert running_in(room) == []


def test_nothing_is_left_of_a_browser_that_did_its_work(room: Path) -> None:
    boxes_of(b"<p>x", SAVED)
    assert list(room.iterdir()) == []
    assert running_in(room) == []


def test_a_browser_that_breaks_down_is_told_of(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, room: Path
) -> None:
    folder = room / "bin"
    folder.mkdir()
    broken = folder / "chromium"
    broken.write_text("#!/bin/sh\necho nothing >&2\necho 'no display, no fonts' >&2\nexit 7\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    with pytest.raises(ExtractError, match=r"ended before the page was laid out: no display, no fonts"):
        boxes_of(b"<p>x", SAVED)
    broken.write_text("#!/bin/sh\nprintf 'what is this' >&4\nsleep 60\n")
    with pytest.raises(ExtractError, match=r"not laid out within 2 seconds"):
        boxes_of(b"<p>x", SAVED, seconds=2)
    assert [place.name for place in room.iterdir()] == ["bin"]


@pytest.mark.parametrize("told", [{}, {"strings": []}, {"strings": ["a"], "documents": [{"contentWidth": "x"}]}])
def test_what_a_browser_tells_is_not_trusted(told: dict[str, Any]) -> None:
    with pytest.raises(ExtractError, match="told nothing of use"):
        read_snapshot(told, "a", ["body"], [])


@pytest.mark.parametrize("url", ["file:///etc/passwd", "chrome://crash", "about:blank", "javascript:1", "nonsense"])
def test_a_page_has_the_address_of_a_web_page(url: str) -> None:
    with pytest.raises(ExtractError, match="is not the address of a web page"):
        boxes_of(b"<p>x", url)


def test_it_does_without_a_sandbox_only_for_root_and_where_none_can_be_made(
    monkeypatch: pytest.MonkeyPatch, room: Path
) -> None:
    real = chromium.find_browser("this test", "skip it")
    folder = room / "bin"
    folder.mkdir()
    strict = folder / "chromium"
    strict.write_text(
        f"""#!/bin/sh
case "$*" in *--no-sandbox*) exec {real} "$@";; esac
echo "[1:FATAL:zygote_host_impl_linux.cc(132)] No usable sandbox! See the manual." >&2
echo "#0 0x5566 (/usr/lib/chromium/chromium+0x66)" >&2
exit 133
"""
    )
    strict.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    if os.geteuid() == 0:
        assert boxes_of(b"<p>x", SAVED).boxes[1].shown
        monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    with pytest.raises(ExtractError, match="No usable sandbox"):
        boxes_of(b"<p>x", SAVED)
    assert [place.name for place in room.iterdir()] == ["bin"]


def test_without_a_browser_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ExtractError, match="--browser needs Chromium, and there is none on the PATH: install it"):
        boxes_of(b"<p>x", SAVED)
