"""A forgotten page is forgotten: no file of the crawl holds a word of it, however it is packed."""

from __future__ import annotations

import contextlib
import gzip
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from backports import zstd

from honeyguide.corpus import Corpus
from honeyguide.crawling import Crawl, Settings, status, why
from honeyguide.crawling.forget import find_visits, forget
from honeyguide.crawling.labels import label
from honeyguide.crawling.mailbox import send
from honeyguide.crawling.report import write_report
from honeyguide.errors import HoneyguideError
from honeyguide.store import Folder, Store
from honeyguide.topic import Topic
from tests.cli.conftest import Say, say
from tests.crawling.conftest import run, visited
from tests.crawling.webs import ABOUT_BEES, page, write_archive

__all__ = ["say"]  # a fixture

A, B = "http://a.test/", "http://b.test/"
TITLE, WORD, ANCHOR, NAME = "Quirinalium", "zyzzyvaton", "Xanthophylla", "Wombatiana"
SECRETS = (TITLE, WORD, ANCHOR, NAME)
BEES = Topic(name="bees", keywords={"honey bee": 2.0, "hive": 1.0, WORD[:3]: 0.1}, starts=(A,))


def _page(links: str) -> bytes:
    told = f"{ABOUT_BEES} The {WORD} of the hive is a {WORD} of honey bees. "
    return f"<html><head><title>{TITLE} bees</title></head><body><p>{told * 3}</p>{links}</body></html>".encode()


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A crawl of a page with words of its own, found by a link with words of its own, and what it alone links to."""
    more = [f"{A}{number}x" for number in range(30)]
    answers: dict[str, bytes | str] = {
        A: page("Start", ABOUT_BEES * 2, f"{B}secret", *more),
        f"{B}secret": _page(f'<p><a href="{A}next">{ANCHOR} of honey bees</a> <a href="{A}late">{ANCHOR}</a></p>'),
        f"{A}next": page("Next", f"{ABOUT_BEES} And what came next. " * 2),
    }
    for number, url in enumerate(more):
        answers[url] = page(f"Bees {number}", ABOUT_BEES + " ".join(f"word{number}of{place}" for place in range(60)))
    settings = Settings(web=str(write_archive(tmp_path / "web.warc.gz", answers)), pages=50)
    crawl = Crawl(Folder(tmp_path / "crawl"), BEES, settings)
    crawl.create()
    run(crawl)
    done = Folder(tmp_path / "crawl")
    _name_link(done)
    label(done, {f"{B}secret": True})
    write_report(done)
    return done


def _name_link(folder: Folder) -> None:
    """As if the link to the page were called by a word that no page has, and ranked for it."""
    with contextlib.closing(sqlite3.connect(folder.database)) as database:
        database.execute("UPDATE urls SET anchor = ? WHERE url = ?", (NAME, f"{B}secret"))
        database.execute("UPDATE visits SET reason = ? WHERE reason != ''", (f"{NAME} said so",))
        database.execute(
            "UPDATE visits SET reason = '' WHERE url NOT IN (SELECT id FROM urls WHERE url IN (?, ?))",
            (f"{B}secret", f"{A}next"),
        )
        database.commit()


def _contents(folder: Folder) -> Iterator[tuple[str, bytes]]:
    """All files as they lie on disk, and all that can be unpacked of them."""
    for file in folder.path.iterdir():
        yield file.name, file.read_bytes()
    yield "the WARC, unpacked", gzip.decompress(folder.warc.read_bytes())
    with contextlib.closing(sqlite3.connect(folder.database)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            for row in database.execute(f"SELECT * FROM {table}"):
                for value in row:
                    if isinstance(value, str):
                        yield table, value.encode()
                    elif isinstance(value, bytes):
                        yield table, value
                        with contextlib.suppress(zstd.ZstdError):
                            yield f"{table}, unpacked", zstd.decompress(value)


def _found(folder: Folder) -> set[tuple[str, str]]:
    """Which words are found where, whatever their case; stems too, for they are as telling."""
    stems = {word: word[:-2].lower().encode() for word in SECRETS}
    return {(word, where) for where, held in _contents(folder) for word, stem in stems.items() if stem in held.lower()}


def test_nothing_of_a_forgotten_page_is_found_in_any_file(folder: Folder) -> None:
    before = _found(folder)
    assert {word for word, _ in before} == set(SECRETS)
    assert {
        "records",
        "search_content",
        "urls",
        "visits",
        "report.html",
        "digests, unpacked",
        "the WARC, unpacked",
    } <= {where for _, where in before}
    assert forget(folder, [number for number, _ in find_visits(folder, f"{B}secret")]) == 1
    assert _found(folder) == set()


def test_nor_of_a_forgotten_host(folder: Folder) -> None:
    forget(folder, [number for number, _ in find_visits(folder, "b.test")], "b.test")
    assert _found(folder) == set()


def test_letters_that_wait_for_the_crawl_do_not_speak_of_it_any_more(folder: Folder, say: Say) -> None:
    folder.lock()  # as a crawl that is busy
    with pytest.raises(HoneyguideError, match="has not answered"):
        send(folder, {f"{B}secret": True, A: False}, patience=0.0)
    folder.unlock()
    (folder.mail / "1.reply").write_text(f'{{"error": "{B}secret was not visited"}}')
    (folder.mail / "2.json").write_text(f'{{"labels": ["{B}secret"]}}')
    forget(folder, [number for number, _ in find_visits(folder, f"{B}secret")])
    assert not [path for path in folder.mail.iterdir() if b"secret" in path.read_bytes()]
    assert say("resume", folder.path, "--pages", "60").code == 0
    store = Store.open(folder.database, read_only=True)
    assert store.labels() == {A: False}
    store.close()


def test_the_rest_is_as_it_was_and_the_crawl_goes_on(folder: Folder, say: Say) -> None:
    before = visited(folder.path)
    records = status(folder)["records"]
    with Corpus(folder.path) as corpus:
        hits = {hit.record.url for hit in corpus.search("beekeeper", 50)}
    assert hits - {f"{B}secret"}
    forget(folder, [number for number, _ in find_visits(folder, f"{B}secret")])
    assert visited(folder.path) == before
    assert status(folder)["records"] == records - 1
    assert status(folder)["labels"] == 0
    assert why(folder, f"{B}secret").refused == "forgotten at the user's wish"
    with Corpus(folder.path) as corpus:
        assert not corpus.search(WORD, 5)
        assert {hit.record.url for hit in corpus.search("beekeeper", 50)} == hits - {f"{B}secret"}
    assert say("resume", folder.path, "--pages", "60").code == 0
    assert _found(folder) == set()


def test_what_forgetting_cannot_reach_is_named(folder: Folder, say: Say) -> None:
    say("export", folder.path, "--to", "jsonl")
    said = say("forget", folder.path, f"{B}secret", "--yes")
    assert said.out.startswith("1 visited page wiped, 1 URL will not be visited again\n")
    (export,) = [file.name for file in folder.path.iterdir() if file.suffix == ".jsonl"]
    assert f"note: {export} was written before and may still hold it" in said.out


def test_copies_at_other_addresses_are_named(tmp_path: Path, say: Say) -> None:
    told = page("Bees", ABOUT_BEES * 3)
    answers: dict[str, bytes | str] = {A: page("Start", "x", f"{A}one", f"{A}two"), f"{A}one": told, f"{A}two": told}
    settings = Settings(web=str(write_archive(tmp_path / "web.warc.gz", answers)), pages=50, careful=False)
    crawl = Crawl(Folder(tmp_path / "crawl"), BEES, settings)
    crawl.create()
    run(crawl)
    said = say("forget", tmp_path / "crawl", f"{A}one", "--yes")
    assert f"note: 1 copy at another address stays: {A}two" in said.out
