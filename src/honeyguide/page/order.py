"""In which order a page says its words: for each word of its text, and then of its title, the place of its term.

Two bytes a word. A term that a page holds no more, since its words were put there, leaves a gap, as there is one
between text and title.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from honeyguide.text.lookup import numbers_of

__all__ = ["GAP", "order_of", "places_in", "without"]

GAP = 0xFFFF
_WORDS = 2_000  # of a text; one that is judged by its links as well, for it says little else, may have many more
_PLACES = np.dtype("<u2")


def order_of(text: Sequence[str], title: Sequence[str], terms: Collection[str]) -> bytes:
    """The order of the words of a text and a title, which have these terms.

    >>> places_in(order_of(["bee", "hive", "bee"], ["hive"], ["bee", "hive"])).tolist()
    [0, 1, 0, 65535, 1]
    """
    places = dict(zip(terms, count()))
    places[""] = GAP  # no term is called that
    return _packed(numbers_of([*text[:_WORDS], "", *title[:_WORDS]], places, GAP))


def places_in(order: bytes) -> NDArray[np.int64]:
    """The place of the term of each word, and gaps."""
    return np.frombuffer(order, _PLACES).astype(np.int64)


def without(order: bytes, before: Collection[str], after: Collection[str]) -> bytes:
    """The order of words some of whose terms are gone.

    >>> places_in(without(order_of(["bee", "hive"], ["hive"], ["bee", "hive"]), ["bee", "hive"], ["hive"])).tolist()
    [65535, 0, 65535, 0]
    """
    moved = numbers_of(list(before), dict(zip(after, count())), GAP)
    return _packed(np.append(moved, GAP)[np.minimum(places_in(order), len(moved))])


def _packed(places: NDArray[np.int64]) -> bytes:
    return np.minimum(places, GAP).astype(_PLACES).tobytes()
