"""Once the judge has learnt what it will, what a page is about is read only where it may decide."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from honeyguide.api import demo_topic
from honeyguide.crawling import Crawl, Settings, verdicts
from honeyguide.crawling.labels import label
from honeyguide.crawling.verdicts import Verdicts
from honeyguide.demo import DemoWeb
from honeyguide.demo.offline import write_web
from honeyguide.page.digest import Digest, decode
from honeyguide.store import Folder, Store, VisitRow
from honeyguide.topic import Topic
from tests.crawling.conftest import run

PAGES = 400


@pytest.fixture
def web(demo_web: DemoWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo web as an archive, and a judge that has learnt all it will after a few pages."""
    monkeypatch.setattr(verdicts, "_SIZES", (8, 16, 32, 64, 128))
    write_web(tmp_path / "web", demo_web)
    return tmp_path / "web"


def crawled(
    folder: Path, web: Path, topic: Topic | None = None, **settings: object
) -> dict[str, tuple[VisitRow, Digest]]:
    """Each page that a blind crawl visited, and what was kept of it."""
    chosen = {"web": str(web / "pages.warc.gz"), "strategy": "breadth-first", "pages": PAGES, "careful": False}
    one = Crawl(Folder(folder), topic or demo_topic(), Settings(**{**chosen, **settings}))  # type: ignore[arg-type]
    one.create()
    run(one)
    return pages_of(folder)


def pages_of(folder: Path) -> dict[str, tuple[VisitRow, Digest]]:
    store = Store.open(Folder(folder).database, read_only=True)
    found = {}
    for visit in store.visits("page"):
        blob = store.digest(visit.id)
        assert blob is not None
        found[store.url(visit.url).url] = visit, decode(blob)
    store.close()
    return found


def test_nothing_is_lost_by_what_was_left_unread(
    web: Path, tmp_path: Path, demo_web: DemoWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    glanced = crawled(tmp_path / "glanced", web)
    monkeypatch.setattr(Verdicts, "glances", False)
    closely = crawled(tmp_path / "closely", web)
    assert glanced.keys() == closely.keys()
    turned = {url for url in glanced if glanced[url][0].on_topic != closely[url][0].on_topic}
    assert len(turned) <= len(closely) / 100
    assert not turned & next(topic.relevant for topic in demo_web.topics if topic.id == "bees")
    unread = {url for url, (_, page) in glanced.items() if page.glanced}
    english = {url for url, (_, page) in closely.items() if page.language == "en"}
    assert unread <= english
    assert len(unread) > (len(english) - 128) / 3  # many pages of a blind crawl are hopeless, behind the first few
    for url, (visit, page) in glanced.items():
        if url in unread:
            assert not page.meaning
            assert visit.relevance < 0.25  # half of the highest bar: no close call
        elif page.language == "en":
            assert page.meaning == closely[url][1].meaning
        assert not page.unread  # the text itself is kept nowhere
    assert not any(page.glanced for _, page in closely.values())


def test_a_judge_of_words_alone_has_pages_read_that_may_be_on_topic_for_words_put_there_are_none(
    web: Path, tmp_path: Path
) -> None:
    given = demo_topic()
    topic = msgspec.structs.replace(given, examples=(), starts=given.starting_points)
    pages = crawled(tmp_path / "crawl", web, topic)
    unread = [visit for visit, page in pages.values() if page.glanced]
    assert len(unread) > 30
    assert not any(visit.on_topic for visit in unread)
    kept = [(visit, page) for visit, page in pages.values() if visit.on_topic and page.language == "en"]
    assert len(kept) > 10
    assert all(page.meaning and "words alone" not in visit.verdict for visit, page in kept)


def test_workers_send_the_text_along_and_the_brain_reads_what_it_needs(web: Path, tmp_path: Path) -> None:
    pages = crawled(tmp_path / "crawl", web, workers=2)
    unread = [(visit, page) for visit, page in pages.values() if page.glanced]
    assert len(unread) > 30
    assert not any(visit.on_topic or page.meaning or page.unread for visit, page in unread)
    kept = [page for visit, page in pages.values() if visit.on_topic and page.language == "en"]
    assert len(kept) > 10
    assert all(page.meaning for page in kept)


def test_a_page_that_was_left_unread_is_read_when_it_is_labelled(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    before = crawled(folder, web)
    url = next(url for url, (_, page) in before.items() if page.glanced)
    label(Folder(folder), {url: True})
    visit, page = pages_of(folder)[url]
    assert visit.on_topic
    assert page.meaning
    assert not page.glanced
