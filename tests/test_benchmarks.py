"""The benchmark rig itself: all are served the same pages, and nobody who skipped some is averaged in."""

from __future__ import annotations

import argparse
import doctest
import gzip
import importlib
import importlib.util
import io
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

# FastWARC warns of its own old names as it is imported.
pytestmark = pytest.mark.filterwarnings("ignore:Use the new Reader and Writer:DeprecationWarning")

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
PAGES = 8
HALF = """
import sys, urllib.request
urls = open(sys.argv[1]).read().split()
for url in urls[: len(urls) // 2]:
    urllib.request.urlopen(url).read()
"""
COPY = """
import pathlib, shutil, sys
pathlib.Path(sys.argv[2]).mkdir()
shutil.copy(sys.argv[1], sys.argv[2])
"""


@pytest.fixture(autouse=True)
def rig_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the rig's scripts find each other, as they do when one is run from its folder."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def rig(name: str) -> Any:
    return importlib.import_module(name)


def response_record(url: str, body: str) -> bytes:
    http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{body}"
    fields = ["WARC/1.1", "WARC-Type: response", f"WARC-Target-URI: {url}", "WARC-Date: 2026-01-01T00:00:00Z"]
    fields += ["WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>"]
    fields += [
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(http)}",
        "",
        http,
        "",
        "",
    ]
    return gzip.compress("\r\n".join(fields).encode())


