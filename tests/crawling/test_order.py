"""The order of a crawl: kept over a kill, however often a strategy changes its mind, and cheap to keep."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from honeyguide.api import demo_topic
from honeyguide.crawling import Crawl, Settings
from honeyguide.demo import build, write_web
from honeyguide.store import Checkpoint, Folder, Store
from tests.crawling.conftest import run, visited
from tests.crawling.webs import strategy

CHILD = Path(__file__).resolve().parents[2] / "proofs" / "child.py"
KILLED, MORE = 130, 100  # the answer that the crawl dies over, and the choices that are compared

# Ranks all that waits anew every five pages, and not as it did before.
RESTLESS = """
revise_every = 5
keeps = ("met", "seen")
def start(self, brief, seed):
    self.graph, self.met, self.seen = brief.graph, 0, brief.graph.column(np.int32)
def page(self, page):
    self.met += 1
    self.seen.raw[page.targets] += 1
    return Ranks(page.targets, np.full(len(page.targets), float(self.met % 7)))
def missed(self, number, outcome):
    self.met += 1
def revise(self):
    waiting = np.flatnonzero(~self.graph.visited)
    turns = (waiting * 2654435761 + self.met * 40503) % 1009
    return Ranks(waiting, turns / 1009.0 + self.seen.raw[waiting])
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    write_web(tmp_path / "web", build())
    name = strategy(tmp_path / "restless.py", RESTLESS)
    return Settings(web=str(tmp_path / "web"), pages=KILLED + MORE, careful=False, strategy=name, connections=1)


def _twin(tmp_path: Path, settings: Settings) -> Crawl:
    twin = Crawl(Folder(tmp_path / "twin"), demo_topic(), settings)
    twin.create()
    run(twin)
    return twin


@pytest.mark.parametrize("reads", [False, True])
def test_a_killed_crawl_of_a_restless_strategy_goes_on_in_the_same_order(
    tmp_path: Path, settings: Settings, reads: bool
) -> None:
    if reads:  # names, with a sentence encoder, many together: what it makes of each is to be the same to the last bit
        settings = msgspec.structs.replace(settings, strategy="guide", strategy_settings={"encoder": "true"})
    (tmp_path / "topic.toml").write_text(demo_topic().to_toml())
    words = ["crawl", str(tmp_path / "topic.toml"), "--out", str(tmp_path / "killed"), "--web", settings.web]
    words += [word for key, value in settings.strategy_settings.items() for word in ("--set", f"{key}={value}")]
    words += ["--strategy", settings.strategy, "--pages", str(settings.pages), "--connections", "1"]
    words += ["--no-report", "--quiet"]
    command = [sys.executable, str(CHILD), "--die", f"take:{KILLED}", "--", *words]
    died = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert died.returncode == -9, died.stderr
    done = visited(tmp_path / "killed")
    assert 0 < len(done) < KILLED + 10
    store = Store.open(tmp_path / "killed" / "crawl.db", read_only=True)
    saved = store.checkpoint()
    store.close()
    assert saved is not None
    assert saved.visit < len(done)  # so there is something to be replayed
    again = Crawl(Folder(tmp_path / "killed"), demo_topic(), settings)
    again.open()
    run(again)
    twin = _twin(tmp_path, settings)
    order = visited(tmp_path / "killed")
    assert len(order) == KILLED + MORE
    assert order[: len(done)] == done
    assert order == visited(tmp_path / "twin")
    assert again.brain.ranking.strategy.save() == twin.brain.ranking.strategy.save()


def test_to_keep_the_order_costs_at_most_two_kilobytes_a_page(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    save = Store.save_checkpoint

    def measured(store: Store, checkpoint: Checkpoint) -> None:
        save(store, checkpoint)
        sizes.append(store._connection.execute("SELECT length(state) FROM states").fetchone()[0])

    monkeypatch.setattr(Store, "save_checkpoint", measured)
    twin = _twin(tmp_path, settings)
    assert len(sizes) > 3
    assert twin.brain.ranking.shown > 150
    assert sum(sizes) / settings.pages <= 2_000
