"""Taking a crawl's records elsewhere: tables for people, lines for programs, archives for replay.

An export is written under a temporary name beside its place and renamed when it is whole, so nobody ever finds
half a file. The only name on disk is the one the user gave, or a fixed one in the crawl's folder: no title or
address from the web becomes a path.
"""

from __future__ import annotations

import contextlib
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import xlsxwriter.exceptions

from honeyguide.corpus.archives import write_wacz, write_warc
from honeyguide.corpus.source import Progress, Source, Written
from honeyguide.corpus.tables import write_csv, write_jsonl, write_parquet, write_xlsx
from honeyguide.errors import ExportError
from honeyguide.store import EVERYTHING, Folder, Selection, Store

__all__ = ["FORMATS", "Export", "export"]

Writer = Callable[[Source, Path], Written]

_WRITERS: dict[str, tuple[str, Writer]] = {
    "jsonl": ("records.jsonl", write_jsonl),
    "csv": ("records.csv", write_csv),
    "xlsx": ("records.xlsx", write_xlsx),
    "parquet": ("records.parquet", write_parquet),
    "warc": ("on-topic.warc.gz", write_warc),
    "wacz": ("on-topic.wacz", write_wacz),
}

_ARCHIVES = ("warc", "wacz")

FORMATS = tuple(_WRITERS)
"""What a corpus can be exported to."""


@dataclass(frozen=True)
class Export:
    """What was written: where, how many records (or archived pages), and what the user should know about it.

    `damaged` counts the pages that should have been in it and could not be read.
    """

    path: Path
    count: int
    notes: tuple[str, ...] = ()
    damaged: int = 0


def export(
    folder: str | Path | Folder,
    to: str,
    path: str | Path | None = None,
    *,
    only: Selection = EVERYTHING,
    words: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Export:
    """Write the corpus of a crawl, or the records of it that are meant, to one file.

    Without a path it goes into the crawl's own folder. With `words` each record has its title and text divided into
    words, too (an archive holds pages, and has none). `progress` is told (done, of how many) as it goes.
    """
    folder = folder if isinstance(folder, Folder) else Folder(folder)
    if to not in _WRITERS:
        raise ExportError(f"unknown format: {to!r}; known: {', '.join(FORMATS)}")
    if words and to in _ARCHIVES:
        raise ExportError(f"{to} holds pages as they were sent, not words; for words export to another format")
    name, write = _WRITERS[to]
    target = Path(path) if path is not None else folder.path / name
    store = Store.open(folder.database, read_only=True)
    try:
        _check(target, folder, overwrite)
        with _whole_or_nothing(target) as fresh:
            source = Source(folder, store, only, words)
            done = write(replace(source, progress=progress) if progress else source, fresh)
            _check(target, folder, overwrite)
    finally:
        store.close()
    return Export(target, done.count, done.notes, done.damaged)


def _check(target: Path, folder: Folder, overwrite: bool) -> None:
    """Refuse a place that holds something already, above all the crawl itself."""
    own = {folder.database, folder.warc, folder.topic, folder.manifest, folder.path / "crawl.lock"}
    own |= {Path(f"{folder.database}{ending}") for ending in ("-wal", "-shm")}
    try:
        taken, is_folder = target.exists(), target.is_dir()
        mine = target.resolve() in {file.resolve() for file in own}
    except (OSError, ValueError) as error:
        raise _unwritable(target, error) from None
    if is_folder:
        raise ExportError(f"{target} is a folder; give the name of a file to export to")
    if mine:
        raise ExportError(f"{target} belongs to the crawl itself; export to another name")
    if taken and not overwrite:
        raise ExportError(
            f"{target} already exists; choose another name, or --overwrite it (in Python: overwrite=True)"
        )


@contextlib.contextmanager
def _whole_or_nothing(target: Path) -> Iterator[Path]:
    """A fresh file beside the target that takes its place at the end, or vanishes."""
    fresh = target.with_name(f".{target.name[:100]}.{os.getpid()}.part")
    try:
        fresh.open("xb").close()  # made here, so that nothing older of that name is ever written into or removed
    except (OSError, ValueError) as error:
        raise _unwritable(target, error) from None
    try:
        yield fresh
        fresh.replace(target)
    except (OSError, zipfile.LargeZipFile, xlsxwriter.exceptions.XlsxWriterException) as error:
        raise _unwritable(target, error) from None
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)


def _unwritable(target: Path, error: Exception) -> ExportError:
    return ExportError(f"{target} cannot be written: {getattr(error, 'strerror', None) or error}")
