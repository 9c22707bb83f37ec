"""Time as a seam: the real clock, and one that is driven, by which a day passes as fast as its work is done."""

from __future__ import annotations

import asyncio
import time

__all__ = ["Clock", "DrivenClock"]

_A_WHILE = 1.0  # seconds after which a sleeper looks up


class Clock:
    """The time that passes for everybody."""

    def now(self) -> float:
        """Seconds that only ever grow, by which hosts rest."""
        return time.monotonic()

    def wall(self) -> float:
        """Seconds since 1970."""
        return time.time()

    async def wait(self, seconds: float) -> None:
        """Let time pass: so much, or a while; whoever waits longer looks up and waits on."""
        await asyncio.sleep(min(max(seconds, 0.0), _A_WHILE))


class DrivenClock(Clock):
    """A clock that stands still until somebody waits, and then jumps ahead.

    >>> clock = DrivenClock(1_700_000_000.0)
    >>> asyncio.run(clock.wait(3_600.0))
    >>> clock.wall() - 1_700_000_000.0
    3600.0
    """

    def __init__(self, begin: float | None = None) -> None:
        self._wall = self.begin = time.time() if begin is None else begin
        self._offset = time.monotonic() - self._wall

    def now(self) -> float:
        """As of a clock that grows: it began where the real one was."""
        return self._wall + self._offset

    def wall(self) -> float:
        """Seconds since 1970, as driven."""
        return self._wall

    async def wait(self, seconds: float) -> None:
        """Jump ahead."""
        self._wall += max(seconds, 0.001)
        await asyncio.sleep(0)
