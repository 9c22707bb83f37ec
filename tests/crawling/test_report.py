"""The report tells the crawl truly, and nothing from the web runs or loads in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from honeyguide.crawling.charts import nice
from honeyguide.crawling.report import _chart, write_report
from honeyguide.errors import CrawlFolderError
from honeyguide.page.record import Record
from honeyguide.store import Folder, Store, UrlRow, VisitRow
from honeyguide.web.urls import key_of
from tests.clock import grows
from tests.inert import assert_inert

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7 * 7 }}<style>*{display:none}</style>&lt;b&gt;"
BAD_LINKS = ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x"]
MANIFEST: dict[str, Any] = {
    "honeyguide": "0.1.0",
    "python": "3.11.7",
    "libraries": {"aiohttp": "3.14.0"},
    "topic": {
        "name": "Honey bees",
        "kind": "news",
        "languages": ["en", "zh"],
        "keywords": {"honey bee": 2.0, "蜜蜂": 1.5, "wasp": -0.5},
        "examples": ["https://bees.example/queen"],
        "starts": ["https://bees.example/"],
    },
    "settings": {"pages": 40, "respect_robots": True, "deny": ["/login", "/cart"], "allow": []},
    "strategy": {"name": "cosine", "settings": {"smoothing": 0.5}},
    "seed": 7,
    "web": "demo",
    "started": 1_700_000_000.0,
    "seconds": 61.0,
    "stop_reason": "the budget of 40 pages was spent",
    "judge": {"threshold": 0.42},
}


class HandmadeCrawl:
    """A crawl to which a test adds visits one by one."""

    def __init__(self, path: Path, *hosts: str) -> None:
        self.folder = Folder(path)
        self.folder.prepare()
        self.store = Store.create(self.folder.database)
        self.records = self.store.records
        self.hosts = hosts or ("bees.example",)
        for number, name in enumerate(self.hosts):
            self.store.add_host(number, name)
        self.urls = 0

    def visit(
        self, title: str = "", *, url: str = "", host: int = 0, depth: int = 0, chance: float = 0.9, **more: Any
    ) -> int:
        """A visit; on topic from a half, and then with a record."""
        url = url or f"https://{self.hosts[host]}/{self.urls}"
        record = more.pop("record", None)
        given: dict[str, Any] = {"role": "page", "status": 200, "outcome": "page", "on_topic": chance >= 0.5, **more}
        self.store.begin()
        self.store.add_urls([UrlRow(self.urls, url, key_of(url), host, depth, 0, None, "")])
        row = VisitRow(url=self.urls, fetched=1_700_000_000.0 + self.urls, title=title, relevance=chance, **given)
        number = self.store.add_visit(row, None)
        if row.on_topic:
            self.records.put(number, record or Record(url, title, relevance=chance))
        self.urls += 1
        return number

    def report(self) -> LexborHTMLParser:
        """The report, read back."""
        self.store.close()
        return LexborHTMLParser(write_report(self.folder).read_bytes())


def text(page: LexborHTMLParser) -> str:
    assert page.body is not None
    return re.sub(r"\s+", " ", page.body.text(separator=" "))


@pytest.fixture
def crawl(tmp_path: Path) -> HandmadeCrawl:
    return HandmadeCrawl(tmp_path / "my-crawl", "bees.example", "rail.example", "slow.example")


def test_nothing_from_the_web_can_run(crawl: HandmadeCrawl) -> None:
    verdict = json.dumps({"words": [[EVIL, 1.0], ['x" onmouseover="alert(1)', -2.0]], "note": EVIL})
    for number, url in enumerate([*BAD_LINKS, f"https://bees.example/?q={EVIL}"]):
        record = Record(url, EVIL, published=EVIL, source=EVIL, authors=[EVIL], language=EVIL, text=EVIL, parent=url)
        crawl.visit(EVIL, url=url, record=record, verdict=verdict, reason=EVIL, language=EVIL)
        crawl.visit(EVIL, url=f"{url}#{number}", chance=0.3, verdict=verdict, reason=EVIL)
    crawl.visit(EVIL, chance=0.0, outcome="failed", detail=EVIL)
    crawl.store.park_host(2, EVIL)
    crawl.store.refuse(0, EVIL)
    crawl.store.add_host(9, EVIL)
    crawl.store.park_host(9, EVIL)
    wild = dict.fromkeys(("strategy", "web", "started", "ended", "stop_reason", EVIL), EVIL)
    topic = {"name": EVIL, "keywords": {EVIL: 1.0}, "examples": BAD_LINKS, "starts": [EVIL], "kind": EVIL}
    crawl.folder.write_manifest({**wild, "topic": topic, "settings": {EVIL: EVIL}, "libraries": {EVIL: [EVIL]}})
    page = crawl.report()
    assert_inert(page, href=r"https?://", style=r"(width|left|background-size):[0-9.]+%( 100%)?")
    assert "<script>alert(1)</script>" in text(page)
    assert "{{ 7 * 7 }}" in text(page)


def test_the_page_forbids_itself_everything(crawl: HandmadeCrawl) -> None:
    page = crawl.report()
    policy = page.css_first('meta[http-equiv="Content-Security-Policy"]').attributes["content"] or ""
    assert {"default-src 'none'", "style-src 'unsafe-inline'", "img-src data:"} <= set(policy.split("; "))
    source = crawl.folder.report.read_text("utf-8")
    assert not re.search(r"url\(|@import|https?://(?!bees\.example)", source)


def test_links_tell_nobody_where_they_were_clicked(crawl: HandmadeCrawl) -> None:
    crawl.visit("Bees")
    links = crawl.report().css("a[href]")
    assert links
    assert all("noreferrer" in (link.attributes["rel"] or "") for link in links)


def test_the_headline_numbers_are_those_of_the_crawl(crawl: HandmadeCrawl) -> None:
    for number in range(39):
        crawl.visit(f"Page {number}", chance=0.9 if number < 10 else 0.1, host=number % 2, size=1_000)
    crawl.visit("an example", role="example", on_topic=False, size=1_000)
    crawl.folder.write_manifest(MANIFEST)
    page = crawl.report()
    figures = [element.text(separator="|", strip=True) for element in page.css(".figure")]
    assert figures == [
        "40|pages fetched|40.0 kB",
        "10|on topic",
        "25 %|harvest rate",
        "10|records",
        "2|hosts|3 known",
        "1 min 1 s|time",
    ]
    assert page.css_first("h1").text() == "Honey bees"
    assert "the budget of 40 pages was spent" in text(page)
    assert "of them examples, fetched to learn from 1" in text(page)


def test_the_manifest_is_told(crawl: HandmadeCrawl) -> None:
    crawl.visit("Bees")
    crawl.folder.write_manifest(MANIFEST)
    told = text(crawl.report())
    assert "What it went by" not in told
    for words in (
        "strategy cosine",
        "cosine: smoothing 0.5",
        "seed 7",
        "aiohttp 3.14.0",
        "respect robots yes",
        "deny /login, /cart",
        "allow –",
        "started 14 November 2023, 22:13 UTC",
        "honey bee 2",
        "蜜蜂 1.5",
        "at least 42 %",
        "news",
        "en, zh",
    ):
        assert words in told, words


def test_what_the_strategy_went_by_is_shown(crawl: HandmadeCrawl) -> None:
    crawl.visit("Bees")
    crawl.folder.write_manifest({**MANIFEST, "history": {EVIL: [[5, 0.5], [10, 0.25]], "names": [[5, 1.0], [10, 1.5]]}})
    page = crawl.report()
    assert "What it went by" in text(page)
    rows = [row.text(separator=" ", strip=True) for row in page.css("tr") if row.css("svg.spark")]
    assert rows[0] == "names 1.00 1.50 1.50"
    assert rows[1].endswith("0.50 0.25 0.25")


def test_hosts_depths_languages_and_failures_are_counted(crawl: HandmadeCrawl) -> None:
    crawl.visit("a", host=0, depth=0, language="en")
    crawl.visit("b", host=0, depth=1, language="zh", chance=0.2)
    crawl.visit("c", host=1, depth=1, language="en", chance=0.2, duplicate=1)
    crawl.visit(host=1, depth=2, chance=0.0, outcome="failed", status=0, detail="connect timed out")
    crawl.visit(host=1, depth=2, chance=0.0, outcome="missing", status=404)
    crawl.visit(host=1, depth=2, chance=0.0, outcome="redirect", status=301)
    crawl.store.park_host(2, "5 failures in a row")
    crawl.store.refuse(1, "robots.txt forbids it")
    page = crawl.report()
    rows = {
        cells[0]: cells[1:] for row in page.css("tr") if (cells := [cell.text(strip=True) for cell in row.css("td")])
    }
    assert rows["bees.example"] == ["2", "1", "50 %"]
    assert rows["rail.example"] == ["4", "0", "0 %"]
    assert rows["slow.exampleparked: 5 failures in a row"] == ["0", "0", "0 %"]
    assert (rows["en"], rows["zh"]) == (["2", "1"], ["1", "0"])
    assert rows["failed:connect timed out"] == ["1"]
    assert rows["missing:HTTP 404"] == ["1"]
    assert rows["robots.txt forbids it"] == ["1"]
    assert [small.text() for small in page.css(".depth small")] == ["1 of 1", "0 of 2", "0 of 3"]
    assert "redirects 1" in text(page)
    assert "near duplicates 1" in text(page)


def test_records_come_best_first_with_the_words_that_decided(crawl: HandmadeCrawl) -> None:
    verdict = json.dumps({"words": [["queen", 0.5], ["football", -1.5], ["hive", 2.0]], "note": ""})
    crawl.visit("Good", chance=0.8, verdict=verdict, reason="the anchor says honey")
    crawl.visit("Best", chance=0.99995, record=Record("https://bees.example/best", "Best", "2024-05-01T10:00", "Hive"))
    entries = crawl.report().css("ol.entries > li")
    assert [entry.css_first(".name").text(strip=True) for entry in entries] == ["Best", "Good"]
    assert entries[0].css_first(".meta").text(separator=" ", strip=True).startswith("Hive 2024-05-01 ")
    assert [chip.text(separator=" ") for chip in entries[1].css(".chip")] == [
        "hive +2.0",
        "football −1.5",
        "queen +0.5",
    ]
    assert "Followed because: the anchor says honey" in entries[1].text()
    assert entries[0].css_first(".chance b").text() == "> 99.9 %"


def test_what_is_too_much_for_the_page_is_counted_and_can_be_exported(crawl: HandmadeCrawl) -> None:
    for number in range(203):
        crawl.visit(f"Page {number}", chance=0.6 + number / 1_000)
    page = crawl.report()
    names = [node.text() for node in page.css("ol.entries .name a")][:200]
    assert names == [f"Page {number}" for number in range(202, 2, -1)]
    assert "3 more records are not listed here; honeyguide export my-crawl --to csv writes them all" in text(page)


def test_the_doubtful_are_shown_on_both_sides(crawl: HandmadeCrawl) -> None:
    for chance in (0.99, 0.51, 0.6, 0.49, 0.02, 0.4):
        crawl.visit(f"page {chance}", chance=chance)
    sides = crawl.report().css("ul.entries")
    shown = [[name.text(strip=True) for name in side.css(".name")] for side in sides]
    assert shown == [["page 0.51", "page 0.6", "page 0.99"], ["page 0.49", "page 0.4", "page 0.02"]]


def test_an_empty_crawl_has_a_report(crawl: HandmadeCrawl) -> None:
    page = crawl.report()
    assert page.css_first("h1").text() == "my-crawl"
    assert "has not fetched a page yet" in text(page)
    assert not page.css("svg.wide")


@pytest.mark.parametrize(
    "manifest",
    [
        {},
        {"topic": "just a name"},
        {"topic": {"keywords": ["a", "list"], "examples": "no list"}, "settings": [1], "judge": 3, "strategy": None},
        {"topic": {"keywords": {"bee": "heavy"}}, "seconds": "long", "started": 1e30, "libraries": "all"},
        {"history": {"names": [[1]], "around": 7, "empty": []}},
        {"history": [1, 2]},
        {"started": "2024-05-01T10:00:00+08:00", "strategy": "cosine", "stop_reason": None, "seconds": 90_000},
    ],
)
def test_a_strange_manifest_does_no_harm(crawl: HandmadeCrawl, manifest: dict[str, Any]) -> None:
    crawl.visit("Bees", verdict="not json")
    crawl.visit("Wasps", chance=0.1, verdict='{"words": [1, ["a"], ["b", "c"]]}')
    crawl.folder.write_manifest(manifest)
    assert "Bees" in text(crawl.report())


def test_the_topic_file_speaks_when_the_manifest_is_silent(crawl: HandmadeCrawl) -> None:
    crawl.folder.topic.write_text(
        'name = "MH17"\n[keywords]\n"airliner" = 1.5\n[pages]\nexamples = ["https://bees.example/x"]'
    )
    page = crawl.report()
    assert page.css_first("h1").text() == "MH17"
    assert "airliner 1.5" in text(page)
    assert "bees.example/x" in text(page)


def test_a_running_crawl_can_be_reported(crawl: HandmadeCrawl) -> None:
    crawl.visit("Bees")
    crawl.store.commit()
    crawl.visit("not yet committed")
    page = LexborHTMLParser(write_report(crawl.folder).read_bytes())
    assert "still running" in text(page)
    assert "not yet committed" not in text(page)
    crawl.store.close()


def test_a_report_that_cannot_be_written_says_so_and_leaves_nothing(crawl: HandmadeCrawl) -> None:
    crawl.folder.report.mkdir()
    crawl.store.close()
    with pytest.raises(CrawlFolderError, match=r"report\.html cannot be written"):
        write_report(crawl.folder)
    assert not list(crawl.folder.path.glob(".report*"))


def test_a_folder_that_is_no_crawl_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CrawlFolderError, match="not a crawl"):
        write_report(Folder(tmp_path))


@pytest.mark.parametrize("pages", [1, 2, 9, 399, 400, 401, 1_234])
def test_the_curve_ends_where_the_crawl_ended(tmp_path: Path, pages: int) -> None:
    crawl = HandmadeCrawl(tmp_path / "crawl")
    for number in range(pages):
        crawl.visit(chance=0.9 if number % 3 == 0 else 0.1)
    page = crawl.report()
    assert f"{(pages + 2) // 3:,}" in page.css_first("svg.wide .strong").text()
    points = (page.css_first("svg.wide .harvest").attributes["d"] or "").count("L")
    assert min(pages, 200) <= points <= 400


def test_the_curve_of_a_crawl_without_a_catch_lies_flat() -> None:
    chart = _chart([(1, 0), (2, 0)], 980, 250, 110)
    assert chart["end"][1] == chart["base"]
    assert chart["mean_rate"] == 0


@pytest.mark.parametrize("most", [1, 2, 3, 7, 10, 99, 100, 101, 12_345, 10**7])
def test_gridlines_stand_at_round_numbers(most: int) -> None:
    steps = nice(most, 6)
    assert steps[0] == 0
    assert 2 <= len(steps) <= 8
    assert steps[-1] <= most
    assert str(steps[1]).rstrip("0") in ("1", "2", "5")


def test_a_report_of_eighty_thousand_visits_is_small_and_takes_time_that_grows_with_them(tmp_path: Path) -> None:
    def reporting(visits: int) -> Callable[[], Path]:
        crawl = HandmadeCrawl(tmp_path / str(visits), *(f"host{number}.example" for number in range(500)))
        for number in range(visits):
            crawl.visit("A page", host=number % 500, depth=number % 12, chance=number % 100 / 150, language="en")
        crawl.store.close()
        return lambda: write_report(crawl.folder)

    grows(reporting, 80_000)
    assert (tmp_path / "80000" / "report.html").stat().st_size < 400_000
