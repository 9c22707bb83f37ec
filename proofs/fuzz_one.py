"""One fuzz target for some seconds: `python proofs/fuzz_one.py shapes|branches NAME SECONDS SEED OUT.json`.

`shapes` makes inputs the way the tests do and mutates them; `branches` leaves it to atheris, which keeps what reaches
new branches of our code.
"""

from __future__ import annotations

import json
import random
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

_MUTANTS = 4  # of every input made to shape
_ROUND = 200  # inputs for which hypothesis is asked at a time
_SHRINKING = 10.0  # seconds to make an input small
_MOST_BROKEN = 10


class Tally:
    """Counts what was tried, and keeps what broke something, once per place where it broke."""

    def __init__(self, target: Any, timed: Callable[[Any, bytes], float], out: Path) -> None:
        self._target, self._timed, self._out = target, timed, out
        self._inputs, self._slowest = 0, 0.0
        self._broken: dict[str, str] = {}
        self._written = 0.0

    def __call__(self, data: bytes) -> None:
        self._inputs += 1
        try:
            self._slowest = max(self._slowest, self._timed(self._target, data))
        except Exception as error:
            self._keep(data, error)
        if time.monotonic() - self._written > 1.0:
            self.write()

    @property
    def enough(self) -> bool:
        """Whether so much is broken that going on shows nothing new."""
        return len(self._broken) >= _MOST_BROKEN

    def _keep(self, data: bytes, error: Exception) -> None:
        place = _place(error)
        if place in self._broken or self.enough:
            return
        small = self._smaller(data, place)
        self._broken[place] = f"{self._target.name}: {place}: {small[:300]!r}"
        self._out.with_name(f"{self._target.name}-{len(self._broken)}.input").write_bytes(small)
        traceback.print_exception(error)
        self.write()

    def _smaller(self, data: bytes, place: str) -> bytes:
        """The same fault from less: leave out ever smaller stretches."""
        until, size = time.monotonic() + _SHRINKING, len(data) // 2
        while size and time.monotonic() < until:
            at = 0
            while at < len(data) and time.monotonic() < until:
                less = data[:at] + data[at + size :]
                if self._breaks(less) == place:
                    data = less
                else:
                    at += size
            size //= 2
        return data

    def _breaks(self, data: bytes) -> str:
        try:
            self._timed(self._target, data)
        except Exception as error:
            return _place(error)
        return ""

    def write(self) -> None:
        """Tell how far it is; whoever started us reads it even if we die."""
        self._written = time.monotonic()
        told = {"inputs": self._inputs, "slowest": self._slowest, "broken": list(self._broken.values())}
        self._out.write_text(json.dumps(told))


def _place(error: Exception) -> str:
    frames = [
        f for f in traceback.extract_tb(error.__traceback__) if "honeyguide" in f.filename or "fuzz" in f.filename
    ]
    last = frames[-1] if frames else traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"


def mutant(data: bytes, other: bytes, words: tuple[bytes, ...], dice: random.Random) -> bytes:
    """An input with something changed: bytes, a stretch left out or doubled, a word or another input put in."""
    found = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 4))):
        at = dice.randrange(len(found) + 1)
        end = min(len(found), at + dice.choice((1, 2, 8, 64)))
        match dice.randrange(6):
            case 0:
                found[at:end] = dice.randbytes(end - at)
            case 1:
                del found[at:end]
            case 2:
                found[at:at] = found[at:end] * dice.choice((1, 3, 50))
            case 3 if words:
                found[at:at] = dice.choice(words)
            case 4 if other:
                start = dice.randrange(len(other))
                found[at:end] = other[start : start + dice.choice((4, 40, 400))]
            case _:
                found[at : at + 1] = bytes([dice.choice(b"\x00\x01\x1f\x7f\x80\xff<>\"'&%/:\n\r\t =[]{}")])
    return bytes(found)


def shapes(name: str, seconds: float, seed: int, out: Path) -> None:
    """Inputs as the tests make them, and mutants of these."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from tests.fuzz.kit import LONGEST, timed
    from tests.fuzz.targets import TARGETS

    target = TARGETS[name]
    target.check(b"")
    tally, dice = Tally(target, timed, out), random.Random(seed)
    until = time.monotonic() + seconds
    before = b""

    def tried(data: bytes) -> None:
        nonlocal before
        if time.monotonic() > until or tally.enough:
            return
        tally(data)
        for _ in range(_MUTANTS):
            tally(mutant(data, before, target.words, dice)[:LONGEST])
        before = data

    while time.monotonic() < until and not tally.enough:
        quiet = settings(
            max_examples=_ROUND, database=None, deadline=None, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        seeded(seed)(quiet(given(target.inputs)(tried)))()
        seed += 1
    tally.write()


def branches(name: str, seconds: float, seed: int, out: Path) -> None:
    """Inputs that atheris finds, beginning with some made to shape."""
    import atheris

    with atheris.instrument_imports(include=["honeyguide"]):
        from tests.fuzz.cases import CASES
        from tests.fuzz.kit import LONGEST, timed
        from tests.fuzz.targets import TARGETS

    target = TARGETS[name]
    target.check(b"")
    tally = Tally(target, timed, out)
    corpus = out.with_suffix(".corpus")
    corpus.mkdir(exist_ok=True)
    for number, data in enumerate([*CASES.get(name, []), *_samples(target.inputs, seed)]):
        (corpus / str(number)).write_bytes(data[:LONGEST])
    words = out.with_suffix(".words")
    words.write_text("".join(f'"{_quoted(word)}"\n' for word in target.words if 0 < len(word) <= 64))
    options = [f"-max_total_time={max(1, int(seconds))}", f"-seed={seed}", f"-max_len={LONGEST}", f"-dict={words}"]
    options += ["-timeout=60", "-rss_limit_mb=4096", f"-artifact_prefix={out.with_suffix('')}-"]
    tally.write()
    atheris.Setup([sys.argv[0], *options, str(corpus)], tally)
    atheris.Fuzz()


def _samples(inputs: Any, seed: int, many: int = 60) -> list[bytes]:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    found: list[bytes] = []
    quiet = settings(
        max_examples=many,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )

    def taken(data: bytes) -> None:
        found.append(data)

    seeded(seed)(quiet(given(inputs)(taken)))()
    return found


def _quoted(word: bytes) -> str:
    return "".join(chr(byte) if 0x20 < byte < 0x7F and byte not in b'"\\' else f"\\x{byte:02x}" for byte in word)


def main() -> None:
    """Be one target."""
    engine, name, seconds, seed, out = sys.argv[1:]
    {"shapes": shapes, "branches": branches}[engine](name, float(seconds), int(seed), Path(out))


if __name__ == "__main__":
    main()
