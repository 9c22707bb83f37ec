"""What a hand needs to know before its first order; it travels to processes of their own."""

from __future__ import annotations

from pathlib import Path

import msgspec

from honeyguide.crawling.hands import Hand
from honeyguide.crawling.settings import Settings
from honeyguide.web import ArchiveWeb, LiveWeb, Scope, ScopeRules, Web
from honeyguide.web.guard import Guard

__all__ = ["Task", "cuts_all"]


def cuts_all(kind: str) -> bool:
    """Whether a topic of this kind has every page cut into its blocks before it is judged, for a strategy that wants
    blocks at all."""
    return kind == "article"


class Task(msgspec.Struct, kw_only=True):
    """All a hand needs to know before its first order."""

    settings: Settings
    rules: ScopeRules
    languages: tuple[str, ...] = ()
    structure: bool = False  # whether the strategy wants the blocks of a page
    cut_all: bool = True  # whether every page is cut into its blocks at once; else those the strategy asks for
    archive: str = ""  # path of the WARC to replay; empty for the live web
    names: dict[str, tuple[str, int]] = {}  # host names led to an address of our own: the demo web
    warc: str = ""  # the crawl's own WARC, for records made later
    connections: int = 0  # this hand's share of those the settings allow; 0: all

    def web(self) -> Web:
        """The web this task is about."""
        chosen = self.settings
        if self.archive:
            return ArchiveWeb(self.archive, largest=chosen.largest)
        return LiveWeb(
            agent=chosen.agent,
            languages=self.languages,
            connect_timeout=chosen.connect_timeout,
            read_timeout=chosen.read_timeout,
            total_timeout=chosen.total_timeout,
            largest=chosen.largest,
            guard=Guard(chosen.open),
            names=self.names,
            keep=chosen.delay == 0 and chosen.workers == 1,
            connections=self.connections or chosen.connections,
        )

    def hand(self) -> Hand:
        """A hand for this task."""
        warc = Path(self.warc) if self.warc else None
        chosen = self.settings
        # A process of its own reads every page closely: the brain may need it, and has enough to do.
        read = chosen.workers > 1
        return Hand(
            self.web(),
            Scope(self.rules),
            text=chosen.text,
            structure=self.structure,
            warc=warc,
            read=read,
            cut_all=self.cut_all or read,
            encode=chosen.encoder,
            # As many as may be under way before the brain says which of them are worth a record.
            bodies=2 * chosen.connections if chosen.keep and (chosen.text or chosen.careful) else 0,
        )
