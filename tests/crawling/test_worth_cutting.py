"""Pages are cut into blocks only where a strategy finds them worth it; all of them where articles are asked for."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from honeyguide.api import demo_topic
from honeyguide.crawling import Crawl, Settings
from honeyguide.demo import DemoWeb
from honeyguide.demo.offline import write_web
from honeyguide.page.digest import Digest, decode
from honeyguide.page.parse import Parser
from honeyguide.store import Folder, Store, VisitRow
from honeyguide.strategies import Strategy
from honeyguide.topic import Topic
from tests.crawling.conftest import run

PAGES = 60
HTML = b"""<title>Bees</title><link rel=alternate type=application/rss+xml href=/feed>
<nav><a href=/about>About</a></nav>
<h1>Bees</h1><p>Bees live in hives, and <a href=hive>hives</a> stand in gardens all over the valley.</p>"""


@pytest.fixture
def web(demo_web: DemoWeb, tmp_path: Path) -> str:
    write_web(tmp_path / "web", demo_web)
    return str(tmp_path / "web" / "pages.warc.gz")


def of_any_kind(kind: str = "any") -> Topic:
    topic = demo_topic()
    return Topic(name=topic.name, keywords=topic.keywords, examples=topic.examples, kind=kind)  # type: ignore[arg-type]


def crawled(folder: Path, web: str, topic: Topic | None = None, **settings: object) -> list[tuple[VisitRow, Digest]]:
    """Each page a crawl visited, in order, and what was kept of it."""
    chosen = {"web": web, "strategy": "hopfield-blocks", "pages": PAGES, "careful": False, **settings}
    one = Crawl(Folder(folder), topic or of_any_kind(), Settings(**chosen))  # type: ignore[arg-type]
    one.create()
    run(one)
    store = Store.open(Folder(folder).database, read_only=True)
    found = [(visit, decode(store.digest(visit.id) or b"")) for visit in store.visits("page")]
    store.close()
    return found


def test_only_pages_on_topic_are_cut(web: str, tmp_path: Path) -> None:
    pages = crawled(tmp_path / "crawl", web)
    assert [bool(page.parts) for _, page in pages] == [visit.first_on_topic for visit, _ in pages]
    assert {bool(page.parts) for _, page in pages} == {True, False}


def test_where_articles_are_asked_for_all_are_cut(web: str, tmp_path: Path) -> None:
    assert all(page.parts for _, page in crawled(tmp_path / "crawl", web, of_any_kind("article")))


def test_any_strategy_may_choose_which_pages_it_wants_cut(
    web: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Strategy, "_registry", dict(Strategy._registry))  # what is made here is known here alone
    shown: set[tuple[bool, bool]] = set()

    class Choosy(Strategy):
        """Has pages cut that say much."""

        name: ClassVar[str] = "choosy-of-blocks"
        structure: ClassVar[bool] = True

        def worth_cutting(self, page: Digest) -> bool:
            return page.words > 60

        def page(self, page: Digest) -> list[tuple[int, float]]:
            if page.kind == "html":
                shown.add((page.words > 60, bool(page.parts)))
            return [(number, 0.0) for number in page.targets.tolist()]

    crawled(tmp_path / "crawl", web, strategy=Choosy.name)
    assert shown == {(True, True), (False, False)}


@pytest.mark.parametrize(
    "body",
    [
        HTML,
        HTML.replace(b"valley", b"val\x01ley"),
        b'<base href="/deep/">' + HTML,
        HTML.replace(b"<h1>", b'<base href="//other.test/"><h1>'),  # too late to count
        b"",
    ],
)
def test_a_page_cut_later_is_the_page_cut_at_once(body: bytes) -> None:
    page, whole = Parser(structure=False).html(body, "http://a.test/"), Parser().html(body, "http://a.test/")
    terms = dict(page.terms)
    Parser().cut(page, body)
    assert (page.blocks, page.parts, page.links, page.left_out) == (
        whole.blocks,
        whole.parts,
        whole.links,
        whole.left_out,
    )
    assert page.terms == terms
