"""PageRank (Brin & Page, Computer Networks and ISDN Systems 30, 1998).

PR(A) = (1 - d) + d * sum of PR(T) / C(T) over the nodes T that link to A, where C(T) is how many links T has. This is
the form as printed there: the ranks do not sum to one, and are one on average where every node has links.

A node without links of its own passes nothing on. To spread what it would pass evenly over all nodes, as is often
done, adds the same amount everywhere, and so multiplies all ranks by the same number: no order changes.
"""

from __future__ import annotations

import numpy as np

from honeyguide.graph.links import Links, Numbers

__all__ = ["pagerank"]


def pagerank(
    links: Links, damping: float = 0.85, *, start: Numbers | None = None, tolerance: float = 1e-4, most: int = 100
) -> Numbers:
    """The rank of every node.

    `start` is where to begin, such as the ranks of the graph before it grew; it stops when the ranks change by less
    than `tolerance` of their sum, or after `most` rounds.

    >>> links = Links()
    >>> links.set(0, [1]); links.set(1, [0])
    >>> pagerank(links).round(6).tolist()
    [1.0, 1.0]
    """
    degree = links.out_degree
    share = np.divide(damping, degree, out=np.zeros(len(degree)), where=degree > 0)
    ranks = np.ones(links.nodes) if start is None else start
    for _ in range(most):
        fresh = (1.0 - damping) + links.push(ranks * share)
        change = float(np.abs(fresh - ranks).sum())
        ranks = fresh
        if change <= tolerance * float(fresh.sum()):
            break
    return ranks
