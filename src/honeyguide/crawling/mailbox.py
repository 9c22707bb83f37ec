"""Labels for a crawl that another process runs: left in its folder as letters, which the crawl reads every second.

A letter is answered, and taken away, once what it said is on disk. So a letter outlives a crawl that is killed over it:
the next run reads it, and to be told the same twice changes nothing.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection, Mapping
from concurrent.futures import Future
from pathlib import Path

import msgspec

from honeyguide.atomic import write_whole
from honeyguide.crawling.control import Control
from honeyguide.errors import HoneyguideError
from honeyguide.store import Folder
from honeyguide.store.folder import in_use

__all__ = ["Mailbox", "forget_letters", "send"]

_EVERY = 1.0  # seconds between two looks
_PATIENCE = 30.0  # seconds that a sender waits; what is busy for longer answers when it can
_LARGEST = 50_000_000  # bytes of a letter
_LOOK = 0.1


class _Letter(msgspec.Struct):
    labels: dict[str, bool | None]


class _Reply(msgspec.Struct):
    turned: int = 0
    error: str = ""


class Mailbox:
    """Reads the letters of a crawl, for the crawl itself."""

    def __init__(self, folder: Folder, control: Control) -> None:
        self._place = folder.mail
        self._control = control
        self._looked = 0.0
        self._read: dict[Path, Future[int]] = {}  # letters whose labels were handed on

    def look(self) -> None:
        """Hand on what came since, at most once a second."""
        now = time.monotonic()
        if now - self._looked < _EVERY:
            return
        self._looked = now
        try:
            letters = sorted(self._place.glob("*.json"))
        except OSError:
            return
        for letter in letters:
            if letter not in self._read:
                self._read[letter] = self._hand_on(letter)

    @property
    def unanswered(self) -> bool:
        """Whether somebody waits for an answer, which `settled` gives."""
        return bool(self._read)

    def _hand_on(self, letter: Path) -> Future[int]:
        try:
            with letter.open("rb") as file:
                said = msgspec.json.decode(file.read(_LARGEST), type=_Letter)
        except (OSError, msgspec.DecodeError, UnicodeError) as error:
            failed: Future[int] = Future()
            failed.set_exception(HoneyguideError(f"{letter} cannot be read: {error}"))
            return failed
        return self._control.label(said.labels)

    def settled(self) -> None:
        """What was handed on is on disk: answer."""
        for letter, said in [pair for pair in self._read.items() if pair[1].done()]:
            error = said.exception()
            reply = _Reply(error=str(error)) if error else _Reply(turned=said.result())
            try:
                write_whole(letter.with_suffix(".reply"), msgspec.json.encode(reply))
                letter.unlink(missing_ok=True)
            except OSError:  # a full disk: the letter stays, and is read again
                continue
            del self._read[letter]


def send(folder: Folder, labels: Mapping[str, bool | None], patience: float = _PATIENCE) -> int | None:
    """Have the crawl that runs in this folder take labels; gives how many verdicts turned, None if it has ended.

    A crawl that does not answer in time will take them later.
    """
    letter = folder.mail / f"{time.time_ns():020d}-{os.getpid()}.json"
    reply = letter.with_suffix(".reply")
    try:
        folder.mail.mkdir(exist_ok=True)
        write_whole(letter, msgspec.json.encode(_Letter(dict(labels))))
    except OSError as error:
        raise HoneyguideError(f"{folder.mail} cannot be written: {error.strerror or error}") from None
    until = time.monotonic() + patience
    while not reply.exists():
        if not in_use(folder.path) and _taken_back(letter):
            return None
        if time.monotonic() > until:
            raise HoneyguideError(
                f"the crawl in {folder.path} has not answered for {patience:.0f} s; the labels wait in {folder.mail}, "
                "and it takes them when it goes on or is resumed"
            )
        time.sleep(_LOOK)
    said = msgspec.json.decode(reply.read_bytes(), type=_Reply)
    reply.unlink(missing_ok=True)
    _tidy(folder.mail)
    if said.error:
        raise HoneyguideError(said.error)
    return said.turned


def forget_letters(folder: Folder, urls: Collection[str]) -> None:
    """Let no letter speak of these any more; for whoever holds the folder, so that nobody reads them meanwhile."""
    try:
        for path in list(folder.mail.iterdir()) if folder.mail.is_dir() else ():
            said = path.read_bytes()
            if not any(url.encode() in said for url in urls):
                continue
            try:
                labels = msgspec.json.decode(said, type=_Letter).labels
                rest = {url: label for url, label in labels.items() if url not in urls}
                # Written anew, be it empty: somebody may wait for an answer.
                write_whole(path, msgspec.json.encode(_Letter(rest)))
            except (msgspec.DecodeError, UnicodeError):  # an answer, or what nobody could read
                path.unlink(missing_ok=True)
    except OSError as error:
        raise HoneyguideError(f"{folder.mail} cannot be written: {error.strerror or error}; say it again") from None


def _taken_back(letter: Path) -> bool:
    """Take a letter back that nobody has read; says whether that was so."""
    try:
        letter.unlink()
    except FileNotFoundError:
        return False
    _tidy(letter.parent)
    return True


def _tidy(place: Path) -> None:
    with contextlib.suppress(OSError):  # there is more mail
        place.rmdir()
