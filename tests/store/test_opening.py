"""A batch is there as a whole or not at all, and what is no crawl's database is refused and left alone."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from honeyguide.errors import CrawlFolderError
from honeyguide.store import Store
from honeyguide.store.schema import VERSION, open_database
from tests.store.conftest import dies
from tests.store.contract import fill, url_row

# -- batches ----------------------------------------------------------------------------------------------------

KILLED = """
    import os, sys
    from pathlib import Path
    import numpy as np
    from honeyguide.page.record import Record
    from honeyguide.store import Checkpoint, Store, UrlRow, VisitRow
    store = Store.create(Path(sys.argv[1]))
    store.begin()
    store.add_host(0, "a.test:80")
    store.commit()
    for batch in range(int(sys.argv[2]) + 1):
        store.begin()
        for number in range(batch * 10, batch * 10 + 10):
            store.add_urls([UrlRow(number, f"http://a.test/{number}", number, 0, 0, 0, None, "")])
            visit = store.add_visit(VisitRow(number, "page", 1.0, 200, "page"), b"digest")
            store.add_links(visit, np.array([number], np.int32))
            store.records.put(visit, Record(f"http://a.test/{number}", text="honey"))
        order = (b"", b"")
        store.save_checkpoint(Checkpoint(visit=visit, known=visit, shown=visit, strategy="", order=order, state=b""))
        store.set_meta(batches=batch + 1)
        if batch == int(sys.argv[2]):
            os._exit(9)
        store.commit()
"""


@pytest.mark.parametrize("batches", [0, 1, 3])
def test_a_process_killed_inside_a_batch_loses_exactly_that_batch(path: Path, batches: int) -> None:
    assert dies(KILLED, path, batches) == 9
    store = Store.open(path)
    counts = store.counts()
    assert (counts["urls"], counts["visits"], counts["records"]) == (batches * 10,) * 3
    assert store.meta("batches", 0) == batches
    assert len(list(store.links(0, 1_000))) == batches * 10
    saved = store.checkpoint()
    assert (saved.visit if saved is not None else 0) == batches * 10
    assert store._connection.execute("SELECT count(*) FROM search").fetchone()[0] == batches * 10
    assert store._connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    store.begin()
    store.add_urls([url_row(batches * 10)])
    store.close()


def test_a_reader_cannot_write(store: Store, path: Path) -> None:
    reader = Store.open(path, read_only=True)
    with pytest.raises(sqlite3.OperationalError, match=r"readonly|query_only"):
        reader.set_meta(pages=1)
    reader.close()


def test_a_reader_holds_up_no_writer(store: Store, path: Path) -> None:
    fill(store)
    reader = Store.open(path, read_only=True)
    urls = reader.urls()
    next(urls)
    done = threading.Event()

    def write() -> None:
        writer = Store.open(path)
        writer.begin()
        writer.set_meta(pages=1)
        writer.close()
        done.set()

    thread = threading.Thread(target=write)
    thread.start()
    thread.join(5)
    assert done.is_set()
    assert len(list(urls)) == 2
    reader.close()


# -- what is refused --------------------------------------------------------------------------------------------


def test_a_missing_database_is_said(path: Path) -> None:
    with pytest.raises(CrawlFolderError, match=r"is not a crawl: it holds no crawl\.db"):
        Store.open(path)
    assert not path.exists()


@pytest.mark.parametrize(
    "content",
    [b"not a database at all, but long enough to be taken for one" * 20, b"SQLite format 3\x00" + bytes(4096)],
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(CrawlFolderError) as told:
        Store.open(path)
    assert str(path) in str(told.value)
    assert path.read_bytes() == content


def test_a_database_of_somebody_else_is_refused_and_left_alone(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE urls (id)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(CrawlFolderError, match="is a database, but not of a Honeyguide crawl"):
        Store.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [0, VERSION + 1, 999])
def test_a_crawl_of_another_version_is_refused(path: Path, version: int) -> None:
    store = Store.create(path)
    store._connection.execute(f"PRAGMA user_version = {version}")
    store.close()
    with pytest.raises(
        CrawlFolderError, match=rf"another version of Honeyguide \(format {version}, this one reads {VERSION}\)"
    ):
        open_database(path)


def test_a_torn_database_is_refused(path: Path) -> None:
    store = Store.create(path)
    fill(store, 2_000)
    store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(CrawlFolderError):
        Store.open(path).counts()


def test_a_database_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    with pytest.raises(CrawlFolderError, match="cannot be opened"):
        Store.create(tmp_path / "none" / "crawl.db")


def test_a_process_killed_while_making_the_tables_leaves_no_crawl(path: Path) -> None:
    script = """
        import os, sqlite3, sys
        from pathlib import Path
        from honeyguide.store import Store
        connect = sqlite3.connect
        def watched(*given, **named):
            connection = connect(*given, **named)
            connection.set_trace_callback(lambda sql: os._exit(9) if "TABLE digests" in sql else None)
            return connection
        sqlite3.connect = watched
        Store.create(Path(sys.argv[1]))
    """
    assert dies(script, path) == 9
    with pytest.raises(CrawlFolderError):
        Store.open(path).counts()
