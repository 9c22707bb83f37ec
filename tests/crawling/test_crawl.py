"""A crawl from end to end: what it finds, what it keeps, why it stops."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from honeyguide.api import demo_topic
from honeyguide.corpus import Corpus
from honeyguide.crawling import Crawl, Progress, Settings, status, why
from honeyguide.crawling.brain import Brain
from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.keeping import Keeping
from honeyguide.demo import DemoServer, DemoTopic
from honeyguide.errors import CrawlFolderError, StrategyError, TopicError, UnknownStrategy
from honeyguide.page.digest import decode
from honeyguide.store import Folder, Store
from honeyguide.strategies import make
from honeyguide.topic import Topic
from tests.crawling.conftest import Crawler, run, visited


def test_true_harvest_is_at_least_one_and_a_half_times_that_of_breadth_first(
    crawl: Crawler, truth: DemoTopic, tmp_path: Path
) -> None:
    found = {}
    for strategy in ("hopfield", "breadth-first"):
        crawl(strategy, strategy=strategy, pages=150)
        pages = visited(tmp_path / strategy)
        assert len(pages) == 150
        found[strategy] = len(truth.relevant.intersection(pages))
    assert found["hopfield"] >= 1.5 * found["breadth-first"], found


def test_the_judge_agrees_with_the_truth_on_most_pages(crawl: Crawler, truth: DemoTopic, tmp_path: Path) -> None:
    crawl(pages=200, connections=1)  # one after another: the same pages however busy the machine is
    store = Store.open(tmp_path / "crawl" / "crawl.db", read_only=True)
    pages = [(store.url(visit.url).url, visit) for visit in store.visits("page", originals=True)]
    store.close()
    kept = {url for url, visit in pages if visit.on_topic}
    right = kept & truth.relevant
    assert len(right) / len(kept) > 0.9
    assert len(right) / len(truth.relevant.intersection(url for url, _ in pages)) > 0.7


def test_a_url_is_visited_once_and_the_budget_is_kept_exactly(crawl: Crawler, tmp_path: Path) -> None:
    summary = crawl(pages=90)
    pages = visited(tmp_path / "crawl")
    assert len(pages) == len(set(pages)) == summary.pages == 90
    assert summary.stop_reason == "the budget of 90 pages is spent"


def test_each_answer_is_in_the_warc_and_the_database_knows_where(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=60)
    folder = tmp_path / "crawl"
    with (folder / "pages.warc.gz").open("rb") as file:
        archived = [
            record.rec_headers["WARC-Target-URI"] for record in ArchiveIterator(file) if record.rec_type == "response"
        ]
    store = Store.open(folder / "crawl.db", read_only=True)
    known = [store.url(visit.url).url for visit in store.visits() if visit.warc is not None]
    assert store.meta("warc") == (folder / "pages.warc.gz").stat().st_size
    store.close()
    assert archived == known
    assert len(known) > 50


def test_records_are_made_with_title_date_and_parent_and_can_be_searched(crawl: Crawler, tmp_path: Path) -> None:
    summary = crawl(pages=60, careful=True)
    with Corpus(tmp_path / "crawl") as corpus:
        records = list(corpus)
        assert len(records) == summary.records > 5
        assert all(record.careful and record.title and record.text for record in records)
        assert sum(record.published is not None for record in records) >= 0.8 * len(records)
        assert any(record.parent for record in records)
        assert corpus.search("hive")


def test_without_careful_records_the_quick_text_is_kept(crawl: Crawler, tmp_path: Path) -> None:
    summary = crawl(pages=60)
    with Corpus(tmp_path / "crawl") as corpus:
        records = list(corpus)
    assert len(records) == summary.records > 5
    assert all(record.text and not record.careful for record in records)


def test_pages_wait_while_many_records_do(crawl: Crawler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However fast pages come: what waits for its record is held in memory."""
    assert crawl(pages=80, threshold=0.001).records > 40  # all but everything is on topic
    store = Store.open(tmp_path / "crawl" / "crawl.db")
    for visit in store.records.visits():
        store.records.drop(visit)
    store.close()
    waiting: list[int] = []
    give = Brain.next_order

    def counted(self: Brain, now: float, wall: float, floor: float = -math.inf) -> Order | None:
        waiting.append(len(self.keeping.wanted))
        return give(self, now, wall, floor)

    monkeypatch.setattr(Brain, "next_order", counted)
    summary = crawl(pages=100, threshold=0.001, resume=True)
    assert summary.records > 50
    assert max(waiting) <= 16


