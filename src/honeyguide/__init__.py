"""Honeyguide: a topic-focused web crawler.

    import honeyguide

    for record in honeyguide.crawl("topic.toml", out="my-crawl", pages=500):
        print(record.title, record.published, record.url)

Give it words and example pages; it learns the topic, walks the web best-first and politely, and keeps clean
records, with a reason for every choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from honeyguide.api import Run, crawl, resume, watch
    from honeyguide.corpus import Corpus
    from honeyguide.errors import HoneyguideError
    from honeyguide.page.record import Record
    from honeyguide.strategies import Strategy
    from honeyguide.topic import Topic

__version__ = "0.1.0"
__all__ = ["Corpus", "HoneyguideError", "Record", "Run", "Strategy", "Topic", "__version__", "crawl", "resume", "watch"]

_HOMES = {
    "Corpus": "honeyguide.corpus",
    "HoneyguideError": "honeyguide.errors",
    "Record": "honeyguide.page.record",
    "Run": "honeyguide.api",
    "Strategy": "honeyguide.strategies",
    "Topic": "honeyguide.topic",
    "crawl": "honeyguide.api",
    "resume": "honeyguide.api",
    "watch": "honeyguide.api",
}


def __getattr__(name: str) -> Any:
    # Looked up on first use: `import honeyguide` stays quick, and the rooms below may import this package.
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'honeyguide' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
