"""What a watch tells of: what it finds, and what it has come to."""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["Finding", "WatchSummary"]


class Finding(msgspec.Struct, kw_only=True):
    """Something that was found while watching."""

    what: Literal["new", "changed", "gone", "back"]
    url: str
    title: str
    on_topic: bool
    at: float  # seconds since 1970


class WatchSummary(msgspec.Struct, kw_only=True):
    """What a watch has come to, since it was begun this time."""

    folder: str
    watched: int = 0
    seconds: float = 0.0
    requests: int = 0  # robots.txt included
    unchanged: int = 0  # of these, answered with a word: nothing newer
    new: int = 0
    new_on_topic: int = 0
    changed: int = 0
    gone: int = 0
    stop_reason: str = ""
