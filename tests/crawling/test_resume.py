"""Stopped and resumed, a crawl is the one it was; what is killed or damaged has files of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from honeyguide.api import demo_topic
from honeyguide.crawling import Crawl, Settings
from honeyguide.crawling.progress import Progress
from honeyguide.demo import build, write_web
from honeyguide.page.digest import decode
from honeyguide.store import Folder, Store
from honeyguide.topic import Judge
from tests.crawling.conftest import run, visited

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "proofs"))

from witness import problems


def all_of(judge: object) -> bytes:
    """All that a judge has learnt."""
    assert isinstance(judge, Judge)
    return msgspec.msgpack.encode(judge._state, enc_hook=lambda company: vars(company)["_pairs"].tobytes())


def test_the_strategy_and_the_judge_are_what_they_were(tmp_path: Path) -> None:
    write_web(tmp_path / "web", build())

    def begin(name: str, pages: int) -> Crawl:
        settings = Settings(web=str(tmp_path / "web"), pages=pages, careful=False)
        return Crawl(Folder(tmp_path / name), demo_topic(), settings)

    straight = begin("straight", 200)
    straight.create()
    run(straight)
    first = begin("halted", 200)
    first.create()
    first.events.tell(lambda _: first.stop() if first.brain.visits > 100 else None, Progress)
    assert run(first).pages < 200
    second = begin("halted", 200)
    second.open()
    run(second)
    assert visited(tmp_path / "straight") == visited(tmp_path / "halted")
    assert straight.brain.ranking.strategy.save() == second.brain.ranking.strategy.save()
    once, later = straight.brain.verdicts.judge, second.brain.verdicts.judge
    assert once.threshold == later.threshold
    assert all_of(once) == all_of(later)


def test_what_was_learnt_at_the_end_of_a_run_is_known_in_the_next(tmp_path: Path) -> None:
    """A budget was spent, so the judge has learnt from all pages met, between two sizes at which it does anyway."""
    write_web(tmp_path / "web", build())

    def begin(pages: int) -> Crawl:
        return Crawl(Folder(tmp_path / "crawl"), demo_topic(), Settings(web=str(tmp_path / "web"), pages=pages))

    first = begin(100)
    first.create()
    run(first)
    verdicts = first.brain.verdicts
    assert 64 < verdicts.learnt < 128
    assert not verdicts.behind
    second = begin(110)
    second.open()
    assert second.brain.verdicts.history() == verdicts.history()
    assert all_of(second.brain.verdicts.judge) == all_of(verdicts.judge)
    run(second)
    assert second.brain.verdicts.learnt > verdicts.learnt
    assert problems(tmp_path / "crawl") == []  # shown all pages once more, it is the same


def test_all_a_strategy_knows_can_be_learnt_again_from_what_is_stored(tmp_path: Path) -> None:
    write_web(tmp_path / "web", build())
    # A strategy that verdicts which turn on the way do not move: a replay tells of them at its end.
    settings = Settings(web=str(tmp_path / "web"), allow=("^http://science",), careful=False, strategy="hopfield")
    first = Crawl(Folder(tmp_path / "crawl"), demo_topic(), settings)
    first.create()
    run(first)
    store = Store.open(tmp_path / "crawl" / "crawl.db")
    assert any(visit.media == "application/pdf" for visit in store.visits("page"))  # learnt from like any page
    store.begin()
    store.drop_checkpoint()
    store.close()
    second = Crawl(Folder(tmp_path / "crawl"), demo_topic(), settings)
    second.open()
    second.close()
    assert second.brain.ranking.strategy.save() == first.brain.ranking.strategy.save()
    assert second.brain.ranking.shown == first.brain.ranking.shown


def test_copies_of_pages_met_before_are_still_told(tmp_path: Path) -> None:
    write_web(tmp_path / "web", build())
    settings = Settings(web=str(tmp_path / "web"), pages=60, careful=False)
    first = Crawl(Folder(tmp_path / "crawl"), demo_topic(), settings)
    first.create()
    run(first)
    second = Crawl(Folder(tmp_path / "crawl"), demo_topic(), settings)
    second.open()
    store = second.brain.store
    sketches = {number: decode(blob).sketch for number, blob in store.digests()}
    originals = [visit.id for visit in store.visits("page", originals=True) if sketches[visit.id]]
    assert len(originals) > 20
    for number in originals:
        found = second.brain.near.find(sketches[number])
        assert found is not None
        assert found == first.brain.near.find(sketches[number])
    second.close()
