"""What following links is worth in the long run: discounted rewards, computed backwards over a graph.

    Q(v) = reward(v) + gamma * next(v)

is the value of coming to a node; next(v) is the highest Q among the nodes it links to, or their mean. A node whose own
links are not known has its reward alone. Where a reward can be had but once, adding them up counts the same one again
and again in a circle of links, and a node next to such a circle is worth as much as one on it; then

    Q(v) = max(reward(v), gamma * next(v))
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.links import Links, Numbers

__all__ = ["q_values"]

_CLOSE = 1e-3  # a change by less than this is none


def q_values(
    links: Links,
    rewards: Numbers,
    gamma: float = 0.5,
    *,
    known: NDArray[np.bool_] | None = None,
    once: bool = False,
    most: int = 30,
) -> Numbers:
    """The value of coming to each node.

    By default one goes on to the best. With `known`, to any of those known, the mean of their values, one more that is
    worth nothing counted in: what one link brings is no proof. With `once`, a node is worth the more of its reward and
    of what it leads on to, not both.

    >>> links = Links()
    >>> links.set(0, [1, 3]); links.set(1, [2])
    >>> rewards = np.array([0.0, 0.0, 1.0, 0.0])
    >>> q_values(links, rewards).tolist(), q_values(links, rewards, known=np.ones(4, bool)).tolist()
    ([0.25, 0.5, 1.0, 0.0], [0.041666666666666664, 0.25, 1.0, 0.0])
    >>> links.set(2, [1])
    >>> q_values(links, rewards, once=True).tolist(), q_values(links, rewards).round(2).tolist()
    ([0.25, 0.5, 1.0, 0.0], [0.33, 0.67, 1.33, 0.0])
    """
    values = rewards.astype(np.float64)
    weight = np.ones(links.nodes) if known is None else known.astype(np.float64)
    count = links.pull(weight) + 1.0
    for _ in range(most):
        ahead = links.highest(values) if known is None else links.pull(weight * values) / count
        fresh = np.maximum(rewards, gamma * ahead) if once else rewards + gamma * ahead
        change = float(np.abs(fresh - values).max(initial=0.0))
        values = fresh
        if change < _CLOSE:
            break
    return values
