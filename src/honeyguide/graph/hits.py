"""Hubs and authorities (Kleinberg, J. of the ACM 46, 1999), plain or weighted.

A good hub links to good authorities, a good authority is linked from good hubs: round after round the authorities
become the sum of the hubs that link to them, the hubs the sum of the authorities they link to, each scaled. Weights on
nodes make it the distillation of Chakrabarti, van den Berg & Dom (Computer Networks 31, 1999), where a link counts by
the relevance of its source when it gives, and of its target when it takes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from honeyguide.graph.links import Kin, Links, Numbers

__all__ = ["Scores", "hits"]


class Scores(NamedTuple):
    """How good each node is as a hub and as an authority, the best being 1, and by what the sums were divided."""

    hubs: Numbers
    authorities: Numbers
    hub_scale: float
    authority_scale: float


def hits(
    links: Links,
    *,
    weights: Numbers | None = None,
    kin: Kin | None = None,
    start: Numbers | None = None,
    tolerance: float = 1e-4,
    most: int = 20,
) -> Scores:
    """The hub and authority scores of every node.

    `weights` say what each node counts for, `kin` what links within a group do. `start` is where the hubs begin, such
    as those of the graph before it grew; it stops when the authorities change by less than `tolerance` of their sum,
    or after `most` rounds.

    >>> links = Links()
    >>> links.set(0, [2, 3]); links.set(1, [2])
    >>> hits(links).authorities.round(3).tolist()
    [0.0, 0.0, 1.0, 0.618]
    """
    weight = np.ones(links.nodes) if weights is None else weights
    hubs = np.ones(links.nodes) if start is None or not start.any() else start
    authorities = np.zeros(links.nodes)
    hub_scale = authority_scale = 1.0
    for _ in range(most):
        before = authorities
        authorities, authority_scale = _scaled(links.push(hubs * weight, kin))
        hubs, hub_scale = _scaled(links.pull(authorities * weight, kin))
        if float(np.abs(authorities - before).sum()) <= tolerance * float(authorities.sum()):
            break
    return Scores(hubs, authorities, hub_scale, authority_scale)


def _scaled(values: Numbers) -> tuple[Numbers, float]:
    scale = float(values.max(initial=0.0)) or 1.0
    return values / scale, scale