def write_web(folder: Path, hosts: list[str]) -> Path:
    """Eight pages a host, each linking to the next two and to one that is not there."""
    folder.mkdir()
    archive = b""
    for host in hosts:
        for at in range(PAGES):
            links = "".join(f'<a href="{to}.htm">on</a>' for to in ((at + 1) % PAGES, (at + 2) % PAGES, "gone"))
            archive += response_record(f"http://{host}/p/{at}.htm", f"<title>Page {at}</title><p>Text {links}")
    (folder / "pages.warc.gz").write_bytes(archive)
    topic = {"id": "t", "name": "T", "keywords": {"text": 1.0}, "examples": [f"http://{hosts[0]}/p/5.htm"]}
    (folder / "topics.jsonl").write_text(json.dumps(topic) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def web(tmp_path: Path) -> Path:
    return write_web(tmp_path / "web", ["one.test"])


def get(url: str) -> str:
    with urlopen(url, timeout=120) as answer:
        text: str = answer.read().decode()
    return text


@pytest.mark.parametrize("module", ["serve", "contenders", "cost", "draws", "found", "guide", "look_ahead", "unseen"])
def test_examples_in_the_docstrings_hold(module: str) -> None:
    assert doctest.testmod(rig(module)).failed == 0


def test_the_server_serves_the_archive_and_counts_what_was_asked(web: Path) -> None:
    with rig("serve").Server(web, 100) as server:
        assert len(server.urls) == PAGES
        for url in server.urls:
            assert "<title>Page" in get(url)
        get(server.urls[0])
        for missing in ("robots.txt", "p/gone.htm"):
            with pytest.raises(HTTPError, match="404"):
                get(f"http://127.0.0.1:{server.port}/{missing}")
        counts = server.counts()
    assert {key: counts[key] for key in ("offered", "pages", "repeats", "missing", "robots")} == {
        "offered": PAGES,
        "pages": PAGES,
        "repeats": 1,
        "missing": 1,
        "robots": 1,
    }


def test_what_was_found_is_what_is_relevant_beyond_the_examples(web: Path) -> None:
    """The example is given, and so is no find; nor is a page that is not relevant, or one past the budget."""
    relevant = [f"http://one.test/p/{at}.htm" for at in (5, 6, 7)]
    topic = {"id": "t", "name": "T", "keywords": {"text": 1.0}, "examples": relevant[:1], "relevant": relevant}
    spent = rig("found").crawl(web, topic, "breadth-first")
    assert (spent.pages, spent.found) == (4, 2)  # of 6 fetches one was the example, and one led nowhere


def test_a_smaller_run_is_offered_the_examples_and_nothing_off_its_list(web: Path) -> None:
    with rig("serve").Server(web, 100) as server:
        server.reset(2)
        assert server.urls[0].endswith("/p/5.htm")
        assert server.examples == server.urls[:1]
        get(server.urls[1])
        with pytest.raises(HTTPError, match="404"):
            get(server.urls[2])
        assert server.counts()["pages"] == 1


def test_pages_of_several_hosts_do_not_hide_each_other(tmp_path: Path) -> None:
    with rig("serve").Server(write_web(tmp_path / "two", ["one.test", "two.test"]), 100) as server:
        assert len(set(server.urls)) == 2 * PAGES
        assert f"http://127.0.0.1:{server.port}/two.test/p/0.htm" in server.urls


@pytest.mark.parametrize("name", ["scrapy", "scrapy-follow", "scrapy-xpath", "scrapy-xpath-follow", "skeleton"])
def test_each_spider_visits_every_page_and_sees_its_links(name: str, web: Path, tmp_path: Path) -> None:
    if name.startswith("scrapy") and not importlib.util.find_spec("scrapy"):
        if os.environ.get("HONEYGUIDE_REQUIRE_SHARED"):
            pytest.fail("no Scrapy, and HONEYGUIDE_REQUIRE_SHARED is set: pip install -r requirements/bench.txt")
        pytest.skip("needs Scrapy")
    contenders = rig("contenders")
    with rig("serve").Server(web, 100) as server:
        job = contenders.Job(server.urls, server.port, "T", {"text": 1.0}, server.examples, tmp_path)
        job.write()
        subprocess.run(contenders.CONTENDERS[name].command(job), check=True, timeout=600)
        assert server.counts()["pages"] == PAGES
        assert server.counts()["repeats"] == 0
    written = Path(job.out if name == "skeleton" else f"{job.out}.jsonl").read_text(encoding="utf-8")
    items = [json.loads(line) for line in written.splitlines()]
    assert {(item["title"], item["links"]) for item in items} == {(f"Page {at}", 3) for at in range(PAGES)}


def test_the_topic_given_to_honeyguide_is_toml_with_the_list_as_starts(tmp_path: Path) -> None:
    import tomllib

    job = rig("contenders").Job(["http://x/1"], 80, 'A "b"', {"艺术": 2}, ["http://x/e"], tmp_path)
    job.write()
    assert tomllib.loads(Path(job.topic_file).read_text(encoding="utf-8")) == {
        "name": 'A "b"',
        "keywords": {"艺术": 2.0},
        "pages": {"examples": ["http://x/e"], "starts": ["http://x/1"]},
    }


def test_who_skips_pages_fails_and_who_is_absent_is_not_available(
    web: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cost, contenders = rig("cost"), rig("contenders")
    half = contenders.Contender("half", "half", lambda job: [sys.executable, "-c", HALF, job.list_file])
    absent = contenders.Contender("absent", "nothing", lambda _: ["no-such-crawler-here"])
    for contender in (half, absent):
        monkeypatch.setitem(contenders.CONTENDERS, contender.name, contender)
    given = argparse.Namespace(pages=100, rounds=1, topic=None)
    result = cost.compare_costs(["skeleton", "half", "absent"], given, web)
    rows = {row["contender"]: row for row in result["summary"]}
    assert rows["half"]["trouble"] == "fetched 1 of 2 pages"
    assert rows["absent"]["trouble"] == "not available: no-such-crawler-here: No such file or directory"
    assert all("extra_page_ms" not in rows[name] for name in ("half", "absent"))
    assert rows["skeleton"]["pages"] == PAGES
    assert "FAILED: fetched 1 of 2 pages" in capsys.readouterr().out


def test_the_cost_of_a_page_is_the_slope_and_ratios_are_taken_within_a_round() -> None:
    cost = rig("cost")
    served = {"pages": 40, "repeats": 0, "missing": 0}
    runs = [
        cost.Run(name, round_, pages, speed * (1.0 + pages * milli / 1000), served)
        for round_, speed in ((1, 1.0), (2, 3.0))
        for name, milli in (("scrapy", 10.0), ("scrapy-xpath", 5.0), ("skeleton", 2.0))
        for pages in (10, 40)
    ]
    scrapy, skeleton = cost.summarise(runs, ["scrapy", "skeleton"], (10, 40))
    assert scrapy["extra_page_ms"] == {"median": 20.0, "min": 10.0, "max": 30.0}
    assert skeleton["extra_page_ratio"] == {
        "scrapy": {"median": 0.2, "min": 0.2, "max": 0.2},
        "scrapy-xpath": {"median": 0.4, "min": 0.4, "max": 0.4},
    }
    assert skeleton["whole_ratio"]["scrapy"]["median"] == pytest.approx(1.08 / 1.4, abs=1e-4)


def test_a_bound_holds_for_one_web_and_beside_one_other(monkeypatch: pytest.MonkeyPatch) -> None:
    cost, contenders = rig("cost"), rig("contenders")
    bounds = (contenders.Bound("w", "skeleton", "scrapy", 0.2), contenders.Bound("w", "skeleton", "scrapy-xpath", 0.3))
    monkeypatch.setattr(cost, "BOUNDS", bounds)
    served = {"pages": 40, "repeats": 0, "missing": 0}
    runs = [
        cost.Run(name, 1, pages, pages * milli / 1000, served)
        for name, milli in (("scrapy", 10.0), ("scrapy-xpath", 5.0), ("skeleton", 2.0))
        for pages in (10, 40)
    ]
    (row,) = cost.summarise(runs, ["skeleton"], (10, 40), "w")
    assert [bound["held"] for bound in row["bounds"]] == [True, False]
    assert "at most 0.3 of scrapy-xpath: MISSED" in cost.table([row], (10, 40))
    assert cost.summarise(runs, ["skeleton"], (10, 40), "other")[0]["bounds"] == []


def test_webs_are_named_or_found_beside_the_repo(web: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cost = rig("cost")
    monkeypatch.setattr(cost, "WEBS", tmp_path)
    monkeypatch.setattr(cost, "USUAL", ("web", "not there"))
    assert cost.find_webs([], tmp_path) == cost.find_webs(["web"], tmp_path) == cost.find_webs([str(web)], tmp_path)
    with pytest.raises(SystemExit, match="has no pages"):
        cost.find_webs(["no such web"], tmp_path)


def test_workers_are_compared_in_pairs_by_rate_and_by_the_pages_they_end_with(
    web: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cost = rig("cost")
    monkeypatch.setattr(
        cost,
        "archive_crawl",
        lambda job, web, _: [sys.executable, "-c", COPY, str(web / "pages.warc.gz"), job.out],
    )
    result = cost.compare_workers(argparse.Namespace(workers=2, rounds=2, topic=None), web)
    assert result["same_pages"]
    assert set(result["pages_per_second"]) == {"1", "2"}
    assert "the same pages at the end" in capsys.readouterr().out


def test_brain_and_hands_are_told_apart_once_a_quarter_of_the_pages_is_done(web: Path, tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    command = [sys.executable, str(BENCHMARKS / "brain.py"), "--web", str(web), "--rounds", "1", "--json", str(figures)]
    told = subprocess.run(command, check=True, timeout=60, stdout=subprocess.PIPE, text=True).stdout
    ((run,),) = json.loads(figures.read_text(encoding="utf-8"))
    assert run["pages"] == PAGES - PAGES // 4
    assert run["ms"].keys() == run["parts"].keys() == {"brain", "hands"}
    assert all(ms >= 0 for ms in run["ms"].values())
    assert sum(run["ms"].values()) > 0  # six small pages may be less than one tick of a clock on either side
    assert told.startswith("web: 6 pages, ")


def test_a_look_blames_the_innermost_module_of_ours_and_nobody_before_the_meter_runs() -> None:
    meter = rig("brain").Meter()
    frame = argparse.Namespace
    caller = frame(f_globals={"__name__": "honeyguide.crawling.brain"}, f_back=None)
    inner = frame(f_globals={"__name__": "honeyguide.store.store"}, f_back=caller)
    library = frame(f_globals={"__name__": "json.encoder"}, f_back=inner)
    meter.look(0, library)
    meter.running = True
    for at_work in (library, library, caller, None):
        meter.look(0, at_work)
    meter.spent["brain"] = 0.004
    assert meter.parts("brain", 2) == {"store.store": 1.0, "crawling.brain": 0.5, "(none of ours)": 0.5}


def test_the_test_pages_of_other_packages_are_read_with_what_they_hold_for_right() -> None:
    known = {"url": "https://a.test/2026/x.html", "expected": {"title": "Bees", "cleaned_text": "A bee\n\ncomes home."}}
    program = b"""url = 'https://b.test/2026/y.html'; fs.readFileSync('./fixtures/b.test/1.html');
        assert.equal(title, 'The bees\\' dance');  assert.equal(date_published, null);
        assert.equal(author, "Ann Lee"); assert.equal(first13, 'A bee comes...');"""
    files = {
        "test/test-pages/hive/source.html": b"<p>hive",
        "test/test-pages/hive/expected.html": b"<p>One.</p><p>Two</p>",
        "test/test-pages/hive/expected-metadata.json": json.dumps({"title": "Hive", "byline": "By Bo"}).encode(),
        "test/test-pages/unknown/source.html": b"<p>nothing is known of it",
        "fixtures/x.html": b"<p>bees",
        "fixtures/x.json": json.dumps(known).encode(),
        "fixtures/b.test/1.html": b'<meta name=author value="Ann Lee"><input value=1>',
        "src/extractors/custom/b.test/index.test.js": program,
        "tests/data/txt/n.txt": b"Bees\n dance",
        "tests/data/html/n.html": b"<p>n",
        "tests/data/metadata/n.json": json.dumps({"title": "N", "publish_date": "2026-01-02", "authors": []}).encode(),
        "tests/data/txt/without-a-page.txt": b"",
    }
    pages, hidden = rig("unseen_pages"), "https://a.example/page"
    body = b'<meta name=author content="Ann Lee"><input value=1>'
    assert [page for read in pages.SETS.values() for page in read(files)] == [
        pages.Page("R/hive", b"<p>hive", hidden, "One. Two", "One. Two", "Hive", None, "By Bo"),
        pages.Page("U/x", b"<p>bees", "https://a.test/page", "", "A bee comes home.", "Bees"),
        pages.Page("M/b.test/1.html", body, "https://b.test/page", "", "A bee comes", "The bees' dance", "", "Ann Lee"),
        pages.Page("N/n", b"<p>n", hidden, "Bees dance", "Bees dance", "N", "2026-01-02", ""),
    ]


def test_an_archive_at_hand_is_not_fetched_again(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "some-package-1.0.tgz", "w:gz") as archive:
        inside = tarfile.TarInfo("package/fixtures/x.html")
        inside.size = 4
        archive.addfile(inside, io.BytesIO(b"<p>x"))
    assert rig("unseen_pages").fetch(tmp_path, "@some/package@1.0") == {"fixtures/x.html": b"<p>x"}


def test_sets_are_judged_beside_the_other_tool_and_taken_together() -> None:
    unseen, pages = rig("unseen"), rig("unseen_pages")
    said = "A bee that has found a meadow in bloom comes home and dances: the angle tells the way to all of the others."
    body = f"<title>Bees dance</title><h1>Bees dance</h1><p>By Ann Lee</p><p>{said}</p><p>{said[::-1]}</p>".encode()
    tally, together = unseen.Judged(), unseen.Judged()
    tally.judge(pages.Page("x", body, "https://a.test/page", said, said, "Bees dance", "", "Ann Lee and Bo Kay"))
    together.join(tally)
    together.join(tally)
    assert {field: dict(row) for field, row in together.ours.items()} == {
        "lead": {"right": 2},
        "title": {"right": 2},
        "date": {"right": 2},
        "authors": {"partly": 2},
    }
    assert next(together.lines()).startswith("      2 texts    f1 0.")
    assert tally.misses[-1] == "authors partly: x"
