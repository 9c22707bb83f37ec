"""Messages between two processes, whole and in order; neither side ever waits for the other to read."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Callable

__all__ = ["Channel"]

_HEAD = struct.Struct("!I")
_PIECE = 1 << 20


class Channel:
    """One end of a pair of sockets, served by the running loop.

    What the other side has no room for waits here until it has. Two sides that both wrote before they read would wait
    for each other for ever, and be deaf to everything else.
    """

    def __init__(self, end: socket.socket, on_message: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self._socket = end
        self._socket.setblocking(False)
        self._on_message = on_message
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._read = bytearray()
        self._unsent: deque[memoryview] = deque()
        self._closed = False
        self._loop.add_reader(end, self._readable)

    def send(self, message: bytes) -> None:
        """Pass a message on, now or when there is room for it."""
        if self._closed:
            return
        idle = not self._unsent
        self._unsent.append(memoryview(_HEAD.pack(len(message)) + message))
        if idle and self._flush():
            self._loop.add_writer(self._socket, self._writable)

    def _flush(self) -> bool:
        """Send what there is room for; says whether something is left."""
        while self._unsent:
            piece = self._unsent[0]
            try:
                sent = self._socket.send(piece)
            except (BlockingIOError, InterruptedError):
                return True
            except OSError:  # the other side is gone; its end is noticed by reading
                self._unsent.clear()
                return False
            if sent < len(piece):
                self._unsent[0] = piece[sent:]
            else:
                self._unsent.popleft()
        return False

    def _writable(self) -> None:
        if not self._flush():
            self._loop.remove_writer(self._socket)

    def _readable(self) -> None:
        try:
            piece = self._socket.recv(_PIECE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            piece = b""
        if not piece:
            self._loop.remove_reader(self._socket)
            self._on_end()
            return
        self._read += piece
        place = 0
        while not self._closed and len(self._read) - place >= _HEAD.size:
            (size,) = _HEAD.unpack_from(self._read, place)
            if len(self._read) - place - _HEAD.size < size:
                break
            place += _HEAD.size + size
            self._on_message(bytes(self._read[place - size : place]))
        del self._read[:place]

    def close(self) -> None:
        """Read and send no more."""
        if not self._closed:
            self._closed = True
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
            self._socket.close()
