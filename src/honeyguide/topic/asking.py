"""Which pages to ask people about: those of which a label tells most of all others.

Labels correct the judge as `corrections` has it, so what one of them would take of the doubt about other pages is known
before it is given. Pages are offered one by one, each time the one that would take most, those offered before it taken
as answered.

    gain(q)  = sum over all others p of  doubt_p * k(p, q)^2 / (k(q, q) + 1 / doubt_q)
    doubt_p  = chance_p * (1 - chance_p)

k is what two pages have in common that the judge may be off by, given all that was asked so far. So a page is offered
that is in doubt itself, and like many that are; and of pages like each other one (Cohn 1996: active learning that
minimises the variance left).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from honeyguide.text.vectors import SIZE
from honeyguide.topic.calibrate import Floats
from honeyguide.topic.corrections import directions, in_common
from honeyguide.topic.meaning import rows_of

__all__ = ["COMPARED", "worth_asking"]

COMPARED = 200  # pages that are compared with each other, those of which the judge is least sure
_SUREST = 1e-3  # no chance is nearer to none or all
_ALIKE = 9  # decimals: of pages that would tell the same the first is asked about, whatever the last bits say
_ANSWERED = 0.25  # the doubt that a labelled page had, as if nobody had known


def worth_asking(
    chances: Sequence[float], meanings: Sequence[bytes], most: int, said: Sequence[bytes] = ()
) -> list[int]:
    """The places of so many pages in the order in which to ask about them, by their chances and what they are about;
    `said` is what the pages are about that people have labelled.

    >>> worth_asking([0.1, 0.5, 0.9], [b"", b"", b""], 2)
    [1, 0]
    """
    every = np.clip(np.array(chances, np.float64), _SUREST, 1.0 - _SUREST)
    near = np.argsort(np.abs(every - 0.5), kind="stable")[: max(COMPARED, most)]
    if not len(near):
        return []
    rows = [*(meanings[place][:SIZE] for place in near.tolist()), *(meaning[:SIZE] for meaning in said)]
    about = rows_of(rows, SIZE)
    mean = about.sum(axis=0) / np.float32(max(int(about.any(axis=1).sum()), 1))
    odds = np.concatenate([np.log(every[near] / (1.0 - every[near])), np.zeros(len(said))])
    seen = directions(rows, mean)
    common = in_common(odds, seen, odds, seen)
    doubt = np.concatenate([every[near] * (1.0 - every[near]), np.full(len(said), _ANSWERED)])
    for place in range(len(near), len(rows)):
        common = _given(common, doubt, place)
    weight = doubt.copy()
    weight[len(near) :] = 0.0
    found: list[int] = []
    for _ in range(min(most, len(near))):
        gain = weight @ common**2 / (np.diag(common) + 1.0 / doubt)
        gain[weight == 0.0] = -1.0
        best = int(gain.round(_ALIKE).argmax())
        found.append(int(near[best]))
        weight[best] = 0.0
        common = _given(common, doubt, best)
    return found


def _given(common: Floats, doubt: Floats, place: int) -> Floats:
    """What pages have in common that one may still be off by, when one of them is answered."""
    column = common[:, place]
    left: Floats = common - np.outer(column, column) / (column[place] + 1.0 / doubt[place])
    return left
