"""An offline web as the race needs it: an archive, and topics whose truth is kept apart from what strategies see."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from honeyguide.errors import BenchError, TopicError
from honeyguide.store import Folder
from honeyguide.web import check_archive
from honeyguide.web.urls import normalise
from honeyguide.wording import command

__all__ = ["OfflineWeb", "RaceTopic", "load"]


class RaceTopic(msgspec.Struct, frozen=True):
    """A topic as a strategy may know it: no truth in here."""

    id: str
    name: str
    keywords: dict[str, float] = {}
    examples: tuple[str, ...] = ()
    far_starts: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kind: Literal["any", "article", "news"] = "any"


class _Line(RaceTopic, frozen=True):
    relevant: tuple[str, ...] = ()


class OfflineWeb(NamedTuple):
    """The folder, read."""

    archive: Path
    topics_file: Path
    topics: list[RaceTopic]
    truths: dict[str, frozenset[str]]  # by topic id; for the scorer and the oracle only
    clicks: str = ""  # its click log, if it has one


def load(folder: str | Path, topics_file: str | Path | None = None, only: Sequence[str] = ()) -> OfflineWeb:
    """Read an offline web's folder; `only` keeps the topics of these ids."""
    archive = check_archive(folder)
    file = Path(topics_file) if topics_file else archive.parent / "topics.jsonl"
    if not topics_file and not file.exists() and Folder(archive.parent).is_crawl():
        made = command("record", archive.parent, "--out", "WEB_DIR")
        raise BenchError(
            f"{archive.parent} is a crawl and no offline web yet; make one of it with '{made}', and race on that"
        )
    topics: list[RaceTopic] = []
    truths: dict[str, frozenset[str]] = {}
    for line in _lines(file):
        if line.id in truths:
            raise TopicError(f"{file}: two topics have the id '{line.id}'")
        topics.append(RaceTopic(*(getattr(line, name) for name in RaceTopic.__struct_fields__)))
        truths[line.id] = frozenset(line.relevant)
    if not topics:
        raise TopicError(f"{file} holds no topic")
    if missing := [name for name in only if name not in truths]:
        raise BenchError(f"{file} has no topic '{missing[0]}'; it has: {', '.join(truths)}")
    chosen = [topic for topic in topics if not only or topic.id in only]
    logs = (archive.parent / name for name in ("clicks.jsonl.gz", "clicks.jsonl"))
    clicks = next((str(log.absolute()) for log in logs if log.is_file()), "")
    return OfflineWeb(archive, file, chosen, truths, clicks)


def _lines(file: Path) -> Iterator[_Line]:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise TopicError(f"the topics file {file} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise TopicError(f"the topics file {file} is not UTF-8: {error.reason} at byte {error.start}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield _normal(msgspec.json.decode(line, type=_Line))
        except (msgspec.DecodeError, ValueError) as error:
            raise TopicError(f"{file}, line {number}: {_plain(str(error))}") from None
        except RecursionError:
            raise TopicError(f"{file}, line {number}: it is nested too deeply") from None


def _plain(message: str) -> str:
    """A decoder's complaint in plainer words: where first, in the file's own names."""
    told, _, place = message.partition(" - at ")
    return f"{place.strip('`').removeprefix('$').lstrip('.')}: {told}" if place.strip("`$") else told


def _normal(line: _Line) -> _Line:
    if not re.fullmatch(r"[^\s,]+", line.id):
        raise ValueError(f"the id '{line.id}' must be one word without commas")
    for word, weight in line.keywords.items():
        if not weight > 0:
            raise ValueError(f"keywords: the weight of '{word}' must be more than 0, not {weight}")
    urls: dict[str, tuple[str, ...]] = {}
    for name in ("examples", "far_starts", "relevant"):
        urls[name] = tuple(dict.fromkeys(_url(name, address) for address in getattr(line, name)))
    if not urls["relevant"]:
        raise ValueError(f"topic '{line.id}' lists no relevant pages")
    return msgspec.structs.replace(line, **urls)


def _url(name: str, address: str) -> str:
    known = normalise(address)
    if known is None:
        raise ValueError(f"{name}: '{address}' is no http or https address")
    return known
