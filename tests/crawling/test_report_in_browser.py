"""The report of a crawl of a page full of script, opened from disk in a real headless browser: nothing runs."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from html import escape
from itertools import product
from pathlib import Path
from urllib.parse import quote

import pytest
from proofs.hostile_server import Attack, HostileServer, Request, ok, said, words
from selectolax.lexbor import LexborHTMLParser

from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.report import write_report
from honeyguide.store import Folder
from honeyguide.topic import Topic
from tests.browser import BROWSER, bell, needs_browser
from tests.crawling.conftest import run

pytestmark = needs_browser

RUN = "document.documentElement.id='ran';new Image().src='http://127.0.0.1:PORT/ran'"
SCRIPTS = [
    f"<script>{RUN}</script>",
    f'"><img src=x onerror="{RUN}">',
    f'\'><svg onload="{RUN}">',
    f"</title></style></textarea><script>{RUN}</script>",
    f"--><body onload=\"{RUN}\"><iframe srcdoc='<script>parent.document.documentElement.id=1</script>'>",
    f"{{{{ ''.__class__ }}}}{{% raw %}}<script>{RUN}</script>",
    f"\u2028</script><script>{RUN}//",
]
PLENTY = " ".join("".join(letters) for letters in product("bdfgkl", "aeiou", "mnprst", "z"))  # words, to be no stuffing
Dump = Callable[[Path], str]


@pytest.fixture
def dump(tmp_path: Path) -> Dump:
    """The document a browser makes of a file, after all that wants to run has run."""

    def look(page: Path) -> str:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        flags += ["--virtual-time-budget=2000", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
        shown = subprocess.run([BROWSER or "chromium", *flags, page.as_uri()], capture_output=True, timeout=240)
        assert b"<html" in shown.stdout, shown.stderr[-500:]
        return shown.stdout.decode("utf-8", "replace")

    return look


def hostile_site(scripts: list[str]) -> Attack:
    """Pages that carry script in every place a report may show."""

    async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
        if request.path == "/robots.txt":
            rules = "User-agent: *\n" + "".join(f"Disallow: /no{one}\n" for one in scripts)
            await ok(writer, said(rules.encode(), media="text/plain"))
        elif request.path.startswith("/media"):
            await ok(writer, said(b"x", media=f"image/{scripts[0]}"))
        elif request.path.startswith("/moved"):
            await ok(writer, said(b"", status="302 Found", more=f"Location: /x/{quote(scripts[1])}{'y' * 10}\r\n"))
        elif request.path.startswith("/broken"):
            await ok(writer, f"HTTP/1.1 {scripts[0]}\r\n\r\n".encode())
        else:
            await ok(writer, said(_page(scripts)))

    return Attack("robotsscript", "script everywhere", answer, "", 0)


def _page(scripts: list[str]) -> bytes:
    links = [
        f"/{where}{quote(one, safe=safe)}"
        for where in ("x/", "no", "media")
        for one in scripts
        for safe in ("", "<>'()=;:")
    ]
    links += ["/moved", "/broken", f"javascript:{scripts[0]}", f"http://robotsscript.test/?q={scripts[0]}"]
    anchors = "".join(f"<a href='{escape(link)}'>bees {escape(scripts[n % 7])}</a> " for n, link in enumerate(links))
    text = " ".join(escape(one) for one in scripts)
    metas = "".join(
        f"<meta name='{name}' content='{escape(scripts[n % 7])}'>"
        for n, name in enumerate(("description", "author", "keywords", "article:published_time", "og:site_name"))
    )
    head = f"<html lang=en><title>Honey bees {text}</title>{metas}<h1>Honey bees {text}</h1>"
    return f"{head}<p>{words('report', 60, 0.5)} {PLENTY} {text}</p><p>{anchors}</p>".encode()


def crawled(folder: Path, scripts: list[str]) -> Path:
    site = hostile_site(scripts)
    keywords = {"bees": 1.0, "honey": 2.0, **dict.fromkeys(scripts, 0.5)}
    topic = Topic(name=f"bees {scripts[0]}", keywords=keywords, starts=("http://robotsscript.test/",))
    with HostileServer([site]) as server:
        opened = (f"127.0.0.1:{server.port}",)
        settings = Settings(delay=0.0, pages=60, retries=0, contact=scripts[1], threshold=0.01)
        crawl = Crawl(Folder(folder), topic, settings, names=server.names(), opened=opened)
        crawl.create()
        summary = run(crawl)
    assert summary.records
    return write_report(Folder(folder))


def test_nothing_runs_in_the_report_of_a_page_full_of_script(dump: Dump, tmp_path: Path) -> None:
    with bell() as (port, rung):
        _nothing_runs(port, rung, dump, tmp_path)


def _nothing_runs(port: int, rung: list[str], dump: Dump, tmp_path: Path) -> None:
    scripts = [one.replace("PORT", str(port)) for one in SCRIPTS]
    control = tmp_path / "control.html"
    control.write_text(f"<!doctype html><title>x</title>{scripts[0]}", encoding="utf-8")
    assert 'id="ran"' in dump(control)  # the browser would run it, and we would notice
    assert (before := len(rung))

    report = crawled(tmp_path / "crawl", scripts)
    text = report.read_text(encoding="utf-8")
    bare = tmp_path / "bare.html"  # escaping alone must do, without the policy's help
    policy = next(line for line in text.splitlines() if "Content-Security-Policy" in line)
    bare.write_text(text.replace(policy, ""), encoding="utf-8")
    assert scripts[0][:8] not in text
    for page in (report, bare):
        shown = dump(page)
        assert "onerror" in shown  # the attack is on the page, as text
        tree = LexborHTMLParser(shown)
        assert tree.root is not None
        assert tree.root.attributes.get("id") is None
        assert tree.css("script, iframe, object, embed, img, base, form, input, link") == []
        for node in tree.css("*"):
            assert not [name for name in node.attributes if name.startswith("on") or name == "srcdoc"], node.html
        hrefs = [node.attributes.get("href") or "" for node in tree.css("[href]")]
        assert hrefs
        assert all(href.startswith(("http://", "https://")) for href in hrefs)
    assert rung[before:] == []


def test_the_policy_alone_stops_a_script_that_got_in(dump: Dump, tmp_path: Path) -> None:
    with bell() as (port, rung):
        scripts = [one.replace("PORT", str(port)) for one in SCRIPTS]
        report = crawled(tmp_path / "crawl", scripts)
        torn = report.read_text(encoding="utf-8").replace("</main>", f"{scripts[0]}{scripts[1]}</main>")
        report.write_text(torn, encoding="utf-8")
        assert 'id="ran"' not in dump(report)
        assert rung == []
