"""Small offline webs whose every link is known, and a cache of the test run's own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from honeyguide.bench import Bench, Entry, Race, Result
from honeyguide.web.base import Response
from honeyguide.web.warc import response_record

Page = str | tuple[int, str]  # a body, or a status with the address it leads to


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    patch = pytest.MonkeyPatch()
    patch.setenv("HONEYGUIDE_CACHE", str(tmp_path_factory.mktemp("cache")))


def site(name: str) -> str:
    return f"http://a.test/{name}"


def page(words: str, *links: str) -> str:
    anchors = " ".join(f'<a href="{site(link)}">{link}</a>' for link in links)
    return f"<title>{words}</title><p>{words} {words} {words}.</p><p>{anchors}</p>"


def write_web(folder: Path, pages: Mapping[str, Page], *topics: Mapping[str, Any]) -> Path:
    """An offline web of pages by name, and its topics."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "pages.warc.gz").open("wb") as file:
        for name, content in pages.items():
            status, location = content if isinstance(content, tuple) else (200, "")
            headers = [("Content-Type", "text/html; charset=utf-8")]
            headers += [("Location", location)] if location else []
            body = content.encode() if isinstance(content, str) else b""
            answer = Response(site(name), status=status, headers=headers, body=body, fetched=1_700_000_000.0)
            file.write(response_record(answer))
    lines = [json.dumps({"name": "honey", "keywords": {"honey": 1.0}, "examples": [], **topic}) for topic in topics]
    (folder / "topics.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def topic(name: str = "t", **lists: list[str]) -> dict[str, Any]:
    """A topic whose lists of pages are given by name."""
    return {"id": name, **{key: [site(one) for one in names] for key, names in lists.items()}}


Racer = Callable[..., tuple[Bench, dict[str, Result]]]


@pytest.fixture
def race() -> Racer:
    """Race on one topic; gives the bench and each strategy's result."""

    def go(web: Path, *names: str, **rules: Any) -> tuple[Bench, dict[str, Result]]:
        entries = tuple(Entry(name) for name in names or ("breadth-first",))
        bench = Bench(Race(web=str(web), strategies=entries, workers=1, **rules))
        return bench, {one.strategy: one for one in bench.run()}

    return go
