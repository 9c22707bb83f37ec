"""Everything a user may set about a crawl, with the defaults and what they mean."""

from __future__ import annotations

import math
from typing import Any, Literal

import msgspec

from honeyguide import __version__
from honeyguide.errors import SettingError
from honeyguide.text.encoder import INSTALL, has_encoder
from honeyguide.topic import Topic
from honeyguide.web import ScopeRules

__all__ = ["Settings", "changed", "check_encoder"]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """One crawl's settings; stored with it, so that a resumed crawl is the same crawl."""

    strategy: str = "guide"
    strategy_settings: dict[str, str] = {}
    learn_from: tuple[str, ...] = ()  # earlier crawls and offline webs that the strategy learns from at the outset
    seed: int = 0
    web: str = "live"  # live, demo, a WARC file, or the folder of an offline web
    # when to stop
    pages: int = 1_000  # answers, whatever their status; robots.txt does not count
    seconds: float = 0.0  # 0: no limit
    records: int = 0  # stop after so many on-topic pages; 0: no limit
    # where to go
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    stay: Literal["anywhere", "site", "host"] = "anywhere"
    depth: int = 0  # links from the starts; 0: no limit
    per_host: int = 0  # pages of one host; 0: no limit
    hops: int = 10  # redirects in a row
    choosy: float = 0.25  # 0: never leave a host idle; else fetch only what is among the best (pages left x this)
    # how politely
    delay: float = 1.0  # seconds a host rests, from the end of its last answer
    at_once: int = 1  # requests under way at one host; more are for servers of one's own, and only without a delay
    connections: int = 32  # requests under way at once, all hosts together
    retries: int = 2  # further tries for what is worth trying again
    patience: int = 5  # failures in a row after which a host is parked
    contact: str = ""  # a mail address or page, told to every server
    open: tuple[str, ...] = ()  # private addresses that may be asked all the same
    # how long to wait, how much to take
    connect_timeout: float = 10.0
    read_timeout: float = 20.0
    total_timeout: float = 60.0
    largest: int = 5_000_000
    # what to keep
    warc: bool = True
    text: bool = True
    keep: bool = True  # keep records of pages on topic at all; a race needs none
    careful: bool = True  # make the careful record of pages on topic
    threshold: float | None = None  # probability from which a page is on topic; none: the judge finds it
    encoder: bool = False  # whether a sentence encoder, too, reads what pages are about
    workers: int = 1  # hands as processes; 1: within this process

    def __post_init__(self) -> None:
        positive = (
            "pages",
            "patience",
            "at_once",
            "connections",
            "workers",
            "largest",
            "connect_timeout",
            "read_timeout",
            "total_timeout",
        )
        for name, value in msgspec.structs.asdict(self).items():
            if isinstance(value, float) and not math.isfinite(value):
                raise SettingError(f"{name.replace('_', '-')} must be a number, not {value}")
        for name in positive:
            if getattr(self, name) <= 0:
                raise SettingError(f"{name.replace('_', '-')} must be more than 0, not {getattr(self, name)}")
        for name in ("seconds", "records", "depth", "per_host", "choosy", "delay", "retries", "hops"):
            if getattr(self, name) < 0:
                raise SettingError(f"{name.replace('_', '-')} must not be negative, but is {getattr(self, name)}")
        if self.at_once > 1 and self.delay:
            raise SettingError(f"at-once may be more than 1 only where delay is 0, not {self.delay:g}")
        if self.threshold is not None and not 0.0 < self.threshold < 1.0:
            raise SettingError(f"threshold must lie between 0 and 1, not at {self.threshold}")
        if "\n" in self.contact or "\r" in self.contact:
            raise SettingError("contact must be one line: a mail address or the address of a page")

    def rules(self, topic: Topic) -> ScopeRules:
        """Where a crawl for a topic may go."""
        return ScopeRules(allow=self.allow, deny=self.deny, stay=self.stay, homes=topic.starts + topic.examples)

    @property
    def agent(self) -> str:
        """How we name ourselves to servers: honestly, and with a way to reach whoever runs the crawl."""
        contact = self.contact or "operator left no contact"
        return f"honeyguide/{__version__} (focused crawler; {contact})"


def check_encoder(wanted: bool) -> None:
    """See that there is a sentence encoder, if one is wanted."""
    if wanted and not has_encoder():
        raise SettingError(f"setting 'encoder' needs a package: run '{INSTALL}' first")


def changed(settings: Settings, changes: dict[str, Any]) -> Settings:
    """Settings with some of them changed; says in one sentence which name or value makes no sense."""
    unknown = set(changes) - set(Settings.__struct_fields__)
    if unknown:
        raise SettingError(f"unknown setting '{min(unknown)}'; known: {', '.join(Settings.__struct_fields__)}")
    try:
        return msgspec.convert({**msgspec.to_builtins(settings), **changes}, Settings)
    except msgspec.ValidationError as error:
        raise SettingError(f"a setting cannot be understood: {error}") from None
