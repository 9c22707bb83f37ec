"""A strategy in a race cannot reach the truth: not in memory, not on disk, not through other processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from honeyguide.bench import Bench, Entry, Race
from honeyguide.errors import BenchError
from tests.bench.conftest import Racer, page, topic, write_web

SECRET = "hidden-honey-pot"

_CHEAT = '''
from honeyguide.strategies import Strategy

class Cheat(Strategy):
    """Tries to look."""

    name = "cheat"

    def start(self, brief, seed):
        self.told = self.look()

    def look(self):
{body}

    def page(self, page):
        return [(link.id, 0.0) for link in page.links]
'''


@pytest.fixture
def web(tmp_path: Path) -> Path:
    pages = {"e": page("honey", "r", "x"), "r": page("honey"), "x": page("road"), SECRET: page("honey")}
    return write_web(tmp_path / "web", pages, topic(examples=["e"], relevant=["e", "r", SECRET]))


def cheat(place: Path, body: str) -> str:
    file = place / "cheat.py"
    file.write_text(_CHEAT.format(body="\n".join(f"        {line}" for line in body.strip().split("\n"))))
    return f"{file}:Cheat"


@pytest.mark.parametrize(
    "body",
    [
        "return open('{topics}').read()",
        "import os\nreturn os.read(os.open('{topics}', os.O_RDONLY), 99)",
        "import pathlib\nreturn pathlib.Path('{link}').read_text()",
        "import io\nreturn io.FileIO('{topics}').read()",
        "import subprocess\nreturn subprocess.check_output(['cat', '{topics}'])",
        "import os\nreturn os.system('cat {topics}')",
        "import os\nreturn os.fork()",
        "import os\nreturn open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
        "import socket\nreturn socket.create_connection(('127.0.0.1', 9))",
        "import ctypes\nreturn ctypes.CDLL(None)",
    ],
)
def test_reaching_for_it_ends_the_race(web: Path, tmp_path: Path, body: str) -> None:
    (tmp_path / "link").symlink_to(web / "topics.jsonl")
    body = body.replace("{topics}", str(web / "topics.jsonl")).replace("{link}", str(tmp_path / "link"))
    with pytest.raises(BenchError, match=r"the race of '.*cheat\.py:Cheat' broke off: a strategy in a race"):
        list(Bench(Race(web=str(web), strategies=(Entry(cheat(tmp_path, body)),), workers=1)).run())


def test_it_is_nowhere_in_the_memory_of_a_strategys_process(web: Path, tmp_path: Path, race: Racer) -> None:
    """One relevant page has no link to it: only truth would name it, and no list, tuple or set of the process does.

    The index of the archive, a dict, has the names of all pages; that a page exists says nothing of its worth.
    """
    body = """
import gc
secret = "http://a.test/" + "-".join(["hidden", "honey", "pot"])
known = "http://a.test/" + "e"
found = {secret: 0, known: 0}
for thing in gc.get_objects():
    if type(thing) in (list, tuple, set, frozenset):
        for one in thing:
            if isinstance(one, str) and one in found:
                found[one] += 1
assert found[known] > 0, "the example is there, so the search works"
assert found[secret] == 0, "the truth is in memory"
import sys
frame, heats = sys._getframe(), []
while frame is not None:  # what holds nothing but texts is not among the objects above
    heats += [thing for thing in frame.f_locals.values() if type(thing).__name__ == "Heat"]
    frame = frame.f_back
assert heats and known in repr(heats), "what the process was told is found"
assert secret not in repr(heats), "the process was told the truth"
"""
    name = cheat(tmp_path, body)
    _, results = race(web, name)
    assert results[name].recall == pytest.approx(2 / 3)


def test_a_strategy_that_fails_is_told_with_its_place(web: Path, tmp_path: Path) -> None:
    with pytest.raises(
        BenchError,
        match=r"ZeroDivisionError: division by zero \(cheat\.py, line 13\), on topic 't'",
    ):
        list(Bench(Race(web=str(web), strategies=(Entry(cheat(tmp_path, "return 1 / 0")),), workers=1)).run())