def test_a_record_that_was_dropped_is_not_made(tmp_path: Path, crawl: Crawler) -> None:
    crawl(pages=30)
    store = Store.open(tmp_path / "crawl" / "crawl.db")
    keeping = Keeping(Settings(), store)
    first, second = list(store.visits("page", on_topic=True))[:2]
    for visit in (first, second, first):  # kept, dropped, and kept again
        blob = store.digest(visit.id)
        assert blob is not None
        keeping.keep(visit, decode(blob))
    keeping.drop(second.id)
    orders = list(iter(keeping.next_order, None))
    assert [order.visit for order in orders] == [first.id, first.id]
    kept = keeping.kept
    for order in orders:
        keeping.made(Answer(order, text="Bees make honey."))
    assert keeping.kept == kept + 1
    store.close()


def test_a_record_is_made_once_however_often_its_page_is_dropped_and_kept_again(tmp_path: Path, crawl: Crawler) -> None:
    crawl(pages=30, careful=True)
    store = Store.open(tmp_path / "crawl" / "crawl.db")
    keeping = Keeping(Settings(), store)
    told: list[int] = []
    keeping.on_record = lambda visit, _: told.append(visit)
    visit = store.visit(min(store.records.visits()))
    before, blob = store.records.get(visit.id), store.digest(visit.id)
    assert blob is not None
    keeping.drop(visit.id)
    assert (store.records.get(visit.id), keeping.kept) == (None, -1)
    visit.relevance = 0.125  # what the judge has come to
    keeping.keep(visit, decode(blob))
    assert keeping.next_order() is None
    now = store.records.get(visit.id)
    assert before is not None
    before.relevance = 0.125
    assert (now, keeping.kept, told) == (before, 0, [visit.id])
    store.close()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"seconds": 0.3, "pages": 10_000, "delay": 0.2}, "the time of 0.3 seconds is up"),
        ({"records": 5}, "5 pages on topic found, and no more asked for"),
        ({"allow": ("nothing-matches-this",), "pages": 500}, "nothing left to visit"),
    ],
)
def test_it_says_why_it_stopped(crawl: Crawler, settings: dict[str, object], reason: str, tmp_path: Path) -> None:
    assert crawl(**settings).stop_reason == reason
    assert json.loads((tmp_path / "crawl" / "manifest.json").read_text())["stop_reason"] == reason


def test_a_stopped_crawl_ends_cleanly_and_goes_on_where_it_was(crawl: Crawler, tmp_path: Path) -> None:
    def stop_soon(one: Crawl) -> None:
        one.events.tell(lambda _: one.stop() if one.brain.visits else None, Progress)

    first = crawl(pages=150, delay=0.05, setup=stop_soon)
    assert first.stop_reason == "stopped by the user"
    assert 0 < first.pages < 150
    second = crawl(pages=150, resume=True)
    pages = visited(tmp_path / "crawl")
    assert second.pages == len(pages) == len(set(pages)) == 150


def test_scope_depth_and_host_limits_hold(crawl: Crawler, tmp_path: Path) -> None:
    crawl("site", pages=100, deny=(r"news\.demo\.test",), per_host=12)
    pages = visited(tmp_path / "site")
    starts = set(demo_topic().starts + demo_topic().examples)
    assert not [url for url in pages if "news.demo.test" in url and url not in starts]
    hosts = [url.split("/")[2] for url in pages]
    assert max(hosts.count(host) for host in hosts) <= 12
    crawl("shallow", pages=300, depth=1)
    store = Store.open(tmp_path / "shallow" / "crawl.db", read_only=True)
    assert max(store.url(visit.url).depth for visit in store.visits()) == 1
    store.close()


def test_redirects_feeds_and_failures_are_recorded_as_such(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=2_000, deny=(r"trap\.demo\.test",), strategy="breadth-first", delay=0.0)
    found = status(Folder(tmp_path / "crawl"))
    assert found["stop_reason"] == "nothing left to visit"
    assert {"page", "redirect", "missing", "feed"} <= set(found["outcomes"])
    assert found["pdfs"] == []  # all of them could be read, and are pages like any other
    assert found["duplicates"] > 3
    assert any("robots.txt" in reason for reason in found["refusals"])


def test_why_tells_the_way_to_a_page_its_rank_and_its_words(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=120)
    folder = Folder(tmp_path / "crawl")
    store = Store.open(folder.database, read_only=True)
    visit = next(
        visit for visit in store.visits(on_topic=True) if visit.role == "page" and store.url(visit.url).depth > 1
    )
    url = store.url(visit.url).url
    queued = next(row.url for row in store.urls() if not store.visits_of(row.id))
    store.close()
    told = why(folder, url)
    assert told.state == "visited"
    assert told.found_on
    assert told.found_on[-1] in demo_topic().starts
    assert told.reason
    assert told.visits[0].on_topic
    assert any(weight > 0 for _, weight in told.visits[0].words)
    assert why(folder, queued).state in ("queued", "refused")
    assert why(folder, "http://news.demo.test/logo.png").state == "refused"
    assert why(folder, "http://elsewhere.test/").state.startswith("unknown")


