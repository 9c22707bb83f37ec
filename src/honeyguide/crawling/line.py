"""Whose fault it is that a host cannot be reached: its own, or that of the network here.

One cannot tell from a single failure. So a failure that may be either is held against its host only when others were
reached in the meantime. If nobody was, hosts that answered before are looked up and connected to, without a request:
if one is there, the failure is its host's; if none is, the network is down, and all waits until it is back.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable

from honeyguide.crawling.hands import Answer, Order
from honeyguide.web.urls import origin_of

__all__ = ["Line"]

_PLACES = 3  # hosts that are looked for in case of doubt
_EVERY = 5.0  # seconds between two looks
_LONGEST, _LONGEST_AT_FIRST = 600.0, 60.0  # seconds without a network; the second when nobody has answered yet


class Line:
    """Holds back answers that may be the network's fault until it is known whose fault they are.

    `deliver` takes the answers, `is_there` says whether a place can be reached, `changed` is called when `down` or
    `failed` has changed.
    """

    def __init__(
        self,
        deliver: Callable[[Answer], None],
        is_there: Callable[[str], Awaitable[bool]],
        changed: Callable[[], None],
        *,
        every: float = 0.0,
        longest: float = 0.0,
    ) -> None:
        self._deliver = deliver
        self._is_there = is_there
        self._changed = changed
        self._every = every or _EVERY
        self._longest = longest
        self._given: dict[tuple[str, int], float] = {}
        self._heard = 0.0  # when somebody answered last
        self._lacking = 0.0  # since when nothing failed but by our own fault
        self._places: OrderedDict[str, None] = OrderedDict()  # who answered last
        self._held: list[Answer] = []
        self._check: asyncio.Task[None] | None = None
        self.down = False
        self.failed = ""  # why there is no use in waiting any longer

    def given(self, order: Order) -> None:
        """An order was given."""
        self._given[order.purpose, order.number] = time.monotonic()

    def answered(self, answer: Answer) -> None:
        """An answer came: pass it on, or hold it until its fault is known."""
        since = self._given.pop((answer.order.purpose, answer.order.number), 0.0)
        if answer.order.purpose == "record" or answer.ours:
            self._deliver(answer)
            self._lack(answer)
        elif not answer.doubtful:
            self._hear(answer.order.url)
            self._deliver(answer)
        elif self._heard > since:  # others were reached while it was tried
            self._deliver(answer)
        else:
            self._held.append(answer)
            if self._check is None:
                self._check = asyncio.ensure_future(self._find_out())

    def _lack(self, answer: Answer) -> None:
        """Something failed for a reason of our own; if nothing else happens for long, there is no use in going on."""
        now = time.monotonic()
        self._lacking = self._lacking or now
        if answer.ours and now - self._lacking > (self._longest or _LONGEST):
            self.failed = f"broken off: nothing could be done for long, last: {answer.error}"

    def _hear(self, url: str) -> None:
        self._heard, self._lacking = time.monotonic(), 0.0
        place = origin_of(url)
        self._places[place] = None
        self._places.move_to_end(place)
        if len(self._places) > _PLACES:
            self._places.popitem(last=False)

    async def _find_out(self) -> None:
        begun = time.monotonic()
        longest = self._longest or (_LONGEST if self._heard else _LONGEST_AT_FIRST)
        while True:
            asked = time.monotonic()
            if await self._is_anyone_there():
                break
            self.down = True
            if asked - begun >= longest and not self.failed:
                self.failed = f"broken off: nobody could be reached for {longest:.0f} seconds; is the network there?"
            self._changed()
            await asyncio.sleep(self._every)
        held, self._held = self._held, []
        for answer in held:
            if self.down:
                answer.ours, answer.lasting, answer.whole_host = True, False, False
            self._deliver(answer)
        self._heard, self._check, self.down = asked, None, False
        self._changed()

    async def _is_anyone_there(self) -> bool:
        """Look for who answered last, and only if it is gone for those before it; if nobody did, for those held."""
        first, *others = list(reversed(self._places)) or self._unreached()
        return await self._is_there(first) or any(await asyncio.gather(*map(self._is_there, others)))

    def _unreached(self) -> list[str]:
        return list(dict.fromkeys(origin_of(answer.order.url) for answer in self._held))[:_PLACES]

    async def close(self) -> None:
        """Look for nobody any more."""
        if self._check is not None:
            self._check.cancel()
            await asyncio.gather(self._check, return_exceptions=True)
