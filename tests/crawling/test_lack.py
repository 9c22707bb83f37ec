"""What this machine lacks, descriptors or a network, is nobody else's fault: no host is parked for it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from proofs.strain_server import Healthy

from honeyguide.crawling.hands import Answer, Order
from honeyguide.crawling.line import Line
from tests.crawling.conftest import visited
from tests.crawling.strain import parked

ROOT = Path(__file__).resolve().parents[2]
ALONE = ["unshare", "--user", "--map-root-user", "--net"]  # a network of its own, with nothing in it


def _python(code: str, *words: str, before: list[str] | None = None) -> str:
    """What a process of its own says."""
    command = [*(before or []), sys.executable, "-c", code, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    return done.stdout


# -- descriptors ------------------------------------------------------------------------------------------------------

FEW = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
from proofs.strain_server import Healthy
from honeyguide.crawling.crawl import run
from tests.crawling.strain import make
server, workers = Healthy(60, 4, port=int(sys.argv[2])), int(sys.argv[3])
print(run(make(server, Path(sys.argv[1]), workers=workers, connections=48 * workers, patience=1)).stop_reason)
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_few_descriptors_make_a_crawl_slower_and_cost_no_host_a_page(tmp_path: Path, workers: str) -> None:
    with Healthy(60, 4, slow=0.1) as server:
        assert _python(FEW, str(tmp_path / "crawl"), str(server.port), workers) == "nothing left to visit\n"
    assert parked(tmp_path / "crawl") == {}
    assert sorted(visited(tmp_path / "crawl")) == sorted(server.urls)


GONE = """
import asyncio, os, resource, sys
from proofs.strain_server import Healthy
from honeyguide.web import LiveWeb
from honeyguide.web.guard import Guard

async def go():
    server = Healthy(1, 1, port=int(sys.argv[1]))
    live = LiveWeb(agent="test", guard=Guard(["127.0.0.1"]), names=server.names(), connections=40, total_timeout=200)
    await live.fetch(server.urls[0])
    highest = max(int(name) for name in os.listdir("/dev/fd"))
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 6, highest + 6))  # gone only now, when all is set up
    found = await asyncio.gather(*(live.fetch(server.urls[0]) for _ in range(60)))
    print({answer.status for answer in found}, live._slots.limit < 40)

asyncio.run(go())
"""


def test_descriptors_that_run_out_in_the_midst_lower_how_much_is_done_at_once() -> None:
    with Healthy(1, 1, slow=0.05) as server:
        assert _python(GONE, str(server.port)) == "{200} True\n"
    assert server.asked["healthy-0.test", "/"] == 61  # what failed for want of a descriptor never reached the host


# -- the network ------------------------------------------------------------------------------------------------------


class Network:
    """Answers as hands would, over a network that can be there or not."""

    def __init__(self, **options: float) -> None:
        self.there = True
        self.got: list[Answer] = []
        self.probes = 0
        self.line = Line(self.got.append, self.is_there, lambda: None, every=0.01, **options)

    async def is_there(self, url: str) -> bool:
        self.probes += 1
        return self.there and "good" in url

    def fetch(self, number: int, url: str) -> None:
        """Ask, and be answered at once."""
        order = Order(number, url)
        self.line.given(order)
        good = self.there and "good" in url
        self.line.answered(Answer(order, status=200 if good else 0, error="" if good else "no", doubtful=not good))


def test_a_host_that_cannot_be_reached_is_at_fault_if_others_can() -> None:
    async def go() -> Network:
        network = Network()
        bad = Order(1, "http://bad.test/")
        network.line.given(bad)
        network.fetch(0, "http://good.test/")
        network.line.answered(Answer(bad, error="no", doubtful=True))
        await network.line.close()
        return network

    network = asyncio.run(go())
    assert [answer.ours for answer in network.got] == [False, False]
    assert network.probes == 0


def test_in_doubt_hosts_that_answered_before_are_looked_for() -> None:
    async def go(there: bool) -> Network:
        network = Network()
        network.fetch(0, "http://good.test/")
        network.there = there
        network.fetch(1, "http://bad.test/")
        while not network.probes or (network.line.down and network.probes < 3):
            await asyncio.sleep(0.01)
        assert (network.line.down, len(network.got)) == ((False, 2) if there else (True, 1))
        network.there = True
        while len(network.got) < 2:
            await asyncio.sleep(0.01)
        assert not network.line.down
        await network.line.close()
        return network

    assert asyncio.run(go(there=True)).got[1].ours is False
    assert asyncio.run(go(there=False)).got[1].ours is True


def test_a_network_that_does_not_come_back_ends_the_crawl_with_a_reason() -> None:
    async def go() -> Network:
        network = Network(longest=0.05)
        network.there = False
        network.fetch(0, "http://good.test/")
        while not network.line.failed:
            await asyncio.sleep(0.01)
        await network.line.close()
        return network

    network = asyncio.run(go())
    assert network.line.failed.startswith("broken off: nobody could be reached")
    assert network.got == []


OFF_AND_ON = """
import subprocess, sys, threading
from pathlib import Path
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
from proofs.strain_server import Healthy
from honeyguide.crawling import line
from honeyguide.crawling.crawl import run
from tests.crawling.strain import beside, make, until
line._EVERY = 0.1
with Healthy(20, 6, slow=0.02) as server:
    one = make(server, Path(sys.argv[1]), workers=int(sys.argv[2]), patience=2, connect_timeout=1.0)
    def plug():
        until(lambda: sum(server.asked.values()) > 30)
        subprocess.run(["ip", "link", "set", "lo", "down"], check=True)
        until(lambda: one._hands.pause == "waiting for the network" or one.brain.frontier.queued == 0)
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with beside(plug):
        print(run(one).stop_reason, server.missing([]) == sorted(server.urls))
