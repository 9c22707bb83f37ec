"""How much is done at once: as many connections as were asked for, as long as this machine has the means."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections import deque
from pathlib import Path

__all__ = ["Slots", "is_starved", "room"]

_RESERVE = 16  # descriptors left for the store, the archive, modules imported late
_REGAIN = 50  # connections that went well, after which one more is dared again
_WANT = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))


class Slots:
    """So many at once, and fewer while there are not the means for it."""

    def __init__(self, most: int) -> None:
        self._most = self.limit = most
        self.taken = 0
        self._well = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        if self.taken < self.limit and not self._waiting:
            self.taken += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given a turn it cannot use
                self._leave()
            raise

    async def __aexit__(self, kind: object, *_: object) -> None:
        self._well = self._well + 1 if kind is None else 0
        if self._well >= _REGAIN and self.limit < self._most:
            self.limit, self._well = self.limit + 1, 0
        self._leave()

    def _leave(self) -> None:
        self.taken -= 1
        while self._waiting and self.taken < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self.taken += 1
                turn.set_result(None)

    def lower(self) -> None:
        """There were not the means for one more than are taken now."""
        self.limit, self._well = max(1, min(self.limit, self.taken)), 0


def room(connections: int, look_ups: int) -> tuple[int, int]:
    """How many connections and look-ups at once there are descriptors for, of those wanted."""
    left = _descriptors_left() - _RESERVE
    names = max(1, min(look_ups, left // 3))
    return max(1, min(connections, left - names)), names


def _descriptors_left() -> int:
    try:
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        used = sum(1 for _ in Path("/dev/fd").iterdir())
    except (ImportError, OSError):  # a system that does not say
        return 1 << 20
    return 1 << 20 if limit == resource.RLIM_INFINITY else limit - used


def is_starved(error: BaseException) -> bool:
    """Whether something failed for want of descriptors or memory here, whatever it is called on the way up."""
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            break
        if isinstance(cause, OSError) and cause.errno in _WANT:
            return True
        cause = getattr(cause, "os_error", None) or cause.__cause__ or cause.__context__
    # A resolver that cannot open its own files says that there is no such name, and nothing of the cause.
    return isinstance(error, OSError) and _no_descriptor()


def _no_descriptor() -> bool:
    try:
        with contextlib.closing(socket.socket()):
            return False
    except OSError as error:
        return error.errno in _WANT
