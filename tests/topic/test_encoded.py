"""A judge whose pages were read by a sentence encoder as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from honeyguide import dry_run
from honeyguide.api import crawl, demo_topic, resume
from honeyguide.crawling import settings as room
from honeyguide.errors import SettingError
from honeyguide.page import Parser
from honeyguide.page.digest import decode
from honeyguide.store import Store
from honeyguide.text import encoder as encoding
from honeyguide.text.encoder import ENCODED
from honeyguide.text.vectors import SIZE
from honeyguide.topic import Judge, Shown, Topic

TOPIC = Topic.from_flags(keywords=["bees"], starts=["http://a.test/"])
ABOUT = {
    "bees": "Honey bees live in a hive with one queen. The workers gather nectar and pollen, and feed the brood. ",
    "wasps": "Wasps build a nest of paper. The workers hunt insects, and feed the larvae in the cells with them. ",
    "chess": "The queen is the strongest piece of chess. A pawn that comes to the last row may become a queen. ",
    "trains": "The train leaves the station at noon. Its engine burns coal, and the driver looks out for signals. ",
}


def read(name: str, number: int, *, encode: bool = True) -> Shown:
    body = f"<html lang=en><title>{name} {number}</title><p>{ABOUT[name] * 4}Page {number} of it.</p></html>"
    return Shown.of(Parser(structure=False, encode=encode).html(body.encode(), f"http://a.test/{name}/{number}"))


def learnt(*, encode: bool) -> Judge:
    judge = Judge(TOPIC)
    met = [read(name, number, encode=encode) for number in range(10) for name in ("chess", "trains")]
    judge.learn([read("bees", number, encode=encode) for number in range(2)], met)
    return judge


def test_what_the_encoder_makes_of_a_page_stands_behind_what_its_words_do() -> None:
    with_it, without = read("bees", 1), read("bees", 1, encode=False)
    assert len(without.meaning) == SIZE
    assert len(with_it.meaning) == SIZE + ENCODED
    assert with_it.meaning[:SIZE] == without.meaning


def test_both_have_half_a_say() -> None:
    judge = learnt(encode=True)
    views = judge._state.views
    assert {view.encoded for view in views} == {False, True}
    assert sum(view.share for view in views) == pytest.approx(1.0)
    assert sum(view.share for view in views if view.encoded) == pytest.approx(0.5)
    assert judge(read("bees", 7)).on_topic
    assert not judge(read("chess", 70)).on_topic


def test_a_page_that_the_encoder_has_not_read_is_judged_by_the_others_and_its_words() -> None:
    judge = learnt(encode=True)
    assert judge(read("bees", 7, encode=False)).on_topic
    assert not judge(read("trains", 70, encode=False)).on_topic


def test_where_its_package_is_gone_what_it_read_counts_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [read("bees", number) for number in range(2)]
    met = [read(name, number) for number in range(10) for name in ("chess", "trains")]
    asked = [read("bees", 7), read("trains", 70)]
    monkeypatch.setattr(encoding, "_folder", lambda: None)
    encoding.encoder.cache_clear()
    judge = Judge(TOPIC)
    judge.learn(own, met)
    assert not any(view.encoded for view in judge._state.views)
    assert [judge(page).on_topic for page in asked] == [True, False]


def test_pages_with_and_without_it_can_be_learnt_from_together() -> None:
    judge = Judge(TOPIC)
    met = [read(name, number, encode=number % 2 == 0) for number in range(10) for name in ("chess", "trains")]
    judge.learn([read("bees", number) for number in range(3)], met)
    assert judge(read("bees", 7)).on_topic


def test_a_crawl_with_it_keeps_it_with_every_page_and_goes_on_after_a_stop(tmp_path: Path) -> None:
    run = crawl(demo_topic(), out=tmp_path / "crawl", web="demo", delay=0.02, pages=30, careful=False, encoder=True)
    run.finish()
    resume(tmp_path / "crawl", pages=40).finish()
    store = Store.open(tmp_path / "crawl" / "crawl.db", read_only=True)
    try:
        pages = [decode(blob) for _, blob in store.digests()]
    finally:
        store.close()
    read_ones = [page for page in pages if page.kind == "html" and page.meaning]
    assert len(read_ones) > 20
    assert {len(page.meaning) for page in read_ones} == {SIZE + ENCODED}


def test_without_the_package_it_says_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "has_encoder", lambda: False)
    with pytest.raises(SettingError, match="'encoder' needs a package: run 'pip install"):
        crawl(demo_topic(), out=tmp_path / "crawl", web="demo", encoder=True)
    assert not (tmp_path / "crawl").exists()
    (tmp_path / "page.html").write_text("<p>bees</p>")
    with pytest.raises(SettingError, match="'encoder' needs a package"):
        dry_run.judge(TOPIC, [tmp_path / "page.html"], encoder=True)
