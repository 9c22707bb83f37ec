"""The only SQL in the house: one SQLite database per crawl folder, one transaction per batch."""

from honeyguide.store.folder import Folder
from honeyguide.store.records import RecordStore
from honeyguide.store.rows import Checkpoint, HostRow, Named, UrlRow, VisitRow
from honeyguide.store.selection import EVERYTHING, KINDS, Selection
from honeyguide.store.store import Store
from honeyguide.store.watching import Version, Watched

__all__ = [
    "EVERYTHING",
    "KINDS",
    "Checkpoint",
    "Folder",
    "HostRow",
    "Named",
    "RecordStore",
    "Selection",
    "Store",
    "UrlRow",
    "Version",
    "VisitRow",
    "Watched",
]