"""


def _may_be_alone() -> bool:
    try:
        return subprocess.run([*ALONE, "ip", "link", "set", "lo", "up"], capture_output=True).returncode == 0
    except OSError:
        return False


@pytest.mark.skipif(not _may_be_alone(), reason="this machine lets nobody have a network of their own")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_network_that_goes_and_comes_back_costs_no_host_a_page(tmp_path: Path, workers: str) -> None:
    told = _python(OFF_AND_ON, str(tmp_path / "crawl"), workers, before=ALONE)
    assert told == "nothing left to visit True\n"
    assert parked(tmp_path / "crawl") == {}
    assert sorted(visited(tmp_path / "crawl")) == sorted(Healthy(20, 6).urls)


# -- names ------------------------------------------------------------------------------------------------------------

SILENT = """
import socket, subprocess, sys
from pathlib import Path
if subprocess.run(["ip", "link", "set", "lo", "up"]).returncode or subprocess.run(
    ["mount", "--bind", sys.argv[2], "/etc/resolv.conf"]
).returncode:
    sys.exit("no namespace")
silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
silent.bind(("127.0.0.1", 53))  # a real name server that never answers
from proofs.strain_server import Healthy
from honeyguide.crawling.crawl import run
from tests.crawling.strain import beside, make, until
with Healthy(24, 4) as server:
    dead = [f"http://dead-{number}.example/" for number in range(100)]
    one = make(server, Path(sys.argv[1]), *dead, workers=int(sys.argv[3]), connect_timeout=120.0)
    def watch():
        until(lambda: len(server.asked) == 24 * 5)
        one.stop("all good pages are had")
    with beside(watch):
        print(run(one).stop_reason)
"""


@pytest.mark.skipif(not _may_be_alone(), reason="this machine lets nobody have a network of their own")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_hundred_names_that_nobody_answers_for_hold_up_nobody(tmp_path: Path, workers: str) -> None:
    """Ten times the threads of asyncio's pool, three times the connections; each would take two minutes."""
    (tmp_path / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:120 attempts:1\n")
    where = [str(tmp_path / "crawl"), str(tmp_path / "resolv.conf"), workers]
    assert _python(SILENT, *where, before=[*ALONE, "--mount"]) == "all good pages are had\n"
    assert parked(tmp_path / "crawl") == {}
