"""Standard input, output and error, whatever they are connected to: a full disk, a closed pipe, nothing at all.

What cannot be written to the output is one error of ours, raised where it happens and told apart from every other
trouble with files. What cannot be written to the error stream is lost without a word, for there is nowhere to say it.
Signs that the terminal's encoding does not know are written as escapes.
"""

from __future__ import annotations

import errno
import io
import os
import select
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from honeyguide.errors import HoneyguideError

if TYPE_CHECKING:
    from typing_extensions import Buffer  # of the standard library only since Python 3.12

__all__ = ["Unwritable", "open_streams"]


class Unwritable(HoneyguideError):  # noqa: N818 - reads as what happened
    """The output could not be written; `nobody_reads` if because its reader has gone."""

    def __init__(self, error: OSError) -> None:
        super().__init__(f"the output cannot be written: {error.strerror or error}")
        self.nobody_reads = error.errno == errno.EPIPE


def open_streams() -> None:
    """Give this process three streams that can be relied on."""
    # In the order of their numbers: a stream that was closed gets its own number back, so that no file of a crawl
    # ever takes the place of one and is written into by whoever still writes to it.
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - for as long as the process lives
    sys.stdout = _reliable(sys.stdout, strict=True)
    sys.stderr = _reliable(sys.stderr, strict=False)


def _reliable(stream: TextIO | None, *, strict: bool) -> TextIO:
    if stream is None:
        return Path(os.devnull).open("w", encoding="utf-8")
    try:
        number = stream.fileno()
    except (OSError, ValueError):
        return stream  # not a file at all: somebody in this process is listening
    if os.name != "posix":  # pragma: no cover - a Windows console is no file of bytes
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(_Way(number, strict=strict)),
        encoding=stream.encoding or "utf-8",
        errors="backslashreplace",
        line_buffering=stream.isatty() or not strict,
    )


class _Way(io.RawIOBase):
    """The way out of the process; once it is broken, what still comes is dropped."""

    def __init__(self, number: int, *, strict: bool) -> None:
        self._number = number
        self._strict = strict
        self._broken = False

    def fileno(self) -> int:
        return self._number

    def isatty(self) -> bool:
        return os.isatty(self._number)

    def writable(self) -> bool:
        return True

    def write(self, data: Buffer, /) -> int:
        while not self._broken:
            try:
                return os.write(self._number, data)
            except BlockingIOError:  # somebody we share it with asked that nobody wait for it
                select.select([], [self._number], [])
            except OSError as error:
                self._broken = True
                if self._strict:
                    raise Unwritable(error) from None
        return memoryview(data).nbytes
