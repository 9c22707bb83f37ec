"""The manifest of a crawl: all one needs to defend or repeat it."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

import msgspec

from honeyguide import __version__
from honeyguide.crawling.brain import Brain
from honeyguide.crawling.reading import spellings
from honeyguide.crawling.settings import Settings
from honeyguide.store import Folder
from honeyguide.topic import Topic

__all__ = ["manifest"]

_LIBRARIES = ("aiohttp", "selectolax", "trafilatura", "htmldate", "fastwarc", "rjieba", "numpy")


def manifest(folder: Folder, brain: Brain, topic: Topic, settings: Settings) -> dict[str, Any]:
    """Settings and their changes, versions, seed, counts and refusals."""
    store = brain.store
    return {
        "honeyguide": __version__,
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in _LIBRARIES},
        "topic": msgspec.to_builtins(topic),
        "settings": msgspec.to_builtins(settings),
        "changes": store.meta("changes", []),
        "strategy": {"name": settings.strategy, "settings": brain.ranking.strategy.settings},
        "history": brain.ranking.history(),
        "remark": brain.ranking.remark(),
        "adapted": _told(folder, brain),
        "seed": settings.seed,
        "web": settings.web,
        "started": store.meta("started"),
        "ended": store.meta("ended"),
        "seconds": round(store.meta("seconds", 0.0), 3),
        "stop_reason": store.meta("stop_reason", ""),
        "judge": {"name": brain.verdicts.name, "threshold": brain.verdicts.judge.threshold},
        "counts": store.counts(),
        "unkept": store.unkept(),
        "refusals": store.refusal_counts(),
        "mended": store.meta("mended", []),
    }


def _told(folder: Folder, brain: Brain) -> list[tuple[Any, ...]]:
    """How the strategy adapted, its terms written as pages do."""
    changes = brain.ranking.adapted()
    spelled = spellings(folder, brain.store, {term for one in changes for term in one.terms})
    return [
        (*one[:4], " ".join(filter(None, [one.reason, ", ".join(spelled.get(term, term) for term in one.terms)])))
        for one in changes
    ]
