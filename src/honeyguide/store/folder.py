"""A crawl's folder on disk: its files, and the lock that keeps a second process out."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import IO, Any

from honeyguide.atomic import write_whole
from honeyguide.errors import CrawlFolderError
from honeyguide.wording import command

try:
    import fcntl
except ImportError:  # pragma: no cover - no such locks on Windows; there the database's own lock must do
    fcntl = None  # type: ignore[assignment]

__all__ = ["Folder", "in_use"]

_LOCK = "crawl.lock"


class Folder:
    """Where a crawl lives.

    crawl.db         frontier, pages, records, reasons
    pages.warc.gz    what the servers answered, byte by byte
    topic.toml       the topic, to be read by people and used again
    manifest.json    settings, versions, counts and refusals: enough to defend or repeat the crawl
    report.html      the same for the eye
    mail             a folder, only while somebody else has something to say to a crawl that runs
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock: IO[str] | None = None

    database = property(lambda self: self.path / "crawl.db")
    unborn = property(lambda self: self.path / "crawl.new")  # the database while it is being made
    warc = property(lambda self: self.path / "pages.warc.gz")
    topic = property(lambda self: self.path / "topic.toml")
    manifest = property(lambda self: self.path / "manifest.json")
    report = property(lambda self: self.path / "report.html")
    mail = property(lambda self: self.path / "mail")

    @property
    def own_names(self) -> set[str]:
        """The names of all files that belong to the crawl itself."""
        own = {path.name for path in (self.database, self.warc, self.topic, self.manifest, self.report, self.mail)}
        return own | {_LOCK, f"{self.database.name}-wal", f"{self.database.name}-shm"}

    def is_crawl(self) -> bool:
        """Whether a crawl was begun here."""
        try:
            return bool(self.database.is_file())
        except OSError as error:  # a name that is too long for any folder, or one into which we may not look
            raise CrawlFolderError(f"{self.path} cannot be read: {error.strerror or error}") from None

    def prepare(self) -> None:
        """Make the folder for a new crawl; refuses one that holds something else, or cannot be written."""
        self._refuse_others()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / _LOCK).touch()
        except OSError as error:
            raise self._unwritable(error) from None

    def clear(self) -> None:
        """Take away what a beginning that was killed left behind; for whoever holds the lock."""
        self._refuse_others()  # looked at once more, now that nobody else can put anything there
        try:
            for name in self._leftovers():
                (self.path / name).unlink(missing_ok=True)
        except OSError as error:
            raise self._unwritable(error) from None

    def _leftovers(self) -> list[str]:
        """What a beginning that was killed may have left behind; only a half-made database tells of one."""
        if not self.unborn.exists():
            return []
        # The database goes last: without it, nothing would say that the rest is nobody's.
        return [self.topic.name, *(f"{self.unborn.name}{ending}" for ending in ("-wal", "-shm", "-journal", ""))]

    def _refuse_others(self) -> None:
        if self.is_crawl():
            raise CrawlFolderError(
                f"{self.path} already holds a crawl; continue it with '{command('resume', self.path)}' "
                "or choose another folder with --out"
            )
        try:
            there = {entry.name for entry in self.path.iterdir()} if self.path.exists() else set()
        except OSError as error:
            raise self._unwritable(error) from None
        if there - {_LOCK, *self._leftovers()}:
            raise CrawlFolderError(f"{self.path} is not empty and not a crawl; choose another folder with --out")

    def begin(self, topic: str) -> None:
        """The half-made database is whole: with the topic beside it, it becomes a crawl in one step."""
        try:
            self.topic.write_text(topic, encoding="utf-8")
            self.unborn.replace(self.database)
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> CrawlFolderError:
        return CrawlFolderError(f"{self.path} cannot be written: {error.strerror or error}")

    def lock(self) -> None:
        """Hold the folder for this process; a second one is refused."""
        if self._lock is not None:
            return
        try:
            handle = (self.path / _LOCK).open("a+", encoding="utf-8")
        except OSError as error:
            raise self._unwritable(error) from None
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                handle.seek(0)
                holder = handle.read().strip() or "another process"
                handle.close()
                raise CrawlFolderError(f"{self.path} is in use by {holder}; wait for it or stop it first") from None
        self._lock = handle
        with contextlib.suppress(OSError):  # a full disk: who holds it stays untold, but held it is
            handle.truncate(0)
            handle.write(f"process {os.getpid()}")
            handle.flush()

    def unlock(self) -> None:
        """Let others have the folder."""
        if self._lock is not None:
            lock, self._lock = self._lock, None
            with contextlib.suppress(OSError):
                lock.truncate(0)
            with contextlib.suppress(OSError):
                lock.close()

    def write_manifest(self, content: dict[str, Any]) -> None:
        """Replace the manifest in one step, so that no reader ever sees half of one."""
        text = json.dumps(content, ensure_ascii=False, indent=2) + "\n"
        try:
            write_whole(self.manifest, text.encode("utf-8", "replace"))
        except OSError as error:
            raise self._unwritable(error) from None

    def read_manifest(self) -> dict[str, Any]:
        """The manifest as last written; empty when there is none."""
        try:
            content = json.loads(self.manifest.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}


def in_use(path: Path) -> bool:
    """Whether a process holds the crawl in a folder, as far as can be told by somebody who may only look."""
    if fcntl is None:  # pragma: no cover - see above
        return False
    try:
        with (path / _LOCK).open("rb") as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)  # let go of at once, with the handle
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
