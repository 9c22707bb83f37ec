"""Everything that can go wrong, as one small tree.

    HoneyguideError                 something the user can read and act on; exit code 2
    ├── TopicError                  a topic file or flag that cannot be understood
    │   └── RowsError               rows of an imported list that cannot be used, each with its number
    ├── SettingError                a setting with an impossible value
    ├── UnknownStrategy             no strategy of that name, or a file that holds none
    ├── StrategyError               a strategy that broke down, and where
    ├── CrawlFolderError            not a crawl, not writable, in use, or of another version
    ├── ArchiveError                a WARC that cannot be read
    ├── BenchError                  a race that cannot be run
    ├── ExtractError                a page from which no record can be made
    └── ExportError                 an export that cannot be written

Each message says what was wrong with what, and what to do, in one sentence. What a *page* does wrong
is never an exception: it is an answer with a reason, and the crawl goes on.
"""

__all__ = [
    "ArchiveError",
    "BenchError",
    "CrawlFolderError",
    "ExportError",
    "ExtractError",
    "HoneyguideError",
    "RowsError",
    "SettingError",
    "StrategyError",
    "TopicError",
    "UnknownStrategy",
]


class HoneyguideError(Exception):
    """Bad input or a bad place to work in, told in one sentence."""


class TopicError(HoneyguideError):
    """A topic file or flag that cannot be understood."""


class RowsError(TopicError):
    """Rows of a list that cannot be used, and why, by their numbers; nothing of the list was taken in."""

    def __init__(self, told: str, rows: list[tuple[int, str]]) -> None:
        super().__init__(told)
        self.rows = rows


class SettingError(HoneyguideError):
    """A setting with an impossible value."""


class UnknownStrategy(HoneyguideError):  # noqa: N818 - reads as what happened
    """No strategy of that name is registered, or the file named holds none."""


class StrategyError(HoneyguideError):
    """A strategy broke down at its work."""


class CrawlFolderError(HoneyguideError):
    """The folder is not a crawl, cannot be written, is in use, or is of another version."""


class ArchiveError(HoneyguideError):
    """A WARC that cannot be read as an archive."""


class BenchError(HoneyguideError):
    """A race that cannot be run as it was asked for."""


class ExtractError(HoneyguideError):
    """A page from which no record can be made."""


class ExportError(HoneyguideError):
    """An export that cannot be written."""
