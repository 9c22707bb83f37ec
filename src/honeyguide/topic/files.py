"""Topic files changed in place: what a person wrote around the words, remarks and order, stays."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import tomlkit
import tomlkit.exceptions

from honeyguide.atomic import write_whole
from honeyguide.errors import TopicError
from honeyguide.topic.topic import Topic

__all__ = ["new_topic", "save_topic"]


def new_topic(path: Path, topic: Topic) -> None:
    """Write a topic file that is not there yet."""
    if path.exists():
        raise TopicError(f"{path} is there already; add to it with 'topic import', or choose another name")
    _write(path, topic.to_toml())


def save_topic(path: Path, topic: Topic) -> None:
    """Write a topic over its file, in one step; of the file only what has changed is touched."""
    before = Topic.load(path, complete=False)
    if before != topic:
        text = path.read_bytes().decode("utf-8-sig")
        _write(path, _changed(text, before, topic, path) or topic.to_toml())


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text.encode())
    except (OSError, ValueError) as error:
        raise TopicError(f"{path} cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _changed(text: str, before: Topic, after: Topic, path: Path) -> str:
    """The text with the new words and pages in it; empty if that did not go well."""
    try:
        document = tomlkit.parse(text)
        words = document.setdefault("keywords", tomlkit.table())
        for word, weight in after.keywords.items():
            if before.keywords.get(word) != weight:
                words[word] = weight
        pages = document.setdefault("pages", tomlkit.table())
        for name in ("examples", "starts"):
            _extend(pages, name, [url for url in getattr(after, name) if url not in getattr(before, name)])
        for name in ("keywords", "pages"):
            if not document[name]:
                del document[name]
        found = tomlkit.dumps(document)
        return found if _same(found, text, after, path) else ""
    except (tomlkit.exceptions.TOMLKitError, tomllib.TOMLDecodeError, TypeError, KeyError, ValueError):
        return ""


def _extend(pages: Any, name: str, urls: Iterable[str]) -> None:
    for url in urls:
        if name not in pages:
            pages[name] = tomlkit.array().multiline(multiline=True)
        pages[name].append(url)


def _same(found: str, text: str, after: Topic, path: Path) -> bool:
    """Whether a text says what is meant, and no more has changed; a file is not written on trust."""
    new, old = tomllib.loads(found), tomllib.loads(text)
    if {**new, "keywords": 0, "pages": 0} != {**old, "keywords": 0, "pages": 0}:
        return False
    read = Topic.from_table(new, path)
    return read == msgspec.structs.replace(after, clicks=read.clicks)
