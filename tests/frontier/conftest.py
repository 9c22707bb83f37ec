"""What the tests of the frontier share."""

from __future__ import annotations

from honeyguide.frontier import Frontier


def drain(frontier: Frontier, now: float = 0.0) -> list[int]:
    """Everything in the order it is given out, if every answer comes at once."""
    order: list[int] = []
    while True:
        number = frontier.next(now)
        if number is None:
            due = frontier.next_due()
            if due is None:
                return order
            now = max(now, due)
            continue
        order.append(number)
        frontier.answered(number, now)
