"""Time in tests. No machine's speed is anybody's fault: a job is never held to seconds, only to another job beside it.

The two are run in turns, so that a busy moment meets both, and the least processor time of each counts.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable

__all__ = ["grows", "others_take_at_most", "spent", "takes_at_most"]

Job = Callable[[], object]


def spent(job: Job) -> float:
    """Seconds of processor time of this thread, without the collector's walks: these go through all a process holds."""
    collects = gc.isenabled()
    gc.disable()
    begun = time.thread_time()
    try:
        job()
        return time.thread_time() - begun
    finally:
        if collects:
            gc.enable()


def takes_at_most(times: float, job: Job, than: Job, *, rounds: int = 6) -> None:
    """Assert that a job takes at most so many times the processor time of another.

    They are run in turns until it shows, for so many rounds at the most; the other has two tries a turn.
    """
    own = other = math.inf
    for _ in range(rounds):
        other = min(other, spent(than), spent(than))
        own = min(own, spent(job))
        if own <= times * other:
            return
    raise AssertionError(f"it takes {own / other:.1f} times as long ({own:.2g} and {other:.2g} s), not {times:g}")


def grows(make: Callable[[int], Job], size: int, *, by: int = 8, rounds: int = 6) -> None:
    """Assert that a job's time grows about with the size of its input, or less: `by` times the size, `3 * by` the time.

    One that looked at all for each of all would take `by * by` times as long.
    """
    takes_at_most(3 * by, make(size), make(size // by), rounds=rounds)


def others_take_at_most(times: float, job: Job, *, rounds: int = 6) -> None:
    """Assert that the other threads of this process take at most so many times what a job takes that employs them."""
    own = others = math.inf
    for _ in range(rounds):
        begun = time.process_time()
        own = spent(job)
        others = time.process_time() - begun - own
        if others <= times * own:
            return
    raise AssertionError(
        f"the others take {others / own:.1f} times as long ({others:.2g} and {own:.2g} s), not {times:g}"
    )
