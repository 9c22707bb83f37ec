"""The record: one page as the corpus keeps it."""

from __future__ import annotations

import json

import msgspec

from honeyguide.text.terms import words

__all__ = ["DividedRecord", "Record", "divided", "whole"]


class Record(msgspec.Struct):
    """One page as the corpus keeps it.

    `published` is ISO 8601 with as much as is known, from a year to a moment with its offset. `careful` is False
    when the page was too odd or too large for the careful tools. `extra` holds what only some pages have: doi,
    journal, publisher, section, editor; of a scholarly page its abstract and its references, one a line, and then
    `keywords` are those its authors gave; `left_out`, what of an overgrown page is not in the record. `sources` says of
    each field that is filled where it was found, `sure` how likely it is right.
    """

    url: str
    title: str = ""
    published: str | None = None
    source: str = ""
    authors: list[str] = msgspec.field(default_factory=list)
    language: str = ""
    text: str = ""
    keywords: list[str] = msgspec.field(default_factory=list)
    relevance: float = 0.0
    parent: str | None = None
    fetched: float = 0.0
    description: str = ""
    kind: str = "page"
    careful: bool = True
    extra: dict[str, str] = msgspec.field(default_factory=dict)
    sources: dict[str, str] = msgspec.field(default_factory=dict)
    sure: dict[str, float] = msgspec.field(default_factory=dict)


class DividedRecord(Record):
    """A record with its title and its text divided into words, in order and as written."""

    title_words: list[str] = msgspec.field(default_factory=list)
    text_words: list[str] = msgspec.field(default_factory=list)


def divided(record: Record) -> DividedRecord:
    """A record with its words. They are made when asked for: kept, they would take as much room as the text.

    >>> divided(Record("http://a.test/", title="高铁通车", text="Bees dance, again.")).title_words
    ['高铁', '通车']
    """
    return DividedRecord(
        **msgspec.structs.asdict(record), title_words=words(record.title), text_words=words(record.text)
    )


def whole(record: Record) -> Record:
    """The record without halves of surrogate pairs, which JSON on a page may hold and no pipe or database takes."""
    try:
        msgspec.msgpack.encode(record)
    except UnicodeEncodeError:
        plain = json.dumps(msgspec.structs.asdict(record), ensure_ascii=False).encode("utf-8", "replace")
        return msgspec.json.decode(plain, type=Record)
    return record
