from collections.abc import Callable, Collection, Container, Sequence

import numpy as np
from numpy.typing import NDArray

VERSION: int

class Folds:
    def __init__(
        self,
        stem: Callable[[list[str]], list[str]],
        rough: Callable[[list[str]], list[str]],
        apart: Callable[[str], str],
        stop: Collection[str],
        keep: int,
        seed: int,
        /,
    ) -> None: ...
    def terms(self, text: str, marked: bool = False, /) -> list[str]: ...
    def outside(self, text: str, /) -> tuple[list[str], list[str]]: ...
    def many(self, texts: Sequence[str], /) -> list[tuple[str, ...]]: ...
    def located(self, texts: Sequence[str], /) -> list[tuple[list[str], list[int] | None, list[int] | None]]: ...
    def around(
        self, text: str, query: dict[str, int], numbers: list[int], named: list[bool], reach: int, /
    ) -> list[tuple[int, tuple[str, ...] | None, tuple[str, ...]]] | None: ...
    def holding(self, texts: Sequence[str], wanted: Collection[str], no_mixed: bool, /) -> list[int]: ...

class Pairs:
    def __init__(self, vocabulary: dict[str, int], seed: int, /) -> None: ...
    def tokens(self, words: Sequence[str], /) -> tuple[bytes, bytes]: ...

def fingerprints(words: list[str], other: Callable[[bytes], int], /) -> tuple[int, bytes]: ...
def prose(text: str, /) -> str: ...
def skim(text: str, /) -> tuple[str, list[str]]: ...
def skim_page(
    utf8: bytes, names: dict[str, str], telling: Container[str], most: int, /
) -> tuple[str, list[str], list[str], list[str], list[tuple[str, ...]], int]: ...
def cosine(
    text: tuple[str, ...],
    query: dict[str, int],
    weights: list[float],
    frequency: dict[str, int],
    logs: list[float],
    everything: float,
    size: float,
    /,
) -> float: ...
def places_of(terms: list[str], among: dict[str, int], /) -> list[int]: ...
def letters(text: str, other: Callable[[str], list[str]], /) -> list[str]: ...
def numbers_of(words: list[str] | dict[str, int], places: dict[str, int], other: int, /) -> bytes: ...
def nth(numbers: NDArray[np.int64], /) -> bytes: ...
def firsts(numbers: NDArray[np.int64], besides: int, /) -> bytes: ...
def is_utf8(body: bytes, /) -> bool: ...
def count_tags(body: bytes, half: int, /) -> tuple[int, int, bool]: ...
def leads(
    hrefs: dict[str, None],
    origin: str,
    folder: str,
    page: str,
    origins: set[str],
    free: bool,
    keep: Callable[[str], bool] | None,
    address: Callable[[str], str | None],
    /,
) -> dict[str, str | None]: ...
def hashed(terms: list[str] | dict[str, int] | dict[str, float], /) -> bytes: ...
def sums_of(rows: NDArray[np.float32], wide: int, places: NDArray[np.int64], counts: NDArray[np.int64], /) -> bytes: ...
def windows(
    terms: NDArray[np.int64], spans: NDArray[np.int64], links: NDArray[np.int64], reach: int, /
) -> tuple[bytes, bytes]: ...
def learn_words(
    terms: NDArray[np.int64],
    counts: NDArray[np.int64],
    relevance: NDArray[np.float64],
    every: NDArray[np.float64],
    pages: float,
    logs: NDArray[np.float32],
    sums: NDArray[np.float32],
    /,
) -> bytes: ...
def write_words(
    rows: NDArray[np.int64],
    terms: NDArray[np.int64],
    counts: NDArray[np.int64],
    wide: int,
    bags: NDArray[np.uint16],
    held: NDArray[np.uint8],
    lengths: NDArray[np.float32],
    squares: NDArray[np.float32],
    /,
) -> None: ...
def sums_of_words(
    tell: NDArray[np.float32],
    rows: NDArray[np.int64],
    wide: int,
    bags: NDArray[np.uint16],
    held: NDArray[np.uint8],
    /,
) -> bytes: ...
def kinds_of(urls: list[str], /) -> tuple[bytes, bytes] | None: ...
