"""What a judge is shown of a page, what it says of it, and what the crawl asks of any judge."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from honeyguide.page.digest import Digest

__all__ = ["Judging", "Shown", "Verdict"]


class Shown(NamedTuple):
    """A page as a judge sees it."""

    terms: Mapping[str, int]
    meaning: bytes = b""  # the direction of its title and text, one signed byte a number; none where it has none
    title: str = ""
    language: str = ""
    article: bool = False
    published: str = ""
    article_score: float = -1.0  # how likely it is an article; -1 if nobody looked
    article_why: str = ""
    glanced: bool = False  # whether what it is about was left unread
    start: bool = False  # whether the crawl began there: somebody chose it for the topic
    read: Callable[[], Shown] | None = None  # reads that, where it can still be read
    links: bytes = b""  # the hash of each address it links to, eight bytes each; another one in another run
    addresses: tuple[str, ...] = ()  # how these read, where that was asked for
    url: str = ""  # where it lies itself
    order: bytes = b""  # in which the terms are said (page.order)

    @classmethod
    def of(cls, page: Digest, *, spelled: bool = False) -> Shown:
        """What is shown of a fetched page, with the addresses it links to `spelled` or not."""
        addresses = dict.fromkeys([link.url for link in page.links])
        addresses.pop(page.url, None)
        return cls(
            page.terms,
            page.meaning,
            page.title,
            page.language,
            page.article,
            page.published,
            page.article_score,
            page.article_why,
            page.glanced,
            links=array("q", map(hash, addresses)).tobytes(),
            addresses=tuple(addresses) if spelled else (),
            url=page.url,
            order=page.order,
        )


class Verdict(msgspec.Struct):
    """What the judge says of a page; the words' signed parts are in log-odds."""

    probability: float
    on_topic: bool
    words: list[tuple[str, float]]
    note: str = ""


class Judging(Protocol):
    """What the crawl asks of a judge, be it its own or one that a strategy brings."""

    threshold: float

    @property
    def advice(self) -> str:
        """One sentence for the user where the topic is too thin to be judged well."""

    def learn(
        self, examples: Sequence[Shown], background: Sequence[Shown], labelled: Sequence[tuple[Shown, bool]] = ()
    ) -> None:
        """Learn the topic anew: from examples, pages met, and pages people have labelled."""

    def __call__(self, page: Shown) -> Verdict:
        """Judge a page."""
