"""What the user says of pages, and what follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from honeyguide.crawling.forget import find_visits, forget
from honeyguide.crawling.labels import doubtful, label, read_labels
from honeyguide.errors import HoneyguideError
from honeyguide.store import Folder, Store
from honeyguide.web import ArchiveWeb
from tests.crawling.conftest import Crawler, visited


def test_labels_move_pages_and_are_counted_with_an_interval(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=80)
    folder = Folder(tmp_path / "crawl")
    store = Store.open(folder.database, read_only=True)
    kept = [store.url(visit.url).url for visit in store.visits(on_topic=True, originals=True)]
    store.close()
    told = label(folder, {kept[0]: True, kept[1]: True, kept[2]: False})
    assert told.labels == 3
    assert told.precision is not None
    assert told.low is not None
    assert told.high is not None
    assert told.low < told.precision <= told.high
    undone = label(folder, {kept[2]: None})
    assert undone.labels == 2
    with pytest.raises(HoneyguideError, match="was not visited"):
        label(folder, {"http://nowhere.test/": True})


def test_a_label_changes_the_judge(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=80)
    folder = Folder(tmp_path / "crawl")
    url = doubtful(folder, 1)[0].url
    before = probability(folder, url)
    label(folder, {url: True})
    raised = probability(folder, url)
    label(folder, {url: False})
    assert probability(folder, url) < raised
    assert raised > before


def probability(folder: Folder, url: str) -> float:
    store = Store.open(folder.database, read_only=True)
    row = store.find_url(url)
    assert row is not None
    found = store.visits_of(row.id)[0].relevance
    store.close()
    return found


def test_labels_are_read_from_files_and_mistakes_named_with_their_line(tmp_path: Path) -> None:
    good = tmp_path / "labels.txt"
    good.write_text('# mine\nhttp://a.test/ right\nhttp://b.test/,wrong\n{"url": "http://c.test/", "label": "yes"}\n')
    assert read_labels(good) == {"http://a.test/": True, "http://b.test/": False, "http://c.test/": True}
    for line, told in (
        ("http://a.test/", "needs a URL"),
        ("http://a.test/ maybe", "neither right nor wrong"),
        ("nonsense right", "not the address"),
        ("{bad", "not of the form"),
    ):
        bad = tmp_path / "bad.txt"
        bad.write_text("http://ok.test/ right\n" + line + "\n")
        with pytest.raises(HoneyguideError, match=f"line 2.*{told}"):
            read_labels(bad)
    with pytest.raises(HoneyguideError, match="cannot be read"):
        read_labels(tmp_path / "missing.txt")


def test_forgetting_a_page_wipes_it_from_records_index_and_archive(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=60)
    folder = Folder(tmp_path / "crawl")
    store = Store.open(folder.database, read_only=True)
    url = next(record.url for _, record in store.records.all())
    store.close()
    size = folder.warc.stat().st_size
    assert url in ArchiveWeb(folder.warc)
    assert forget(folder, [number for number, _ in find_visits(folder, url)]) == 1
    assert folder.warc.stat().st_size == size
    again = ArchiveWeb(folder.warc)
    assert url not in again
    assert not again.damage
    assert len(again) == len([page for page in visited(folder.path) if page in again])
    store = Store.open(folder.database, read_only=True)
    assert url not in {record.url for _, record in store.records.all()}
    store.close()
    text = folder.database.read_bytes()
    assert url.encode() in text  # that it was known is kept, so that it is not fetched again
    crawl(pages=70, resume=True)
    assert url not in ArchiveWeb(folder.warc)


def test_forgetting_a_host_parks_it(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=60)
    folder = Folder(tmp_path / "crawl")
    host = visited(folder.path)[5].split("/")[2]
    before = [page for page in visited(folder.path) if f"//{host}/" in page]
    wiped = forget(folder, [number for number, _ in find_visits(folder, host)], host)
    assert wiped == len(before) > 0
    crawl(pages=80, resume=True)
    assert [page for page in visited(folder.path) if f"//{host}/" in page] == before
    with pytest.raises(HoneyguideError, match="knows no page or host"):
        find_visits(folder, "nowhere.test")


@pytest.mark.parametrize("size", [200, 313, 5_000, 70_000, 300_000])
def test_what_replaces_a_forgotten_record_has_its_size_and_can_be_read(size: int, tmp_path: Path) -> None:
    from fastwarc.warc import ArchiveIterator as FastIterator
    from warcio.archiveiterator import ArchiveIterator

    from honeyguide.crawling.forget import blank_member

    member = blank_member(size)
    assert len(member) == size
    path = tmp_path / "two.warc.gz"
    path.write_bytes(member + blank_member(400))
    with path.open("rb") as file:
        assert [record.rec_type for record in ArchiveIterator(file)] == ["metadata"] * 2
    with path.open("rb") as file:
        assert len(list(FastIterator(file, parse_http=False))) == 2


def test_a_record_too_small_to_overwrite_is_told_of() -> None:
    from honeyguide.crawling.forget import blank_member

    with pytest.raises(HoneyguideError, match="too small"):
        blank_member(100)


def test_a_page_that_turns_on_topic_by_a_label_gets_its_record_at_once(crawl: Crawler, tmp_path: Path) -> None:
    crawl(pages=80)
    folder = Folder(tmp_path / "crawl")
    store = Store.open(folder.database, read_only=True)
    off = [
        store.url(visit.url).url
        for visit in store.visits("page", originals=True)
        if not visit.on_topic and visit.words > 60
    ]
    store.close()
    label(folder, dict.fromkeys(off[:6], True))
    store = Store.open(folder.database, read_only=True)
    wanted = {visit.id for visit in store.visits("page", on_topic=True) if not visit.unkept}
    kept = {visit: record.text for visit, record in store.records.all()}
    turned = {row.id for url in off[:6] if (row := store.find_url(url)) is not None}
    turned_visits = {visit.id for visit in store.visits(on_topic=True) if visit.url in turned}
    store.close()
    assert turned_visits
    assert turned_visits <= set(kept)
    assert set(kept) == wanted
    assert all(kept.values())
