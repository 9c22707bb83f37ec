"""What a known URL takes of memory, and an order of time."""

from __future__ import annotations

import math
import random
import subprocess
import sys
import textwrap
import time

from honeyguide.frontier import Frontier


def test_a_known_url_takes_less_than_400_bytes() -> None:
    script = """
        import random, resource
        from honeyguide.frontier import Frontier
        chance = random.Random(1)
        frontier = Frontier()
        hosts = [frontier.host(f"h{n}.test:80") for n in range(2_000)]
        for n in range(1_000):
            frontier.add(chance.getrandbits(64), hosts[n % 2_000], chance.random())
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for n in range(200_000):
            frontier.add(chance.getrandbits(64), chance.choice(hosts), chance.random())
        unit = 1 if __import__("sys").platform == "darwin" else 1024
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit / 200_000)
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert float(ran.stdout) < 400


def _cost(known: int) -> float:
    """CPU seconds of an order and its answer among so many known URLs."""
    chance = random.Random(2)
    frontier = Frontier(delay=1.0)
    hosts = [frontier.host(f"h{n}.test:80") for n in range(1_000)]
    for key in range(known):
        frontier.add(key, chance.choice(hosts), chance.random())
    now, best = 0.0, math.inf
    for _ in range(5):
        start = time.process_time()
        for _ in range(800):
            number = frontier.next(now)
            while number is None:
                now = frontier.next_due() or now
                number = frontier.next(now)
            frontier.answered(number, now)
            now += 0.001
        best = min(best, time.process_time() - start)
    return best / 800


def test_an_order_costs_the_same_among_ten_thousand_and_three_hundred_thousand() -> None:
    small, large = _cost(10_000), _cost(300_000)
    assert large < 5 * small + 2e-6, f"{small * 1e6:.1f} and {large * 1e6:.1f} microseconds"
