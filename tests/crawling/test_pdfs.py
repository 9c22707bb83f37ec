"""PDFs and walls over real HTTP: what is on topic becomes a record, and nothing they are made of stops a crawl."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from honeyguide.corpus import Corpus
from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.questions import status, why
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic
from tests.crawling.webs import ABOUT_BEES, page
from tests.page.pdfs import make_pdf

LINES = [(11.0, ABOUT_BEES[start : start + 88]) for start in range(0, len(ABOUT_BEES), 88)]
ABOUT_SHIPS = "A ship sails over the sea with its crew, its cargo and its captain, from harbour to harbour. " * 3
SHIPS = [(11.0, ABOUT_SHIPS[start : start + 88]) for start in range(0, len(ABOUT_SHIPS), 88)]
PAPER = make_pdf(
    [(20.0, "Honey bees of the hive"), *LINES],
    info={"Title": "Honey bees of the hive", "Author": "Jane Doe", "CreationDate": "D:20140718083000Z"},
    links=["http://{host}/beyond"],
)
LOOP = make_pdf(LINES).replace(b"/Kids [", b"/Kids [2 0 R ").replace(b"/Count 1", b"/Count 9")
WALL = b"<title>Just a moment...</title><p>Honey bees: enable JavaScript and cookies to continue to honey bees.</p>"


@pytest.fixture
def served() -> Iterator[str]:
    """A site with PDFs, good and bad, and a wall; its host and port."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host = self.headers["Host"]
            links = ["paper.pdf", "ships.pdf", "loop.pdf", "noise.pdf", "half.pdf", "wall", "ship"]
            answers = {
                "/": page("Honey bees", ABOUT_BEES * 2, *(f"http://{host}/{link}" for link in links)),
                "/paper.pdf": PAPER.replace(b"{host}".ljust(6), host.encode()),
                "/ships.pdf": make_pdf([(20.0, "Ships"), *SHIPS]),
                "/loop.pdf": LOOP,
                "/noise.pdf": b"%PDF-1.7 " + bytes(range(256)) * 40,
                "/half.pdf": PAPER[: len(PAPER) // 3],
                "/wall": WALL,
                "/ship": page("Ships", ABOUT_SHIPS),
                "/beyond": page("More on honey bees", ABOUT_BEES + "A drone has no sting and gathers no honey."),
            }
            body = answers.get(self.path)
            media = "application/pdf" if self.path.endswith(".pdf") else "text/html; charset=utf-8"
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def _topic(host: str) -> Topic:
    return Topic(name="Bees", keywords={"honey": 2.0, "bees": 2.0, "hive": 1.0}, starts=(f"http://{host}/",))


@pytest.mark.parametrize(("workers", "careful"), [(1, True), (2, True), (1, False)])
def test_pdfs_on_topic_become_records_and_bad_ones_are_listed_with_the_reason(
    workers: int, careful: bool, served: str, tmp_path: Path
) -> None:
    settings = Settings(pages=20, delay=0.0, open=(served,), workers=workers, careful=careful, text=True)
    crawl = Crawl(Folder(tmp_path / "crawl"), _topic(served), settings)
    crawl.create()
    assert asyncio.run(crawl.run()).stop_reason == "nothing left to visit"
    with Corpus(tmp_path / "crawl") as corpus:
        records = {record.url.rpartition("/")[2]: record for record in corpus}
    paper = records["paper.pdf"]
    assert paper.title == "Honey bees of the hive"
    assert "the beekeeper takes the honey from the hive" in paper.text
    assert paper.kind == "pdf"
    if careful:
        assert (paper.published, paper.authors) == ("2014-07-18T08:30:00+00:00", ["Jane Doe"])
    assert "beyond" in records  # which only the PDF links to
    assert not records.keys() & {"ships.pdf", "noise.pdf", "half.pdf", "wall", "ship"}
    listed = {url.rpartition("/")[2] for url in status(Folder(tmp_path / "crawl"))["pdfs"]}
    assert listed - {"loop.pdf"} == {"noise.pdf", "half.pdf"}
    for name in listed:
        assert why(Folder(tmp_path / "crawl"), f"http://{served}/{name}").visits[0].detail


def test_a_wall_on_topic_is_not_kept_and_the_reason_is_told(served: str, tmp_path: Path) -> None:
    crawl = Crawl(Folder(tmp_path / "crawl"), _topic(served), Settings(pages=20, delay=0.0, open=(served,)))
    crawl.create()
    asyncio.run(crawl.run())
    found = why(Folder(tmp_path / "crawl"), f"http://{served}/wall").visits[0]
    store = Store.open(tmp_path / "crawl" / "crawl.db", read_only=True)
    urls = {record.url for _, record in store.records.all()}
    store.close()
    assert f"http://{served}/wall" not in urls
    if found.on_topic:
        assert found.unkept == "it only asks whether a person is reading"
