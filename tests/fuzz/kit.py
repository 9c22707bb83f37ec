"""What a fuzz target is: bytes in, a property that must hold, and how to make bytes that come near it.

The same targets serve the quick run of the tests, and the long one that is a command of its own.
"""

from __future__ import annotations

import atexit
import random
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

__all__ = [
    "LONGEST",
    "SLOWEST",
    "Target",
    "as_text",
    "encoded",
    "pieces",
    "scratch",
    "take",
    "tells",
    "thrown",
    "timed",
]

SLOWEST = 27_000  # pieces of work that one input of a few thousand bytes may ever take: about three seconds
LONGEST = 20_000  # bytes of an input; far larger ones have tests of their own


@dataclass(frozen=True)
class Target:
    """One thing that reads what strangers wrote."""

    name: str
    check: Callable[[bytes], None]  # raises if the property does not hold
    inputs: SearchStrategy[bytes]
    words: tuple[bytes, ...] = ()  # what is worth splicing into an input


class TooSlowError(AssertionError):
    """An input took longer than any of its size may."""


def timed(target: Target, data: bytes) -> float:
    """Check one input; returns its seconds of processor time, of which there is a limit by what the machine can do."""
    begun = time.thread_time()
    target.check(data)
    seconds = time.thread_time() - begun
    if seconds > 1.0 and seconds > SLOWEST * _piece():
        raise TooSlowError(f"{target.name}: {seconds:.1f} s for {len(data)} bytes")
    return seconds


def _piece() -> float:
    """Seconds of processor time of a piece of work that is always the same, as this machine does it now."""
    begun = time.thread_time()
    for _ in range(100):
        sorted(str(number % 97) for number in range(400))
    return (time.thread_time() - begun) / 100


@cache
def scratch() -> Path:
    """A folder for this process alone, gone with it."""
    folder = Path(tempfile.mkdtemp(prefix="honeyguide-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def as_text(data: bytes) -> str:
    """Bytes as the text a shell would hand on: what is not UTF-8 comes as halves of surrogate pairs."""
    return data.decode("utf-8", "surrogateescape")


def take(data: bytes, parts: int) -> list[bytes]:
    """An input cut at its first line ends; what is missing is empty."""
    found = data.split(b"\n", parts - 1)
    return found + [b""] * (parts - len(found))


def tells(error: Exception, place: Path) -> None:
    """An error for users says where it is."""
    assert str(place) in str(error)


def encoded(texts: SearchStrategy[str]) -> SearchStrategy[bytes]:
    """Texts as bytes; halves of surrogate pairs too."""
    return texts.map(lambda text: text.encode("utf-8", "surrogatepass"))


def pieces(words: tuple[bytes, ...], *, most: int = 40, repeats: int = 1) -> SearchStrategy[bytes]:
    """Bytes put together from known pieces and from junk; each piece may come many times in a row."""
    junk = st.binary(max_size=8) | encoded(st.text(max_size=8))
    one = st.sampled_from(words) | st.sampled_from(words) | junk
    run = st.tuples(one, st.integers(1, repeats)).map(lambda pair: pair[0] * pair[1]) if repeats > 1 else one
    found = st.lists(run, max_size=most).map(lambda found: b"".join(found)[:LONGEST])
    # Left to itself, hypothesis draws short lists of few different things; most faults need many at once.
    throws = st.integers(0, 2**64 - 1)
    return throws.map(lambda seed: _thrown(words, most, repeats, seed)) | found


def _thrown(words: tuple[bytes, ...], most: int, repeats: int, seed: int) -> bytes:
    dice = random.Random(seed)
    found = []
    for _ in range(dice.randint(1, most)):
        word = dice.choice(words) if dice.random() < 0.9 else dice.randbytes(dice.randint(1, 6))
        found.append(word * (dice.randint(2, repeats) if repeats > 1 and dice.random() < 0.1 else 1))
    return b"".join(found)[:LONGEST]


def thrown(make: Callable[[random.Random], bytes]) -> SearchStrategy[bytes]:
    """Bytes that a function makes with dice."""
    return st.integers(0, 2**64 - 1).map(lambda seed: make(random.Random(seed)))
