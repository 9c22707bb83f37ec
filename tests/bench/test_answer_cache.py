"""Pages are parsed once, by the hands of a crawl, and parsed again when anything they depend on changes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from honeyguide.bench.answer_cache import AnswerCache, stock
from honeyguide.crawling.hands import Hand, Order
from honeyguide.page.digest import encode
from honeyguide.web import ArchiveWeb, Scope, ScopeRules
from tests.bench.conftest import page, site, topic, write_web


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    pages = {"a": page("honey", "b", "c"), "b": (301, site("a")), "c": (404, "")}
    return write_web(tmp_path / "web", pages, topic(examples=["a"], relevant=["a"])) / "pages.warc.gz"


@pytest.mark.parametrize("structure", [False, True])
@pytest.mark.parametrize("workers", [1, 2])
def test_it_answers_as_a_hand_does(
    archive: Path, structure: bool, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "own"))
    cached = AnswerCache(stock(archive, ("/b$",), structure=structure, workers=workers))
    scope = Scope(ScopeRules(deny=("/b$",)))
    hand = Hand(ArchiveWeb(archive), scope, text=False, structure=structure, warc=None, read=workers > 1)
    for number, name in enumerate(["a", "b", "c", "missing"]):
        order = Order(number, site(name))
        there, here = asyncio.run(hand.do(order)), cached.answer(order)
        assert (there.status, there.location, there.order) == (here.status, here.location, here.order)
        assert (there.page is None) == (here.page is None)
        if there.page is not None and here.page is not None:
            assert encode(there.page) == encode(here.page)
    asyncio.run(hand.close())
    assert sorted(cached) == [site(name) for name in "abc"]
    cached.close()


def test_it_is_filled_once(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "once"))
    told: list[tuple[int, int]] = []
    first = stock(archive, (), structure=False, on_progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3, 3)
    told.clear()
    assert stock(archive, (), structure=False, on_progress=lambda done, total: told.append((done, total))) == first
    assert told == []


def test_another_archive_block_or_structure_is_another_shelf(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "others"))
    caches = [stock(archive, block, structure=kind) for block in ((), ("/b",)) for kind in (False, True)]
    os.utime(archive, ns=(1, 1))
    caches.append(stock(archive, (), structure=False))
    assert len(set(caches)) == 5


def test_old_shelves_are_thrown_away(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONEYGUIDE_CACHE", str(tmp_path / "many"))
    for number in range(10):
        stock(archive, (f"/{number}",), structure=False)
    assert len(list((tmp_path / "many").iterdir())) == 8