def test_nothing_is_asked_that_is_not_opened(server: DemoServer, tmp_path: Path) -> None:
    # The demo server's address is private; without opening it the guard refuses it, and the crawl says so.
    one = Crawl(Folder(tmp_path / "c"), demo_topic(), Settings(web="demo", delay=0.0), names=dict(server.resolve))
    one.create()
    summary = run(one)
    assert not server.log
    assert summary.stop_reason.startswith(("nothing left", "none of the examples"))
    assert any("address refused" in failure for failure in summary.failures)


def test_a_crawl_needs_a_start_a_known_strategy_and_a_folder_of_its_own(crawl: Crawler, tmp_path: Path) -> None:
    with pytest.raises(UnknownStrategy, match=r"known: .*cosine"):
        crawl("a", strategy="bets-first")
    with pytest.raises(TopicError, match="nowhere to start"):
        crawl("b", topic=Topic(name="x", keywords={"x": 1.0}))
    assert not (tmp_path / "a").exists()
    crawl("c", pages=8)
    with pytest.raises(CrawlFolderError, match="already holds a crawl"):
        crawl("c", pages=8)
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "letter.txt").write_text("keep me")
    with pytest.raises(CrawlFolderError, match="not empty"):
        crawl("d")
    assert (tmp_path / "d" / "letter.txt").read_text() == "keep me"


def test_a_strategy_that_breaks_down_is_told_in_one_sentence_and_loses_nothing(crawl: Crawler, tmp_path: Path) -> None:
    file = tmp_path / "frail.py"
    file.write_text(
        "from honeyguide.strategies import Strategy\n"
        "class Frail(Strategy):\n"
        '    """Breaks down."""\n'
        "    name, met = 'frail', 0\n"
        "    def page(self, page):\n"
        "        self.met += 1\n"
        "        return [(link.id, 1 / max(0, 20 - self.met)) for link in page.links]\n"  # the 20th may have none
    )
    with pytest.raises(StrategyError, match=r"failed on http://.*: ZeroDivisionError: .* \(frail\.py, line 7\)"):
        crawl(pages=60, strategy=f"{file}:Frail")
    file.write_text(file.read_text().replace("1 / max(0, 20 - self.met)", "1.0"))
    assert crawl(pages=60, resume=True, strategy=f"{file}:Frail").pages == 60
    pages = visited(tmp_path / "crawl")
    assert len(pages) == len(set(pages)) == 60


def test_the_manifest_is_enough_to_repeat_the_crawl(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=30, seed=3)
    manifest = json.loads((tmp_path / "crawl" / "manifest.json").read_text())
    assert manifest["settings"]["pages"] == 30
    assert manifest["seed"] == 3
    assert manifest["strategy"]["name"] == Settings().strategy
    assert manifest["strategy"]["settings"] == make(Settings().strategy).settings
    assert manifest["counts"]["visits"] == 30
    assert manifest["libraries"]["aiohttp"]
    assert Topic.load(tmp_path / "crawl" / "topic.toml") == demo_topic()


def test_an_example_that_is_a_start_too_has_its_links_followed(crawl: Crawler, tmp_path: Path) -> None:
    examples = demo_topic().examples
    topic = Topic(name="bees", keywords={"bee": 1.0}, examples=examples, starts=examples)
    assert crawl(pages=30, topic=topic).pages == 30


def test_starts_come_first_whatever_a_strategy_says_later(crawl: Crawler, tmp_path: Path) -> None:
    file = tmp_path / "down.py"
    file.write_text(
        "from honeyguide.strategies import Strategy\n"
        "class Down(Strategy):\n"
        '    """Talks every URL down."""\n'
        "    name, revise_every = 'down', 1\n"
        "    def start(self, brief, seed):\n"
        "        self.graph, self.starts = brief.graph, brief.topic.starts\n"
        "    def page(self, page):\n"
        "        return [(link.id, 5.0) for link in page.links]\n"
        "    def revise(self):\n"
        "        return [(self.graph.find(url), -1.0) for url in self.starts]\n"
    )
    base = "http://hub.demo.test/"
    starts = tuple(f"{base}{name}" for name in ("", "start", "a", "b", "c"))
    topic = Topic(name="bees", keywords={"bee": 1.0}, starts=starts)
    crawl(topic=topic, pages=120, strategy=f"{file}:Down", choosy=0.0)
    on_hub = [url for url in visited(tmp_path / "crawl") if url.startswith(base)]  # other hosts have turns of their own
    assert on_hub[: len(starts)] == list(starts)
