"""What a known URL takes of memory, an order of time, and ranking a whole queue anew.

Times are only ever compared with other times of the same machine, taken in turns with them.
"""

from __future__ import annotations

import random
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honeyguide.frontier import Frontier, GraphWriter
from tests.clock import takes_at_most


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read as Linux tells it")
def test_a_known_url_takes_less_than_400_bytes() -> None:
    script = """
        import random
        from pathlib import Path
        from honeyguide.frontier import Frontier, GraphWriter
        # Not getrusage: its peak counts what the process that started this one held; nothing would be above it.
        def held():
            return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
        chance = random.Random(1)
        writer = GraphWriter(lambda number: "")
        frontier = Frontier(writer.graph)
        hosts = [frontier.host(f"h{n}.test:80") for n in range(2_000)]
        def find(count):
            numbers = list(range(len(writer.graph), len(writer.graph) + count))
            keys = [chance.getrandbits(64) for _ in numbers]
            owners = [chance.choice(hosts) for _ in numbers]
            none = [0] * count
            writer.add_all(keys, owners, [""] * count, depth=none, hops=none, parent=none)
            frontier.offer(numbers, [chance.random() for _ in numbers])
        find(1_000)
        before = held()
        for _ in range(2_000):
            find(100)
        print((held() - before) * 1024 / 200_000)
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert 50 < float(ran.stdout) < 400


def _filled(known: int, hosts: int, delay: float) -> Frontier:
    """A frontier with so many URLs in its queues."""
    writer = GraphWriter(lambda number: str(number))
    frontier = Frontier(writer.graph, delay=delay)
    numbers = [frontier.host(f"h{number}.test:80") for number in range(hosts)]
    none = [0] * known
    owners = [numbers[number % hosts] for number in range(known)]
    writer.add_all(range(known), owners, [""] * known, depth=none, hops=none, parent=none)
    values = np.random.default_rng(2).random(known)
    for first in range(0, known, 500):  # as pages come: a few at a time
        frontier.offer(np.arange(first, min(first + 500, known)), values[first : first + 500])
    return frontier


def _orders(frontier: Frontier, now: float, count: int = 800) -> float:
    """So many orders and their answers; returns what the frontier's clock then says."""
    for _ in range(count):
        number = frontier.next(now)
        while number is None:
            now = frontier.next_due() or now
            number = frontier.next(now)
        frontier.answered(number, now)
        now += 0.001
    return now


def test_an_order_costs_the_same_among_ten_thousand_and_three_hundred_thousand() -> None:
    clocks = dict.fromkeys((10000, 300000), 0.0)
    frontiers = {known: _filled(known, 1_000, 1.0) for known in clocks}

    def give(known: int) -> None:
        clocks[known] = _orders(frontiers[known], clocks[known])

    takes_at_most(5, lambda: give(300_000), lambda: give(10_000))


@pytest.mark.parametrize("hosts", [1, 1_000, 10_000])
def test_ranking_a_hundred_thousand_urls_anew_costs_little_more_than_sorting_their_priorities(hosts: int) -> None:
    """It is compared with sorting as many numbers and touching every host once, in plain Python."""
    known = 100_000
    frontier = _filled(known, hosts, 1.0)
    numbers, chance = np.arange(known), np.random.default_rng(3)

    def sort() -> None:
        np.sort(chance.random(known))
        [host.number for host in frontier.hosts]

    def rank() -> None:
        values = chance.random(known)
        frontier.revise(numbers, values)
        taken = frontier.next(0.0)
        assert taken is not None
        frontier.put_back(taken)
        assert taken == values.argmax()

    takes_at_most(12, rank, sort, rounds=7)


def test_ranking_anew_looks_at_no_host_before_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: queues that are not asked for are not sorted."""
    frontier = _filled(20_000, 500, 1.0)
    sorted_queues: list[int] = []
    sort = Frontier._sort
    monkeypatch.setattr(Frontier, "_sort", lambda self, host: (sorted_queues.append(host.number), sort(self, host)))
    values = np.random.default_rng(4).random(20_000)
    frontier.revise(np.arange(20_000), values)
    assert sorted_queues == []
    for _ in range(20):
        assert frontier.next(0.0) is not None
    assert len(sorted_queues) < 60


def test_a_few_ranks_anew_touch_no_queue_whose_front_they_do_not_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    frontier = _filled(20_000, 5, 1.0)
    pushed: list[int] = []
    push = Frontier._push

    def counted(self: Frontier, *told: Any) -> None:
        pushed.extend(np.atleast_1d(told[-1]).tolist())
        push(self, *told)

    monkeypatch.setattr(Frontier, "_push", counted)
    chance = random.Random(5)
    for _ in range(200):
        numbers = chance.sample(range(20_000), 40)
        frontier.revise(numbers, [chance.random() * 0.9 for _ in numbers])
    assert len(pushed) < 200 * 40 * 0.05
    before = len(pushed)
    frontier.revise([7, 8, 9], [2.0, 3.0, 4.0])  # the front itself is reached
    assert sorted(pushed[before:]) == [7, 8, 9]
    assert frontier.next(0.0) == 9


def test_ranking_a_thousand_anew_looks_through_no_long_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: what a strategy does that looks at the best of its queue every few pages."""
    frontier = _filled(400_000, 50, 0.0)
    looked = 0
    sort = Frontier._sort

    def counted(self: Frontier, host: Any) -> None:
        nonlocal looked
        looked += len(host.ids)
        sort(self, host)

    monkeypatch.setattr(Frontier, "_sort", counted)
    chance = np.random.default_rng(6)
    for _ in range(50):
        some = np.array(frontier.best(1_024))
        frontier.revise(some, 0.9 + 0.1 * chance.random(len(some)))
        for _ in range(5):
            number = frontier.next(0.0)
            assert number is not None
            frontier.answered(number, 0.0)
    assert looked < 50 * 5 * 2_000  # URLs a page; each host has 8,000
