"""What a known URL takes of memory, and an order of time."""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from honeyguide.frontier import Frontier
from tests.clock import takes_at_most


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read as Linux tells it")
def test_a_known_url_takes_less_than_400_bytes() -> None:
    script = """
        import random
        from pathlib import Path
        from honeyguide.frontier import Frontier
        # Not getrusage: its peak counts what the process that started this one held; nothing would be above it.
        def held():
            return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
        chance = random.Random(1)
        frontier = Frontier()
        hosts = [frontier.host(f"h{n}.test:80") for n in range(2_000)]
        for n in range(1_000):
            frontier.add(chance.getrandbits(64), hosts[n % 2_000], chance.random())
        before = held()
        for n in range(200_000):
            frontier.add(chance.getrandbits(64), chance.choice(hosts), chance.random())
        print((held() - before) * 1024 / 200_000)
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert 100 < float(ran.stdout) < 400


def _ordering(known: int) -> Callable[[], object]:
    """Eight hundred orders and their answers, each time anew, among so many known URLs."""
    chance = random.Random(2)
    frontier = Frontier(delay=1.0)
    hosts = [frontier.host(f"h{n}.test:80") for n in range(1_000)]
    for key in range(known):
        frontier.add(key, chance.choice(hosts), chance.random())
    now = 0.0

    def order() -> None:
        nonlocal now
        for _ in range(800):
            number = frontier.next(now)
            while number is None:
                now = frontier.next_due() or now
                number = frontier.next(now)
            frontier.answered(number, now)
            now += 0.001

    return order


def test_an_order_costs_the_same_among_twenty_thousand_and_three_hundred_thousand() -> None:
    takes_at_most(5, _ordering(300_000), than=_ordering(20_000))
