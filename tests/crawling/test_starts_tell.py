"""Without an example, a start that fits the keywords tells the topic: wherever it led, and after a resume as well."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from proofs.again_hosts import Said, served

from honeyguide.crawling import Crawl, Settings
from honeyguide.dry_run import judge as dry_run
from honeyguide.store import Folder, Store
from honeyguide.topic import Judge, Topic
from tests.crawling.conftest import run

STARTS = ("http://a.test/go", "http://a.test/chess0", "http://a.test/")
TOPIC = Topic(name="bees", keywords={"bees": 1.0}, starts=STARTS)
BEES = "<title>Bees and hives</title><p>Bees keep honey in the hive, and the bees of a hive have one queen. Bees swarm."
CHESS = "<title>Chess {0}</title><p>The rook takes pawn {0}, and the king of board {0} has no square left to go to."


def answer(path: str) -> Said:
    html = {"Content-Type": "text/html; charset=utf-8"}
    if path == "/go":
        return 302, {"Location": "/bees"}, b""
    if path in ("/bees", "/"):
        return 200, html, f"{BEES} {'The paper of the bees.' if path == '/' else ''}".encode()
    if path.startswith("/chess"):
        number = int(path.removeprefix("/chess"))
        links = "".join(f'<a href="/chess{other}">{other}</a>' for other in range(number + 1, number + 4))
        return 200, html, f"{CHESS.format(number)} word{number} term{number * 7} {links}".encode()
    return 404, {}, b""


def crawl(folder: Path, port: int, pages: int, *, resume: bool = False) -> Judge:
    """Crawl, and give the judge as it is at the end, or as it would be taken up."""
    settings = Settings(delay=0.0, careful=False, pages=pages)
    one = Crawl(Folder(folder), TOPIC, settings, names={"a.test": ("127.0.0.1", port)}, opened=(f"127.0.0.1:{port}",))
    if resume:
        one.open()
        one.close()
    else:
        one.create()
        run(one)
    judge = one.brain.verdicts.judge
    assert isinstance(judge, Judge)
    return judge


def test_a_start_that_fits_the_keywords_is_an_example_also_after_a_resume(tmp_path: Path) -> None:
    with served(answer) as port:
        judge = crawl(tmp_path / "crawl", port, 20)
        again = crawl(tmp_path / "crawl", port, 21, resume=True)
    assert judge._state.starts == again._state.starts == 1
    assert judge.threshold == again.threshold
    assert msgspec.msgpack.encode(judge._state) == msgspec.msgpack.encode(again._state)


@pytest.mark.parametrize(("examples", "first"), [((), True), (("http://a.test/bees",), False)])
def test_where_no_example_tells_the_topic_the_starts_come_before_all_links(
    tmp_path: Path, examples: tuple[str, ...], first: bool
) -> None:
    # A front page whose links are all about bees, and starts whose addresses say nothing.
    starts = ("http://a.test/front", *(f"http://a.test/x{number}" for number in range(3)))

    def told(path: str) -> Said:
        bees = "".join(f'<a href="/bees{number}">Bees and hives {number}</a>' for number in range(9))
        name = path.strip("/")
        return 200, {"Content-Type": "text/html"}, f"{BEES} {name} {bees if name == 'front' else ''}".encode()

    topic = Topic(name="bees", keywords={"bees": 1.0}, starts=starts, examples=examples)
    with served(told) as port:
        settings = Settings(delay=0.0, careful=False, pages=4 + len(examples), connections=1)
        names, opened = {"a.test": ("127.0.0.1", port)}, (f"127.0.0.1:{port}",)
        one = Crawl(Folder(tmp_path / "crawl"), topic, settings, names=names, opened=opened)
        one.create()
        run(one)
    store = Store.open(tmp_path / "crawl" / "crawl.db", read_only=True)
    visited = [store.url(visit.url).url for visit in store.visits("page")]
    store.close()
    assert (set(starts) <= set(visited)) == first


def test_pages_asked_about_are_no_hint_of_the_topic() -> None:
    with served(answer) as port:
        paths = ["bees", *(f"chess{number}" for number in range(12))]
        urls = [f"http://127.0.0.1:{port}/{path}" for path in paths]
        asked = dry_run(TOPIC, urls, delay=0.0, open=(f"127.0.0.1:{port}",))
    assert asked.against == len(urls)
    assert "keywords alone" in asked.advice
    assert asked.pages[0].on_topic
